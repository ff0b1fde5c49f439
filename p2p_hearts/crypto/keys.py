"""A key per peer and hand, the proof that its owner knows it, and the joint key nobody holds. A mail key is another key
of the same kind, which no card is masked with and no joint key holds.

Law: every key in a joint key comes with a proof of knowledge under its owner's context. Without it the last to speak
answers zG − ΣX and reads every card alone (rogue key); with it a copied key fails, since the copier cannot prove it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

HAND, MAIL = b"key", b"mail key"  # the label says what a key is for, so the proof of a hand key proves no mail key


@dataclass(frozen=True, slots=True)
class HandKey:
    """An ElGamal key: public = secret · G."""

    secret: int = field(repr=False)
    public: bytes


def make_key(group: Group, entropy: Entropy) -> HandKey:
    """A new key."""
    secret = group.random_scalar(entropy)
    return HandKey(secret, group.base(secret))


def prove_key(group: Group, context: bytes, key: HandKey, entropy: Entropy, label: bytes = HAND) -> bytes:
    """A proof of knowing the secret of a key (Schnorr 1991)."""
    return sigma.prove(*_statement(group, context, key.public, label), (key.secret,), entropy)


def verify_key(group: Group, context: bytes, public: bytes, proof: bytes, label: bytes = HAND) -> None:
    """Checks a peer's key, which may be any bytes, and its proof.

    Raises DecodeError, ProofError.
    """
    sigma.verify(*_statement(group, context, group.decode_point(public), label), (public,), proof)


def joint_key(group: Group, publics: Sequence[bytes]) -> bytes:
    """The key whose secret is the sum of all secrets, so that only all together can open what it masks.

    Raises ProofError when a key repeats or the sum is the identity; DecodeError when a key is none.
    """
    if len(set(publics)) != len(publics):
        raise ProofError("a joint key needs different keys")
    total = group.sum([group.decode_point(public) for public in publics])
    if total == group.identity:  # as is the sum of no keys
        raise ProofError("the keys add up to the identity")
    return total


def _statement(group: Group, context: bytes, public: bytes, label: bytes) -> tuple[Transcript, tuple[sigma.Row, ...]]:
    transcript = Transcript(group, label, context)
    transcript.append(b"public", public)
    return transcript, (sigma.Row((0,), (group.generator,)),)
