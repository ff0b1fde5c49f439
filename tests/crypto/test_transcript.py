"""Challenges depend on everything said, nonces on everything secret as well, and on fresh randomness."""

import hashlib

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import make_key, prove_key
from p2p_hearts.crypto.stream import digest, framed, seeded
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy


def _challenge(*appended: tuple[bytes, ...], label: bytes = b"label", context: bytes = b"context") -> int:
    transcript = Transcript(RISTRETTO255, label, context)
    for label_of_items, *items in appended:
        transcript.append(label_of_items, *items)
    return transcript.challenge()


def test_framing() -> None:
    """Each part stands behind its length in four bytes."""
    assert framed(b"ab", b"", b"c") == b"\0\0\0\2ab\0\0\0\0\0\0\0\1c"
    assert framed() == b""


def test_digest_is_shake_256() -> None:
    """A digest is SHAKE-256 over the framed label and parts."""
    expected = hashlib.shake_256(b"\0\0\0\x0fp2p-hearts/1/ab\0\0\0\1c").digest(40)
    assert digest(40, b"ab", b"c") == expected


def test_every_word_counts() -> None:
    """Label, context, items, their borders, their grouping and their order all change the challenge."""
    challenges = [
        _challenge(),
        _challenge(label=b"other"),
        _challenge(label=b"labe", context=b"lcontext"),
        _challenge(context=b"Context"),
        _challenge((b"a", b"bc")),
        _challenge((b"ab", b"c")),
        _challenge((b"a", b"b", b"c")),
        _challenge((b"a", b"b"), (b"c",)),
        _challenge((b"a",), (b"b", b"c")),
        _challenge((b"a", b"c", b"b")),
        _challenge((b"a", framed(b"b", b"c"))),
        _challenge((b"a", b"b", b"c", b"")),
    ]
    assert len(set(challenges)) == len(challenges)


def test_challenges_follow_each_other(group: Group) -> None:
    """Challenges asked for one after another differ, and depend on how they are asked for."""
    first, second = Transcript(group, b"label", b"context"), Transcript(group, b"label", b"context")
    assert first.challenges(2) != second.challenges(2, 16)
    assert first.challenge() != second.challenge()
    one = first.challenge()
    assert one != first.challenge()


def test_groups_have_different_challenges(group: Group) -> None:
    """The group's name is part of the transcript."""
    other = Transcript(RISTRETTO255, b"label", b"context").secret((), bytes, 32)
    assert (Transcript(group, b"label", b"context").secret((), bytes, 32) == other) == (group == RISTRETTO255)


def test_weights_have_128_bits() -> None:
    """A weight is a number of 16 bytes."""
    weights = Transcript(RISTRETTO255, b"label", b"context").challenges(50, 16)
    assert 2**120 < max(weights) < 2**128


def test_nonces_need_transcript_witness_and_entropy(stuck: Entropy) -> None:
    """With a broken random source, another statement or another witness still gets other nonces."""

    def nonce(context: bytes, witness: int, entropy: Entropy) -> int:
        return Transcript(RISTRETTO255, b"label", context).nonces((witness,), entropy, 1)[0]

    nonces = [
        nonce(b"context", 1, stuck),
        nonce(b"another", 1, stuck),
        nonce(b"context", 2, stuck),
        nonce(b"context", 1, seeded(b"a")),
    ]
    assert len(set(nonces)) == len(nonces)
    assert nonce(b"context", 1, stuck) == nonces[0]


def test_a_broken_random_source_does_not_betray_the_key(group: Group, entropy: Entropy, stuck: Entropy) -> None:
    """Two proofs with one nonce give the key away: (s − s′) ÷ (c − c′). Those of a stuck source have two nonces."""
    key = make_key(group, entropy)
    (c, s), (c2, s2) = (
        sigma.decode_scalars(group, prove_key(group, context, key, stuck), 2) for context in (b"one hand", b"another")
    )
    assert (s - s2) * pow(c - c2, -1, group.order) % group.order != key.secret


def test_the_stream_of_a_seed() -> None:
    """Call i gives the digest of seed and i; a stream goes on, another seed gives another."""
    stream = seeded(b"seed")
    assert stream(3) == digest(3, b"stream", b"seed", bytes(8))
    assert stream(40) == digest(40, b"stream", b"seed", bytes(7) + b"\1")
    assert seeded(b"seed")(40) != seeded(b"seee")(40)
