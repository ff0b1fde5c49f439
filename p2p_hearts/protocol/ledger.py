"""From the logs to the table: every entry applied once it can be, by the one function that applies everybody's.

Laws: the table follows from the logs, nothing else changes it; a log stops where its author broke the rules. Where a
decision, or a proof that does not hold, makes entries void that have been applied here already, the hand is gone through
again from where it began, without them: what we show is then what all agree on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from p2p_hearts.crypto.group import Group
from p2p_hearts.protocol.envelope import Author, Entry
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.log import MARK_BYTES, Logs
from p2p_hearts.protocol.messages import DialogueBody, Head, Kind
from p2p_hearts.protocol.stages import lobby
from p2p_hearts.protocol.stages.blame import Check
from p2p_hearts.protocol.stages.transition import CHECKED, apply, checks, verified
from p2p_hearts.protocol.state import NO_MARK, Table, put

MUTUAL = frozenset({Fault.WRONG_HEADS, Fault.WRONG_RESULT})  # nobody's fault until both hold the same entries


@dataclass(frozen=True, slots=True)
class Step:
    """One entry applied: the table before it, and the proofs left to check; or the fault for which it was not."""

    entry: Entry
    before: Table
    todo: tuple[Check, ...] = ()
    fault: RemoteProtocolError | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where the current hand, or its last opening, began."""

    table: Table
    applied: dict[Author, int]
    accepted: int


