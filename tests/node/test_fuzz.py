"""Whatever bytes come from the network or lie on the disk, the doors of the node answer with a value or an error of theirs."""

import contextlib
import itertools
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.signature import make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.adverts import Advert, AdvertError, decode_txt, encode_txt
from p2p_hearts.node.hello import HelloError, IdentityCard, answer_question, encode_question, read_answer
from p2p_hearts.node.history import History, HistoryError
from p2p_hearts.node.journal import FORMAT, Journal, JournalError
from p2p_hearts.node.transport.paths import MAX_FRAME, Probe, decode_message
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.names import fit
from p2p_hearts.protocol.output import Record

KEY = make_signing_key(seeded(b"fuzz"))
CARD = IdentityCard(bytes(32), KEY.public, bytes(range(32)), "Ann")
VERSION, NONCE = "p2p-hearts/1/ristretto255", bytes(32)
QUESTION = encode_question(VERSION, NONCE)
ANSWER = answer_question(QUESTION, VERSION, CARD, KEY) or b""
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=70) | st.text(max_size=40)
FILES = itertools.count()


Edits = list[tuple[int, int, bytes]]  # where, how much is cut out there, and what is put in its place
EDITS = st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 3), st.binary(max_size=3)), min_size=1, max_size=4)


def spoil(good: bytes, edits: Edits) -> bytes:
    """Good bytes of which some were changed, left out or put in."""
    data = bytearray(good)
    for place, cut, new in edits:
        at = place % (len(data) + 1)
        data[at : at + cut] = new
    return bytes(data)


def spoiled(good: bytes) -> st.SearchStrategy[bytes]:
    """The same, drawn."""
    return EDITS.map(lambda edits: spoil(good, edits))


@given(st.binary(max_size=600) | spoiled(QUESTION))
def test_any_question(question: bytes) -> None:
    """A hello question is answered with at most 512 bytes, or not at all."""
    answer = answer_question(question, VERSION, CARD, KEY)
    assert answer is None or len(answer) <= 512


@given(st.binary(max_size=600) | spoiled(ANSWER))
def test_any_answer(answer: bytes) -> None:
    """A hello answer is a card or a HelloError, whose words can be shown; a spoiled one is never another card."""
    said = ""
    try:
        card = read_answer(answer, VERSION, NONCE)
    except HelloError as error:
        card, said = CARD, str(error)
    assert card == CARD
    assert said.isprintable()


@given(st.lists(LEAVES, max_size=7), st.integers(0, 6))
def test_any_signed_answer(fields: list[object], kept: int) -> None:
    """What somebody has signed himself is a card that can be shown, or a HelloError."""
    good = [VERSION, CARD.table, CARD.identity, CARD.link, CARD.name]
    content = (*good[:kept], *fields)
    answer = pack((*content, sign(KEY, b"hello", pack((*content, NONCE)))))
    with contextlib.suppress(HelloError):
        card = read_answer(answer, VERSION, NONCE)
        assert card.identity == KEY.public
        assert not card.name or fit(card.name)


TXT = encode_txt(Advert(VERSION, "0" * 32, "f" * 32, "Tuesday", "Ann", 8, 3, "lobby", "as_written", "0123abcd"))


@given(
    st.dictionaries(
        st.sampled_from([key.encode() for key in TXT]) | st.binary(max_size=9), st.none() | st.binary(max_size=255)
    )
)
def test_any_advert(fields: dict[bytes, bytes | None]) -> None:
    """TXT fields are an advert whose names can be shown, or an AdvertError."""
    good: dict[bytes, bytes | None] = {key.encode(): value.encode() for key, value in TXT.items()}
    with contextlib.suppress(AdvertError):
        advert = decode_txt({**good, **fields})
        assert fit(advert.name)
        assert fit(advert.host)
        assert 0 <= advert.taken <= advert.seats <= 11


@given(st.binary(max_size=40) | st.integers(MAX_FRAME, MAX_FRAME + 3).map(bytes).map(b"\x01".__add__))
def test_any_message(message: bytes) -> None:
    """A message of the mesh is a probe, a frame of at most 64 KiB, or nothing."""
    content = decode_message(message)
    assert content is None or isinstance(content, Probe) or len(content) <= MAX_FRAME


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good journal."""
    path = tmp_path_factory.mktemp("good") / "t"
    journal = Journal(path)
    journal.append([Record(b"a" * 32, b"r" * 8, seq, b"frame", own=True, secret=b"s", hand=1) for seq in range(9)])
    journal.forget([])
    journal.close()
    return path


@given(edits=EDITS)
def test_any_journal(edits: Edits, good: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A journal of which bytes were changed can be read, or is refused in words; nothing else comes of it."""
    path = tmp_path_factory.getbasetemp() / f"journal-{next(FILES)}"
    path.write_bytes(spoil(good.read_bytes(), edits))
    with contextlib.suppress(JournalError):
        journal = Journal(path)
        try:
            for record in journal.records():
                assert (type(record.author), type(record.seq), type(record.frame)) == (bytes, int, bytes)
            journal.append([Record(b"b" * 32, b"r" * 8, 0, b"frame", own=True)])
            journal.forget([1])
        finally:
            journal.close()


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE entries (author)",
        "CREATE TABLE games (id)",
        "CREATE VIEW entries AS SELECT 1 author, 2 incarnation, 3 seq, 4 frame, 5 own, 6 secret, 7 hand, 8 position",
    ],
)
def test_a_journal_of_another_kind(tmp_path: Path, schema: str) -> None:
    """A database that is something else, though it calls itself a journal, is refused in words when it is used."""
    with contextlib.closing(sqlite3.connect(tmp_path / "t")) as base:
        base.executescript(f"{schema}; PRAGMA user_version = {FORMAT};")
    with contextlib.suppress(JournalError):
        journal = Journal(tmp_path / "t")
        with pytest.raises(JournalError):
            list(journal.records())
        with pytest.raises(JournalError):
            journal.append([Record(b"a" * 32, b"r" * 8, 0, b"frame", own=True)])
        journal.close()


@given(edits=EDITS)
def test_any_history(edits: Edits, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A damaged list of people met is refused in words, or knows somebody, or nobody."""
    path = tmp_path_factory.getbasetemp() / f"history-{next(FILES)}"
    History(path).close()
    path.write_bytes(spoil(path.read_bytes(), edits))
    with contextlib.suppress(HistoryError):
        history = History(path)
        history.met(b"a" * 32)
        history.namesake(b"b" * 32, "Ann")
        history.close()
