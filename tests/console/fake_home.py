"""A `Home` without a network: two tables in a list, and every table that is opened is a `FakeTable`."""

import asyncio
import datetime as dt
from pathlib import Path

from p2p_hearts.console.draw_home import plain_rules
from p2p_hearts.console.home import HostSettings, JoinError
from p2p_hearts.node.driver import TableRow
from p2p_hearts.node.unfinished import Unfinished
from p2p_hearts.protocol.scene import Asking
from tests.console.fake import FakeDriver, FakeTable

OPEN = TableRow(
    "aa", "Friday", "Ann", "192.168.1.20:5340", 8, 4, "lobby", "as_written", plain_rules("as_written"), "1", 0.4,
    joinable=True, reason="",
)  # fmt: skip
PLAYING = TableRow(
    "bb", "Kitchen table", "Cem", "192.168.1.31:5340", 11, 11, "playing", "classic", "h", "1", 12.0, joinable=False,
    reason="it is being played already",
)  # fmt: skip

PRIVATE = TableRow(
    "dd", "Attic", "Dace", "", 8, 2, "private", "as_written", "h", "1", 0.4, joinable=False,
    reason="It is private: ask its host for an invitation.",
)  # fmt: skip


GAMES = (
    Unfinished(Path("friday.sqlite"), "Friday", 3, ("Ann", "Cem"), dt.datetime(2026, 5, 3, 21, 40)),  # noqa: DTZ001 - as shown
    Unfinished(Path("solo.sqlite"), "Solo", 1, (), dt.datetime(2026, 5, 1, 9, 5)),  # noqa: DTZ001 - the same
)


class FakeHome:
    """Remembers what it was asked for."""

    def __init__(self, rows: tuple[TableRow, ...] = (OPEN, PLAYING), **table: int) -> None:
        self.changed = asyncio.Event()
        self.listed = rows
        self.games: tuple[Unfinished, ...] = ()
        self.table = table
        self.asked: list[object] = []
        self.drivers: list[FakeDriver] = []

    def rows(self) -> tuple[TableRow, ...]:
        """The list given."""
        return self.listed

    def notes(self) -> tuple[str, ...]:
        """Where this program would be found."""
        return ("This program is at 192.168.1.12:5340 (wlan0).",)

    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games given."""
        return self.games

    async def resume(self, game: Unfinished) -> FakeDriver:
        """A table in the middle of its deal."""
        driver = self._made(game, FakeTable(name=game.title, **self.table))  # type: ignore[arg-type]
        for update in driver.table.begin():
            driver.updates.put_nowait(update)
        return driver

    async def watch(self, where: TableRow | str) -> FakeDriver:
        """A table that says no."""
        raise JoinError(f"{where if isinstance(where, str) else where.name} cannot be watched.")

    async def host(self, settings: HostSettings) -> FakeDriver:
        """A table in its waiting room, with somebody at the door."""
        table = FakeTable(name=settings.name or "Bea's table", **self.table)  # type: ignore[arg-type]
        table.asking = (Asking(b"x" * 32, "Nora", "otter-lamp"),)
        return self._made(settings, table)

    async def join(self, where: TableRow | str) -> FakeDriver:
        """A table, unless the address says that nobody answers."""
        await asyncio.sleep(0)
        if where == "nowhere":
            raise JoinError("Nobody answers at nowhere.")
        return self._made(where, FakeTable(**self.table))  # type: ignore[arg-type]

    async def solo(self, settings: HostSettings) -> FakeDriver:
        """A table that begins at once."""
        driver = self._made(settings, FakeTable(name="Solo", **{"seats": settings.seats, **self.table}))  # type: ignore[arg-type]
        for update in driver.table.begin():
            driver.updates.put_nowait(update)
        return driver

    def _made(self, asked: object, table: FakeTable) -> FakeDriver:
        self.asked.append(asked)
        self.drivers.append(FakeDriver(table))
        return self.drivers[-1]
