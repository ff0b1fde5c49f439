"""Tables on which everything goes wrong, each drawn from a seed and written as the command that plays it (`scripts/soak.py`).

Law: what must hold on all of them is in `simulation.world.flaws`; a table that fails is played again by its command."""

import random
from dataclasses import dataclass

from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.commands import Simulate
from p2p_hearts.cli.simulate import world_of
from p2p_hearts.simulation.world import flaws

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
