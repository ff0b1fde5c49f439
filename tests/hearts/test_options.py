"""Options: what a table can choose, and what it says about the choice."""

import pytest

from p2p_hearts.hearts.options import (
    NAMES,
    OptionError,
    Options,
    departures,
    explain,
    options_dict,
    parse_override,
    resolve,
)

POSSIBLE: dict[str, list[object]] = {
    "cancel_rule": ["two_pairs", "no_live_led_card"],
    "cancelled_lead": ["same_leader", "next_left"],
    "last_cancelled": ["nobody", "leader"],
    "first_trick_points": [True, False],
    "hearts_must_break": [True, False],
    "queen_breaks_hearts": [True, False],
    "lead_hearts_over_queen": [True, False],
    "pass_cycle": [["L"], ["L", "R", "N"], ["L2", "R2", "L3", "R3"], ["R"] * 64],
    "pass_count": [0, 1, 2, 3, 4, 5],
    "moon_value": [26, 52],
    "limit": [1, 50, 100, 150, 200, 1000],
    "tie": ["shared", "play_on"],
    "jack_of_diamonds": [0, -10],
    "annulled_charge": [0, 26, 52],
}
IMPOSSIBLE: list[tuple[str, object]] = [
    ("cancel_rule", "three_pairs"),
    ("cancelled_lead", None),
    ("last_cancelled", True),
    ("first_trick_points", 1),
    ("hearts_must_break", "true"),
    ("queen_breaks_hearts", 0),
    ("lead_hearts_over_queen", []),
    ("pass_cycle", []),
    ("pass_cycle", "LR"),
    ("pass_cycle", ["L", "left"]),
    ("pass_cycle", ["L4"]),
    ("pass_cycle", [["L"]]),
    ("pass_cycle", ["L"] * 65),
    ("pass_count", 6),
    ("pass_count", -1),
    ("pass_count", True),
    ("moon_value", 25),
    ("moon_value", 26.0),
    ("limit", 0),
    ("limit", 1001),
    ("limit", 100.0),
    ("tie", ""),
    ("jack_of_diamonds", 10),
    ("jack_of_diamonds", False),
    ("annulled_charge", 53),
    ("annulled_charge", -1),
    ("escrow", 3),
]


def test_defaults_are_the_rules_as_written() -> None:
    """FB5: an untouched table plays D1 to D23 as they stand: to 150, left and right, two pairs cancel."""
    assert options_dict(resolve("as_written", {}, 6)) == {
        "cancel_rule": "two_pairs",
        "cancelled_lead": "same_leader",
        "last_cancelled": "nobody",
        "first_trick_points": True,
        "hearts_must_break": True,
        "queen_breaks_hearts": True,
        "lead_hearts_over_queen": False,
        "pass_cycle": ["L", "R"],
        "pass_count": 3,
        "moon_value": 26,
        "limit": 150,
        "tie": "shared",
        "jack_of_diamonds": 0,
        "annulled_charge": 26,
    }


def test_charge_for_a_spoilt_hand() -> None:
    """D23: who spoils a hand is charged 26, or what the table has agreed."""
    assert Options().annulled_charge == 26
    assert resolve("classic", {"annulled_charge": 0}, 6).annulled_charge == 0


@pytest.mark.parametrize("seats", range(6, 12))
def test_classic_preset(seats: int) -> None:
    """D1, D19, D20: `classic` cancels only tricks without a live led card, plays to 100 and passes across if it can."""
    options = resolve("classic", {}, seats)
    cycle = ("L", "R", "A", "N") if seats in {6, 8, 10} else ("L", "R", "N")
    assert options == Options(cancel_rule="no_live_led_card", limit=100, pass_cycle=cycle)


@pytest.mark.parametrize("seats", range(6, 12))
@pytest.mark.parametrize("preset", ["as_written", "classic"])
def test_every_possible_value_is_accepted_at_every_size(preset: str, seats: int) -> None:
    """FA6: each value of each option works at each number of players, and is what the table then shows."""
    assert set(POSSIBLE) == set(NAMES)
    for name, values in POSSIBLE.items():
        for value in values:
            assert options_dict(resolve(preset, {name: value}, seats))[name] == value


@pytest.mark.parametrize(("name", "value"), IMPOSSIBLE)
def test_every_impossible_value_is_refused(name: str, value: object) -> None:
    """FA6: a value that an option cannot have is refused before the game, naming the option."""
    with pytest.raises(OptionError) as caught:
        resolve("as_written", {name: value}, 8)
    assert caught.value.field == name
    assert str(caught.value) == f"{name}: {caught.value.sentence}"


