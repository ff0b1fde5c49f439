"""A whole table in one process, on a virtual clock: real Sessions, a network made of a seed, bots at every seat.

Law: one seed, one story. The queue is ordered by time and then by the order in which things were put into it; every peer
draws from a stream of its own. Links are as ordered as the network lets them be, jobs run at once (or take the time that
`cost` gives them), so that a thousand hands can be played and any one of them played again."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.autopilot import answer
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import digest, seeded
from p2p_hearts.protocol.events import Accused, Event, Slow, Turn
from p2p_hearts.protocol.inputs import GoOn, Input, Job, JobDone, Linked, Received, Start, Tick, Unlinked
from p2p_hearts.protocol.output import Identity, Output, Record, Setup
from p2p_hearts.protocol.resume import ResumeError, resume_table
from p2p_hearts.protocol.session import Session, host_table, join_table
from p2p_hearts.protocol.state import quorum
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.network import Weather, arrivals

BEGUN, OVER = -1, -2  # in the place of a peer: what happens to an incident
NOTICE = 3.0  # seconds until a program learns that a link is down
PATIENCE = 3_600.0  # virtual seconds after which a table that has not finished is given up


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate."""

    peers: int
    seats: int
    hands: int
    seed: int
    group: Group = RISTRETTO255
    weather: Weather = field(default_factory=Weather)
    level: str = "uniform"
    preset: str = "as_written"
    overrides: tuple[tuple[str, object], ...] = ()
    patience: float = PATIENCE
    think: float = 0.0  # virtual seconds before the host starts, and before a seat acts
    cut: frozenset[frozenset[int]] = frozenset()  # pairs of peers between which no frame travels
    host: int = 0  # the peer that opens the table
    grace: int = 30
    incidents: tuple[Incident, ...] = ()
    orders: tuple[tuple[float, int, Input], ...] = ()  # what people do of their own will: when, who, what


