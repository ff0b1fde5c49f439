"""The random source that a bot is handed; `random.Random` is one."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Rng(Protocol):
    """Draws, for a policy that leaves something to chance."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of these."""

    def sample(self, population: Sequence[T], /, k: int) -> list[T]:
        """So many different ones of these."""
