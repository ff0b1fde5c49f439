"""A node: one Session with a clock, a worker, a journal and, unless it plays alone, links to other peers.

How it works. Commands, frames, news of links, finished jobs and ticks meet in one queue, and one task takes them out, steps
the session and carries out what comes back, in this order: the journal is written and synced, then frames leave, then
jobs are handed out, links adjusted, and the screen is told. Law: only that task touches the session."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from p2p_hearts.autopilot import LOOKING_AHEAD, answer
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.driver import Aside, GoOn, Invite, Update, Wish
from p2p_hearts.node.journal import JournalError
from p2p_hearts.node.thinking import Thinking
from p2p_hearts.node.worker import Worker
from p2p_hearts.protocol import inputs
from p2p_hearts.protocol.events import Event, JoinAsked, Slow, Turn
from p2p_hearts.protocol.hands import LOST_LEVEL
from p2p_hearts.protocol.inputs import Admit, Input, Linked, Received, Start, Tick, Unlinked
from p2p_hearts.protocol.output import Output, Record
from p2p_hearts.protocol.phases import turn_of
from p2p_hearts.protocol.scene import Scene, Stage
from p2p_hearts.protocol.session import Session

LEAVE_SECONDS = 0.3  # for the last frames to leave
THINK = 1.0  # seconds
ARRIVALS = 32  # in the queue at once; a flood of frames waits in the transport, so that a key press need not


class Links(Protocol):
    """What a node needs of the transport."""

    def dial(self, key: bytes, endpoints: Sequence[Endpoint]) -> None:
        """Keep a link to the program with this key."""

    def forget(self, key: bytes) -> None:
        """Give the link up."""

    def admit(self, keys: Sequence[bytes]) -> None:
        """From now on exactly these keys are no strangers."""

    def send(self, key: bytes, frame: bytes) -> bool:
        """Send a frame, or say that it cannot be sent now."""

    async def receive(self) -> Received | Linked | Unlinked:
        """The next frame or news of a link."""

    async def close(self) -> None:
        """Close every socket."""


class Book(Protocol):
    """What a node needs of the journal."""

    def append(self, records: Sequence[Record]) -> None:
        """Write the records and, if one is our own, wait until they are on the disk."""

    def forget(self, hands: Sequence[int]) -> None:
        """Overwrite the secrets of these hands."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """Who answers for which seats: bots for bot seats, and for the player's own if `autoplay` names a level. `pace` is the
    time in seconds a bot seems to think, so that people can follow; a bot that looks ahead thinks as long, or `THINK`."""

    autoplay: str | None = None
    pace: float = 0.0
    seed: int | None = None


@dataclass(slots=True)
class Node:
    """Drives one session; a `Driver` for a screen. Start it with `start`, in the event loop it shall live in."""

    session: Session
    links: Links | None
    book: Book | None
    pilot: Pilot
    start_at: int | None = None  # start the game by itself once so many seats are filled
    changed: Callable[["Node"], None] | None = None  # called after every step, to keep the advert true
    invite: Callable[[bool], str] | None = None  # opens or closes the invitation; what came of it, in a sentence
    aside: Callable[[Scene], Aside] | None = None  # what the program knows beside a scene
    updates: asyncio.Queue[Update] = field(default_factory=asyncio.Queue)
    done: asyncio.Event = field(default_factory=asyncio.Event)  # nobody needs us any more
    failure: str | None = None  # why the node cannot go on, in a sentence
    _inbox: asyncio.Queue[Input | Invite | str] = field(default_factory=asyncio.Queue)
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(ARRIVALS))
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _worker: Worker | None = None
    _thinking: Thinking | None = None
    _dialled: dict[bytes, tuple[Endpoint, ...]] = field(default_factory=dict)
    _admitted: frozenset[bytes] = frozenset()
    _starting: bool = False  # our own `Start` is in the queue
    _alarm: asyncio.TimerHandle | None = None
    _rng: random.Random = field(default_factory=random.Random)

    def start(self, first: Output) -> None:
        """Begins to drive, with the output of making the session."""
        loop = asyncio.get_running_loop()
        self._rng = random.Random(self.pilot.seed)  # noqa: S311 - the choices of bots are no secrets
        self._worker = Worker(self._inbox.put_nowait)
        self._thinking = Thinking(self._inbox.put_nowait, self.pilot.pace or THINK, self.pilot.pace)
        self._carry_out(first)
        self._tasks = [loop.create_task(self._drive())]
        if self.links is not None:
            self._tasks.append(loop.create_task(self._listen(self.links)))

    def submit(self, command: Wish) -> None:
        """Hands over what the person wants."""
        if not isinstance(command, GoOn):  # only a tutorial waits for that
            self._inbox.put_nowait(command)

    def hand(self, arrived: Input) -> None:
        """Hands something to the session that came neither from the person nor over a link."""
        self._inbox.put_nowait(arrived)

    def notice(self, sentence: str) -> None:
        """Has the person told something."""
        self._inbox.put_nowait(sentence)

    async def close(self) -> None:
        """Leaves nothing behind: what was written is sent if it can be, everything else is dropped."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self.links is not None:
            await asyncio.sleep(LEAVE_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._worker is not None:
            self._worker.close()
        if self._thinking is not None:
            self._thinking.close()
        if self.links is not None:
            await self.links.close()
        if self.book is not None:
            self.book.close()

    async def _drive(self) -> None:
        loop = asyncio.get_running_loop()
        while self.failure is None:
            arrived = await self._inbox.get()
            if isinstance(arrived, Received | Linked | Unlinked):
                self._room.release()
            elif isinstance(arrived, Start):
                self._starting = False
            if isinstance(arrived, Invite | str):
                self._tell(arrived if isinstance(arrived, str) else self._invited(arrived))
                continue
            try:
                self._carry_out(self.session.step(arrived, loop.time()))
            except JournalError as error:  # what is not on the disk may not be sent, and nothing may be signed after it
                self._fail(str(error))

    async def _listen(self, links: Links) -> None:
        while True:
            arrived = await links.receive()
            await self._room.acquire()
            self._inbox.put_nowait(arrived)

    def _fail(self, sentence: str) -> None:
        self.failure = sentence
        scene = replace(self.session.scene(), stage=Stage.STOPPED, problem=sentence)
        self.updates.put_nowait(Update((), scene))
        self.done.set()

    def _invited(self, wish: Invite) -> str:
        return self.invite(wish.open) if self.invite is not None else "Nobody can be invited to this table."

    def _tell(self, *notices: str, output: Output | None = None) -> None:
        """Sends the screen what happened, with the picture after it."""
        scene = self.session.scene()
        aside = None if self.aside is None else self.aside(scene)
        self.updates.put_nowait(Update(() if output is None else output.events, scene, notices, aside))

    def _carry_out(self, output: Output) -> None:
        if self.book is not None and output.journal:
            self.book.append(output.journal)
        if self.links is not None:
            for send in output.frames:
                for link in send.to:
                    self.links.send(link, send.frame)
            self._keep_links(self.links)
        if self.book is not None and output.forget:
            self.book.forget(output.forget)
        if self._worker is not None:
            for job in output.jobs:
                self._worker.hand(job)
        for event in output.events:
            if isinstance(event, Turn):
                self._answer(event)
            elif self.pilot.autoplay is not None:
                self._agree(event)
        self._start_when_full()
        self._set_alarm(output.wake_at)
        if output.events:
            self._tell(output=output)
        if self.session.settled():
            self.done.set()
        if self.changed is not None:
            self.changed(self)

    def _keep_links(self, links: Links) -> None:
        """Dials whoever is new among the contacts, and lets go whoever is gone."""
        contacts = self.session.contacts()
        if self.session.host_link and not contacts:
            return  # still at the door: the link to the host was dialled by who made us
        wanted = {
            contact.link: tuple(Endpoint(host, contact.port) for host in contact.addresses)
            for contact in contacts
            if contact.admitted
        }
        # Who waits for the host's word is not dialled, but is no stranger either: its connection must outlast the wait.
        admitted = frozenset(contact.link for contact in contacts)
        if admitted != self._admitted:
            self._admitted = admitted
            links.admit(tuple(admitted))
        if wanted == self._dialled:
            return
        for link in self._dialled.keys() - wanted.keys():
            links.forget(link)
        for link, endpoints in wanted.items():
            if self._dialled.get(link) != endpoints:
                links.dial(link, endpoints)
        self._dialled = wanted

    def _answer(self, turn: Turn) -> None:
        """Has a bot answer for a seat that no person plays here."""
        level = turn.bot or self.pilot.autoplay
        if level is None:
            self._wind_clock(turn)
            return
        if level in LOOKING_AHEAD and self._thinking is not None:
            self._thinking.ask(turn, level, self._rng.getrandbits(64))
            return
        command = answer(turn, level, self._rng)
        asyncio.get_running_loop().call_later(self.pilot.pace, self._inbox.put_nowait, command)

    def _agree(self, event: Event) -> None:
        """Has the program vote yes where the people at a running game are asked, and no person is here."""
        if isinstance(event, Slow):
            self.submit(inputs.GoOn())
        elif isinstance(event, JoinAsked) and self.session.table.game is not None:
            self.submit(Admit(event.peer))

    def _wind_clock(self, turn: Turn) -> None:
        """At a table with a clock, has a bot act for the person once it has run out."""
        game, deal = self.session.table.game, self.session.table.deal
        if game is None or deal is None or not game.clock:
            return
        asked = (deal.number, turn_of(deal))

        def run_out() -> None:
            now = self.session.table.deal
            if now is not None and (now.number, turn_of(now)) == asked and not self.session.acted(turn.seat):
                self.notice("Your time is up: this program has played for you.")
                self.submit(answer(turn, LOST_LEVEL, self._rng))

        asyncio.get_running_loop().call_later(game.clock, run_out)

    def _start_when_full(self) -> None:
        room = self.session.table.lobby
        waiting = room is not None and room.proposal is None and self.session.table.game is None
        if self.start_at is None or self._starting or not waiting or room is None or room.host != self.session.author:
            return
        if len(room.peers) + len(room.bots) >= self.start_at and all(
            peer.identity == self.session.author.identity or peer.link in self.session.post.gossip.linked
            for peer in room.peers
        ):
            self._starting = True
            self.submit(Start())

    def _set_alarm(self, when: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_at(when, self._inbox.put_nowait, Tick())
