"""The full screen on a real pseudo-terminal: what it leaves behind, and what it asks of the terminal."""

import re
import signal

import pytest

from tests.console.terminal import restored, started


def test_quitting_restores_the_terminal() -> None:
    """q ends the program with nothing left of it on the terminal."""
    terminal = started()
    terminal.sees("quit")
    terminal.types("q")
    assert restored(terminal.end())
    assert terminal.child.exitstatus == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_restores_the_terminal(name: str) -> None:
    """FF8: the same when it is told to end from outside."""
    terminal = started()
    terminal.sees("quit")
    terminal.child.kill(getattr(signal, name))
    assert restored(terminal.end())


def test_no_mouse_is_captured() -> None:
    """FF7: text can be selected, since the mouse stays the terminal's."""
    terminal = started()
    terminal.sees("quit")
    terminal.types("q")
    assert not re.search(r"\x1b\[\?100[0-6]h", terminal.end())


def test_no_color_is_obeyed() -> None:
    """NO_COLOR: no colour at all, and the game is the same."""
    terminal = started(NO_COLOR="1")
    terminal.sees("Tables on this network")
    terminal.types("h")
    terminal.sees("A table for this network")
    terminal.types("q")
    terminal.sees("Tables on this network")
    terminal.types("q")
    assert not re.search(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7]|38|48)\b[0-9;]*m", terminal.end())


def test_the_c_locale_gets_ascii() -> None:
    """FF5: with LANG=C no byte above ASCII reaches the terminal."""
    terminal = started(LANG="C")
    terminal.sees("quit")
    terminal.types("q")
    assert terminal.end().isascii()


def test_a_small_window_says_what_it_needs_and_recovers() -> None:
    """FF16: after a change of size the true size is used, without a key being pressed."""
    terminal = started()
    terminal.sees("quit")
    terminal.resize(30, 8)
    terminal.sees("too small")
    terminal.resize(80, 24)
    terminal.sees("Tables on this network")
    terminal.types("q")
    assert restored(terminal.end())
