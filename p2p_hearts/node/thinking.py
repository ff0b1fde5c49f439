"""Where bots that look ahead think: in processes of their own, so that neither the screen nor a frame waits for them.

How it works. A thread takes one turn after the other and asks the bot; the bot's trials go to worker processes, which
alone load NumPy and run at a low priority. A thread is not enough: it would hold the interpreter's lock for milliseconds
each time, and on a busy machine for many. There are as many processes as cores are free, at least one and at most four;
the first turn starts them. Where no process can be started the thread runs the trials itself.

Law: the answer does not depend on how many processes there are (`bots.expert`). Nothing waits for a turn at the end."""

import asyncio
import multiprocessing
import os
import queue
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Final

from p2p_hearts.autopilot import answer, effort_for, measure_speed
from p2p_hearts.bots.expert import one_by_one
from p2p_hearts.bots.trials import Tally, Trial
from p2p_hearts.protocol.events import Turn
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play

MAX_PROCESSES: Final = 4
NICENESS: Final = 10  # of the worker processes, where the system knows such a thing
GLANCE: Final = 0.05  # seconds after which a waiting thread looks whether it shall end


@dataclass(frozen=True, slots=True)
class _Asked:
    turn: Turn
    level: str
    seed: int


class _ClosedError(Exception):
    """The table has been left while a bot was thinking."""


class Thinking:
    """A thread of its own, started with the first turn. `report` is called in the event loop with each answer, found in
    about `seconds` and not before `pace` of them are over."""

    def __init__(self, report: Callable[[Pass | Play | ChooseMoon], None], seconds: float, pace: float) -> None:
        self._report = report
        self._seconds = seconds
        self._pace = pace
        self._loop = asyncio.get_running_loop()
        self._turns: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._pool: Executor | None = None
        self._speed = 0.0  # plays a second; 0: not measured yet

    def ask(self, turn: Turn, level: str, seed: int) -> None:
        """Has a bot of this level think about the turn, after those asked before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._think, name="bots", daemon=True)
            self._thread.start()
        self._turns.put(_Asked(turn, level, seed))

    def close(self) -> None:
        """Drops what has not been answered; the processes end by themselves, within a trial."""
        self._closed = True
        self._turns.put(None)
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _think(self) -> None:
        try:
            self._pool = _start_pool()
            while (asked := self._turns.get()) is not None:
                self._answer(asked)
        except _ClosedError:
            pass  # that is how it ends
        finally:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)

    def _answer(self, asked: _Asked) -> None:
        if not self._speed:
            self._speed = measure_speed(time.perf_counter, self._run)
        began = time.perf_counter()
        effort = effort_for(asked.turn, self._seconds, self._speed)
        rng = random.Random(asked.seed)  # noqa: S311 - the choices of bots are no secrets
        command = answer(asked.turn, asked.level, rng, effort, self._run)
        if not self._closed:
            early = max(self._pace - (time.perf_counter() - began), 0.0)
            self._loop.call_soon_threadsafe(self._loop.call_later, early, self._report, command)

    def _run(self, trials: Sequence[Trial]) -> Sequence[Tally]:
        if self._pool is not None:
            try:
                return [self._wait(task) for task in [self._pool.submit(one_by_one, [trial]) for trial in trials]]
            except (BrokenProcessPool, OSError):  # killed, or none could be started; go on without
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None
        tallies: list[Tally] = []
        for trial in trials:
            self._look_up()
            tallies += one_by_one([trial])
        return tallies

    def _wait(self, task: "Future[Sequence[Tally]]") -> Tally:
        while True:
            self._look_up()
            try:
                return task.result(GLANCE)[0]
            except TimeoutError:
                continue

    def _look_up(self) -> None:
        """Raises _ClosedError when nobody waits for an answer any more."""
        if self._closed:
            raise _ClosedError


def free_processes(cores: int, load: float) -> int:
    """How many processes may think on so many cores of which `load` are busy: all but one for the screen, within reason."""
    return max(min(cores - 1 - round(load), MAX_PROCESSES), 1)


def _start_pool() -> Executor | None:
    """Worker processes, or None where the system has none to give."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else cores / 2
    try:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        return ProcessPoolExecutor(free_processes(cores, load), context, _begin_quietly)
    except (OSError, NotImplementedError, ImportError):  # no semaphores here
        return None


def _begin_quietly() -> None:
    """Leaves Ctrl-C to the program, and the cores to whoever waits for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
