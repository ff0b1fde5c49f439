"""The expert: legal, the same however its work is cut up, and right where looking ahead is what it takes."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from p2p_hearts.bots import expert
from p2p_hearts.bots.rollout.playouts import start
from p2p_hearts.bots.rollout.run import run_trial
from p2p_hearts.bots.rollout.tables import Ints
from p2p_hearts.bots.rollout.worth import costs
from p2p_hearts.bots.trials import GRAIN, Tally, Trial, add, error, excess, mean, only
from p2p_hearts.cards import DECK, SUIT_MASKS, Card, Suit, card_text, parse_card
from p2p_hearts.hearts.hand import begin, deal, to_play
from p2p_hearts.hearts.options import CHOICES, Options, resolve
from p2p_hearts.hearts.passing import check_pass, exchange, pass_target
from p2p_hearts.hearts.play import lay, legal_plays, play
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.hearts.view import View

EFFORT = 60  # rollouts; enough to go through every line, and quick
PENSIVE = 2_000


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, sorted."""
    return tuple(sorted(map(parse_card, text.split())))


def late_view(
    held: str,
    table: str = "",
    *,
    out: str,
    voids: Sequence[int] = (0,) * 6,
    passed: str = "",
    scores: Sequence[int] = (0,) * 6,
    options: Options = Options(),  # noqa: B008 - a value
) -> View:
    """The view of the seat in turn near the end of a hand of six that A leads to: `out` are the cards that others hold,
    all the rest has been played. What was passed went to the left; `voids` are masks by seat."""
    left = [*cards(held), *cards(out), *cards(table)]
    once = twice = 0
    for card in range(52):
        gone = 2 - left.count(card)
        once |= (gone > 0) << card
        twice |= (gone > 1) << card
    size = len(held.split())
    hand = begin(options, 6, dealer=5, number=1)
    hand = replace(
        hand, trick=18 - size, kitty_size=0, broken=True, once=once, twice=twice, voids=tuple(voids), unwon=99
    )
    for text in table.split():
        hand = lay(hand, parse_card(text))
    return View(len(hand.table), hand, cards(held), (), cards(passed), None, tuple(scores))


def choice(view: View, effort: int = PENSIVE) -> str:
    """What the expert plays here."""
    return card_text(expert.choose_play(view, random.Random(1), effort))


def test_ducks_the_queen() -> None:
    """FC3: last to play and able to duck, it leaves the Black Maria to another."""
    view = late_view("3S KS 2D", "4S QS 9S 5S TS", out="4C 5C 6C 7C 8C 9C TC JC QC KC")
    assert choice(view) == "3S"


def test_drops_the_queen_under_an_ace_that_stands() -> None:
    """FC4: the other ace is gone, so the ace on the table wins and takes the queen."""
    view = late_view("QS KS", "AS", out="4C 5C 6C 7C 4D 5D 6D 7D 8D")
    assert choice(view) == "QS"


def test_keeps_the_queen_from_aces_that_cancel() -> None:
    """FC4: the next seat must follow with the other ace, which it was passed; the aces cancel and the queen would win.

    With the two of spades the five wins, and the queen goes on the last trick.
    """
    view = late_view("2S QS", "AS", out="AS 5S 4C 5C 6C 7C 8C 4D 5D", passed="AS")
    assert choice(view) == "2S"


def test_leads_what_others_can_take() -> None:
    """FC6: nobody else has clubs, so whoever leads them eats the hearts of all; a low diamond passes the lead on."""
    view = late_view("3C 5C 2D", out="4D 6D 7D 8D 9D TD JD 3H 4H 5H 6H 7H 8H 9H TH")
    assert choice(view) == "2D"


def test_reckons_with_claimed_voids() -> None:
    """R10: whoever has claimed to hold no diamonds cannot take one; with all others void there, it leads clubs."""
    void = SUIT_MASKS[Suit.DIAMONDS]
    view = late_view("9C 2D", out="TC JC QC KC AC 4H 5H 6H 7H 8H", voids=(0, void, void, void, void, void))
    assert choice(view) == "9C"


def test_whoever_may_play_one_card_plays_it() -> None:
    """Nothing is tried out where there is no choice."""
    view = late_view("9C 2D", "TC", out="2C 3C 4C 5C 4H 5H 6H 7H 8H")
    assert expert.choose_play(view, random.Random(1), 1, _refuse) == parse_card("9C")


