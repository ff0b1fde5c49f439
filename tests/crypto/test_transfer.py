"""A passed card is the card that was held, and only its receiver can read it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from p2p_hearts.crypto import sigma, transfer
from p2p_hearts.crypto.errors import CryptoError, ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey, make_key
from p2p_hearts.crypto.masking import Masked, card_point, remask, start_deck
from p2p_hearts.crypto.reveal import open_card
from p2p_hearts.crypto.transfer import verify_transfer
from p2p_hearts.entropy import Entropy

Spoil = Callable[[bytes], Iterator[bytes]]
QUEEN, KING = 49, 50


@dataclass(frozen=True, slots=True)
class Case:
    """The queen of spades, passed on."""

    group: Group
    context: bytes
    giver: HandKey
    receiver: HandKey
    card: Masked
    passed: Masked
    proof: bytes

    def verify(self, *, passed: Masked | None = None, proof: bytes | None = None) -> None:
        """Verifies it, with some part replaced."""
        shown = self.passed if passed is None else passed
        verify_transfer(
            self.group,
            self.context,
            self.giver.public,
            self.receiver.public,
            self.card,
            shown,
            self.proof if proof is None else proof,
        )


@pytest.fixture
def case(group: Group, entropy: Entropy, context: bytes) -> Case:
    """An honest pass."""
    giver, receiver = make_key(group, entropy), make_key(group, entropy)
    card = remask(group, giver.public, start_deck(group)[QUEEN], group.random_scalar(entropy))
    passed, proof = transfer.transfer(group, context, giver, receiver.public, card, entropy)
    return Case(group, context, giver, receiver, card, passed, proof)


def test_an_honest_pass(case: Case) -> None:
    """The proof verifies and has its one length; the receiver reads the card, the giver no longer does."""
    case.verify()
    assert len(case.proof) == 3 * case.group.scalar_bytes
    assert open_card(case.group, case.receiver, case.passed) == QUEEN
    assert open_card(case.group, case.giver, case.passed) is None


def test_spoilt_proofs(case: Case, spoil: Spoil, second_encodings: Spoil) -> None:
    """No field can be changed, left out, added or written in a second way."""
    for spoilt in (*spoil(case.proof), *second_encodings(case.proof)):
        with pytest.raises(CryptoError):
            case.verify(proof=spoilt)


def test_spoilt_cards(case: Case) -> None:
    """A passed card changed, with its points swapped, with the identity or with bytes that are no point is refused."""
    group, (a, b) = case.group, case.passed
    no_point = b"\xff" * group.element_bytes
    for passed in (
        Masked(group.add(a, group.generator), b),
        Masked(a, group.add(b, group.generator)),
        Masked(b, a),
        Masked(group.identity, b),
        Masked(a, group.identity),
        Masked(no_point, b),
        Masked(a, no_point),
        Masked(b"", b),
        case.card,
    ):
        with pytest.raises(CryptoError):
            case.verify(passed=passed)


def test_a_remasked_pass_needs_its_own_proof(case: Case, entropy: Entropy) -> None:
    """ElGamal is malleable: anybody can remask a passed card, but the proof does not come along."""
    remasked = remask(case.group, case.receiver.public, case.passed, case.group.random_scalar(entropy))
    assert open_card(case.group, case.receiver, remasked) == QUEEN
    with pytest.raises(ProofError):
        case.verify(passed=remasked)


def test_a_proof_belongs_to_one_statement(case: Case, entropy: Entropy) -> None:
    """Replayed in another context, between other players or for another card a proof fails."""
    group, context, giver, receiver = case.group, case.context, case.giver.public, case.receiver.public
    other = make_key(group, entropy).public
    another_card = remask(group, giver, case.card, 5)
    for statement in (
        (context[::-1], giver, receiver, case.card, case.passed),
        (context, other, receiver, case.card, case.passed),
        (context, giver, other, case.card, case.passed),
        (context, receiver, giver, case.card, case.passed),
        (context, giver, receiver, another_card, case.passed),
        (context, giver, receiver, case.passed, case.card),
    ):
        with pytest.raises(ProofError):
            verify_transfer(group, *statement, case.proof)


def test_another_card_cannot_be_passed(case: Case, entropy: Entropy) -> None:
    """Whoever passes a king where the queen was cannot prove it, not even with the real prover."""
    group, randomness = case.group, case.group.random_scalar(entropy)
    masked = group.add(card_point(group, KING), group.mult(randomness, case.receiver.public))
    passed = Masked(group.base(randomness), masked)
    with pytest.raises(ProofError):
        case.verify(passed=passed, proof=_prove(case, passed, (case.giver.secret, randomness), entropy))


def test_nothing_but_the_true_secrets_proves_a_pass(case: Case, entropy: Entropy) -> None:
    """A card unmasked with another secret, masked for another player or beside another a′ cannot be proved."""
    group, x, r = case.group, case.giver.secret, case.group.random_scalar(entropy)
    other = group.random_scalar(entropy)

    def passed(unmasked_with: int, masked_with: int, receiver: bytes) -> Masked:
        b = group.multi((1, -unmasked_with, masked_with), (case.card.b, case.card.a, receiver))
        return Masked(group.base(r), b)

    honest = passed(x, r, case.receiver.public)
    case.verify(passed=honest, proof=_prove(case, honest, (x, r), entropy))
    for lie, witness in (
        (passed(other, r, case.receiver.public), (other, r)),
        (passed(x, other, case.receiver.public), (x, other)),
        (passed(x, r, group.base(other)), (x, r)),
    ):
        with pytest.raises(ProofError):
            case.verify(passed=lie, proof=_prove(case, lie, witness, entropy))


def test_a_card_passed_without_a_mask(case: Case, entropy: Entropy) -> None:
    """A card that all could read is refused, though the relation holds."""
    passed = Masked(case.group.identity, card_point(case.group, QUEEN))
    with pytest.raises(ProofError):
        case.verify(passed=passed, proof=_prove(case, passed, (case.giver.secret, 0), entropy))


def test_the_whole_statement_is_hashed(case: Case) -> None:
    """The challenge depends on context, both keys and all four points."""
    group, context, giver, receiver = case.group, case.context, case.giver.public, case.receiver.public
    (a, b), (a2, b2), g = case.card, case.passed, case.group.generator
    statements = (
        (context, giver, receiver, Masked(a, b), Masked(a2, b2)),
        (context[::-1], giver, receiver, Masked(a, b), Masked(a2, b2)),
        (context, g, receiver, Masked(a, b), Masked(a2, b2)),
        (context, giver, g, Masked(a, b), Masked(a2, b2)),
        (context, giver, receiver, Masked(g, b), Masked(a2, b2)),
        (context, giver, receiver, Masked(a, g), Masked(a2, b2)),
        (context, giver, receiver, Masked(a, b), Masked(g, b2)),
        (context, giver, receiver, Masked(a, b), Masked(a2, g)),
    )
    challenges = {transfer._statement(group, *statement)[0].challenge() for statement in statements}
    assert len(challenges) == len(statements)


def test_passes_are_fresh(case: Case, entropy: Entropy) -> None:
    """The same card passed twice is masked and proved anew."""
    passed, proof = transfer.transfer(case.group, case.context, case.giver, case.receiver.public, case.card, entropy)
    assert not set(passed) & set(case.passed)
    assert proof != case.proof
    case.verify(passed=passed, proof=proof)


def _prove(case: Case, passed: Masked, witness: tuple[int, int], entropy: Entropy) -> bytes:
    """The prover of `transfer`, but for any card."""
    group, giver, receiver = case.group, case.giver.public, case.receiver.public
    transcript, rows = transfer._statement(group, case.context, giver, receiver, case.card, passed)
    return sigma.prove(transcript, rows, witness, entropy)
