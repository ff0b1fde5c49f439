"""What the end of a hand is worth to a seat, as a cost: the less the better.

Law: far from the limit a point is a point, and what counts is how many more of them a seat takes than the others do, for
the lowest total wins (R6). When this hand or the next may be the last (D20), what counts is the placing: how many others
end below, and above all whether anybody does. A game that goes on is weighed by what one more hand may still change.
"""

from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.playouts import Playouts, points
from p2p_hearts.bots.rollout.tables import Floats
from p2p_hearts.hearts.match import bot_moon_choice, hand_points

NEAR: Final = 35  # points below the limit from which on the next hands may end the game
SWING: Final = 8.0  # points; the scale on which one more hand changes who is ahead of whom
PLACING: Final = 60.0  # what first place is worth against last, in points
TIE_BREAK: Final = 0.1  # what a point is worth where the placing is settled
WINNING: Final = 0.75  # the part of that which only the first place gets


def costs(playouts: Playouts, seat: int, scores: tuple[int, ...]) -> Floats:
    """What the finished lanes cost `seat`, with the totals `scores` before the hand."""
    options, seats = playouts.options, playouts.seats
    taken, moon = points(playouts)
    for lane in np.flatnonzero(moon >= 0):
        shooter = int(moon[lane])
        choice = bot_moon_choice(options, scores, shooter)
        taken[lane] = hand_points(options, (0,) * seats, shooter, choice)
    if max(scores) + NEAR < options.limit:
        return _ahead(taken.astype(np.float64), seat)
    totals = (taken + np.array(scores, dtype=np.int64)).astype(np.float64)
    over = totals.max(axis=1) >= options.limit
    behind = totals[:, seat : seat + 1] - totals
    below = np.where(
        over[:, None], (behind > 0).astype(np.float64), 1 / (1 + np.exp(np.clip(-behind / SWING, -50, 50)))
    )
    others = np.delete(below, seat, axis=1)
    lost = (1 - WINNING) * others.mean(axis=1) + WINNING * others.max(axis=1)
    cost: Floats = PLACING * lost + TIE_BREAK * _ahead(taken.astype(np.float64), seat)
    return cost


def _ahead(taken: Floats, seat: int) -> Floats:
    """How many points more than the others' mean the seat has taken."""
    own = taken[:, seat]
    rest: Floats = (taken.sum(axis=1) - own) / (taken.shape[1] - 1)
    return own - rest
