"""`python3 scripts/soak.py --seeds 0:1000` plays so many simulated tables on which everything goes wrong, and checks what
must hold on all of them: one result, nobody honest blamed, nobody waiting while enough of its hand are there.

Each seed draws its own table: 2 to 11 peers, a network that loses, delays, doubles and reorders, programs that crash,
restart and stand still, networks that fall apart, and on some tables a peer that withholds what it owes. For a table that
fails, the command that plays it again is printed, and the exit code is 1."""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from p2p_hearts.cli.soak import command_of, play  # noqa: E402 - found in the project, installed or not


def main() -> int:
    """Plays them all; 1 when one of them failed."""
    options = _options()
    first, last = (int(part) for part in options.seeds.split(":"))
    commands = [command_of(seed, options.hands, tiny=not options.real) for seed in range(first, last)]
    began = time.monotonic()
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(options.processes) as pool:
        played = {pool.submit(play, command): command for command in commands}
        for table in as_completed(played):
            error = table.exception()
            if error is None:
                outcome, flaws = table.result(), table.result().flaws
                counts += Counter(hands=outcome.hands, annulled=outcome.annulled, removed=outcome.removed)
            else:
                flaws = (f"it ends with {error!r}",)
            counts += Counter(tables=1, failed=int(bool(flaws)))
            if flaws:
                print(f"FAILED: {'; '.join(flaws)}\n  p2p-hearts {played[table]}", flush=True)
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
