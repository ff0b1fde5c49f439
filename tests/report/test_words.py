"""Tricks in words, for hands laid by hand; points, passes and cards as the page writes them."""

import re

import pytest

from p2p_hearts.cards import parse_card
from p2p_hearts.hearts.hand import Hand, begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.report.record import Played, held_by
from p2p_hearts.report.words import number, passed, points, shown, trick_cost, trick_words

NAMES = ("Ann", "Bea", "Cem", "Dace", "Eero", "Farah")
PAIR = "7C 7C 6C 5C 4C 3C"  # led by Ann
TWO_PAIRS = "9D 9D KD KD 2D QS"
WON = "AS 2S 3S 4S 5S QH"
KITTY = (parse_card("QS"), parse_card("2C"))


def laid(*tricks: str, options: Options | None = None) -> Hand:
    """A hand of six, Ann leading, in which these tricks have been played."""
    hand = begin(options or Options(), seats=6, dealer=5, number=1)
    for card in " ".join(tricks).split():
        hand = lay(hand, parse_card(card))
    return hand


def said(hand: Hand, place: int, kitty: tuple[int, ...] = KITTY) -> str:
    """How a trick ended, as somebody sees it."""
    seen = re.sub(r'<span class="said">[^<]*</span>', "", trick_words(Played(hand, kitty), NAMES, place))
    return re.sub(r"<[^>]*>", "", seen)


def test_a_pair_cancels() -> None:
    """R14: the pair is named first, then whose card takes the trick, and the kitty with what was in it."""
    assert said(laid(PAIR), 0) == "7♣ 7♣ cancel – Cem’s 6♣ takes it, with the kitty (Q♠ 2♣): 13 points."


def test_two_pairs_cancel_the_trick() -> None:
    """R15: nobody takes a trick with two pairs; the next winner takes its points as well, and the kitty."""
    hand = laid(TWO_PAIRS, WON)
    assert said(hand, 0) == "9♦ 9♦ and K♦ K♦ cancel – nobody takes it; it waits for the next winner."
    assert said(hand, 1) == "Ann’s A♠ takes it, with the 13 points set aside and the kitty (Q♠ 2♣): 27 points."
    assert [trick_cost(Played(hand, KITTY), place) for place in (0, 1)] == [0, 27]


def test_a_kitty_that_nobody_saw() -> None:
    """A hand that ended early leaves its kitty unseen, and that is said."""
    assert said(laid(PAIR), 0, ()).endswith("takes it, with the kitty, which nobody saw: no points.")


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("nobody", "nobody takes it: 14 points count for nobody."),
        ("leader", "nobody wins the last trick, so Ann, who led, gets it: 14 points."),
    ],
)
def test_the_last_trick_is_cancelled(last: str, words: str) -> None:
    """D4: what nobody takes at the end counts for nobody, or goes to who led, as the table has agreed."""
    plain = "AC KC QC JC TC 8C"  # Ann wins, sixteen times as far as this engine cares
    hand = laid(*(plain,) * 16, "9D 9D KD KD 2H QS", options=Options(last_cancelled=last))  # type: ignore[arg-type]
    assert said(hand, 16) == f"9♦ 9♦ and K♦ K♦ cancel – {words}"


def test_who_held_what() -> None:
    """The hand of a seat is what it has played, sorted, also from the trick on the table."""
    assert held_by(laid(PAIR, "2S", "AD"), 2) == (parse_card("6C"), parse_card("2S"))  # Cem leads the second
    assert held_by(laid(PAIR, "2S", "AD"), 3) == (parse_card("5C"), parse_card("AD"))


def test_small_words() -> None:
    """Points in words, a minus that is one, the way the cards were passed."""
    assert [points(count) for count in (0, 1, 14, -10)] == ["no points", "1 point", "14 points", "−10 points"]
    assert number(-26) == "−26"
    cycle = Options(pass_cycle=("L", "N", "R2", "A"), pass_count=1)
    ways = [passed(begin(cycle, 6, 0, hand)) for hand in (1, 2, 3, 4)]
    assert ways == ["1 card passed to the left", "no cards passed", "1 card passed 2 seats to the right", "1 card passed across"]  # fmt: skip


def test_a_card_is_seen_and_heard() -> None:
    """Whoever hears the page hears the name of a card, not its signs."""
    card = shown(parse_card("TH"), "leads")
    assert '<span class="card h" aria-hidden="true">10♥</span>' in card
    assert '<span class="said">10 of hearts, leads</span>' in card
