"""SHAKE-256 (FIPS 202), the one hash of this layer: framed input, digests of any length, a stream from a seed.

Law: no two lists of strings are framed to the same bytes, and every use has a label of its own."""

import hashlib
from itertools import count

from p2p_hearts.entropy import Entropy

DOMAIN = b"p2p-hearts/1/"
_SHORT = 256  # bytes; most parts are elements and scalars
_PREFIXES = tuple(size.to_bytes(4, "big") for size in range(_SHORT))


def framed(*parts: bytes) -> bytes:
    """The parts, each behind its length in four bytes, so that no other list of parts gives the same bytes."""
    pieces: list[bytes] = []
    for part in parts:  # a statement has hundreds of parts; a generator would take twice as long
        size = len(part)
        pieces += (_PREFIXES[size] if size < _SHORT else size.to_bytes(4, "big")), part
    return b"".join(pieces)


def digest(size: int, label: bytes, *parts: bytes) -> bytes:
    """So many bytes that depend on the label and on every part."""
    return hashlib.shake_256(framed(DOMAIN + label, *parts)).digest(size)


def seeded(seed: bytes) -> Entropy:
    """The stream of a seed: call number i (from 0) for n bytes gives the first n bytes of digest("stream", seed, i)."""
    calls = count()

    def draw(size: int) -> bytes:
        return digest(size, b"stream", seed, next(calls).to_bytes(8, "big"))

    return draw
