"""How many random legal plays a second the rollouts of the expert make on one core, beside `plays` of the rules engine."""

from collections.abc import Callable
from typing import Final

from p2p_hearts.bots.rollout.random_hands import play_random_hands
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS

LANES: Final = 2_000  # hands at once, as many as an expert plays in one trial
ROUNDS: Final = 3  # at each number of seats, together about 3.6 million plays


def rollout_plays_per_second(clock: Callable[[], float], rounds: int = ROUNDS, lanes: int = LANES) -> float:
    """Plays a second over `rounds` times `lanes` hands at each number of seats, dealing included, by a clock in seconds."""
    plays, began = 0, clock()
    for seed in range(rounds):
        for seats in range(MIN_SEATS, MAX_SEATS + 1):
            plays += play_random_hands(seats, lanes, seed)
    return plays / (clock() - began)
