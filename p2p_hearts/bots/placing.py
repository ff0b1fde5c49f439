"""The score sheet in mind: whom points hurt most, and whom it helps that the game ends.

Law: while all totals are equal and far from the limit, nothing here weighs; near the limit the game should end when we lead
it, and go on when we do not (D20).
"""

from typing import Final

from p2p_hearts.bots.moon import BREAK
from p2p_hearts.cards import Card
from p2p_hearts.hearts.score import card_points, running_points
from p2p_hearts.hearts.trick import winning_card
from p2p_hearts.hearts.view import View

TO_LEADER: Final = 0.25  # of a point that goes to whoever leads the game
GAME_OVER: Final = 6.0  # of the end of the game, good for the leader, bad for anybody else


def gift(view: View, card: Card, points: int, shooter: int | None) -> float:
    """What it is worth to us that whoever is winning the trick gets this card, and with it so many points in all."""
    own, taker = card_points(view.hand.options, (card,)), _taker(view)
    if taker is None or own <= 0:
        return 0.0
    worth = 0.0
    if shooter is not None:
        worth = -BREAK if taker == shooter else BREAK
    leader = min(total for seat, total in enumerate(view.scores) if seat != view.seat)
    if view.scores[taker] == leader < max(view.scores):
        worth += TO_LEADER * own
    if _reaches(view, taker, points - own, points):
        worth += GAME_OVER if _leads(view) else -GAME_OVER
    return worth


def ends_game(view: View, card: Card, points: int) -> int | None:
    """The seat that this card, in a trick of so many points, brings to the limit while nobody is better off than we."""
    taker, own = _taker(view), card_points(view.hand.options, (card,))
    if taker is None or not _leads(view) or not _reaches(view, taker, points - own, points):
        return None
    return taker


def ruin(view: View, points: int) -> float:
    """What it costs beyond its points to take a trick of so many: the game, when that brings us to the limit."""
    return GAME_OVER if _reaches(view, view.seat, 0, points) else 0.0


def _taker(view: View) -> int | None:
    """The seat that is winning the trick so far."""
    hand = view.hand
    best = winning_card(hand.options, hand.table) if hand.table else None
    return None if best is None else (hand.leader + hand.table.index(best)) % hand.seats


def _reaches(view: View, seat: int, fewer: int, points: int) -> bool:
    """Whether so many points bring a seat to the limit, and fewer do not."""
    total, limit = _totals(view)[seat], view.hand.options.limit
    return total + fewer < limit <= total + points


def _leads(view: View) -> bool:
    """Whether nobody's total is lower than ours."""
    totals = _totals(view)
    return totals[view.seat] == min(totals)


def _totals(view: View) -> tuple[int, ...]:
    """The totals as they would stand if the hand ended now, as far as points lie face up."""
    return tuple(total + points for total, points in zip(view.scores, running_points(view.hand), strict=True))
