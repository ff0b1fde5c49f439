"""Checking a finished game again, from its file alone: every signature, chain, phase, proof and score.

How it works. The entries are taken one by one into logs of our own and applied by the very functions by which a peer at
the table applies them; the proofs that a peer checks in a job are checked at once. Laws: whatever the bytes, only an
`AuditError` leaves; nothing is taken from the header, it is only compared with what follows from the entries; an entry
that would have had to wait is out of its order (`protocol/export.md`)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.hearts.options import Options
from p2p_hearts.protocol.codec import unpack
from p2p_hearts.protocol.envelope import SIGNATURE_BYTES, Entry, Tag, open_entry, peek
from p2p_hearts.protocol.errors import Fault, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.export import GameFile, decode_game, header_of
from p2p_hearts.protocol.fields import parse
from p2p_hearts.protocol.ledger import passed
from p2p_hearts.protocol.log import Arrival, Logs
from p2p_hearts.protocol.messages import Accept, Choice, DialogueBody, HandBody, Kind
from p2p_hearts.protocol.result import signed_result
from p2p_hearts.protocol.stages import lobby
from p2p_hearts.protocol.stages.blame import failure
from p2p_hearts.protocol.stages.transition import CHECKED, apply, checks, verified
from p2p_hearts.protocol.state import NO_MARK, PROTOCOL, Game, Scored, Table, version_of

PROVED = frozenset({Kind.OPEN_KEYS, Kind.PLAY, Kind.KITTY})  # one proof each, checked when the entry is applied
IN_A_FILE = {
    Fault.WRONG_HEADS: "builds on other entries than those in the file",
    Fault.WRONG_RESULT: "signed another result than the one that follows from the entries",
}  # where the words that a player reads speak of our own entries


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of a file: where it stands, from 1, and what it says or claims about itself."""

    place: int
    author: str  # a name, or the first digits of a key that is not on the roster
    number: int | None  # in its author's log
    kind: str


