"""Laws that hold in every hand: random deals and plays at every number of players, under every option."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.cards import DECK, Card, card_text, cards_in
from p2p_hearts.hearts.hand import Hand, begin, deal, finished, seat_in_turn, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.passing import exchange
from p2p_hearts.hearts.play import implied_voids, lay, legal_plays, play, why_not
from p2p_hearts.hearts.score import card_points, running_points, score_hand

OPTIONS = st.builds(
    Options,
    cancel_rule=st.sampled_from(["two_pairs", "no_live_led_card"]),
    cancelled_lead=st.sampled_from(["same_leader", "next_left"]),
    last_cancelled=st.sampled_from(["nobody", "leader"]),
    first_trick_points=st.booleans(),
    hearts_must_break=st.booleans(),
    queen_breaks_hearts=st.booleans(),
    lead_hearts_over_queen=st.booleans(),
    jack_of_diamonds=st.sampled_from([0, -10]),
)
SEATS = st.integers(6, 11)
SEEDS = st.integers(0, 2**32)


@dataclass(frozen=True, slots=True)
class Moment:
    """A hand before or after a play, with all that is hidden."""

    hand: Hand
    held: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]


def moments(options: Options, seats: int, seed: int, *, play_on: bool = False) -> Iterator[Moment]:
    """Every moment of a random hand. Half of the deals are sorted by suit first, so that odd hands come up."""
    rng = random.Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    if seed % 2:
        deck.sort(key=lambda card: (rng.random() < 0.1, card // 13))
        cut = rng.randrange(len(deck))
        deck = deck[cut:] + deck[:cut]
        size = len(deck) // seats
        deck = [deck[seat * size + turn] for turn in range(size) for seat in range(seats)] + deck[seats * size :]
    held, kitty = deal(deck, seats)
    hand = begin(options, seats, rng.randrange(seats), number=1)
    yield Moment(hand, held, kitty)
    while not finished(hand) or (play_on and hand.trick <= hand.size):
        seat = seat_in_turn(hand)
        card = rng.choice(legal_plays(hand, held[seat]))
        hand = lay(hand, card) if play_on else play(hand, seat, card)
        rest = list(held[seat])
        rest.remove(card)
        held = (*held[:seat], tuple(rest), *held[seat + 1 :])
        yield Moment(hand, held, kitty)


def ordinary_rules(hand: Hand, held: tuple[Card, ...]) -> set[str]:
    """What may be played, told as card players tell it: from the cards in hand."""
    options, mine = hand.options, [card_text(card) for card in held]
    points = [card for card in mine if card[1] == "H" or card == "QS"]
    harmless = [card for card in mine if card not in points]
    if hand.table:
        led = card_text(hand.table[0])[1]
        playable = [card for card in mine if card[1] == led] or mine
        if hand.trick == 1 and not options.first_trick_points:
            playable = [card for card in playable if card not in points] or playable
        return set(playable)
    if hand.trick == 1:
        return set(harmless or mine)
    if hand.broken or not options.hearts_must_break or all(card[1] == "H" for card in mine):
        return set(mine)
    if not harmless and options.lead_hearts_over_queen:
        return set(mine)
    return {card for card in mine if card[1] != "H"}


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_legality_is_that_of_the_ordinary_rules(options: Options, seats: int, seed: int) -> None:
    """R9, R10, R12, R13, FA1, FA2, FA8: `implied_voids` allows what the ordinary rules allow, and never nothing."""
    for moment in moments(options, seats, seed):
        for seat, held in enumerate(moment.held):
            if seat != to_play(moment.hand):
                continue
            legal = legal_plays(moment.hand, held)
            assert {card_text(card) for card in legal} == ordinary_rules(moment.hand, held)
            assert legal
            assert {card for card in held if why_not(moment.hand, held, card) is None} == set(legal)
            for card in set(held):
                rest = list(held)
                rest.remove(card)
                claim_is_true = not set(cards_in(implied_voids(moment.hand, card))) & set(rest)
                assert claim_is_true == (card in legal)


@given(
    options=OPTIONS,
    held=st.lists(st.sampled_from([0, 12, 20, 26, 30, 38, 40, 49, 51]), min_size=1, max_size=4),
    table=st.lists(st.sampled_from([1, 14, 27, 41, 49]), max_size=3),
    trick=st.integers(1, 3),
    broken=st.booleans(),
)
def test_legality_in_odd_positions(
    options: Options, held: list[int], table: list[int], trick: int, *, broken: bool
) -> None:
    """D10, D11, D12, D13, D14: the same in positions that random play seldom meets, mostly hearts and Black Marias."""
    hand = replace(begin(options, 8, dealer=0, number=1), table=tuple(table), trick=trick, broken=broken)
    legal = legal_plays(hand, held)
    assert {card_text(card) for card in legal} == ordinary_rules(hand, tuple(held))
    assert legal
    assert {card for card in held if why_not(hand, held, card) is None} == set(legal)


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_claims_stay_true(options: Options, seats: int, seed: int) -> None:
    """R10: what an honest seat has claimed not to hold, it does not hold until the end, so `play` never blames it."""
    for moment in moments(options, seats, seed):
        for void, held in zip(moment.hand.voids, moment.held, strict=True):
            assert not any(void >> card & 1 for card in held)


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_cards_and_points_are_accounted_for(options: Options, seats: int, seed: int) -> None:
    """R2, R4, R17, FA11: at every moment all 104 cards are somewhere, and all 52 points taken, waiting or to come."""
    for moment in moments(options, seats, seed, play_on=True):
        hand = moment.hand
        places = [hand.table, hand.pile, moment.kitty, *hand.captured, *moment.held]
        assert Counter(card for place in places for card in place) == Counter(DECK)
        assert tuple(map(len, moment.held)) == hand.left
    points = [card_points(Options(), place) for place in (*hand.captured, hand.pile, moment.kitty)]
    assert sum(points) == 52
    score = score_hand(hand)
    jacks = [10 * haul.count(22) if options.jack_of_diamonds else 0 for haul in _hauls(moment)]
    assert sum(score.points) + sum(jacks) + score.unclaimed == 52
    assert score.kitty == moment.kitty
    assert running_points(hand) == tuple(card_points(options, cards) for cards in hand.captured)


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_end_and_early_end_score_alike(options: Options, seats: int, seed: int) -> None:
    """FB7: where a hand may end early it is scored as if it had been played on."""
    *_, early = moments(options, seats, seed)
    *_, late = moments(options, seats, seed, play_on=True)
    for moment in (early, late):
        assert finished(moment.hand)
    assert score_hand(early.hand).points == score_hand(late.hand).points
    assert score_hand(early.hand).moon == score_hand(late.hand).moon
    assert score_hand(early.hand).unclaimed == score_hand(late.hand).unclaimed


@given(options=OPTIONS, seats=SEATS, seed=SEEDS, data=st.data())
def test_hand_follows_from_the_plays_alone(options: Options, seats: int, seed: int, data: st.DataObject) -> None:
    """FA9, FB9: whoever replays the plays without any hand gets the same state: winners, claims, and the early end."""
    moment = data.draw(st.sampled_from(list(moments(options, seats, seed))))
    hand = begin(options, seats, moment.hand.dealer, number=1)
    played = [card for trick in moment.hand.tricks for card in trick.cards] + list(moment.hand.table)
    for card in played:
        seat = to_play(hand)
        assert seat is not None
        hand = play(hand, seat, card)
    assert hand == moment.hand
    assert finished(hand) == finished(moment.hand)


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_one_leader_bound_by_the_first_lead(options: Options, seats: int, seed: int) -> None:
    """FA3, R9: the dealer's left leads, bound on that lead only; later leads follow R11 and D2."""
    *_, last = moments(options, seats, seed)
    leader = (last.hand.dealer + 1) % seats
    for trick in last.hand.tricks:
        assert trick.leader == leader
        step = 1 if options.cancelled_lead == "next_left" else 0
        leader = (leader + step) % seats if trick.winner is None else trick.winner