@dataclass(slots=True)
class Ledger:
    """The logs of a table and what they have come to. Mutable; only the Session uses it."""

    group: Group
    version: str
    logs: Logs = field(default_factory=Logs)
    table: Table = field(default_factory=Table)
    suspects: dict[Author, RemoteProtocolError] = field(default_factory=dict)
    _applied: dict[Author, int] = field(default_factory=dict)
    _ends: dict[Author, int] = field(default_factory=dict)  # where a log broke the rules
    _void: dict[tuple[int, int, bytes], int] = field(
        default_factory=dict
    )  # by hand and peer, for what its proof did not hold
    _proved: set[bytes] = field(default_factory=set)
    _checking: set[bytes] = field(default_factory=set)
    _mark: _Mark | None = None
    spoilt: tuple[int, int] | None = (
        None  # hand and attempt in which what cannot count is passed over, for the votes behind
    )

    def applied(self, author: Author) -> int:
        """How many entries of an author have been applied."""
        return self._applied.get(author, 0)

    def holds(self, head: Head) -> bool:
        """Whether just this entry, and so all before it in its log, has been applied here."""
        author = Author(head.author, head.incarnation)
        if head.mark == NO_MARK:
            return True
        return head.seq < self.applied(author) and self.logs.log(author).mark(head.seq) == head.mark

    def run(self, may: Callable[[Table, Entry], bool]) -> Iterator[Step]:
        """Applies entries of all authors, each log in its order, as far as they do not wait for others, and `may` says so."""
        moved = True
        while moved:
            moved = False
            for author, log in tuple(self.logs.by_author.items()):
                if len(log.entries) == self._applied.get(author):
                    continue  # most of the time: all of them are asked after every entry
                while (step := self._next(author, may)) is not None:
                    moved = True
                    yield step

    def check_done(self, entry: Entry, fault: str | None) -> RemoteProtocolError | None:
        """Takes in what came of checking the proofs of an entry; the fault of its author, if one does not hold: then a hand
        whose cards were dealt is to be gone through again without it."""
        self._checking.discard(entry.hash)
        if entry.seq >= self._ends.get(entry.author, entry.seq + 1):
            return None
        if fault is None:
            self._proved.add(entry.hash)
            if entry.seq < self.applied(entry.author):
                self.table = verified(self.group, self.version, self.table, entry)
            return None
        self.stop(entry.author, entry.seq)
        if entry.kind >= Kind.DEAL:  # before that, the hand is opened again
            body = entry.body
            assert isinstance(body, DialogueBody)
            self._void[body.hand, body.attempt, entry.author.identity] = entry.seq - 1
        return RemoteProtocolError(entry.author.identity, CHECKED[entry.kind], fault)

    def stop(self, author: Author, seq: int) -> None:
        """Takes nothing more from a log from this entry on."""
        self._ends[author] = min(seq, self._ends.get(author, seq))

    def rewind(self) -> None:
        """Goes back to where the current hand began; `run` then goes through it again."""
        assert self._mark is not None
        limits = {**self._mark.table.limits, **self.table.limits}
        for place, seq in self._void.items():
            limits[place] = min(seq, limits.get(place, seq))
        self.table = replace(self._mark.table, limits=MappingProxyType(limits), overrun=False)
        self._applied = dict(self._mark.applied)
        del self.logs.accepted[self._mark.accepted :]

    def _next(self, author: Author, may: Callable[[Table, Entry], bool]) -> Step | None:
        log, place, before = self.logs.log(author), self.applied(author), self.table
        if place >= min(len(log.entries), self._ends.get(author, place + 1)):
            return None
        entry = log.entries[place]
        try:
            after = self._after(entry, may)
        except RemoteProtocolError as fault:
            if fault.code not in MUTUAL or not self._is_spoilt(entry):
                return self._faulty(entry, fault)
            after = None
        if after is None and self._is_spoilt(entry):
            after = passed(self.table, entry)
        if after is None:
            return None
        self.suspects.pop(author, None)
        self.table = after
        self._count(entry)
        self._set_mark(before)
        return Step(entry, before, self._to_check(entry, before) if entry.kind in CHECKED else ())

    def _to_check(self, entry: Entry, before: Table) -> tuple[Check, ...]:
        """The proofs of an entry just applied that nobody has begun to check yet."""
        hand: int = getattr(entry.body, "hand")  # noqa: B009 - every checked body has one
        if self.table.deals.get(hand) is before.deals.get(hand):
            return ()  # it has had no effect
        todo = checks(self.group, before, self.table, entry)
        if entry.hash in self._proved or not todo:
            self.table = verified(self.group, self.version, self.table, entry)
            return ()
        fresh = entry.hash not in self._checking
        self._checking.add(entry.hash)
        return todo if fresh else ()

    def trust(self, entry: Entry) -> None:
        """Takes an entry of ours for proved."""
        self._proved.add(entry.hash)

    def _after(self, entry: Entry, may: Callable[[Table, Entry], bool]) -> Table | None:
        table = self.table
        if table.lobby is not None and not lobby.is_seated(table, entry.author):
            # off the roster, or of an earlier stay at the table: no effect; not yet on the roster: it waits
            return table if table.game is not None or lobby.heard_of(table, entry.author) else None
        return apply(self.group, self.version, table, entry) if may(table, entry) else None

    def _is_spoilt(self, entry: Entry) -> bool:
        """Whether an entry is of a hand in which a member has shown two versions of itself: who has built on either cannot
        follow the others, and all that is left is to vote on dealing again."""
        body, deal = entry.body, self.table.deal
        if not isinstance(body, DialogueBody) or deal is None or deal.ended:
            return False
        here = (deal.number, deal.attempt)
        return self.spoilt == here and (body.hand, body.attempt) in {here, (deal.number + 1, self.table.era)}

    def _faulty(self, entry: Entry, fault: RemoteProtocolError) -> Step | None:
        if fault.peer != entry.author.identity:  # it shows what another did, and stands itself
            before, self.table = self.table, passed(self.table, entry)
            self._count(entry)
            return Step(entry, before, fault=fault)
        if fault.code in MUTUAL:  # it builds on other entries than ours
            self.suspects[entry.author] = fault
            return None
        self.stop(entry.author, entry.seq)
        return Step(entry, self.table, fault=fault)

    def _count(self, entry: Entry) -> None:
        self._applied[entry.author] = entry.seq + 1
        self.logs.accepted.append(entry)

    def _set_mark(self, before: Table) -> None:
        old, new = before.deal, self.table.deal
        if new is not None and (old is None or (old.number, old.attempt) != (new.number, new.attempt)):
            self._mark = _Mark(self.table, dict(self._applied), len(self.logs.accepted))


def passed(table: Table, entry: Entry) -> Table:
    """The table after an entry that stands in its log and has no effect."""
    who = entry.author
    head = Head(who.identity, who.incarnation, entry.seq, entry.hash[:MARK_BYTES])
    return replace(table, heads=put(table.heads, who, head))
