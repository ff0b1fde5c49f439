"""Look-up tables over the 13 ranks of a suit, and what a card is worth in packed points.

Law: a suit's share of a mask of kinds is a number below 8192, and every question about it (how many, which is the
highest, which is the k-th) is one look-up. Packed points hold the hearts and queens in the low byte and the number of
jacks above it, so that a haul is one addition and a moon one comparison (R17, R18, D22).
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_hearts.cards import JACK_OF_DIAMONDS, KINDS, QUEEN_OF_SPADES, Suit, suit_of
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.score import QUEEN_POINTS

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

RANKS: Final = 13
SUIT: Final = (1 << RANKS) - 1  # mask of one suit, at the bottom
JACK_SHIFT: Final = 8  # 52 points fit below it
POINTS: Final = (1 << JACK_SHIFT) - 1

COUNT: Final[Ints] = np.array([mask.bit_count() for mask in range(SUIT + 1)], dtype=np.int64)
HIGH: Final[Ints] = np.array([mask.bit_length() - 1 for mask in range(SUIT + 1)], dtype=np.int64)  # −1: none
LOW: Final[Ints] = np.array([(mask & -mask).bit_length() - 1 for mask in range(SUIT + 1)], dtype=np.int64)


def _selections() -> Ints:
    """At mask × 13 + k, the rank of the k-th lowest card of the mask, from 0."""
    table = np.zeros((SUIT + 1, RANKS), dtype=np.int64)
    for mask in range(SUIT + 1):
        ranks = [rank for rank in range(RANKS) if mask >> rank & 1]
        table[mask, : len(ranks)] = ranks
    return table.reshape(-1)


SELECT: Final[Ints] = _selections()


def packed_points(options: Options) -> Ints:
    """What each kind of card adds to a haul."""
    points = np.zeros(KINDS, dtype=np.int64)
    for card in range(KINDS):
        points[card] = suit_of(card) == Suit.HEARTS
    points[QUEEN_OF_SPADES] = QUEEN_POINTS
    points[JACK_OF_DIAMONDS] = (1 << JACK_SHIFT) if options.jack_of_diamonds else 0
    return points
