"""What many deals come to: means, their 95 % intervals, and the paired differences between levels.

Law: the deal is the unit. A level's figure for a deal is its mean over all seats, each of which it has held once; a
difference is taken within each deal, where luck has dealt both sides the same cards, and only then averaged.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from p2p_hearts.arena.deals import Contest, DealResult
from p2p_hearts.hearts.options import options_dict

Z95: Final = 1.959964  # of the normal distribution: 95 % lie within so many standard errors


@dataclass(slots=True)
class Tally:
    """The deals of a contest, as they come in."""

    contest: Contest
    points: list[tuple[float, ...]] = field(default_factory=list)  # per deal, of each level, a hand
    moons: list[int] = field(init=False)
    set_aside: list[int] = field(init=False)
    decisions: list[int] = field(init=False)
    seconds: list[float] = field(init=False)
    cancelled: int = 0

    def __post_init__(self) -> None:
        levels = len(self.contest.levels)
        self.moons, self.set_aside, self.decisions = [0] * levels, [0] * levels, [0] * levels
        self.seconds = [0.0] * levels

    def add(self, deal: DealResult) -> None:
        """Takes in one deal."""
        self.points.append(tuple(row.points / self.contest.seats for row in deal.rows))
        self.cancelled += deal.cancelled
        for level, row in enumerate(deal.rows):
            self.moons[level] += row.moons
            self.set_aside[level] += row.set_aside
            self.decisions[level] += row.decisions
            self.seconds[level] += row.seconds


def report(tally: Tally) -> dict[str, Any]:
    """The outcome as plain values: what `arena --json` prints."""
    contest, columns = tally.contest, list(zip(*tally.points, strict=True))
    levels, pairs = {}, {}
    for number, level in enumerate(contest.levels):
        levels[level] = {
            "mean": statistics.fmean(columns[number]),
            "ci95": interval(columns[number]),
            "moons": tally.moons[number],
            "cancelled_share": tally.set_aside[number] / tally.cancelled if tally.cancelled else 0.0,
            "ms_per_decision": 1000 * tally.seconds[number] / tally.decisions[number],
        }
    for (first, ours), (second, theirs) in combinations(zip(contest.levels, columns, strict=True), 2):
        apart = [a - b for a, b in zip(ours, theirs, strict=True)]
        pairs[f"{first}-{second}"] = {"difference": statistics.fmean(apart), "ci95": interval(apart)}
    return {
        "seats": contest.seats,
        "hands": len(tally.points),
        "seed": contest.seed,
        "options": options_dict(contest.options),
        "levels": levels,
        "pairs": pairs,
    }


def interval(values: Sequence[float]) -> list[float] | None:
    """The 95 % confidence interval of the mean of these values, low end first; a single value has none."""
    if len(values) < 2:  # noqa: PLR2004 - nothing to compare with
        return None
    mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))
    return [mean - Z95 * error, mean + Z95 * error]