@dataclass(slots=True)
class World:
    """The state of a simulation. `heard` keeps every event of every peer, with its virtual time, if wanted."""

    plan: Plan
    now: float = 0.0
    sessions: list[Session] = field(default_factory=list)
    blamed: list[tuple[int, Accused]] = field(default_factory=list)
    watch: Callable[[float, int, Event], None] | None = None
    tap: Callable[[int, int, bytes], None] | None = None  # every frame that arrives: from, to, bytes
    meddle: Callable[[int, int, bytes], tuple[bytes, ...]] | None = None  # what a frame is on its way turned into
    until: Callable[[], bool] | None = None  # when to stop, if not when everybody has finished
    cheater: int | None = None  # the peer whose word about others counts for nothing
    cost: Callable[[Job], float] | None = None  # virtual seconds of a job, which then runs one after another per peer
    journals: list[list[Record]] = field(default_factory=list)  # what each peer has on its disk
    lives: list[int] = field(default_factory=list)  # how often each has started
    crashed: set[int] = field(default_factory=set)  # peers that never run again
    down: set[int] = field(default_factory=set)  # peers that do not run
    _apart: list[Incident] = field(default_factory=list)  # under way between peers
    _late: list[tuple[int, Input]] = field(default_factory=list)  # what waits for peers that stand still
    _queue: list[tuple[float, int, int, Input | Incident]] = field(default_factory=list)
    _count: int = 0
    _rngs: list[random.Random] = field(default_factory=list)
    _weather_rng: random.Random = field(default_factory=random.Random)
    _links: dict[bytes, int] = field(default_factory=dict)
    _linked: set[tuple[int, int]] = field(default_factory=set)
    _started: float = -1.0  # when the host last asked for the start
    _ticks: list[float] = field(default_factory=list)
    _busy: list[float] = field(default_factory=list)  # until when each peer's worker is
    _jobs: list[list[tuple[int, int, Job]]] = field(default_factory=list)  # that wait for it

    def run(self) -> None:
        """Plays until every peer has settled, or nothing more can come of it."""
        self._set_up()
        done = self.finished if self.until is None else self.until
        while self._queue and self.now < self.plan.patience and not done():
            self.now, _, peer, arrived = heapq.heappop(self._queue)
            if isinstance(arrived, Incident):
                self._happen(arrived, over=peer == OVER)
                continue
            if peer in self.down:
                self._late.append((peer, arrived))
                continue
            if isinstance(arrived, Tick):
                if self._ticks[peer] != self.now:
                    continue  # a later step asked for another time
                self._ticks[peer] = -1.0
            self._step(peer, arrived)

    def finished(self) -> bool:
        """Whether nobody that runs has anything left to do."""
        out = self.crashed | {self.cheater}
        running = [session for peer, session in enumerate(self.sessions) if peer not in out]
        return all(session.settled() or session.problem is not None for session in running)

    def _happen(self, incident: Incident, *, over: bool) -> None:
        """Begins or ends a fault; none begins before the game has begun everywhere."""
        if not over and any(session.table.game is None for session in self.sessions):
            self._put(self.now + 1.0, BEGUN, incident)
            return
        if not over:
            self._put(self.now + incident.seconds, OVER, incident)
        if incident.trouble in {Trouble.PARTITION, Trouble.ONEWAY}:
            (self._apart.remove if over else self._apart.append)(incident)
            for one in incident.peers:
                for other in set(range(self.plan.peers)) - incident.peers:
                    for here, there in ((one, other), (other, one)):
                        link = self.sessions[there].me.link
                        known = frozenset((one, other)) in {frozenset(pair) for pair in self._linked}
                        if known:
                            self._put(
                                self.now + (0.0 if over else NOTICE), here, Linked(link) if over else Unlinked(link)
                            )
            return
        (peer,) = incident.peers
        if over and peer not in self.crashed:
            self._go_on(peer, incident)
        elif not over:
            self.down.add(peer)
            self.crashed |= {peer} if incident.trouble is Trouble.CRASH else set()
            if incident.trouble is not Trouble.JUMP:
                self._tell_of(peer, Unlinked(self.sessions[peer].me.link))

    def _go_on(self, peer: int, incident: Incident) -> None:
        """Has a peer run again: with all that came meanwhile, or from its disk."""
        self.down.discard(peer)
        late, self._late = self._late, [each for each in self._late if each[0] != peer]
        self._ticks[peer] = -1.0
        if incident.trouble is Trouble.JUMP:
            for to, arrived in late:
                if to == peer:
                    self._put(self.now, peer, arrived)
            self._step(peer, Tick())
            return
        self._jobs[peer], self.lives[peer] = [], self.lives[peer] + 1
        old = self.sessions[peer]
        me = replace(old.me, boot=old.me.boot + 1)
        entropy = seeded(digest(32, b"life", str((self.plan.seed, peer, self.lives[peer])).encode()))
        try:
            self.sessions[peer], output = resume_table(self.journals[peer], me, entropy, self.now, self.plan.group)
        except ResumeError:
            self.crashed.add(peer)  # the game had not begun: it would ask for a seat again
            return
        self._carry(peer, output)
        self._tell_of(peer, Linked(me.link))
        for other in range(self.plan.peers):
            if (peer, other) in self._linked:
                self._put(self.now, peer, Linked(self.sessions[other].me.link))

    def _tell_of(self, peer: int, arrived: Input) -> None:
        for other in range(self.plan.peers):
            if other != peer and (other, peer) in self._linked:
                self._put(self.now, other, arrived)

    def _set_up(self) -> None:
        plan = self.plan
        self._weather_rng = random.Random(f"weather {plan.seed}")
        identities = []
        for peer in range(plan.peers):
            entropy = seeded(digest(32, b"peer", str(plan.seed).encode(), peer.to_bytes(2, "big")))
            identity = Identity(make_signing_key(entropy), f"Peer {peer + 1}", entropy(32))
            identities.append((identity, entropy))
            self._links[identity.link] = peer
            self._rngs.append(random.Random(f"bots {plan.seed} {peer}"))
        opener = plan.host
        me, entropy = identities[opener]
        bots = (plan.level,) * (plan.seats - plan.peers)
        setup = Setup(
            "Simulation", plan.seats, bots, plan.preset, plan.overrides, plan.hands, grace=plan.grace, admit="open"
        )
        host, output = host_table(setup, me, entropy, self.now, plan.group)
        self.sessions = [
            host if peer == opener else join_table(host.lobby_id, me.link, identity, entropy, plan.group)
            for peer, (identity, entropy) in enumerate(identities)
        ]
        self._ticks = [-1.0] * plan.peers
        self.journals, self.lives = [[] for _ in range(plan.peers)], [0] * plan.peers
        self._busy = [0.0] * plan.peers
        self._jobs = [[] for _ in range(plan.peers)]
        self._carry(opener, output)
        for peer in range(plan.peers):
            if peer != opener:
                self._link(opener, peer)
        for when, peer, order in plan.orders:
            self._put(when, peer, order)
        for incident in plan.incidents:
            self._put(incident.at, BEGUN, incident)
        if plan.peers == 1:
            self._put(0.0, 0, Start())

    def _put(self, time: float, peer: int, arrived: Input | Incident) -> None:
        self._count += 1
        heapq.heappush(self._queue, (time, self._count, peer, arrived))

    def _link(self, one: int, other: int) -> None:
        if (one, other) not in self._linked and frozenset((one, other)) not in self.plan.cut:
            self._linked |= {(one, other), (other, one)}
            for here, there in ((one, other), (other, one)):
                self._put(self.now, here, Linked(self.sessions[there].me.link))

    def _step(self, peer: int, arrived: Input) -> None:
        if self.tap is not None and isinstance(arrived, Received):
            self.tap(self._links[arrived.link], peer, arrived.frame)
        self._carry(peer, self.sessions[peer].step(arrived, self.now))

    def _carry(self, peer: int, output: Output) -> None:
        session = self.sessions[peer]
        self.journals[peer] = [*_without(self.journals[peer], output.forget), *output.journal]
        for send in output.frames:
            for link in send.to:
                self._send(peer, self._links[link], send.frame)
        self._do(peer, output.jobs)
        for event in output.events:
            self._react(peer, event)
        for contact in session.contacts() if output.events else ():  # whoever comes is told of
            if contact.admitted:
                self._link(peer, self._links[contact.link])
        room = session.table.lobby
        waiting = room is not None and room.proposal is None and session.table.game is None
        if (
            peer == self.plan.host
            and waiting
            and len(session.table.peers) == self.plan.peers > 1
            and self._started < self.now
        ):
            self._started = self.now + self.plan.think
            self._put(self._started, peer, Start())
        if self._ticks[peer] < 0 or output.wake_at < self._ticks[peer]:
            self._ticks[peer] = max(output.wake_at, self.now)
            self._put(self._ticks[peer], peer, Tick())

    def _send(self, peer: int, to: int, frame: bytes) -> None:
        if frozenset((peer, to)) in self.plan.cut or any(_parted(each, peer, to) for each in self._apart):
            return
        for sent in (frame,) if self.meddle is None else self.meddle(peer, to, frame):
            for delay in arrivals(self.plan.weather, self._weather_rng):
                self._put(self.now + delay, to, Received(self.sessions[peer].me.link, sent))

    def _do(self, peer: int, jobs: tuple[Job, ...]) -> None:
        """Takes jobs in hand; with a cost, one after another, the most urgent first."""
        if self.cost is None:
            for job in jobs:
                self._put(self.now, peer, JobDone(job.number, job.run()))
            return
        for job in jobs:
            heapq.heappush(self._jobs[peer], (job.urgency, job.number, job))
        if self._jobs[peer] and self._busy[peer] <= self.now:
            _, _, job = heapq.heappop(self._jobs[peer])
            self._busy[peer] = self.now + self.cost(job)
            self._put(self._busy[peer], peer, JobDone(job.number, job.run()))

    def _react(self, peer: int, event: Event) -> None:
        if self.watch is not None:
            self.watch(self.now, peer, event)
        if isinstance(event, Turn):
            level = event.bot or self.plan.level
            self._put(self.now + self.plan.think, peer, answer(event, level, self._rngs[peer]))
        elif isinstance(event, Slow):
            self._put(self.now, peer, GoOn())
        elif isinstance(event, Accused) and peer != self.cheater:
            self.blamed.append((peer, event))


