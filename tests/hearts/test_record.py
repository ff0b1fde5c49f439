"""Written-down cases: the published ones, and those that are not as the schema says."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.hearts.record import adjudicate

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "protocol" / "vectors" / "rule_cases.json").read_text(encoding="utf-8")
)
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in DOCUMENT["cases"]}


def judge(case: object) -> Any:
    """The result of one case."""
    (answer,) = adjudicate({"cases": [case]})["results"]
    return answer["result"]


def altered(name: str, path: str, value: object) -> dict[str, Any]:
    """A published case in which the value at a path is another, or is gone when it is `...`."""
    case = copy.deepcopy(CASES[name])
    *way, last = path.split(".")
    place: Any = case
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    key = int(last) if isinstance(place, list) else last
    if value is ...:
        del place[key]
    else:
        place[key] = value
    return case


def test_there_are_ninety_published_cases() -> None:
    """The published cases are all there, and are answered in their order."""
    assert len(CASES) == 90
    assert [answer["id"] for answer in adjudicate(DOCUMENT)["results"]] == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_published_case(name: str) -> None:
    """Each published case is judged as published; a refused play also carries the sentence a player reads."""
    case = CASES[name]
    result = judge({key: case[key] for key in ("id", "kind", "options", "given")})
    error = result.pop("error", None)
    assert result == case["expect"]
    assert (error is not None) == ("illegal" in case["expect"])


def test_sentences_of_refused_plays() -> None:
    """R10, R11: a revoke and a play out of turn are refused in words."""
    assert judge(CASES["O15"])["error"] == "You must follow hearts"
    assert judge(CASES["O17"])["error"] == "It is not your turn"


@pytest.mark.parametrize(
    ("name", "path", "value", "field"),
    [
        ("L01", "id", ..., "id"),
        ("L01", "id", 7, "id"),
        ("L01", "kind", ..., "kind"),
        ("L01", "kind", "bid", "kind"),
        ("L01", "kind", ["legal"], "kind"),
        ("L01", "options", ..., "options"),
        ("L01", "options", [], "options"),
        ("L01", "options", {"limit": 0}, "options.limit"),
        ("L01", "options", {"trumps": "H"}, "options.trumps"),
        ("L01", "given", ..., "given"),
        ("L01", "given", None, "given"),
        ("D06", "given.players", ..., "players"),
        ("D06", "given.players", 5, "players"),
        ("D06", "given.players", 6.0, "players"),
        ("D06", "given.players", "6", "players"),
        ("D06", "given.players", True, "players"),
        ("X01", "given.first_dealer", "G", "first_dealer"),
        ("X01", "given.first_dealer", 0, "first_dealer"),
        ("X01", "given.hand_number", 0, "hand_number"),
        ("X01", "given.hand_number", 1_000_000, None),
        ("X01", "given.hand_number", 1_000_001, "hand_number"),
        ("X07", "given.hands.F", ..., "hands.F"),
        ("X07", "given.hands.A", "KD", "hands.A"),
        ("X07", "given.hands.G", [], "hands"),
        ("X07", "given.hands.B", ["KD", "KD", "3C", "4C"], "hands"),
        ("X07", "given.pass.A", ["KD", "KD"], "pass.A"),
        ("X07", "given.pass.B", ["2C", "2C", "3C"], "pass.B"),
        ("X07", "options", {"pass_cycle": ["N"]}, "pass.A"),
        ("L01", "given.trick_number", 0, "trick_number"),
        ("L01", "given.hand", ["QS", "1S"], "hand"),
        ("L01", "given.hand", ["QS", "QS", "QS"], "hand"),
        ("L01", "given.hand", "QS", "hand"),
        ("L01", "given.hand", ["QS", 5], "hand"),
        ("L01", "given.hand", ["QS", ["5", "D"]], "hand"),
        ("L01", "given.trick_number", 17, None),
        ("L01", "given.trick_number", 18, "trick_number"),
        ("L01", "given.hearts_broken", 0, "hearts_broken"),
        ("L08", "given.table.0", "9D", "table"),
        ("L08", "given.table.0", "A:", "table"),
        ("L08", "given.table.0", ":9D", "table"),
        ("L08", "given.table.0", None, "table"),
        ("L08", "given.table", ["A:2D"] * 2, "table"),
        ("L08", "given.table", [f"A:{rank}C" for rank in "23456789TJQ"], "table"),
        ("C01", "given.leader", "Z", "leader"),
        ("C01", "given.leader", "B", "tricks"),
        ("C01", "given.tricks_in_hand", 18, "tricks_in_hand"),
        ("C01", "given.first_trick_number", 18, "first_trick_number"),
        ("C01", "given.first_trick_number", 17, None),
        ("C01", "given.kitty", ["7C", "7C"], "tricks"),
        ("C01", "given.carried", 0, "carried"),
        ("C01", "given.tricks.0", {}, "tricks"),
        ("C01", "given.tricks.0", ["A:7C", "B:KC"], "tricks"),
        ("C01", "given.tricks.0", [f"{seat}:7C" for seat in "ABCDEFA"], "tricks"),
        ("C01", "given.tricks.0", ["A:7C", "B:KC", "C:2C", "D:9C", "E:JC", "F:4C", "B:5C"], "tricks[0]"),
        ("C01", "given.tricks.0.1", "C:KC", "tricks"),
        ("S03", "given.first_trick_number", 16, None),
        ("S04", "given.first_trick_number", 17, "tricks"),
        ("H01", "given.hearts", ..., "hearts"),
        ("H01", "given.hearts.A", 27, "hearts.A"),
        ("H01", "given.hearts.A", 5, "hearts"),
        ("H01", "given.hearts.C", 0, None),
        ("H01", "given.unclaimed_hearts", 1, "hearts"),
        ("H01", "given.unclaimed_queens", 1, "queens"),
        ("H01", "given.hearts.A", -1, "hearts.A"),
        ("H01", "given.queens.B", 1, "queens"),
        ("H01", "given.queens", [1, 1], "queens"),
        ("H01", "given.unclaimed_hearts", None, "unclaimed_hearts"),
        ("H01", "given.unclaimed_queens", ..., "unclaimed_queens"),
        ("O08", "given.jacks.B", 1, "jacks"),
        ("O08", "given.jacks", {"B": 3}, "jacks.B"),
        ("M01", "given.scores", {}, "scores"),
        ("M01", "given.scores", dict.fromkeys("ABCDEFGHIJKL", 0), "scores"),
        ("M01", "given.scores.C", ..., "scores"),
        ("M01", "given.hand_points.C", ..., "hand_points.C"),
        ("M01", "given.hand_points.C", "0", "hand_points.C"),
        ("M01", "given.scores.C", 10**4000, "scores.C"),
        ("M01", "given.scores.C", -1_000_000, None),
        ("M01", "given.scores.C", -1_000_001, "scores.C"),
        ("M01", "given.scores.C", 1_000_000, None),
        ("M01", "given.scores.C", 1_000_001, "scores.C"),
        ("M01", "given.moon", ..., "moon"),
        ("M01", "given.moon_choice", "double", "moon_choice"),
        ("M02", "given.moon", "G", "moon"),
        ("M02", "given.moon_choice", None, "moon_choice"),
        ("M02", "given.moon_choice", ..., "moon_choice"),
        ("M02", "given.moon_choice", "double", "moon_choice"),
        ("M02", "given.moon_choice", ["add"], "moon_choice"),
        ("W03", "given.leader", "D", "leader"),
        ("W03", "given.hands_after_pass.A", [], "hands_after_pass.A"),
        ("W03", "given.hands_after_pass.A.0", "5C", "hands_after_pass"),
        ("W03", "given.kitty", ["4H"], "kitty"),
        ("W03", "given.tricks", [], "tricks"),
        ("W03", "given.tricks.10", [], "tricks"),
        ("W03", "given.tricks.10", ..., "tricks"),
    ],
)
def test_malformed_case(name: str, path: str, value: object, field: str | None) -> None:
    """A case that is not as the schema says is answered with an error that begins with the name of the field."""
    result = judge(altered(name, path, value))
    if field is None:
        assert "error" not in result
    else:
        assert list(result) == ["error"]
        assert result["error"].startswith((f"{field}:", f"{field}["))


def test_the_kitty_of_the_first_trick() -> None:
    """R5, D4: who wins the first trick wins the kitty; if nobody does and there is no other trick, it is unclaimed."""
    one = {"first_trick_number": 1, "tricks_in_hand": 1, "kitty": ["3D", "2H"]}
    won = judge(altered("C01", "given", {**CASES["C01"]["given"], **one}))
    assert won["captured"] == {"B": ["2C", "2H", "3D", "4C", "7C", "9C", "JC", "KC"]}
    assert (won["captured_points"], won["unclaimed"]) == ({"B": 1}, [])
    tricks = [*CASES["C01"]["given"]["tricks"], ["B:3D", "C:9D", "D:4D", "E:5D", "F:6D", "A:7D"]]
    two = judge(altered("C01", "given", {**CASES["C01"]["given"], **one, "tricks_in_hand": 2, "tricks": tricks}))
    assert two["captured"] == won["captured"] | {"C": ["3D", "4D", "5D", "6D", "7D", "9D"]}
    cancelled = judge(altered("S03", "given", {**CASES["S03"]["given"], **one}))
    assert (cancelled["captured"], cancelled["captured_points"]) == ({}, {})
    assert cancelled["unclaimed"] == ["2H", "3D", "5H", "5H", "7D", "AC", "QS", "QS"]


def test_before_the_last_trick() -> None:
    """R15, R16: before the last trick what was set aside still waits, and its leader leads again."""
    result = judge(altered("S04", "given.tricks.1", ...))
    assert [trick["next_leader"] for trick in result["results"]] == ["A"]
    assert (result["carried"], result["unclaimed"]) == (["3C", "3C", "4H", "7S", "KD", "KD"], [])


def test_a_match_of_eleven() -> None:
    """R1, R17: the sheet has up to eleven columns."""
    eleven = {"scores": dict.fromkeys("ABCDEFGHIJK", 20), "hand_points": dict.fromkeys("ABCDEFGHIJK", 2)}
    result = judge(altered("M01", "given", {**CASES["M01"]["given"], **eleven}))
    assert result == {"scores": dict.fromkeys("ABCDEFGHIJK", 22), "game_over": False, "winners": []}


def test_hands_without_a_pass() -> None:
    """D19: where no cards are passed, a case that passes none is right, and all hands stay as they are."""
    case = altered("X07", "options", {"pass_cycle": ["N"]})
    case["given"]["pass"] = {seat: [] for seat in "ABCDEF"}
    hands = {seat: sorted(held) for seat, held in case["given"]["hands"].items()}
    assert judge(case) == {"hands": hands}


@pytest.mark.parametrize(
    ("name", "path", "value", "error"),
    [
        ("L08", "given.table.0", "9D", "table: '9D' is not a play: write it as A:QS"),
        ("L08", "given.table.0", 9, "table: 9 is not a play: write it as A:QS"),
        ("D06", "given.players", ["6"] * 99, "players: must be a whole number, not a list"),
        ("D06", "given.players", {"6": "x" * 99}, "players: must be a whole number, not a dict"),
        ("D06", "given.players", "x" * 38, f"players: must be a whole number, not '{'x' * 38}'"),
        ("D06", "given.players", "x" * 39, f"players: must be a whole number, not '{'x' * 39}…"),
        ("D06", "given.players", "x" * 999, f"players: must be a whole number, not '{'x' * 39}…"),
    ],
)
def test_errors_repeat_little(name: str, path: str, value: object, error: str) -> None:
    """An error repeats 40 characters of a wrong value at most, and names a list or an object only by its type."""
    assert judge(altered(name, path, value)) == {"error": error}


def test_a_kitty_that_nobody_wins() -> None:
    """R5, D4, FA11: in a whole hand whose every trick is cancelled the kitty is unclaimed too, and all 104 cards with it."""
    ranks = "23456789TJQKA"
    pair = [[f"{rank}C" for rank in ranks] + ["AD"]] * 2  # A leads a club, B lays its double, nobody else has a club
    rest = [f"{rank}D" for rank in ranks[:12] for _ in "12"] + [f"{rank}{suit}" for rank in ranks for suit in "HHSS"]
    kitty, rest = rest[-6:], rest[:-6]
    rows = [*pair, *(rest[seat::5] for seat in range(5))]
    given = {
        "players": 7,
        "dealer": "G",
        "leader": "A",
        "hands_after_pass": dict(zip("ABCDEFG", rows, strict=True)),
        "kitty": kitty,
        "tricks": [[f"{seat}:{row[at]}" for seat, row in zip("ABCDEFG", rows, strict=True)] for at in range(14)],
    }
    result = judge({"id": "all cancelled", "kind": "full_hand", "options": {}, "given": given})
    assert result["trick_winners"] == [None] * 14
    assert result["points"] == result["cards_won"] == dict.fromkeys("ABCDEFG", 0)
    assert result["unclaimed"] == sorted(f"{rank}{suit}" for rank in ranks for suit in "CCDDHHSS")
    assert result["moon"] is None


def test_pass_across_at_an_odd_table() -> None:
    """D19: a case that wants a pass across at seven players is malformed."""
    case = altered("X05", "given.players", 7)
    assert judge(case) == {"error": "options.pass_cycle: nobody sits across at a table of 7: A needs an even number"}


def test_other_cases_are_still_judged() -> None:
    """A malformed case spoils no other."""
    cases: list[object] = [None, [], CASES["D06"], {"id": "x"}, CASES["C01"]]
    results = [answer["result"] for answer in adjudicate({"cases": cases})["results"]]
    assert [list(result) == ["error"] for result in results] == [True, True, False, True, False]
    assert results[2] == CASES["D06"]["expect"]


def test_unknown_fields_are_ignored() -> None:
    """A field that the schema does not know changes nothing."""
    case = altered("C01", "given.weather", "fine")
    assert judge({**case, "author": "Ann"}) == CASES["C01"]["expect"]


def test_default_options_of_the_document() -> None:
    """Every case assumes the default options of its document, and overrides them with its own."""
    cases = [CASES["M01"], {**CASES["M01"], "options": {"limit": 70}}]
    answers = adjudicate({"default_options": {"limit": 100}, "cases": cases})["results"]
    assert [answer["result"]["game_over"] for answer in answers] == [False, True]
    (answer,) = adjudicate({"default_options": 3, "cases": [CASES["M01"]]})["results"]
    assert answer["result"]["error"].startswith("default_options:")


@pytest.mark.parametrize("document", [None, 3, "cases", [], {}, {"cases": None}, {"cases": {}}])
def test_what_is_no_document(document: object) -> None:
    """A document without a list of cases has no results, and says so."""
    answer = adjudicate(document)
    assert answer["results"] == []
    assert answer["error"].startswith("cases:")


def test_illegal_play_ends_a_case() -> None:
    """R10, R9: at the first illegal play only that play is reported, even in a trick that breaks off there."""
    case = altered("O15", "given.tricks.2", ["E:6H", "F:2S"])
    expect = {"trick": 3, "play": "F:2S", "legal": ["7H", "AH"]}
    assert judge(case) == {"illegal": expect, "error": "You must follow hearts"}
    case = altered("O15", "given.tricks.0.0", "E:KH")
    assert judge(case)["error"] == "You do not hold the king of hearts"
    case = altered("O15", "given.tricks.0.0", "E:4H")
    assert judge(case)["error"].startswith("No heart or Black Maria on the first lead")


def test_hand_must_be_played_to_its_end() -> None:
    """FB7: a whole hand may break off only where all points have been won."""
    case = altered("W06", "given.tricks.12", ...)
    assert judge(case) == {"error": "tricks: the hand is not finished after 12 tricks"}


def test_tricks_of_a_whole_hand() -> None:
    """FB7: a whole hand has no trick with a play too few, and none more than cards were dealt to each."""
    tricks = CASES["W06"]["given"]["tricks"]
    assert (len(tricks), len(tricks[3])) == (13, 8)
    short = altered("W06", "given.tricks.3", tricks[3][:7])
    assert judge(short) == {"error": "tricks: trick 4 has 7 plays, must be 8"}
    long = altered("W06", "given.tricks", [*tricks, tricks[0]])
    assert judge(long) == {"error": "tricks: 14 tricks, the hand has 13"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["QS", "A:QS", "A"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["A", "B", "Z", "cases"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(document=JSON)
def test_any_json_is_answered(document: object) -> None:
    """No JSON value makes the judge fail."""
    assert "results" in adjudicate(document)


@given(name=st.sampled_from(sorted(CASES)), data=st.data(), value=JSON)
def test_any_wrong_value_is_answered(name: str, data: st.DataObject, value: object) -> None:
    """Whatever stands in the place of a field or of a part of it, the case is answered with JSON."""
    case = copy.deepcopy(CASES[name])
    place: Any = case
    keys: list[Any] = ["kind", "options", "given"]
    while True:
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place, keys = inner, list(inner) if isinstance(inner, dict) else list(range(len(inner)))
    place[key] = value
    json.dumps(judge(case))