@given(options=OPTIONS, seats=SEATS, seed=SEEDS)
def test_winner_is_the_highest_card_that_stands(options: Options, seats: int, seed: int) -> None:
    """R11, R14, R15, D1: told by counting: no winner with two pairs or nothing single of the suit led, else the highest."""
    *_, last = moments(options, seats, seed)
    for trick in last.hand.tricks:
        copies = Counter(map(card_text, trick.cards))
        pairs = [card for card, count in copies.items() if count == 2]
        led = card_text(trick.cards[0])[1]
        single = [card for card in copies if copies[card] == 1 and card[1] == led]
        if not single or (len(pairs) >= 2 and options.cancel_rule == "two_pairs"):
            assert trick.winner is None
        else:
            best = max(single, key=lambda card: "23456789TJQKA".index(card[0]))
            assert card_text(trick.cards[((trick.winner or 0) - trick.leader) % seats]) == best
            assert trick.winner is not None
        assert sorted(map(card_text, trick.cancelled)) == sorted(pairs * 2)


@given(seats=SEATS, seed=SEEDS, count=st.integers(0, 5), step=st.sampled_from(["L", "R", "L2", "R2", "L3", "R3", "N"]))
def test_pass_keeps_all_cards(seats: int, seed: int, count: int, step: str) -> None:
    """R7: a pass moves cards and loses none, and everybody holds as many as before."""
    options = Options(pass_cycle=(step,), pass_count=count)
    start = next(moments(options, seats, seed))
    chosen = [held[:count] for held in start.held]
    after = exchange(options, 1, start.held, chosen)
    assert [len(held) for held in after] == [len(held) for held in start.held]
    assert Counter(card for held in after for card in held) == Counter(card for held in start.held for card in held)


