"""Shares: only right ones pass, alone or in a batch, and they open what they should."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from p2p_hearts.crypto import reveal, sigma
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey, joint_key, make_key
from p2p_hearts.crypto.masking import Masked, card_of, remask, start_deck
from p2p_hearts.crypto.reveal import apply_shares, make_shares, open_card, verify_shares
from p2p_hearts.entropy import Entropy

Spoil = Callable[[bytes], Iterator[bytes]]


@pytest.fixture
def key(group: Group, entropy: Entropy) -> HandKey:
    """The key whose shares are tested."""
    return make_key(group, entropy)


@pytest.fixture
def cards(group: Group, entropy: Entropy, key: HandKey) -> tuple[Masked, ...]:
    """Four cards under that key."""
    return tuple(remask(group, key.public, card, group.random_scalar(entropy)) for card in start_deck(group)[:4])


def test_a_deal(group: Group, entropy: Entropy, context: bytes) -> None:
    """With the shares of all others a card is its owner's alone; with the owner's too it is open to all."""
    keys = [make_key(group, entropy) for _ in range(4)]
    joint = joint_key(group, [key.public for key in keys])
    deck = [remask(group, joint, card, group.random_scalar(entropy)) for card in start_deck(group)[40:50]]
    dealt = [make_shares(group, context, key, deck, entropy) for key in keys]
    for key, (shares, proof) in zip(keys, dealt, strict=True):
        verify_shares(group, context, key.public, deck, shares, proof)
    for slot, card in enumerate(deck):
        others = apply_shares(group, card, [shares[slot] for shares, _ in dealt[1:]])
        assert open_card(group, keys[0], others) == 40 + slot
        assert open_card(group, keys[1], others) is None
        own = make_shares(group, context, keys[0], [others], entropy)
        verify_shares(group, context, keys[0].public, [others], *own)
        assert card_of(group, apply_shares(group, others, own[0]).b) == 40 + slot


def test_no_shares_change_nothing(group: Group, cards: tuple[Masked, ...]) -> None:
    """A card without shares stays as masked as it was."""
    assert apply_shares(group, cards[0], []) == cards[0]


@pytest.mark.parametrize("count", [1, 4])
def test_spoilt_proofs(
    group: Group,
    entropy: Entropy,
    context: bytes,
    key: HandKey,
    cards: tuple[Masked, ...],
    spoil: Spoil,
    second_encodings: Spoil,
    count: int,
) -> None:
    """A proof has two fields, of which none can be changed, left out, added or written in a second way."""
    shares, proof = make_shares(group, context, key, cards[:count], entropy)
    verify_shares(group, context, key.public, cards[:count], shares, proof)
    assert len(proof) == 2 * group.scalar_bytes
    for spoilt in (*spoil(proof), *second_encodings(proof)):
        with pytest.raises(CryptoError):
            verify_shares(group, context, key.public, cards[:count], shares, spoilt)


def test_spoilt_shares(group: Group, entropy: Entropy, context: bytes, key: HandKey, cards: tuple[Masked, ...]) -> None:
    """Shares changed, swapped, doubled, removed, added, the identity or no point at all are refused."""
    shares, proof = make_shares(group, context, key, cards, entropy)
    first, second, *rest = shares
    for spoilt in (
        (group.add(first, group.generator), second, *rest),
        (second, first, *rest),
        (second, second, *rest),
        (second, *rest),
        (first, *shares),
        (),
    ):
        with pytest.raises(ProofError):
            verify_shares(group, context, key.public, cards, spoilt, proof)
    for no_point in (group.identity, b"", b"\xff" * group.element_bytes):
        with pytest.raises(DecodeError):
            verify_shares(group, context, key.public, cards, (no_point, second, *rest), proof)


def test_the_whole_statement_is_hashed(group: Group, context: bytes, key: HandKey, cards: tuple[Masked, ...]) -> None:
    """Weights and challenge depend on context, key, every card and every share."""
    shares = [card.a for card in cards]
    other = Masked(cards[0].a, cards[0].a)
    statements = (
        (context, key.public, cards, shares),
        (context[::-1], key.public, cards, shares),
        (context, group.generator, cards, shares),
        (context, key.public, (*cards[:3], other), shares),
        (context, key.public, cards, [*shares[:3], group.generator]),
        (context, key.public, cards, shares[::-1]),
    )
    weights = {tuple(reveal._statement(group, *statement)[1]) for statement in statements}
    assert len(weights) == len(statements)


def test_plain_sum_attack(
    group: Group, entropy: Entropy, context: bytes, key: HandKey, cards: tuple[Masked, ...]
) -> None:
    """D₀ + G and D₁ − G have the right sum; the weights tell them apart, even when the false shares are in the proof."""
    shares, _ = make_shares(group, context, key, cards, entropy)
    for first, second in ((0, 1), (2, 3)):
        lying = list(shares)
        lying[first] = group.add(lying[first], group.generator)
        lying[second] = group.sub(lying[second], group.generator)
        assert group.sum(lying) == group.sum(shares)
        proof = _prove(group, context, key, cards, lying, entropy)
        with pytest.raises(ProofError):
            verify_shares(group, context, key.public, cards, lying, proof)


def test_a_false_share_proved(
    group: Group, entropy: Entropy, context: bytes, key: HandKey, cards: tuple[Masked, ...]
) -> None:
    """A share made with another secret, alone or among right ones, cannot be proved."""
    other = make_key(group, entropy)
    for count in (1, 4):
        shares, _ = make_shares(group, context, key, cards[:count], entropy)
        lying = [*shares[:-1], group.mult(other.secret, cards[count - 1].a)]
        for prover in (key, HandKey(other.secret, key.public)):
            proof = _prove(group, context, prover, cards[:count], lying, entropy)
            with pytest.raises(ProofError):
                verify_shares(group, context, key.public, cards[:count], lying, proof)


def test_a_proof_belongs_to_one_statement(
    group: Group, entropy: Entropy, context: bytes, key: HandKey, cards: tuple[Masked, ...]
) -> None:
    """Replayed in another context, for another key or for other cards a proof fails."""
    shares, proof = make_shares(group, context, key, cards, entropy)
    other = make_key(group, entropy)
    changed = (Masked(cards[0].a, group.add(cards[0].b, group.generator)), *cards[1:])
    for statement in (
        (context[::-1], key.public, cards),
        (context, other.public, cards),
        (context, key.public, cards[::-1]),
        (context, key.public, changed),
        (context, key.public, cards[:3]),
    ):
        with pytest.raises(ProofError):
            verify_shares(group, *statement, shares, proof)


def test_no_cards(group: Group, entropy: Entropy, context: bytes, key: HandKey) -> None:
    """Shares of nothing prove nothing."""
    with pytest.raises(ProofError):
        make_shares(group, context, key, (), entropy)
    with pytest.raises(ProofError):
        verify_shares(group, context, key.public, (), (), bytes(2 * group.scalar_bytes))


def test_proofs_are_fresh(
    group: Group, entropy: Entropy, context: bytes, key: HandKey, cards: tuple[Masked, ...]
) -> None:
    """The shares of a card are always the same, their proofs never."""
    (shares, proof), (again, other) = (make_shares(group, context, key, cards, entropy) for _ in range(2))
    assert shares == again
    assert proof != other


def _prove(
    group: Group, context: bytes, key: HandKey, cards: Sequence[Masked], shares: Sequence[bytes], entropy: Entropy
) -> bytes:
    """The prover of `reveal`, but for any shares."""
    transcript, weights = reveal._statement(group, context, key.public, cards, shares)
    a = sigma.weighted(group, weights, [card.a for card in cards])
    return sigma.prove(transcript, reveal._rows(group, a), (key.secret,), entropy)
