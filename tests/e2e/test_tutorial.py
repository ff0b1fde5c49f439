"""The tutorial as a newcomer meets it: a program, a terminal of 80 by 24, and what the screen says."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pexpect", reason="there is no pseudo-terminal here")

from tests.e2e.person import person

LEARN = (sys.executable, "-m", "p2p_hearts", "learn", "--lang", "en")


def test_on_a_terminal(tmp_path: Path) -> None:
    """Somebody who does what the screen says comes to the end of it, by way of one wrong card, and shoots the moon."""
    with person([*LEARN, "--state", str(tmp_path)]) as newcomer:
        newcomer.waits_for("Get rid of what could bring")
        newcomer.press("9", " ", "1", "0", " ", "1", "1", " ", "\r")
        newcomer.waits_for("play it and see")
        newcomer.press("1", "6", "\r")
        newcomer.waits_for("there is something to see")
        newcomer.press("1", "7", "\r")
        newcomer.waits_for("Two pairs in one trick")
        newcomer.press("\r")
        newcomer.waits_for("play a low one")
        newcomer.press("1", "3", "\r")
        newcomer.waits_for("That is called ducking")
        newcomer.press("\r")
        newcomer.waits_for("No fear")
        newcomer.press("1", "2", "\r")
        newcomer.waits_for("goes by itself")
        newcomer.press("\r")
        assert "19°" in newcomer.waits_for("thing is left: the moon")  # the score sheet
        newcomer.press("\r", "\r")
        newcomer.waits_for("three tricks to go")
        newcomer.press("1", "\r")
        newcomer.waits_for("Nobody had a diamond")
        newcomer.press("1", "\r")
        newcomer.waits_for("One more.")
        newcomer.press("1", "\r")
        newcomer.waits_for("Instead of 52 points")
        newcomer.press("2", "\r")
        assert "☾0" in newcomer.waits_for("That is the whole game")
        newcomer.press("\r")
        assert newcomer.leaves()[0] == 0


def test_without_a_terminal(tmp_path: Path) -> None:
    """Where input and output are pipes it goes line by line, and the end of the input ends it."""
    lines = "9 10 11\n2\n\n1\n\n1\n\n\n1\n1\n1\n1\n\n"
    done = subprocess.run(
        [*LEARN, "--state", str(tmp_path)], input=lines, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "That is the whole game." in done.stdout
    assert done.stdout.count("Press Enter to go on.") == 4
