"""The full screen: the only `Application`, one layout with one window that pulls its picture, one place that changes
the `Screen`.

The law: every key and every update passes through `press` and `update`; a line that awaits reads no state. The terminal
is put back whatever happens, and nothing that is slow stands between a key and leaving.
"""

import asyncio
import os
import sys
from contextlib import suppress
from dataclasses import replace

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Always, Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.styles import DynamicStyle

from p2p_hearts.console.again import next_step
from p2p_hearts.console.ahead import due
from p2p_hearts.console.bindings import make_bindings
from p2p_hearts.console.facts import decision, duty
from p2p_hearts.console.fragments import Line
from p2p_hearts.console.glyphs import Glyphs, glyphs_for, translate, wanted_glyphs
from p2p_hearts.console.home import Home, JoinError
from p2p_hearts.console.language import _
from p2p_hearts.console.mouse import with_mouse
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, left_table, press, told_why, update
from p2p_hearts.console.seating import Seating
from p2p_hearts.console.settings import Personal
from p2p_hearts.console.settings_page import first_screen
from p2p_hearts.console.state import Screen, noted
from p2p_hearts.console.style import depth_for, style_for
from p2p_hearts.console.tables import Ending, off_signals, on_signals
from p2p_hearts.console.threads import kept_errors
from p2p_hearts.node.driver import Driver, Update
from p2p_hearts.protocol.events import Played, ResultSigned, TrickEnded
from p2p_hearts.protocol.scene import Stage

CLOCK_STEP = 0.5  # seconds between two looks at the table's clock
BACKLOG = 40  # updates; a screen that is further behind rests no more


async def run_app(
    home: Home | None,
    driver: Driver | None = None,
    *,
    glyphs: Glyphs | None = None,
    personal: Personal | None = None,
    unattended: bool = False,
) -> Ending:
    """The full screen, from the lobby (`home`) or at a table (`driver`), until the person leaves.

    `unattended` leaves by itself once the result is signed or the table has stopped, for programs that play by bot.
    """
    letters = glyphs if glyphs is not None else glyphs_for(sys.stdout.encoding, os.environ)
    person = personal or Personal()
    console = Console(
        home, letters, first_screen(person, blocks=letters is not Glyphs.ASCII), person, unattended=unattended
    )
    return await console.run(driver)


