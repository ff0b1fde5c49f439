"""Line mode's standard input and output: lines as they come, lines as they go.

The law: the end of the input is told as None, and no thread that waits for it holds up the end of the program.
"""

import asyncio
import os
import sys
import threading
from contextlib import suppress

from p2p_hearts.console.glyphs import Glyphs, glyphs_for, translate

READ_BYTES = 4096


def say(text: str) -> None:
    """A line on standard output, in the characters it can be trusted with; a reader that is gone is no fault."""
    glyphs = glyphs_for(sys.stdout.encoding, os.environ)
    with suppress(BrokenPipeError):
        sys.stdout.write(translate(text, glyphs if glyphs is Glyphs.ASCII else Glyphs.UNICODE) + "\n")
        sys.stdout.flush()


def stdin_lines() -> "asyncio.Queue[str | None]":
    """Lines of standard input as they come, then None. A thread reads, since a pipe, a file and a terminal all work so;
    it reads the descriptor itself, for a thread inside `sys.stdin` would hold up the end of the program."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read, args=(loop, lines), name="standard input", daemon=True).start()
    return lines


def _read(loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[str | None]") -> None:
    waiting = b""
    with suppress(OSError, RuntimeError):  # no standard input; the loop has ended
        while chunk := os.read(0, READ_BYTES):
            *whole, waiting = (waiting + chunk).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line.decode(errors="replace"))
    with suppress(RuntimeError):
        if waiting:
            loop.call_soon_threadsafe(lines.put_nowait, waiting.decode(errors="replace"))
        loop.call_soon_threadsafe(lines.put_nowait, None)
