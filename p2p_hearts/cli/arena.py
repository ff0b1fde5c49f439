"""`arena`: bots against bots on duplicate deals; a table of what they came to, and a bar while they play.

The law: the same arguments print the same figures, times aside, on any number of cores.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from p2p_hearts.arena.deals import Contest, DealResult
from p2p_hearts.arena.figures import Tally, report
from p2p_hearts.arena.run import cores, play_deals
from p2p_hearts.cli.commands import Arena
from p2p_hearts.hearts.options import resolve

BAR: Final = 30  # characters
REDRAWN: Final = 0.2  # seconds between two pictures of the bar


def run_arena(arena: Arena) -> None:
    """Play and print, as JSON for programs or as a table."""
    options = resolve(arena.rules.preset, dict(arena.rules.overrides), arena.seats)
    contest = Contest(arena.levels, arena.seats, options, arena.seed, arena.effort)
    tally = Tally(contest)
    for deal in _with_bar(play_deals(contest, arena.hands, cores()), arena.hands):
        tally.add(deal)
    outcome = report(tally)
    print(json.dumps(outcome) if arena.json else "\n".join(_lines(outcome)))


def _with_bar(results: Iterable[DealResult], deals: int) -> Iterator[DealResult]:
    """The same results; while they come a bar on stderr shows how far they are, if that is a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    began = drawn = time.monotonic()
    try:
        for done, result in enumerate(results, 1):
            yield result
            now = time.monotonic()
            if now - drawn >= REDRAWN:
                drawn = now
                sys.stderr.write(f"\r{bar(done, deals, now - began)}")
                sys.stderr.flush()
    finally:
        sys.stderr.write("\r\x1b[K")  # erases the line
        sys.stderr.flush()


def bar(done: int, deals: int, seconds: float) -> str:
    """A line that shows so many deals done in so many seconds."""
    full = BAR * done // deals
    left = seconds * (deals - done) / done
    return f"[{'#' * full}{'.' * (BAR - full)}] {done:,} of {deals:,} deals, {left:.0f} s left "


def _lines(outcome: dict[str, Any]) -> list[str]:
    """The outcome for a person."""
    levels: dict[str, Any] = outcome["levels"]
    size = f"{outcome['hands']:,} deals at {outcome['seats']} seats, each played {len(levels)} times"
    lines = [
        f"{size}; points a hand with their 95 % interval:",
        "",
        f"{'level':12} {'points':>7}  {'95 % interval':18} {'moons':>6} {'cancelled taken':>16} {'ms a decision':>14}",
    ]
    for level, row in levels.items():
        share, pace = f"{row['cancelled_share']:.1%}", f"{row['ms_per_decision']:.3f}"
        lines.append(f"{level:12} {row['mean']:7.2f}  {_range(row['ci95']):18} {row['moons']:6} {share:>16} {pace:>14}")
    lines += ["", "paired differences (less is better for the first):"]
    for pair, row in outcome["pairs"].items():
        lines.append(f"{pair:24} {row['difference']:+7.2f}  {_range(row['ci95'])}")
    return lines


def _range(ends: list[float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:.2f} to {ends[1]:.2f}"