def _refuse(trials: Sequence[Trial]) -> Sequence[Tally]:
    pytest.fail(f"{len(trials)} trials of a forced card")


def middle_view() -> View:
    """A view in the middle of a hand with several choices."""
    rng = random.Random(8)
    deck = list(DECK)
    rng.shuffle(deck)
    held = [list(mine) for mine in deal(deck, 6)[0]]
    hand = begin(Options(), 6, dealer=5, number=1)
    while hand.trick < 6 or len(hand.table) != 2 or len(legal_plays(hand, held[to_play(hand) or 0])) < 4:
        seat = to_play(hand)
        assert seat is not None
        card = rng.choice(legal_plays(hand, held[seat]))
        held[seat].remove(card)
        hand = play(hand, seat, card)
    seat = to_play(hand)
    assert seat is not None
    return View(seat, hand, tuple(held[seat]), (), (), None, (0,) * 6)


def test_decision_does_not_depend_on_who_works() -> None:
    """The trials run one by one, backwards, or one at a time elsewhere: the same trials, the same decision."""
    view, asked = middle_view(), list[tuple[Trial, ...]]()

    def backwards(trials: Sequence[Trial]) -> Sequence[Tally]:
        asked.append(tuple(trials))
        return list(reversed([run_trial(trial) for trial in reversed(trials)]))

    decisions = {expert.choose_play(view, random.Random(3), 9_000) for _ in range(2)}
    decisions |= {expert.choose_play(view, random.Random(3), 9_000, backwards) for _ in range(2)}
    assert len(decisions) == 1
    half = len(asked) // 2
    assert asked[:half] == asked[half:]
    seeds = [trial.seeds for trials in asked[:half] for trial in trials]
    assert len(set(seeds)) == len(seeds)


def test_effort_is_a_number_of_rollouts() -> None:
    """No decision costs more rollouts than it is given."""
    spent = 0

    def count(trials: Sequence[Trial]) -> Sequence[Tally]:
        nonlocal spent
        spent += sum(trial.worlds * len(trial.choices) for trial in trials)
        return expert.one_by_one(trials)

    for effort in (100, 1_000, 5_000):
        spent = 0
        expert.choose_play(middle_view(), random.Random(1), effort, count)
        assert 0 < spent <= effort


def test_tallies() -> None:
    """Two worlds cost 1 and 3 points with the first choice, 2 and 2 with the second: equal means, a difference of −1 and 1."""
    parts = [_tally([[1, 2]]), _tally([[3, 2]])]
    both = add(parts)
    assert both == _tally([[1, 2], [3, 2]])
    assert mean(both, 0) == mean(both, 1) == 2.0
    assert excess(both, 0, 1) == 0.0
    assert error(both, 0, 1) == pytest.approx(1.0)  # the deviation, √2, divided by √2
    assert only(both, [1]) == _tally([[2], [2]])
    assert excess(parts[0], 1, 0) == 1.0


def _tally(points: list[list[int]]) -> Tally:
    grains = [[GRAIN * cost for cost in world] for world in points]
    sums = tuple(map(sum, zip(*grains, strict=True)))
    products = tuple(
        tuple(sum(world[one] * world[other] for world in grains) for other in range(len(sums)))
        for one in range(len(sums))
    )
    return Tally(len(points), sums, products)


def ended(won: list[list[int]], options: Options, scores: tuple[int, ...]) -> list[float]:
    """What lanes cost seat A in which the seats have taken so much."""
    nothing: Ints = np.zeros((len(won), 6), dtype=np.int64)
    hand = replace(begin(options, 6, 5, 1), trick=18)
    playouts = start(hand, nothing, nothing, np.zeros(len(won), dtype=np.int64))
    playouts.won[:] = np.array(won).reshape(-1)
    cost: list[float] = costs(playouts, 0, scores).tolist()
    return cost


def test_points_are_counted_against_the_others() -> None:
    """R6: far from the limit, ten points of one's own cost ten, and each point of another gains a fifth."""
    assert ended([[10, 0, 0, 0, 0, 0], [0, 5, 5, 0, 0, 0], [26, 26, 0, 0, 0, 0]], Options(), (0,) * 6) == pytest.approx(
        [10.0, -2.0, 20.8]
    )


def test_moons_are_settled() -> None:
    """D17: a moon takes 26 off, or puts 26 on all others where that wins the game; another's moon only costs what it gains."""
    mine, another = [52, 0, 0, 0, 0, 0], [0, 52, 0, 0, 0, 0]
    assert ended([mine, another], Options(), (0,) * 6) == pytest.approx([-26.0, 5.2])


