"""Programs of our own kind, started on this machine: what they print, and what they cost.

The law: whatever happens here, none of them outlives the caller.
"""

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import p2p_hearts

POLL = 0.1  # seconds between two looks at whether one has ended
MEMORY_UNIT = 2**20 if sys.platform == "darwin" else 2**10  # of ru_maxrss, in bytes


@dataclass(frozen=True, slots=True)
class Cost:
    """How a program ended and what it used; Windows does not say the latter."""

    code: int
    cpu_s: float | None
    rss_mib: float | None  # the most it ever had


@dataclass(slots=True)
class Program:
    """One program that runs; `cost` is None until it has ended. Its output is a queue of lines, None after the last."""

    process: subprocess.Popen[str]
    lines: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)
    cost: Cost | None = None


@contextmanager
def family() -> Iterator[list[Program]]:
    """A list of programs; those still running at the end are ended."""
    programs: list[Program] = []
    try:
        yield programs
    finally:
        for program in programs:
            if wait(program, 0.0) is None:
                program.process.kill()
        for program in programs:
            wait(program, None)


def start(arguments: Sequence[str]) -> Program:
    """`p2p-hearts ARGUMENTS` as a process of its own, from the same installation as this one."""
    paths = [str(Path(p2p_hearts.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", "p2p_hearts", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONUNBUFFERED": "1",
        },
    )
    program = Program(process)
    threading.Thread(target=_read, args=(program,), daemon=True).start()
    return program


def next_line(program: Program, patience: float) -> str | None:
    """The next line it prints, without its end; None after the last.

    Raises TimeoutError when nothing comes for so many seconds.
    """
    try:
        return program.lines.get(timeout=patience)
    except queue.Empty:
        raise TimeoutError from None


def wait(program: Program, patience: float | None) -> Cost | None:
    """Its cost, or None when it still runs after so many seconds (None: however long it takes)."""
    limit = None if patience is None else time.monotonic() + patience
    while program.cost is None:
        program.cost = _ended(program.process)
        if program.cost is None:
            if limit is not None and time.monotonic() >= limit:
                return None
            time.sleep(POLL)
    return program.cost


def _ended(process: "subprocess.Popen[str]") -> Cost | None:
    if sys.platform == "win32":
        code = process.poll()
        return None if code is None else Cost(code, None, None)
    try:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
    except ChildProcessError:  # it ended just when `kill` looked whether it runs, which takes note of the code only
        return Cost(process.poll() or 0, None, None)
    if not pid:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)  # so that nobody waits for it a second time
    return Cost(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * MEMORY_UNIT / 2**20)


def _read(program: Program) -> None:
    if program.process.stdout:
        with program.process.stdout as output:
            for line in output:
                program.lines.put(line.rstrip("\n"))
    program.lines.put(None)
