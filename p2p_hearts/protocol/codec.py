"""Bytes to plain values and back: msgpack in its one canonical form.

Law: what `unpack` returns, `pack` turns into the very same bytes; a value has one encoding, so a hash of the bytes is a
hash of the value. Source: msgpack specification; limits: `design.md`, The log (64 KiB a frame)."""

from typing import Any

import msgpack

from p2p_hearts.protocol.errors import MalformedError

MAX_FRAME = 65_536  # bytes; a peer cannot make us hold or parse more
MAX_ITEMS = 1_024  # entries of one array; the longest real one is a have vector
_DECODE_ERRORS = (ValueError, msgpack.UnpackException, RecursionError)  # all that the library documents for bad bytes


def pack(value: Any) -> bytes:
    """The canonical bytes of a value made of ints, bytes, strings, booleans, None and (nested) tuples or lists."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes) -> Any:
    """The value in `data`, arrays as tuples.

    Raises MalformedError when the bytes are too long, not msgpack, or not in the canonical form.
    """
    if len(data) > MAX_FRAME:
        raise MalformedError(f"{len(data)} bytes, at most {MAX_FRAME} are allowed")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            max_array_len=MAX_ITEMS,
            max_map_len=0,
            object_hook=_unused,
            max_ext_len=0,
            ext_hook=_unused,
        )
    except _DECODE_ERRORS as error:
        raise MalformedError(f"not msgpack: {error}") from error
    if pack(value) != data:
        raise MalformedError("not in canonical form")
    return value


def _unused(*_: object) -> Any:
    """Refuses the empty map and the empty extension, which lengths of 0 let through; the latter would pass for a list."""
    raise ValueError("maps and extensions are not used")
