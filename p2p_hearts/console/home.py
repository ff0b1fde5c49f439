"""What the screens before a table need from the program below: tables to join, a way to open one, a way to play alone.

The law: the console knows no socket and no session; the composition root gives it a `Home` and gets nothing back.
"""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from p2p_hearts.node.driver import Driver, TableRow

ADMIT = ("approve", "open", "private")
"""Who may sit down: those the host lets in, everybody, or those who have its invitation."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a person wants of a new table; for a solo table `admit` and `name` mean nothing."""

    name: str = ""
    seats: int = 6  # seats the table is to have, people and bots
    bots: int = 0  # how many of them bots take from the beginning
    level: str = "cautious"  # of these bots
    preset: str = "as_written"
    overrides: tuple[tuple[str, object], ...] = ()
    admit: str = "approve"
    hands: int | None = None  # play so many hands, or None: to the limit
    clock: int = 0  # seconds that a person has for a decision; 0: as long as it takes


class JoinError(Exception):
    """The table could not be reached or does not fit; the message is the sentence a player reads."""


class Home(Protocol):
    """The program around the tables: this network, and the tables opened from here."""

    changed: asyncio.Event  # set whenever `rows()` or `notes()` may give something new; the console clears it

    def rows(self) -> tuple[TableRow, ...]:
        """The tables seen on this network, in a steady order."""

    def notes(self) -> tuple[str, ...]:
        """Sentences for below the list: own addresses, why it may be empty, what went wrong with the network."""

    async def host(self, settings: HostSettings) -> Driver:
        """Open a table on this network.

        Raises:
            JoinError: no socket could be opened, or the options make no table.
        """

    async def join(self, where: TableRow | str) -> Driver:
        """Ask for a seat at the table of a row, or at an address, or by an invitation, that a person typed.

        Raises:
            JoinError: nobody answers there, or what answers cannot be played with.
        """

    async def solo(self, settings: HostSettings) -> Driver:
        """A table of one person and bots inside this process.

        Raises:
            JoinError: the options make no table.
        """
