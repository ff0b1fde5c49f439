"""Trials and tallies: the work of a bot that looks ahead, cut into pieces that can be done anywhere.

Law: what a trial comes to is a function of its fields alone, and a tally is whole numbers, so that tallies can be added in
any order without a difference in the last bit. Nothing here needs arrays: whoever only hands out trials loads none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_hearts.cards import Card
from p2p_hearts.hearts.view import View

Choice: TypeAlias = tuple[Card, ...]  # the cards passed, or the one card played

GRAIN: Final = 1024  # costs are counted in points ÷ this


@dataclass(frozen=True, slots=True)
class Trial:
    """So many worlds of a view, in each of which every choice is played to the end of the hand."""

    view: View
    passing: bool
    choices: tuple[Choice, ...]
    worlds: int
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What choices have cost over the same worlds, in grains."""

    worlds: int
    sums: tuple[int, ...]  # per choice
    products: tuple[tuple[int, ...], ...]  # per two choices, of their costs in the same world


def add(tallies: Sequence[Tally]) -> Tally:
    """The tally of the same choices over all these worlds."""
    return Tally(
        sum(tally.worlds for tally in tallies),
        tuple(map(sum, zip(*(tally.sums for tally in tallies), strict=True))),
        tuple(
            tuple(map(sum, zip(*rows, strict=True)))
            for rows in zip(*(tally.products for tally in tallies), strict=True)
        ),
    )


def only(tally: Tally, places: Sequence[int]) -> Tally:
    """The tally of the choices at these places."""
    products = tuple(tuple(tally.products[place][other] for other in places) for place in places)
    return Tally(tally.worlds, tuple(tally.sums[place] for place in places), products)


def mean(tally: Tally, place: int) -> float:
    """What the choice at `place` costs on average, in points."""
    return tally.sums[place] / (tally.worlds * GRAIN)


def excess(tally: Tally, place: int, other: int) -> float:
    """How many points more the choice at `place` costs on average than the one at `other`."""
    return (tally.sums[place] - tally.sums[other]) / (tally.worlds * GRAIN)


def error(tally: Tally, place: int, other: int) -> float:
    """The standard error of that difference, in points."""
    products, worlds = tally.products, tally.worlds
    squares = products[place][place] - 2 * products[place][other] + products[other][other]
    total = tally.sums[place] - tally.sums[other]
    return math.sqrt(max(squares * worlds - total * total, 0) / (worlds * worlds * max(worlds - 1, 1))) / GRAIN
