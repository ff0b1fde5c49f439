"""What a hand costs, the moon, and how early a hand may end."""

from dataclasses import replace

import pytest

from p2p_hearts.cards import DECK, QUEEN_OF_SPADES, Card, Suit, parse_card, suit_of
from p2p_hearts.hearts.hand import Hand, Trick, begin, finished, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.hearts.score import HandScore, card_points, running_points, score_hand, tally, trick_points

WRITTEN = Options()
OMNIBUS = Options(jack_of_diamonds=-10)
HEARTS = tuple(card for card in DECK if suit_of(card) == Suit.HEARTS)
QUEENS = (QUEEN_OF_SPADES,) * 2


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(map(parse_card, text.split()))


def played_out(won: dict[int, tuple[Card, ...]], kitty: str, options: Options = WRITTEN, seats: int = 6) -> Hand:
    """A hand that is all played, in which these seats won these cards, A the rest and F the kitty."""
    rest = list(DECK)
    for card in cards(kitty):
        rest.remove(card)
    played = tuple(rest)
    for haul in won.values():
        for card in haul:
            rest.remove(card)
    hauls = tuple(won.get(seat, ()) + (tuple(rest) if seat == 0 else ()) for seat in range(seats))
    trick = Trick(0, played, (), None, None, (), kitty=False)  # one trick of everything: only its cards matter
    hand = begin(options, seats, dealer=0, number=1)
    return replace(hand, trick=hand.size + 1, tricks=(trick,), captured=hauls, kitty_seat=5)


def test_what_cards_cost() -> None:
    """R17: every heart costs 1, every Black Maria 13, nothing else anything: 52 in all."""
    assert card_points(WRITTEN, cards("2H AH QS QS KS JD")) == 28
    assert card_points(WRITTEN, DECK) == 52


def test_jacks_of_diamonds() -> None:
    """D22: a jack of diamonds is worth nothing, or takes 10 off by the option."""
    assert card_points(WRITTEN, cards("JD JD 2H")) == 1
    assert card_points(OMNIBUS, cards("JD JD 2H")) == -19


def test_kitty_counts_for_its_winner_at_the_end() -> None:
    """R5, D9: the kitty is what is missing from the 104; its points are added at the end, not in the running points."""
    hand = played_out({1: cards("QS QS")}, kitty="3H 4H")
    assert running_points(hand) == (24, 26, 0, 0, 0, 0)
    assert score_hand(hand) == HandScore((24, 26, 0, 0, 0, 2), 0, None, 5, cards("3H 4H"))


def test_trick_costs_with_what_was_set_aside() -> None:
    """D8, D9: cancelled hearts and queens cost points, those set aside too; the kitty is not shown."""
    trick = Trick(0, cards("QS 5S QS 9S 2S 3S"), cards("QS QS"), 3, 3, cards("2H 3H"), kitty=True)
    assert trick_points(WRITTEN, trick) == 28


def test_unclaimed_points() -> None:
    """R16, D4: what lies in a cancelled last trick is unclaimed, and the hand scores fewer than 52."""
    hand = replace(begin(WRITTEN, 6, dealer=5, number=1), trick=17, kitty_seat=0, captured=((HEARTS[:20]), *((),) * 5))
    for card in cards("QS QS 5H 5H 7D AC"):
        hand = lay(hand, card)
    score = score_hand(replace(hand, tricks=(replace(hand.tricks[0], cards=DECK),)))
    assert (score.points, score.unclaimed, score.moon) == ((20, 0, 0, 0, 0, 0), 28, None)


def test_kitty_that_nobody_wins_is_unclaimed() -> None:
    """D4, D5: a kitty that waits to the end is unclaimed with the rest."""
    hand = replace(played_out({}, kitty="3H QS"), captured=((),) * 6, kitty_seat=None)
    assert score_hand(hand).unclaimed == 14
    assert score_hand(hand).kitty == cards("3H QS")


