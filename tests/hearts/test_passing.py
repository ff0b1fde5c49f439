"""Passing: to whom, what, and how the hands stand afterwards."""

import pytest

from p2p_hearts.cards import Card, parse_card
from p2p_hearts.hearts.options import Options, resolve
from p2p_hearts.hearts.passing import check_pass, exchange, pass_source, pass_target
from p2p_hearts.hearts.reasons import sentence

WRITTEN = Options()


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(map(parse_card, text.split()))


def test_left_then_right() -> None:
    """R8, D19: the first hand passes to the left, the second to the right, then again."""
    assert [pass_target(WRITTEN, 6, number, 0) for number in (1, 2, 3, 4)] == [1, 5, 1, 5]
    assert [pass_source(WRITTEN, 6, number, 0) for number in (1, 2, 3, 4)] == [5, 1, 5, 1]


@pytest.mark.parametrize(
    ("step", "target"), [("L", 3), ("R", 1), ("L2", 4), ("R2", 0), ("L3", 5), ("R3", 7), ("A", 6), ("N", None)]
)
def test_every_step_of_a_cycle(step: str, target: int | None) -> None:
    """D19: one, two or three seats to the left or right, across, or not at all; seen from C at eight players."""
    options = resolve("as_written", {"pass_cycle": [step]}, 8)
    assert pass_target(options, 8, 1, 2) == target
    assert pass_source(options, 8, 1, 2 if target is None else target) == (None if target is None else 2)


def test_no_passing_at_all() -> None:
    """D19: with a pass count of 0 nobody passes, whatever the cycle says."""
    assert pass_target(Options(pass_count=0), 6, 1, 0) is None


def test_what_is_a_pass() -> None:
    """R7: three cards that one holds."""
    held = cards("2C 3C 4C KD QS")
    assert check_pass(WRITTEN, held, cards("2C KD QS")) is None
    for chosen, expected in (
        ("2C KD", "Choose exactly 3 cards to pass"),
        ("2C 3C 4C QS", "Choose exactly 3 cards to pass"),
        ("2C KD AS", "You do not hold that many of the ace of spades"),
    ):
        reason = check_pass(WRITTEN, held, cards(chosen))
        assert reason is not None
        assert sentence(reason) == expected


def test_one_copy_named_twice() -> None:
    """FA5, R7: a pass that names one held copy twice is refused; with both copies held it is a pass."""
    reason = check_pass(WRITTEN, cards("2C 3C KD QS"), cards("KD KD QS"))
    assert reason is not None
    assert sentence(reason) == "You do not hold that many of the king of diamonds"
    assert check_pass(WRITTEN, cards("2C KD KD QS"), cards("KD KD QS")) is None


def test_hands_after_the_pass() -> None:
    """R7: what one gives leaves before anything arrives, so nobody passes on what was just received."""
    hands = tuple(map(cards, ("2C 3C", "4C 5C", "6C 7C", "8C 9C", "TC JC", "QC KC")))
    chosen = tuple(map(cards, ("2C", "4C", "6C", "8C", "TC", "QC")))
    options = Options(pass_count=1)
    assert exchange(options, 1, hands, chosen) == tuple(
        map(cards, ("3C QC", "2C 5C", "4C 7C", "6C 9C", "8C JC", "TC KC"))
    )
    assert exchange(options, 2, hands, chosen)[0] == cards("3C 4C")
