"""The measure of plays a second."""

from collections.abc import Iterator

from p2p_hearts.bench.plays import plays_per_second


def test_plays_are_counted_by_the_clock_given() -> None:
    """One round plays one hand at each size, at most 104 cards each, and divides by the time of the clock."""
    ticks: Iterator[float] = iter([10.0, 12.0])
    rate = plays_per_second(lambda: next(ticks), rounds=1)
    assert 80 * 6 / 2 < rate <= 104 * 6 / 2
