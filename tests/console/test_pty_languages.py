"""A whole hand of eleven on a real terminal of 80×24, in each language: what a person reads there is their own language."""

import sys

import pytest

from p2p_hearts.console.language import _, n_, speaking
from tests.console.terminal import Terminal, restored

PROGRAM = """
import asyncio
from p2p_hearts.console.app import run_app
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.settings import Personal
from tests.console.fake_home import FakeHome
wishes = Personal(Preferences(speed="none", language="{language}"))
asyncio.run(run_app(FakeHome(hands=1, seats=11), personal=wishes))
"""


@pytest.mark.parametrize("language", ["id", "da", "tr", "lv", "fi"])
def test_a_whole_hand_in_every_language(language: str) -> None:
    """Lobby, settings, form, waiting room, pass, nine tricks, score sheet and end, by the same keys in every language."""
    terminal = Terminal([sys.executable, "-c", PROGRAM.format(language=language)])
    with speaking(language):
        terminal.sees(_("Tables on this network"))
        terminal.types(",")
        terminal.sees(_("Settings"))
        terminal.types("\r")
        terminal.gone(_("Settings"))
        terminal.types("h")
        terminal.sees(_("A table for this network"))
        terminal.types("\r")
        terminal.sees(_("Everything is ready: s starts the game."))
        terminal.types("s")
        terminal.sees(n_("Choose {n} card.", "Choose {n} cards.", 3))
        terminal.types("1 2 3 \r")
        for trick in range(1, 10):
            terminal.sees(_("trick {number} of {all}", number=trick, all=9))
            terminal.sees(_("Your turn: Enter plays {card}.", card="").split(":")[0])
            terminal.types("s")
            terminal.sees(_("score sheet"))
            terminal.types("\r")
            terminal.gone(_("score sheet"))
            terminal.types("\t\r")
        terminal.sees(_("Every peer has signed the same final result."))
        terminal.types("l")
        picture = terminal.sees(_("What happened"))
        assert " plays " not in picture
        terminal.types("\r")
        terminal.gone(_("What happened"))
    terminal.types("\r")
    terminal.types("\x03\x03")
    output = terminal.end()
    assert restored(output)
    assert "{" not in terminal.raw.replace("\x1b", "")
