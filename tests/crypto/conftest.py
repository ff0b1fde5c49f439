"""What the tests of the cryptography share: both groups, randomness from a seed, the ways to spoil bytes."""

from collections.abc import Callable, Iterator
from typing import cast

import pytest

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.entropy import Entropy
from p2p_hearts.simulation.tiny_group import TINY

Spoil = Callable[[bytes], Iterator[bytes]]


@pytest.fixture(params=[RISTRETTO255, TINY], ids=lambda group: cast("Group", group).name)
def group(request: pytest.FixtureRequest) -> Group:
    """Every proof works the same in both groups."""
    return cast("Group", request.param)


@pytest.fixture
def entropy(request: pytest.FixtureRequest) -> Entropy:
    """The same bytes in every run, others in every test."""
    return seeded(request.node.name.encode())


@pytest.fixture
def context() -> bytes:
    """A context as the protocol makes it: 32 bytes."""
    return b"table, hand, author, purpose ..."


@pytest.fixture
def spoil(group: Group) -> Spoil:
    """Every way to spoil a proof that is a row of fields of one size: flipped, doubled in encoding, cut, extended."""
    size = group.element_bytes

    def spoiled(proof: bytes) -> Iterator[bytes]:
        for at in range(0, len(proof), size):
            before, field, after = proof[:at], proof[at : at + size], proof[at + size :]
            yield before + bytes((field[0] ^ 1,)) + field[1:] + after
            yield before + field[:-1] + bytes((field[-1] ^ 0x80,)) + after
            yield before + bytes(size) + after
            yield before + after
        yield proof + bytes(size)
        yield proof[:-1]
        yield b""

    return spoiled


@pytest.fixture
def second_encodings(group: Group) -> Spoil:
    """Each scalar s of a proof replaced by s + order, which means the same and must not pass."""
    size = group.scalar_bytes

    def others(proof: bytes) -> Iterator[bytes]:
        for at in range(0, len(proof), size):
            scalar = int.from_bytes(proof[at : at + size], "little") + group.order
            yield proof[:at] + scalar.to_bytes(size, "little") + proof[at + size :]

    return others


@pytest.fixture
def stuck() -> Entropy:
    """A random source that has broken: always the same bytes."""
    return bytes
