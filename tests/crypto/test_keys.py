"""Keys: only who knows a secret may add a key, and nobody alone may steer the joint key."""

from collections.abc import Callable, Iterator

import pytest

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HAND, MAIL, HandKey, joint_key, make_key, prove_key, verify_key
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

Spoil = Callable[[bytes], Iterator[bytes]]


def test_an_honest_key(group: Group, entropy: Entropy, context: bytes) -> None:
    """The proof of an honest key verifies, has its one length and differs each time."""
    key = make_key(group, entropy)
    proofs = [prove_key(group, context, key, entropy) for _ in range(2)]
    for proof in proofs:
        verify_key(group, context, key.public, proof)
        assert len(proof) == 2 * group.scalar_bytes
    assert proofs[0] != proofs[1]
    assert key.public == group.mult(key.secret, group.generator)


def test_spoilt_proofs(group: Group, entropy: Entropy, context: bytes, spoil: Spoil, second_encodings: Spoil) -> None:
    """No field can be changed, left out, added or written in a second way."""
    key = make_key(group, entropy)
    proof = prove_key(group, context, key, entropy)
    for spoilt in (*spoil(proof), *second_encodings(proof)):
        with pytest.raises(CryptoError):
            verify_key(group, context, key.public, spoilt)


def test_a_proof_belongs_to_one_context(group: Group, entropy: Entropy, context: bytes) -> None:
    """Replayed at another table, in another hand or under another author a proof fails; so does a copied key."""
    key = make_key(group, entropy)
    proof = prove_key(group, context, key, entropy)
    with pytest.raises(ProofError):
        verify_key(group, context[::-1], key.public, proof)


def test_a_proof_belongs_to_one_key(group: Group, entropy: Entropy, context: bytes) -> None:
    """The proof of one key is none of another, and bytes that are no key have none."""
    key, other = make_key(group, entropy), make_key(group, entropy)
    proof = prove_key(group, context, key, entropy)
    with pytest.raises(ProofError):
        verify_key(group, context, other.public, proof)
    for public in (group.identity, b"", key.public[:-1], key.public + b"\0", b"\xff" * group.element_bytes):
        with pytest.raises(DecodeError):
            verify_key(group, context, public, proof)


def test_the_identity_is_no_key(group: Group, context: bytes, entropy: Entropy) -> None:
    """The secret 0 is known to everybody; a correct proof of it does not help."""
    again = group.identity[:-1] + b"\x80"  # what libsodium takes for the identity too
    for public in (group.identity, again):
        proof = prove_key(group, context, HandKey(0, public), entropy)
        with pytest.raises(DecodeError):
            verify_key(group, context, public, proof)


def test_a_mail_key_is_no_hand_key(group: Group, entropy: Entropy, context: bytes) -> None:
    """The proof of a key for one purpose proves it for no other."""
    key = make_key(group, entropy)
    mail, hand = prove_key(group, context, key, entropy, MAIL), prove_key(group, context, key, entropy, HAND)
    verify_key(group, context, key.public, mail, MAIL)
    verify_key(group, context, key.public, hand)
    for proof, label in ((mail, HAND), (hand, MAIL)):
        with pytest.raises(ProofError):
            verify_key(group, context, key.public, proof, label)


def test_rogue_key(group: Group, entropy: Entropy, context: bytes) -> None:
    """With zG − ΣX the last to speak makes the joint key one he knows alone, but cannot prove to know what he added."""
    honest = [make_key(group, entropy) for _ in range(5)]
    z = group.random_scalar(entropy)
    rogue = group.sub(group.base(z), group.sum([key.public for key in honest]))
    assert joint_key(group, [*(key.public for key in honest), rogue]) == group.base(z)
    with pytest.raises(ProofError):
        verify_key(group, context, rogue, prove_key(group, context, HandKey(z, rogue), entropy))


def test_weak_fiat_shamir(group: Group, entropy: Entropy, context: bytes) -> None:
    """A key chosen after its own challenge, X = (sG − T) ÷ c, is refused, since the challenge depends on X."""
    commitment, s = group.hash_to_point(b"test", b"T"), group.random_scalar(entropy)
    transcript = Transcript(group, b"key", context)
    transcript.append(b"sigma", commitment)
    c = transcript.challenge()
    forged = group.mult(pow(c, -1, group.order), group.sub(group.base(s), commitment))
    with pytest.raises(ProofError):
        verify_key(group, context, forged, group.encode_scalar(c) + group.encode_scalar(s))


def test_the_nonce_is_not_in_the_proof(group: Group, entropy: Entropy, context: bytes) -> None:
    """Whoever reads (c, s) as (nonce, response), as two published card games send them, does not find the key."""
    key = make_key(group, entropy)
    c, s = sigma.decode_scalars(group, prove_key(group, context, key, entropy), 2)
    nonce = (s - c * key.secret) % group.order
    assert nonce not in {c, s, 0}


def test_joint_key_is_the_sum(group: Group, entropy: Entropy) -> None:
    """The secret of the joint key is the sum of all secrets."""
    keys = [make_key(group, entropy) for _ in range(11)]
    assert joint_key(group, [key.public for key in keys]) == group.base(sum(key.secret for key in keys))


def test_joint_key_refuses(group: Group, entropy: Entropy) -> None:
    """A key twice, the identity, a sum that is the identity, bytes that are no key and no keys at all are refused."""
    key = make_key(group, entropy)
    opposite = group.sub(group.identity, key.public)
    for publics in ([key.public] * 2, [key.public, opposite], [key.public, group.identity], [key.public, b"x"], []):
        with pytest.raises(CryptoError):
            joint_key(group, publics)


def test_secrets_are_not_printed(group: Group, entropy: Entropy) -> None:
    """What shows a key shows its public half."""
    key = make_key(group, entropy)
    assert "secret" not in repr(key)
