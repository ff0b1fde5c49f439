"""Duplicate deals: every level plays every seat of a deal once, and what a deal comes to follows from its number alone."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_hearts.arena import deals, hand
from p2p_hearts.arena.deals import Contest, play_deal
from p2p_hearts.arena.hand import Played, SeatLine, play_hand
from p2p_hearts.bots import choose_play
from p2p_hearts.cards import DECK, Card, parse_card
from p2p_hearts.hearts.hand import begin, deal
from p2p_hearts.hearts.options import Options, resolve
from p2p_hearts.hearts.play import lay
from p2p_hearts.hearts.view import View

NO_PASS = Options(pass_count=0)


def contest(levels: str = "uniform,cautious", seats: int = 6, preset: str = "as_written") -> Contest:
    """A contest of these levels."""
    return Contest(tuple(levels.split(",")), seats, resolve(preset, {}, seats), seed=3, effort=0)


@pytest.mark.parametrize("seats", [6, 7, 11])
@pytest.mark.parametrize("levels", ["uniform,cautious", "uniform,cautious,clever"])
def test_every_level_plays_every_seat_once(levels: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards stay where they are, and the levels move: each has held each hand once, beside the same neighbours."""
    seen: list[tuple[tuple[Card, ...], int, tuple[str, ...]]] = []

    def watch(
        options: Options, deck: Sequence[Card], number: int, seated: tuple[str, ...], rngs: object, effort: int
    ) -> Played:
        del options, rngs, effort
        seen.append((tuple(deck), number, seated))
        return Played((SeatLine(0, moon=False, set_aside=0, decisions=1, seconds=0.0),) * len(seated), 0)

    monkeypatch.setattr(deals, "play_hand", watch)
    play_deal(contest(levels, seats), 5)
    assert len(seen) == len(levels.split(","))
    assert len({(deck, number) for deck, number, _ in seen}) == 1
    held = Counter((seat, level) for _, _, seated in seen for seat, level in enumerate(seated))
    assert held == Counter((seat, level) for seat in range(seats) for level in levels.split(","))


def test_two_levels_sit_alternately() -> None:
    """Two levels share a table seat by seat."""
    result = play_deal(contest(), 1)
    assert [row.decisions for row in result.rows] == [result.rows[0].decisions] * 2


@pytest.mark.parametrize("preset", ["as_written", "classic"])
def test_a_deal_is_worth_its_points(preset: str) -> None:
    """R17: over its rotations a deal hands out 52 points a hand, less what nobody took and what moons put in their place."""
    for number in range(1, 30):
        result = play_deal(contest(seats=8, preset=preset), number)
        total = sum(row.points for row in result.rows)
        if not any(row.moons for row in result.rows):
            assert 0 < total <= 104
        if preset == "classic" and not result.cancelled:
            assert total == 104
        assert sum(row.set_aside for row in result.rows) <= result.cancelled


def test_a_deal_depends_on_its_number_alone() -> None:
    """The same contest and number come to the same, in any order; another number or seed deals other cards."""
    first, again = play_deal(contest(), 7), play_deal(contest(), 7)
    assert [(row.points, row.moons, row.set_aside) for row in first.rows] == [
        (row.points, row.moons, row.set_aside) for row in again.rows
    ]
    assert len({tuple(row.points for row in play_deal(contest(), number).rows) for number in range(1, 9)}) > 4


def test_a_bot_sees_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """D9, R7: a bot is shown its own cards, what it passed and what came, and a kitty only when it has won it."""
    views: list[View] = []

    def watch(level: str, view: View, rng: random.Random, effort: int) -> Card:
        views.append(view)
        return choose_play(level, view, rng, effort)

    monkeypatch.setattr(hand, "choose_play", watch)
    deck = random.Random(2).sample(DECK, 104)
    play_hand(Options(), deck, 1, ("cautious",) * 7, [random.Random(seat) for seat in range(7)], 0)
    dealt, kitty = deal(deck, 7)
    passed = {view.seat: view.passed for view in views}
    for view in views:
        assert view.received == passed[(view.seat - 1) % 7]
        assert (view.kitty == kitty) == (view.hand.kitty_seat == view.seat)
        assert Counter(view.held) <= Counter(dealt[view.seat]) - Counter(view.passed) + Counter(view.received)
    assert {view.seat for view in views} == set(range(7))


def test_what_was_set_aside_goes_to_the_next_winner() -> None:
    """R15, D3, R16: two cancelled tricks and then a winner: three tricks, two of them set aside; the last one is nobody's."""
    now = replace(begin(NO_PASS, 6, dealer=5, number=1), size=4, kitty_size=0)
    tricks = ("4C 4C 9C 9C KC 2D", "5C 5C 3C 3C AC 6D", "7C 8C TC QC JC 2C", "4D 4D 9D 9D KD 2D")
    for text in " ".join(tricks).split():
        now = lay(now, parse_card(text))
    assert hand._set_aside(now) == (0, 0, 0, 2, 0, 0)
