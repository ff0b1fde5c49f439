"""The full screen on a real pseudo-terminal, as a person uses it: every screen, every size, and what a crash leaves."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid

import pytest

from tests.console.terminal import PROGRAM, ROOT, Terminal, restored, started

PAGES = {
    "t": "The last trick",
    "s": "score sheet",
    "l": "What happened",
    "p": "Cards that changed hands",
    "y": "Why this deal can be trusted",
    "w": "Who is here",
    "?": "Keys that work now",
    ",": "Settings",
}


def look_at(terminal: Terminal, *keys: str) -> None:
    """Open each of these pages and close it again."""
    for key in keys:
        terminal.types(key)
        terminal.sees(PAGES[key])
        terminal.types("\r")
        terminal.gone(PAGES[key])


def test_a_whole_hand_through_every_screen() -> None:
    """Eleven seats at 80 by 24, by keys alone: lobby, forms, waiting room, invitation, deal, pass, every page, each of nine
    tricks, the score sheet, the end, the lobby again."""
    terminal = started(seats=11)
    terminal.sees("Tables on this network")
    look_at(terminal, "?", ",")
    terminal.types("s")
    terminal.sees("A table with bots")
    terminal.types("q")
    terminal.sees("Tables on this network")
    terminal.types("a192.168.1.20")
    terminal.sees("Address or invitation: 192.168.1.20")
    terminal.types("\x1b")
    terminal.gone("Address or invitation: ")
    terminal.types("h")
    terminal.sees("A table for this network")
    terminal.types("\r")
    terminal.sees("Everything is ready: s starts the game.")
    terminal.types("i")
    terminal.sees("bahi patu rumu tunu")
    terminal.types("\r")
    look_at(terminal, "w", "l", "?")
    terminal.types("s")
    terminal.sees("Choose 3 cards.")
    look_at(terminal, "s", "l", "y", "w", "?", ",")
    terminal.types("1 2 3 ")
    terminal.sees("Enter passes them")
    terminal.types("u")
    terminal.sees("Choose 1 more card.")
    terminal.types("3 \r")
    for trick in range(1, 10):
        terminal.sees(f"trick {trick} of 9")
        terminal.sees("Your turn")
        look_at(terminal, *("t" if trick > 1 else ""), "s", "l", "p", "y", "w", "?")
        terminal.types("c\x1b[B\r")
        terminal.types("\t\r")
    terminal.sees("Every peer has signed the same final result.")
    look_at(terminal, "s", "l", "w", "?")
    terminal.types("r")  # once more with the same people: the host's table is open again
    terminal.sees("Everything is ready: s starts the game.")
    terminal.types("q")
    terminal.sees("Tables on this network")
    terminal.types("q")
    assert restored(terminal.end())
    assert terminal.child.exitstatus == 0


def test_sizes_changed_fast_on_every_screen() -> None:
    """From 1 by 1 to 250 by 80 and back, faster than anything can be drawn, on every screen: no error, and the true size is
    used at the end."""
    terminal = started(seats=11)
    sizes = ((1, 1), (250, 80), (3, 2), (80, 24), (40, 12), (39, 11), (200, 60), (20, 5), (120, 40), (7, 70), (300, 3))
    steps = (("Tables on this", "h"), ("A table for this network", "\r"), ("Everything is ready", "i"), ("bahi", "\r"),
             ("Everything is ready", "s"), ("Choose 3 cards", "1 2 3 \r"), ("Your turn", "s"), ("score sheet", "\r"),
             ("Your turn", "l"), ("What happened", "\r"), ("Your turn", "?"), ("Keys that work", "\r"), ("Your turn", "y"),
             ("Why this deal", "\r"), ("Your turn", "w"), ("Who is here", "\r"), ("Your turn", "chello"),
             ("Say: hello", "\r"), ("Your turn", "q"), ("Leave the table?", "n"), ("Your turn", "\t\r"))  # fmt: skip
    for shown, keys in steps:
        terminal.sees(shown)
        for columns, rows in itertools.chain(sizes, reversed(sizes)):
            terminal.resize(columns, rows)
            terminal.read(0.001)
        terminal.resize(80, 24)
        terminal.sees(shown)
        terminal.types(keys)
    terminal.types("\x03\x03\x03")
    output = terminal.end()
    assert restored(output)
    assert "Traceback" not in output


def test_sixteen_colours_are_enough() -> None:
    """FF3: on a terminal that has sixteen colours, none of another kind is asked for, and suits still differ."""
    terminal = started(TERM="xterm", PROMPT_TOOLKIT_COLOR_DEPTH="DEPTH_4_BIT")
    terminal.sees("Tables on this network")
    terminal.types("hs")
    terminal.types("\r")
    terminal.sees("Everything is ready")
    terminal.types("s")
    picture = terminal.sees("Choose 3 cards.")
    terminal.types("\x03\x03\x03")
    output = terminal.end()
    assert "\x1b[38;" not in output.replace("\x1b[0;38;", "\x1b[38;")
    assert all(sign in picture for sign in "♠♥♣♦")


def test_the_linux_console_gets_letters() -> None:
    """FF5: TERM=linux shows suits as S H D C and lines in ASCII."""
    terminal = started(TERM="linux")
    terminal.sees("Tables on this network")
    terminal.types("h\r")
    terminal.sees("Everything is ready")
    terminal.types("s")
    assert terminal.sees("Choose 3 cards.").isascii()
    terminal.types("\x03\x03\x03")
    assert restored(terminal.end())


FAILING = """
import asyncio, threading
from p2p_hearts.console.app import run_app
from tests.console.fake_home import FakeHome
class Home(FakeHome):
    async def host(self, settings):
        {fault}
