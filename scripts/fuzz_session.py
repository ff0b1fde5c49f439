"""Bytes into a running Session: what `fuzz.py session` does with its input.

A short game of two or three peers in the small group is played once; at several points of it one peer's Session is put
aside. An input chooses such a point and gives that Session a list of things to take in: frames as they are, entries and
messages signed here in the name of another peer, time, links, finished jobs, commands. Laws that are checked: `step`
raises nothing, nor does anything that a driver calls after it; and nobody is accused in whose name nothing was signed."""

import copy
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.crypto.signature import SigningKey, make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol import inputs
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.envelope import LABELS, Author, Tag
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.events import Accused
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.output import Output
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World

RAW, ENTRY, MESSAGE, TIME, LINK, JOBS, COMMAND = range(7)
HEAD = struct.Struct(">BBH")  # what, who, how many bytes follow
FIX_TABLE, FIX_PLACE = 16, 32  # bits of the first byte: the entry gets the right table, and the right seq and prev
SIGNATURE = 64
STRANGER = make_signing_key(seeded(b"stranger"))
MOST = 40  # things in one input
SEED_LENGTH = 6  # frames of a seed


@dataclass
class Point:
    """A Session put aside, the frames that it got next, and the time at which they came."""

    name: str
    session: Session
    now: float
    following: list[tuple[int, bytes]] = field(default_factory=list)  # sender, frame


def session_target() -> "tuple[Callable[[bytes], int], list[bytes]]":
    """The function that takes an input and returns the number of steps it made, and the seeds."""
    world, points = record()
    peers = [session.me.key for session in world.sessions]
    links = [session.me.link for session in world.sessions]
    authors = [session.author for session in world.sessions]

    def run(data: bytes) -> int:
        if not data:
            return 0
        point = points[data[0] % len(points)]
        once = _Run(fork(point.session), point.now, peers, links, authors)
        once.signers.add(point.session.me.key.public)  # it went on differently in the game from which the frames are
        return once.all(data[1:])

    seeds = [bytes((at,)) + seed for at, point in enumerate(points) for seed in _seeds(point, authors)]
    return run, seeds


def fork(session: Session) -> Session:
    """A copy of a Session; what is frozen in it is shared."""
    memo: dict[int, Any] = {}
    frozen: list[Any] = [session.me, session.author, session.setup, session.group, session.table, session.post.me]
    frozen += [session.post.author, session.entropy, *session.logs.by_author, *session.logs.accepted]
    for author, log in session.logs.by_author.items():
        frozen += [author, log.author, *log.entries, *log.early.values()]
    for known in session.post.gossip.neighbours.values():
        frozen += [*known.have, *known.have.values()]
    frozen += [session.ledger._mark, *session.hands.own.values(), *session._tasks.values(), *session.ledger._applied]  # noqa: SLF001 - nothing else sees them
    for value in frozen:
        memo[id(value)] = value
    other: Session = copy.deepcopy(session, memo)
    other.entropy = seeded(b"fuzz")
    return other


