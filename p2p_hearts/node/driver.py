"""What a screen knows of the program below it: updates come up, commands go down, and the tables on this network are rows.

The law: a driver owns its `Session`; a screen never touches it, and neither holds a reference to the other's state.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, TypeAlias

from p2p_hearts.cards import Card
from p2p_hearts.protocol.events import Event
from p2p_hearts.protocol.inputs import Command
from p2p_hearts.protocol.scene import Scene


@dataclass(frozen=True, slots=True)
class Shown:
    """An open invitation as a person passes it on: words to say, empty where the address has none, and a text that a QR
    code holds as well."""

    words: str = field(repr=False)
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Teaching:
    """A word of the tutorial: a sentence that is translated where it is shown, the cards that its fields stand for, and
    whether the lesson waits until it has been read."""

    text: str
    cards: tuple[tuple[str, Card], ...] = ()
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Aside:
    """What the program knows beside the scene: the open invitation to the own table, of others by key whether they were
    met before, in words, and what a tutorial says now."""

    invitation: Shown | None = None
    met: Mapping[bytes, str] = field(default_factory=lambda: MappingProxyType({}))
    teaching: Teaching | None = None


@dataclass(frozen=True, slots=True)
class Invite:
    """The host opens a new invitation, in place of any before, or closes the one that is open."""

    open: bool = True


@dataclass(frozen=True, slots=True)
class GoOn:
    """The person has read what a tutorial said."""


Wish: TypeAlias = Command | Invite | GoOn
"""What a person wants of a table: most of it is the session's business, some the program's around it."""


@dataclass(frozen=True, slots=True)
class Update:
    """What happened, in order, and the picture after it. `notices` are sentences of the driver itself, for instance
    that the usual port is taken; without an `aside` the one before still holds."""

    events: tuple[Event, ...]
    scene: Scene
    notices: tuple[str, ...] = ()
    aside: Aside | None = None


class Driver(Protocol):
    """One table that is being played: `Node` with sockets, or a solo table without."""

    updates: asyncio.Queue[Update]

    def submit(self, command: Wish) -> None:
        """Hand over what the person wants; what comes of it arrives as an `Update`."""

    async def close(self) -> None:
        """Leave nothing behind: sockets, tasks and files are closed in well under two seconds."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table seen on this network; the fields are those of `tables --json`."""

    table: str  # hex of the hash of the table's id
    name: str
    host: str  # the name of the peer that advertises it
    address: str  # ADDRESS:PORT, of several the first that answered; empty for a private table
    seats: int
    taken: int
    state: str  # "lobby", "private" (a lobby for invited people), "playing", "over"; "silent" when the program behind it does not answer
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
