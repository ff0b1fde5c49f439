"""The tables behind the rules of thumb of `policy`, for a number of seats.

How it works. They follow `odds` and `danger`, by which `clever` judges one card in one view, worked out beforehand for
every set of ranks: how much better off a hand is without a card of a suit (`relief`), the best card of the suit to throw
away, and the chances that a card is beaten or meets its twin. What is still out of a suit is told by its number alone, as
if evenly spread over the ranks; who is void in it, by how many seats have not shown to be.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.tables import RANKS, SUIT, Floats, Ints
from p2p_hearts.cards import Rank

COPIES: Final = 26  # of a suit
PILES: Final = COPIES + 1  # 0 … 26 copies below a card, or above it
STAGE: Final = 5  # copies out to a stage of the tables
STAGES: Final = COPIES // STAGE + 1
MOST_COPIES: Final = 3  # 0, 1 or 2 of a kind
QUEEN: Final = Rank.QUEEN - 2

# Weights, in points; those of `danger` and `odds`.
GUARD: Final = 0.5  # what a card that is sure to lose leaves of the danger of a higher one of its suit
QUEEN_GUARD: Final = 0.75
QUEEN_DANGER: Final = 7.2
OVER_QUEEN: Final = 0.85 * 1.5  # of king and ace of spades, with one or two queens out
WILLING: Final = (0.3, 0.05)  # how often a seat takes a trick that it could duck, without and with points
TWIN_SHOWS: Final = 0.5


@dataclass(frozen=True, slots=True)
class SuitKind:
    """How a holding is judged."""

    sticky: float  # of a card that nobody can duck
    alive: float  # the same, times the share of the others that may hold the suit
    single: float
    void: float
    queens: bool = False  # are out: king and ace are in danger
    spades: bool = False


PLAIN: Final = 0
HEARTS: Final = 1
SPADES: Final = 2  # with queens out
SAFE_SPADES: Final = 3
KINDS_OF_SUIT: Final = (
    SuitKind(0.0, 2.0, -0.3, -0.6),
    SuitKind(0.0, 4.0, -0.4, -0.9),
    SuitKind(1.1, 0.0, -0.3, -0.4, queens=True, spades=True),
    SuitKind(1.1, 0.0, -0.3, -0.4, spades=True),
)


@dataclass(frozen=True, slots=True)
class Habits:
    """The tables for a table of `seats`, each flat: the index is written out at the field."""

    seats: int
    relief: Floats  # ((kind of suit × STAGES + stage) × 8192 + mask) × 13 + rank
    thrown: Ints  # (kind of suit × STAGES + stage) × 8192 + mask: the rank to throw away
    unbeaten: Floats  # ((points × seats + alive) × seats + later) × 729 + below × 27 + above
    twin: Floats  # (alive × seats + later) × 3 + copies: the chance that one of `later` lays a twin
    missing: Floats  # alive × 27 + copies: the chance that a seat of so many has none of these copies


@cache
def habits(seats: int) -> Habits:
    """The tables for so many seats; made once, in about a fifth of a second."""
    relief = np.stack([[_relief(kind, stage, seats) for stage in range(STAGES)] for kind in KINDS_OF_SUIT])
    below, above = np.arange(PILES)[:, None], np.arange(PILES)[None, :]
    unbeaten = np.zeros((2, seats, seats, PILES, PILES))
    twin = np.zeros((seats, seats, MOST_COPIES))
    missing = np.ones((seats, PILES))
    for alive in range(1, seats):
        apart = 1.0 - 1.0 / alive  # the chance that a copy is not with one of them
        missing[alive] = apart ** np.arange(PILES)
        forced = apart**below * (1.0 - apart**above)
        for points, willing in enumerate(WILLING):
            beaten = forced + willing * (1.0 - apart**above - forced)
            for later in range(seats):
                unbeaten[points, alive, later] = (1.0 - beaten) ** later
        for later in range(seats):
            twin[alive, later] = 1.0 - (1.0 - TWIN_SHOWS * (1.0 - apart ** np.arange(MOST_COPIES))) ** later
    unbeaten[:, 0] = 1.0
    held = np.arange(SUIT + 1)[:, None] >> np.arange(RANKS) & 1
    # of equals the highest, which is found first from above
    best = RANKS - 1 - np.where(held, relief, -np.inf)[..., ::-1].argmax(axis=-1)
    return Habits(
        seats, relief.reshape(-1), best.reshape(-1), unbeaten.reshape(-1), twin.reshape(-1), missing.reshape(-1)
    )


def _relief(kind: SuitKind, stage: int, seats: int) -> Floats:
    """By how much a hand is better off without a card (mask, rank), when so much of the suit is out."""
    out, others = min(stage * STAGE + STAGE / 2, COPIES), seats - 1
    ranks = np.arange(RANKS)
    apart = 1.0 - 1.0 / others
    forced = apart ** (out * ranks / RANKS) * (1.0 - apart ** (out * (RANKS - 1 - ranks) / RANKS))
    sticky = (1.0 - forced) ** others
    danger = (kind.sticky + kind.alive * (1.0 - apart**out)) * sticky
    if kind.queens:
        danger = danger + OVER_QUEEN * sticky * (ranks > QUEEN)
    held = (np.arange(SUIT + 1)[:, None] >> ranks & 1).astype(np.float64)
    left = 1.0 - (1.0 - GUARD) * sticky  # of the danger of higher cards, by a card that guards them
    guards = np.cumprod(np.where(held > 0, left, 1.0), axis=1) / np.where(held > 0, left, 1.0)
    each = danger * guards * held
    if kind.spades:
        each[:, QUEEN] = 0.0
    higher = each[:, ::-1].cumsum(axis=1)[:, ::-1] - each
    relief: Floats = danger * guards - higher * (1.0 / left - 1.0)
    length = held.sum(axis=1)
    if kind.spades:
        queen = held[:, QUEEN] * QUEEN_DANGER * QUEEN_GUARD ** np.maximum(length - 1, 0)
        relief -= (queen * (1.0 / QUEEN_GUARD - 1.0))[:, None]
        relief[:, QUEEN] = queen - higher[:, QUEEN] * (1.0 / left[QUEEN] - 1.0)
    relief += np.select([length == 1, length == 2], [kind.single - kind.void, -kind.single], 0.0)[:, None]  # noqa: PLR2004
    return relief
