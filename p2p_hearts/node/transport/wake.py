"""A clock that goes on while the computer sleeps, so that waking up is noticed.

The event loop's clock stands still in sleep on Linux and macOS: after an hour under a closed lid it says that nothing has
happened, and every connection seems alive, though all others have given us up. On Windows it counts the sleep itself.
Sources: clock_gettime(2) of Linux (CLOCK_BOOTTIME) and of macOS (CLOCK_MONOTONIC, which there goes on in sleep).
"""

import sys
import time


def seconds() -> float:
    """Seconds since some moment, those asleep included; no change of the date moves it."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()
