"""The playouts and the rules engine: the same hands played side by side, over all sizes, presets and options."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.bots.rollout.chance import chance, orders, units, words
from p2p_hearts.bots.rollout.playouts import Playouts, lay, legal, points, start, uniform
from p2p_hearts.bots.rollout.policy import choose
from p2p_hearts.bots.rollout.tables import Ints, packed_points
from p2p_hearts.cards import DECK, Card, cards_in, mask_of, parse_card
from p2p_hearts.hearts.hand import Hand, begin, deal, finished, to_play
from p2p_hearts.hearts.options import CHOICES, Options, resolve
from p2p_hearts.hearts.play import legal_plays, play
from p2p_hearts.hearts.score import score_hand

Deal = tuple[list[list[Card]], tuple[Card, ...]]


def cards(text: str) -> list[Card]:
    """The cards of a text."""
    return [parse_card(word) for word in text.split()]


def make_deal(rng: random.Random, seats: int) -> Deal:
    """The hands and the kitty of a shuffled deck."""
    deck = list(DECK)
    rng.shuffle(deck)
    hands, kitty = deal(deck, seats)
    return [list(held) for held in hands], kitty


def masks(hands: list[list[Card]]) -> tuple[list[int], list[int]]:
    """Per seat the kinds held, and those held twice."""
    return [mask_of(held) for held in hands], [
        mask_of(card for card, copies in Counter(held).items() if copies == 2) for held in hands
    ]


def lanes_of(hand: Hand, deals: list[Deal]) -> Playouts:
    """A lane for each deal of the cards that are left."""
    both = [masks(hands) for hands, _ in deals]
    worth = packed_points(hand.options)
    kitty = np.array([sum(int(worth[card]) for card in kitty) for _, kitty in deals], dtype=np.int64)
    held, twins = (np.array([masks[which] for masks in both], dtype=np.int64) for which in (0, 1))
    return start(hand, held, twins, kitty)


def mirror(options: Options, seats: int, seed: int, *, lanes: int, skip: int, by_rule: bool) -> None:
    """Plays random hands in both engines and compares every legal set and every score.

    After `skip` plays of the first deal in the rules engine the lanes take over, all from that public position.
    """
    rng = random.Random(seed)
    source = chance(seed)
    first = make_deal(rng, seats)
    hand = begin(options, seats, seed % seats, 1)
    for _ in range(skip):
        seat = to_play(hand)
        if seat is None:
            return
        card = rng.choice(legal_plays(hand, first[0][seat]))
        first[0][seat].remove(card)
        hand = play(hand, seat, card)
    if finished(hand):
        return
    deals = [first, *(([list(held) for held in first[0]], first[1]) for _ in range(lanes - 1))]
    if not skip:
        deals = [make_deal(rng, seats) for _ in range(lanes)]
    playouts = lanes_of(hand, deals)
    hands = [hand] * lanes
    while not playouts.finished:
        seat_now = playouts.seat()
        mask = legal(playouts, playouts.held.take(playouts.rows + seat_now))
        chosen = choose(playouts, seat_now) if by_rule else uniform(mask, words(source, lanes))
        for lane, hand_now in enumerate(hands):
            if finished(hand_now):
                continue
            turn, card = int(seat_now[lane]), int(chosen[lane])
            assert turn == to_play(hand_now)
            assert cards_in(int(mask[lane])) == legal_plays(hand_now, deals[lane][0][turn])
            deals[lane][0][turn].remove(card)
            hands[lane] = play(hand_now, turn, card)
        lay(playouts, seat_now, chosen)
    taken, moon = points(playouts)
    for lane, hand_now in enumerate(hands):
        score = score_hand(hand_now)
        assert tuple(taken[lane].tolist()) == score.points
        assert int(moon[lane]) == (-1 if score.moon is None else score.moon)


RULES = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})


@given(
    seats=st.integers(6, 11),
    preset=st.sampled_from(["as_written", "classic"]),
    overrides=RULES,
    seed=st.integers(0, 2**32),
    skip=st.integers(0, 70),
    by_rule=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_lanes_are_hands(
    seats: int, preset: str, overrides: dict[str, object], seed: int, skip: int, *, by_rule: bool
) -> None:
    """A lane allows what the rules engine allows and scores what it scores, under every option, from any position."""
    mirror(resolve(preset, overrides, seats), seats, seed, lanes=4, skip=skip, by_rule=by_rule)


@pytest.mark.parametrize("preset", ["as_written", "classic"])
@pytest.mark.parametrize("seats", range(6, 12))
def test_lanes_of_every_size(seats: int, preset: str) -> None:
    """The same at each size under both presets, with random plays."""
    mirror(resolve(preset, {}, seats), seats, seed=seats, lanes=6, skip=0, by_rule=False)


@pytest.mark.long
@pytest.mark.parametrize("seats", range(6, 12))
def test_thousands_of_lanes(seats: int) -> None:
    """The same over 2,000 hands at each size, with options drawn at random."""
    rng = random.Random(seats)
    for seed in range(250):
        overrides = {name: rng.choice(values) for name, values in CHOICES.items()}
        options = resolve(rng.choice(["as_written", "classic"]), overrides, seats)
        mirror(options, seats, seed, lanes=8, skip=rng.randrange(100) * (seed % 2), by_rule=seed % 3 == 0)


def one_trick(options: Options, table: str, pile: str = "", trick: int = 3) -> Playouts:
    """One lane in which six seats with one card each have played a trick, A first, with cards waiting for a winner."""
    played = cards(table)
    hand = replace(begin(options, 6, 5, 1), trick=trick, broken=True, kitty_size=0, pile=tuple(cards(pile)))
    playouts = lanes_of(hand, [([[card] for card in played], ())])
    for card in played:
        lay(playouts, playouts.seat(), np.array([card], dtype=np.int64))
    return playouts


def test_two_pairs_cancel_a_trick() -> None:
    """R15, D2: two pairs and nobody wins; the points wait, and the same seat leads again."""
    playouts = one_trick(Options(), "KS KS QS 9H 9H AS", pile="2H")
    assert points(playouts)[0].tolist() == [[0, 0, 0, 0, 0, 0]]
    assert playouts.pile.tolist() == [16]  # the pile's heart, the queen and two hearts
    assert playouts.seat().tolist() == [0]


def test_classic_reading_lets_the_live_card_win() -> None:
    """D1: under `no_live_led_card` the ace wins the same trick, with what waited."""
    playouts = one_trick(resolve("classic", {}, 6), "KS KS QS 9H 9H AS", pile="2H")
    assert points(playouts)[0].tolist() == [[0, 0, 0, 0, 0, 16]]
    assert playouts.seat().tolist() == [5]


def test_cancelled_last_trick() -> None:
    """R16, D4: nobody takes it, or its leader does under the option."""
    table = "9C 9C QS 3H 4H 5D"
    assert points(one_trick(Options(), table, trick=17))[0].tolist() == [[0] * 6]
    leader = one_trick(Options(last_cancelled="leader"), table, trick=17)
    assert points(leader)[0].tolist() == [[15, 0, 0, 0, 0, 0]]


def test_jacks_count_beside_the_points() -> None:
    """D22: a jack of diamonds takes ten off, and is no part of the moon."""
    playouts = one_trick(Options(jack_of_diamonds=-10), "JD 2D 3D 4H 5D 6D")
    assert points(playouts)[0].tolist() == [[-9, 0, 0, 0, 0, 0]]


def test_the_next_seat_leads_after_a_cancelled_trick() -> None:
    """D2: under `next_left` the seat on the leader's left."""
    assert one_trick(Options(cancelled_lead="next_left"), "9C 9C 2H 3H 4H 5D").seat().tolist() == [1]