def test_moon() -> None:
    """R18, D16: all 26 hearts and both Black Marias are a moon, the kitty included."""
    assert score_hand(played_out({}, kitty="2C 3C")).moon == 0
    assert score_hand(played_out({}, kitty="3H 3C")).moon is None
    hand = played_out({5: HEARTS[1:] + QUEENS}, kitty="2H 3C")
    assert (score_hand(hand).moon, score_hand(hand).points[5]) == (5, 52)


def test_moon_needs_no_jack() -> None:
    """D22: jacks are not needed for the moon; the points before the choice hold them."""
    points, moon = tally(OMNIBUS, hearts=(26, 0, 0), queens=(2, 0, 0), jacks=(1, 0, 1))
    assert (points, moon) == ((42, 0, -10), 0)


@pytest.mark.parametrize("options", [WRITTEN, OMNIBUS])
def test_no_moon_without_everything(options: Options) -> None:
    """FB1, R18: no split of the points in which nobody has them all is a moon."""
    for hearts in range(27):
        for queens in range(3):
            for jacks in range(3):
                mine, rest = (hearts, queens, jacks), (26 - hearts, 2 - queens, 2 - jacks)
                _, moon = tally(options, *zip(mine, rest, strict=True))
                expected = 0 if (hearts, queens) == (26, 2) else 1 if (hearts, queens) == (0, 0) else None
                assert moon == expected
    for hearts, queens in ((25, 2), (26, 1), (0, 2), (13, 0)):  # the rest unclaimed
        assert tally(options, (hearts, 0), (queens, 0), (2, 0))[1] is None


def test_hand_ends_when_nothing_is_left_to_win() -> None:
    """FB7: once all points are won face up the hand is finished, with the same score as playing on would give."""
    hand = replace(begin(WRITTEN, 6, dealer=5, number=1), trick=16, kitty_seat=0, unwon=1)
    hand = replace(hand, captured=(HEARTS[1:] + QUEENS, *((),) * 5))
    for card in cards("3C 4C 5C 2H AC 7C"):
        hand = lay(hand, card)
    assert finished(hand)
    assert to_play(hand) is None
    early = score_hand(hand)
    for card in cards("3D 4D 5D 6D AD 7D"):
        hand = lay(hand, card)
    late = score_hand(replace(hand, tricks=(replace(hand.tricks[0], cards=DECK),)))
    assert (early.points, early.unclaimed, early.moon) == (late.points, late.unclaimed, late.moon)
    assert early.points == (51, 0, 0, 0, 1, 0)
    assert early.kitty == ()


def test_points_set_aside_are_not_won() -> None:
    """FB7, R15: as long as a point lies in a cancelled trick, or may lie in the kitty, the hand goes on."""
    hand = replace(begin(WRITTEN, 6, dealer=5, number=1), trick=15, unwon=1)
    for card in cards("3C 3C 4C 4C AC 2H"):
        hand = lay(hand, card)
    assert not finished(hand)
    for card in cards("3D 4D 5D 6D AD 7D"):
        hand = lay(hand, card)
    assert finished(hand)


def test_jacks_keep_the_hand_going() -> None:
    """FB7, D22: in the Omnibus game the jacks of diamonds must have been won too."""
    assert begin(WRITTEN, 6, 0, 1).unwon == 28
    hand = replace(begin(OMNIBUS, 6, dealer=5, number=1), trick=10, unwon=2)
    for text, over in (("3D 4D JD 6D AD 7D", False), ("3C 4C JD 6C AC 7C", True)):
        for card in cards(text):
            hand = lay(hand, card)
        assert finished(hand) is over


def test_unfinished_hand_has_no_score() -> None:
    """A hand is scored when it is finished, not before."""
    with pytest.raises(ValueError, match="hand 3 is not finished: trick 1 of 17"):
        score_hand(begin(WRITTEN, 6, dealer=0, number=3))
