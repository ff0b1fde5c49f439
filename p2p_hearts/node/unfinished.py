"""The games that were not played to their end, as their journals tell: what the lobby offers to go on with.

The law: a journal is listed by the few facts that its node has noted in it, never by reading the game; one that cannot be
read is left out, and stays where it is."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p2p_hearts.node.journal import Journal, JournalError
from p2p_hearts.protocol.state import Table

MAX_LISTED = 20  # the latest; nobody goes on with older ones
PLAYING, DONE = "playing", "done"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game to go on with: its journal, and what a person remembers it by."""

    path: Path
    title: str
    hand: int
    people: tuple[str, ...]  # the others, by name
    last: dt.datetime  # when it was played


def note_progress(book: Journal, table: Table, me: bytes, *, left: bool, now: dt.datetime) -> None:
    """Notes how far a game has come.

    Raises JournalError.
    """
    game = table.game
    if game is None:
        return
    book.note(
        state=DONE if table.over or left else PLAYING,
        title=game.title,
        hand=str(table.number),
        people="\n".join(peer.name for peer in game.peers if peer.identity != me),
        last=now.isoformat(timespec="seconds"),
    )


def unfinished_games(tables: Path | None) -> tuple[Unfinished, ...]:
    """The games in a folder of journals, the latest first."""
    if tables is None:
        return ()
    try:
        paths = sorted(tables.glob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return ()
    return tuple(_readable(paths[:MAX_LISTED]))


def _readable(paths: list[Path]) -> Iterator[Unfinished]:
    for path in paths:
        try:
            book = Journal(path)
        except JournalError:
            continue
        try:
            facts = book.facts()
            if facts.get("state") == PLAYING:
                people = tuple(name for name in facts["people"].split("\n") if name)
                last = dt.datetime.fromisoformat(facts["last"])
                yield Unfinished(path, facts["title"], int(facts["hand"]), people, last)
        except (JournalError, KeyError, ValueError):
            continue
        finally:
            book.close()