def test_placing_counts_near_the_limit() -> None:
    """D20: ending the game ahead is better than going on, going on better than ending it behind."""
    ahead, behind = (100, 140, 120, 120, 120, 120), (120, 140, 100, 130, 130, 130)
    end, on = [0, 20, 0, 0, 0, 0], [0, 0, 4, 0, 0, 0]
    assert ended([end], Options(), ahead)[0] < ended([on], Options(), ahead)[0]
    assert ended([end], Options(), behind)[0] > ended([on], Options(), behind)[0]


def test_placing_changes_the_play() -> None:
    """D20: free to throw the queen on a seat that it would take over the limit, or on whoever takes the last trick, it ends
    the game when ahead, and lets it go on when somebody else is."""
    low = "2C 2C 3C 3C 4C 4C 5C 5C KC"
    assert choice(late_view("QS 3H", "AD", out=low, scores=(146, 90, 120, 120, 120, 120))) == "QS"
    assert choice(late_view("QS 3H", "AD", out=low, scores=(146, 120, 112, 130, 130, 130))) == "3H"


def play_hand(options: Options, seats: int, seed: int, effort: int) -> None:
    """A whole hand of experts, refereed: an illegal choice raises."""
    rng = random.Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    dealt, kitty = deal(deck, seats)
    number = seed % len(options.pass_cycle) + 1
    hand = begin(options, seats, seed % seats, number)
    scores = tuple(rng.randrange(options.limit) for _ in range(seats))
    passed: list[tuple[Card, ...]] = [()] * seats
    held = [list(mine) for mine in dealt]
    if pass_target(options, seats, number, 0) is not None:
        views = [View(seat, hand, dealt[seat], (), (), None, scores) for seat in range(seats)]
        passed = [expert.choose_pass(view, rng, effort) for view in views]
        assert not any(check_pass(options, dealt[seat], passed[seat]) for seat in range(seats))
        held = [list(mine) for mine in exchange(options, number, dealt, passed)]
    while (seat := to_play(hand)) is not None:
        won = kitty if hand.kitty_seat == seat else None
        card = expert.choose_play(View(seat, hand, tuple(held[seat]), (), passed[seat], won, scores), rng, effort)
        held[seat].remove(card)
        hand = play(hand, seat, card)
    score_hand(hand)


@pytest.mark.parametrize("seats", [6, 8, 11])
def test_experts_play_a_hand(seats: int) -> None:
    """FA12: experts pass and play a hand without a refusal, under the strictest options, near the limit."""
    strict: dict[str, object] = {"first_trick_points": False, "pass_count": 5, "jack_of_diamonds": -10}
    play_hand(resolve("classic", strict, seats), seats, seats, EFFORT)


@pytest.mark.long
@pytest.mark.parametrize("seats", range(6, 12))
def test_two_hundred_hands_of_experts(seats: int) -> None:
    """FA12: 200 hands of experts at each size, options drawn at random, with the referee on: no refusal."""
    rng = random.Random(seats)
    for seed in range(200):
        overrides = {name: rng.choice(values) for name, values in CHOICES.items()} if seed % 2 else {}
        play_hand(resolve(("as_written", "classic")[seed % 4 // 2], overrides, seats), seats, seed, EFFORT)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_passes_to_compare(count: int) -> None:
    """D19: every pass it compares is of cards held, as many as are passed, and the careful one is among them."""
    held = cards("2C 2C 9C 4D KD AD 3H QH 5S QS QS KS AS")
    view = View(0, begin(Options(pass_count=count), 8, 7, 1), held, (), (), None, (0,) * 8)
    passes = expert._passes(view, random.Random(0))
    assert len(set(passes)) == len(passes)
    assert not any(check_pass(view.hand.options, held, chosen) for chosen in passes)
    assert expert.choose_pass(view, random.Random(0), EFFORT) in passes


def test_passes_the_bare_queens() -> None:
    """Two Black Marias without a low spade are passed on, whatever else is."""
    held = cards("2C 3C 4C 2D 3D 4D 5D 2H 3H 4H 9H QS QS")
    view = View(0, begin(Options(), 8, 7, 1), held, (), (), None, (0,) * 8)
    assert expert.choose_pass(view, random.Random(0), 3_000).count(parse_card("QS")) == 2