def test_uniform_choice_is_uniform() -> None:
    """Each of the kinds in a mask comes about equally often, over all suits, and nothing else comes."""
    allowed = cards("2C AC 7D 3H KH QS AS")
    drawn = uniform(np.full(70_000, mask_of(allowed), dtype=np.int64), words(chance(1), 70_000))
    counts = Counter(drawn.tolist())
    assert sorted(counts) == sorted(allowed)
    assert all(9_500 < count < 10_500 for count in counts.values())


def test_random_numbers_are_pinned() -> None:
    """The stream of a seed never changes, so that a seed means the same decision everywhere."""
    assert words(chance(1, 2), 3).tolist() == FIRST_WORDS
    assert units(chance(1, 2), 3).tolist() == pytest.approx([word / 2**32 for word in FIRST_WORDS], abs=2**-31)
    assert sorted(orders(chance(3), 2, 5)[1].tolist()) == [0, 1, 2, 3, 4]


FIRST_WORDS: list[int] = [1925928375, 1850624044, 1803882525]


def test_points_are_those_of_a_moon() -> None:
    """R18: 26 hearts and both queens in one haul are a moon, jacks or not."""
    hand = replace(begin(Options(jack_of_diamonds=-10), 6, 5, 1), trick=18, kitty_size=0)
    nothing: Ints = np.zeros((2, 6), dtype=np.int64)
    playouts = start(hand, nothing, nothing, np.zeros(2, dtype=np.int64))
    playouts.won[:] = [52 + 256, 0, 0, 0, 0, 256, 51, 1, 0, 0, 0, 0]
    taken, moon = points(playouts)
    assert taken.tolist() == [[42, 0, 0, 0, 0, -10], [51, 1, 0, 0, 0, 0]]
    assert moon.tolist() == [0, -1]
