"""What is signed: the envelope opens for the right author, version and label, and for nothing else."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.signature import make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.envelope import (
    LABELS,
    NO_ENTRY,
    Author,
    Tag,
    check_signed,
    entry_hash,
    open_entry,
    open_signed,
    peek,
    seal,
    seal_signed,
)
from p2p_hearts.protocol.errors import MalformedError, RemoteProtocolError
from p2p_hearts.protocol.messages import Body, Chat, Heartbeat, Join, Kind, LeaveTable, Mix, Propose

KEY = make_signing_key(seeded(b"envelope"))
AUTHOR = Author(KEY.public, b"incarn 1")
VERSION = "p2p-hearts/1/tiny61"
TABLE = bytes(range(32))
PROPOSAL = Propose(7, bytes(32))
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the signatures' group (RFC 8032)
FRAME = seal(KEY, VERSION, TABLE, AUTHOR, 3, NO_ENTRY, PROPOSAL).frame


def forged(value: object, label: bytes = LABELS[Tag.ENTRY]) -> bytes:
    """A frame with any content, rightly signed."""
    signed = pack(value)
    return bytes((Tag.ENTRY,)) + signed + sign(KEY, label, signed)


def content(frame: bytes) -> list[object]:
    """The fields of an entry."""
    return list(unpack(frame[1:-64]))


@pytest.mark.parametrize("body", [PROPOSAL, LeaveTable(), Mix(1, 0, bytes(16), bytes(1664), bytes(500))])
def test_seal_and_open(body: Body) -> None:
    """An entry opens to what was sealed, and names itself by the hash of its signed bytes."""
    entry = seal(KEY, VERSION, TABLE, AUTHOR, 3, NO_ENTRY, body)
    assert open_entry(entry.frame, VERSION) == entry
    assert entry.hash == entry_hash(entry.frame[1:-64])
    assert (entry.author, entry.seq, entry.body) == (AUTHOR, 3, body)
    assert peek(entry.frame) == (AUTHOR, 3)


@pytest.mark.parametrize(("seq", "table"), [(0, b""), (0, TABLE), (2**32 - 1, TABLE)])
def test_first_and_last(seq: int, table: bytes) -> None:
    """The first entry of a log is number 0; that of the opener has no table yet. The last is number 2³² − 1."""
    entry = seal(KEY, VERSION, table, AUTHOR, seq, NO_ENTRY, PROPOSAL)
    assert open_entry(entry.frame, VERSION) == entry
    assert peek(entry.frame) == (AUTHOR, seq)


def test_hash_of_an_entry() -> None:
    """An entry is named by SHAKE-256 over a label and its signed bytes, each behind its length in four bytes."""
    label, signed = b"p2p-hearts/1/entry", FRAME[1:-64]
    framed = len(label).to_bytes(4, "big") + label + len(signed).to_bytes(4, "big") + signed
    assert entry_hash(signed) == hashlib.shake_256(framed).digest(32)


@given(st.integers(0, len(FRAME) - 1), st.integers(1, 255))
def test_tampering(place: int, change: int) -> None:
    """A frame with any byte changed does not open."""
    spoiled = FRAME[:place] + bytes((FRAME[place] ^ change,)) + FRAME[place + 1 :]
    with pytest.raises(MalformedError):
        open_entry(spoiled, VERSION) if place else open_signed(spoiled if spoiled[0] in {2, 3, 4} else b"\x02")


@pytest.mark.parametrize("length", [0, 1, 64, 65, 66, len(FRAME) - 1])
def test_cut(length: int) -> None:
    """A frame that is cut short does not open."""
    with pytest.raises(MalformedError, match="too short" if length <= 65 else "."):
        open_entry(FRAME[:length], VERSION)


def test_the_longest_frame() -> None:
    """A frame of 65,536 bytes is read, with its signature; one of a byte more is not."""
    fields = content(FRAME)
    size = 65_536 - len(forged((*fields[:7], bytes(60_000)))) + 60_000
    with pytest.raises(RemoteProtocolError, match="Propose"):
        open_entry(forged((*fields[:7], bytes(size))), VERSION)
    with pytest.raises(MalformedError, match="a frame of 65537 bytes"):
        open_entry(forged((*fields[:7], bytes(size + 1))), VERSION)


def test_other_version() -> None:
    """An entry of another version is refused, and both versions are named; the group is part of the version."""
    with pytest.raises(MalformedError, match=r"p2p-hearts/1/tiny61.*p2p-hearts/1/ristretto255"):
        open_entry(FRAME, "p2p-hearts/1/ristretto255")


@pytest.mark.parametrize("label", [b"heartbeat", b"chat", b"join", b"result", b""])
def test_other_label(label: bytes) -> None:
    """What was signed as something else is no entry."""
    with pytest.raises(MalformedError, match="signature"):
        open_entry(forged(tuple(content(FRAME)), label), VERSION)


def test_another_key() -> None:
    """An entry in another's name does not open."""
    value = content(FRAME)
    value[2] = make_signing_key(seeded(b"another")).public
    with pytest.raises(MalformedError, match="signature"):
        open_entry(forged(tuple(value)), VERSION)


