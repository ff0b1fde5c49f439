"""A peer that sends something else than its program writes: every entry may be changed, and its chain is signed anew.

It stands between a Session and the network, so that a cheat needs no program of its own: what the others see is rightly
signed, rightly numbered, and false."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.protocol.envelope import Entry, Tag, open_entry, open_signed, seal, seal_signed
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.log import MARK_BYTES
from p2p_hearts.protocol.messages import Body, Head, Heartbeat
from p2p_hearts.protocol.scene import Stage
from tests.protocol.hall import NAMES, Hall

PATIENCE = 120  # seconds until the honest must have finished
CHEAT = "Cem"
HONEST = tuple(label for label in NAMES[:6] if label != CHEAT)


@dataclass(slots=True)
class Forger:
    """`change` says what is signed in the place of an entry's body; `chain` is what has been signed instead, by number."""

    key: SigningKey
    version: str
    change: Callable[[Entry], Body]
    chain: dict[int, Entry] = field(default_factory=dict)

    def __call__(self, frame: bytes) -> bytes:
        """The frame that leaves in the place of one of ours; others' frames pass."""
        if frame[0] == Tag.ENTRY:
            return self._entry(frame)
        return self._heartbeat(frame) if frame[0] == Tag.HEARTBEAT else frame

    def _entry(self, frame: bytes) -> bytes:
        entry = open_entry(frame, self.version)
        if entry.author.identity != self.key.public:
            return frame
        if entry.seq not in self.chain:
            before = self.chain.get(entry.seq - 1)  # none: what was sent before the forger came stands as it was
            prev = entry.prev if before is None else before.hash
            body = self.change(entry)
            self.chain[entry.seq] = seal(self.key, self.version, entry.table, entry.author, entry.seq, prev, body)
        return self.chain[entry.seq].frame

    def _heartbeat(self, frame: bytes) -> bytes:
        beat = open_signed(frame)
        assert isinstance(beat, Heartbeat)
        if beat.author != self.key.public:
            return frame
        return seal_signed(self.key, replace(beat, have=tuple(map(self._head, beat.have))))

    def _head(self, head: Head) -> Head:
        if head.author != self.key.public or head.seq not in self.chain:
            return head
        return replace(head, mark=self.chain[head.seq].hash[:MARK_BYTES])


def assert_named(hall: Hall, *codes: Fault, cheat: str = CHEAT) -> None:
    """Every honest peer accuses the cheat of one of these faults, once, and nobody else."""
    for label in set(NAMES[:6]) - {cheat}:
        accused = [(event.peer, event.code) for event in hall.blamed()[label]]
        assert [peer for peer, _ in accused] == [hall.key(cheat)], (label, hall.blamed()[label])
        assert accused[0][1] in codes, (label, hall.blamed()[label])


def assert_goes_on(hall: Hall, *, cheat: str = CHEAT, charged: bool | None = False) -> None:
    """The honest play on without the cheat, to one result that all of them have signed; it is left out of the hand that it
    spoiled, opened again without it, or, if `charged`, pays for it and the hand is dealt again (None: it may pay)."""
    honest = [hall.sessions[label] for label in NAMES[:6] if label != cheat]
    hall.wake("uniform")
    for _ in range(PATIENCE):
        if all(session.settled() for session in honest):
            break
        hall.wait(1)
    for session in honest:
        deal, result = session.table.deal, session.result()
        assert session.problem is None
        assert session.scene().stage is Stage.OVER
        assert deal is not None
        assert hall.key(cheat) not in deal.present
        assert result is not None
        assert result["digest"] == (honest[0].result() or {})["digest"]
        paid = [seat for each in session.table.annulled for seat in each.charged]
        seats = () if session.table.game is None else session.table.game.seats
        mine = [i for i, seat in enumerate(seats) if seat.operator == hall.key(cheat)]
        assert paid in ([mine, []] if charged is None else [mine if charged else []])
