"""A log other than the one its program writes: every entry may be left out, changed, put off, or followed by more.

It stands between a Session and the network, so that a cheat needs no program of its own: what the others see is rightly
signed and rightly numbered, unless the lie is about just that. Where nothing is changed the entries are the same bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from p2p_hearts.crypto.signature import SigningKey, sign
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import LABELS, NO_ENTRY, Author, Entry, Tag, entry_hash, seal_signed
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.log import MARK_BYTES
from p2p_hearts.protocol.messages import KINDS, Body, Gap, Head, Heartbeat, Kind


@dataclass(frozen=True, slots=True)
class Odd:
    """An entry that no program writes; what is None is as it would be. `hidden` is never shown to anybody."""

    body: Body
    kind: int | None = None
    fields: tuple[Any, ...] | None = None
    table: bytes | None = None
    prev: bytes | None = None
    seq: int | None = None
    hidden: bool = False


Words: TypeAlias = tuple[Body | Odd, ...]  # what is signed in the place of one entry
Change: TypeAlias = Callable[[Entry], Words | None]  # None: nothing yet, ask again


@dataclass(frozen=True, slots=True)
class Link:
    """One entry of the chain that is shown."""

    kind: Kind
    frame: bytes
    hash: bytes
    hidden: bool


@dataclass(slots=True)
class Forger:
    """`chain` is what has been signed instead; `ends` says for every entry of the program how long the chain is after it."""

    key: SigningKey
    version: str
    author: Author
    change: Change
    chain: list[Link] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def follow(self, own: Sequence[Entry]) -> None:
        """Signs on, as far as the program has written and the lie allows."""
        for entry in own[len(self.ends) :]:
            words = self.change(entry)
            if words is None:
                return
            for word in words:
                self._sign(entry, word if isinstance(word, Odd) else Odd(word))
            self.ends.append(len(self.chain))

    def span(self, seq: int) -> range:
        """Where in the chain stands what was signed in the place of entry `seq` of the program."""
        if seq >= len(self.ends):
            return range(0)
        return range(self.ends[seq - 1] if seq else 0, self.ends[seq])

    def wanted(self, gap: Gap) -> Gap:
        """What others ask of the chain, in the numbers of the program."""
        if gap.author != self.author.identity:
            return gap
        first = next((own for own, end in enumerate(self.ends) if end > gap.seq), len(self.ends))
        return replace(gap, seq=first)

    def beat(self, beat: Heartbeat) -> Heartbeat:
        """The heartbeat of the program as its author has to give it: of its own log it names the chain."""
        heads = (head if head.author != self.author.identity else self._head(head) for head in beat.have)
        return replace(beat, have=tuple(head for head in heads if head is not None))

    def sealed(self, beat: Heartbeat) -> bytes:
        """The frame of a heartbeat."""
        return seal_signed(self.key, beat)

    def _head(self, head: Head) -> Head | None:
        if not self.chain:
            return None
        return replace(head, seq=len(self.chain) - 1, mark=self.chain[-1].hash[:MARK_BYTES])

    def _sign(self, entry: Entry, odd: Odd) -> None:
        kind = KINDS[type(odd.body)]
        prev = self.chain[-1].hash if self.chain else NO_ENTRY
        signed = pack(
            (
                self.version,
                entry.table if odd.table is None else odd.table,
                self.author.identity,
                self.author.incarnation,
                len(self.chain) if odd.seq is None else odd.seq,
                prev if odd.prev is None else odd.prev,
                int(kind) if odd.kind is None else odd.kind,
                plain(odd.body) if odd.fields is None else odd.fields,
            )
        )
        frame = bytes((Tag.ENTRY,)) + signed + sign(self.key, LABELS[Tag.ENTRY], signed)
        self.chain.append(Link(kind, frame, entry_hash(signed), odd.hidden))
