"""One hand with a bot at every seat.

Law: a bot is given the `View` of its seat, its own rng and the effort, and nothing else; the rules engine referees.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from p2p_hearts.bots import choose_moon, choose_pass, choose_play
from p2p_hearts.cards import Card
from p2p_hearts.hearts.hand import Hand, begin, deal, dealer_of, to_play
from p2p_hearts.hearts.match import hand_points
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.passing import exchange, pass_source
from p2p_hearts.hearts.play import play
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.hearts.view import View


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What a hand came to at one seat."""

    points: int  # on the sheet, after the moon choice
    moon: bool
    set_aside: int  # cancelled tricks that it took in the end
    decisions: int
    seconds: float  # for them


@dataclass(frozen=True, slots=True)
class Played:
    """What a hand came to."""

    seats: tuple[SeatLine, ...]
    cancelled: int  # tricks that nobody won


@dataclass(slots=True)
class _Watch:
    """How often each seat was asked, and how long it took."""

    decisions: list[int]
    seconds: list[float]

    def stop(self, seat: int, began: float) -> None:
        """Notes a decision of `seat` that began then."""
        self.decisions[seat] += 1
        self.seconds[seat] += time.perf_counter() - began


def play_hand(
    options: Options,
    deck: Sequence[Card],
    number: int,
    levels: Sequence[str],
    rngs: Sequence[random.Random],
    effort: int,
) -> Played:
    """Hand `number` of a game of bots of these levels with this deck, all scores zero before it."""
    seats, scores = len(levels), (0,) * len(levels)
    watch = _Watch([0] * seats, [0.0] * seats)
    hand = begin(options, seats, dealer_of(0, seats, number), number)
    dealt, kitty = deal(deck, seats)
    held, passed, received = _pass(hand, dealt, levels, rngs, effort, watch)
    while (seat := to_play(hand)) is not None:
        won = kitty if hand.kitty_seat == seat else None
        view = View(seat, hand, tuple(held[seat]), received[seat], passed[seat], won, scores)
        began = time.perf_counter()
        card = choose_play(levels[seat], view, rngs[seat], effort)
        watch.stop(seat, began)
        held[seat].remove(card)
        hand = play(hand, seat, card)
    score = score_hand(hand)
    choice = None
    if score.moon is not None:
        view = View(score.moon, hand, (), received[score.moon], passed[score.moon], score.kitty, scores)
        choice = choose_moon(levels[score.moon], view, rngs[score.moon], effort)
    points, set_aside = hand_points(options, score.points, score.moon, choice), _set_aside(hand)
    return Played(
        tuple(
            SeatLine(points[seat], score.moon == seat, set_aside[seat], watch.decisions[seat], watch.seconds[seat])
            for seat in range(seats)
        ),
        sum(trick.winner is None for trick in hand.tricks),
    )


def _pass(
    hand: Hand,
    dealt: tuple[tuple[Card, ...], ...],
    levels: Sequence[str],
    rngs: Sequence[random.Random],
    effort: int,
    watch: _Watch,
) -> tuple[list[list[Card]], Sequence[tuple[Card, ...]], Sequence[tuple[Card, ...]]]:
    """The hands of all seats after the pass, what each passed, and what each received."""
    seats, nothing = hand.seats, ((),) * hand.seats
    sources = [pass_source(hand.options, seats, hand.number, seat) for seat in range(seats)]
    passed = []
    for seat, source in enumerate(sources):
        if source is None:
            return [list(cards) for cards in dealt], nothing, nothing
        began = time.perf_counter()
        view = View(seat, hand, dealt[seat], (), (), None, (0,) * seats)
        passed.append(choose_pass(levels[seat], view, rngs[seat], effort))
        watch.stop(seat, began)
    received = [passed[source] for source in sources if source is not None]
    return [list(cards) for cards in exchange(hand.options, hand.number, dealt, passed)], passed, received


def _set_aside(hand: Hand) -> tuple[int, ...]:
    """How many cancelled tricks each seat took in the end (R15, D3, D4)."""
    taken, waiting = [0] * hand.seats, 0
    for trick in hand.tricks:
        waiting += trick.winner is None
        if trick.taker is not None:
            taken[trick.taker] += waiting
            waiting = 0
    return tuple(taken)
