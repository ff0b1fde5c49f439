"""Both groups obey the laws the proofs rest on, and ristretto255 is the one of RFC 9496."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.entropy import Entropy

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors" / "ristretto255.json"
RFC_9496: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["tests"]


def _rfc(flag: str) -> list[dict[str, Any]]:
    found = [test for test in RFC_9496 if flag in test["flags"]]
    assert found
    return found


def test_multiples_of_the_generator() -> None:
    """RFC 9496, A.1: 0·G … 15·G, by multiplication and by adding."""
    running = RISTRETTO255.identity
    tests = _rfc("multiple")
    for test in tests:
        expected = bytes.fromhex(test["element"])
        assert RISTRETTO255.base(test["scalar"]) == running == expected
        assert RISTRETTO255.mult(test["scalar"], RISTRETTO255.generator) == expected
        running = RISTRETTO255.add(running, RISTRETTO255.generator)
    assert len(tests) == 16


@pytest.mark.parametrize("test", _rfc("encoding"), ids=lambda test: f"{test['id']} {test['comment']}")
def test_invalid_encodings(test: dict[str, Any]) -> None:
    """RFC 9496, A.2: no bytes but the canonical encodings are elements; and a peer may not send the identity."""
    with pytest.raises(DecodeError):
        RISTRETTO255.decode_point(bytes.fromhex(test["element"]))


@pytest.mark.parametrize("test", _rfc("one-way map"), ids=lambda test: str(test["id"]))
def test_one_way_map(test: dict[str, Any]) -> None:
    """RFC 9496, A.3: the element that 64 uniform bytes are mapped to."""
    assert sodium.point_from_hash(bytes.fromhex(test["uniform"])).hex() == test["element"]


def test_one_way_map_of_a_text() -> None:
    """RFC 9496, A.3 hashes its sentences with SHA-512, the first being this one."""
    digest = hashlib.sha512(b"Ristretto is traditionally a short shot of espresso coffee").digest()
    expected = "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"
    assert sodium.point_from_hash(digest).hex() == expected


def test_module_laws(group: Group, entropy: Entropy) -> None:
    """(x + y)·P = x·P + y·P; x·(y·P) = xy·P; P − P is the identity; order·P too."""
    x, y = group.random_scalar(entropy), group.random_scalar(entropy)
    point = group.hash_to_point(b"test", b"P")
    assert group.mult(x + y, point) == group.add(group.mult(x, point), group.mult(y, point))
    assert group.mult(x, group.mult(y, point)) == group.mult(x * y, point)
    assert group.sub(point, point) == group.mult(group.order, point) == group.mult(0, point) == group.identity
    assert group.mult(-1, point) == group.sub(group.identity, point)
    assert group.base(x) == group.mult(x, group.generator)
    assert group.add(point, group.identity) == point


def test_sums(group: Group, entropy: Entropy) -> None:
    """`multi` and `sum` are what single operations give, also with zeros, the generator and nothing in them."""
    points = [group.generator, group.hash_to_point(b"test", b"P"), group.hash_to_point(b"test", b"Q"), group.identity]
    scalars = [group.random_scalar(entropy), 0, -group.random_scalar(entropy), 5]
    by_hand = group.identity
    for scalar, point in zip(scalars, points, strict=True):
        by_hand = group.add(by_hand, group.mult(scalar, point))
    assert group.multi(scalars, points) == by_hand
    assert group.multi([], []) == group.sum([]) == group.identity
    assert group.sum(points) == group.add(group.add(points[0], points[1]), points[2])
    assert group.multi([1, -1], [points[1], points[1]]) == group.identity


def test_one_encoding_of_a_scalar(group: Group) -> None:
    """A scalar from a peer is below the order and has the right length; s + order is none."""
    for scalar in (0, 1, group.order - 1):
        assert group.decode_scalar(scalar.to_bytes(group.scalar_bytes, "little")) == scalar
        assert group.encode_scalar(scalar + group.order) == scalar.to_bytes(group.scalar_bytes, "little")
    for wrong in (group.order, group.order + 1, 2 ** (8 * group.scalar_bytes) - 1):
        with pytest.raises(DecodeError):
            group.decode_scalar(wrong.to_bytes(group.scalar_bytes, "little"))
    for size in (0, group.scalar_bytes - 1, group.scalar_bytes + 1):
        with pytest.raises(DecodeError):
            group.decode_scalar(bytes(size))


def test_no_peer_sends_the_identity(group: Group) -> None:
    """The identity as key, card or commitment would void what is proved about it, so the parser refuses it."""
    for data in (group.identity, b"", group.generator[:-1], group.generator + b"\0", b"\xff" * group.element_bytes):
        with pytest.raises(DecodeError):
            group.decode_point(data)
    assert group.decode_point(group.generator) == group.generator


def test_one_encoding_of_a_point(group: Group) -> None:
    """No element, the identity least of all, comes through the parser with its highest bit set: libsodium lets both in."""
    for scalar in range(16):
        point = group.base(scalar)
        with pytest.raises(DecodeError):
            group.decode_point(point[:-1] + bytes((point[-1] | 0x80,)))


def test_hashed_points_differ(group: Group) -> None:
    """Label and data both decide the point, and their border too."""
    points = {group.hash_to_point(*pair) for pair in ((b"a", b"bc"), (b"ab", b"c"), (b"b", b"bc"), (b"a", b"bd"))}
    assert len(points) == 4


def test_random_scalars_are_not_zero(group: Group) -> None:
    """A secret is uniform and never zero, whatever the random source gives."""
    assert group.random_scalar(bytes) == 1
    assert 0 < group.random_scalar(lambda size: b"\xff" * size) < group.order
