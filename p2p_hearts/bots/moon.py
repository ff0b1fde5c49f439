"""Who may be on the way to the moon: the seat that alone has won all the points there have been.

Law: only what lies face up counts, and the own kitty. Whoever has a kitty that we have not seen may hold a heart in it, so
that we shoot no moon against it (D16).
"""

from typing import Final

from p2p_hearts.cards import QUEEN_OF_SPADES, Card, Suit, suit_of
from p2p_hearts.hearts.score import QUEEN_POINTS
from p2p_hearts.hearts.view import View

SHOOT_FROM: Final = 34  # points that we alone have, from which the rest is worth going for
BLOCK_FROM: Final = 36  # points that another alone has, from which it must be stopped
SHOT_POINT: Final = 3.0  # of a point that another takes from our moon
BLOCK: Final = 6.0  # of taking a point from another's moon ourselves
BREAK: Final = 3.0  # of giving one to anybody but the shooter


def lone_taker(view: View) -> tuple[int, int] | None:
    """The only seat that has won points so far, and how many; None when there are two such seats, or none."""
    hauls = [sum(map(_worth, cards)) for cards in view.hand.captured]
    if view.kitty is not None:
        hauls[view.seat] += sum(map(_worth, view.kitty))
    takers = [(seat, points) for seat, points in enumerate(hauls) if points]
    return takers[0] if len(takers) == 1 else None


def shooting(view: View) -> bool:
    """Whether this seat goes for the moon."""
    taker = lone_taker(view)
    if taker is None or taker[0] != view.seat or taker[1] < SHOOT_FROM:
        return False
    return view.hand.kitty_seat in {None, view.seat}


def threat(view: View) -> int | None:
    """Another seat that is close to the moon."""
    taker = lone_taker(view)
    return taker[0] if taker is not None and taker[0] != view.seat and taker[1] >= BLOCK_FROM else None


def _worth(card: Card) -> int:
    """What a card counts towards the moon."""
    if card == QUEEN_OF_SPADES:
        return QUEEN_POINTS
    return int(suit_of(card) == Suit.HEARTS)
