"""The full screen: the only `Application`, one layout with one window that pulls its picture, one place that changes
the `Screen`.

The law: every key and every update passes through `press` and `update`; a line that awaits reads no state. The terminal
is put back whatever happens, and nothing that is slow stands between a key and leaving.
"""

import asyncio
import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Always
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from p2p_hearts.console.bindings import make_bindings
from p2p_hearts.console.glyphs import Glyphs, glyphs_for, translate
from p2p_hearts.console.home import Home, JoinError
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, left_table, press, told_why, update
from p2p_hearts.console.state import (
    Action,
    JoinAddress,
    JoinRow,
    LeaveTable,
    OpenTable,
    Pace,
    Quit,
    Screen,
)
from p2p_hearts.console.style import STYLE
from p2p_hearts.console.tables import Ending, goodbye, off_signals, on_signals, open_table
from p2p_hearts.node.driver import Driver, Update
from p2p_hearts.protocol.events import Played, ResultSigned, TrickEnded
from p2p_hearts.protocol.scene import Scene, Stage

BACKLOG = 40  # updates; a screen that is further behind rests no more


async def run_app(
    home: Home | None,
    driver: Driver | None = None,
    *,
    glyphs: Glyphs | None = None,
    pace: Pace = Pace.FAST,
    unattended: bool = False,
) -> Ending:
    """The full screen, from the lobby (`home`) or at a table (`driver`), until the person leaves.

    `unattended` leaves by itself once the result is signed or the table has stopped, for programs that play by bot.
    """
    letters = glyphs if glyphs is not None else glyphs_for(sys.stdout.encoding, os.environ)
    console = Console(home, letters, Screen(pace=pace, blocks=letters is not Glyphs.ASCII), unattended=unattended)
    return await console.run(driver)


class Console:
    """What changes while the full screen runs: the screen, the table in play, and the tasks that feed them."""

    def __init__(self, home: Home | None, glyphs: Glyphs, screen: Screen, *, unattended: bool = False) -> None:
        self.home, self.glyphs, self.screen, self.unattended = home, glyphs, screen, unattended
        self.driver: Driver | None = None
        self.last_scene: Scene | None = None
        self._terminated = False
        self._resting = False  # the picture stays for a moment, so that a person can follow
        self._hurry = asyncio.Event()  # a key was pressed meanwhile: catch up at once
        self._tasks: set[asyncio.Task[None]] = set()
        self._goodbyes: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None
        self.app = self._application()

    async def run(self, driver: Driver | None) -> Ending:
        """Show it until it is left; the table is closed when this returns."""
        caught = on_signals(self._terminate)
        if self.home is not None:
            self.screen = home_news(self.screen, self.home.rows(), self.home.notes())
            self._spawn(self._watch_home(self.home))
        if driver is not None:
            self._sit_down(driver)
        try:
            # errors of tasks end the application through `_done`; prompt_toolkit's own handler would wait for Enter
            await self.app.run_async(set_exception_handler=False)
        except (EOFError, OSError):  # the terminal is gone
            self._terminated = True
        finally:
            off_signals(caught)
            await self._close()
        return Ending(self.last_scene, self._terminated)

    def key(self, name: str) -> None:
        """A key of the person."""
        if self._resting:
            self._hurry.set()
            if name in {"enter", " "}:
                return
        size = self.app.output.get_size()
        self.screen, action = press(replace(self.screen, size=(size.columns, size.rows)), name)
        if action is not None:
            self._act(action)

    def _act(self, action: Action) -> None:
        match action:
            case Quit():
                self._exit()
            case LeaveTable():
                self._leave()
            case JoinRow() | JoinAddress() | OpenTable():
                if self.home is not None:
                    self._spawn(self._open(self.home, action))
            case command:
                if self.driver is not None:
                    self.driver.submit(command)

    async def _open(self, home: Home, action: JoinRow | JoinAddress | OpenTable) -> None:
        # a program sits at one table at a time: the last one is closed before the next is opened
        await asyncio.gather(*self._goodbyes)
        try:
            driver = await open_table(home, action)
        except JoinError as error:
            self.screen = told_why(self.screen, str(error))
            self.app.invalidate()
            return
        if not self.screen.busy:  # the person did not want to wait any longer
            await driver.close()
            return
        self._sit_down(driver)

    def _sit_down(self, driver: Driver) -> None:
        self.driver = driver
        self._following = self._spawn(self._follow(driver))

    async def _follow(self, driver: Driver) -> None:
        while True:
            news = await driver.updates.get()
            self._apply(news)
            rest = self._rest(news)
            if rest and driver.updates.qsize() < BACKLOG:
                self._resting = True
                with suppress(TimeoutError):
                    async with asyncio.timeout(rest):  # `wait_for` of Python 3.11 may swallow our being cancelled
                        await self._hurry.wait()
                self._resting = False
            if driver.updates.empty():
                self._hurry.clear()

    def _apply(self, news: Update) -> None:
        self.screen = update(self.screen, news.events, news.scene, news.notices, news.aside)
        self.last_scene = news.scene
        self.app.invalidate()
        signed = any(isinstance(event, ResultSigned) for event in news.events)
        if self.unattended and (signed or news.scene.stage is Stage.STOPPED):
            self._exit()

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

    def _leave(self) -> None:
        if self.home is None:
            self._exit()
            return
        driver, self.driver = self.driver, None
        if self._following is not None:
            self._following.cancel()
        self._resting = False
        self.screen = left_table(self.screen)
        if driver is not None:
            self._goodbyes.add(self._spawn(goodbye(driver, self.last_scene)))
        self.app.invalidate()

    def _exit(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def _terminate(self) -> None:
        self._terminated = True
        self._exit()

    async def _close(self) -> None:
        """Leave the table and end every task; goodbyes that are under way are waited for."""
        tasks = list(self._tasks)
        for task in tasks:
            if task not in self._goodbyes:
                task.cancel()
        if self.driver is not None:
            await goodbye(self.driver, self.last_scene)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._goodbyes.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and self.app.is_running and not self.app.is_done:
            self.app.exit(exception=error)

    def _application(self) -> Application[None]:
        window = Window(
            FormattedTextControl(self._picture, focusable=True, show_cursor=False), always_hide_cursor=Always()
        )
        # the colour depth is not given: terminal, NO_COLOR and TERM decide
        bindings = make_bindings(self.key, lambda: self.screen.typing is not None)
        app: Application[None] = Application(Layout(window), key_bindings=bindings, style=STYLE, full_screen=True)
        app.ttimeoutlen, app.timeoutlen = 0.05, 0.2  # seconds until Escape alone is believed
        return app

    def _picture(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        fragments: StyleAndTextTuples = []
        for number, line in enumerate(render(self.screen, size.columns, size.rows)):
            if number:
                fragments.append(("", "\n"))
            fragments += [(style, translate(text, self.glyphs)) for style, text in line]
        return fragments
