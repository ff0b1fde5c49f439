"""The results of finished games, as the person at this computer had them: in the same small file as whom they played with.

The law: a result is taken from the table as all have signed it, and kept once. What is read back is checked: a damaged line
is left out, and never a reason not to play.
"""

import datetime as dt
import sqlite3
from dataclasses import dataclass

from p2p_hearts.protocol.state import Scored, Table

SCHEMA = """
CREATE TABLE results (
    game BLOB PRIMARY KEY, ended TEXT NOT NULL, title TEXT NOT NULL, seats INTEGER NOT NULL, people INTEGER NOT NULL,
    total INTEGER NOT NULL, place INTEGER NOT NULL, won INTEGER NOT NULL, bot TEXT NOT NULL
);
CREATE TABLE hands (
    game BLOB NOT NULL, number INTEGER NOT NULL, points INTEGER NOT NULL, moon INTEGER NOT NULL, kitty INTEGER NOT NULL,
    PRIMARY KEY (game, number)
);
"""
_KEEP = "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KEEP_HAND = "INSERT INTO hands VALUES (?, ?, ?, ?, ?)"
_READ = "SELECT game, ended, title, seats, people, total, place, won, bot FROM results ORDER BY ended, rowid"
_READ_HANDS = "SELECT points, moon, kitty FROM hands WHERE game = ? ORDER BY number"


@dataclass(frozen=True, slots=True)
class HandResult:
    """What one hand put on the sheet for the person, after the moon."""

    points: int
    moon: bool  # the person shot it
    kitty: bool  # the person took it


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game. `bot` is the level of the bot that played in the person's place, empty when nobody did."""

    title: str
    seats: int
    people: int  # the person included
    total: int
    place: int  # from 1; who has the same total has the same place
    won: bool  # alone or together; nobody wins where the agreed number of hands ended before the limit
    hands: tuple[HandResult, ...]
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A result, and the day on which the game ended."""

    ended: dt.date
    result: GameResult


def result_for(table: Table, identity: bytes, bot: str) -> GameResult | None:
    """What a finished game was for the player behind a key; None for somebody who only looked on."""
    game = table.game
    if game is None or not table.over:
        return None
    seat = next((at for at, one in enumerate(game.seats) if one.operator == identity and one.bot is None), None)
    if seat is None:
        return None
    return GameResult(
        title=game.title,
        seats=len(game.seats),
        people=len(game.peers),
        total=table.scores[seat],
        place=1 + sum(total < table.scores[seat] for total in table.scores),
        won=seat in table.winners,
        hands=tuple(_hand(row, seat) for row in table.sheet),
        bot=bot,
    )


def keep(base: sqlite3.Connection, game: bytes, ended: dt.date, result: GameResult) -> None:
    """Writes a result down, inside a transaction of the caller."""
    fields = (result.title, result.seats, result.people, result.total, result.place, result.won, result.bot)
    base.execute(_KEEP, (game, ended.isoformat(), *fields))
    rows = [(game, number, hand.points, hand.moon, hand.kitty) for number, hand in enumerate(result.hands, 1)]
    base.executemany(_KEEP_HAND, rows)


def kept(base: sqlite3.Connection) -> tuple[Kept, ...]:
    """Every result that can be read, the oldest first."""
    results = []
    for game, ended, title, seats, people, total, place, won, bot in base.execute(_READ).fetchall():
        try:
            rows = base.execute(_READ_HANDS, (game,)).fetchall()
            hands = tuple(HandResult(int(points), bool(moon), bool(kitty)) for points, moon, kitty in rows)
            numbers = (int(seats), int(people), int(total), int(place), bool(won))
            result = GameResult(str(title), *numbers, hands, str(bot))
            results.append(Kept(dt.date.fromisoformat(ended), result))
        except (TypeError, ValueError):
            continue
    return tuple(results)


def _hand(row: Scored, seat: int) -> HandResult:
    return HandResult(row.points[seat], row.moon == seat, row.kitty == seat)
