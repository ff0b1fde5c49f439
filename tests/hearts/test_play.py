"""What may be played, and what a play claims."""

from dataclasses import replace

import pytest

from p2p_hearts.cards import Card, card_text, cards_in, parse_card
from p2p_hearts.hearts.hand import Hand, begin, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import IllegalPlayError, implied_voids, legal_plays, play, why_not
from p2p_hearts.hearts.reasons import Reason, Why, sentence

WRITTEN = Options()
NO_POINTS_FIRST = Options(first_trick_points=False)


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(map(parse_card, text.split()))


def position(options: Options = WRITTEN, *, trick: int = 5, table: str = "", broken: bool = False) -> Hand:
    """A hand of eight players in which seat A has led to this trick."""
    return replace(begin(options, 8, dealer=7, number=1), trick=trick, table=cards(table), broken=broken)


def legal(hand: Hand, held: str) -> str:
    """The legal cards as a text."""
    return " ".join(map(card_text, legal_plays(hand, cards(held))))


def refusal(hand: Hand, held: str, card: str) -> str | None:
    """The sentence with which a card is refused."""
    reason = why_not(hand, cards(held), parse_card(card))
    return None if reason is None else sentence(reason)


def test_first_lead() -> None:
    """R9: the first lead is any card but a heart or a Black Maria, also when hearts need not break (D14)."""
    for options in (WRITTEN, Options(hearts_must_break=False)):
        hand = position(options, trick=1)
        assert legal(hand, "AC 3H QS 5D KS") == "AC 5D KS"
        assert refusal(hand, "AC 3H QS", "QS") == (
            "No heart or Black Maria on the first lead while you hold another card"
        )


def test_first_lead_from_points_only() -> None:
    """D10: a first leader who holds only hearts and Black Marias leads any of them."""
    assert legal(position(trick=1), "3H KH QS QS") == "3H KH QS"


def test_follow_suit() -> None:
    """R10: follow suit if you can, and the sentence says which; else play anything."""
    hand = position(table="9D KD")
    assert legal(hand, "2D QS AH") == "2D"
    assert refusal(hand, "2D QS AH", "QS") == "You must follow diamonds"
    assert legal(hand, "QS AH 2C") == "2C AH QS"
    assert refusal(position(table="4S"), "2D QS AH", "AH") == "You must follow spades"


def test_no_trumps() -> None:
    """R20: no suit is special when following: void in the suit led, every card may be discarded."""
    assert legal(position(table="9D"), "2C 3H 4S") == "2C 3H 4S"


def test_cancelled_card_still_sets_the_suit() -> None:
    """D7: a led card that its twin has cancelled must still be followed."""
    assert legal(position(table="9C 9C"), "2C QS") == "2C"


def test_hearts_before_they_are_broken() -> None:
    """R12: no heart is led before hearts are broken, while another suit is held."""
    hand = position()
    assert legal(hand, "3H KH 4C") == "4C"
    assert refusal(hand, "3H KH 4C", "3H") == "Hearts are not broken yet, lead another suit"
    assert legal(position(broken=True), "3H KH 4C") == "4C 3H KH"


def test_black_maria_may_be_led() -> None:
    """R13: a Black Maria may be led at any time after the first lead."""
    assert legal(position(trick=2), "QS 4H 6C") == "6C QS"


def test_only_hearts_left() -> None:
    """D11, FA8: who holds only hearts may lead them unbroken."""
    assert legal(position(), "3H KH KH") == "3H KH"


def test_only_hearts_and_black_marias_left() -> None:
    """D12, FA8: with hearts and Black Marias only, the Black Maria must be led; by the option, any of them."""
    assert legal(position(), "3H KH QS") == "QS"
    assert refusal(position(), "3H KH QS", "3H") == "Hearts are not broken yet, you must lead the Black Maria"
    assert legal(position(Options(lead_hearts_over_queen=True)), "3H KH QS") == "3H KH QS"
    assert legal(position(Options(lead_hearts_over_queen=True)), "3H QS 2S") == "2S QS"


def test_hearts_need_not_break() -> None:
    """D14: by the option hearts are led at any time but the first lead."""
    assert legal(position(Options(hearts_must_break=False), trick=2), "3H 9C QS") == "9C 3H QS"


def test_points_on_the_first_trick() -> None:
    """D13: points may be discarded on the first trick; by the option only by who has nothing else to play."""
    assert legal(position(trick=1, table="9C KC"), "QS 5H 7D") == "7D 5H QS"
    hand = position(NO_POINTS_FIRST, trick=1, table="9C KC")
    assert legal(hand, "QS 5H 7D") == "7D"
    assert refusal(hand, "QS 5H 7D", "5H") == "No heart or Black Maria on the first trick while you hold another card"
    assert legal(hand, "QS 5H") == "5H QS"
    assert legal(position(NO_POINTS_FIRST, trick=2, table="9C KC"), "QS 5H 7D") == "7D 5H QS"


def test_following_comes_before_the_ban_on_points() -> None:
    """D13: without points on the first trick, the last spade is followed with even if it is a Black Maria."""
    hand = position(NO_POINTS_FIRST, trick=1, table="9S")
    assert legal(hand, "QS 4S 7D") == "4S"
    assert legal(hand, "QS QS 7D") == "QS"
    assert refusal(hand, "QS 4S 7D", "QS") == "No heart or Black Maria on the first trick while you hold another card"
    assert refusal(hand, "QS 7D", "7D") == "You must follow spades"
    assert legal(position(NO_POINTS_FIRST, trick=1, table="9H"), "QS 4H 7D") == "4H"


