"""What a view says about hidden cards: what a play rules out, and what it does not."""

from dataclasses import replace

import pytest

from p2p_hearts.bots.outlook import holds_chance, look, void_chance
from p2p_hearts.cards import SUIT_MASKS, Suit, parse_card
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.play import lay
from p2p_hearts.hearts.view import View
from tests.bots.positions import WRITTEN, cards, view_of


def test_a_discard_rules_out_the_suit_led_alone() -> None:
    """FC8, R10: B throws a heart on a club: it holds no club any more, and any other suit as before."""
    outlook = look(view_of("3C AC", "4C 9H", trick=5))
    assert void_chance(outlook, 1, Suit.CLUBS) == 1
    assert all(void_chance(outlook, 1, suit) < 0.5 for suit in (Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES))
    assert holds_chance(outlook, 1, parse_card("KC")) == 0
    assert holds_chance(outlook, 1, parse_card("9H")) > 0


def test_the_second_copy_stays_possible() -> None:
    """FC8, R2: one copy of a card has been seen, played or held: the other may be anywhere; with both seen, nowhere."""
    queen = parse_card("QS")
    for view in (view_of("2C", gone="QS"), view_of("2C QS")):
        outlook = look(view)
        assert outlook.unseen[queen] == 1
        assert all(holds_chance(outlook, seat, queen) > 0 for seat in range(1, 6))
    both = look(view_of("2C QS", gone="QS"))
    assert both.unseen[queen] == 0
    assert not any(holds_chance(both, seat, queen) for seat in range(6))


def test_what_one_passed_is_where_it_went() -> None:
    """R7: a card we passed is with its receiver until that seat plays one like it; there we know it, elsewhere we do not."""
    ace = parse_card("AS")
    passed = look(view_of("2C", passed="AS 2D 3D"))
    assert passed.receiver == 1
    assert holds_chance(passed, 1, ace) == 1
    assert void_chance(passed, 1, Suit.SPADES) == 0
    assert 0 < holds_chance(passed, 2, ace) < 0.5
    hand = view_of("2C", passed="AS 2D 3D").hand
    after = replace(hand, table=(parse_card("4S"), ace), once=1 << ace | 1 << parse_card("4S"))
    view = View(2, after, cards("2C"), (), cards("AS 2D 3D"), None, (0,) * 6)
    assert look(replace(view, seat=0)).theirs == cards("2D 3D")


@pytest.mark.parametrize("seats", [6, 7, 9, 11])
def test_every_hidden_copy_is_somewhere(seats: int) -> None:
    """R5: the chances of a hidden copy over the other seats and the kitty make one; the own seat has none."""
    hand = begin(WRITTEN, seats, dealer=seats - 1, number=1)
    view = View(0, hand, cards("2C 3C"), (), (), None, (0,) * seats)
    outlook = look(view)
    in_kitty = hand.kitty_size / (hand.size * (seats - 1) + hand.kitty_size)
    for row in outlook.shares:
        assert row[0] == 0
        assert sum(row) == pytest.approx(1 - in_kitty)


def test_a_seat_that_has_laid_its_card_has_fewer_places() -> None:
    """A seat with fewer cards left is less likely to hold a given one."""
    hand = lay(replace(begin(WRITTEN, 6, dealer=5, number=1), trick=17, kitty_size=0), parse_card("4C"))
    outlook = look(View(1, hand, cards("2C"), (), (), None, (0,) * 6))
    assert holds_chance(outlook, 0, parse_card("KD")) == 0
    assert holds_chance(outlook, 2, parse_card("KD")) > 0


def test_only_what_was_claimed_is_ruled_out() -> None:
    """D13: who throws a point on a first trick that bars them claims to hold nothing else, but maybe another point."""
    points_only = ~(SUIT_MASKS[Suit.HEARTS] | 1 << parse_card("QS")) & (1 << 52) - 1
    outlook = look(view_of("2C", voids=((3, points_only),)))
    assert holds_chance(outlook, 3, parse_card("QS")) > 0
    assert holds_chance(outlook, 3, parse_card("KS")) == 0
    assert holds_chance(outlook, 3, parse_card("2H")) > 0
