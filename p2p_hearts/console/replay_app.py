"""The full screen of a replay: keys move through the pictures of a finished game. The law: it shows, and changes nothing."""

import os
import sys
from contextlib import suppress
from dataclasses import replace

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Always
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from p2p_hearts.console.bindings import make_bindings
from p2p_hearts.console.glyphs import Glyphs, glyphs_for, translate, wanted_glyphs
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.replay import Replay, press, replay_lines
from p2p_hearts.console.style import depth_for, style_for
from p2p_hearts.console.tables import off_signals, on_signals


async def run_replay(replay: Replay, glyphs: Glyphs | None = None, preferences: Preferences | None = None) -> None:
    """Show a game until the person leaves."""
    letters = glyphs if glyphs is not None else glyphs_for(sys.stdout.encoding, os.environ)
    console = ReplayConsole(replay, letters, preferences)
    caught = on_signals(console.leave)
    try:
        with suppress(EOFError, OSError):  # the terminal is gone
            await console.app.run_async(set_exception_handler=False)
    finally:
        off_signals(caught)


class ReplayConsole:
    """What changes while a replay is looked at: which picture is seen."""

    def __init__(self, replay: Replay, glyphs: Glyphs, preferences: Preferences | None = None) -> None:
        wishes = preferences or Preferences()
        self.replay, self.glyphs = replay, wanted_glyphs(glyphs, wishes)
        window = Window(
            FormattedTextControl(self._picture, focusable=True, show_cursor=False), always_hide_cursor=Always()
        )
        bindings = make_bindings(self.key, lambda: False)
        self.app: Application[None] = Application(
            Layout(window),
            key_bindings=bindings,
            style=style_for(wishes.suits, wishes.background),
            color_depth=depth_for(wishes.colours),
            full_screen=True,
        )
        self.app.ttimeoutlen, self.app.timeoutlen = 0.05, 0.2  # seconds until Escape alone is believed

    def key(self, name: str) -> None:
        """A key of the person."""
        size = self.app.output.get_size()
        after = press(replace(self.replay, size=(size.columns, size.rows)), name)
        if after is not None:
            self.replay = after
        else:
            self.leave()

    def leave(self) -> None:
        """End the show."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def _picture(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        fragments: StyleAndTextTuples = []
        for number, line in enumerate(replay_lines(self.replay, size.columns, size.rows)):
            if number:
                fragments.append(("", "\n"))
            fragments += [(style, translate(text, self.glyphs)) for style, text in line]
        return fragments
