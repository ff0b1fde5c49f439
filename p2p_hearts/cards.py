"""Cards as small integers, sets of kinds of card as bit masks, and the deck in the order all peers share.

A card is its kind, 0 to 51: 13 × suit + rank − 2. The two copies of a kind are the same number, for nothing in the game
ever tells them apart. A *mask* is an int with bit `card` set for every kind in the set. The order within a suit is the
order of rank, so that the highest bit of a mask of one suit is its highest card (R3).
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeAlias

Card: TypeAlias = int


class Suit(IntEnum):
    """The four suits, in the order of a sorted hand."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Rank(IntEnum):
    """The thirteen ranks, ace high (R3)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14


KINDS: Final = 52
ALL_KINDS: Final = (1 << KINDS) - 1
SUIT_MASKS: Final = tuple(0x1FFF << 13 * suit for suit in Suit)
DECK: Final[tuple[Card, ...]] = (*range(KINDS), *range(KINDS))  # R2: every card twice

_SUITS: Final = "CDHS"
_RANKS: Final = "23456789TJQKA"
_CARD_SUITS: Final = tuple(suit for suit in Suit for _ in Rank)
_CARD_TEXTS: Final = tuple(rank + suit for suit in _SUITS for rank in _RANKS)
_CARDS_BY_TEXT: Final = {text: card for card, text in enumerate(_CARD_TEXTS)}


def make_card(rank: Rank, suit: Suit) -> Card:
    """The card of this rank and suit."""
    return 13 * suit + rank - 2


QUEEN_OF_SPADES: Final = make_card(Rank.QUEEN, Suit.SPADES)
JACK_OF_DIAMONDS: Final = make_card(Rank.JACK, Suit.DIAMONDS)


def suit_of(card: Card) -> Suit:
    """The suit of a card."""
    return _CARD_SUITS[card]


def rank_of(card: Card) -> Rank:
    """The rank of a card."""
    return Rank(card % 13 + 2)


def card_text(card: Card) -> str:
    """The card as two letters, rank then suit: `QS`, `TH`, `2C`."""
    return _CARD_TEXTS[card]


def card_name(card: Card) -> str:
    """The card in words, as in "the queen of spades"."""
    rank = rank_of(card)
    return f"{rank if rank <= Rank.TEN else rank.name.lower()} of {suit_of(card).name.lower()}"


def parse_card(text: str) -> Card:
    """The card written as rank and suit, in capitals or not.

    Raises ValueError with a sentence when the text is no card.
    """
    card = _CARDS_BY_TEXT.get(text.upper())
    if card is None:
        message = f"{text!r} is not a card: write a rank ({_RANKS}) and a suit ({_SUITS}), as in QS"
        raise ValueError(message)
    return card


def mask_of(cards: Iterable[Card]) -> int:
    """The kinds among these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """The kinds in a mask, lowest first."""
    return tuple(card for card in range(KINDS) if mask >> card & 1)
