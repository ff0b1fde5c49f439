"""The measurement of rollouts counts what it says."""

from p2p_hearts.bench.rollouts import rollout_plays_per_second
from p2p_hearts.bots.rollout.random_hands import play_random_hands


def test_every_card_of_every_hand_is_a_play() -> None:
    """R4: a hand of six has 102 plays, one of eight 104, one of eleven 99, whatever lies in the kitty."""
    assert play_random_hands(6, lanes=3, seed=1) == 3 * 102
    assert play_random_hands(8, lanes=2, seed=1) == 2 * 104
    assert play_random_hands(11, lanes=1, seed=1) == 99


def test_plays_a_second() -> None:
    """One hand at each size is 602 plays: in two seconds, 301 plays a second."""
    ticks = iter((10.0, 12.0))
    assert rollout_plays_per_second(lambda: next(ticks), rounds=1, lanes=1) == 301.0
