"""Duplicate deals: the same cards played once for each level, the levels rotated through the seats.

Law: over the rotations of a deal every level plays the cards of every seat exactly once, so that luck of the deal weighs on
all alike; and what a deal comes to follows from the contest and the number of the deal alone, whoever plays it and
wherever. The scores before each hand are zero.
"""

import random
from dataclasses import dataclass

from p2p_hearts.arena.hand import Played, play_hand
from p2p_hearts.cards import DECK
from p2p_hearts.hearts.options import Options


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: these levels against each other, under these options."""

    levels: tuple[str, ...]
    seats: int
    options: Options
    seed: int
    effort: int  # rollouts, for the levels that look ahead


@dataclass(frozen=True, slots=True)
class LevelDeal:
    """What one deal came to for one level, over all seats it held in the rotations."""

    points: int
    moons: int
    set_aside: int  # cancelled tricks that it took in the end
    decisions: int
    seconds: float  # for them


@dataclass(frozen=True, slots=True)
class DealResult:
    """What one deal came to: a row for each level, and how many tricks were cancelled in all its hands."""

    rows: tuple[LevelDeal, ...]
    cancelled: int


def play_deal(contest: Contest, number: int) -> DealResult:
    """Deal `number`, from 1, played once for each level: dealer and passing move on from deal to deal."""
    rng = random.Random(f"{contest.seed} deal {number}")
    deck = list(DECK)
    rng.shuffle(deck)
    order = list(range(len(contest.levels)))
    rng.shuffle(order)  # of three levels or more none always sits on the left of the same other one
    hands = []
    for turn in range(len(order)):
        seating = tuple(order[(seat + turn) % len(order)] for seat in range(contest.seats))
        rngs = [random.Random(f"{contest.seed} {number} {turn} {seat}") for seat in range(contest.seats)]
        levels = tuple(contest.levels[level] for level in seating)
        hands.append((seating, play_hand(contest.options, deck, number, levels, rngs, contest.effort)))
    rows = tuple(_row(level, hands) for level in range(len(order)))
    return DealResult(rows, sum(played.cancelled for _, played in hands))


def _row(level: int, hands: list[tuple[tuple[int, ...], Played]]) -> LevelDeal:
    """What the hands came to for one level."""
    lines = [line for seating, played in hands for seat, line in enumerate(played.seats) if seating[seat] == level]
    return LevelDeal(
        points=sum(line.points for line in lines),
        moons=sum(line.moon for line in lines),
        set_aside=sum(line.set_aside for line in lines),
        decisions=sum(line.decisions for line in lines),
        seconds=sum(line.seconds for line in lines),
    )
