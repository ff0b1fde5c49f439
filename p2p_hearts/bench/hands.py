"""What a whole hand costs one peer, beside its lower bound; and how long a table waits for cards when every peer has a
core of its own.

Law: time and bound come from one run. The bound is the bare cost of the counted group operations (`proofs`) plus that of
the signatures made and checked; all else (hashing, encoding, the rules, the simulated network) is our overhead. Waits are
virtual: measured times of the long proofs, a network of 1 ms a hop, and nothing for what a step does by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, TypeAlias

from p2p_hearts.bench.proofs import CountingGroup, bare_costs_us, best_us, bound_ms
from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.masking import start_deck
from p2p_hearts.crypto.shuffle import generators
from p2p_hearts.crypto.signature import make_signing_key, sign, verify
from p2p_hearts.protocol.envelope import Tag
from p2p_hearts.protocol.events import CardsDealt, ElectionBegan, Event, Played
from p2p_hearts.protocol.inputs import Job
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.simulation.network import Weather
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World

PEERS = (6, 8, 11)
HOP = Weather(delay=0.001)
THINK = 0.25  # seconds before somebody acts: time to link up in the lobby, and to prepare a hand during the one before
SAMPLES = 3  # jobs of a kind that are timed; the slowest counts, for void proofs are of different sizes
SIGNED = frozenset({Tag.ENTRY, Tag.HEARTBEAT, Tag.JOIN})
SIGNED_WITHIN = frozenset(
    {Kind.OPEN, Kind.ADMIT, Kind.ACCEPT}
)  # entries with another signature in them: a Join, a result
ENTRY_BYTES = 300  # of a typical entry

JobKind: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandCost:
    """One hand at a table of so many peers; per peer: seconds of CPU, their bound, and seconds of each kind of job."""

    cpu_s: float
    bound_s: float
    jobs: Mapping[JobKind, float]


@dataclass(frozen=True, slots=True)
class Waits:
    """Virtual seconds: from the start of the game to everybody's cards, and from a hand's last card to the next cards."""

    start: float
    between: float


@dataclass(slots=True)
class Tally:
    """What is counted while a world runs."""

    frames: set[bytes] = field(default_factory=set)  # signed frames
    arrived: set[tuple[int, bytes]] = field(default_factory=set)  # by whom each was checked
    jobs: dict[JobKind, list[Job]] = field(default_factory=dict)  # samples


def hand_cost(peers: int, clock: Callable[[], float], level: str = "uniform") -> HandCost:
    """Plays one hand with real cards among so many peers, by a clock of CPU seconds."""
    group, tally = CountingGroup(RISTRETTO255), Tally()
    start_deck(group)
    generators(group, len(start_deck(group)))  # made once, before the first hand
    group.counts.clear()
    world = World(Plan(peers, max(6, peers), 1, seed=peers, group=group, weather=HOP, level=level))
    world.tap, world.cost = _counter(tally, world), _collector(tally)
    costs = bare_costs_us()
    began = clock()
    world.run()
    cpu_s = clock() - began
    costs = {kind: min(us, costs[kind]) for kind, us in bare_costs_us().items()}
    inner = [entry.kind for session in world.sessions for entry in session.logs.accepted if entry.kind in SIGNED_WITHIN]
    made, checked = len(tally.frames) + inner.count(Kind.ACCEPT) // peers, len(tally.arrived) + len(inner)
    bound_s = bound_ms(group.counts, costs) / 1000 + _signatures_s(made, checked)
    jobs = {kind: max(_seconds(job, clock) for job in samples) for kind, samples in tally.jobs.items()}
    return HandCost(cpu_s / peers, bound_s / peers, jobs)


def waits(peers: int, jobs: Mapping[JobKind, float]) -> Waits:
    """How long a table of so many peers waits, each on a core of its own, when jobs take these seconds."""
    heard: list[tuple[float, Event]] = []
    world = World(Plan(peers, max(6, peers), 2, seed=peers, group=TINY, weather=HOP, think=THINK))
    world.cost = lambda job: jobs[_kind(job)]
    world.watch = lambda now, _, event: heard.append((now, event))
    world.run()
    started = min(now for now, event in heard if isinstance(event, ElectionBegan))
    first, second = (
        [now for now, event in heard if isinstance(event, CardsDealt) and event.number == number] for number in (1, 2)
    )
    last = max(now for now, event in heard if isinstance(event, Played) and now < min(second))
    return Waits(max(first) - started, max(second) - last)


def _signatures_s(made: int, checked: int) -> float:
    """Seconds to make and to check so many signatures."""
    key, data = make_signing_key(token_bytes), token_bytes(ENTRY_BYTES)
    signature = sign(key, b"entry", data)
    make_us = best_us(lambda: sign(key, b"entry", data))
    check_us = best_us(lambda: verify(key.public, b"entry", data, signature))
    return (made * make_us + checked * check_us) / 1e6


def _counter(tally: Tally, world: World) -> Callable[[int, int, bytes], None]:
    """Counts signed frames, and who checks them: nobody does a sign of life of somebody that is not on its roster."""

    def tap(sender: int, to: int, frame: bytes) -> None:
        if frame[0] not in SIGNED:
            return
        tally.frames.add(frame)
        known = world.sessions[to].post.gossip.neighbours
        if frame[0] != Tag.HEARTBEAT or world.sessions[sender].author.identity in known:
            tally.arrived.add((to, frame))

    return tap


def _collector(tally: Tally) -> Callable[[Job], float]:
    """Keeps some jobs of each kind, which are pure and can be run again; they take no virtual time."""

    def cost(job: Job) -> float:
        samples = tally.jobs.setdefault(_kind(job), [])
        if len(samples) < SAMPLES:
            samples.append(job)
        return 0.0

    return cost


def _kind(job: Job) -> JobKind:
    """What a job does: the function it calls, and for a check those it calls in turn, with how much they are given."""
    if not (job.arguments and isinstance(job.arguments[0], tuple)):
        return (job.function.__name__,)
    return tuple(f"{check.function.__name__}{_size(check.arguments)}" for check in job.arguments[0])


def _size(arguments: tuple[Any, ...]) -> str:
    """How much a check is given, where that is the same in every game."""
    size = sum(len(argument) for argument in arguments if isinstance(argument, tuple))
    return f" {size}" if size else ""


def _seconds(job: Job, clock: Callable[[], float]) -> float:
    """Seconds of a job, the better of two runs."""
    runs = []
    for _ in range(2):
        began = clock()
        job.run()
        runs.append(clock() - began)
    return min(runs)
