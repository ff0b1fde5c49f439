"""The worker: a thread that makes and checks long proofs, so that no key press and no frame waits for one.

Law: jobs are pure and their arguments frozen, so nothing is shared; the lowest urgency number goes first, and of equals
the oldest. libsodium runs without the interpreter's lock, so the event loop goes on while a proof is made."""

import asyncio
import queue
import threading
from collections.abc import Callable

from p2p_hearts.protocol.inputs import Job, JobDone


class Worker:
    """A thread of its own, started at once. `report` is called in the event loop with each result."""

    def __init__(self, report: Callable[[JobDone], None]) -> None:
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.PriorityQueue[tuple[int, int, Job | None]] = queue.PriorityQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="proofs", daemon=True)
        self._thread.start()

    def hand(self, job: Job) -> None:
        """Puts a job in its place in the queue."""
        self._jobs.put((job.urgency, job.number, job))

    def close(self) -> None:
        """Drops what has not begun; the job under way, a fraction of a second, ends by itself."""
        self._closed = True
        self._jobs.put((-1, 0, None))
        self._thread.join(timeout=1.0)

    def _work(self) -> None:
        while (job := self._jobs.get()[2]) is not None and not self._closed:
            done = JobDone(job.number, job.run())
            if not self._closed:
                self._loop.call_soon_threadsafe(self._report, done)
            del job, done  # there may be no other for long, and it holds keys
