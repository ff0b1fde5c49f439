"""The deal, the dealer, and what a hand shows in public."""

import pytest

from p2p_hearts.cards import DECK, parse_card
from p2p_hearts.hearts.hand import begin, deal, dealer_of, finished, parse_seat, seat_letter, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay


@pytest.mark.parametrize(
    ("seats", "each", "kitty"), [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)]
)
def test_even_deal(seats: int, each: int, kitty: int) -> None:
    """R4, R5: everybody gets 104 ÷ n cards, what is left over is the kitty."""
    hands, left_over = deal(DECK, seats)
    hand = begin(Options(), seats, dealer=0, number=1)
    assert [len(held) for held in hands] == [each] * seats
    assert (hand.size, hand.kitty_size, len(left_over)) == (each, kitty, kitty)
    assert sorted([*left_over, *(card for held in hands for card in held)]) == sorted(DECK)
    assert hands[1][:2] == tuple(sorted(DECK[1::seats][:each]))[:2]


def test_dealers_left_leads() -> None:
    """R9, FA3: the player on the dealer's left leads the first trick, also in a hand without a pass."""
    for seats in range(6, 12):
        for dealer in range(seats):
            hand = begin(Options(pass_count=0), seats, dealer, number=4)
            assert to_play(hand) == (dealer + 1) % seats


def test_deal_moves_left() -> None:
    """D18: the dealer is drawn once and moves to the left each hand."""
    assert [dealer_of(5, 6, number) for number in range(1, 8)] == [5, 0, 1, 2, 3, 4, 5]


def test_cards_left() -> None:
    """Everybody sees how many cards each seat still holds."""
    hand = begin(Options(), 8, dealer=6, number=1)
    assert hand.left == (13,) * 8
    for text in ("2C", "3C", "4C"):
        hand = lay(hand, parse_card(text))  # H, A and B have played
    assert hand.left == (12, 12, 13, 13, 13, 13, 13, 12)


def test_hand_is_finished_when_all_is_played() -> None:
    """A hand ends with its last trick."""
    hand = begin(Options(), 6, dealer=5, number=1)
    for number in range(102):
        assert not finished(hand)
        assert hand.trick == number // 6 + 1
        hand = lay(hand, number % 13)  # clubs only, which is wrong but harmless here
    assert finished(hand)
    assert hand.left == (0,) * 6


def test_hand_is_finished_when_nothing_is_left_to_win() -> None:
    """FB7, D22: a hand ends with the last of the 52 points, and where jacks of diamonds count, with the second of them."""
    points = ["QS", "QS", *(f"{rank}H" for rank in "23456789TJQKA" for _ in "12")]
    discards = [*points, "2D", "3D", "JD", "JD", "4D", "5D", "6D"]
    for jacks, tricks in ((0, 6), (-10, 7)):
        hand = begin(Options(cancel_rule="no_live_led_card", jack_of_diamonds=jacks), 6, dealer=5, number=1)
        for trick in range(tricks):
            for text in (f"{trick + 2}C", *discards[5 * trick : 5 * trick + 5]):
                assert not finished(hand)
                hand = lay(hand, parse_card(text))
        assert finished(hand)
        assert to_play(hand) is None


def test_letters_of_seats() -> None:
    """Seats are letters for people, A to K clockwise."""
    assert [seat_letter(seat) for seat in (0, 10)] == ["A", "K"]
    assert parse_seat("F", 6) == 5
    for text in ("G", "a", "", "AB"):
        with pytest.raises(ValueError, match="is not a seat: this table has A to F"):
            parse_seat(text, 6)
