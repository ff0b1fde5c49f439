"""A group for the simulation: integers modulo the prime 2⁶¹ − 1 under addition.

The algebra is that of `crypto.group`, so every stage and every honest proof works as in play, about 25 times cheaper. It
keeps no secret: a logarithm is a division. Its name is part of the protocol version, so that no real peer takes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.stream import digest
from p2p_hearts.entropy import Entropy

_WIDE = 16  # bytes: so many are uniform modulo the order but for 2⁻⁶⁷


@dataclass(frozen=True, slots=True)
class TinyGroup:
    """Elements and scalars are integers below 2⁶¹ − 1 in eight bytes, little-endian."""

    name: str = "tiny61"
    order: int = 2**61 - 1
    element_bytes: int = 8
    scalar_bytes: int = 8
    identity: bytes = bytes(8)
    generator: bytes = (1).to_bytes(8, "little")

    def mult(self, scalar: int, point: bytes) -> bytes:
        """The point times the scalar."""
        return self._encode(scalar * self._value(point))

    def base(self, scalar: int) -> bytes:
        """The generator times the scalar."""
        return self._encode(scalar)

    def add(self, left: bytes, right: bytes) -> bytes:
        """The sum of two points."""
        return self._encode(self._value(left) + self._value(right))

    def sub(self, left: bytes, right: bytes) -> bytes:
        """The difference of two points."""
        return self._encode(self._value(left) - self._value(right))

    def sum(self, points: Sequence[bytes]) -> bytes:
        """The sum of all points; of none, the identity."""
        return self._encode(sum(map(self._value, points)))

    def multi(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of all products of a scalar and its point."""
        return self._encode(sum(x * self._value(point) for x, point in zip(scalars, points, strict=True)))

    def hash_to_point(self, label: bytes, data: bytes) -> bytes:
        """A point other than the identity."""
        wide = digest(_WIDE, b"point", self.name.encode(), label, data)
        return self._encode(int.from_bytes(wide, "little") % (self.order - 1) + 1)

    def decode_point(self, data: bytes) -> bytes:
        """The point a peer sent. Raises DecodeError, also for the identity."""
        if not self._value(data):
            raise DecodeError("the identity")
        return data

    def decode_scalar(self, data: bytes) -> int:
        """The scalar a peer sent. Raises DecodeError unless it is below the order."""
        return self._value(data)

    def encode_scalar(self, scalar: int) -> bytes:
        """The one encoding of the scalar modulo the order."""
        return self._encode(scalar)

    def random_scalar(self, entropy: Entropy) -> int:
        """A uniform scalar other than zero."""
        return int.from_bytes(entropy(_WIDE), "little") % (self.order - 1) + 1

    def _encode(self, value: int) -> bytes:
        return (value % self.order).to_bytes(8, "little")

    def _value(self, data: bytes) -> int:
        value = int.from_bytes(data, "little")
        if len(data) != self.element_bytes or value >= self.order:
            raise DecodeError(f"no integer below the order: {data.hex()}")
        return value


TINY = TinyGroup()