class Console:
    """What changes while the full screen runs: the screen, and what the picture waits for."""

    def __init__(
        self,
        home: Home | None,
        glyphs: Glyphs,
        screen: Screen,
        personal: Personal | None = None,
        *,
        unattended: bool = False,
    ) -> None:
        self.glyphs, self.screen, self.unattended = glyphs, screen, unattended
        self.personal = personal or Personal()
        self.seating = Seating(home, self, self._hear)
        self._terminated = False
        self._resting = False  # the picture stays for a moment, so that a person can follow
        self._turn: object = None  # whose decision the clock of the table counts for, and since when
        self._turn_at = 0.0
        self._waits_until: dict[bytes, float] = {}  # for whom the table waits, on the clock of the loop
        self._hurry = asyncio.Event()  # a key was pressed meanwhile: catch up at once
        self.app = self._application()

    async def run(self, driver: Driver | None) -> Ending:
        """Show it until it is left; the table is closed when this returns."""
        caught = on_signals(self._terminate)
        home = self.seating.home
        if home is not None:
            self.screen = replace(home_news(self.screen, home.rows(), home.notes()), games=home.unfinished())
            self.seating.spawn(self._watch_home(home))
        self.seating.spawn(self._watch_clock())
        if driver is not None:
            self.seating.sit_down(driver)
        loop = asyncio.get_running_loop()
        try:
            with kept_errors(lambda error: loop.call_soon_threadsafe(self._broke, error)):
                # errors of tasks end the application through `failed`; prompt_toolkit's own handler would wait for Enter
                await self.app.run_async(set_exception_handler=False)
        except (EOFError, OSError):  # the terminal is gone
            self._terminated = True
        finally:
            off_signals(caught)
            await self.seating.close(later=self._terminated)
        return Ending(self.seating.scene, self._terminated)

    def key(self, name: str) -> None:
        """A key of the person."""
        if self._resting:
            self._hurry.set()
            if name in {"enter", " "}:
                return
        size = self.app.output.get_size()
        self.screen, action = press(replace(self.screen, size=(size.columns, size.rows)), name)
        if action is not None:
            self.seating.act(action)

    def wanted(self) -> bool:
        """Whether the person still waits for a table."""
        return bool(self.screen.busy)

    def refused(self, error: JoinError) -> None:
        """No table was reached."""
        self.screen = told_why(self.screen, str(error))
        self.app.invalidate()

    def failed(self, error: BaseException) -> None:
        """A task failed: the program ends with its error, and the terminal is put back."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=error)

    def leave(self) -> None:
        """Back to the lobby, or out of the program when there is none."""
        if self.seating.home is None:
            self.quit()
            return
        self.seating.leave()
        self._resting = False
        self.screen = left_table(self.screen)
        self.app.invalidate()
        self._do_what_is_due()

    def left(self) -> None:
        """The table that was left is closed: perhaps its game can be continued."""
        if self.seating.home is not None:
            self.screen = replace(self.screen, games=self.seating.home.unfinished())
            self.app.invalidate()

    def keep(self, before: Preferences, after: Preferences) -> None:
        """Write down that the settings have changed, or say why that cannot be."""
        problem = self.personal.keep(before, after)
        self.screen = replace(self.screen, note=problem) if problem else self.screen

    def quit(self) -> None:
        """End the program."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    async def _hear(self, news: Update) -> None:
        self._apply(news)
        rest = self._rest(news)
        if rest and self.seating.waiting() < BACKLOG:
            self._resting = True
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):  # `wait_for` of Python 3.11 may swallow our being cancelled
                    await self._hurry.wait()
            self._resting = False
        if not self.seating.waiting():
            self._hurry.clear()
            self._do_what_is_due()

    def _apply(self, news: Update) -> None:
        asked = self.screen.scene is not None and duty(self.screen.scene) is not None
        self.screen = update(self.screen, news.events, news.scene, news.notices, news.aside)
        if self.screen.bell and not asked and duty(news.scene) is not None:
            self.app.output.bell()
        self.app.invalidate()
        now = asyncio.get_running_loop().time()
        late = [(peer.key, peer.left_out_in) for peer in news.scene.peers if peer.left_out_in is not None]
        self._waits_until = {key: now + seconds for key, seconds in late}
        signed = any(isinstance(event, ResultSigned) for event in news.events)
        if self.unattended and (signed or news.scene.stage is Stage.STOPPED):
            self.quit()

    def _do_what_is_due(self) -> None:
        """What was decided before: a card chosen ahead, the only card there is, another game with the same people. Where a
        bot answers, cards are the bot's business."""
        if self.unattended:
            return
        for decide in (due, next_step):
            self.screen, action = decide(self.screen)
            if action is not None:
                self.seating.act(action)
                self.app.invalidate()

    def _rest(self, news: Update) -> float:
        """Seconds for which the picture stays as it is, so that a person can follow."""
        if self._hurry.is_set():
            return 0.0
        card, trick = self.screen.pace.value
        if any(isinstance(event, TrickEnded) for event in news.events):
            return trick
        other = any(isinstance(event, Played) and event.seat != news.scene.my_seat for event in news.events)
        return card if other else 0.0

    async def _watch_home(self, home: Home) -> None:
        while True:
            await home.changed.wait()
            home.changed.clear()
            self.screen = home_news(self.screen, home.rows(), home.notes())
            self.app.invalidate()
            self._do_what_is_due()

    async def _watch_clock(self) -> None:
        """Counts down what the table's clock leaves to whoever must decide, and its grace to who gives no sign of life,
        counted from when it was seen here."""
        while True:
            scene = self.screen.scene
            left, turn = None, None
            if scene is not None and scene.clock:
                turn = decision(scene)
                if turn != self._turn:
                    self._turn_at = asyncio.get_running_loop().time()
                if turn is not None:
                    left = max(0, scene.clock - int(asyncio.get_running_loop().time() - self._turn_at))
            self._turn = turn
            waits = () if scene is None else self._waits()
            if (left, waits) != (self.screen.left, self.screen.waits):
                self.screen = replace(self.screen, left=left, waits=waits)
                self.app.invalidate()
            await asyncio.sleep(CLOCK_STEP)

    def _waits(self) -> tuple[tuple[bytes, int], ...]:
        """For whom the table still waits, and for how many seconds from now."""
        now = asyncio.get_running_loop().time()
        return tuple((key, max(0, round(until - now))) for key, until in self._waits_until.items())

    def _broke(self, error: str) -> None:
        """A part of the program has failed that the rest can do without."""
        self.screen = noted(self.screen, _("A part of the program has failed ({error}); you can play on.", error=error))
        self.app.invalidate()

    def _terminate(self) -> None:
        self._terminated = True
        self.quit()

    def _application(self) -> Application[None]:
        window = Window(
            FormattedTextControl(self._picture, focusable=True, show_cursor=False), always_hide_cursor=Always()
        )
        bindings = make_bindings(self.key, lambda: self.screen.typing is not None)
        app: Application[None] = Application(
            Layout(window),
            key_bindings=bindings,
            style=DynamicStyle(lambda: style_for(self.screen.preferences.suits, self.screen.preferences.background)),
            color_depth=lambda: depth_for(self.screen.preferences.colours),
            mouse_support=Condition(lambda: self.screen.preferences.mouse),
            full_screen=True,
        )
        app.ttimeoutlen, app.timeoutlen = 0.05, 0.2  # seconds until Escape alone is believed
        return app

    def _picture(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        glyphs = wanted_glyphs(self.glyphs, self.screen.preferences)
        fragments: Line = []
        for number, line in enumerate(render(self.screen, size.columns, size.rows)):
            if number:
                fragments.append(("", "\n"))
            fragments += [(style, translate(text, glyphs)) for style, text in line]
        return with_mouse(fragments, self.key) if self.screen.preferences.mouse else [*fragments]
