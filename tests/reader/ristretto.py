"""ristretto255 (RFC 9496, section 4): the elements, as bytes and as points of the curve."""

from functools import lru_cache

from tests.reader.curve import ROOT, ZERO, D, P, Point, add, even, root_of_ratio
from tests.reader.refusal import RefusedError

NAME = "ristretto255"
SIZE = 32  # bytes of an element, and of a scalar
IDENTITY = bytes(SIZE)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578


@lru_cache(100_000)
def decoded(data: bytes) -> Point:
    """The element that these bytes are the one encoding of. Raises RefusedError; also for the identity."""
    s = int.from_bytes(data, "little")
    if len(data) != SIZE or s >= P or s & 1 or s == 0:
        raise RefusedError("MALFORMED", f"{data.hex()} is no element")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = root_of_ratio(1, v * u2 * u2 % P)
    x = even(2 * s * inverse * u2)
    y = u1 * inverse * inverse * u2 * v % P
    if not square or x * y % P & 1 or y == 0:
        raise RefusedError("MALFORMED", f"{data.hex()} is no element")
    return x, y, 1, x * y % P


def point_of(data: bytes) -> Point:
    """The element of bytes that came through `decoded` before, or of the start deck, where the identity is allowed."""
    return ZERO if data == IDENTITY else decoded(data)


def encoded(point: Point) -> bytes:
    """The one encoding of an element."""
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = root_of_ratio(1, u1 * u2 * u2 % P)
    d1, d2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = d1 * d2 * t % P
    if t * z_inverse % P & 1:
        x, y, d2 = y * ROOT % P, x * ROOT % P, d1 * INVSQRT_A_MINUS_D % P
    y = -y if x * z_inverse % P & 1 else y
    return even(d2 * (z - y)).to_bytes(SIZE, "little")


def one_way(uniform: bytes) -> Point:
    """The element that 64 uniform bytes are mapped to."""
    return add(_half(uniform[:32]), _half(uniform[32:]))


def _half(data: bytes) -> Point:
    t = int.from_bytes(data, "little") % 2**255
    r = ROOT * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = root_of_ratio(u, v)
    s, c = (s, -1) if square else (-even(s * t), r)
    w0, w1 = 2 * s * v, (c * (r - 1) * (D - 1) ** 2 - v) * SQRT_AD_MINUS_ONE
    w2, w3 = 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


G = decoded(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
