"""The `clever` level: rules of thumb about twins, cancelled tricks, voids, what is set aside, moons and the score sheet.

How it thinks: a `Forecast` says of each legal card how likely it is to take the trick, what that would cost, how likely the
trick is to be cancelled, and how much less danger the hand holds without the card. The weights between these are in
points (see `danger` for where they come from); the card that costs least is played. Nothing is left to chance.
"""

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final

from p2p_hearts.bots.danger import Peril, burden, pass_danger, weigh
from p2p_hearts.bots.moon import BLOCK, SHOT_POINT, shooting, threat
from p2p_hearts.bots.odds import cancel_chance, led_suit, points_on, thrown, win_chance
from p2p_hearts.bots.outlook import Outlook, look
from p2p_hearts.bots.placing import gift, ruin
from p2p_hearts.bots.rng import Rng
from p2p_hearts.cards import QUEEN_OF_SPADES, Card, Suit, suit_of
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.hearts.view import View

POINT: Final = 0.8  # of a point that lies there, to whoever takes it
THROWN: Final = 0.73  # of a point that is likely to be thrown
ON_LEAD: Final = 1.0  # winning means having to lead
SET_ASIDE: Final = 0.18  # of a point that is set aside, to each
CANCELLED: Final = -0.9  # a cancelled trick is one less in which to take points (R15)
LEAD_HEART: Final = -1.66  # everybody follows to it with points, and we may duck
LEAD_SPADE: Final = -0.46  # it brings the queens out
DISCARD_HEART: Final = 0.31  # a low heart is of more use when hearts are led
DISCARD_QUEEN: Final = 1.0  # her burden counts spade tricks that would have come to nothing
FOLLOW_QUEEN: Final = 2.77  # the card above her may yet be cancelled


@dataclass(frozen=True, slots=True)
class Forecast:
    """What laying a card is likely to bring."""

    card: Card
    takes: float  # chance of taking the trick
    cancelled: float  # chance that two pairs cancel it
    points: int  # that lie there with the card and with what was set aside
    thrown: float  # points likely to come on top
    relief: float  # by how much the hand is better off without the card
    cost: float  # all in all, in points


def choose_pass(view: View, _rng: Rng, _effort: int) -> tuple[Card, ...]:
    """The cards without which the hand is least dangerous."""
    return best_pass(view)


def choose_play(view: View, _rng: Rng, _effort: int) -> Card:
    """The legal card that costs least; of equals the highest."""
    legal = legal_plays(view.hand, view.held)
    return legal[0] if len(legal) == 1 else forecasts(view)[0].card


def best_pass(view: View) -> tuple[Card, ...]:
    """The cards whose going leaves the least danger, every choice of them weighed."""
    suits = [tuple(card for card in view.held if suit_of(card) == suit) for suit in Suit]
    known: dict[tuple[Suit, tuple[Card, ...]], float] = {}

    def danger(chosen: tuple[Card, ...]) -> tuple[float, tuple[Card, ...]]:
        total = 0.0
        for suit, held in zip(Suit, suits, strict=True):
            kept = _without(held, chosen)
            if (suit, kept) not in known:
                known[suit, kept] = pass_danger(suit, kept)
            total += known[suit, kept]
        return total, chosen

    return min(set(combinations(view.held, view.hand.options.pass_count)), key=danger)


def forecasts(view: View) -> tuple[Forecast, ...]:
    """What each legal card is likely to bring, the best first."""
    outlook = look(view)
    forecast = partial(_forecast, outlook, weigh(outlook), threat(view), shoots=shooting(view))
    all_of_them = map(forecast, legal_plays(view.hand, view.held))
    return tuple(sorted(all_of_them, key=lambda forecast: (forecast.cost, -forecast.card)))


def _forecast(outlook: Outlook, peril: Peril, shooter: int | None, card: Card, *, shoots: bool) -> Forecast:
    view = outlook.view
    takes, cancelled = win_chance(outlook, card), cancel_chance(outlook, card)
    points, more = points_on(view.hand, card), thrown(outlook, card)
    relief = burden(peril, view.held, card)
    won = takes * (1.0 - cancelled)
    if shoots:
        cost = (1.0 - won) * SHOT_POINT * (points + more) - won + relief
        return Forecast(card, takes, cancelled, points, more, relief, cost)
    cost = won * (POINT * points + THROWN * more + ON_LEAD) + cancelled * (SET_ASIDE * (points + more) + CANCELLED)
    cost += won * (ruin(view, points) - (BLOCK if shooter is not None and points > 0 else 0.0))  # R18
    cost += _by_suit(view, card) - relief - (0.0 if won else gift(view, card, points, shooter))
    return Forecast(card, takes, cancelled, points, more, relief, cost)


def _by_suit(view: View, card: Card) -> float:
    """What the suit of a card adds to its cost, as it is led, followed with or thrown."""
    suit = suit_of(card)
    if not view.hand.table:
        return LEAD_HEART if suit == Suit.HEARTS else LEAD_SPADE if suit == Suit.SPADES else 0.0
    if suit == led_suit(view.hand, card):
        return FOLLOW_QUEEN if card == QUEEN_OF_SPADES else 0.0
    return DISCARD_QUEEN if card == QUEEN_OF_SPADES else DISCARD_HEART if suit == Suit.HEARTS else 0.0


def _without(held: tuple[Card, ...], chosen: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards left, one copy gone for each that is chosen."""
    left = list(held)
    for card in chosen:
        if card in left:
            left.remove(card)
    return tuple(left)
