"""`bench`: the time of each proof, of a whole hand and of the rules engine on this machine, beside what bounds them."""

import cProfile
import json
import pstats
import time
from pathlib import Path
from typing import Any

from p2p_hearts.bench.hands import PEERS, hand_cost, waits
from p2p_hearts.bench.plays import plays_per_second
from p2p_hearts.bench.proofs import measure, small_proofs_ms
from p2p_hearts.bench.rollouts import rollout_plays_per_second

PROFILED_ROUNDS = 5  # hands at each number of seats
PROFILED_FUNCTIONS = 5


def run_bench(*, as_json: bool) -> None:
    """Measure and print, as JSON for programs or as a table with what limits the engine."""
    figures: dict[str, Any] = {
        **measure(),
        "plays_per_s": plays_per_second(time.perf_counter),
        "rollout_plays_per_s": rollout_plays_per_second(time.perf_counter),
    }
    hands = _hands()
    if as_json:
        print(json.dumps({**figures, **hands}))
        return
    for name, value in figures.items():
        print(f"{name:20} {value:>12,.1f}")
    print("\nmilliseconds         make    check")
    for name, (make, check) in small_proofs_ms().items():
        print(f"{name:16} {make:8.2f} {check:8.2f}")
    print(f"\n{'seconds, of':20}" + "".join(f"{f'{peers} peers':>10}" for peers in PEERS))
    for name, row in hands.items():
        print(f"{name:20}" + "".join(f"{row[str(peers)]:10.3f}" for peers in PEERS))
    print("\nWhere the rules engine spends its time (share, calls, function):")
    for share, calls, function in _slowest():
        print(f"{share:6.0%} {calls:>9,}  {function}")


def _hands() -> dict[str, dict[str, float]]:
    """The rows about whole hands, by number of peers: what one peer computes, and how long all wait for their cards."""
    rows: dict[str, dict[str, float]] = {
        "hand_cpu_s": {},
        "hand_bound_s": {},
        "deal_wait_s": {},
        "next_deal_wait_s": {},
    }
    for peers in PEERS:
        cost = hand_cost(peers, time.process_time)
        wait = waits(peers, cost.jobs)
        for row, value in zip(rows.values(), (cost.cpu_s, cost.bound_s, wait.start, wait.between), strict=True):
            row[str(peers)] = value
    return rows


def _slowest() -> list[tuple[float, int, str]]:
    """The functions that random play spends most of its time in, their share of it and how often they are called."""
    profile = cProfile.Profile()
    profile.runcall(plays_per_second, time.perf_counter, PROFILED_ROUNDS)
    stats = pstats.Stats(profile).get_stats_profile()
    rows = [
        (
            function.tottime / stats.total_tt,
            int(function.ncalls.split("/")[0]),
            f"{Path(function.file_name).name}: {name}",
        )
        for name, function in stats.func_profiles.items()
    ]
    return sorted(rows, reverse=True)[:PROFILED_FUNCTIONS]
