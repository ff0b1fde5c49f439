"""The seat that a front end has: a table is opened, listened to, and left, with every task that this takes.

The law: one program sits at one table at a time; the last one is closed before the next is opened. A task that fails
tells the front end, and nothing is left behind when `close` returns.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from p2p_hearts.console.home import Home, JoinError
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.state import Action, JoinAddress, JoinRow, Keep, LeaveTable, OpenTable, Quit, Resume, WatchRow
from p2p_hearts.console.tables import Opening, goodbye, open_table
from p2p_hearts.node.driver import Driver, Update
from p2p_hearts.protocol.scene import Scene


class Front(Protocol):
    """What a front end does itself with an action of its person; all are called in the loop."""

    def wanted(self) -> bool:
        """Whether the person still waits for the table that has just been opened."""

    def refused(self, error: JoinError) -> None:
        """No table was reached."""

    def failed(self, error: BaseException) -> None:
        """A task ended with an error."""

    def leave(self) -> None:
        """Get up from the table: `Seating.leave`, and what is shown then."""

    def keep(self, before: Preferences, after: Preferences) -> None:
        """Write down that the settings have changed."""

    def left(self) -> None:
        """The table that was left is closed now."""

    def quit(self) -> None:
        """End the program."""


class Seating:
    """The table in play, if there is one, and the tasks that feed the front end."""

    def __init__(self, home: Home | None, front: Front, hear: Callable[[Update], Awaitable[None]]) -> None:
        self.home = home
        self.driver: Driver | None = None
        self.scene: Scene | None = None  # the last one heard of
        self._front, self._hear = front, hear
        self._later = False  # whether the person wants to go on with the game another time
        self._tasks: set[asyncio.Task[None]] = set()
        self._goodbyes: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None

    def act(self, action: Action) -> None:
        """Do what the person wants."""
        match action:
            case Quit():
                self._front.quit()
            case LeaveTable(later):
                self._later = later
                self._front.leave()
            case JoinRow() | JoinAddress() | WatchRow() | Resume() | OpenTable():
                if self.home is not None:
                    self.spawn(self._open(self.home, action))
            case Keep(before, after):
                self._front.keep(before, after)
            case command:
                if self.driver is not None:
                    self.driver.submit(command)

    def sit_down(self, driver: Driver) -> None:
        """Listen to this table from now on."""
        self.driver = driver
        self._following = self.spawn(self._follow(driver))

    def waiting(self) -> int:
        """How many updates of the table have not been heard yet."""
        return self.driver.updates.qsize() if self.driver is not None else 0

    def leave(self) -> None:
        """Get up; the table is told and closed meanwhile."""
        driver, self.driver = self.driver, None
        if self._following is not None:
            self._following.cancel()
        if driver is not None:
            self._goodbyes.add(self.spawn(self._farewell(driver, self._later)))
        self._later = False

    async def close(self, *, later: bool = False) -> None:
        """Leave the table and end every task; goodbyes that are under way are waited for. `later`: the program was told to
        end, and the person may want to go on with the game."""
        tasks = list(self._tasks)
        for task in tasks:
            if task not in self._goodbyes:
                task.cancel()
        if self.driver is not None:
            await goodbye(self.driver, self.scene, later=later or self._later)
        await asyncio.gather(*tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that ends with the seat, and whose error the front end hears of."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def _farewell(self, driver: Driver, later: bool) -> None:  # noqa: FBT001 - of the person's own choice
        await goodbye(driver, self.scene, later=later)
        self._front.left()

    async def _open(self, home: Home, action: Opening) -> None:
        await asyncio.gather(*self._goodbyes)
        try:
            driver = await open_table(home, action)
        except JoinError as error:
            self._front.refused(error)
            return
        if not self._front.wanted():  # the person did not want to wait any longer
            await driver.close()
            return
        self.sit_down(driver)

    async def _follow(self, driver: Driver) -> None:
        while True:
            news = await driver.updates.get()
            self.scene = news.scene
            await self._hear(news)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._goodbyes.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._front.failed(error)
