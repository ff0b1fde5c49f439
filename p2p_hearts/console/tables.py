"""Sitting down at a table and getting up again, the same for the full screen and for line mode."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from p2p_hearts.console.home import Home
from p2p_hearts.console.state import JoinAddress, JoinRow, OpenTable, Resume, WatchRow
from p2p_hearts.console.tutorial import Tutorial
from p2p_hearts.node.driver import Driver
from p2p_hearts.protocol.inputs import Leave
from p2p_hearts.protocol.scene import Scene, Stage

CLOSE_SECONDS = 1.5  # longest wait for a table that is being closed


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run of the console ended: the last picture of the table, if there was one, and whether a signal or the loss
    of the terminal ended it."""

    scene: Scene | None
    terminated: bool = False


Opening: TypeAlias = JoinRow | JoinAddress | WatchRow | Resume | OpenTable


async def open_table(home: Home, action: Opening) -> Driver:
    """The table that was asked for.

    Raises:
        JoinError: it cannot be had; the message says why.
    """
    match action:
        case JoinRow(row):
            return await home.join(row)
        case JoinAddress(text):
            return await home.join(text)
        case WatchRow(row):
            return await home.watch(row)
        case Resume(game):
            return await home.resume(game)
        case OpenTable("learn", _settings):
            return Tutorial()
        case OpenTable("solo", settings):
            return await home.solo(settings)
        case OpenTable(_, settings):
            return await home.host(settings)


async def goodbye(driver: Driver, scene: Scene | None, *, later: bool = False) -> None:
    """Tell the table, unless its game is over, and close what belongs to it. Also one that has stopped is told: somebody
    may not have heard yet why, and would wait for us. Who goes on with a game `later` tells nobody."""
    keeps = later and scene is not None and scene.stage not in {Stage.JOINING, Stage.LOBBY, Stage.STOPPED}
    if scene is not None and scene.stage is not Stage.OVER and not keeps:
        driver.submit(Leave())
    with suppress(TimeoutError):
        await asyncio.wait_for(driver.close(), CLOSE_SECONDS)


def on_signals(ending: Callable[[], None]) -> list[int]:
    """Call `ending` when the program is told to end or its terminal goes away; the signals that are now caught."""
    loop = asyncio.get_running_loop()
    caught: list[int] = []
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            loop.add_signal_handler(number, ending)
            caught.append(number)
    return caught


def off_signals(caught: list[int]) -> None:
    """Give the signals back."""
    for number in caught:
        asyncio.get_running_loop().remove_signal_handler(number)
