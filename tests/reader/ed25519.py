"""Ed25519 (RFC 8032) as `encoding.md` asks for it: labels in front of what is signed (P17), sound keys only (P18)."""

from functools import lru_cache
from hashlib import sha512

from tests.reader.curve import ZERO, D, L, P, Point, combine, negative, root_of_ratio, same
from tests.reader.hashing import DOMAIN, framed
from tests.reader.refusal import RefusedError, demand

SIZE = 64  # bytes of a signature


def check_signature(public: bytes, label: str, data: bytes, signature: bytes) -> None:
    """Refuses a signature that is not this key's, under this label, over these bytes. Raises RefusedError."""
    demand(len(signature) == SIZE, "BAD_SIGNATURE", f"{len(signature)} bytes")
    signed = framed(DOMAIN + label.encode(), data)
    nonce, s = signature[:32], int.from_bytes(signature[32:], "little")
    demand(s < L, "BAD_SIGNATURE", "a number not below L")
    k = int.from_bytes(sha512(nonce + public + signed).digest(), "little")
    seen = combine([(s, BASE), (-k, decoded(public))])
    demand(encoded(seen) == nonce, "BAD_SIGNATURE", f"not signed by {public.hex()}")


@lru_cache
def check_identity(public: bytes) -> None:
    """Refuses bytes that are not the canonical encoding of a point of prime order (P18). Raises RefusedError."""
    point = decoded(public)
    demand(encoded(point) == public, "MALFORMED", "a key in another form")
    demand(not same(point, ZERO), "MALFORMED", "a key of small order")
    # (L − 1)·K = −K: the scalar is taken modulo L, so L itself cannot be asked for.
    demand(same(combine([(L - 1, point)]), negative(point)), "MALFORMED", "a key not of prime order")


@lru_cache
def decoded(data: bytes) -> Point:
    """The point of a key (RFC 8032, section 5.1.3). Raises RefusedError."""
    number = int.from_bytes(data, "little")
    y, odd = number % 2**255, number >> 255
    square, x = root_of_ratio(y * y - 1, D * y * y + 1)
    if len(data) != 32 or y >= P or not square or (x == 0 and odd):
        raise RefusedError("MALFORMED", f"{data.hex()} is no key")
    x = P - x if odd else x
    return x, y, 1, x * y % P


def encoded(point: Point) -> bytes:
    """The bytes of a point: y, and the lowest bit of x at the top."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


BASE = decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
