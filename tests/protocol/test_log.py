"""The chain of an author: in order, without holes, kept once held; two versions of one entry are evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.envelope import NO_ENTRY, Author, Entry, seal
from p2p_hearts.protocol.log import MAX_EARLY, MAX_FORKS, MAX_HAND, MAX_HAND_BYTES, Arrival, Logs
from p2p_hearts.protocol.messages import CommitKeys, Mix, Propose

KEY = make_signing_key(seeded(b"log"))
AUTHOR = Author(KEY.public, b"incarn 1")


def chain(length: int, *, mark: int = 0, author: Author = AUTHOR, after: tuple[Entry, ...] = ()) -> tuple[Entry, ...]:
    """So many entries, each naming the one before; `mark` makes them another branch."""
    entries = list(after)
    while len(entries) < length:
        prev = entries[-1].hash if entries else NO_ENTRY
        entries.append(seal(KEY, "v", bytes(32), author, len(entries), prev, Propose(mark, bytes(32))))
    return tuple(entries)


FIVE = chain(5)


@given(st.permutations(range(5)))
def test_any_order(order: list[int]) -> None:
    """Entries may come in any order; they count in theirs, each once."""
    logs = Logs()
    grown = [entry for place in order for entry in logs.add(FIVE[place])[1]]
    assert tuple(grown) == tuple(logs.log(AUTHOR).entries) == FIVE
    assert not logs.log(AUTHOR).early
    assert not logs.forks


def test_what_became_of_it() -> None:
    """An entry is new, known, or early."""
    logs = Logs()
    assert logs.add(FIVE[0]) == (Arrival.NEW, (FIVE[0],))
    assert logs.add(FIVE[0]) == (Arrival.KNOWN, ())
    assert logs.add(FIVE[2]) == (Arrival.EARLY, ())
    assert logs.add(FIVE[2]) == (Arrival.KNOWN, ())
    assert logs.length(AUTHOR) == 1
    assert logs.add(FIVE[1]) == (Arrival.NEW, FIVE[1:3])
    assert logs.length(AUTHOR) == 3
    assert logs.length(Author(KEY.public, b"incarn 2")) == 0


def test_early_entries_are_bounded() -> None:
    """No author can make us hold more than so many entries that do not fit yet; the chain still grows when they come."""
    entries = chain(MAX_EARLY + 10)
    logs = Logs()
    for entry in reversed(entries[1:]):
        logs.add(entry)
    assert len(logs.log(AUTHOR).early) == MAX_EARLY == 256
    for entry in entries:
        logs.add(entry)
    assert tuple(logs.log(AUTHOR).entries) == entries


@pytest.mark.parametrize("held", [1, 3, 5])
def test_a_fork_is_kept_as_evidence(held: int) -> None:
    """A second entry with a number that we hold changes nothing and is kept beside the first, whether that was in its
    place or early."""
    for entries in (FIVE[:held], FIVE[held - 1 : held]):
        logs = Logs()
        for entry in entries:
            logs.add(entry)
        before = list(logs.log(AUTHOR).entries)
        other = chain(held, mark=1, after=FIVE[: held - 1])[-1]
        assert logs.add(other) == (Arrival.FORK, ())
        assert logs.forks == [(FIVE[held - 1], other)]
        assert logs.log(AUTHOR).entries == before


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_wrong_predecessor_is_evidence(place: int) -> None:
    """An entry that names another predecessor than its author's own is kept as evidence and never counts."""
    logs = Logs()
    for entry in FIVE[:place]:
        logs.add(entry)
    wrong = seal(KEY, "v", bytes(32), AUTHOR, place, bytes(31) + b"\x01", Propose(0, bytes(32)))
    assert logs.add(wrong)[0] is Arrival.FORK
    assert logs.forks == [(FIVE[place - 1] if place else wrong, wrong)]
    assert logs.length(AUTHOR) == place


def test_evidence_is_bounded() -> None:
    """Of an author that forks without end the last 64 pairs are kept."""
    logs = Logs()
    logs.add(FIVE[0])
    others = [chain(1, mark=mark)[0] for mark in range(1, 71)]
    for other in others:
        logs.add(other)
    assert logs.forks == [(FIVE[0], other) for other in others[-MAX_FORKS:]]
    assert MAX_FORKS == len(logs.forks) == 64


