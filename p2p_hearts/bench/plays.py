"""How many random legal plays a second the rules engine makes on one core: deal, list what is legal, choose, play."""

import random
from collections.abc import Callable
from typing import Final

from p2p_hearts.cards import DECK
from p2p_hearts.hearts.hand import begin, deal, to_play
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, Options
from p2p_hearts.hearts.play import legal_plays, play

ROUNDS: Final = 40  # hands at each number of seats, together about 25,000 plays


def plays_per_second(clock: Callable[[], float], rounds: int = ROUNDS, seed: int = 0) -> float:
    """Plays a second over `rounds` hands at each number of seats, by a clock in seconds; everything counts but the clock."""
    rng, plays = random.Random(seed), 0  # noqa: S311 - these cards are no secret
    began = clock()
    for number in range(1, rounds + 1):
        for seats in range(MIN_SEATS, MAX_SEATS + 1):
            plays += _random_hand(rng, seats, number)
    return plays / (clock() - began)


def _random_hand(rng: random.Random, seats: int, number: int) -> int:
    """The number of plays in a hand in which every seat plays any legal card."""
    deck = list(DECK)
    rng.shuffle(deck)
    held = [list(cards) for cards in deal(deck, seats)[0]]
    hand = begin(Options(), seats, dealer=0, number=number)
    plays = 0
    while (seat := to_play(hand)) is not None:
        card = rng.choice(legal_plays(hand, held[seat]))
        held[seat].remove(card)
        hand = play(hand, seat, card)
        plays += 1
    return plays
