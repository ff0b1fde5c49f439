"""Whom the person has played with, and how: names, dates, games and results, in one small file of the state directory.

The law: a person is a key; a name known from another key is said to be another's. A game counts once, when it ends. The
date is the caller's, so that a test can choose it. A file of an older version is taken over with all that is in it.
"""

import datetime as dt
import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2p_hearts.node.results import SCHEMA, GameResult, Kept, keep, kept
from p2p_hearts.protocol.names import told_apart

FORMAT = 2  # 1 had no results
_PEOPLE_ONLY = 1

_SCHEMA = """
CREATE TABLE people (identity BLOB PRIMARY KEY, name TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, games INTEGER NOT NULL);
CREATE TABLE names (identity BLOB NOT NULL, name TEXT NOT NULL, last TEXT NOT NULL, PRIMARY KEY (identity, name));
CREATE TABLE games (id BLOB PRIMARY KEY, ended TEXT NOT NULL);
"""
_MET = """
INSERT INTO people VALUES (:identity, :name, :day, :day, 1)
ON CONFLICT (identity) DO UPDATE SET name = :name, last = :day, games = games + 1
"""
_NAMED = "INSERT INTO names VALUES (:identity, :name, :day) ON CONFLICT (identity, name) DO UPDATE SET last = :day"
_EVERYBODY = "SELECT identity FROM people ORDER BY last DESC, games DESC, name"
_KNOWN = "SELECT name, first, last, games FROM people WHERE identity = ?"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


_NEW = "you have never played together"


DAMAGE = (sqlite3.Error, UnicodeDecodeError)  # the latter where a message of SQLite quotes what it found in the file


class HistoryError(Exception):
    """The history cannot be read or written; the message is the sentence to show. Nothing but memories is lost."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Somebody the person has played with: the name of the last time, and how often."""

    name: str
    first: dt.date
    last: dt.date
    games: int


class History:
    """The open history, in a file or, for a guest, in memory."""

    def __init__(self, path: Path | None) -> None:
        """Opens or makes the file.

        Raises HistoryError.
        """
        self._where = "in memory" if path is None else str(path)
        try:
            if path is not None:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._base = sqlite3.connect(":memory:" if path is None else path, isolation_level=None, timeout=1.0)
        except (OSError, *DAMAGE) as error:
            raise HistoryError(f"Whom you have played with cannot be looked up in {self._where}: {error}.") from error
        try:
            (found,) = self._base.execute("PRAGMA user_version").fetchone()
            missing = {0: _SCHEMA + SCHEMA, _PEOPLE_ONLY: SCHEMA}.get(found)
            if missing is not None:
                self._base.executescript(f"BEGIN; {missing} PRAGMA user_version = {FORMAT}; COMMIT;")
        except DAMAGE as error:
            self._base.close()
            raise HistoryError(f"Whom you have played with cannot be looked up in {self._where}: {error}.") from error
        if missing is None and found != FORMAT:
            self._base.close()
            raise HistoryError(f"The history {self._where} is of another version of p2p-hearts.")

    def record(
        self, game: bytes, people: Mapping[bytes, str], today: dt.date, result: GameResult | None = None
    ) -> None:
        """Remember a game that has ended, the others in it, by key and name, and its result; a second time changes nothing.

        Raises HistoryError.
        """
        day = today.isoformat()
        try:
            self._base.execute("BEGIN IMMEDIATE")
            if self._base.execute("INSERT OR IGNORE INTO games VALUES (?, ?)", (game, day)).rowcount:
                for identity, name in people.items():
                    row = {"identity": identity, "name": name, "day": day}
                    self._base.execute(_MET, row)
                    self._base.execute(_NAMED, row)
                if result is not None:
                    keep(self._base, game, today, result)
            self._base.execute("COMMIT")
        except DAMAGE as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise HistoryError(f"This game cannot be remembered in {self._where}: {error}.") from error

    def met(self, identity: bytes) -> Acquaintance | None:
        """What is known of a key."""
        try:
            row = self._base.execute(_KNOWN, (identity,)).fetchone()
            if row is None:
                return None
            name, first, last, games = row
            return Acquaintance(str(name), _day(first), _day(last), int(games))
        except (sqlite3.Error, TypeError, ValueError):  # a damaged file: nobody is known
            return None

    def namesake(self, identity: bytes, name: str) -> Acquaintance | None:
        """Somebody else who has gone by a name like this one, met last."""
        try:
            rows = self._base.execute("SELECT DISTINCT identity, name FROM names WHERE identity != ?", (identity,))
            alike = {key for key, other in rows if isinstance(other, str) and told_apart(other, (name,)) != other}
        except (sqlite3.Error, ValueError):  # a damaged file, even one whose text is none
            return None
        known = [one for one in map(self.met, alike) if one is not None]
        return max(known, key=lambda one: one.last, default=None)

    def results(self) -> tuple[Kept, ...]:
        """The results of the games that have ended, the oldest first.

        Raises HistoryError.
        """
        try:
            return kept(self._base)
        except DAMAGE as error:
            raise HistoryError(f"Your games cannot be looked up in {self._where}: {error}.") from error

    def people(self) -> tuple[Acquaintance, ...]:
        """Everybody the person has played with, who was met last first.

        Raises HistoryError.
        """
        try:
            keys = [key for (key,) in self._base.execute(_EVERYBODY)]
        except DAMAGE as error:
            raise HistoryError(f"Your games cannot be looked up in {self._where}: {error}.") from error
        return tuple(known for key in keys if (known := self.met(key)) is not None)

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def met_words(known: Acquaintance | None, namesake: Acquaintance | None, today: dt.date) -> str:
    """`you played with Dace on 3 May`, or that there was no game yet, and whom a newcomer is not."""
    if known is not None:
        return f"you played with {known.name} on {day_words(known.last, today)}"
    if namesake is not None:
        return f"{_NEW}, not the {namesake.name} you played with on {day_words(namesake.last, today)}"
    return _NEW


def day_words(day: dt.date, today: dt.date) -> str:
    """A day as one says it, with the year if it is not this one."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)
