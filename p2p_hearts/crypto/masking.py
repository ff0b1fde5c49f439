"""Cards as points, and points under a mask: ElGamal (1985) as in Barnett and Smart (2003).

A masked card is (a, b) = (r·G, M + r·Y). The point of a card is S[card ÷ 13] + U[rank ÷ 4] + V[rank mod 4] with rank =
card mod 13, from twelve points without a known relation: a proof about suits then speaks of S alone. Both copies of
a card are one point, so that nobody can say which copy was played."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.group import Group

CARDS, COPIES, RANKS = 52, 2, 13


class Masked(NamedTuple):
    """One masked card: a = r·G, b = M + r·Y."""

    a: bytes
    b: bytes


def card_point(group: Group, card: int) -> bytes:
    """The point of a card (0 … 51)."""
    return _points(group)[card]


def card_of(group: Group, point: bytes) -> int | None:
    """The card of a point, None if it is no card's."""
    return _cards(group).get(point)


def start_deck(group: Group) -> tuple[Masked, ...]:
    """The deck before the first mix, open for all to see: 0 … 51 twice, with r = 0."""
    return tuple(Masked(group.identity, card_point(group, card)) for card in range(CARDS)) * COPIES


def remask(group: Group, key: bytes, card: Masked, randomness: int) -> Masked:
    """The same card behind another mask, unlinkable for whoever does not know the randomness."""
    return Masked(group.add(card.a, group.base(randomness)), group.add(card.b, group.mult(randomness, key)))


def unmask(group: Group, secret: int, card: Masked) -> bytes:
    """The point behind a mask under the key of this secret."""
    return group.sub(card.b, group.mult(secret, card.a))


def encode_masked(group: Group, cards: Sequence[Masked]) -> bytes:
    """The cards as they travel: a and b of each in turn."""
    if any(len(point) != group.element_bytes for card in cards for point in card):
        raise DecodeError("a masked card of a wrong length")
    return b"".join(point for card in cards for point in card)


def decode_masked(group: Group, data: bytes, count: int) -> tuple[Masked, ...]:
    """So many masked cards from a peer, none of whose points is the identity.

    Raises DecodeError.
    """
    size = group.element_bytes
    if len(data) != count * 2 * size:
        raise DecodeError(f"{len(data)} bytes where {count} masked cards belong")
    points = [group.decode_point(data[at : at + size]) for at in range(0, len(data), size)]
    return tuple(map(Masked, points[::2], points[1::2]))


@cache
def _points(group: Group) -> tuple[bytes, ...]:
    suits, high, low = (
        [group.hash_to_point(b"card/" + name, bytes((index,))) for index in range(4)] for name in (b"S", b"U", b"V")
    )
    return tuple(
        group.sum((suits[card // RANKS], high[card % RANKS // 4], low[card % RANKS % 4])) for card in range(CARDS)
    )


@cache
def _cards(group: Group) -> dict[bytes, int]:
    return {point: card for card, point in enumerate(_points(group))}
