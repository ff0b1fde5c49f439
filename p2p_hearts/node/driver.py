"""What a screen knows of the program below it: updates come up, commands go down, and the tables on this network are rows.

The law: a driver owns its `Session`; a screen never touches it, and neither holds a reference to the other's state.
"""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from p2p_hearts.protocol.events import Event
from p2p_hearts.protocol.inputs import Command
from p2p_hearts.protocol.scene import Scene


@dataclass(frozen=True, slots=True)
class Update:
    """What happened, in order, and the picture after it. `notices` are sentences of the driver itself, for instance
    that the usual port is taken."""

    events: tuple[Event, ...]
    scene: Scene
    notices: tuple[str, ...] = ()


class Driver(Protocol):
    """One table that is being played: `Node` with sockets, or a solo table without."""

    updates: asyncio.Queue[Update]

    def submit(self, command: Command) -> None:
        """Hand a command of the person to the session; what comes of it arrives as an `Update`."""

    async def close(self) -> None:
        """Leave nothing behind: sockets, tasks and files are closed in well under two seconds."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table seen on this network; the fields are those of `tables --json`."""

    table: str  # hex of the hash of the table's id
    name: str
    host: str  # the name of the peer that advertises it
    address: str  # ADDRESS:PORT, of several the first that answered
    seats: int
    taken: int
    state: str  # "lobby", "playing", "over"; "silent" when the program behind it does not answer
    preset: str
    rules_hash: str
    protocol: str
    age_s: float  # seconds since it last answered
    joinable: bool
    reason: str  # why it cannot be joined, or empty


class TableList(Protocol):
    """The tables on this network, kept up to date while it is open."""

    updates: asyncio.Queue[tuple[TableRow, ...]]  # the whole list, whenever it changes

    def rows(self) -> tuple[TableRow, ...]:
        """The list as it is now, with fresh ages."""

    def why_empty(self) -> tuple[str, ...]:
        """Likely reasons, in sentences, why no table is seen; empty while it is too early to say."""

    async def close(self) -> None:
        """Stop browsing."""
