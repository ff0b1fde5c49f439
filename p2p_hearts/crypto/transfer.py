"""A card passed on: from under my mask to under the receiver's, with proof that it is the same card.

Proved is knowledge of x and r with X = x·G, a′ = r·G, b′ − b = r·Z − x·a: so b′ − r·Z = b − x·a, the card that X masks.
The form is that of proxy re-encryption proofs (Jakobsson 1999); as three rows of one linear map it needs no more than
the soundness of `sigma`."""

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.crypto.masking import Masked, unmask
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy


def transfer(
    group: Group, context: bytes, key: HandKey, receiver_public: bytes, card: Masked, entropy: Entropy
) -> tuple[Masked, bytes]:
    """The card masked for the receiver, and the proof."""
    randomness = group.random_scalar(entropy)
    point = unmask(group, key.secret, card)
    passed = Masked(group.base(randomness), group.add(point, group.mult(randomness, receiver_public)))
    transcript, rows = _statement(group, context, key.public, receiver_public, card, passed)
    return passed, sigma.prove(transcript, rows, (key.secret, randomness), entropy)


def verify_transfer(
    group: Group, context: bytes, public: bytes, receiver_public: bytes, card: Masked, passed: Masked, proof: bytes
) -> None:
    """Checks that `passed` (from `decode_masked`) is the card of `public`, masked for the receiver.

    Raises DecodeError, ProofError.
    """
    if group.identity in passed:
        raise ProofError("a passed card with the identity in it")
    transcript, rows = _statement(group, context, public, receiver_public, card, passed)
    sigma.verify(transcript, rows, (public, passed.a, group.sub(passed.b, card.b)), proof)


def _statement(
    group: Group, context: bytes, public: bytes, receiver_public: bytes, card: Masked, passed: Masked
) -> tuple[Transcript, tuple[sigma.Row, ...]]:
    transcript = Transcript(group, b"transfer", context)
    transcript.append(b"keys", public, receiver_public)
    transcript.append(b"cards", *card, *passed)
    minus_a = group.sub(group.identity, card.a)
    own = sigma.Row((0,), (group.generator,))
    mask = sigma.Row((1,), (group.generator,))
    same = sigma.Row((0, 1), (minus_a, receiver_public))
    return transcript, (own, mask, same)