def test_a_copy_held_twice_is_one_choice() -> None:
    """R2: two copies of a card are one choice."""
    assert legal(position(table="4D"), "KD KD 3S") == "KD"


@pytest.mark.parametrize(
    ("hand", "card", "claimed", "left_open"),
    [
        (position(table="9D"), "2C", "2D AD", "2C AS QS AH"),
        (position(table="9D"), "2D", "", "2C 2D AD 2H AS QS"),
        (position(), "2H", "2C AD KS QS", "2H AH"),
        (position(Options(lead_hearts_over_queen=True)), "2H", "2C AD KS", "2H AH QS"),
        (position(broken=True), "2H", "", "2C AD KS QS AH"),
        (position(), "QS", "", "2C AD KS QS AH"),
        (position(trick=1), "QS", "2C AD KS", "2H AH QS"),
        (position(trick=1), "2C", "", "2C AD KS QS AH"),
        (position(NO_POINTS_FIRST, trick=1, table="9S"), "QS", "2S KS AS", "QS 2C AD AH"),
        (position(NO_POINTS_FIRST, trick=1, table="9S"), "2H", "2S QS 2C AD", "2H AH"),
        (position(NO_POINTS_FIRST, trick=1, table="9D"), "QS", "2D 2C KS", "QS AH"),
        (position(NO_POINTS_FIRST, trick=1, table="9H"), "2H", "", "2H QS 2C"),
        (position(NO_POINTS_FIRST, trick=1, table="9H"), "QS", "2H 2C KS", "QS"),
    ],
)
def test_what_a_play_claims(hand: Hand, card: str, claimed: str, left_open: str) -> None:
    """R10, R9, D10, D11, D12, D13: to play a card is to claim that the rest of the hand holds none of a certain set."""
    voids = cards_in(implied_voids(hand, parse_card(card)))
    assert set(cards(claimed)) <= set(voids)
    assert not set(cards(left_open)) & set(voids)
    assert bool(voids) == bool(claimed)


def test_play_records_claims_without_seeing_a_hand() -> None:
    """R10: who does not follow has claimed a void, and a later card of that suit is a revoke for all to see."""
    hand = begin(WRITTEN, 6, dealer=5, number=1)
    for seat, card in enumerate(cards("4D 9C 5D 6D 7D 8D")):  # B has no diamonds, it says; F wins
        hand = play(hand, seat, card)
    assert [bool(void) for void in hand.voids] == [False, True, False, False, False, False]
    for seat, text in ((5, "2D"), (0, "3D")):
        hand = play(hand, seat, parse_card(text))
    with pytest.raises(IllegalPlayError) as caught:
        play(hand, 1, parse_card("AD"))
    assert caught.value.reason == Reason(Why.REVOKE, card=parse_card("AD"))
    assert str(caught.value) == "An earlier play claimed that this hand does not hold the ace of diamonds"
    assert play(hand, 1, parse_card("AC")).table == cards("2D 3D AC")


def test_leading_an_unbroken_heart_claims_only_hearts() -> None:
    """D11: after leading an unbroken heart, any other suit is a revoke."""
    hand = play(position(), 0, parse_card("3H"))
    hand = replace(hand, trick=6, table=())
    for card in ("2C", "AD", "QS"):
        with pytest.raises(IllegalPlayError, match="An earlier play claimed"):
            play(hand, 0, parse_card(card))
    assert play(hand, 0, parse_card("AH")).table == cards("AH")


def test_out_of_turn() -> None:
    """R11: only the seat in turn plays."""
    hand = begin(WRITTEN, 6, dealer=2, number=1)
    assert to_play(hand) == 3
    with pytest.raises(IllegalPlayError, match="It is not your turn"):
        play(hand, 4, parse_card("2C"))


@pytest.mark.parametrize(("card", "name"), [("2C", "2 of clubs"), ("JD", "jack of diamonds"), ("AS", "ace of spades")])
def test_third_copy(card: str, name: str) -> None:
    """R2: no card is played a third time."""
    hand = begin(WRITTEN, 6, dealer=5, number=1)
    for seat in (0, 1):
        hand = play(hand, seat, parse_card(card))
    with pytest.raises(IllegalPlayError, match=f"Both copies of the {name} have been played already"):
        play(hand, 2, parse_card(card))


def test_card_not_held() -> None:
    """A card that is not in the hand is refused by its name."""
    assert refusal(position(), "2C", "QS") == "You do not hold the queen of spades"


def test_after_the_hand() -> None:
    """Nothing is played when the hand is over."""
    hand = replace(position(), trick=14)
    with pytest.raises(IllegalPlayError, match="The hand is over"):
        play(hand, 0, parse_card("2C"))


def test_each_reason_has_its_sentence() -> None:
    """Every reason makes a sentence with nothing left open in it."""
    for why in Why:
        text = sentence(Reason(why, card=parse_card("QS"), suit=None, count=3))
        assert text
        assert text[0].isupper()
        assert "{" not in text
    assert sentence(Reason(Why.WRONG_COUNT, count=1)) == "Choose exactly 1 card to pass"
