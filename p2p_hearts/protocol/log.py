"""The logs: one signed, append-only chain of entries per author.

Laws: entry n+1 names the hash of entry n; the chain of an author never changes once held; what comes too early waits in
a bounded place. Two entries of one author with one number whose signed bytes differ are a *fork*: proof that the author
equivocated (`protocol/log.md`)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from p2p_hearts.protocol.envelope import NO_ENTRY, Author, Entry
from p2p_hearts.protocol.messages import Head

MAX_AUTHORS = 64  # logs at one table; a host cannot have a newcomer read logs without end, and all fit a have vector
MAX_EARLY = 256  # entries of one author held before their predecessor came; a peer cannot make us hold more
MAX_EARLY_BYTES = 2**20  # of these entries: few large ones are as bad as many
MAX_LOBBY = 2_048  # entries of hand 0 in one log: 255 proposals with all that belongs to them, and many changes of mind
MAX_HAND = 1_024  # entries of any other hand: who operates every seat plays 104 cards; the rest are votes
MAX_HAND_BYTES = (
    2**21
)  # of one log for one hand, hand 0 too: a peer that operates every seat writes a quarter of a megabyte
MAX_FORKS = 64  # pairs kept as evidence; one is enough
MARK_BYTES = 16


class Arrival(Enum):
    """What became of an entry that arrived."""

    NEW = "new"
    KNOWN = "known"
    EARLY = "early"
    FORK = "fork"
    SURPLUS = "surplus"


@dataclass(slots=True)
class Log:
    """The chain of one author as far as we hold it, and what came too early. Only `Logs` changes it."""

    author: Author
    entries: list[Entry] = field(default_factory=list)
    early: dict[int, Entry] = field(default_factory=dict)
    written: Counter[int] = field(default_factory=Counter)  # entries of each hand
    weight: Counter[int] = field(default_factory=Counter)  # their bytes

    @property
    def head(self) -> bytes:
        """Hash of the last entry, or `NO_ENTRY`."""
        return self.entries[-1].hash if self.entries else NO_ENTRY

    def mark(self, seq: int) -> bytes:
        """Half of the hash of entry `seq`, which must be held."""
        return self.entries[seq].hash[:MARK_BYTES]


@dataclass(slots=True)
class Logs:
    """All logs of a table; the one mutable part of the record layer."""

    by_author: dict[Author, Log] = field(default_factory=dict)
    forks: list[tuple[Entry, Entry]] = field(default_factory=list)  # evidence, kept
    accepted: list[Entry] = field(default_factory=list)  # in the order in which the Session found all they build on

    def log(self, author: Author) -> Log:
        """The log of an author, empty if nothing of it is held."""
        if author not in self.by_author:
            self.by_author[author] = Log(author)
        return self.by_author[author]

    def length(self, author: Author) -> int:
        """How many entries of an author are held without a gap."""
        log = self.by_author.get(author)
        return 0 if log is None else len(log.entries)

    def bytes_from(self, author: Author, seq: int) -> int:
        """How many bytes of an author are held from entry `seq` on, without a gap."""
        log = self.by_author.get(author)
        return 0 if log is None else sum(len(entry.frame) for entry in log.entries[seq:])

    def add(self, entry: Entry) -> tuple[Arrival, tuple[Entry, ...]]:
        """Takes in an opened entry; returns what became of it and the entries that are now contiguous, in order."""
        log = self.log(entry.author)
        held = log.entries[entry.seq] if entry.seq < len(log.entries) else log.early.get(entry.seq)
        if held is not None:
            if held.hash == entry.hash:
                return Arrival.KNOWN, ()
            self._keep(held, entry)
            return Arrival.FORK, ()
        if entry.seq > len(log.entries):
            held_bytes = sum(len(other.frame) for other in log.early.values())
            if len(log.early) < MAX_EARLY and held_bytes + len(entry.frame) <= MAX_EARLY_BYTES:
                log.early[entry.seq] = entry
            return Arrival.EARLY, ()
        grown: list[Entry] = []
        following: Entry | None = entry
        while following is not None:
            if following.prev != log.head:
                # Both carry the author's signature, so whichever is false, the author made a chain that does not hold.
                self._keep(log.entries[-1] if log.entries else following, following)
                return Arrival.FORK, tuple(grown)
            hand = getattr(following.body, "hand", 0)
            size = len(following.frame)
            if log.written[hand] >= (MAX_HAND if hand else MAX_LOBBY) or log.weight[hand] + size > MAX_HAND_BYTES:
                self._keep(following, following)
                return Arrival.SURPLUS, tuple(grown)
            log.written[hand] += 1
            log.weight[hand] += size
            log.entries.append(following)
            grown.append(following)
            following = log.early.pop(len(log.entries), None)
        return Arrival.NEW, tuple(grown)

    def _keep(self, first: Entry, second: Entry) -> None:
        self.forks = [*self.forks[-MAX_FORKS + 1 :], (first, second)]

    def have(self) -> tuple[Head, ...]:
        """The have vector: every log that is not empty, by author."""
        return tuple(
            Head(log.author.identity, log.author.incarnation, len(log.entries) - 1, log.entries[-1].hash[:MARK_BYTES])
            for log in sorted(self.by_author.values(), key=lambda log: (log.author.identity, log.author.incarnation))
            if log.entries
        )

    def has(self, author: Author, head: Head) -> bool:
        """Whether the entry that a have vector names is one of ours."""
        log = self.log(author)
        return head.seq < len(log.entries) and log.mark(head.seq) == head.mark

    def since(self, author: Author, seq: int) -> Iterator[Entry]:
        """The entries of an author from `seq` on."""
        log = self.by_author.get(author)
        yield from () if log is None else log.entries[seq:]
