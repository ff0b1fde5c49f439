"""Files of finished games, honest and forged, for the tests of what checks them.

A forger here is one of the players: it signs other entries than it played, with its own key and in an unbroken chain, and
puts the file together anew, hash and all. What is wrong with such a file only its content can tell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from p2p_hearts.crypto.group import Group
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.envelope import Author, Entry, open_entry, seal
from p2p_hearts.protocol.export import FORMAT, MAGIC, SUM_BYTES, encode_game, summed
from p2p_hearts.protocol.messages import Body
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World

HEADER_AT = len(MAGIC) + 2


@cache
def played(peers: int, seats: int, hands: int = 1, group: Group = TINY, seed: int = 4) -> World:
    """A table of bots that has come to its end; every test sees the same one and changes nothing of it."""
    world = World(Plan(peers, seats, hands, seed, group))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Own, "spend", lambda own: own)  # a forger keeps its keys
        world.run()
    return world


def exported(world: World, peer: int = 0) -> bytes:
    """The file that a peer of this table writes."""
    data = world.sessions[peer].export()
    assert data is not None
    return data


def entries_of(world: World) -> list[Entry]:
    """The entries of that file, in their order."""
    session = world.sessions[0]
    return [open_entry(frame, session.version) for frame in frames_of(exported(world))]


def frames_of(data: bytes) -> list[bytes]:
    """The entries of a file as bytes."""
    return [data[start : start + size] for start, size in places_of(data)[1:]]


def places_of(data: bytes) -> list[tuple[int, int]]:
    """Where the header and each entry begin, and how long they are."""
    places, at = [], HEADER_AT
    while at < len(data) - SUM_BYTES:
        size = int.from_bytes(data[at : at + 4], "big")
        places.append((at + 4, size))
        at += 4 + size
    return places


def put_together(world: World, entries: Sequence[Entry]) -> bytes:
    """A file of other entries, with a right header and hash."""
    session = world.sessions[0]
    assert session.table.game is not None
    return encode_game(session.version, session.table.game, entries)


def with_header(data: bytes, change: Callable[[list[object]], None]) -> bytes:
    """The file with another header, and a right hash."""
    start, size = places_of(data)[0]
    fields = list(unpack(data[start : start + size]))
    change(fields)
    header = pack(tuple(fields))
    head = MAGIC + FORMAT.to_bytes(2, "big") + len(header).to_bytes(4, "big") + header
    return summed(head + data[start + size : -SUM_BYTES])


def forged(world: World, at: int, body: Body | None) -> bytes:
    """The file in which the author of entry `at` has signed another body, or nothing, and all that follows anew."""
    entries = entries_of(world)
    old = entries[at]
    return put_together(world, list(_resealed(world, entries, old.author, at, body)))


def signed_on(world: World, entries: Sequence[Entry], author: Author, bodies: Sequence[Body]) -> list[Entry]:
    """The entries, and more of one author behind them."""
    session, more = session_of(world, author), list(entries)
    assert session.table.game is not None
    for body in bodies:
        last = next(entry for entry in reversed(more) if entry.author == author)
        table = session.table.game.table
        more.append(seal(session.me.key, session.version, table, author, last.seq + 1, last.hash, body))
    return more


def session_of(world: World, author: Author) -> Session:
    """The peer that writes a log."""
    return next(session for session in world.sessions if session.author == author)


def _resealed(world: World, entries: Iterable[Entry], author: Author, at: int, body: Body | None) -> Iterable[Entry]:
    session = session_of(world, author)
    seq, prev = 0, bytes(32)
    for place, entry in enumerate(entries):
        if entry.author != author:
            yield entry
            continue
        if place == at and body is None:
            continue
        if place >= at:
            new = body if place == at and body is not None else entry.body
            entry = seal(session.me.key, session.version, entry.table, author, seq, prev, new)  # noqa: PLW2901
        yield entry
        seq, prev = entry.seq + 1, entry.hash


def nudged(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit turned."""
    place = at % len(data)
    return data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :]


def swapped(entries: list[Entry], one: int, other: int) -> list[Entry]:
    """The list with two of its items in each other's place."""
    after = list(entries)
    after[one], after[other] = after[other], after[one]
    return after


def first(entries: Sequence[Entry], kind: type, skip: int = 0) -> int:
    """The place of an entry with a body of this kind."""
    return [place for place, entry in enumerate(entries) if isinstance(entry.body, kind)][skip]


def changed(entry: Entry, **fields: object) -> Body:
    """The body of an entry with other fields."""
    body: Body = replace(entry.body, **fields)  # type: ignore[arg-type]  # every test names fields that are there
    return body