def die():
    raise ValueError("a thread broke")
asyncio.run(run_app(Home()))
"""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("raise ValueError('a task broke')", "a task broke"),
        ("import os; os.close(0); return await super().host(settings)", ""),
    ],
)
def test_a_crash_leaves_the_terminal_as_it_was(fault: str, told: str) -> None:
    """FF8: an error in a task, and a terminal that is gone, end the program with modes and cursor put back; the error is
    read below, on the screen one had before."""
    terminal = Terminal([sys.executable, "-c", FAILING.format(fault=fault)])
    terminal.sees("Tables on this network")
    terminal.types("h\r")
    if not told:
        time.sleep(0.2)
        terminal.child.kill(signal.SIGTERM)
    output = terminal.end()
    assert "\x1b[?1049l" in output
    assert told in output.rpartition("\x1b[?1049l")[2]


def test_a_thread_that_dies_does_not_take_the_screen_with_it() -> None:
    """FF8: a thread that ends with an error leaves the program running, and the terminal is put back at the end."""
    fault = "t = threading.Thread(target=die); t.start(); t.join(); return await super().host(settings)"
    terminal = Terminal([sys.executable, "-c", FAILING.format(fault=fault)])
    terminal.sees("Tables on this network")
    terminal.types("h\r")
    terminal.sees("A part of the program has failed (ValueError); you can play on.")
    assert "Traceback" not in terminal.sees("waiting room")
    terminal.types("\x03\x03\x03")
    output = terminal.end()
    assert "\x1b[?1049l" in output
    assert "a thread broke" in output.rpartition("\x1b[?1049l")[2]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_in_a_hand_restores_the_terminal(name: str) -> None:
    """FF8: told to end in the middle of a hand, also while something is typed, it leaves nothing behind."""
    terminal = started()
    terminal.sees("Tables on this network")
    terminal.types("h\r")
    terminal.sees("Everything is ready")
    terminal.types("s")
    terminal.sees("Choose 3 cards.")
    terminal.types("chello")
    terminal.sees("Say: hello")
    terminal.child.kill(getattr(signal, name))
    if name == "SIGINT":  # as Ctrl-C: the line, then the question, then the lobby
        terminal.gone("Say: hello")
        terminal.types("\x03y\x03")
    assert restored(terminal.end())


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_tmux_split_zoom_and_another_client() -> None:
    """FF16: split, zoomed and unsplit, the program draws for the size it really has."""
    name = f"p2ph-{uuid.uuid4().hex[:8]}"
    program = PROGRAM.format(seats=11)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "TERM": "xterm-256color",
                   "TMUX_TMPDIR": os.environ.get("TMPDIR", "/tmp")}  # fmt: skip # noqa: S108 - tmux keeps its socket there

    def tmux(*words: str) -> str:
        command = ["tmux", "-L", name, "-f", "/dev/null", *words]
        return subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stdout

    def sees(text: str) -> str:
        end = time.monotonic() + 30
        while text not in (picture := tmux("capture-pane", "-p", "-t", "0")):
            assert time.monotonic() < end, picture
            time.sleep(0.05)
        return picture

    tmux("new-session", "-d", "-x", "80", "-y", "24", sys.executable, "-c", program)
    try:
        sees("Tables on this network")
        tmux("split-window", "-h", "-l", "60", "-t", "0", "sleep 60")
        sees("is too small")
        tmux("resize-pane", "-Z", "-t", "0")
        sees("peer to peer: nobody has to be trusted with the cards")
        tmux("resize-pane", "-Z", "-t", "0")
        sees("is too small")
        tmux("kill-pane", "-t", "1")
        sees("peer to peer: nobody has to be trusted with the cards")
        tmux("resize-window", "-x", "120", "-y", "40")
        sees(f"{' ' * 40}peer to peer: nobody has to be trusted with the cards")
    finally:
        tmux("kill-server")


def test_the_mouse_is_switched_on_clicked_and_switched_off() -> None:
    """FF7: off at first; switched on while the program runs a click on the name of a key presses it; off again, the
    terminal has its mouse back."""
    terminal = started()
    terminal.sees("Tables on this network")
    terminal.types("h\r")
    terminal.sees("Everything is ready")
    terminal.types("s")
    terminal.sees("Choose 3 cards.")
    assert "\x1b[?1000h" not in terminal.raw
    terminal.types("m")
    picture = terminal.sees("Click cards and keys")
    assert "\x1b[?1000h" in terminal.raw
    lines = picture.split("\n")
    column = lines[-1].index("s scores") + 1
    terminal.types(f"\x1b[<0;{column};24M\x1b[<0;{column};24m")
    terminal.sees("score sheet")
    terminal.types("\r")
    terminal.sees("Choose 3 cards.")
    row = next(number for number, line in enumerate(lines, 1) if "3♠" in line)
    column = lines[row - 1].index("3♠") + 1
    terminal.types(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")
    terminal.sees("Choose 2 more cards.")
    terminal.types("m")
    terminal.sees("The mouse selects text again.")
    assert "\x1b[?1000l" in terminal.raw
    terminal.types("\x03\x03\x03")
    assert restored(terminal.end())
