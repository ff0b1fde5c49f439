"""Tricks: who wins, what is cancelled, what is set aside and who leads next."""

from dataclasses import replace

import pytest

from p2p_hearts.cards import Card, card_text, parse_card
from p2p_hearts.hearts.hand import Hand, Trick, begin, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.hearts.trick import winning_card

WRITTEN = Options()
CLASSIC = Options(cancel_rule="no_live_led_card")
NEXT_LEFT = Options(cancelled_lead="next_left")


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(map(parse_card, text.split()))


def after(text: str, options: Options = WRITTEN, *, trick: int = 5, seats: int = 6) -> Hand:
    """A hand in which A, the dealer's left, has led to the first of these tricks."""
    hand = replace(begin(options, seats, dealer=seats - 1, number=1), trick=trick)
    for card in cards(text):
        hand = lay(hand, card)
    return hand


@pytest.mark.parametrize(
    ("table", "written", "classic"),
    [
        ("7C KC 2C 9C JC 4C", "KC", "KC"),  # the highest card wins
        ("2C KH QS AD AS JD", "2C", "2C"),  # no other suit does
        ("JC TC 9C 8C 4C JC", "TC", "TC"),  # a pair cannot win
        ("5C 5C QC 8C 2C 9C", "QC", "QC"),  # nor does it hinder others
        ("5D 8D KH KH 3D 2D", "8D", "8D"),  # one pair elsewhere cancels nothing
        ("9C 9C KH QS 4D 7D", None, None),  # no live club
        ("JC JC TC TC 9C 9C", None, None),  # three pairs of the suit led
        ("AD KD AD KD 5D 3D", None, "5D"),  # two pairs and a live card
        ("TS 9H 9H KS TS 4C", None, "KS"),  # two pairs of two suits
        ("6S AD AD KH KH JS", None, "JS"),  # two pairs of other suits
    ],
)
def test_who_wins(table: str, written: str | None, classic: str | None) -> None:
    """R11, R14, R15, D1: the highest live card of the suit led, unless two pairs of any suits cancel the trick."""
    for options, expected in ((WRITTEN, written), (CLASSIC, classic)):
        card = winning_card(options, cards(table))
        assert (None if card is None else card_text(card)) == expected


def test_winner_leads_next() -> None:
    """R11: the winner takes the cards and leads next."""
    hand = after("7C KC 2C 9C JC 4C")
    assert hand.captured[1] == cards("7C KC 2C 9C JC 4C")
    assert (hand.leader, to_play(hand), hand.trick, hand.table) == (1, 1, 6, ())


def test_cancelled_trick_is_set_aside() -> None:
    """R15, D2: nobody takes a cancelled trick and the same player leads again; by the option, the player on the left."""
    trick = "JC JC TC TC 9C 9C"
    hand = after(trick)
    assert (hand.pile, hand.captured, hand.leader) == (cards(trick), ((),) * 6, 0)
    assert hand.tricks[-1] == Trick(0, cards(trick), cards(trick), None, None, (), kitty=False)
    assert after(trick, NEXT_LEFT).leader == 1


def test_cancelled_tricks_pile_up() -> None:
    """D3, FA11: two cancelled tricks running go to the next winner together."""
    first, second, third = "9C 9C 2H 3D 4D 5D", "JD 7S JD 6D 6D 8H", "4S 2S KS 3S 9S KS"
    hand = after(f"{first} {second} {third}")
    assert hand.captured[4] == cards(f"{first} {second} {third}")
    assert hand.pile == ()
    assert [trick.carried for trick in hand.tricks] == [(), (), cards(f"{first} {second}")]


def test_cancelled_cards_are_noted_in_a_trick_that_is_won() -> None:
    """R14: both copies of a pair are cancelled, also when a third card wins."""
    assert after("JC TC 9C 8C 4C JC").tricks[-1].cancelled == cards("JC JC")


