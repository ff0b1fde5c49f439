"""From the logs to the table, and back: entries in any order, a log that stops, a hand that is gone through again without what
does not count, and one in which nothing is waited for any more."""

from dataclasses import replace
from functools import cache

import pytest

from p2p_hearts.protocol.envelope import Author, Entry, seal
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.ledger import Ledger
from p2p_hearts.protocol.messages import CommitKeys, Head, Kind, Mix, PlayCard, Remix
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.state import NO_MARK, Table
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.hall import Hall, play, seated


@cache
def table() -> Hall:
    """Three people and three bots, in the middle of the play; nobody changes it."""
    hall = seated(3, bots=3)

    def enough() -> bool:
        deal = hall.sessions["Ann"].table.deal
        return deal is not None and deal.hand is not None and deal.hand.trick > 3

    play(hall, enough)
    hall.level = None
    hall._queue.clear()
    return hall


def entries_of(label: str) -> list[Entry]:
    """The log of a program as Ann holds it."""
    ann = table().sessions["Ann"]
    return ann.logs.log(table().sessions[label].author).entries


def always(_table: Table, _entry: Entry) -> bool:
    """Nothing is held back."""
    return True


def filled(
    *, without: frozenset[tuple[bytes, int]] = frozenset(), order: tuple[str, ...] = ("Ann", "Bob", "Cem")
) -> Ledger:
    """A ledger with these logs in it, applied, whose proofs are all taken for checked."""
    ledger = Ledger(TINY, table().sessions["Ann"].version)
    for label in order:
        for entry in entries_of(label):
            if (entry.author.identity, entry.seq) in without:
                break
            ledger.logs.add(entry)
            ledger.trust(entry)
    list(ledger.run(always))
    return ledger


def author_of(label: str) -> Author:
    """Who writes a program's log."""
    return table().sessions[label].author


def first(label: str, kind: Kind) -> Entry:
    """The first entry of a kind in a program's log."""
    return next(entry for entry in entries_of(label) if entry.kind is kind)


def same(one: Table, other: Table) -> bool:
    """Whether two tables agree on the hand: what was played, by whom, and in which state it is."""
    assert one.deal is not None
    assert other.deal is not None
    return (one.deal.digest, one.deal.hand, one.deal.rows) == (other.deal.digest, other.deal.hand, other.deal.rows)


@pytest.mark.parametrize("order", [("Ann", "Bob", "Cem"), ("Cem", "Bob", "Ann"), ("Bob", "Ann", "Cem")])
def test_any_order_of_logs(order: tuple[str, ...]) -> None:
    """Whichever log is read first, the table is the same."""
    assert same(filled(order=order).table, filled().table)


def test_what_is_held() -> None:
    """An entry is held once it and all before it have been applied; another one with its number is not, nor a later one."""
    ledger = filled()
    entry = first("Bob", Kind.MIX)
    bob = author_of("Bob")
    named = Head(bob.identity, bob.incarnation, entry.seq, entry.hash[:16])
    assert ledger.holds(named)
    assert not ledger.holds(replace(named, mark=b"another mark...."))
    assert not ledger.holds(replace(named, seq=10_000))
    assert ledger.holds(Head(bob.identity, bob.incarnation, 0, NO_MARK))  # nothing at all is held by everybody


def test_a_log_that_stops() -> None:
    """From the entry on at which a log is stopped nothing of it counts; an earlier stop stays."""
    ledger = Ledger(TINY, table().sessions["Ann"].version)
    mix = first("Bob", Kind.MIX)
    ledger.stop(author_of("Bob"), mix.seq)
    ledger.stop(author_of("Bob"), mix.seq + 5)
    for label in ("Ann", "Bob", "Cem"):
        for entry in entries_of(label):
            ledger.logs.add(entry)
    list(ledger.run(always))
    assert ledger.applied(author_of("Bob")) == mix.seq
    assert ledger.table.deal is not None
    assert len(ledger.table.deal.decks) <= 2


def test_gone_through_again() -> None:
    """After a rewind the same entries lead to the same table."""
    ledger = filled()
    before = ledger.table
    accepted = [entry.hash for entry in ledger.logs.accepted]
    ledger.rewind()
    assert ledger.table.deal is not None
    assert ledger.table.deal.sent == {}
    list(ledger.run(always))
    assert same(ledger.table, before)
    assert sorted(entry.hash for entry in ledger.logs.accepted) == sorted(accepted)


