"""The score sheet, the choice of the moon and the end of the game."""

import pytest

from p2p_hearts.hearts.match import Match, MoonChoice, add_ends_badly, bot_moon_choice, hand_points, settle
from p2p_hearts.hearts.options import Options

WRITTEN = Options()
PLAY_ON = Options(tie="play_on")


def test_totals() -> None:
    """R17: each hand adds to every player's column."""
    assert settle(WRITTEN, (30, 12, 0, 44, 9, 71), (17, 9, 0, 26, 0, 0), None, None) == Match(
        (47, 21, 0, 70, 9, 71), over=False, winners=()
    )


def test_lowest_total_wins() -> None:
    """R6, R19: the game ends when a player reaches or passes the limit, and the lowest total wins."""
    assert settle(WRITTEN, (60, 55, 70, 81, 90, 140), (12, 0, 5, 25, 0, 10), None, None) == Match(
        (72, 55, 75, 106, 90, 150), over=True, winners=(1,)
    )


def test_limit_is_tested_after_the_hand() -> None:
    """D20: one point short goes on, reaching the limit exactly ends the game, also another limit."""
    assert not settle(WRITTEN, (0,) * 5 + (148,), (0, 0, 0, 0, 0, 1), None, None).over
    assert settle(WRITTEN, (0, 1, 1, 1, 1, 148), (0, 0, 0, 0, 0, 2), None, None).winners == (0,)
    assert settle(Options(limit=50), (0, 1, 1, 1, 1, 48), (0, 0, 0, 0, 0, 2), None, None).over


@pytest.mark.parametrize(
    ("choice", "points", "totals"),
    [
        ("subtract", (-26, 0, 0, 0, 0, 0), (-16, 12, 3, 44, 9, 71)),
        ("add", (0, 26, 26, 26, 26, 26), (10, 38, 29, 70, 35, 97)),
    ],
)
def test_moon_choice(choice: MoonChoice, points: tuple[int, ...], totals: tuple[int, ...]) -> None:
    """R18, D17: *subtract* lowers the own total, below zero too; *add* raises every other; the 52 are not added."""
    before, taken = (10, 12, 3, 44, 9, 71), (52, 0, 0, 0, 0, 0)
    assert hand_points(WRITTEN, taken, 0, choice) == points
    assert settle(WRITTEN, before, taken, 0, choice).scores == totals


def test_moon_replaces_jacks() -> None:
    """D22: in a moon hand the choice replaces all points, jacks included."""
    assert hand_points(Options(jack_of_diamonds=-10), (42, -10, 0, 0, 0, 0), 0, "subtract") == (-26, 0, 0, 0, 0, 0)


def test_moon_of_52() -> None:
    """D16: by the option a moon is worth 52."""
    assert hand_points(Options(moon_value=52), (52, 0, 0, 0, 0, 0), 0, "add") == (0, 52, 52, 52, 52, 52)


def test_moon_needs_a_choice() -> None:
    """D17: a moon without a choice cannot be written down."""
    with pytest.raises(ValueError, match="a moon needs a choice"):
        settle(WRITTEN, (0,) * 6, (52, 0, 0, 0, 0, 0), 0, None)


def test_tie_for_the_lowest() -> None:
    """D21: a tie for the lowest total is a shared win, or is played on."""
    before, points = (50, 50, 90, 90, 95, 148), (10, 10, 0, 0, 0, 32)
    assert settle(WRITTEN, before, points, None, None).winners == (0, 1)
    assert settle(PLAY_ON, before, points, None, None) == Match((60, 60, 90, 90, 95, 180), over=False, winners=())
    assert settle(PLAY_ON, (60, 60, 90, 90, 95, 180), (1, 0, 51, 0, 0, 0), None, None).winners == (1,)


def test_played_on_only_from_the_limit() -> None:
    """D20, D21: where ties are played on, one player alone with the lowest total does not end the game below the limit."""
    before = (0, 1, 1, 1, 1, 100)
    assert not settle(PLAY_ON, before, (0, 0, 0, 0, 0, 49), None, None).over
    assert settle(PLAY_ON, before, (0, 0, 0, 0, 0, 50), None, None).winners == (0,)


def test_played_on_until_one_is_lowest() -> None:
    """D21: once the limit was reached, a moon that takes the highest total below it does not keep the game going."""
    options = Options(tie="play_on", moon_value=52)
    match = settle(options, (140, 140, 145, 145, 145, 155), (0, 0, 0, 0, 0, 52), 5, "subtract")
    assert match == Match((140, 140, 145, 145, 145, 103), over=True, winners=(5,))


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((60, 60, 70, 80, 90, 150), (0, 1)),
        ((60, 70, 70, 80, 90, 150), (0,)),
        ((60, 70, 80, 90, 150, 150), (0,)),
        ((60, 150, 150, 150, 150, 150), (0,)),
        ((150, 150, 150, 150, 150, 150), (0, 1, 2, 3, 4, 5)),
    ],
)
def test_only_a_shared_lowest_total_is_a_tie(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """FB3, D21: equal totals in the middle or at the top are no tie."""
    assert settle(WRITTEN, scores, (0,) * 6, None, None).winners == winners


def test_choice_of_a_bot() -> None:
    """D17: a bot adds when that ends the game with itself lowest or tied lowest, else it subtracts."""
    assert bot_moon_choice(WRITTEN, (70, 60, 130, 90, 95, 80), 0) == "add"
    assert bot_moon_choice(WRITTEN, (86, 60, 130, 90, 95, 80), 0) == "add"
    assert bot_moon_choice(WRITTEN, (87, 60, 130, 90, 95, 80), 0) == "subtract"
    assert bot_moon_choice(WRITTEN, (70, 60, 120, 90, 95, 80), 0) == "subtract"
    assert bot_moon_choice(PLAY_ON, (86, 60, 130, 90, 95, 80), 0) == "subtract"


def test_warning_before_a_bad_choice() -> None:
    """D17: a shooter is warned when *add* ends the game with another winner."""
    assert add_ends_badly(WRITTEN, (100, 60, 130, 90, 95, 80), 0)
    assert not add_ends_badly(WRITTEN, (70, 60, 130, 90, 95, 80), 0)
    assert not add_ends_badly(WRITTEN, (100, 60, 120, 90, 95, 80), 0)
