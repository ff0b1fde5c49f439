"""Ed25519 (RFC 8032): who wrote an entry. Identities sign; they take no part in the cards.

Law: what is signed begins with the length and the text of a label, so that a signature under one label is none under
another. Signatures are not unique per message; whoever compares entries compares what was signed."""

from dataclasses import dataclass, field

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.errors import DecodeError, ProofError
from p2p_hearts.crypto.stream import DOMAIN, framed
from p2p_hearts.entropy import Entropy

SIGNATURE_BYTES = sodium.SIGNATURE_BYTES
PUBLIC_BYTES = sodium.POINT_BYTES
_ORDER_PLUS_ONE = (2**252 + 27742317777372353535851937790883648494).to_bytes(32, "little")


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A long-term identity: the seed is its secret, the public key its name."""

    seed: bytes = field(repr=False)
    public: bytes


def make_signing_key(entropy: Entropy) -> SigningKey:
    """A new identity."""
    return signing_key(entropy(sodium.SEED_BYTES))


def signing_key(seed: bytes) -> SigningKey:
    """The identity of a seed that was stored."""
    return SigningKey(seed, sodium.sign_public(seed))


def sign(key: SigningKey, label: bytes, data: bytes) -> bytes:
    """The 64 bytes that say the key's owner wrote this data under this label."""
    return sodium.sign_detached(key.seed, framed(DOMAIN + label, data))


def verify(public: bytes, label: bytes, data: bytes, signature: bytes) -> None:
    """Checks a signature of a key that has passed `check_public`.

    Raises ProofError.
    """
    if not sodium.sign_verify(public, framed(DOMAIN + label, data), signature):
        raise ProofError(f"no signature of {public.hex()[:8]} under {label!r}")


def check_public(public: bytes) -> bytes:
    """The key, if it is the canonical encoding of a point of prime order.

    Raises DecodeError: with a key of small or mixed order one signature could fit several messages, or one key be written
    in several ways. libsodium before 2026 takes P + (0, −1) for a point of prime order (CVE-2025-69277), so we check
    ourselves: (L + 1)·P = P holds only if L·P is the identity.
    """
    if len(public) != PUBLIC_BYTES or sodium.edwards_mult(_ORDER_PLUS_ONE, public) != public:
        raise DecodeError(f"no Ed25519 key of prime order: {public.hex()}")
    return public
