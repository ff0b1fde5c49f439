"""Bots: legal, blind to hidden cards, and careful where they claim to be."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from p2p_hearts.bots import LEVELS, choose_moon, choose_pass, choose_play
from p2p_hearts.cards import DECK, Card, card_text
from p2p_hearts.hearts.hand import Hand, begin, deal, finished, to_play
from p2p_hearts.hearts.options import Options, resolve
from p2p_hearts.hearts.passing import check_pass, exchange, pass_source
from p2p_hearts.hearts.play import legal_plays, play
from p2p_hearts.hearts.score import HandScore, score_hand
from p2p_hearts.hearts.view import View
from tests.bots.positions import WRITTEN, cards, view_of

NO_POINTS_FIRST = Options(first_trick_points=False)
EFFORT = 40  # rollouts, for levels that look ahead: these tests ask whether they may, not how well they play
LONG = {"uniform": 10_000, "cautious": 10_000, "clever": 1_000, "expert": 200}  # hands of a long run, at each size


def cautious_play(view: View) -> str:
    """What `cautious` plays here."""
    return card_text(choose_play("cautious", view, random.Random(0)))


@dataclass(frozen=True, slots=True)
class Played:
    """A hand of bots, the views they chose from, and its score."""

    views: tuple[tuple[View, Card], ...]
    score: HandScore


def play_hand(options: Options, levels: Sequence[str], seed: int) -> Played:
    """A whole hand of bots, refereed: an illegal choice raises."""
    rng, seats = random.Random(seed), len(levels)
    deck = list(DECK)
    rng.shuffle(deck)
    held, kitty = deal(deck, seats)
    hand = begin(options, seats, seed % seats, number=1)
    scores = (0,) * seats
    passed: tuple[tuple[Card, ...], ...] = ((),) * seats
    received = passed
    sources = [pass_source(options, seats, 1, seat) for seat in range(seats)]
    if sources[0] is not None:
        views = [View(seat, hand, held[seat], (), (), None, scores) for seat in range(seats)]
        passed = tuple(choose_pass(levels[view.seat], view, rng, EFFORT) for view in views)
        assert not any(check_pass(options, held[seat], passed[seat]) for seat in range(seats))
        received = tuple(passed[source] for source in sources if source is not None)
        held = exchange(options, 1, held, passed)
    left = [list(mine) for mine in held]
    choices = []
    while (seat := to_play(hand)) is not None:
        won = kitty if hand.kitty_seat == seat else None
        view = View(seat, hand, tuple(left[seat]), received[seat], passed[seat], won, scores)
        card = choose_play(levels[seat], view, rng, EFFORT)
        assert card in legal_plays(hand, left[seat])
        choices.append((view, card))
        left[seat].remove(card)
        hand = play(hand, seat, card)
    assert finished(hand)
    return Played(tuple(choices), score_hand(hand))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", range(6, 12))
def test_bots_play_whole_hands(level: str, seats: int) -> None:
    """FA12: bots pass and play without a refusal at every size, under both presets and the strictest options."""
    strict: Mapping[str, object] = {"first_trick_points": False, "pass_count": 5, "jack_of_diamonds": -10}
    for options in (WRITTEN, resolve("classic", {}, seats), resolve("classic", strict, seats)):
        for seed in range(1 if level == "expert" else 4):  # which takes its time
            score = play_hand(options, [level] * seats, seed).score
            assert len(score.points) == seats


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", range(6, 12))
def test_thousands_of_hands_of_bots(level: str, seats: int) -> None:
    """FA12: thousands of hands of each level at each size, with the referee on: no refusal, no stall."""
    for seed in range(LONG[level]):
        preset, overrides = ("as_written", "classic")[seed % 2], {"first_trick_points": seed % 3 > 0}
        play_hand(resolve(preset, overrides, seats), [level] * seats, seed)


@pytest.mark.long
@pytest.mark.parametrize("seats", range(6, 12))
def test_a_thousand_hands_of_mixed_bots(seats: int) -> None:
    """FA12: bots of all levels at one table, with the referee on: no refusal, no stall."""
    for seed in range(1_000):
        play_hand(NO_POINTS_FIRST, [LEVELS[(seat + seed) % 3] for seat in range(seats)], seed)


@pytest.mark.parametrize("level", LEVELS)
def test_no_points_on_the_first_trick(level: str) -> None:
    """FA1: where points are barred from the first trick, a bot void in the suit led never plays one."""
    view = view_of("QS QS AH KH 3H 7D", "9C KC", options=NO_POINTS_FIRST, trick=1)
    for seed in range(20):
        assert card_text(choose_play(level, view, random.Random(seed), EFFORT)) == "7D"


@pytest.mark.parametrize("level", LEVELS)
def test_only_points_on_the_first_trick(level: str) -> None:
    """FA2: with nothing but points a bot still plays."""
    view = view_of("QS AH KH", "9C KC", options=NO_POINTS_FIRST, trick=1, seats=11)
    assert choose_play(level, view, random.Random(0), EFFORT) in view.held


@pytest.mark.parametrize("level", LEVELS)
def test_bot_has_no_memory(level: str) -> None:
    """The same view and the same rng give the same choice, whatever was chosen before."""
    game = play_hand(WRITTEN, [level] * 7, seed=3)
    for view, _ in reversed(game.views):
        again = [choose_play(level, view, random.Random(9), EFFORT) for _ in range(2)]
        assert again[0] == again[1]


def test_ducks_the_queen() -> None:
    """FC3: last to play, able to duck, it leaves the Black Maria to another."""
    assert cautious_play(view_of("3S AS", "4S QS 9S KS TS")) == "3S"
    assert cautious_play(view_of("3S KS 2D", "4S QS 9S 5S TS")) == "3S"


def test_plays_high_where_it_costs_nothing() -> None:
    """Last to a trick without points, it gets rid of the high card that would take points later."""
    assert cautious_play(view_of("3C AC", "4C 6C 9C JC TC")) == "AC"


def test_dumps_the_queen() -> None:
    """Void in the suit led, it throws a Black Maria on another's trick, before hearts."""
    assert cautious_play(view_of("QS AH 2C", "9D KD 4D")) == "QS"