@pytest.mark.parametrize(
    ("field", "value", "at_fault"),
    [
        (0, b"p2p-hearts/1/tiny61", False),
        (1, bytes(1), True),
        (1, bytes(31), True),
        (1, "x" * 32, False),
        (2, bytes(33), False),
        (3, bytes(7), False),
        (3, None, False),
        (4, -1, False),
        (4, 2**32, False),
        (4, True, False),
        (5, b"", True),
        (5, bytes(64), True),
        (6, -1, True),
        (6, 10, True),
        (6, int(Kind.ESCROW), True),  # kept for a later version
        (6, True, True),
        (6, "5", False),
        (7, (), True),
        (7, None, True),
        (7, (7, bytes(33)), True),
    ],
)
def test_wrong_fields(field: int, value: object, at_fault: bool) -> None:  # noqa: FBT001 - a column of the table
    """A field of the envelope with a wrong type, length or bound makes the entry malformed: its author is at fault if it is
    known who that is and the signature fits."""
    fields = content(FRAME)
    fields[field] = value
    with pytest.raises((MalformedError, RemoteProtocolError)) as caught:
        open_entry(forged(tuple(fields)), VERSION)
    assert isinstance(caught.value, RemoteProtocolError) == at_fault


@pytest.mark.parametrize(("field", "value"), [(2, bytes(33)), (3, bytes(7)), (3, bytes(9)), (4, -1), (4, 2**32)])
def test_authors_are_read_before_signatures(field: int, value: object) -> None:
    """An entry that cannot be put into anybody's log costs no look at its signature."""
    fields = content(FRAME)
    fields[field] = value
    with pytest.raises(MalformedError, match="names its author or its number wrongly"):
        open_entry(forged(tuple(fields)), VERSION)


def test_a_switch_is_no_kind() -> None:
    """`True` in the place of kind 1 would be a second form of one entry; it is refused."""
    fields = content(FRAME)
    fields[6:] = [True, (b"",)]
    with pytest.raises(RemoteProtocolError, match="kind"):
        open_entry(forged(tuple(fields)), VERSION)


@pytest.mark.parametrize("value", [(), None, 5, tuple(content(FRAME)[:-1]), (*content(FRAME), 0)])
def test_other_shapes(value: object) -> None:
    """An entry has eight fields."""
    with pytest.raises(MalformedError, match="eight"):
        open_entry(forged(value), VERSION)


def test_two_signatures_over_the_same_bytes() -> None:
    """The hash of an entry does not depend on its signature, since a signature can have more than one form."""
    signed, signature = FRAME[1:-64], FRAME[-64:]
    half = int.from_bytes(signature[32:], "little")
    malleated = signature[:32] + ((half + ORDER) % 2**256).to_bytes(32, "little")
    other_nonce = sign(KEY, b"something else", signed)
    entry = open_entry(FRAME, VERSION)
    assert entry.hash == entry_hash(signed)
    for second in (malleated, other_nonce):
        assert entry_hash((FRAME[:-64] + second)[1:-64]) == entry.hash
        with pytest.raises(MalformedError):
            open_entry(FRAME[:-64] + second, VERSION)


BEAT = Heartbeat(VERSION, TABLE, KEY.public, AUTHOR.incarnation, 1, 2, (), (), 0)
CHAT = Chat(VERSION, TABLE, KEY.public, AUTHOR.incarnation, 0, "hello")

JOIN = Join(VERSION, TABLE, KEY.public, AUTHOR.incarnation, "Ann", bytes(32), ("10.0.0.1",), 4, 0)


@pytest.mark.parametrize("message", [BEAT, CHAT, JOIN])
def test_signed_messages(message: Heartbeat | Chat | Join) -> None:
    """A message outside the log opens to what was sealed, with its signature checked now or later."""
    frame = seal_signed(KEY, message)
    assert open_signed(frame) == message
    spoiled = frame[:-1] + bytes((frame[-1] ^ 1,))
    assert open_signed(spoiled, check=False) == message
    check_signed(frame, message)
    with pytest.raises(MalformedError, match="signature"):
        check_signed(spoiled, message)
    with pytest.raises(MalformedError, match="signature"):
        open_signed(spoiled)


def test_a_chat_is_no_heartbeat() -> None:
    """A signed message shown under another tag does not open."""
    frame = seal_signed(KEY, CHAT)
    with pytest.raises(MalformedError):
        open_signed(bytes((Tag.HEARTBEAT,)) + frame[1:])


@given(st.binary(max_size=300))
def test_any_frame(data: bytes) -> None:
    """Whatever bytes come in, they do not open, and nothing else happens; a peek at them says little."""
    with pytest.raises(MalformedError):
        open_entry(b"\x01" + data, VERSION)
    for tag in (Tag.HEARTBEAT, Tag.CHAT, Tag.JOIN):
        with pytest.raises(MalformedError):
            open_signed(bytes((tag,)) + data)
    assert peek(b"\x01" + data) is None


@pytest.mark.parametrize("seq", [-1, -5_000, True, 2**32, "1"])
def test_a_peek_at_an_impossible_number(seq: object) -> None:
    """A number that no entry can have is not even looked up."""
    fields = content(FRAME)
    fields[4] = seq
    assert peek(forged(tuple(fields))) is None
