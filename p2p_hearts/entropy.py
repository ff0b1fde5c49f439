"""The type of the random source: the core never draws randomness of its own, it is handed a function that does."""

from collections.abc import Callable
from typing import TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Returns so many bytes nobody can guess: `secrets.token_bytes` in play, a seeded stream in the simulation."""
