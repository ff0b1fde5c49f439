"""The curve edwards25519 in plain integers: points, sums of multiples.

It is quick enough to check a hand, and leaks everything: a reader has no secrets. Formulas of Hisil, Wong, Carter and Dawson
(2008) for −x² + y² = 1 + d·x²·y²."""

from collections.abc import Iterable
from typing import TypeAlias

Point: TypeAlias = tuple[int, int, int, int]  # X, Y, Z, T: x = X ÷ Z, y = Y ÷ Z, T = X·Y ÷ Z
Term: TypeAlias = tuple[int, Point]  # a scalar and what it multiplies
_Ready: TypeAlias = tuple[int, int, int, int]  # Y − X, Y + X, 2d·T, 2Z: a point made ready to be added

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # √−1
ZERO: Point = (0, 1, 1, 0)
WIDTH = 5  # bits of a digit: eight odd multiples of each point are kept ready


def negative(point: Point) -> Point:
    """The point that adds up to zero with this one."""
    x, y, z, t = point
    return -x % P, y, z, -t % P


def add(left: Point, right: Point) -> Point:
    """Their sum."""
    return _plus(left, _ready(right))


def combine(terms: Iterable[Term]) -> Point:
    """Σ scalar · point: signed digits of five bits, all doublings shared (Straus 1964)."""
    columns: list[list[_Ready]] = [[] for _ in range(L.bit_length() + 1)]
    for scalar, point in terms:
        digits = _digits(scalar % L)
        largest = max((abs(digit) for _, digit in digits), default=0)
        odd = _odd_multiples(point, largest)
        for place, digit in digits:
            y_minus_x, y_plus_x, t2d, z2 = odd[abs(digit) // 2]
            columns[place].append(
                (y_minus_x, y_plus_x, t2d, z2) if digit > 0 else (y_plus_x, y_minus_x, -t2d, z2),
            )
    total = ZERO
    for column in reversed(columns):
        total = _double(total) if total is not ZERO else total
        for ready in column:
            total = _plus(total, ready)
    return total


def same(left: Point, right: Point) -> bool:
    """Whether they are one point of the curve."""
    (x1, y1, z1, _), (x2, y2, z2, _) = left, right
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def root_of_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u ÷ v is a square, and the even root of it, or of √−1 times it (RFC 9496, section 4.2)."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in {-u % P, -u * ROOT % P}:
        r = r * ROOT % P
    return check in {u % P, -u % P}, even(r)


def even(x: int) -> int:
    """Of x and −x the even one."""
    return P - x % P if x % P & 1 else x % P


def _ready(point: Point) -> _Ready:
    x, y, z, t = point
    return y - x, y + x, 2 * D * t % P, 2 * z


def _plus(left: Point, right: _Ready) -> Point:
    x, y, z, t = left
    y_minus_x, y_plus_x, t2d, z2 = right
    a, b, c, d = (y - x) * y_minus_x, (y + x) * y_plus_x, t * t2d, z * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def _double(point: Point) -> Point:
    x, y, z, _ = point
    a, b = x * x, y * y
    e, g = ((x + y) * (x + y) - a - b) % P, (b - a) % P
    f, h = (g - 2 * z * z) % P, -(a + b) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def _odd_multiples(point: Point, largest: int) -> list[_Ready]:
    multiples, twice = [_ready(point)], None
    for _ in range(largest // 2):
        twice = twice or _ready(_double(point))
        point = _plus(point, twice)
        multiples.append(_ready(point))
    return multiples


def _digits(scalar: int) -> list[tuple[int, int]]:
    """Places and odd digits between −16 and 16 whose sum the scalar is."""
    digits, place = [], 0
    while scalar:
        zeros = (scalar & -scalar).bit_length() - 1
        scalar, place = scalar >> zeros, place + zeros
        digit = scalar % 2**WIDTH
        digit = digit - 2**WIDTH if digit > 2 ** (WIDTH - 1) else digit
        digits.append((place, digit))
        scalar -= digit
    return digits
