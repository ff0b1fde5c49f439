"""The journal: what was appended is there after a crash, in order, and a disk that refuses is one sentence."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.node.journal import Journal, JournalError
from p2p_hearts.protocol.output import Record

ANN, BEA, RUN = b"a" * 32, b"b" * 32, b"r" * 8


def record(author: bytes, seq: int, secret: bytes | None = None) -> Record:
    """Entry `seq` of an author; Ann is ourselves."""
    return Record(author, RUN, seq, b"%d of " % seq + author, own=author == ANN, secret=secret)


STORY = [record(ANN, 0, b"s0"), record(BEA, 0), record(ANN, 1), record(BEA, 1), record(ANN, 2, b"s2")]


@pytest.mark.parametrize("name", [None, "table.sqlite"])
def test_entries_read_back_in_order(tmp_path: Path, name: str | None) -> None:
    """All entries and secrets come back in the order of acceptance, from a file and from memory."""
    journal = Journal(None if name is None else tmp_path / name)
    journal.append(STORY[:2])
    journal.append(())
    journal.append(STORY[2:])
    assert list(journal.records()) == STORY
    journal.close()


def test_a_killed_program_loses_nothing(tmp_path: Path) -> None:
    """What was appended is there after kill -9, secrets included."""
    write = (
        "import os, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); sys.path.insert(0, sys.argv[3])\n"
        "from test_journal import STORY; from p2p_hearts.node.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1])); journal.append(STORY[:3]); journal.append(STORY[3:])\n"
        "os.kill(os.getpid(), 9)"
    )
    here = Path(__file__)
    command = [sys.executable, "-c", write, str(tmp_path / "t"), str(here.parent), str(here.parents[2])]
    done = subprocess.run(command, check=False, timeout=20)
    assert done.returncode == -9
    journal = Journal(tmp_path / "t")
    assert list(journal.records()) == STORY
    journal.close()


def test_a_transaction_is_whole_or_nothing(tmp_path: Path) -> None:
    """An own entry with a number that was used before is refused, and with it all that came in the same transaction."""
    journal = Journal(tmp_path / "t")
    journal.append(STORY)
    with pytest.raises(JournalError, match="cannot be written: UNIQUE"):
        journal.append([record(BEA, 2), replace(record(ANN, 2), frame=b"another")])
    assert list(journal.records()) == STORY
    journal.close()


def test_entries_of_others_may_come_again(tmp_path: Path) -> None:
    """After a restart the entries of others that are there already are kept once."""
    journal = Journal(tmp_path / "t")
    journal.append(STORY)
    journal.append([record(BEA, 0), record(BEA, 2)])
    assert list(journal.records()) == [*STORY, record(BEA, 2)]
    journal.close()


def test_own_entries_are_synced(tmp_path: Path) -> None:
    """A commit with an own entry is synced, one of others' entries alone need not be."""
    journal = Journal(tmp_path / "t")
    journal.append([record(BEA, 0)])
    assert journal._base.execute("PRAGMA synchronous").fetchone() == (1,)
    journal.append([record(BEA, 1), record(ANN, 0)])
    assert journal._base.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._base.execute("PRAGMA secure_delete").fetchone() == (1,)
    journal.close()


def test_forgotten_secrets_are_nowhere_on_the_disk(tmp_path: Path) -> None:
    """Secrets of a hand that was forgotten are in none of the files; the entries stay, and the secrets of other hands."""
    old, large, new = (
        b"the key of a hand that is over, which nobody may learn",
        bytes(range(256)) * 40,
        b"the key of another",
    )
    journal = Journal(tmp_path / "t")
    kept = [
        replace(record(ANN, 3 + place), secret=secret, hand=hand)
        for place, (secret, hand) in enumerate([(old, 1), (large, 1), (new, 2)])
    ]
    journal.append([*STORY, *kept])
    raw = [path.read_bytes() for path in tmp_path.iterdir()]
    assert all(any(secret[-40:] in content for content in raw) for secret in (old, large, new))
    journal.forget([1])
    for _ in range(2):
        raw = [path.read_bytes() for path in tmp_path.iterdir()]
        assert not any(part in content for content in raw for part in (old, large[:60], large[-60:]))
        assert any(new in content for content in raw)
        journal.append([record(BEA, 9)])
    assert [r.secret for r in journal.records()] == [b"s0", None, None, None, b"s2", None, None, new, None]
    journal.close()
    assert not any(old in path.read_bytes() for path in tmp_path.iterdir())


def test_a_journal_that_is_read_says_so(tmp_path: Path) -> None:
    """While another program reads the file, what was overwritten stays in the write-ahead log: that is an error in words."""
    journal = Journal(tmp_path / "t")
    journal.append([replace(record(ANN, 0, b"secret"), hand=1)])
    reader = sqlite3.connect(tmp_path / "t", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM entries").fetchone()
    with pytest.raises(JournalError, match=r"is being read, so its secrets cannot be overwritten\.$"):
        journal.forget([1])
    reader.close()
    journal.forget([1])
    journal.close()


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    """When the disk is full, appending says so in one sentence, and what was there stays."""
    journal = Journal(tmp_path / "t")
    journal.append(STORY)
    pages = journal._base.execute("PRAGMA page_count").fetchone()[0]
    journal._base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match=r"^The journal .* cannot be written: database or disk is full\.$"):
        journal.append([replace(record(ANN, 3), frame=bytes(100_000))])
    assert list(journal.records()) == STORY
    journal.close()


def test_a_read_only_journal_is_one_sentence(tmp_path: Path) -> None:
    """A file that cannot be written is one sentence."""
    journal = Journal(tmp_path / "t")
    journal._base.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError, match="cannot be written: attempt to write a readonly database"):
        journal.append(STORY)
    journal.close()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"no database at all, but long enough to be one" * 30, "file is not a database"), (None, "Is a directory")],
)
def test_a_foreign_file_is_one_sentence(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    """A file that is no journal is left alone and named."""
    path = tmp_path / "t"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(JournalError, match=f"cannot be opened: {sentence}"):
        Journal(path)
    assert content is None or path.read_bytes() == content


def test_a_journal_of_another_version_is_one_sentence(tmp_path: Path) -> None:
    """A journal of a later version is not touched."""
    journal = Journal(tmp_path / "t")
    journal._base.execute("PRAGMA user_version = 7")
    journal.close()
    with pytest.raises(JournalError, match=r"is of another version of p2p-hearts \(7, not 3\)"):
        Journal(tmp_path / "t")


def test_a_journal_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """The file of a journal is 0600, whatever the umask."""
    before = os.umask(0)
    try:
        Journal(tmp_path / "t").close()
    finally:
        os.umask(before)
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o600
