"""`tables`: what is to be seen on this network."""

import asyncio
import json
import secrets
from dataclasses import asdict

from p2p_hearts.cli.commands import Tables
from p2p_hearts.console.below import below
from p2p_hearts.console.fragments import fit
from p2p_hearts.console.language import _
from p2p_hearts.console.words import preset_name
from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.node.driver import TableRow
from p2p_hearts.node.keystore import Home
from p2p_hearts.node.station import Place, Station
from p2p_hearts.node.transport.sockets import run


def print_tables(tables: Tables) -> None:
    """Look for a while, then print.

    Raises StationError: there is no such adapter.
    """
    rows, reasons = run(_look(tables))
    if tables.json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False))
        return
    print("\n".join(lines(rows)) or _("No table is to be seen."))
    for reason in reasons if not rows else ():
        print(below(reason))


async def _look(tables: Tables) -> tuple[tuple[TableRow, ...], tuple[str, ...]]:
    """The rows, and why there may be none. Nobody learns who asks: the key is made for the occasion."""
    nobody = Home(make_signing_key(secrets.token_bytes), boot=1, tables=None)
    station = Station(Place(nobody, "Nobody", bind=tables.bind))
    try:
        await asyncio.sleep(tables.wait)
        return station.rows(), station.discovery.why_empty()
    finally:
        await station.close()


def lines(rows: tuple[TableRow, ...]) -> list[str]:
    """One line a table: name, host, seats, rules, address, and why it cannot be joined."""
    return [_line(row) for row in rows]


def _line(row: TableRow) -> str:
    host, seats = _("host {name}", name=row.host), _("{taken} of {seats} seats", taken=row.taken, seats=row.seats)
    state = _("open") if row.joinable else below(row.reason)
    return f"{fit(row.name, 16)}  {fit(host, 21)}  {fit(seats, 14)}  {fit(preset_name(row.preset), 12)}  {fit(row.address, 21)}  {state}"
