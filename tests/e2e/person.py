"""A person at a terminal: keys go in, the screen is read as an eye would read it (pyte plays the terminal)."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pexpect
import pyte

COLUMNS, ROWS = 80, 24
PATIENCE = 60.0  # seconds


class Person:
    """Sits before a program on a terminal of 80 by 24."""

    def __init__(self, command: Sequence[str]) -> None:
        usual = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self._child = pexpect.spawn(
            command[0], list(command[1:]), env=usual, dimensions=(ROWS, COLUMNS), encoding="utf-8", timeout=PATIENCE
        )
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)
        self.written = ""

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self._child.send(key)

    def sees(self) -> str:
        """The screen as it is now."""
        while True:
            try:
                text = self._child.read_nonblocking(65536, timeout=0.05)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return "\n".join(self._screen.display)
            self.written += text
            self._stream.feed(text)

    def waits_for(self, *words: str) -> str:
        """The screen once one of these is on it."""
        return self.waits_until(lambda screen: any(word in screen for word in words), f"{words}")

    def waits_until(self, condition: Callable[[str], bool], what: str) -> str:
        """The screen once the condition holds for it."""
        limit = time.monotonic() + PATIENCE
        while not condition(screen := self.sees()):
            assert time.monotonic() < limit, f"{what} never came; the screen is\n{screen}"
            assert self._child.isalive(), f"{what} never came; the program has ended, its screen was\n{screen}"
        return screen

    def leaves(self) -> tuple[int, float]:
        """The exit code once the program has ended, and how long that took, in seconds."""
        began = time.monotonic()
        self.written += str(self._child.read() or "")
        self._child.close()
        return int(self._child.exitstatus or 0), time.monotonic() - began

    def end(self) -> None:
        """Take the terminal away."""
        self._child.close(force=True)


@contextmanager
def person(command: Sequence[str]) -> Iterator[Person]:
    """Somebody who is gone at the end."""
    somebody = Person(command)
    try:
        yield somebody
    finally:
        somebody.end()
