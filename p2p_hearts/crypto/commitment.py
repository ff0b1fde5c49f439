"""Commit and open, and what is drawn from openings: a joint value, a permutation nobody chose.

Laws: a commitment hides by a salt of 32 random bytes and binds to label and context (which names its author, so that
a copied one is worthless); a joint value is a hash of all nonces in roster order, never a sum, which the last could steer."""

from collections.abc import Sequence

from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.stream import digest, framed, seeded

COMMITMENT_BYTES = SALT_BYTES = JOINT_BYTES = 32
_WORD = 2**32


def commit(label: bytes, context: bytes, value: bytes, salt: bytes) -> bytes:
    """The 32 bytes that fix the value and say nothing about it."""
    return digest(COMMITMENT_BYTES, b"commitment", label, context, value, salt)


def check(label: bytes, context: bytes, value: bytes, salt: bytes, commitment: bytes) -> None:
    """Checks that value and salt open the commitment.

    Raises ProofError.
    """
    if len(salt) != SALT_BYTES or commit(label, context, value, salt) != commitment:
        raise ProofError(f"no opening of the commitment under {label!r}")


def joint_value(label: bytes, context: bytes, nonces: Sequence[bytes]) -> bytes:
    """The 32 bytes that everybody's opened nonces, in roster order, give together."""
    return digest(JOINT_BYTES, b"joint value", label, context, framed(*nonces))


def permutation(seed: bytes, size: int) -> tuple[int, ...]:
    """A uniform permutation of 0 … size − 1: Fisher–Yates, with words that would favour some places rejected."""
    draw = seeded(seed)
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        choices = last + 1
        word = _WORD
        while word >= _WORD - _WORD % choices:
            word = int.from_bytes(draw(4), "big")
        places[last], places[word % choices] = places[word % choices], places[last]
    return tuple(places)