class AuditError(Exception):
    """The file does not hold; the message is a sentence. `entry` is the first bad one, or None when it is the file as a
    whole; `foreign` says that the file is nothing that could be checked here."""

    def __init__(self, reason: str, entry: Place | None = None, *, foreign: bool = False) -> None:
        super().__init__(reason if entry is None else f"{_called(entry)}: {reason}")
        self.reason, self.entry, self.foreign = reason, entry, foreign


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of a kind was checked; `signatures` are those of entries, of requests to join, and of results."""

    entries: int
    signatures: int
    shuffles: int  # of the deck, and of hands after the pass
    proofs: int  # all, those of the shuffles included
    plays: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What a file that holds says. `signed` of `peers` have signed the last result; the rest is as in `--result`."""

    table: bytes
    title: str
    words: tuple[str, ...]
    names: tuple[str, ...]  # by seat
    options: Options
    hands: tuple[Scored, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    peers: int
    signed: int
    counts: Counts
    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry and what it did to the table."""

    entry: Entry
    before: Table
    after: Table


def audit(data: bytes, group: Group = RISTRETTO255) -> Audit:
    """What the file of a finished game says, once everything in it has been checked.

    Raises AuditError naming the first bad entry and why.
    """
    reader = _Reader(data, group)
    for _ in reader.steps(prove=True):
        pass
    return reader.outcome()


def walk(data: bytes, group: Group = RISTRETTO255) -> Iterator[Step]:
    """The game entry by entry, for somebody to watch: all is checked but the proofs that take long.

    Raises AuditError as soon as something does not hold.
    """
    return _Reader(data, group).steps(prove=False)


@dataclass(slots=True)
class _Reader:
    """An audit under way."""

    data: bytes
    group: Group
    table: Table = field(default_factory=Table)
    logs: Logs = field(default_factory=Logs)
    counted: Counter[str] = field(default_factory=Counter)
    limits: dict[tuple[int, int, bytes], int] = field(default_factory=dict)  # of those lost, as the file claims
    lost: dict[tuple[int, int, bytes], int] = field(default_factory=dict)  # the same as was decided
    given_up: frozenset[tuple[int, int]] = frozenset()  # hands and attempts of which there are later attempts

    def steps(self, *, prove: bool) -> Iterator[Step]:
        """Takes in entry after entry; at the end the whole has been checked."""
        file = self._file()
        version = version_of(self.group.name)
        self.given_up, self.limits = _given_up(file.frames), _limits(file.frames)
        for place, frame in enumerate(file.frames, 1):
            before = self.table
            try:
                entry = _opened(frame, version)
                self._chain(entry)
                self._apply(version, entry, prove=prove)
            except MalformedError as error:
                raise AuditError(f"{error}.", self._claimed(place, frame)) from error
            except RemoteProtocolError as error:
                raise AuditError(self._blame(error), self._claimed(place, frame)) from error
            except _OutOfOrderError as error:
                raise AuditError(str(error), self._claimed(place, frame)) from error
            yield Step(entry, before, self.table)
        self._whole(file, version)

    def outcome(self) -> Audit:
        """What the entries, all taken in, say."""
        table, game = self.table, self._game()
        result, deal = signed_result(table), table.deal
        assert result is not None
        assert deal is not None
        return Audit(
            table=game.table,
            title=game.title,
            words=game.words,
            names=tuple(seat.name for seat in game.seats),
            options=game.options,
            hands=table.sheet,
            scores=table.scores,
            winners=table.winners,
            peers=len(game.peers),
            signed=len(deal.decision.signatures),
            counts=Counts(
                entries=self.counted["entries"],
                signatures=self.counted["signatures"],
                shuffles=self.counted["shuffles"],
                proofs=self.counted["proofs"],
                plays=self.counted["plays"],
            ),
            result=result,
        )

    def _file(self) -> GameFile:
        try:
            file = decode_game(self.data)
        except MalformedError as error:
            raise AuditError(f"This file cannot be checked: {error}.", foreign=True) from error
        ours = version_of(self.group.name)
        if file.flaw is None and file.header is not None and file.header.protocol != ours:
            raise AuditError(_foreign(file.header.protocol, self.group.name), foreign=True)
        return file

    def _chain(self, entry: Entry) -> None:
        """Takes an entry into its log."""
        arrival, _ = self.logs.add(entry)
        number = self.logs.length(entry.author)
        match arrival:
            case Arrival.EARLY:
                raise _OutOfOrderError(f"the entry before it in the same log, number {number}, is not in the file.")
            case Arrival.KNOWN:
                raise _OutOfOrderError("it is in the file twice.")
            case Arrival.FORK:
                raise RemoteProtocolError(entry.author.identity, Fault.FORK, "the chain of its entries is broken")
            case Arrival.SURPLUS:
                raise RemoteProtocolError(entry.author.identity, Fault.OUT_OF_PHASE, "more entries than a log may hold")
            case Arrival.NEW:
                self.counted["entries"] += 1
                self.counted["signatures"] += 1 + (entry.kind in {Kind.OPEN, Kind.ADMIT, Kind.ACCEPT})

    def _apply(self, version: str, entry: Entry, *, prove: bool) -> None:
        before = self.table
        if before.lobby is not None and not lobby.is_seated(before, entry.author):
            if not lobby.heard_of(before, entry.author):
                raise _OutOfOrderError("its author has no seat at this table.")
            return  # it has left: no effect
        if self.limits.keys() - before.limits.keys():
            before = replace(before, limits={**self.limits, **before.limits})
        try:
            after = apply(self.group, version, before, entry)
        except RemoteProtocolError as error:
            if error.peer == entry.author.identity and self._came_to_something(entry):
                raise
            after = passed(before, entry)  # it shows what another did, or belongs to a deal that was given up
        if after is None and self._came_to_something(entry):
            raise _OutOfOrderError("it comes before entries that it builds on, or these are not in the file.")
        self.table = after or passed(before, entry)
        self._note_lost(before)
        self.counted["plays"] += entry.kind is Kind.PLAY
        self.counted["proofs"] += entry.kind in PROVED
        if entry.kind in CHECKED and self.table.deals is not before.deals:
            self._check(version, before, entry, prove=prove)

    def _note_lost(self, before: Table) -> None:
        """Notes whose entries count up to where, as was decided."""
        deal, known = self.table.deal, before.deal
        if deal is not None and known is not None and deal.delegates is not known.delegates:
            for lost in deal.delegates.keys() - known.delegates.keys():
                place = (deal.number, deal.attempt, lost)
                self.lost[place] = self.table.limits.get(place, -1)

    def _came_to_something(self, entry: Entry) -> bool:
        """Whether an entry can be held to what it builds on: not in the dialogue of a deal that was opened again or annulled,
        where who has cheated may have left something else with everybody."""
        body = entry.body
        return not isinstance(body, DialogueBody) or (body.hand, body.attempt) not in self.given_up

    def _check(self, version: str, before: Table, entry: Entry, *, prove: bool) -> None:
        """Checks the proofs that a peer at the table checks in a job."""
        assert isinstance(entry.body, HandBody)
        todo = checks(self.group, before, self.table, entry)
        if prove:
            wrong = failure(todo)
            if wrong is not None:
                if not self._came_to_something(entry):
                    return
                raise RemoteProtocolError(entry.author.identity, CHECKED[entry.kind], wrong)
        self.counted["proofs"] += len(todo)
        self.counted["shuffles"] += len(todo) if entry.kind in {Kind.MIX, Kind.REMIX} else 0
        self.table = verified(self.group, version, self.table, entry)

    def _whole(self, file: GameFile, version: str) -> None:
        """What can only be said once all entries are known."""
        if file.flaw is not None:
            count = len(file.frames)
            last = f" The last whole entry is number {count}." if count else ""
            raise AuditError(f"The file is damaged: {file.flaw}.{last}")
        if any(self.lost.get(place, last) != last for place, last in self.limits.items()):
            raise AuditError("Entries of somebody who was left out count otherwise than was decided.")
        if not self.table.over:
            raise AuditError("The game in this file has not come to its end: no result is signed by a majority.")
        if file.header != header_of(version, self._game(), len(file.frames)):
            raise AuditError("The header of the file names a roster or options that do not follow from its entries.")

    def _game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def _blame(self, error: RemoteProtocolError) -> str:
        detail = f" ({error.detail})" if error.detail else ""
        return f"{self._name(error.peer)} {IN_A_FILE.get(error.code, error.code.value)}{detail}."

    def _name(self, identity: bytes) -> str:
        peer = self.table.peer(identity)
        return f"the key {identity.hex()[:8]}" if peer is None else peer.name

    def _claimed(self, place: int, frame: bytes) -> Place:
        """What an entry says about itself, true or not."""
        claim = peek(frame)
        if claim is None:
            return Place(place, "nobody", None, "unreadable")
        author, number = claim
        kind = unpack(frame[1:-SIGNATURE_BYTES])[6]
        known = isinstance(kind, int) and kind in set(Kind)
        return Place(place, self._name(author.identity), number, Kind(kind).name if known else "unknown")


class _OutOfOrderError(Exception):
    """An entry stands where it cannot stand; the message says why."""


def _opened(frame: bytes, version: str) -> Entry:
    if not frame.startswith(bytes((Tag.ENTRY,))):
        raise MalformedError("it is no entry")
    return open_entry(frame, version)


def _given_up(frames: tuple[bytes, ...]) -> frozenset[tuple[int, int]]:
    """Hands and attempts of which there are later attempts; what the entries claim is looked at in its turn."""
    found: set[tuple[int, int]] = set()
    for frame in frames:
        try:
            hand, attempt = unpack(frame[1:-SIGNATURE_BYTES])[7][:2]
        except (MalformedError, IndexError, TypeError, ValueError):
            continue
        if isinstance(hand, int) and isinstance(attempt, int):
            found.add((hand, attempt))
    last = dict(sorted(found))
    return frozenset((hand, attempt) for hand, attempt in found if attempt < last[hand])


def _limits(frames: tuple[bytes, ...]) -> dict[tuple[int, int, bytes], int]:
    """The last entries that count of those who were left out with cards dealt, by the choices that most have accepted; whether
    they were, the entries tell in their turn. Who went through a hand again has void entries before what voids them."""
    chosen: dict[tuple[int, int, int, bytes], Choice] = {}
    votes: Counter[tuple[int, int, int, bytes]] = Counter()
    for frame in frames:
        try:
            fields = unpack(frame[1:-SIGNATURE_BYTES])
            author, kind, body = fields[2], fields[6], fields[7]
            if kind == Kind.CHOICE:
                choice: Choice = parse(Choice, body)
                chosen[choice.hand, choice.decision, choice.ballot, author] = choice
            elif kind == Kind.ACCEPT:
                vote: Accept = parse(Accept, body)
                votes[vote.hand, vote.decision, vote.ballot, vote.proposer] += 1
        except (MalformedError, IndexError, TypeError):
            continue
    best: dict[tuple[int, int], Choice] = {}
    for place in sorted(chosen, key=lambda each: votes[each]):
        best[place[0], place[1]] = chosen[place]
    return {
        (choice.hand, choice.attempt, head.author): -1 if head.mark == NO_MARK else head.seq
        for choice in best.values()
        for head in (choice.value.horizons if choice.value.dealt else ())
    }


def _called(entry: Place) -> str:
    if entry.number is None:
        return f"Entry {entry.place} of the file"
    return f"Entry {entry.place} of the file, {entry.kind}, number {entry.number} in the log of {entry.author}"


def _foreign(protocol: str, group: str) -> str:
    """Why a game of another version cannot be checked here."""
    if protocol.startswith(f"{PROTOCOL}/"):
        other = protocol.removeprefix(f"{PROTOCOL}/")
        return (
            f"This game was played in the group “{other}”, not in “{group}”: it comes from a simulation, whose small "
            "group keeps no secret and proves nothing."
        )
    return f"This game speaks “{protocol}”, this program “{version_of(group)}”."
