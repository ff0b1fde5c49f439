"""The journal of one table: every entry in the order of acceptance, and the secrets that go with our own.

The law: an entry of ours and every secret needed to go on from it are one transaction, on the disk before the entry's
frame leaves, so that no crash makes us sign two entries with one number. Secrets of a hand that is decided are overwritten,
in the write-ahead log too.
Source: SQLite, "Write-Ahead Logging" (synchronous=FULL syncs every commit) and `PRAGMA secure_delete`.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from p2p_hearts.protocol.output import Record

FORMAT = 3

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    position INTEGER PRIMARY KEY,
    author BLOB NOT NULL,
    incarnation BLOB NOT NULL,
    seq INTEGER NOT NULL,
    own INTEGER NOT NULL,
    frame BLOB NOT NULL,
    secret BLOB,
    hand INTEGER NOT NULL,
    UNIQUE (author, incarnation, seq)
);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)
"""
_WRITE_OWN = "INSERT INTO entries (author, incarnation, seq, own, frame, secret, hand) VALUES (?, ?, ?, ?, ?, ?, ?)"
# After a restart entries of others come again; one of ours must be new.
_WRITE = _WRITE_OWN.replace("INSERT", "INSERT OR IGNORE", 1)
_TYPES = (bytes, bytes, int, bytes, int, bytes, int)  # of what is read, in this order
_READ = "SELECT author, incarnation, seq, frame, own, secret, hand FROM entries ORDER BY position"


DAMAGE = (sqlite3.Error, UnicodeDecodeError)  # the latter where a message of SQLite quotes what it found in the file


class JournalError(Exception):
    """The journal cannot be read or written; the message is the sentence to show. Nothing more may be signed."""


class Journal:
    """The open journal of one table, in a file or, for a guest or a table without network, in memory."""

    def __init__(self, path: Path | None) -> None:
        """Opens or makes the file.

        Raises:
            JournalError: it cannot be made, or is no journal of ours.
        """
        self._where = "in memory" if path is None else str(path)
        try:
            if path is not None:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._base = sqlite3.connect(":memory:" if path is None else path, isolation_level=None, timeout=1.0)
        except (OSError, *DAMAGE) as error:
            raise self._error("opened", error) from error
        try:
            self._prepare()
        except BaseException:
            self._base.close()
            raise

    def append(self, records: Sequence[Record]) -> None:
        """Keep entries, all or none; when one is our own, they are on the disk when this returns.

        Raises:
            JournalError: the disk is full or read-only, or the file was damaged.
        """
        if not records:
            return
        own = any(record.own for record in records)
        try:
            self._base.execute(f"PRAGMA synchronous = {'FULL' if own else 'NORMAL'}")
            self._base.execute("BEGIN IMMEDIATE")
            for r in records:
                row = (r.author, r.incarnation, r.seq, r.own, r.frame, r.secret, r.hand)
                self._base.execute(_WRITE_OWN if r.own else _WRITE, row)
            self._base.execute("COMMIT")
        except DAMAGE as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise self._error("written", error) from error

    def records(self) -> Iterator[Record]:
        """All entries in the order in which they were accepted.

        Raises:
            JournalError: the file is damaged.
        """
        try:
            for author, incarnation, seq, frame, own, secret, hand in self._base.execute(_READ):
                fields = (author, incarnation, seq, frame, own, secret or b"", hand)
                if tuple(map(type, fields)) != _TYPES:  # SQLite keeps any type in any column
                    raise JournalError(f"The journal {self._where} cannot be read: it is damaged.")
                yield Record(author, incarnation, seq, frame, bool(own), secret, hand)
        except DAMAGE as error:
            raise self._error("read", error) from error

    def forget(self, hands: Iterable[int]) -> None:
        """Overwrite the secrets of these hands: they are decided, and nobody needs them any more.

        Raises:
            JournalError: as `append`.
        """
        try:
            self._base.execute("PRAGMA synchronous = FULL")
            gone = ((hand,) for hand in hands)
            self._base.executemany("UPDATE entries SET secret = NULL WHERE hand = ? AND secret IS NOT NULL", gone)
            # the write-ahead log, too, holds what was overwritten, until it is cut off
            (busy, _, _) = self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except DAMAGE as error:
            raise self._error("written", error) from error
        if busy:
            raise JournalError(f"The journal {self._where} is being read, so its secrets cannot be overwritten.")

    def note(self, **facts: str) -> None:
        """Keep a few facts about the table beside its entries; those of the same names are replaced.

        Raises:
            JournalError: as `append`.
        """
        try:
            self._base.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())
        except DAMAGE as error:
            raise self._error("written", error) from error

    def facts(self) -> dict[str, str]:
        """What was noted.

        Raises:
            JournalError: the file is damaged.
        """
        try:
            rows = self._base.execute("SELECT name, value FROM facts").fetchall()
        except DAMAGE as error:
            raise self._error("read", error) from error
        return {str(name): str(value) for name, value in rows}

    def close(self) -> None:
        """Close the file; whatever was appended stays."""
        with suppress(sqlite3.Error):
            self._base.close()

    def _prepare(self) -> None:
        try:
            self._base.execute("PRAGMA secure_delete = ON")
            self._base.execute("PRAGMA journal_mode = WAL")
            (found,) = self._base.execute("PRAGMA user_version").fetchone()
            if found == 0:
                for statement in _SCHEMA.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA user_version = {FORMAT}")
            elif found != FORMAT:
                raise JournalError(
                    f"The journal {self._where} is of another version of p2p-hearts ({found}, not {FORMAT})."
                )
        except DAMAGE as error:
            raise self._error("opened", error) from error

    def _error(self, what: str, error: OSError | sqlite3.Error | UnicodeDecodeError) -> JournalError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        reason = "it is damaged" if isinstance(error, UnicodeDecodeError) else reason
        return JournalError(f"The journal {self._where} cannot be {what}: {reason}.")
