"""Secrets are gone when they are not needed any more: from memory, from the database and its log; and they are never shown.

A game is played on the disk, and after every step the raw bytes of all files are searched for the hand keys: of a hand that
is decided there must be nothing left, of the current one there must be (else the search would find nothing anywhere)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.keys import make_key
from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.journal import Journal
from p2p_hearts.node.node import Node, Pilot
from p2p_hearts.node.transport.sockets import make_curve_keys, run
from p2p_hearts.protocol.hosting import Nonce
from p2p_hearts.protocol.inputs import Job, Leave
from p2p_hearts.protocol.output import Identity, Output, Record, Setup
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session, host_table
from p2p_hearts.simulation.world import Plan, World

ANN = Identity(make_signing_key(seeded(b"a" * 32)), "Ann", b"A" * 32)
HANDS = 3


def key_bytes(own: Own) -> bytes:
    """A hand key as it stands in the journal."""
    return own.key.secret.to_bytes(32, "little")


def where(folder: Path, secret: bytes) -> list[str]:
    """The files that hold these bytes."""
    return sorted(path.name for path in folder.iterdir() if secret in path.read_bytes())


def test_hand_keys_leave_the_disk(tmp_path: Path) -> None:
    """Of three hands on the disk each key is there while the hand lasts and nowhere after it, nor is what belongs to it."""
    keys: dict[int, bytes] = {}
    seen: set[int] = set()
    secrets: dict[int, set[bytes]] = {}

    def look(node: Node) -> None:
        session = node.session
        for (number, _), own in session.hands.own.items():
            if not own.spent and session.logs.length(session.author):
                keys.setdefault(number, key_bytes(own))
        for record in book.records():
            if record.secret is not None:
                secrets.setdefault(record.hand, set()).add(record.secret)
        for number, key in keys.items():
            deal = session.table.deals.get(number)
            files = where(tmp_path, key)
            if deal is None or deal.ended:
                assert files == [], number
                assert all(own.spent for (hand, _), own in session.hands.own.items() if hand == number)
            else:
                seen.add(number)
                assert files

    book = Journal(tmp_path / "table.sqlite")

    async def main() -> None:
        setup = Setup("Alone", 6, ("uniform",) * 5, hands=HANDS)
        session, output = host_table(setup, ANN, seeded(b"e"), asyncio.get_running_loop().time())
        node = Node(session, None, book, Pilot("uniform"), start_at=6, changed=look)
        node.start(output)
        await asyncio.wait_for(node.done.wait(), 60.0)
        assert session.table.over
        assert [record.secret for record in book.records() if record.secret is not None] == []
        assert session._nonce is None
        assert not session._tasks
        await node.close()

    run(main())
    assert seen == set(range(1, HANDS + 1))
    assert secrets.keys() >= set(range(1, HANDS + 1))
    for key in keys.values():
        assert where(tmp_path, key) == []


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A table of three peers, each with a journal on the disk that is told whatever a driver would tell it."""
    books = [Journal(tmp_path / f"{peer}.sqlite") for peer in range(3)]
    carry = World._carry

    def written(world: World, peer: int, output: Output) -> None:
        books[peer].append(output.journal)
        if output.forget:
            books[peer].forget(output.forget)
        carry(world, peer, output)

    monkeypatch.setattr(World, "_carry", written)
    yield World(Plan(3, 6, 1, 5))  # in the real group: in that of the simulation a public key is the secret one
    for book in books:
        book.close()


def in_play(session: Session) -> bool:
    """Whether somebody has laid a card."""
    deal = session.table.deal
    return deal is not None and deal.hand is not None


def test_who_leaves_keeps_nothing(tmp_path: Path, world: World) -> None:
    """Whoever leaves in the middle of a hand has at once no keys left, in memory or on the disk, and nor have the others
    once they have ended the hand without it."""
    keys: set[bytes] = set()

    def tap(_sender: int, _to: int, _frame: bytes) -> None:
        if not keys and all(map(in_play, world.sessions)):
            keys.update(
                key.secret.to_bytes(32, "little")
                for session in world.sessions
                for own in session.hands.own.values()
                for key in (own.key, own.mail)
            )
            assert all(where(tmp_path, key) for key in keys)
            leaver = world.sessions[1]
            gone = [key_bytes(own) for own in leaver.hands.own.values()]
            world._carry(1, leaver.step(Leave(), world.now))
            assert all(own.spent for own in leaver.hands.own.values())
            assert [where(tmp_path, key) for key in gone] == [[]]

    world.tap = tap
    world.run()
    assert len(keys) == 6
    assert [session.problem is None for session in world.sessions] == [True, False, True]
    assert all(session.table.over for session in (world.sessions[0], world.sessions[2]))
    assert {key: files for key in keys if (files := where(tmp_path, key))} == {}
    assert all(own.spent for session in world.sessions for own in session.hands.own.values())


def test_no_export_holds_a_secret(world: World) -> None:
    """The file of a finished game holds no seed and no hand key of anybody."""
    secrets: set[bytes] = {session.me.key.seed for session in world.sessions}

    def tap(_sender: int, _to: int, _frame: bytes) -> None:
        for session in world.sessions:
            secrets.update(
                session.group.encode_scalar(own.key.secret) for own in session.hands.own.values() if not own.spent
            )

    world.tap = tap
    world.run()
    secrets |= {session.me.key.seed for session in world.sessions}
    assert len(secrets) == 6
    for session in world.sessions:
        data = session.export()
        assert data is not None
        assert not any(secret in data for secret in secrets)


def test_no_repr_shows_a_secret(world: World) -> None:
    """What Python shows of a Session, a job, a record or a key, as in a log or a traceback, holds no secret and no card."""
    looked = 0

    def tap(_sender: int, to: int, _frame: bytes) -> None:
        nonlocal looked
        session = world.sessions[to]
        for own in session.hands.own.values():
            if looked < 20 and own.cards and not own.spent:
                looked += 1
                text, key = repr((session, session.me)), own.key.secret
                for number in (key.to_bytes(32, "little"), key.to_bytes(32, "big"), session.me.key.seed):
                    assert not [shown for shown in (str(key), f"{key:x}", repr(number), number.hex()) if shown in text]
                assert not [
                    salt for salt in (own.nonce, own.key_salt, own.pass_salt) if salt and repr(salt) in repr(own)
                ]
                assert repr(next(iter(own.cards.values()))) not in repr(own)

    world.tap = tap
    world.run()
    assert looked == 20
    secret = b"secret bytes of somebody"
    curve = make_curve_keys()
    shown = repr(
        (
            Job(1, 0, bytes, (secret,)),
            Record(b"", b"", 0, b"", own=True, secret=secret),
            Nonce(1, secret, secret),
            curve,
            make_key(RISTRETTO255, lambda size: secret * (size // len(secret)) + secret[: size % len(secret)]),
        )
    )
    assert "secret bytes" not in shown
    assert repr(curve.secret) not in shown
