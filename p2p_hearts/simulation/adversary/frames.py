"""Cheats beside the logs: frames in others' names, from other tables, of wrong forms, of any number. None does any harm."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from p2p_hearts.crypto.signature import sign
from p2p_hearts.protocol.codec import MAX_FRAME, pack
from p2p_hearts.protocol.envelope import LABELS, NO_ENTRY, Author, Tag, seal, seal_signed
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.messages import Chat, Gap, Head, Heartbeat, Kind, LeaveTable, Refusal, Want
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.adversary.cheat import Nothing, acting
from p2p_hearts.simulation.adversary.liar import Liar, Ways

HASH = bytes(range(32))
LAST = 2**32 - 1
FAR = 10_000  # entries beyond the end of any log here
MANY = 50
MORE = 8  # times


def _sending(liar: Liar, frames: Callable[[int], Iterator[bytes]]) -> Ways:
    """Frames besides, with every heartbeat."""

    def more(to: int) -> tuple[bytes, ...]:
        sent = tuple(frames(to)) if liar.entries else ()
        liar.lied = liar.lied or bool(sent)
        return sent

    return Ways(more=more)


def _victim(liar: Liar, to: int) -> Session:
    """Another than the one it is talking to."""
    return next(session for index, session in liar.others.items() if index != to)


def forged_author(liar: Liar) -> Ways:
    """It signs entries in the name of another: that it leaves."""

    def frames(to: int) -> Iterator[bytes]:
        other = _victim(liar, to).author
        log, mine = liar.session.logs.log(other), liar.session
        if log.entries:
            table = log.entries[-1].table
            yield seal(mine.me.key, mine.version, table, other, len(log.entries), log.head, LeaveTable()).frame

    return _sending(liar, frames)


def forged_heartbeat(liar: Liar) -> Ways:
    """It signs heartbeats in the name of another, with the greatest of all counts, and with nothing held."""

    def frames(to: int) -> Iterator[bytes]:
        other, mine = _victim(liar, to).author, liar.session
        where = (mine.version, mine.lobby_id, other.identity, other.incarnation)
        yield seal_signed(mine.me.key, Heartbeat(*where, LAST, LAST, (), (), 0))

    return _sending(liar, frames)


def replay_from_another_table(liar: Liar) -> Ways:
    """It shows what another has rightly signed at another table: there it has left."""

    def frames(to: int) -> Iterator[bytes]:
        other = _victim(liar, to)
        there = Author(other.author.identity, b"elsewher")
        key, version = other.me.key, liar.session.version
        yield seal(key, version, HASH, there, 0, NO_ENTRY, LeaveTable()).frame
        yield seal_signed(key, Heartbeat(version, HASH, there.identity, there.incarnation, LAST, LAST, (), (), 0))
        yield seal_signed(key, Chat(version, HASH, there.identity, there.incarnation, LAST, "I am somewhere else"))

    return _sending(liar, frames)


def repeat_everything(liar: Liar) -> Ways:
    """It sends all that anybody has written again and again."""

    def frames(_to: int) -> Iterator[bytes]:
        for author, log in liar.session.logs.by_author.items():
            if author != liar.session.author:
                yield from (entry.frame for entry in log.entries)

    return _sending(liar, frames)


def garbage(liar: Liar) -> Ways:
    """It sends bytes that are no frames, under every tag there is and some there are not."""

    def frames(_to: int) -> Iterator[bytes]:
        yield b""
        for tag in (*range(8), 255):
            yield from (bytes((tag,)) + rest for rest in (b"", bytes(80), HASH * 5, b"\xc1" * 100, b"\xdf" * 100))

    return _sending(liar, frames)


def oversize(liar: Liar) -> Ways:
    """It sends frames that are longer than a frame may be."""
    return _sending(liar, lambda _to: (bytes((tag,)) * (MAX_FRAME + 1) for tag in Tag))


def another_form(liar: Liar) -> Ways:
    """It signs entries that are not in the one form of their values, or of another version, or under another label."""

    def frames(_to: int) -> Iterator[bytes]:
        mine, last = liar.session, liar.entries[-1]
        who, where = mine.author, last.table
        for version, seq, label in ((mine.version, FAR, b"chat"), ("p2p-hearts/2/none", FAR, b"entry")):
            rest = (where, who.identity, who.incarnation, seq, last.hash, int(Kind.LEAVE), ())
            signed = pack((version, *rest))
            yield bytes((Tag.ENTRY,)) + signed + sign(mine.me.key, label, signed)
        wide = signed.replace(pack(FAR), b"\xce" + FAR.to_bytes(4, "big"))
        yield bytes((Tag.ENTRY,)) + wide + sign(mine.me.key, LABELS[Tag.ENTRY], wide)

    return _sending(liar, frames)


def future_entries(liar: Liar) -> Ways:
    """It signs entries far beyond the end of its log, more and more of them, to be kept for it."""
    made: dict[int, bytes] = {}

    def frames(to: int) -> Iterator[bytes]:
        mine = liar.session
        made[to] = made.get(to, b"") + b"."
        first = FAR + MANY * len(made[to])
        for seq in range(first, first + MANY if len(made[to]) <= MORE else first):
            yield seal(mine.me.key, mine.version, HASH, mine.author, seq, HASH, LeaveTable()).frame

    return _sending(liar, frames)


def false_have(liar: Liar) -> Ways:
    """Its heartbeats say that it holds entries that nobody has written."""

    def beat(beat: Heartbeat) -> Heartbeat:
        liar.lied = True
        return replace(beat, have=tuple(replace(head, seq=head.seq + FAR) for head in beat.have))

    return Ways(beat=beat)


def no_have(liar: Liar) -> Ways:
    """Its heartbeats say that it holds nothing of the others."""

    def beat(beat: Heartbeat) -> Heartbeat:
        liar.lied = True
        return replace(beat, have=tuple(head for head in beat.have if head.author == liar.me))

    return Ways(beat=beat)


def false_marks(liar: Liar) -> Ways:
    """Its heartbeats give other marks than the entries have, as if others had told it other things."""

    def beat(beat: Heartbeat) -> Heartbeat:
        liar.lied = True
        return replace(beat, have=tuple(Head(head.author, head.incarnation, head.seq, HASH[:16]) for head in beat.have))

    return Ways(beat=beat)


def talk_without_end(liar: Liar) -> Ways:
    """It says fifty lines at once, with characters that turn the text around and hide."""
    said = iter(range(1, LAST))

    def frames(_to: int) -> Iterator[bytes]:
        mine = liar.session
        who = (mine.version, mine.lobby_id, mine.author.identity, mine.author.incarnation)
        for _ in range(MANY):
            yield seal_signed(mine.me.key, Chat(*who, next(said), "\u202e\u200b\x1b[2J" + "x" * 100))

    return _sending(liar, frames)


def want_everything(liar: Liar) -> Ways:
    """It asks for all that there is, eight times at once."""

    def frames(_to: int) -> Iterator[bytes]:
        gaps = [Gap(author.identity, author.incarnation, 0) for author in liar.session.logs.by_author]
        yield from [bytes((Tag.WANT,)) + pack(plain(Want(tuple(gaps))))] * MORE

    return _sending(liar, frames)


def false_refusal(liar: Liar) -> Ways:
    """It tells the others, as only the host may, that they have no seat."""
    mine = liar.session
    no = Refusal(mine.lobby_id, "You have no seat here.")
    return _sending(liar, lambda _to: iter((bytes((Tag.REFUSAL,)) + pack(plain(no)),)))


CHEATS = (
    acting(forged_author, "P100", Nothing()),
    acting(forged_heartbeat, "P31", Nothing()),
    acting(replay_from_another_table, "P20", Nothing()),
    acting(repeat_everything, "P24", Nothing()),
    acting(garbage, "P13", Nothing()),
    acting(oversize, "P12", Nothing()),
    acting(another_form, "P11", Nothing()),
    acting(future_entries, "P26", Nothing()),
    acting(false_have, "P33", Nothing()),
    acting(no_have, "P38", Nothing()),
    acting(false_marks, "P34", Nothing()),
    acting(talk_without_end, "P37", Nothing()),
    acting(want_everything, "P35", Nothing()),
    acting(false_refusal, "P42", Nothing()),
)
