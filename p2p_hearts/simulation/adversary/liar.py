"""The cheating peer: an honest Session, behind which something else is said.

Law: the Session keeps to the rules and is never told that it lies; whatever it sends goes through here, and what others
tell it about its own log is kept from it, since it is not the log it has written."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2p_hearts.crypto.group import Group
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.envelope import Entry, Tag, open_signed, peek
from p2p_hearts.protocol.fields import parse, plain
from p2p_hearts.protocol.messages import Heartbeat, Kind, Want
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.state import Deal
from p2p_hearts.simulation.adversary.forger import Change, Forger, Link, Words

Lie: TypeAlias = Callable[["Liar", Any], Words | None]  # instead of a body: itself if there is no occasion, None: later


@dataclass(frozen=True, slots=True)
class Ways:
    """How a cheat differs from its program. `second` is the log that is shown to every other peer instead of the first;
    `keep` says which entries are not shown to which peer; `beat`, `outside` and `more` are about what is in no log."""

    change: Change | None = None
    second: Change | None = None
    keep: Callable[[int, Link], bool] | None = None
    beat: Callable[[Heartbeat], Heartbeat] | None = None
    outside: Callable[[bytes], bytes] | None = None  # another frame for a join or a chat
    more: Callable[[int], tuple[bytes, ...]] | None = None  # frames for a peer besides, with every heartbeat


@dataclass(slots=True)
class Liar:
    """What the cheat knows: its own Session with all its secrets, and the others, of whom it uses only what it could know:
    what they have said, or what a partner among them would tell. `lied` says whether it has found an occasion."""

    index: int
    session: Session
    others: dict[int, Session]
    lied: bool = False
    ways: Ways = field(default_factory=Ways)
    faces: list[Forger] = field(default_factory=list)
    shown: dict[int, int] = field(default_factory=dict)  # how much of the chain each peer has been sent

    def begin(self, ways: Ways) -> None:
        """Begins to cheat."""
        self.ways = ways
        for change in (ways.change or _honest, ways.second or _honest):
            self.faces.append(Forger(self.session.me.key, self.session.version, self.session.author, change))

    def meddle(self, sender: int, to: int, frame: bytes) -> tuple[bytes, ...]:
        """What a frame on its way is turned into."""
        if sender == self.index:
            return self._leave(to, frame)
        return self._reach(sender, frame) if to == self.index else (frame,)

    @property
    def me(self) -> bytes:
        """The identity of the cheater."""
        return self.session.author.identity

    @property
    def group(self) -> Group:
        """The group that the table plays in."""
        return self.session.group

    @property
    def entries(self) -> list[Entry]:
        """What its program has written."""
        return self.session.logs.log(self.session.author).entries

    def deal(self, number: int) -> Deal:
        """A hand as the program sees it."""
        return self.session.table.deals[number]

    def said(self, other: bytes, kind: Kind, hand: int) -> Any:
        """What another has said of a kind in a hand, whether or not it counts at the cheater's; None if it has not."""
        logs = (log for author, log in self.session.logs.by_author.items() if author.identity == other)
        bodies = (each.body for log in logs for each in log.entries if each.kind is kind)
        return next((body for body in bodies if getattr(body, "hand", 0) == hand), None)

    def own(self, number: int, session: Session | None = None) -> Own:
        """The secrets of a hand: the cheater's, or those of a partner."""
        hands = (session or self.session).hands  # whoever alters a program can read its secrets
        return hands.own[number, hands.me]

    def _leave(self, to: int, frame: bytes) -> tuple[bytes, ...]:
        face = self._face(to)
        for each in self.faces:
            each.follow(self.entries)
        fresh = range(self.shown.get(to, 0), len(face.chain))
        self.shown[to] = len(face.chain)
        tag, claimed = frame[0], peek(frame) if frame[0] == Tag.ENTRY else None
        if claimed is not None and claimed[0] == self.session.author:
            places = [*(place for place in face.span(claimed[1]) if place < fresh.start), *fresh]
            return self._frames(to, face, places)
        sent: tuple[bytes, ...] = (frame,)
        if tag == Tag.HEARTBEAT:
            beat = open_signed(frame, check=False)
            if isinstance(beat, Heartbeat) and beat.author == self.me:
                beat = face.beat(beat)
                more = () if self.ways.more is None else self.ways.more(to)
                sent = (face.sealed(beat if self.ways.beat is None else self.ways.beat(beat)), *more)
        elif tag != Tag.ENTRY and self.ways.outside is not None:
            sent = (self.ways.outside(frame),)
        return (*self._frames(to, face, fresh), *sent)

    def _frames(self, to: int, face: Forger, places: range | list[int]) -> tuple[bytes, ...]:
        links = [face.chain[place] for place in places]
        kept = self.ways.keep
        return tuple(link.frame for link in links if not link.hidden and (kept is None or not kept(to, link)))

    def _reach(self, sender: int, frame: bytes) -> tuple[bytes, ...]:
        claimed = peek(frame) if frame[0] == Tag.ENTRY else None
        if claimed is not None and claimed[0] == self.session.author:
            return ()
        if frame[0] == Tag.WANT:
            want = parse(Want, unpack(frame[1:]))
            face = self._face(sender)
            frame = bytes((Tag.WANT,)) + pack(plain(Want(tuple(map(face.wanted, want.gaps)))))
        return (frame,)

    def _face(self, to: int) -> Forger:
        return self.faces[1 if self.ways.second is not None and self.among(to) else 0]

    def among(self, to: int) -> bool:
        """Whether a peer is one of *some*: every other one, of whom the first is not one."""
        return sorted(self.others).index(to) % 2 == 1


def _honest(entry: Entry) -> Words:
    return (entry.body,)


def instead(kind: Kind, lie: Lie, *, hand: int | None = None, last: bool = False) -> Callable[[Liar], Ways]:
    """Lies once, in the place of the first entry of a kind (and hand) for which there is an occasion; with `last` it then
    writes no more, so that nothing which follows from the lie can be blamed first."""
    return lambda liar: Ways(change=telling(liar, kind, lie, hand, last=last))


def to_some(kind: Kind, lie: Lie) -> Callable[[Liar], Ways]:
    """The same, but the first log is the honest one; the lie is in that which is shown to some, and is its last word."""
    return lambda liar: Ways(second=telling(liar, kind, lie, last=True))


def telling(liar: Liar, kind: Kind, lie: Lie, hand: int | None = None, *, last: bool = False) -> Change:
    """The change that lies once about a kind."""

    def change(entry: Entry) -> Words | None:
        if liar.lied and last:
            return None
        if liar.lied or entry.kind is not kind or hand not in {None, getattr(entry.body, "hand", None)}:
            return (entry.body,)
        words = lie(liar, entry.body)
        liar.lied = words is not None and words != (entry.body,)
        return words

    return change