@dataclass
class _Run:
    """One input under way."""

    session: Session
    now: float
    peers: list[SigningKey]
    links: list[bytes]
    authors: list[Author]
    steps: int = 0
    signers: "set[bytes]" = field(default_factory=set)
    jobs: list[inputs.Job] = field(default_factory=list)

    def all(self, data: bytes) -> int:
        at = 0
        for _ in range(MOST):
            if at + HEAD.size > len(data):
                break
            what, who, size = HEAD.unpack_from(data, at)
            at += HEAD.size
            self._take(what, who, data[at : at + size])
            at += size
        self.session.scene()
        self.session.result()
        return self.steps

    def _take(self, what: int, who: int, content: bytes) -> None:
        who %= len(self.peers)
        link = self.links[who]
        kind = what % 16 % (COMMAND + 1)
        if kind == RAW:
            self._step(inputs.Received(link, content))
        elif kind == ENTRY:
            self._step(inputs.Received(link, self._entry(who, content, what)))
        elif kind == MESSAGE:
            self._step(inputs.Received(link, self._message(who, content)))
        elif kind == TIME:
            self.now += min(int.from_bytes(content[:2], "big"), 30_000) / 1000
            self._step(inputs.Tick())
        elif kind == LINK:
            self._step(inputs.Unlinked(link) if what & FIX_TABLE else inputs.Linked(link))
        elif kind == JOBS:
            jobs, self.jobs = self.jobs, []
            for job in jobs:
                self._step(inputs.JobDone(job.number, job.run()))
        else:
            command = _command(content, self.authors[who].identity)
            if command is not None:
                self._step(command)

    def _step(self, arrived: inputs.Input) -> None:
        self.steps += 1
        output: Output = self.session.step(arrived, self.now)
        self.jobs += output.jobs
        self.session.contacts()
        for event in output.events:
            if isinstance(event, Accused) and event.peer not in self.signers:
                raise AssertionError(f"accused without having signed: {event.code} {event.detail}")
        if output.events:
            self.session.scene()

    def _entry(self, who: int, content: bytes, what: int) -> bytes:
        """An entry signed by a peer; `content` is what is signed, but for what is put right."""
        try:
            fields = list(unpack(content))
        except (MalformedError, TypeError):
            fields = []
        if len(fields) == 8:  # noqa: PLR2004 - see `envelope`
            author, log = self.authors[who], self.session.logs.by_author.get(self.authors[who])
            fields[0], fields[2], fields[3] = self.session.version, author.identity, author.incarnation
            if what & FIX_TABLE:
                game = self.session.table.game
                hand = isinstance(fields[6], int) and fields[6] >= Kind.COMMIT_KEYS
                fields[1] = game.table if game is not None and hand else self.session.lobby_id
            if what & FIX_PLACE and log is not None:
                fields[4], fields[5] = len(log.entries), log.head
            content = pack(tuple(fields))
        self.signers.add(self.peers[who].public)
        return bytes((Tag.ENTRY,)) + content + sign(self.peers[who], LABELS[Tag.ENTRY], content)

    def _message(self, who: int, content: bytes) -> bytes:
        """A message outside the logs, signed by a peer or, a request to join, by a stranger."""
        tag, signed = content[:1], content[1:]
        label = LABELS.get(tag[0]) if tag else None  # type: ignore[call-overload]  # a Tag is a number
        key = STRANGER if tag == bytes((Tag.JOIN,)) and who == 0 else self.peers[who]
        try:
            fields = list(unpack(signed))
        except (MalformedError, TypeError):
            fields = []
        place = 2
        if len(fields) > place and fields[place] != key.public:
            fields[place] = key.public
            signed = pack(tuple(fields))
        return tag + signed + sign(key, label or b"", signed)


def _command(content: bytes, peer: bytes) -> "inputs.Command | inputs.Invited | None":
    """What a player asks for; cards and seats are such as a screen can name."""
    which, numbers = content[:1], content[1:]
    seat = numbers[0] % 11 if numbers else 0
    cards = tuple(number % 52 for number in numbers[1:6])
    commands: list[inputs.Command | inputs.Invited] = [
        inputs.Play(seat, cards[0] if cards else 0),
        inputs.Pass(seat, cards),
        inputs.ChooseMoon(seat, "add" if seat % 2 else "subtract"),
        inputs.Say(numbers.decode("utf-8", "replace")),
        inputs.Admit(peer, yes=bool(seat % 2)),
        inputs.AddBot("uniform"),
        inputs.RemoveBot(),
        inputs.ChangeRules("as_written", (("limit", seat * 20),)),
        inputs.Start(),
        inputs.Leave(),
        inputs.Mark(("here", "away", "wait", "gone")[seat % 4]),
        inputs.GoOn(),
        inputs.Invited(peer),
    ]
    return commands[which[0] % len(commands)] if which else None


