"""Bots: what a seat does, chosen from its `View` alone.

Law: the same view, rng state and effort give the same choice; a bot has no memory, reads no clock and never sees more
than the player in its chair. One policy a file; a new level is a new line in `_POLICIES`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from p2p_hearts.bots import cautious, clever, expert, uniform
from p2p_hearts.bots.rng import Rng
from p2p_hearts.cards import Card
from p2p_hearts.hearts.match import MoonChoice, bot_moon_choice
from p2p_hearts.hearts.view import View


@dataclass(frozen=True, slots=True)
class _Policy:
    """How one level passes and plays; effort is a number of rollouts, for levels that look ahead."""

    choose_pass: Callable[[View, Rng, int], tuple[Card, ...]]
    choose_play: Callable[[View, Rng, int], Card]


_POLICIES: Final[Mapping[str, _Policy]] = {
    "uniform": _Policy(uniform.choose_pass, uniform.choose_play),
    "cautious": _Policy(cautious.choose_pass, cautious.choose_play),
    "clever": _Policy(clever.choose_pass, clever.choose_play),
    "expert": _Policy(expert.choose_pass, expert.choose_play),
}
LEVELS: Final = tuple(_POLICIES)


def choose_pass(level: str, view: View, rng: Rng, effort: int = 0) -> tuple[Card, ...]:
    """The cards that a bot of this level passes from a freshly dealt hand."""
    return _POLICIES[level].choose_pass(view, rng, effort)


def choose_play(level: str, view: View, rng: Rng, effort: int = 0) -> Card:
    """The legal card that a bot of this level plays when it is its turn."""
    return _POLICIES[level].choose_play(view, rng, effort)


def choose_moon(level: str, view: View, rng: Rng, effort: int = 0) -> MoonChoice:
    """What a bot that has shot the moon does with it: the same at every level, by D17."""
    del level, rng, effort
    return bot_moon_choice(view.hand.options, view.scores, view.seat)
