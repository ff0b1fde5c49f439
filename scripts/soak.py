"""`python3 scripts/soak.py --seeds 0:1000` plays so many simulated tables on which everything goes wrong, and checks what
must hold on all of them: one result, nobody honest blamed, nobody waiting while enough of its hand are there.

Each seed draws its own table: 2 to 11 peers, a network that loses, delays, doubles and reorders, programs that crash,
restart and stand still, networks that fall apart, and on some tables a peer that withholds what it owes. For a table that
fails, the command that plays it again is printed, and the exit code is 1."""

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from p2p_hearts.cli.arguments import read  # noqa: E402 - found in the project, installed or not
from p2p_hearts.cli.commands import Simulate  # noqa: E402
from p2p_hearts.cli.simulate import world_of  # noqa: E402
from p2p_hearts.simulation.world import flaws  # noqa: E402

THINK = 0.2  # virtual seconds a card: a hand of six takes four graces
STORMY, TROUBLED, CHEATED = 0.7, 0.6, 0.2  # shares of tables
CHEATABLE = 4  # peers; with fewer nobody can be left out without being one of two
GRACE = 5
WITHHELD = (
    "commit-keys",
    "open-keys",
    "escrow",
    "mix",
    "agreement",
    "deal",
    "commit-pass",
    "open-pass",
    "remix",
    "play",
)
TROUBLES = ("crash", "restart", "partition", "oneway", "jump")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one table."""

    command: str
    flaws: tuple[str, ...]
    hands: int
    annulled: int
    removed: int


def command_of(seed: int, hands: int, *, tiny: bool) -> str:
    """The table that a seed draws, as the command that plays it."""
    rng = random.Random(f"soak {seed}")  # noqa: S311 - no secrets are drawn
    peers = rng.choice((2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 11))
    words = [f"simulate --seed {seed} --peers {peers} --seats {max(6, peers)} --hands {hands}"]
    words.append(f"--grace {GRACE} --think {THINK}")
    if rng.random() < STORMY:
        words.append(f"--loss {rng.choice((0.01, 0.05, 0.2))} --delay {rng.choice((1, 20, 150))}")
        words.append(f"--duplicate {rng.choice((0, 0.1))} --reorder {rng.choice((0, 0.2))}")
    for trouble in TROUBLES:
        most = 1 if trouble == "crash" else 2
        count = rng.randint(0, most) if rng.random() < TROUBLED else 0
        words += [f"--{trouble} {count}"] if count else []
    if tiny:
        words.append("--tiny")
    if peers >= CHEATABLE and rng.random() < CHEATED:
        words.append(f"--adversary {rng.choice(('withhold', 'hide'))}-{rng.choice(WITHHELD)}")
    return " ".join(words)


def play(command: str) -> Outcome:
    """Plays one table."""
    simulate = read(command.split(), terminal=False)
    if not isinstance(simulate, Simulate):
        raise TypeError(command)
    world = world_of(simulate)
    world.run()
    tables = [session.table for session in world.sessions]
    return Outcome(
        command,
        tuple(flaws(world)),
        max(len(table.sheet) for table in tables),
        max(len(table.annulled) for table in tables),
        max(sum(table.removals.values()) for table in tables),
    )


def main() -> int:
    """Plays them all; 1 when one of them failed."""
    options = _options()
    first, last = (int(part) for part in options.seeds.split(":"))
    commands = [command_of(seed, options.hands, tiny=not options.real) for seed in range(first, last)]
    began = time.monotonic()
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(options.processes) as pool:
        for outcome in pool.map(play, commands):
            counts += Counter(hands=outcome.hands, annulled=outcome.annulled, removed=outcome.removed, tables=1)
            counts["failed"] += bool(outcome.flaws)
            if outcome.flaws:
                print(f"FAILED: {'; '.join(outcome.flaws)}\n  p2p-hearts {outcome.command}", flush=True)
    spent = time.monotonic() - began
    print(
        f"{counts['tables']} tables, {counts['hands']} hands scored, {counts['annulled']} annulled, {counts['removed']} times "
        f"somebody was left out, {counts['failed']} tables failed; {spent:.0f} s in {options.processes} processes."
    )
    return int(counts["failed"] > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Simulated tables on which everything goes wrong.")
    parser.add_argument("--seeds", default="0:100", metavar="A:B", help="from A to before B")
    parser.add_argument("--hands", type=int, default=2, help="of each table")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="in the real group, about 25 times slower")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