def test_without_what_is_beyond_a_limit() -> None:
    """Gone through again, entries of a peer above its horizon have no effect; they stay in its log."""
    ledger = filled()
    plays = [entry for entry in entries_of("Bob") if entry.kind is Kind.PLAY]
    limit = plays[0].seq
    limits = {(1, 0, author_of("Bob").identity): limit}
    ledger.table = replace(ledger.table, limits=limits, overrun=True)
    ledger.rewind()
    assert ledger.table.limits == limits
    assert not ledger.table.overrun
    list(ledger.run(always))
    assert ledger.table.deal is not None
    operated = ledger.table.deal.seats_of(author_of("Bob").identity)
    laid = sum(len(ledger.table.deal.laid[seat]) for seat in operated)
    assert laid == 1  # its first play counts, and no other
    assert ledger.applied(author_of("Bob")) == len(entries_of("Bob"))


def test_a_proof_that_does_not_hold() -> None:
    """An entry whose proof is found false once cards were dealt is the author's fault, and when the hand is gone through again
    nothing of it from there on counts."""
    ledger = filled()
    remix = first("Cem", Kind.REMIX)
    fault = ledger.check_done(remix, "no proof")
    assert fault is not None
    assert (fault.peer, fault.code) == (author_of("Cem").identity, Fault.BAD_MIX)
    ledger.rewind()
    list(ledger.run(always))
    assert ledger.table.deal is not None
    assert author_of("Cem").identity not in ledger.table.deal.done(Kind.REMIX)
    assert ledger.table.deal.hand is None
    assert isinstance(remix.body, Remix)


def test_a_proof_is_asked_for_once() -> None:
    """However often a hand is gone through, each proof is checked once."""
    ledger = Ledger(TINY, table().sessions["Ann"].version)
    for label in ("Ann", "Bob", "Cem"):
        for entry in entries_of(label):
            ledger.logs.add(entry)
    asked = [step.entry.hash for step in ledger.run(always) if step.todo]
    ledger.rewind()
    again = [step.entry.hash for step in ledger.run(always) if step.todo]
    assert len(asked) == len(set(asked)) > 0
    assert not set(asked) & set(again)


def forged(label: str, seq: int, kind: type) -> Session:
    """The session whose log is signed anew from an entry on."""
    assert isinstance(entries_of(label)[seq].body, kind)
    return table().sessions[label]


def test_a_mismatch_is_nobodys_fault_by_itself() -> None:
    """A play on other cards waits; who may hold other entries than we is only a suspect."""
    plays = [entry for entry in entries_of("Bob") if isinstance(entry.body, PlayCard)]
    old = plays[-1]
    session = forged("Bob", old.seq, PlayCard)
    assert isinstance(old.body, PlayCard)
    body = replace(old.body, digest=b"other cards.....")
    other = seal(session.me.key, session.version, old.table, old.author, old.seq, old.prev, body)
    ledger = filled(without=frozenset({(old.author.identity, old.seq)}))
    ledger.logs.add(other)
    steps = list(ledger.run(always))
    assert steps == []
    assert [(author, error.code) for author, error in ledger.suspects.items()] == [(old.author, Fault.WRONG_HEADS)]


def test_a_spoilt_hand() -> None:
    """In a hand that a fork has spoilt what cannot count is passed over, so that the votes behind it can be read; in any other
    hand, and of any other attempt, it waits."""
    mix = first("Cem", Kind.MIX)
    session = forged("Cem", mix.seq, Mix)
    ledger = filled(without=frozenset({(mix.author.identity, mix.seq)}))
    assert isinstance(mix.body, Mix)
    other = seal(
        session.me.key,
        session.version,
        mix.table,
        mix.author,
        mix.seq,
        mix.prev,
        replace(mix.body, before=b"another mix....."),
    )
    ledger.logs.add(other)
    assert list(ledger.run(always)) == []
    ledger.spoilt = (1, 7)
    assert list(ledger.run(always)) == []
    ledger.spoilt = (1, 0)
    steps = [step.entry.hash for step in ledger.run(always)]
    assert other.hash in steps
    assert ledger.applied(mix.author) == mix.seq + 1
    assert ledger.table.deal is not None
    assert mix.author.identity not in ledger.table.deal.done(Kind.MIX)
    later = CommitKeys(9, 0, bytes(32), bytes(32))
    far = seal(session.me.key, session.version, mix.table, mix.author, mix.seq + 1, other.hash, later)
    ledger.logs.add(far)
    assert list(ledger.run(always)) == []
