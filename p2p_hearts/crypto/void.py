"""Void proofs: each of these masked cards is of an allowed set of kinds, and nothing else is told about them.

The points of the cards of some suits lie in a *span*, whose points are the two of each of these suits and six steps from
rank to rank that all suits share (`masking`: S + U + V). No other card lies in it, or there were a relation between the
twelve points all cards are made of. That every masked card is *some* card has been proved since the first mix, so the
span is all there is left to prove, with M = b − x·a and X = x·G in rows of one linear map:

    one span (whole suits; one kind)     Σ wᵢMᵢ lies in it, for weights wᵢ of 128 bits hashed from all cards
    several (suits and single kinds)     of each card, M lies in one of them (`disjunction`)

A card outside brings its suit or rank into the sum, with a weight that the others cancel with probability 2⁻¹²⁸.

Laws: the cards are slots of the agreed deck, or were made of such by proved mixes and transfers (of a point that is no
card, to lie in a span says nothing); `public` alone masks them. A proof has one legal length for each number of cards and
each allowed set. Composed by us of standard parts; the argument is in `protocol/cryptography.md`, section 11."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from p2p_hearts.crypto.disjunction import Branch, Choice, Known, proof_scalars, prove_choices, verify_choices
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.crypto.masking import CARDS, RANKS, Masked, card_point
from p2p_hearts.crypto.sigma import WEIGHT_BYTES, Row, weighted
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

MASK_BYTES = 7  # of a mask of 52 kinds
_ALL = (1 << CARDS) - 1
_SUIT = (1 << RANKS) - 1
_STEPS = (1, 2, 3)  # from index 0 to each other, of U and of V


class Span(NamedTuple):
    """All sums of multiples of these points, and the mask of the kinds whose points are among them."""

    kinds: int
    points: tuple[bytes, ...]


def prove_void(
    group: Group,
    context: bytes,
    key: HandKey,
    cards: Sequence[Masked],
    plain: Sequence[int],
    allowed: int,
    entropy: Entropy,
) -> bytes:
    """A proof that these cards, which `key` alone masks and which are `plain`, are all of kinds in the mask `allowed`.

    Raises ProofError when they are not, or when nothing is to be proved.
    """
    spans = spans_of(group, allowed)
    if len(plain) != len(cards) or not all(allowed >> card & 1 for card in plain):
        raise ProofError(f"cards that are not all allowed by {allowed:x}")
    transcript, weights = _statement(group, context, key.public, cards, allowed)
    places = [next(at for at, span in enumerate(spans) if span.kinds >> card & 1) for card in plain]
    parts = [_coordinates(spans[place], card) for place, card in zip(places, plain, strict=True)]
    if len(spans) == 1:
        places, parts = [0], [_weighted_sum(weights, parts)]
    known = [Known(place, (key.secret, *part)) for place, part in zip(places, parts, strict=True)]
    return prove_choices(transcript, _choices(group, key.public, cards, spans, weights), known, entropy)


def verify_void(
    group: Group, context: bytes, public: bytes, cards: Sequence[Masked], allowed: int, proof: bytes
) -> None:
    """Checks that these cards, which `public` alone masks, are all of kinds in the mask `allowed`.

    Raises DecodeError, ProofError.
    """
    spans = spans_of(group, allowed)
    transcript, weights = _statement(group, context, public, cards, allowed)
    verify_choices(transcript, _choices(group, public, cards, spans, weights), proof)


def proof_bytes(group: Group, count: int, allowed: int) -> int:
    """The one legal length of the proof for so many cards and this mask."""
    spans = spans_of(group, allowed)
    choice = _choice(group, group.generator, Masked(group.generator, group.generator), spans)
    return proof_scalars([choice] * (count if len(spans) > 1 else 1)) * group.scalar_bytes


@cache
def spans_of(group: Group, allowed: int) -> tuple[Span, ...]:
    """The spans whose cards are together the allowed ones: one for all whole suits, then one for each other kind.

    Raises ProofError when no kind is allowed, or every kind is.
    """
    if not 0 < allowed < _ALL:
        raise ProofError(f"no claim is made by allowing {allowed:x}")
    twos = [two for two in range(0, CARDS, RANKS) if allowed >> two & _SUIT == _SUIT]
    whole = sum(_SUIT << two for two in twos)
    others = [Span(1 << kind, (card_point(group, kind),)) for kind in range(CARDS) if (allowed & ~whole) >> kind & 1]
    if not whole:
        return tuple(others)
    first = card_point(group, 0)
    steps = (group.sub(card_point(group, rank), first) for rank in (*(4 * step for step in _STEPS), *_STEPS))
    return Span(whole, (*(card_point(group, two) for two in twos), *steps)), *others


def _coordinates(span: Span, card: int) -> tuple[int, ...]:
    """How the point of a card is made of the points of its span."""
    if len(span.points) == 1:
        return (1,)
    suit, rank = divmod(card, RANKS)
    suits = (suit == other for other in range(CARDS // RANKS) if span.kinds >> other * RANKS & 1)
    return (*map(int, suits), *(int(rank // 4 == step) for step in _STEPS), *(int(rank % 4 == step) for step in _STEPS))


def _weighted_sum(weights: Sequence[int], parts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The coordinates of the weighted sum of the cards."""
    return tuple(
        sum(weight * part for weight, part in zip((1, *weights), column, strict=True))
        for column in zip(*parts, strict=True)
    )


def _statement(
    group: Group, context: bytes, public: bytes, cards: Sequence[Masked], allowed: int
) -> tuple[Transcript, list[int]]:
    if not cards:
        raise ProofError("a claim about no card")
    transcript = Transcript(group, b"void", context)
    transcript.append(b"public", public)
    transcript.append(b"allowed", allowed.to_bytes(MASK_BYTES, "big"))
    transcript.append(b"cards", *(point for card in cards for point in card))
    return transcript, transcript.challenges(len(cards) - 1, WEIGHT_BYTES)


def _choices(
    group: Group, public: bytes, cards: Sequence[Masked], spans: Sequence[Span], weights: Sequence[int]
) -> list[Choice]:
    """With one span, the one branch of the weighted sum of all cards; with several, a choice for each card."""
    if len(spans) == 1:
        a, b = ([card[part] for card in cards] for part in (0, 1))
        cards = [Masked(weighted(group, weights, a), weighted(group, weights, b))]
    return [_choice(group, public, card, spans) for card in cards]


def _choice(group: Group, public: bytes, card: Masked, spans: Sequence[Span]) -> Choice:
    """For each span the rows X = x·G and b = x·a + k₁·P₁ + k₂·P₂ + … of the secrets x, k₁, k₂ and so on."""
    key = Row((0,), (group.generator,))
    return [
        Branch((key, Row(tuple(range(1 + len(span.points))), (card.a, *span.points))), (public, card.b))
        for span in spans
    ]