def test_refused_values_are_repeated_as_written() -> None:
    """A refusal repeats the value as it was written, and of a long one 40 characters, so that nobody can flood a screen."""
    for value, shown in (("Sometimes", "Sometimes"), (False, "false"), ("Ab" * 500, "Ab" * 20)):
        with pytest.raises(OptionError) as caught:
            resolve("as_written", {"tie": value}, 8)
        assert caught.value.sentence == f"{shown} is not possible: choose shared or play_on"


@pytest.mark.parametrize("seats", range(6, 12))
def test_passing_across_needs_an_even_table(seats: int) -> None:
    """D19: an explicit `A` with an odd number of seats is refused with a sentence."""
    if seats % 2 == 0:
        assert resolve("as_written", {"pass_cycle": ["A"]}, seats).pass_cycle == ("A",)
        return
    with pytest.raises(OptionError, match=f"pass_cycle: nobody sits across at a table of {seats}"):
        resolve("classic", {"pass_cycle": ["L", "A"]}, seats)


@pytest.mark.parametrize("seats", [0, 5, 12])
def test_number_of_players(seats: int) -> None:
    """R1: six to eleven players."""
    with pytest.raises(OptionError, match=r"seats: .* the game is for 6 to 11"):
        resolve("as_written", {}, seats)


def test_unknown_preset() -> None:
    """A preset that does not exist is refused with those that do."""
    with pytest.raises(OptionError, match="preset: 'casino' is unknown: choose as_written or classic"):
        resolve("casino", {}, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("limit=100", ("limit", 100)),
        ("pass_cycle=L,R,A,N", ("pass_cycle", ["L", "R", "A", "N"])),
        ("pass_cycle = l2, r2", ("pass_cycle", ["L2", "R2"])),
        ("first_trick_points=false", ("first_trick_points", False)),
        ("lead_hearts_over_queen=True", ("lead_hearts_over_queen", True)),
        ("jack_of_diamonds=-10", ("jack_of_diamonds", -10)),
        ("jack_of_diamonds=−10", ("jack_of_diamonds", -10)),
        ("tie=play_on", ("tie", "play_on")),
    ],
)
def test_options_on_the_command_line(text: str, expected: tuple[str, object]) -> None:
    """An override is written `option=value`, and is then a value of that option."""
    assert parse_override(text) == expected
    resolve("as_written", dict([expected]), 8)


@pytest.mark.parametrize("text", ["limit", "limit=", "=5", "limits=5", ""])
def test_broken_override(text: str) -> None:
    """What is no `option=value` is refused with a sentence."""
    with pytest.raises(OptionError):
        parse_override(text)


def test_departures_are_sentences() -> None:
    """The lobby names every departure from the preset, and nothing else."""
    options = resolve("classic", {"limit": 50, "jack_of_diamonds": -10, "pass_count": 1}, 7)
    assert departures(options, "classic", 7) == (
        "Cards to pass: 1",
        "The game ends when a total reaches 50",
        "Each jack of diamonds won takes 10 points off",
    )
    assert departures(resolve("classic", {}, 7), "classic", 7) == ()


def test_every_departure_has_a_sentence() -> None:
    """No value of any option leaves the lobby without words."""
    for name, values in POSSIBLE.items():
        for value in values:
            options = resolve("as_written", {name: value}, 8)
            assert len(departures(options, "as_written", 8)) == (options != Options())


@pytest.mark.parametrize(("seats", "cancelled"), [(6, 13), (7, 20), (8, 28), (9, 34), (10, 44), (11, 51)])
def test_how_many_tricks_are_cancelled(seats: int, cancelled: int) -> None:
    """D1: the more play, the more tricks are cancelled, and the lobby says how many."""
    assert f"about {cancelled} % of all tricks are cancelled" in explain(Options(), seats)[1]


def test_what_the_rules_mean_for_this_table() -> None:
    """The lobby tells how many cards everybody gets, and how often nobody wins a trick (D1)."""
    cards, cancelled, passing, limit = explain(Options(), 11)
    assert cards.startswith("11 players get 9 cards each; 5 are left over")
    assert "about 51 % of all tricks are cancelled" in cancelled
    assert passing == "Passing: left, right, and again"
    assert limit == "The game ends when a total reaches 150"
    assert "1 % or less" in explain(resolve("classic", {}, 8), 8)[1]
    assert explain(Options(pass_count=0), 8)[0] == "8 players get 13 cards each; no kitty"
    assert explain(Options(pass_count=0), 8)[2] == "No cards are passed"