def test_last_trick_cancelled() -> None:
    """R16, D4, FA11: nobody takes a cancelled last trick nor what waits; by the option its leader does."""
    cancelled = "3C 3C 4H KD KD 7S 8D 8D JH JH 2S TS"
    hand = after(cancelled, trick=16)
    assert (hand.pile, hand.captured, hand.kitty_seat, to_play(hand)) == (cards(cancelled), ((),) * 6, None, None)
    hand = after(cancelled, Options(last_cancelled="leader"), trick=16)
    assert (hand.pile, hand.captured[0], hand.kitty_seat) == ((), cards(cancelled), 0)
    assert (hand.tricks[-1].winner, hand.tricks[-1].taker, hand.tricks[-1].kitty) == (None, 0, True)
    hand = after(cancelled, Options(last_cancelled="leader", cancelled_lead="next_left"), trick=16)
    assert hand.captured[1] == cards(cancelled)


def test_last_trick_won() -> None:
    """D4: a last trick that is won goes to its winner with all that waits, also where a cancelled one goes to its leader."""
    table = "3C 3C 4H KD KD 7S 8C TC 9C 2S 4S 5S"
    for options in (WRITTEN, Options(last_cancelled="leader")):
        hand = after(table, options, trick=16)
        assert (hand.tricks[-1].winner, hand.tricks[-1].taker, hand.kitty_seat) == (1, 1, 1)
        assert hand.captured == ((), cards(table), (), (), (), ())


def test_every_trick_cancelled() -> None:
    """D3, D4, D5, FA11: in a hand of cancelled tricks one player leads throughout, and all 52 points are unclaimed."""
    ranks = "23456789TJQKA"
    hand = after(" ".join(f"{rank}{suit}" for rank in ranks for suit in "CCDDHHSS"), trick=1, seats=8)
    assert [trick.leader for trick in hand.tricks] == [0] * 13
    score = score_hand(hand)
    assert (score.points, score.unclaimed, score.moon) == ((0,) * 8, 52, None)
    seven = after(
        " ".join(f"{rank}C {rank}C {rank}D {rank}D {rank}H {rank}H {rank}S" for rank in ranks), trick=2, seats=7
    )
    assert (seven.kitty_seat, seven.trick) == (None, 15)


def test_winner_of_the_first_trick_takes_the_kitty() -> None:
    """R5: the kitty goes to the winner of the first trick."""
    hand = after("7C KC 2C 9C JC 4C", trick=1)
    assert hand.kitty_seat == 1
    assert hand.tricks[0].kitty
    assert not after("7C KC 2C 9C JC 4C 5S 4S 3S 2S 6S 7S", trick=1).tricks[1].kitty


def test_kitty_waits_for_a_winner() -> None:
    """D5, FA11: when the first trick is cancelled the kitty goes to the first player who wins one."""
    hand = after("9C 9C 4D 8D 3S 6S", trick=1)
    assert hand.kitty_seat is None
    hand = after("9C 9C 4D 8D 3S 6S 5D 3D AD QD 7D 6D", trick=1)
    assert hand.kitty_seat == 2


def test_no_kitty_at_eight() -> None:
    """R4: 104 cards leave nothing over at eight players, so nobody takes a kitty."""
    hand = after("7C KC 2C 9C JC 4C 5C 6C", trick=1, seats=8)
    assert hand.kitty_seat is None
    assert not hand.tricks[0].kitty


def test_what_breaks_hearts() -> None:
    """D15: any heart or Black Maria on the table breaks hearts, also cancelled; by the option only a heart does."""
    only_hearts = Options(queen_breaks_hearts=False)
    assert not after("2C").broken
    assert after("2C 3H").broken
    assert after("2C QS").broken
    assert not after("2C QS", only_hearts).broken
    assert after("2C 3H", only_hearts).broken
    assert after("QS 5S QS 9S 2S 3S").broken


def test_kitty_cards_do_nothing_on_the_table() -> None:
    """D6: a kitty is taken, not played: it cancels nothing and breaks nothing, for a hand does not even know its cards."""
    hand = after("7C KC 2C 9C JC 4C", trick=1)
    assert (hand.kitty_seat, hand.broken, hand.tricks[0].cancelled) == (1, False, ())