def _seeds(point: Point, authors: list[Author]) -> "list[bytes]":
    """What came next at a point: as it was, and taken apart so that it can be signed anew."""
    seeds = []
    by_identity = {author.identity: at for at, author in enumerate(authors)}
    frames = point.following[: 4 * SEED_LENGTH]
    for start in range(0, len(frames), SEED_LENGTH):
        window = frames[start : start + SEED_LENGTH]
        raw = b"".join(_thing(RAW, sender, frame) for sender, frame in window)
        anew = b""
        for sender, frame in window:
            signed = frame[1:-SIGNATURE]
            if frame[0] == Tag.ENTRY:
                who = by_identity[unpack(signed)[2]]
                anew += _thing(ENTRY | FIX_TABLE | FIX_PLACE, who, signed) + _thing(JOBS, 0, b"")
            elif frame[0] in LABELS:
                anew += _thing(MESSAGE, sender, frame[:1] + signed)
        seeds += [raw, anew]
    extra = (_thing(TIME, 0, b"\x2f\xff"), _thing(LINK | FIX_TABLE, 1, b""), _thing(LINK, 1, b""))
    commands = b"".join(_thing(COMMAND, 1, bytes((which, 3, 1, 2, 3))) for which in range(10))
    return [*seeds, b"".join(extra), commands]


def _thing(what: int, who: int, content: bytes) -> bytes:
    return HEAD.pack(what, who, len(content)) + content


def record() -> "tuple[World, list[Point]]":
    """A game of two hands of three peers, of whom one stands still for a while, and the points at which a Session was put aside."""
    asleep = Incident(20.0, 15.0, Trouble.JUMP, frozenset({2}))
    world = World(replace(Plan(3, 7, 2, 9, TINY), think=0.5, grace=5, incidents=(asleep,)))
    points: dict[str, Point] = {}

    def tap(sender: int, to: int, frame: bytes) -> None:
        for name, (peer, reached) in _POINTS.items():
            session = world.sessions[peer]
            if name not in points and peer == to and reached(session):
                points[name] = Point(name, fork(session), world.now)
        for point in points.values():
            if point.session.author == world.sessions[to].author:
                point.following.append((sender, frame))

    world.tap = tap
    world.run()
    return world, [points[name] for name in _POINTS]


def _deal_has(session: Session, kind: Kind, count: int) -> bool:
    deal = session.table.deal
    return deal is not None and len(deal.done(kind)) >= count


def _moved(session: Session) -> bool:
    """Whether something has been moved in the decision of the current hand."""
    return session.table.deal is not None and bool(session.table.deal.decision.motions)


def _tricks(session: Session) -> int:
    """How many tricks are complete; -1 before the play."""
    deal = session.table.deal
    return -1 if deal is None or deal.hand is None else len(deal.hand.tricks)


_POINTS: dict[str, tuple[int, Callable[[Session], bool]]] = {
    "door": (1, lambda session: session.table.lobby is None),
    "host": (0, lambda session: session.table.lobby is not None),
    "lobby": (1, lambda session: len(session.table.peers) >= 2),  # noqa: PLR2004
    "start": (1, lambda session: session.table.lobby is not None and session.table.lobby.proposal is not None),
    "opening": (1, lambda session: _deal_has(session, Kind.COMMIT_KEYS, 2)),
    "mixing": (1, lambda session: _deal_has(session, Kind.MIX, 1)),
    "agreeing": (1, lambda session: _deal_has(session, Kind.AGREEMENT, 1)),
    "dealing": (1, lambda session: _deal_has(session, Kind.DEAL, 1)),
    "passing": (1, lambda session: _deal_has(session, Kind.COMMIT_PASS, 1)),
    "open": (1, lambda session: _deal_has(session, Kind.OPEN_PASS, 1)),
    "playing": (1, lambda session: _tricks(session) >= 0),
    "kitty": (1, lambda session: _tricks(session) >= 1),
    "deciding": (1, _moved),
    "delegated": (1, lambda session: session.table.deal is not None and bool(session.table.deal.delegates)),
    "back": (1, lambda session: bool(session.table.returning)),
    "last tricks": (1, lambda session: _tricks(session) >= 12),  # noqa: PLR2004
    "closing": (1, lambda session: session.table.deal is not None and session.table.deal.score is not None),
}
