"""The rules as the reader has them, against the written-down cases: what it takes from `protocol/rules.md` is the game."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.reader.closing import letter
from tests.reader.options import DEFAULTS, Options
from tests.reader.refusal import RefusedError
from tests.reader.rules import (
    Play,
    after_moon,
    begun,
    claimed,
    hand_size,
    laid,
    match_over,
    pass_to,
    points_of,
    worth,
)

Case = dict[str, Any]
CASES = json.loads((Path(__file__).parents[2] / "protocol" / "vectors" / "rule_cases.json").read_text("utf-8"))["cases"]


def cases(kind: str) -> list[Any]:
    """The cases of a kind, each by its number and title."""
    return [pytest.param(case, id=f"{case['id']} {case['title']}") for case in CASES if case["kind"] == kind]


def number(text: str) -> int:
    """A card as it is written, as a number."""
    return 13 * "CDHS".index(text[1]) + "23456789TJQKA".index(text[0])


def name(card: int) -> str:
    """The same the other way round."""
    return "23456789TJQKA"[card % 13] + "CDHS"[card // 13]


def played(text: str) -> tuple[int, int]:
    """A play as it is written: the seat and the card."""
    return "ABCDEFGHIJK".index(text[0]), number(text[2:])


def options_of(case: Case) -> Options:
    """The options of a case."""
    return {**DEFAULTS, **case["options"]}


@pytest.mark.parametrize("case", cases("rotation"))
def test_rotation(case: Case) -> None:
    """Who deals, leads, and passes to whom, hand by hand."""
    given, seats = case["given"], case["given"]["players"]
    dealer = ("ABCDEFGHIJK".index(given["first_dealer"]) + given["hand_number"] - 1) % seats
    assert (letter(dealer), letter((dealer + 1) % seats)) == (case["expect"]["dealer"], case["expect"]["leader"])
    to = [pass_to(options_of(case), seats, given["hand_number"], seat) for seat in range(seats)]
    expected = {letter(seat): letter(other) for seat, other in enumerate(to) if other is not None}
    assert (expected or None) == case["expect"]["pass_to"]


@pytest.mark.parametrize("case", cases("deal"))
def test_deal(case: Case) -> None:
    """How many cards everybody gets, and how many lie in the kitty."""
    size = hand_size(case["given"]["players"])
    assert case["expect"] == {"hand_size": size, "kitty_size": 104 - size * case["given"]["players"]}


@pytest.mark.parametrize("case", cases("legal"))
def test_legal(case: Case) -> None:
    """A card is legal exactly when what it claims of the rest of the hand is true."""
    given = case["given"]
    held = [number(card) for card in given["hand"]]
    table = tuple(number(card[-2:]) for card in given["table"])
    play = Play(options_of(case), 6, 0, table=table, trick=given["trick_number"], broken=given["hearts_broken"])
    legal = set()
    for card in held:
        rest = Counter(held) - Counter([card])
        if not any(claimed(play, card) >> other & 1 for other in rest):
            legal.add(name(card))
    assert sorted(legal) == sorted(case["expect"]["legal"])


@pytest.mark.parametrize("case", cases("play"))
def test_play(case: Case) -> None:
    """Who wins a trick or nobody, who leads next, and who has what in the end."""
    given, expect = case["given"], case["expect"]
    seats, leader = given["players"], "ABCDEFGHIJK".index(given["leader"])
    left = given["tricks_in_hand"] - given["first_trick_number"] + 1
    play = replace(
        begun(options_of(case), seats, leader),
        trick=given["first_trick_number"],
        left=(left,) * seats,
        broken=given["hearts_broken"],
        pile=tuple(map(number, given["carried"])),
    )
    for trick, result in zip(given["tricks"], expect["results"], strict=True):
        before = play
        for seat, card in map(played, trick):
            play = replace(laid(replace(play, voids=(0,) * seats), seat, card), voids=(0,) * seats)
        won = [seat for seat in range(seats) if play.captured[seat] != before.captured[seat]]
        if result["winner"] is not None:
            assert list(map(letter, won)) == [result["winner"]]
        if result["next_leader"] is not None:
            assert letter(play.leader) == result["next_leader"]
    kitty = tuple(map(number, given["kitty"]))
    captured = [(*won, *(kitty if seat == play.kitty_seat else ())) for seat, won in enumerate(play.captured)]
    assert {letter(seat): sorted(map(name, won)) for seat, won in enumerate(captured) if won} == expect["captured"]
    points = {letter(seat): worth(play.options, won) for seat, won in enumerate(captured) if won}
    assert points == expect["captured_points"]
    assert play.broken == expect["hearts_broken"]


@pytest.mark.parametrize("case", cases("match"))
def test_match(case: Case) -> None:
    """When a game is over, who has won it, and what a moon is worth."""
    given, expect, options = case["given"], case["expect"], options_of(case)
    points = tuple(given["hand_points"].values())
    if given["moon"] is not None:
        points = after_moon(options, len(points), "ABCDEFGHIJK".index(given["moon"]), given["moon_choice"])
    before = tuple(given["scores"].values())
    after = [total + more for total, more in zip(before, points, strict=True)]
    over, winners = match_over(options, before, after)
    assert dict(zip(given["scores"], after, strict=True)) == expect["scores"]
    assert (over, [letter(seat) for seat in winners]) == (expect["game_over"], expect["winners"])


@pytest.mark.parametrize("case", cases("full_hand"))
def test_full_hand(case: Case) -> None:
    """A whole hand: who wins what, and where it is against the rules, with the hands open."""
    given, expect = case["given"], case["expect"]
    hands = {seat: Counter(map(number, cards)) for seat, cards in enumerate(given["hands_after_pass"].values())}
    play = begun(options_of(case), given["players"], "ABCDEFGHIJK".index(given["leader"]))
    for trick in given["tricks"]:
        for text in trick:
            seat, card = played(text)
            hands[seat].subtract([card])
            rest = [other for other, count in hands[seat].items() if count > 0]
            try:
                revoked = any(claimed(play, card) >> other & 1 for other in rest)
                play = laid(play, seat, card)
            except RefusedError:
                revoked = True
            if revoked:
                assert expect["illegal"]["play"] == text
                return
    points, unclaimed, moon = points_of(play)
    assert {letter(seat): count for seat, count in enumerate(points)} == expect["points"]
    assert unclaimed == sum({"QS": 13}.get(card, int(card[1] == "H")) for card in expect["unclaimed"])
    assert (None if moon is None else letter(moon)) == expect["moon"]
