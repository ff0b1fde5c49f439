"""The commands that sit down at a table: the lobby, `host`, `join` and `solo`, on the full screen or line by line."""

import getpass
import logging
import os
import secrets
import sys
from contextlib import suppress
from dataclasses import astuple, replace
from typing import TypeAlias

from p2p_hearts.cli.commands import Common, Continue, Host, Join, Lobby, Solo, Watch
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.home import StationHome
from p2p_hearts.cli.personal import first_file
from p2p_hearts.cli.seat import Seat, Wishes
from p2p_hearts.console.app import run_app
from p2p_hearts.console.below import below
from p2p_hearts.console.home import HostSettings, JoinError
from p2p_hearts.console.language import _
from p2p_hearts.console.plain import needs_lines, run_plain
from p2p_hearts.console.settings import Personal
from p2p_hearts.console.tables import Ending
from p2p_hearts.node.addresses import DEFAULT_PORT
from p2p_hearts.node.keystore import default_directory, open_home
from p2p_hearts.node.node import Pilot
from p2p_hearts.node.station import Place, Station
from p2p_hearts.node.transport.sockets import run
from p2p_hearts.protocol.names import MAX_CHAT, clean
from p2p_hearts.protocol.scene import Stage

LAST_WORDS = 10.0  # seconds for which a program that nobody waits for stays until all others have all signatures
AtTable: TypeAlias = Lobby | Solo | Host | Join | Watch | Continue


def run_table(command: AtTable, personal: Personal) -> Exit:
    """Play until the person leaves, or, with a bot in their place, until the table is done.

    Raises KeystoreError, StationError or JoinError, each with the sentence to show.
    """
    _log_to(command.common)
    with open_home(command.common.state or default_directory(), secrets.token_bytes) as home:
        common = command.common
        place = Place(home, common.name or _login_name(), common.port or DEFAULT_PORT, common.bind)
        first_file(personal)
        return run(_play(command, place, personal))


async def _play(command: AtTable, place: Place, personal: Personal) -> Exit:
    common = command.common
    wishes = Wishes(common.result, common.export)
    if common.autoplay is not None:
        wishes = replace(wishes, parting=LAST_WORDS)
    station = Station(place)
    home = StationHome(station, Pilot(common.autoplay), wishes)
    home.think(personal.preferences.think)
    personal = replace(personal, heed=lambda wanted: home.think(wanted.think))
    try:
        if isinstance(command, Lobby):
            ending = await _show(common, home, None, personal)
        else:
            ending = await _show(common, None, await _sit(home, command), personal)
    finally:
        await home.close()
        await station.close()
    for sentence in () if home.seat is None else home.seat.unsaved:
        print(f"p2p-hearts: {below(sentence)}", file=sys.stderr)  # a full screen took it along
    return outcome(home.seat, ending)


async def _sit(home: StationHome, command: Solo | Host | Join | Watch | Continue) -> Seat:
    match command:
        case Solo(_, seats, level, rules):
            return await home.solo(
                HostSettings("", seats, seats - 1, level, rules.preset, rules.overrides, "open", rules.hands)
            )
        case Host(_, name, seats, bots, level, rules, admit, start, ways):
            settings = HostSettings(
                name or "", seats, bots, level, rules.preset, rules.overrides, admit, rules.hands, *astuple(ways)
            )
            return await home.host(settings, seats if start else None)
        case Continue():
            games = home.unfinished()
            if not games:
                raise JoinError(_("There is no game here that you could go on with."))
            return await home.resume(games[0])
        case Watch(_, where):
            return await home.watch(where or "")
        case Join(_, where):
            if sys.stdout.isatty():
                what = clean(where, MAX_CHAT) if where else _("a table")
                print(_("Looking for {what} …", what=what), flush=True)
            return await home.join(where or "")


async def _show(common: Common, home: StationHome | None, seat: Seat | None, personal: Personal) -> Ending:
    """Runs the console that fits here; a table played by a bot is left by itself when it is done."""
    unattended = common.autoplay is not None and seat is not None
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if common.plain or needs_lines(os.environ, terminal=terminal):
        return await run_plain(home, seat, unattended=unattended, personal=personal)
    return await run_app(home, seat, unattended=unattended, personal=personal)


def outcome(seat: Seat | None, ending: Ending) -> Exit:
    """The exit code. Leaving a table of one's own will is no failure; a result that is not where it was wanted is one."""
    if seat is None:
        return Exit.DONE
    if seat.signed:
        return Exit.NO_RESULT if seat.unsaved else Exit.DONE
    if seat.refused:
        return Exit.NO_TABLE
    stopped = ending.scene is not None and ending.scene.stage is Stage.STOPPED
    return Exit.NO_RESULT if stopped or ending.terminated else Exit.DONE


def _login_name() -> str:
    name = ""
    with suppress(OSError, KeyError, ImportError):  # no such thing here
        name = clean(getpass.getuser())
    return name or "Player"


def _log_to(common: Common) -> None:
    """Writes to the log file, if one is wanted, and never onto the screen, also not that the disk is full."""
    logging.raiseExceptions = False
    handler = logging.NullHandler() if common.log is None else logging.FileHandler(common.log, encoding="utf-8")
    logging.basicConfig(
        handlers=[handler], level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
