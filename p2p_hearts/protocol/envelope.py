"""The envelope: what is signed, and how a frame names its kind.

A frame is one byte of kind and its content. A log entry is the msgpack array
`[version, table, author, incarnation, seq, prev, kind, body]` and the Ed25519 signature over exactly those bytes, under
the label `entry`. `prev` and every head hash those bytes without the signature: Ed25519 signatures are not unique, so two
signatures over the same bytes are one entry (`protocol/log.md`)."""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from p2p_hearts.crypto import stream
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.signature import SigningKey, sign, verify
from p2p_hearts.protocol.codec import MAX_FRAME, pack, unpack
from p2p_hearts.protocol.errors import Fault, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.fields import HASH_BYTES, parse, plain
from p2p_hearts.protocol.messages import BODIES, KINDS, Body, Chat, Heartbeat, Join, Kind

SIGNATURE_BYTES = 64
MAX_SEQ = 2**32  # entries of one log
NO_ENTRY = bytes(HASH_BYTES)  # `prev` of a log's first entry


class Tag(IntEnum):
    """The first byte of a frame."""

    ENTRY = 1
    HEARTBEAT = 2
    CHAT = 3
    JOIN = 4
    REFUSAL = 5
    WANT = 6


LABELS = {Tag.ENTRY: b"entry", Tag.HEARTBEAT: b"heartbeat", Tag.CHAT: b"chat", Tag.JOIN: b"join"}
RESULT = b"result"
Signed: TypeAlias = Heartbeat | Chat | Join
_SIGNED: dict[Tag, type[Any]] = {Tag.HEARTBEAT: Heartbeat, Tag.CHAT: Chat, Tag.JOIN: Join}
_TAGS = {body: tag for tag, body in _SIGNED.items()}


class Author(NamedTuple):
    """Who writes a log: an identity and the incarnation of its program's log. A tuple, since it is a key everywhere."""

    identity: bytes
    incarnation: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One signed record of a log, opened. `hash` is over the signed bytes, `frame` is what travels and is stored."""

    table: bytes
    author: Author
    seq: int
    prev: bytes
    kind: Kind
    body: Body
    hash: bytes
    frame: bytes


def digest(label: str, *parts: bytes) -> bytes:
    """The hash of labelled parts, each with its length before it (32 bytes; `protocol/encoding.md`)."""
    return stream.digest(HASH_BYTES, label.encode(), *parts)


def entry_hash(signed: bytes) -> bytes:
    """The hash by which `prev` and heads name an entry."""
    return digest("entry", signed)


def seal(key: SigningKey, version: str, table: bytes, author: Author, seq: int, prev: bytes, body: Body) -> Entry:
    """A new entry of our own log, signed."""
    kind = KINDS[type(body)]
    signed = pack((version, table, author.identity, author.incarnation, seq, prev, int(kind), plain(body)))
    frame = bytes((Tag.ENTRY,)) + signed + sign(key, LABELS[Tag.ENTRY], signed)
    return Entry(table, author, seq, prev, kind, body, entry_hash(signed), frame)


def open_entry(frame: bytes, version: str) -> Entry:
    """The entry in a frame.

    Raises MalformedError when nobody can be held to it (it cannot be read, or its signature does not fit), and
    RemoteProtocolError when its author has signed something that is no entry of this version.
    """
    signed, signature = _split(frame)
    match _content(frame):
        case (str(named), bytes(table), bytes(identity), bytes(incarnation), int(seq), bytes(prev), int(kind), body):
            pass
        case _:
            raise MalformedError("an entry must be a list of eight fields")
    if named != version:
        raise MalformedError(f"entry of version {named[:32]!r}, this table speaks {version!r}")
    if len(identity) != 32 or len(incarnation) != 8 or not _is_seq(seq):  # noqa: PLR2004 - see messages.Identity
        raise MalformedError("an entry names its author or its number wrongly")
    _check(identity, Tag.ENTRY, signed, signature)
    author = Author(identity, incarnation)
    if len(table) not in {0, HASH_BYTES} or len(prev) != HASH_BYTES or isinstance(kind, bool) or kind not in BODIES:
        raise RemoteProtocolError(identity, Fault.MALFORMED, f"table, predecessor or kind {kind} of entry {seq}")
    try:
        message = parse(BODIES[Kind(kind)], body)
    except MalformedError as error:
        raise RemoteProtocolError(identity, Fault.MALFORMED, str(error)) from error
    return Entry(table, author, seq, prev, Kind(kind), message, entry_hash(signed), frame)


def peek(frame: bytes) -> tuple[Author, int] | None:
    """Author and seq that an entry frame claims, unverified: enough to drop what is known already. None if unreadable."""
    try:
        value = _content(frame)
    except MalformedError:
        return None
    match value:
        case (_, _, bytes(identity), bytes(incarnation), int(seq), _, _, _) if _is_seq(seq):
            return Author(identity, incarnation), seq
        case _:
            return None


def seal_signed(key: SigningKey, message: Signed) -> bytes:
    """The frame of a signed message outside the log."""
    tag = _TAGS[type(message)]
    signed = pack(plain(message))
    return bytes((tag,)) + signed + sign(key, LABELS[tag], signed)


def open_signed(frame: bytes, *, check: bool = True) -> Signed:
    """The signed message in a frame. With `check=False` the signature is left for `check_signed`.

    Raises MalformedError.
    """
    tag = Tag(frame[0])
    signed, signature = _split(frame)
    message: Signed = parse(_SIGNED[tag], unpack(signed))
    if check:
        _check(message.identity if isinstance(message, Join) else message.author, tag, signed, signature)
    return message


def check_signed(frame: bytes, message: Signed) -> None:
    """Checks the signature that `open_signed(check=False)` left.

    Raises MalformedError.
    """
    signed, signature = _split(frame)
    _check(message.identity if isinstance(message, Join) else message.author, Tag(frame[0]), signed, signature)


def _is_seq(seq: int) -> bool:
    return 0 <= seq < MAX_SEQ and not isinstance(seq, bool)


@lru_cache(maxsize=1)  # `peek` and `open_entry` read the same frame, one after the other
def _content(frame: bytes) -> Any:
    """What is signed in a frame, unpacked.

    Raises MalformedError.
    """
    return unpack(frame[1:-SIGNATURE_BYTES])


def _split(frame: bytes) -> tuple[bytes, bytes]:
    if len(frame) <= 1 + SIGNATURE_BYTES:
        raise MalformedError("a frame too short to be signed")
    if len(frame) > MAX_FRAME:
        raise MalformedError(f"a frame of {len(frame)} bytes, at most {MAX_FRAME} are allowed")
    return frame[1:-SIGNATURE_BYTES], frame[-SIGNATURE_BYTES:]


def _check(identity: bytes, tag: Tag, signed: bytes, signature: bytes) -> None:
    try:
        verify(identity, LABELS[tag], signed, signature)
    except CryptoError as error:
        raise MalformedError(f"the signature does not fit: {error}") from error
