"""A table driven by hand: real Sessions in the tiny group, whose frames arrive at once and whose clock moves when told.

Law: nothing happens but what a test asks for and what the Sessions do about it; programs are named by labels, so that one
person can have two of them, and two people one name."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from p2p_hearts.autopilot import answer
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.events import Accused, Event, Turn
from p2p_hearts.protocol.inputs import Command, Input, Invited, JobDone, Linked, Received, Start, Tick, Unlinked
from p2p_hearts.protocol.messages import Body
from p2p_hearts.protocol.output import Identity, Output, Record, Setup
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.resume import resume_table
from p2p_hearts.protocol.session import Session, host_table, join_table
from p2p_hearts.simulation.tiny_group import TINY

NAMES = ("Ann", "Bob", "Cem", "Dia", "Eli", "Fay", "Gus", "Hal", "Ina", "Jan", "Kim")
STEP = 0.25  # seconds; so finely time passes


@dataclass(slots=True)
class Hall:
    """The Sessions by label, and all that each has told its driver. `level` is the bot that answers for everybody."""

    group: Group = TINY
    level: str | None = None
    now: float = 1_000.0
    sessions: dict[str, Session] = field(default_factory=dict)
    heard: dict[str, list[Event]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)  # programs that were killed
    frames: list[tuple[str, str, bytes]] = field(default_factory=list)  # that arrived: from, to, bytes
    story: dict[str, list[tuple[tuple[bytes, ...], tuple[Record, ...]]]] = field(
        default_factory=dict
    )  # what left, step by step
    disk: dict[str, list[Record]] = field(default_factory=dict)  # what each program has in its journal
    meddle: Callable[[str, str, bytes], tuple[bytes, ...]] | None = None
    _queue: deque[tuple[str, Input]] = field(default_factory=deque)
    _labels: dict[bytes, str] = field(default_factory=dict)
    _linked: set[frozenset[str]] = field(default_factory=set)
    _rng: Random = field(default_factory=lambda: Random(7))

    def open(self, label: str, setup: Setup) -> Session:
        """A program that opens a table."""
        session, output = host_table(setup, who(label), seeded(label.encode()), self.now, self.group)
        self._enter(label, session)
        self._carry(label, output)
        self.calm()
        return session

    def ask(
        self,
        label: str,
        *,
        host: str = "Ann",
        name: str | None = None,
        key: str | None = None,
        watching: bool = False,
    ) -> Session:
        """A program that asks for a seat, or to look on, called `name`, with the key of the program `key`."""
        at = self.sessions[host]
        me = who(label, name=name, key=key)
        session = join_table(at.lobby_id, at.me.link, me, seeded(label.encode()), self.group, watching=watching)
        self._enter(label, session)
        self._link(label, host)
        self.calm()
        return session

    def do(self, label: str, command: Command | Invited) -> list[Event]:
        """What a program tells its driver when its player wants something, until all is calm."""
        before = len(self.heard[label])
        self._step(label, command)
        self.calm()
        return self.heard[label][before:]

    def give(self, label: str, frame: bytes, *, by: str) -> list[Event]:
        """What a program says to a frame that comes from another one, at once."""
        before = len(self.heard[label])
        self._step(label, Received(self.sessions[by].me.link, frame))
        return self.heard[label][before:]

    def calm(self, until: Callable[[], bool] = lambda: False) -> None:
        """Delivers frames, and does jobs, until none is left or something has come true."""
        while self._queue and not until():
            self._step(*self._queue.popleft())

    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            for label in self.sessions:
                self._step(label, Tick())
            self.calm()

    def wake(self, level: str) -> None:
        """From now on this bot answers for everybody, also what was asked while nobody did."""
        self.level = level
        for label, told in self.heard.items():
            asked = [event for event in told if isinstance(event, Turn)]
            self._queue += [(label, answer(turn, level, self._rng)) for turn in asked]
        self.calm()

    def kill(self, label: str) -> None:
        """Ends a program without a word."""
        self.gone.add(label)

    def crash(self, label: str, *, unsent: bool = False) -> None:
        """The same; with `unsent` it has sent nothing of what was under way."""
        self.kill(label)
        link = self.sessions[label].me.link
        mine = [each for each in self._queue if unsent and isinstance(each[1], Received) and each[1].link == link]
        self._queue = deque(each for each in self._queue if each[0] != label and each not in mine)
        for other in self._near(label):
            self._queue.append((other, Unlinked(link)))
        self.calm()

    def restart(self, label: str, records: list[Record] | None = None) -> Session:
        """A program that goes on with what is on its disk, or with these records."""
        me = self.sessions[label].me
        me = replace(me, boot=me.boot + 1)
        self.gone.discard(label)
        lives = seeded(f"{label} {me.boot}".encode())
        records = self.disk[label] if records is None else records
        session, output = resume_table(records, me, lives, self.now, self.group)
        self.sessions[label] = session
        self._carry(label, output)
        for other in self._near(label):
            if other not in self.gone:
                other_link = self.sessions[other].me.link
                self._queue += [(other, Linked(me.link)), (label, Linked(other_link))]
        return session

    def _near(self, label: str) -> list[str]:
        return sorted(other for pair in self._linked if label in pair for other in pair - {label})

    def key(self, label: str) -> bytes:
        """The identity of a program."""
        return self.sessions[label].author.identity

    def blamed(self) -> dict[str, list[Accused]]:
        """The accusations that each program has told of."""
        return {who: [event for event in told if isinstance(event, Accused)] for who, told in self.heard.items()}

    def _enter(self, label: str, session: Session) -> None:
        self.sessions[label] = session
        self.heard[label], self.story[label], self.disk[label] = [], [], []
        self._labels[session.me.link] = label

    def _link(self, one: str, other: str) -> None:
        if frozenset((one, other)) not in self._linked:
            self._linked.add(frozenset((one, other)))
            self._queue += [(one, Linked(self.sessions[other].me.link)), (other, Linked(self.sessions[one].me.link))]

    def _step(self, label: str, arrived: Input) -> None:
        if label in self.gone:
            return
        if isinstance(arrived, Received):
            self.frames.append((self._labels[arrived.link], label, arrived.frame))
        self._carry(label, self.sessions[label].step(arrived, self.now))

    def _carry(self, label: str, output: Output) -> None:
        session = self.sessions[label]
        self.story[label].append((tuple(send.frame for send in output.frames), output.journal))
        kept = (replace(r, secret=None) if r.hand in output.forget else r for r in self.disk[label])
        self.disk[label] = [*kept, *output.journal]
        for send in output.frames:
            for link in send.to:
                to = self._labels[link]
                for frame in (send.frame,) if self.meddle is None else self.meddle(label, to, send.frame):
                    self._queue.append((to, Received(session.me.link, frame)))
        self._queue += [(label, JobDone(job.number, job.run())) for job in output.jobs]
        for event in output.events:
            self.heard[label].append(event)
            if isinstance(event, Turn) and self.level is not None:
                self._queue.append((label, answer(event, self.level, self._rng)))
        for contact in session.contacts():
            self._link(label, self._labels[contact.link])


def who(label: str, *, name: str | None = None, key: str | None = None) -> Identity:
    """The person at a program: its name is the label and its key of its own, unless said otherwise."""
    return Identity(
        make_signing_key(seeded(b"key " + (key or label).encode())), name or label, seeded(label.encode())(32)
    )


def seated(
    peers: int,
    *,
    bots: int = 0,
    hands: int = 1,
    group: Group = TINY,
    overrides: tuple[tuple[str, object], ...] = (),
    **terms: Any,
) -> Hall:
    """A hall in which so many people sit at one open table, with so many bots, before the start; `terms` are any others of its
    setup."""
    hall = Hall(group)
    bot_levels = ("uniform",) * bots
    setup = Setup("Table", max(6, peers + bots), bot_levels, overrides=overrides, hands=hands, admit="open", **terms)
    hall.open("Ann", setup)
    for label in NAMES[1:peers]:
        hall.ask(label)
    return hall


def play(hall: Hall, until: Callable[[], bool] = lambda: False) -> Hall:
    """The same hall after the start, played by bots to the end, or until something has come true."""
    hall.level = "uniform"
    hall._step("Ann", Start())
    hall.calm(until)
    if not until():
        hall.wait(3)
    return hall


def own_of(session: Session, number: int = 1) -> Own:
    """What a program keeps to itself of its own part in a hand."""
    return session.hands.own[number, session.author.identity]


def bodies_sent(hall: Hall, label: str) -> list[Body]:
    """What a program has written into its log."""
    session = hall.sessions[label]
    return [entry.body for entry in session.logs.log(session.author).entries]
