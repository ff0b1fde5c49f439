"""Whom the person has played with: kept by key, told with the day."""

import datetime as dt
import sqlite3
from pathlib import Path

import pytest

from p2p_hearts.node.history import Acquaintance, History, HistoryError, day_words, met_words

DACE, EVE, NEW = b"d" * 32, b"e" * 32, b"n" * 32
MAY, JUNE, NEXT = dt.date(2026, 5, 3), dt.date(2026, 6, 30), dt.date(2027, 1, 1)


def test_people_are_known_by_their_key(tmp_path: Path) -> None:
    """Names, first and last day and the number of games are kept; the name of the last time is the one told."""
    history = History(tmp_path / "history.sqlite")
    history.record(b"1" * 32, {DACE: "Dace", EVE: "Eve"}, MAY)
    history.record(b"2" * 32, {DACE: "Dace Q"}, JUNE)
    history.close()
    history = History(tmp_path / "history.sqlite")
    assert history.met(DACE) == Acquaintance("Dace Q", MAY, JUNE, 2)
    assert history.met(EVE) == Acquaintance("Eve", MAY, MAY, 1)
    assert history.met(NEW) is None
    history.close()


def test_a_game_counts_once() -> None:
    """The same game told twice changes nothing."""
    history = History(None)
    history.record(b"1" * 32, {DACE: "Dace"}, MAY)
    history.record(b"1" * 32, {DACE: "Dace"}, JUNE)
    assert history.met(DACE) == Acquaintance("Dace", MAY, MAY, 1)
    history.close()


def test_a_known_name_with_another_key_is_said() -> None:
    """FE3: somebody new under a name that another key has gone by is said not to be that one; capitals do not matter."""
    history = History(None)
    history.record(b"1" * 32, {DACE: "Dace"}, MAY)
    history.record(b"2" * 32, {DACE: "Someone"}, JUNE)
    assert history.namesake(NEW, "d ace") == Acquaintance("Someone", MAY, JUNE, 2)
    assert history.namesake(DACE, "Dace") is None
    assert history.namesake(NEW, "Nora") is None
    history.close()


def test_sentences() -> None:
    """“you played with Dace on 3 May”, with the year if it was another one; or that there was no game yet."""
    dace = Acquaintance("Dace", MAY, MAY, 1)
    assert met_words(dace, None, JUNE) == "you played with Dace on 3 May"
    assert met_words(dace, None, NEXT) == "you played with Dace on 3 May 2026"
    assert met_words(None, None, JUNE) == "you have never played together"
    assert met_words(None, dace, JUNE) == ("you have never played together, not the Dace you played with on 3 May")
    assert [day_words(dt.date(2026, month, 1), MAY).split()[1] for month in (1, 12)] == ["January", "December"]


def test_the_file_is_private(tmp_path: Path) -> None:
    """Only its owner may read whom somebody has played with."""
    path = tmp_path / "history.sqlite"
    History(path).close()
    assert path.stat().st_mode & 0o077 == 0


def test_what_is_no_history_is_said(tmp_path: Path) -> None:
    """A damaged file, one of a later version, or a folder in its place is a sentence, not the end of the program."""
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(HistoryError, match="cannot be looked up"):
        History(path)
    path.unlink()
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(HistoryError, match="another version"):
        History(path)
    with pytest.raises(HistoryError, match="cannot be looked up"):
        History(tmp_path)


def test_a_damaged_row_knows_nobody(tmp_path: Path) -> None:
    """A day that is none does not stop a table; a disk that cannot be written is a sentence."""
    history = History(tmp_path / "history.sqlite")
    history.record(b"1" * 32, {DACE: "Dace"}, MAY)
    other = sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)
    other.execute("UPDATE people SET last = 'yesterday'")
    assert history.met(DACE) is None
    for set_name in (
        "UPDATE names SET name = x'44616365'",
        "UPDATE names SET name = CAST(x'446163ff65' AS TEXT)",  # no UTF-8
        "UPDATE names SET name = 7",
    ):
        other.execute(set_name)
        assert history.namesake(NEW, "Dace") is None
    other.execute("DROP TABLE names")
    other.close()
    assert history.namesake(NEW, "Dace") is None
    with pytest.raises(HistoryError, match="cannot be remembered"):
        history.record(b"2" * 32, {EVE: "Eve"}, MAY)
    assert history.met(EVE) is None
    history.close()
