"""The full screen on a real pseudo-terminal: what it leaves behind, and what it asks of the terminal."""

import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (
    "import asyncio; from p2p_hearts.console.app import run_app; from tests.console.fake_home import FakeHome\n"
    "async def main(): await run_app(FakeHome(hands=1))\n"
    "asyncio.run(main())"
)
PATIENCE = 30  # seconds

pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals are not for Windows")


def started(**environment: str) -> Any:
    """The program on a terminal of 80 by 24."""
    usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    child = pexpect.spawn(
        sys.executable, ["-c", PROGRAM], env=usual | environment, dimensions=(24, 80), encoding="utf-8", timeout=PATIENCE
    )  # fmt: skip
    child.expect("quit")
    return child


def rest(child: Any) -> str:
    """Everything until the program has ended."""
    child.expect(pexpect.EOF)
    child.close()
    return str(child.before)


def restored(output: str) -> bool:
    """Whether the last words to the terminal bring back its own screen, its cursor and plain pasting."""
    return all(code in output for code in ("\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l"))


def test_quitting_restores_the_terminal() -> None:
    """q ends the program with nothing left of it on the terminal."""
    child = started()
    child.send("q")
    assert restored(rest(child))
    assert child.exitstatus == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_restores_the_terminal(name: str) -> None:
    """FF8: the same when it is told to end from outside."""
    child = started()
    child.kill(getattr(signal, name))
    assert restored(rest(child))


def test_no_mouse_is_captured() -> None:
    """FF7: text can be selected, since the mouse stays the terminal's."""
    child = started()
    child.send("q")
    assert not re.search(r"\x1b\[\?100[0-6]h", child.before + rest(child))


def test_no_color_is_obeyed() -> None:
    """NO_COLOR: no colour at all, and the game is the same."""
    child = started(NO_COLOR="1")
    child.send("hs")
    child.send("q")
    child.send("q")
    assert not re.search(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7]|38|48)\b[0-9;]*m", child.before + rest(child))


def test_the_c_locale_gets_ascii() -> None:
    """FF5: with LANG=C no byte above ASCII reaches the terminal."""
    child = started(LANG="C")
    child.send("q")
    assert (child.before + rest(child)).isascii()


def test_a_small_window_says_what_it_needs_and_recovers() -> None:
    """FF16: after a change of size the true size is used, without a key being pressed."""
    child = started()
    child.setwinsize(8, 30)
    child.expect("too small")
    child.setwinsize(24, 80)
    child.expect("Tables on this network")
    child.send("q")
    assert restored(rest(child))