def test_an_entry_too_many_is_evidence() -> None:
    """The entry with which a log holds more of one hand than a hand can have is kept as evidence and never counts."""
    logs, entries = Logs(), list[Entry]()
    for seq in range(MAX_HAND + 1):
        prev = entries[-1].hash if entries else NO_ENTRY
        entries.append(seal(KEY, "v", bytes(32), AUTHOR, seq, prev, CommitKeys(1, 0, bytes(32), bytes(32))))
    assert [logs.add(entry)[0] for entry in entries] == [Arrival.NEW] * 1_024 + [Arrival.SURPLUS]
    assert logs.forks == [(entries[-1], entries[-1])]
    assert tuple(logs.since(AUTHOR, 0)) == tuple(entries[:1_024])


def test_an_early_entry_with_a_wrong_predecessor() -> None:
    """What came early is checked when its place in the chain is reached; what fits before it counts."""
    logs = Logs()
    branch = chain(5, mark=1)
    logs.add(branch[2])
    logs.add(FIVE[0])
    arrival, grown = logs.add(FIVE[1])
    assert (arrival, grown) == (Arrival.FORK, (FIVE[1],))
    assert logs.forks == [(FIVE[1], branch[2])]


def test_incarnations_are_separate() -> None:
    """The logs of two incarnations of one identity are two logs, and no fork."""
    logs = Logs()
    again = Author(KEY.public, b"incarn 2")
    other = chain(2, mark=1, author=again)
    for entry in (*FIVE, *other):
        assert logs.add(entry)[0] is Arrival.NEW
    assert not logs.forks
    heads = {(head.incarnation, head.seq, head.mark) for head in logs.have()}
    assert heads == {(b"incarn 1", 4, FIVE[4].hash[:16]), (b"incarn 2", 1, other[1].hash[:16])}


def test_have_and_since() -> None:
    """The have vector names the last entry of every log that has one; what follows any number can be had."""
    logs = Logs()
    logs.log(Author(bytes(32), bytes(8)))
    for entry in FIVE:
        logs.add(entry)
    (head,) = logs.have()
    assert (head.author, head.seq, head.mark) == (KEY.public, 4, FIVE[4].hash[:16])
    assert tuple(logs.since(AUTHOR, 3)) == FIVE[3:]
    assert tuple(logs.since(AUTHOR, 9)) == tuple(logs.since(Author(bytes(32), bytes(8)), 0)) == ()
    assert tuple(logs.since(Author(bytes(32), bytes(7)), 0)) == ()
    assert logs.bytes_from(AUTHOR, 3) == len(FIVE[3].frame) + len(FIVE[4].frame)
    assert logs.bytes_from(Author(bytes(32), bytes(7)), 0) == 0


def test_bounds_in_bytes_may_be_reached() -> None:
    """Of what comes early 64 frames of 16 KiB are held, of one hand as many as the bound divides into; not one more."""
    entries: list[Entry] = []
    for seq in range(MAX_HAND_BYTES // 16_384 + 1):
        prev = entries[-1].hash if entries else NO_ENTRY
        room = 16_384 - len(seal(KEY, "v", bytes(32), AUTHOR, seq, prev, Mix(1, 0, bytes(16), bytes(6_000), b"")).frame)
        body = Mix(1, 0, bytes(16), bytes(6_000), bytes(room - 1))  # a length of two bytes in place of one
        entries.append(seal(KEY, "v", bytes(32), AUTHOR, seq, prev, body))
    assert {len(entry.frame) for entry in entries} == {16_384}
    logs = Logs()
    assert {logs.add(entry)[0] for entry in entries[1:]} == {Arrival.EARLY}
    assert list(logs.log(AUTHOR).early) == list(range(1, 65))
    logs = Logs()
    assert [logs.add(entry)[0] for entry in entries] == [Arrival.NEW] * (len(entries) - 1) + [Arrival.SURPLUS]
