"""Random numbers for arrays of playouts, from a seed.

Law: one seed and one order of calls give the same numbers on every machine and with every release of NumPy: only the raw
output of the generator is used, which NumPy promises not to change, and none of its distributions.
"""

from dataclasses import dataclass

import numpy as np

from p2p_hearts.bots.rollout.tables import Floats, Ints

_LOW_BITS = np.uint64(32)
_UNIT_BITS = np.uint64(11)  # leaves the 53 that a float holds


@dataclass(frozen=True, slots=True)
class Chance:
    """A stream of random numbers."""

    bits: np.random.PCG64


def chance(*seeds: int) -> Chance:
    """The stream of these seeds, each at least 0."""
    return Chance(np.random.PCG64(np.random.SeedSequence(seeds)))


def words(source: Chance, count: int) -> Ints:
    """So many numbers from 0 up to 2³² − 1."""
    return (source.bits.random_raw(count) >> _LOW_BITS).astype(np.int64)


def units(source: Chance, count: int) -> Floats:
    """So many numbers from 0 up to, but not, 1."""
    return (source.bits.random_raw(count) >> _UNIT_BITS).astype(np.float64) * 2.0**-53


def orders(source: Chance, rows: int, length: int) -> Ints:
    """For each row an order of 0 … length − 1, all equally likely."""
    keys = source.bits.random_raw(rows * length).reshape(rows, length)
    return keys.argsort(axis=1, kind="stable").astype(np.int64)
