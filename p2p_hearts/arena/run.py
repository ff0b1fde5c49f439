"""Plays the deals of a contest, on as many processes as there are cores.

Law: the deals come out in their order, and none knows which process played it; so the result, its times aside, is the same
with any number of processes.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from functools import partial
from typing import Final

from p2p_hearts.arena.deals import Contest, DealResult, play_deal

CHUNK: Final = 4  # deals a process takes at a time; few, since one of them may take seconds


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_deals(contest: Contest, deals: int, processes: int) -> Iterator[DealResult]:
    """The results of deals 1 to `deals`, in this order, as they are ready."""
    numbers = range(1, deals + 1)
    if processes == 1:
        yield from map(partial(play_deal, contest), numbers)
        return
    context = multiprocessing.get_context("spawn")  # the same on every system
    with context.Pool(min(processes, deals), initializer=_leave_interrupts) as pool:
        yield from pool.imap(partial(play_deal, contest), numbers, CHUNK)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one answers it and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