def test_drops_the_queen_under_the_ace() -> None:
    """Last to play under an ace that stands, it drops the queen rather than a low spade."""
    assert cautious_play(view_of("QS 3S", "4S AS 9S 5S TS")) == "QS"


def test_knows_that_twins_cancel() -> None:
    """R14: the twin of the ace on the table cannot win, so it is the card to play."""
    assert cautious_play(view_of("AS 5S", "4S AS QS 9S TS")) == "AS"


def test_sees_what_cancelling_would_let_win() -> None:
    """R14: with the aces cancelled its king would win the Black Maria, so it ducks."""
    assert cautious_play(view_of("KS 5S", "AS AS QS 9S TS")) == "5S"


def test_keeps_an_exit_card() -> None:
    """Free to discard, it throws the high club and keeps the two."""
    assert cautious_play(view_of("AC 2C", "9D KD 4D")) == "AC"


def test_leads_low() -> None:
    """On lead, with Black Marias about, it gets off lead with a low spade, not with the ace or a high heart."""
    assert cautious_play(view_of("2S AS KH")) == "2S"


def test_pass_of_dangerous_spades() -> None:
    """Queen, king and ace of spades without low ones go first."""
    view = view_of("QS KS AS 2C 3C 5C 2D 4D 6D 2H 4H 5H 9D", trick=1, seats=8)
    assert choose_pass("cautious", view, random.Random(0)) == cards("QS KS AS")


def test_pass_keeps_guarded_low_cards() -> None:
    """Low cards stay, high hearts go."""
    view = view_of("2C 3C 2D 3D 2S 3S 4S 5S 2H 3H QH KH AH", trick=1, seats=8)
    assert choose_pass("cautious", view, random.Random(0)) == cards("QH KH AH")


def test_cautious_takes_fewer_points_than_uniform() -> None:
    """At one table with random players, the cautious ones take less than a third of their points."""
    totals = {"uniform": 0, "cautious": 0}
    for seed in range(40):
        levels = [("uniform", "cautious")[(seat + seed) % 2] for seat in range(8)]
        for seat, points in enumerate(play_hand(WRITTEN, levels, seed).score.points):
            totals[levels[seat]] += points
    assert totals["cautious"] * 3 < totals["uniform"]


def test_moon_of_a_bot() -> None:
    """D17: a bot that shot the moon adds when that wins it the game, else it subtracts."""
    view = replace(view_of("2C"), scores=(70, 60, 130, 90, 95, 80))
    assert choose_moon("cautious", view, random.Random(0)) == "add"
    assert choose_moon("uniform", replace(view, scores=(0,) * 6), random.Random(0)) == "subtract"


def test_hand_is_public() -> None:
    """D9: a view holds the kitty of its own seat only, and its hand no card that was not played."""
    for view, _ in play_hand(WRITTEN, ["cautious"] * 9, seed=2).views:
        assert (view.kitty is not None) == (view.hand.kitty_seat == view.seat)
        assert _cards_shown(view.hand) == 9 * (view.hand.trick - 1) + len(view.hand.table)


def _cards_shown(hand: Hand) -> int:
    """How many cards a hand shows in all: won, set aside and on the table."""
    return sum(map(len, hand.captured)) + len(hand.pile) + len(hand.table)
