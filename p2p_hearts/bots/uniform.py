"""The `uniform` level: any cards that may be passed, any card that may be played, all equally likely."""

from p2p_hearts.bots.rng import Rng
from p2p_hearts.cards import Card
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.hearts.view import View


def choose_pass(view: View, rng: Rng, _effort: int) -> tuple[Card, ...]:
    """Some of the cards held."""
    return tuple(sorted(rng.sample(view.held, k=view.hand.options.pass_count)))


def choose_play(view: View, rng: Rng, _effort: int) -> Card:
    """One of the legal cards."""
    return rng.choice(legal_plays(view.hand, view.held))
