"""The program around the tables, as the lobby sees it: one station on the network, and a seat at one table at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from p2p_hearts.cli.seat import Seat, Wishes
from p2p_hearts.console.home import HostSettings, JoinError
from p2p_hearts.console.language import _
from p2p_hearts.hearts.options import OptionError, resolve
from p2p_hearts.node.addresses import AddressError, Endpoint, endpoint_text, parse_endpoint
from p2p_hearts.node.discovery import EMPTY_S
from p2p_hearts.node.driver import Shown, TableRow
from p2p_hearts.node.invitations import InvitationError, read_invitation
from p2p_hearts.node.node import Node, Pilot
from p2p_hearts.node.station import Station, StationError
from p2p_hearts.node.unfinished import Unfinished
from p2p_hearts.protocol.names import clean
from p2p_hearts.protocol.output import Setup

LOOK_EVERY = 1.0  # seconds between two looks at the notes, which change with time
ASK_FOR = 5.0  # seconds
FRESH = 5.0  # seconds; the age of a row that answered since is no news


class StationHome:
    """A `Home` of the console over a `Station`. It is made in the event loop in which the station lives."""

    def __init__(self, station: Station, pilot: Pilot, wishes: Wishes) -> None:
        self.changed = asyncio.Event()
        self.seat: Seat | None = None  # the last one taken
        self._station, self._pilot, self._wishes = station, pilot, wishes
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    def rows(self) -> tuple[TableRow, ...]:
        """The tables seen on this network."""
        return self._station.rows()

    def notes(self) -> tuple[str, ...]:
        """What is to be known about this program and its network, and why there may be no table."""
        discovery = self._station.discovery
        reasons = discovery.why_empty() or ((discovery.problem,) if discovery.problem else ())
        return (*self._station.notices, *reasons)

    async def host(self, settings: HostSettings, start_at: int | None = None) -> Seat:
        """Open a table on this network, which begins by itself once `start_at` seats are filled.

        Raises JoinError.
        """
        name = self._station.place.name
        own = _("{name}’s table", name=name)
        setup = make_setup(settings, own if clean(own) == own else name)
        return await self._sit(lambda: self._station.host(setup, self._pilot, start_at), where=True)

    async def join(self, where: TableRow | str) -> Seat:
        """Ask for a seat at the table of a row, or at what a person typed; without a word, at the only one.

        Raises JoinError.
        """
        wanted = where if isinstance(where, str) else where.table
        return await self._sit(lambda: self._station.join(wanted, self._pilot, _patience(wanted)))

    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games of this person that were not played to their end, the latest first."""
        return self._station.unfinished()

    async def resume(self, game: Unfinished) -> Seat:
        """Go on with such a game.

        Raises JoinError.
        """
        return await self._sit(lambda: self._station.resume(game, self._pilot))

    async def watch(self, where: TableRow | str) -> Seat:
        """Look on at a table, found as for `join`.

        Raises JoinError.
        """
        wanted = where if isinstance(where, str) else where.table
        return await self._sit(lambda: self._station.join(wanted, self._pilot, _patience(wanted), watching=True))

    async def solo(self, settings: HostSettings) -> Seat:
        """A table of one person and bots inside this process.

        Raises JoinError.
        """
        setup = make_setup(replace(settings, bots=settings.seats - 1), _("Solo"))
        return await self._sit(lambda: self._alone(setup))

    def think(self, seconds: float) -> None:
        """How long bots of the next table seem to think; where a bot answers for the person, nobody has to be waited for."""
        if self._pilot.autoplay is None:
            self._pilot = replace(self._pilot, pace=seconds)

    async def close(self) -> None:
        """Get up from the table and stop watching; the station is closed by whoever made it."""
        if self.seat is not None:
            await self.seat.close()
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)

    async def _alone(self, setup: Setup) -> Node:
        return self._station.solo(setup, self._pilot)

    async def _sit(self, open_table: Callable[[], Awaitable[Node]], *, where: bool = False) -> Seat:
        if self.seat is not None:
            await self.seat.close()  # it may still be on its way out
        known = len(self._station.notices)
        try:
            node = await open_table()
        except StationError as error:
            raise JoinError(str(error)) from error
        notices = tuple(self._station.notices[known:])
        if where and self._station.hosts:
            notices += self._where(self._station.guests.shown)
        self.seat = Seat(node, self._station.leave, self._wishes, notices)
        return self.seat

    def _where(self, invitation: Shown | None) -> tuple[str, ...]:
        """How others come to the table that was just opened."""
        if invitation is None:
            address = endpoint_text(Endpoint(self._station.hosts[0], self._station.transport.port))
            return (f"Others see this table in their lobby, or join it at {address}.",)
        text = (f"An invitation as a text: {invitation.text}",)
        words = (f"Only whom you invite can join this table, with these words: {invitation.words}",)
        return (*text, *(words if invitation.words else ()))

    async def _watch(self) -> None:
        """Says when there is something new for the lobby."""
        before: object = None
        while True:
            rows = tuple(replace(row, age_s=row.age_s // 1 if row.age_s > FRESH else 0.0) for row in self.rows())
            now = (rows, self.notes())
            if now != before:
                before = now
                self.changed.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):  # `wait_for` of Python 3.11 may swallow our being cancelled
                    await self._station.discovery.updates.get()


def _patience(wanted: str) -> float:
    """Seconds to look for a table, until there are reasons to give why none is seen; at an address, to ask again."""
    with suppress(AddressError):
        parse_endpoint(wanted)
        return ASK_FOR
    try:
        return EMPTY_S + LOOK_EVERY if read_invitation(wanted) is None else ASK_FOR
    except InvitationError:
        return ASK_FOR


def make_setup(settings: HostSettings, title: str) -> Setup:
    """What the protocol opens a table with.

    Raises JoinError: the options make no table.
    """
    try:
        resolve(settings.preset, dict(settings.overrides), settings.seats)
    except OptionError as error:
        raise JoinError(str(error)) from error
    return Setup(
        settings.name or title,
        settings.seats,
        (settings.level,) * settings.bots,
        settings.preset,
        settings.overrides,
        settings.hands or 0,
        grace=settings.grace,
        clock=settings.clock,
        watch=settings.watch,
        escrow=settings.escrow,
        admit=settings.admit,
    )
