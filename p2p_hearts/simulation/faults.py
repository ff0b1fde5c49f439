"""What goes wrong in a simulated table, from one seed: programs that end, or stand still, and networks that fall apart.

Law: a fault has a time and an end; between its faults the world is whole again, so that what has not recovered a while
after the last of them never will."""

import random
from dataclasses import dataclass
from enum import Enum

DURATIONS = (0.6, 1.0, 2.0, 5.0)  # of a fault, in graces; about one grace is where most can go wrong
NEAR = (0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2)


class Trouble(Enum):
    """The kinds of faults."""

    CRASH = "crash"  # the program ends and does not come back
    RESTART = "restart"  # it ends, and starts again with what is on its disk
    JUMP = "jump"  # it stands still, and goes on as if nothing had been
    PARTITION = "partition"  # two groups that do not hear each other
    ONEWAY = "oneway"  # one peer is heard by nobody, but hears the others


@dataclass(frozen=True, slots=True)
class Incident:
    """One fault: from when, for how long (virtual seconds), and the peers it hits."""

    at: float
    seconds: float
    trouble: Trouble
    peers: frozenset[int]


def draw_incidents(
    seed: int, peers: int, counts: dict[Trouble, int], span: tuple[float, float], grace: float
) -> tuple[Incident, ...]:
    """So many faults of each kind, at random times within a span; some at once, some just about one grace long."""
    rng = random.Random(f"faults {seed}")
    drawn = []
    for trouble in Trouble:
        for _ in range(counts.get(trouble, 0)):
            long = rng.choice((*DURATIONS, *NEAR)) * grace
            if trouble is Trouble.PARTITION:
                hit = frozenset(peer for peer in range(peers) if rng.random() < 0.5)  # noqa: PLR2004 - even odds
            else:
                hit = frozenset({rng.randrange(peers)})
            drawn.append(Incident(rng.uniform(*span), long, trouble, hit))
    return tuple(sorted(drawn, key=lambda each: each.at))
