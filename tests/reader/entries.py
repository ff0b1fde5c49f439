"""Frames: entries of the logs (`encoding.md`, P13 to P16), and the signed requests for a seat inside some of them."""

from dataclasses import dataclass
from typing import TypeAlias

from tests.reader import ed25519
from tests.reader.hashing import fingerprint
from tests.reader.messages import IDENTITY, INCARNATION, JOIN, U8, U32, Body, data, read_body, text
from tests.reader.refusal import demand
from tests.reader.values import Value, unpack

VERSION = "p2p-hearts/1/ristretto255"
MAX_FRAME = 65_536
ENTRY_TAG, JOIN_TAG = 1, 4
NO_ENTRY = bytes(32)
Author: TypeAlias = tuple[bytes, bytes]  # identity, incarnation


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log, rightly signed and rightly shaped."""

    table: bytes
    author: Author
    seq: int
    prev: bytes
    kind: int
    body: Body
    fields: list[Value]  # the body as it was written
    hash: bytes

    @property
    def mark(self) -> bytes:
        """The first half of the hash (P16)."""
        return self.hash[:16]

    @property
    def identity(self) -> bytes:
        """Who signed it."""
        return self.author[0]


def open_entry(frame: bytes) -> Entry:
    """The entry in a frame, by P14. Raises RefusedError."""
    signed, signature = _parts(frame, ENTRY_TAG, MAX_FRAME)
    value = unpack(signed)
    demand(isinstance(value, list) and len(value) == 8, "MALFORMED", "no list of eight")
    assert isinstance(value, list)
    version, table, identity, incarnation, seq, prev, kind, fields = value
    demand(text(0, 64)(version) == VERSION, "MALFORMED", f"version {version!r}")
    entry = Entry(
        data(0, 32)(table),
        (IDENTITY(identity), INCARNATION(incarnation)),
        U32(seq),
        data(32)(prev),
        U8(kind),
        read_body(U8(kind), fields),
        fields if isinstance(fields, list) else [],
        fingerprint("entry", signed),
    )
    demand(len(entry.table) in {0, 32}, "MALFORMED", "a table id of another length")
    ed25519.check_signature(entry.identity, "entry", signed, signature)
    return entry


def open_join(frame: bytes) -> Body:
    """The request for a seat in a frame, signed by the identity that it names. Raises RefusedError."""
    signed, signature = _parts(frame, JOIN_TAG, 1024)
    join: Body = JOIN(unpack(signed))
    demand(join["version"] == VERSION, "MALFORMED", f"version {join['version']!r}")
    demand(len(join["table"]) in {0, 32}, "MALFORMED", "a table id of another length")
    ed25519.check_identity(join["identity"])
    ed25519.check_signature(join["identity"], "join", signed, signature)
    return join


def _parts(frame: bytes, tag: int, most: int) -> tuple[bytes, bytes]:
    demand(1 + ed25519.SIZE < len(frame) <= most and frame[0] == tag, "MALFORMED", f"no frame of tag {tag}")
    return frame[1 : -ed25519.SIZE], frame[-ed25519.SIZE :]