def _without(records: list[Record], hands: tuple[int, ...]) -> list[Record]:
    """The journal without the secrets of these hands."""
    if not hands:
        return records
    return [replace(record, secret=None) if record.hand in hands else record for record in records]


def _parted(incident: Incident, sender: int, to: int) -> bool:
    """Whether a fault keeps a frame from arriving."""
    crosses = (sender in incident.peers) != (to in incident.peers)
    return crosses and (incident.trouble is Trouble.PARTITION or sender in incident.peers)


def flaws(world: World) -> list[str]:
    """What must never be, in sentences: different results, somebody honest blamed, or a peer that waits for ever although
    enough of its hand run. A world that was cut short in the middle of its faults says nothing."""
    running = [s for peer, s in enumerate(world.sessions) if peer not in world.crashed | {world.cheater}]
    digests = {result["digest"] for session in running if (result := session.result()) is not None}
    found = [f"{len(digests)} different results"] if len(digests) > 1 else []
    honest = {s.author.identity: s.me.name for peer, s in enumerate(world.sessions) if peer != world.cheater}
    found += [f"{honest[event.peer]} is blamed: {event.code.name}" for _, event in world.blamed if event.peer in honest]
    there = {session.author.identity for session in running}
    for session in running:
        deal = session.table.deal
        voters = there if deal is None else there & set(deal.voters)
        together = deal is None or len(voters) >= quorum(len(deal.voters))
        if session.result() is None and together and session.problem is None:
            found.append(f"{session.me.name} waits for {', '.join(session.scene().waiting_for) or 'nobody'}")
    return list(dict.fromkeys(found))


def report(world: World) -> dict[str, Any]:
    """What `simulate --json` prints."""
    running = [session for peer, session in enumerate(world.sessions) if peer not in world.crashed]
    results = [session.result() for session in running]
    first = next((result for result in results if result is not None), None)
    digests = {
        session.me.name.lower(): None if r is None else r["digest"] for session, r in zip(running, results, strict=True)
    }
    return {
        "seed": world.plan.seed,
        "peers": world.plan.peers,
        "seats": world.plan.seats,
        "hands_played": max(len(session.table.sheet) for session in world.sessions),
        "hands_annulled": max(len(session.table.annulled) for session in world.sessions),
        "points": [] if first is None else first["points"],
        "scores": {} if first is None else first["scores"],
        "digests": digests,
        "agreed": first is not None and len(set(digests.values())) == 1,
        "blamed": sorted({event.peer.hex() for _, event in world.blamed}),
        "removed": sorted({peer.hex() for session in running for peer in session.table.removals}),
        "virtual_s": round(world.now, 3),
    }
