"""A real pseudo-terminal with the program on it, read back as a person sees it."""

import re
import sys
import time
from pathlib import Path
from typing import Any

import pyte
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0  # seconds; far more than any machine needs
PROGRAM = """
import asyncio
from p2p_hearts.console.app import run_app
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.settings import Personal
from tests.console.fake_home import FakeHome
asyncio.run(run_app(FakeHome(hands=1, seats={seats}), personal=Personal(Preferences(speed="none"))))
"""

pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals are not for Windows")


class Terminal:
    """A program on a terminal: what it shows now, keys, and changes of size."""

    def __init__(self, command: list[str], columns: int = 80, rows: int = 24, **environment: str) -> None:
        usual = {
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
        }
        self.child: Any = pexpect.spawn(
            command[0], command[1:], env=usual | environment, dimensions=(rows, columns), encoding="utf-8", cwd=str(ROOT),
        )  # fmt: skip
        self.child.delaybeforesend = None
        self.screen = pyte.Screen(columns, rows)
        self.raw = ""
        self._stream = pyte.Stream(self.screen)

    def read(self, seconds: float = 0.02) -> str:
        """What the terminal shows after at most so many seconds of listening."""
        try:
            text = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            text = ""
        self.raw += text
        # pyte knows no scrolling by terminfo names and no modify-other-keys
        self._stream.feed(re.sub(r"\x1b\[[>=?]?[0-9;]*[mu](?<![0-9;]m)", "", text))
        return "\n".join(line.rstrip() for line in self.screen.display)

    def sees(self, text: str) -> str:
        """The picture once `text` is on it."""
        end = time.monotonic() + PATIENCE
        while text not in (picture := self.read()):
            assert time.monotonic() < end, f"never shown: {text}\n{picture}"
            assert self.child.isalive() or text in self.read(), f"the program has ended: {picture}"
        return picture

    def gone(self, text: str) -> str:
        """The picture once `text` is no longer on it."""
        end = time.monotonic() + PATIENCE
        while text in (picture := self.read()):
            assert time.monotonic() < end, f"still shown: {text}\n{picture}"
        return picture

    def types(self, keys: str) -> None:
        """Press these keys."""
        self.child.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the window."""
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def end(self) -> str:
        """All that was ever written, once the program has ended."""
        limit = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < limit:
            self.read(0.05)
        self.read(0.05)
        self.child.close()
        return self.raw


def started(seats: int = 11, columns: int = 80, rows: int = 24, **environment: str) -> Terminal:
    """The full screen on a terminal, with a lobby of fake tables."""
    return Terminal([sys.executable, "-c", PROGRAM.format(seats=seats)], columns, rows, **environment)


def restored(output: str) -> bool:
    """Whether the last words to the terminal bring back its own screen, its cursor and plain pasting."""
    last = output[-400:]
    return all(code in last for code in ("\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l"))