def test_random_hands_are_rich() -> None:
    """The deals above meet the rare cases too: D4, D5, D10, D11, FA2 and an early end."""
    met: set[str] = set()
    options = Options(first_trick_points=False)
    for seed in range(600):
        for moment in moments(options, 6 + seed % 6, seed):
            hand = moment.hand
            seat = to_play(hand)
            if seat is None:
                met |= {"cancelled" for trick in hand.tricks if trick.winner is None}
                met |= {"unclaimed"} if hand.tricks[-1].winner is None else set()
                met |= {"early end"} if hand.trick <= hand.size else set()
                continue
            kinds = {"H" if card // 13 == 2 else "QS" if card == 49 else "other" for card in moment.held[seat]}
            lead = "follow" if hand.table else "first lead" if hand.trick == 1 else "unbroken lead"
            if hand.trick > 1 and (hand.table or hand.broken):
                continue
            if "other" not in kinds:
                met.add(f"{lead} from {' and '.join(sorted(kinds))}")
            met |= {"kitty waits"} if hand.tricks and hand.kitty_seat is None and hand.kitty_size else set()
    assert met >= {
        "cancelled",
        "unclaimed",
        "early end",
        "kitty waits",
        "first lead from H",
        "follow from H",
        "unbroken lead from H",
    }


SCRIPT = """
import random
from p2p_hearts.bots import choose_pass, choose_play
from p2p_hearts.cards import DECK
from p2p_hearts.hearts.hand import begin, deal, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.passing import exchange
from p2p_hearts.hearts.play import play
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.hearts.view import View

for seats in (6, 11):
    rng = random.Random(seats)
    deck = list(DECK)
    rng.shuffle(deck)
    held, _ = deal(deck, seats)
    hand = begin(Options(), seats, 0, 1)
    level = ("uniform", "cautious")
    views = [View(seat, hand, held[seat], (), (), None, (0,) * seats) for seat in range(seats)]
    held = exchange(hand.options, 1, held, [choose_pass(level[view.seat % 2], view, rng) for view in views])
    held = [list(cards) for cards in held]
    while (seat := to_play(hand)) is not None:
        view = View(seat, hand, tuple(held[seat]), (), (), None, (0,) * seats)
        card = choose_play(level[seat % 2], view, rng)
        held[seat].remove(card)
        hand = play(hand, seat, card)
    print(hand, score_hand(hand))
"""


def test_results_do_not_depend_on_the_hash_seed() -> None:
    """The same seed gives the same hand, play by play, in programs that hash differently."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 5_000


@pytest.mark.long
@pytest.mark.parametrize("seats", range(6, 12))
def test_ten_thousand_hands(seats: int) -> None:
    """FA12: over 10,000 hands no legal play is refused, nobody is stuck, and the points are 52."""
    for seed in range(10_000):
        *_, last = moments(Options(), seats, seed)
        score = score_hand(last.hand)
        assert sum(score.points) + score.unclaimed == 52


def _hauls(moment: Moment) -> list[tuple[Card, ...]]:
    """What each seat has won, with the kitty."""
    hand = moment.hand
    return [cards + (moment.kitty if seat == hand.kitty_seat else ()) for seat, cards in enumerate(hand.captured)]
