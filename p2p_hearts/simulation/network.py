"""A network with delay, loss, duplication and reordering, all from one seed.

Law: what happens to a frame depends on the seed and on the frames before it, never on the machine or the hash seed."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the network is; probabilities are of one frame on one link, times in seconds."""

    loss: float = 0.0
    delay: float = 0.001
    duplicate: float = 0.0
    reorder: float = 0.0
    late: float = 0.5  # how much later than it should a reordered or doubled frame may come


def arrivals(weather: Weather, rng: random.Random) -> tuple[float, ...]:
    """After how many seconds each copy of a frame arrives; none if it is lost."""
    if rng.random() < weather.loss:
        return ()
    times = [weather.delay * rng.uniform(0.5, 1.5)]
    if rng.random() < weather.reorder:
        times[0] += rng.uniform(0, weather.late)
    if rng.random() < weather.duplicate:
        times.append(times[0] + rng.uniform(0, weather.late))
    return tuple(times)
