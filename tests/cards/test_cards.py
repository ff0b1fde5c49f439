"""Cards, masks and the deck."""

from collections import Counter

import pytest

from p2p_hearts.cards import (
    ALL_KINDS,
    DECK,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_MASKS,
    Rank,
    Suit,
    card_name,
    card_text,
    cards_in,
    make_card,
    mask_of,
    parse_card,
    rank_of,
    suit_of,
)


def test_deck_holds_every_card_twice() -> None:
    """R2: two decks of 52, in the order all peers share."""
    assert tuple(range(52)) * 2 == DECK
    assert set(Counter(map(card_text, DECK)).values()) == {2}


def test_numbers_of_cards() -> None:
    """A card is 13 times its suit plus its rank less two, with suits in the order clubs, diamonds, hearts, spades."""
    assert [parse_card(text) for text in ("2C", "AC", "2D", "JD", "AH", "2S", "QS", "AS")] == [
        0,
        12,
        13,
        22,
        38,
        39,
        49,
        51,
    ]
    assert (QUEEN_OF_SPADES, JACK_OF_DIAMONDS) == (49, 22)


def test_ace_is_high() -> None:
    """R3: within a suit a higher rank is a higher number, from the two to the ace."""
    hearts = [parse_card(f"{rank}H") for rank in "23456789TJQKA"]
    assert hearts == sorted(hearts)
    assert [rank_of(card) for card in hearts] == list(Rank)


def test_text_and_parse_are_inverse() -> None:
    """Every card is read back from its own text, in small letters too."""
    for card in range(52):
        assert parse_card(card_text(card)) == card == parse_card(card_text(card).lower())
        assert make_card(rank_of(card), suit_of(card)) == card


@pytest.mark.parametrize("text", ["", "Q", "SQ", "1S", "10S", "QX", "QSS", " QS", "♠Q"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """A text that is no card is refused with a sentence that shows it."""
    with pytest.raises(ValueError, match="is not a card: write a rank") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


def test_names() -> None:
    """A sentence names a card as people do."""
    assert card_name(QUEEN_OF_SPADES) == "queen of spades"
    assert card_name(parse_card("TH")) == "10 of hearts"


def test_masks() -> None:
    """A mask is a set of kinds: a card held twice is in it once."""
    queen, two = parse_card("QS"), parse_card("2C")
    assert mask_of([queen, two, queen]) == 2**49 + 1
    assert cards_in(2**49 + 1) == (two, queen)
    assert sum(SUIT_MASKS) == ALL_KINDS
    assert cards_in(SUIT_MASKS[Suit.DIAMONDS]) == tuple(range(13, 26))
