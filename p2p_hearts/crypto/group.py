"""The group every card and proof lives in: what it must offer (`Group`), and ristretto255 (RFC 9496) over libsodium.

Laws: points are their canonical encodings, so equal points are equal bytes; scalars are integers; bytes from a peer become
points and scalars through `decode_point` and `decode_scalar` alone, which know one encoding of each and no identity.
The scheme needs an order that is prime and too large to search: no small subgroups, no residues that leak cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.stream import digest
from p2p_hearts.entropy import Entropy

WIDE = 64  # bytes: reduced modulo the order of ristretto255, so many are uniform but for 2⁻²⁵⁹


class Group(Protocol):
    """A group of prime order in which discrete logarithms are hard, written additively."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...  # noqa: D102 - the fields say what they are
    @property
    def order(self) -> int: ...  # noqa: D102
    @property
    def element_bytes(self) -> int: ...  # noqa: D102
    @property
    def scalar_bytes(self) -> int: ...  # noqa: D102
    @property
    def identity(self) -> bytes: ...  # noqa: D102
    @property
    def generator(self) -> bytes: ...  # noqa: D102

    def mult(self, scalar: int, point: bytes) -> bytes:
        """The point times the scalar."""

    def base(self, scalar: int) -> bytes:
        """The generator times the scalar."""

    def add(self, left: bytes, right: bytes) -> bytes:
        """The sum of two points."""

    def sub(self, left: bytes, right: bytes) -> bytes:
        """The difference of two points."""

    def sum(self, points: Sequence[bytes]) -> bytes:
        """The sum of all points; of none, the identity."""

    def multi(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of all products of a scalar and its point."""

    def hash_to_point(self, label: bytes, data: bytes) -> bytes:
        """A point whose logarithm to any other base nobody knows."""

    def decode_point(self, data: bytes) -> bytes:
        """The point a peer sent. Raises DecodeError, also for the identity."""

    def decode_scalar(self, data: bytes) -> int:
        """The scalar a peer sent. Raises DecodeError unless it is below the order."""

    def encode_scalar(self, scalar: int) -> bytes:
        """The one encoding of the scalar modulo the order."""

    def random_scalar(self, entropy: Entropy) -> int:
        """A uniform scalar other than zero."""


@dataclass(frozen=True, slots=True)
class Ristretto255:
    """ristretto255: 32-byte elements and little-endian scalars of 32 bytes."""

    name: str = "ristretto255"
    order: int = 2**252 + 27742317777372353535851937790883648493
    element_bytes: int = sodium.POINT_BYTES
    scalar_bytes: int = sodium.SCALAR_BYTES
    identity: bytes = sodium.IDENTITY
    generator: bytes = sodium.scalar_mult_base((1).to_bytes(sodium.SCALAR_BYTES, "little"))

    def mult(self, scalar: int, point: bytes) -> bytes:
        """The point times the scalar."""
        return sodium.scalar_mult((scalar % self.order).to_bytes(32, "little"), point)

    def base(self, scalar: int) -> bytes:
        """The generator times the scalar."""
        return sodium.scalar_mult_base((scalar % self.order).to_bytes(32, "little"))

    def add(self, left: bytes, right: bytes) -> bytes:
        """The sum of two points."""
        return sodium.add(left, right)

    def sub(self, left: bytes, right: bytes) -> bytes:
        """The difference of two points."""
        return sodium.subtract(left, right)

    def sum(self, points: Sequence[bytes]) -> bytes:
        """The sum of all points; of none, the identity."""
        total = points[0] if points else self.identity
        for point in points[1:]:
            total = sodium.add(total, point)
        return total

    def multi(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of all products of a scalar and its point."""
        order = self.order
        encoded = [(scalar % order).to_bytes(32, "little") for scalar in scalars]
        return sodium.sum_of_products(encoded, points, self.generator)

    def hash_to_point(self, label: bytes, data: bytes) -> bytes:
        """A point whose logarithm to any other base nobody knows (RFC 9496, section 4.3.4)."""
        return sodium.point_from_hash(digest(sodium.HASH_BYTES, b"point", self.name.encode(), label, data))

    def decode_point(self, data: bytes) -> bytes:
        """The point a peer sent. Raises DecodeError, also for the identity."""
        if data == self.identity or not sodium.is_point(data):  # libsodium takes the identity for a valid point
            raise DecodeError(f"no point other than the identity: {data.hex()}")
        return data

    def decode_scalar(self, data: bytes) -> int:
        """The scalar a peer sent. Raises DecodeError unless it is below the order."""
        scalar = int.from_bytes(data, "little")
        if len(data) != self.scalar_bytes or scalar >= self.order:  # s + L would be a second encoding of s
            raise DecodeError(f"no scalar below the order: {data.hex()}")
        return scalar

    def encode_scalar(self, scalar: int) -> bytes:
        """The one encoding of the scalar modulo the order."""
        return (scalar % self.order).to_bytes(self.scalar_bytes, "little")

    def random_scalar(self, entropy: Entropy) -> int:
        """A uniform scalar other than zero."""
        return int.from_bytes(entropy(WIDE), "little") % (self.order - 1) + 1


RISTRETTO255 = Ristretto255()
