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
        ("C01", "given.tricks.0.1", "C:KC", "tricks"),
        ("S03", "given.first_trick_number", 16, None),
        ("S04", "given.first_trick_number", 17, "tricks"),
        ("H01", "given.hearts", ..., "hearts"),
        ("H01", "given.hearts.A", 27, "hearts.A"),
        ("H01", "given.hearts.A", 5, "hearts"),
        ("H01", "given.hearts.A", -1, "hearts.A"),
        ("H01", "given.queens.B", 1, "queens"),
        ("H01", "given.queens", [1, 1], "queens"),
        ("H01", "given.unclaimed_hearts", None, "unclaimed_hearts"),
        ("H01", "given.unclaimed_queens", ..., "unclaimed_queens"),
        ("O08", "given.jacks.B", 1, "jacks"),
        ("M01", "given.scores", {}, "scores"),
        ("M01", "given.scores.C", ..., "scores"),
        ("M01", "given.hand_points.C", ..., "hand_points.C"),
        ("M01", "given.hand_points.C", "0", "hand_points.C"),
        ("M01", "given.scores.C", 10**4000, "scores.C"),
        ("M01", "given.moon", ..., "moon"),
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
    assert judge(case)["error"].startswith("The first lead may not be a heart")


def test_hand_must_be_played_to_its_end() -> None:
    """FB7: a whole hand may break off only where all points have been won."""
    case = altered("W06", "given.tricks.12", ...)
    assert judge(case) == {"error": "tricks: the hand is not finished after 12 tricks"}


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
