"""Cards, points and masks."""

import pytest

from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import make_key
from p2p_hearts.crypto.masking import (
    Masked,
    card_of,
    card_point,
    decode_masked,
    encode_masked,
    remask,
    start_deck,
    unmask,
)
from p2p_hearts.entropy import Entropy


def test_every_kind_has_a_point(group: Group) -> None:
    """The 52 points differ, name their cards, and no other point names one."""
    points = [card_point(group, card) for card in range(52)]
    assert len(set(points)) == 52
    assert [card_of(group, point) for point in points] == list(range(52))
    assert card_of(group, group.generator) is None
    assert card_of(group, group.identity) is None


def test_points_are_made_of_suit_and_rank(group: Group) -> None:
    """Card 13·s + r is S[s] + U[r ÷ 4] + V[r mod 4]: the queen of spades, 49, is S₃ + U₂ + V₂."""
    parts = [group.hash_to_point(b"card/S", b"\3"), group.hash_to_point(b"card/U", b"\2")]
    assert card_point(group, 49) == group.sum([*parts, group.hash_to_point(b"card/V", b"\2")])


def test_start_deck(group: Group) -> None:
    """104 cards without a mask, each kind at i and i + 52 and the same point both times."""
    deck = start_deck(group)
    assert [card_of(group, card.b) for card in deck] == [*range(52), *range(52)]
    assert {card.a for card in deck} == {group.identity}


def test_masks_come_off(group: Group, entropy: Entropy) -> None:
    """However often a card is masked again, its key takes the mask off, and no other key does."""
    key, other = make_key(group, entropy), make_key(group, entropy)
    card = start_deck(group)[49]
    for _ in range(3):
        card = remask(group, key.public, card, group.random_scalar(entropy))
    assert card_of(group, unmask(group, key.secret, card)) == 49
    assert card_of(group, unmask(group, other.secret, card)) is None


def test_encoding(group: Group, entropy: Entropy) -> None:
    """Cards travel as a and b of each in turn and come back the same."""
    key = make_key(group, entropy)
    cards = tuple(remask(group, key.public, card, group.random_scalar(entropy)) for card in start_deck(group)[:3])
    data = encode_masked(group, cards)
    assert data == b"".join((cards[0].a, cards[0].b, cards[1].a, cards[1].b, cards[2].a, cards[2].b))
    assert decode_masked(group, data, 3) == cards


def test_decoding_refuses(group: Group, entropy: Entropy) -> None:
    """Another number of cards, a broken length, bytes that are no point and the identity in any place are refused."""
    size = group.element_bytes
    key = make_key(group, entropy)
    data = encode_masked(group, [remask(group, key.public, card, 5) for card in start_deck(group)[:2]])
    wrong = [data[:-1], data + b"\0", data + data[:size], data[: 2 * size], b""]
    for at in range(0, 4 * size, size):
        wrong += [data[:at] + field + data[at + size :] for field in (bytes(size), b"\xff" * size)]
    for spoilt in wrong:
        with pytest.raises(DecodeError):
            decode_masked(group, spoilt, 2)


def test_only_whole_points_are_sent(group: Group) -> None:
    """A card with a point of another length is never encoded."""
    with pytest.raises(DecodeError):
        encode_masked(group, [Masked(group.generator, b"")])
