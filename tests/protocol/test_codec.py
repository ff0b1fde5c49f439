"""Bytes to values and back: one encoding a value, and an honest no to everything else."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2p_hearts.protocol.codec import MAX_FRAME, MAX_ITEMS, pack, unpack
from p2p_hearts.protocol.errors import MalformedError

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=70)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=70),
    lambda inner: st.lists(inner, max_size=20).map(tuple),
    max_leaves=40,
)


@given(VALUES)
def test_round_trip(value: Any) -> None:
    """A value comes back as it was, its lists as tuples, and packs to the same bytes again."""
    data = pack(value)
    assert unpack(data) == value
    assert pack(unpack(data)) == data


def test_encoding_is_that_of_msgpack() -> None:
    """The bytes are those that the msgpack specification writes."""
    assert pack((1, 128, -1, b"\x00", "é", None, True)) == bytes.fromhex("9701cc80ffc40100a2c3a9c0c3")


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xc1")  # never used
@example(b"\xdd\xff\xff\xff\xff")  # 4 billion items
@example(b"\xc6\xff\xff\xff\xff")  # 4 GiB of bytes
@example(b"\xa1\xff")  # no UTF-8
@example(b"\xa3\xed\xa0\x80")  # half of a surrogate pair
@example(b"\x91" * 200)
def test_any_bytes(data: bytes) -> None:
    """Whatever bytes come in, they are a value that packs to them, or malformed; nothing else happens."""
    try:
        value = unpack(data)
    except MalformedError:
        return
    assert pack(value) == data


@pytest.mark.parametrize("depth", [100, 500, 511, 512, 513, 1_000, 1_023, 1_024, 1_025, 30_000, MAX_FRAME - 1])
def test_depth(depth: int) -> None:
    """Lists in lists, however deep, are a value or malformed; they exhaust nothing."""
    data = b"\x91" * depth + b"\xc0"
    try:
        assert pack(unpack(data)) == data
    except MalformedError:
        assert depth > 100


@pytest.mark.parametrize(
    "data",
    [
        b"\xcc\x05",  # 5 in two bytes
        b"\xcd\x00\x80",  # 128 in three
        b"\xd0\x05",  # 5 as a signed number
        b"\xd9\x01a",  # a short text in the long form
        b"\xc5\x00\x01a",
        b"\xdc\x00\x01\xc0",
        b"\xdd\x00\x00\x00\x01\xc0",
        b"\xca\x3f\x00\x00\x00",  # half as a single float
    ],
)
def test_longer_encodings(data: bytes) -> None:
    """A value in any but its shortest encoding is refused, so that the hash of the bytes is a hash of the value."""
    with pytest.raises(MalformedError, match="canonical"):
        unpack(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x01\x01",  # something after it
        b"\x92\x01",  # something missing
        b"\xc4\x05abc",
        b"\x81\x01\x02",  # maps are not used
        b"\x81\xa1a\x02",
        b"\x80",
        b"\xc7\x01\x05a",  # nor are extensions
        b"\xd4\x05a",
        b"\xc7\x00\x05",
        b"\xd6\xff\x00\x00\x00\x01",  # a time stamp
    ],
)
def test_what_is_not_used(data: bytes) -> None:
    """Rests, cuts, maps and extension types are refused."""
    with pytest.raises(MalformedError):
        unpack(data)


def test_limits() -> None:
    """A frame has at most 64 KiB, a list at most 1,024 items; both limits may be reached."""
    most = pack(bytes(MAX_FRAME - 5))
    assert MAX_FRAME == len(most) + 2 == 65_536
    assert unpack(pack(bytes(MAX_FRAME - 3)))
    with pytest.raises(MalformedError, match="65537 bytes"):
        unpack(pack(bytes(MAX_FRAME - 2)))
    assert len(unpack(pack((0,) * MAX_ITEMS))) == MAX_ITEMS == 1_024
    with pytest.raises(MalformedError):
        unpack(pack((0,) * (MAX_ITEMS + 1)))
