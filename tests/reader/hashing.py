"""Hashes, commitments, orders drawn from a seed, and words for people: `encoding.md` P15, `cryptography.md` 3 and 12,
`lobby.md` P57."""

from collections.abc import Iterable
from hashlib import shake_256

DOMAIN = b"p2p-hearts/1/"
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"


def framed(*parts: bytes) -> bytes:
    """Every part behind its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def digest(size: int, label: str, *parts: bytes) -> bytes:
    """`size` bytes that depend on the label and every part."""
    return shake_256(framed(DOMAIN + label.encode(), *parts)).digest(size)


def fingerprint(label: str, *parts: bytes) -> bytes:
    """H of P15."""
    return digest(32, label, *parts)


def commitment(label: str, context: bytes, value: bytes, salt: bytes) -> bytes:
    """What a value and a salt are committed to with."""
    return fingerprint("commitment", label.encode(), context, value, salt)


def joint_value(label: str, context: bytes, nonces: Iterable[bytes]) -> bytes:
    """What all nonces together give."""
    return fingerprint("joint value", label.encode(), context, framed(*nonces))


def drawn(seed: bytes, call: int, size: int) -> bytes:
    """What the `call`-th call draws from a seed."""
    return digest(size, "stream", seed, call.to_bytes(8, "big"))


def permutation(seed: bytes, size: int) -> tuple[int, ...]:
    """The order that a seed gives: Fisher–Yates with rejection."""
    places, call = list(range(size)), 0
    for last in range(size - 1, 0, -1):
        word = 2**32
        while word >= 2**32 - 2**32 % (last + 1):
            word, call = int.from_bytes(drawn(seed, call, 4), "big"), call + 1
        other = word % (last + 1)
        places[last], places[other] = places[other], places[last]
    return tuple(places)


def words(value: bytes, count: int) -> tuple[str, ...]:
    """The first bits of a value as words of eleven bits each."""
    bits = "".join(f"{byte:08b}" for byte in value)
    spoken = []
    for place in range(count):
        a, b = divmod(int(bits[11 * place : 11 * place + 11], 2), 32)
        spoken.append(CONSONANTS[a // 4] + VOWELS[a % 4] + CONSONANTS[b // 2] + VOWELS[2 * (b % 2) + 1])
    return tuple(spoken)
