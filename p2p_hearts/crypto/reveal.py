"""Decryption shares: x·a for each masked card, and one proof that all are made with the key's secret.

Chaum and Pedersen (1992) for the sums Σ wᵢaᵢ and Σ wᵢDᵢ with w₀ = 1 and weights of 128 bits hashed from all of them
(Bellare, Garay and Rabin 1998, small exponents): a false share passes with probability 2⁻¹²⁸. A plain sum would accept
D₁ + T and D₂ − T."""

from collections.abc import Sequence

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.crypto.masking import Masked, card_of, unmask
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy


def make_shares(
    group: Group, context: bytes, key: HandKey, cards: Sequence[Masked], entropy: Entropy
) -> tuple[tuple[bytes, ...], bytes]:
    """The key's share of every card, and their proof. To play a card is to give the share of it alone.

    Only slots of an agreed deck may come in here: sharing what a peer made up would decrypt for it.
    """
    shares = tuple(group.mult(key.secret, card.a) for card in cards)
    transcript, weights = _statement(group, context, key.public, cards, shares)
    a = sigma.weighted(group, weights, [card.a for card in cards])
    return shares, sigma.prove(transcript, _rows(group, a), (key.secret,), entropy)


def verify_shares(
    group: Group, context: bytes, public: bytes, cards: Sequence[Masked], shares: Sequence[bytes], proof: bytes
) -> None:
    """Checks a peer's shares, which may be any bytes, of these cards.

    Raises DecodeError, ProofError.
    """
    if len(shares) != len(cards):
        raise ProofError(f"{len(shares)} shares of {len(cards)} cards")
    checked = [group.decode_point(share) for share in shares]
    transcript, weights = _statement(group, context, public, cards, checked)
    a = sigma.weighted(group, weights, [card.a for card in cards])
    sigma.verify(transcript, _rows(group, a), (public, sigma.weighted(group, weights, checked)), proof)


def apply_shares(group: Group, card: Masked, shares: Sequence[bytes]) -> Masked:
    """The card with the parts of the mask taken off that these shares are of; once all are, b is the card's point."""
    return Masked(card.a, group.sub(card.b, group.sum(shares)) if shares else card.b)


def open_card(group: Group, key: HandKey, masked: Masked) -> int | None:
    """The card under this key's mask alone, None if there is none."""
    return card_of(group, unmask(group, key.secret, masked))


def _statement(
    group: Group, context: bytes, public: bytes, cards: Sequence[Masked], shares: Sequence[bytes]
) -> tuple[Transcript, list[int]]:
    if not cards:
        raise ProofError("shares of no card")
    transcript = Transcript(group, b"shares", context)
    transcript.append(b"public", public)
    transcript.append(b"cards", *(point for card in cards for point in card))
    transcript.append(b"shares", *shares)
    return transcript, transcript.challenges(len(cards) - 1, sigma.WEIGHT_BYTES)


def _rows(group: Group, a: bytes) -> tuple[sigma.Row, ...]:
    return sigma.Row((0,), (group.generator,)), sigma.Row((0,), (a,))
