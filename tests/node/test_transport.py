"""The mesh on loopback: links that come up, carry frames, break, heal and close."""

import asyncio
import random
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.transport import links, paths
from p2p_hearts.node.transport.door import Door
from p2p_hearts.node.transport.mesh import Arrival, Transport
from p2p_hearts.node.transport.sockets import CurveKeys, TransportError, make_curve_keys, run
from p2p_hearts.protocol.inputs import Linked, Received, Unlinked
from tests.node.wire import wire_to

pytestmark = pytest.mark.network
HERE = "127.0.0.1"
PORT = 48104


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes five times as often as in play, so that silence is noticed within a second."""
    monkeypatch.setattr(paths, "PROBE_INTERVAL_S", 0.2)
    monkeypatch.setattr(paths, "SILENCE_S", 1.0)


@asynccontextmanager
async def program(keys: CurveKeys | None = None, port: int = PORT) -> AsyncIterator[Transport]:
    """An open transport that answers hello with the question turned round."""
    transport = Transport(make_curve_keys() if keys is None else keys)
    transport.open(port, (HERE,), lambda question: question[::-1])
    try:
        yield transport
    finally:
        await transport.close()


async def soon(transport: Transport, patience_s: float = 4.0) -> Arrival:
    """What arrives next, within a few seconds."""
    return await asyncio.wait_for(transport.receive(), patience_s)


async def nothing(transport: Transport, seconds: float) -> bool:
    """Whether nothing arrives for so long."""
    try:
        await asyncio.wait_for(transport.receive(), seconds)
    except TimeoutError:
        return True
    return False


async def link_up(one: Transport, other: Transport, port: int | None = None) -> None:
    """Dial from `one` to `other` and see the link come up at both ends."""
    one.dial(other.keys.public, [Endpoint(HERE, other.port if port is None else port)])
    assert await soon(one) == Linked(other.keys.public)
    assert await soon(other) == Linked(one.keys.public)


def test_frames_go_both_ways_whoever_dialled() -> None:
    """A link is named by the CURVE key of the other program and carries frames both ways over one connection."""

    async def main() -> None:
        async with program() as a, program() as b:
            await link_up(a, b)
            assert a.send(b.keys.public, b"from a")
            assert await soon(b) == Received(a.keys.public, b"from a")
            assert b.send(a.keys.public, b"\x00" * 65536)
            assert await soon(a) == Received(b.keys.public, b"\x00" * 65536)

    run(main())


@pytest.mark.parametrize("count", [4000, pytest.param(20_000, marks=pytest.mark.long)])
def test_no_frame_is_lost_by_impatience(count: int) -> None:
    """FD21: of many frames taken with random short time-outs none is lost and none changes place."""

    async def main() -> None:
        rng = random.Random(1)
        async with program() as a, program() as b:
            b.admit([a.keys.public])
            await link_up(a, b)
            sent = [b"%d" % number for number in range(count)]
            got: list[bytes] = []
            todo = list(reversed(sent))
            while len(got) < len(sent):
                for _ in range(min(len(todo), rng.randrange(8))):
                    assert a.send(b.keys.public, todo.pop())
                try:
                    arrival = await asyncio.wait_for(b.receive(), rng.choice((0.0002, 0.001, 0.05)))
                except TimeoutError:
                    continue
                assert isinstance(arrival, Received)
                got.append(arrival.frame)
            assert got == sent

    run(main())


def test_the_first_good_handshake_wins() -> None:
    """FD8: dead and foreign addresses before the live one do not delay a link; the losers are hung up."""

    async def main() -> None:
        with socket.create_server((HERE, 0)) as mute:
            async with program() as a, program() as b, program() as stranger:
                dead = [Endpoint(HERE, mute.getsockname()[1]), Endpoint(HERE, 9), Endpoint(HERE, stranger.port)]
                started = time.monotonic()
                a.dial(b.keys.public, [*dead, Endpoint(HERE, b.port), Endpoint("localhost:x", 1)])
                assert await soon(a) == Linked(b.keys.public)
                assert time.monotonic() - started < 1.0
                assert len(a._links[b.keys.public].ours) == 1

    run(main())


def test_only_the_key_counts() -> None:
    """A program at the right address with another key never becomes a link."""

    async def main() -> None:
        async with program() as a, program() as b:
            a.dial(make_curve_keys().public, [Endpoint(HERE, b.port)])
            assert await nothing(a, 1.0)
            assert await nothing(b, 0.0)

    run(main())


def test_a_restarted_program_takes_over(quick: None) -> None:  # noqa: ARG001
    """FD19: a program killed and restarted with the same key is heard at once, though its old connection seems alive."""

    async def main() -> None:
        keys = make_curve_keys()
        async with program() as b, wire_to(b.port) as wire:
            async with program(keys) as a:
                await link_up(a, b, wire.port)
                wire.stop()  # the old connection stays open and says nothing
            async with program(keys) as a:
                a.dial(b.keys.public, [Endpoint(HERE, b.port)])
                assert await soon(a) == Linked(b.keys.public)
                assert b.send(a.keys.public, b"to the new one")
                assert await soon(a) == Received(b.keys.public, b"to the new one")

    run(main())


def test_silence_is_noticed_and_healed(quick: None) -> None:  # noqa: ARG001
    """FD18, FD23: a connection on which nothing moves is down within the limit, and up again by itself."""

    async def main() -> None:
        async with program() as a, program() as b, wire_to(b.port) as wire:
            await link_up(a, b, wire.port)
            wire.stop()
            assert await soon(a) == Unlinked(b.keys.public)
            assert await soon(b) == Unlinked(a.keys.public)
            assert not a.send(b.keys.public, b"lost")
            wire.go()
            assert await soon(a) == Linked(b.keys.public)
            assert await soon(b) == Linked(a.keys.public)

    run(main())


def test_one_way_sight_is_no_link(quick: None) -> None:  # noqa: ARG001
    """FD11: when only one direction works, neither side calls it a link for long."""

    async def main() -> None:
        async with program() as a, program() as b, wire_to(b.port) as wire:
            await link_up(a, b, wire.port)
            wire.down.clear()
            assert await soon(a) == Unlinked(b.keys.public)
            assert await soon(b) == Unlinked(a.keys.public)
            assert await nothing(b, 1.5)

    run(main())


def test_a_new_address_is_dialled(quick: None) -> None:  # noqa: ARG001
    """After a change of address the link comes back on the new one."""

    async def main() -> None:
        keys = make_curve_keys()
        async with program() as a:
            async with program(keys) as b:
                await link_up(a, b)
            assert await soon(a) == Unlinked(keys.public)
            async with program(keys, PORT + 100) as b:
                a.dial(keys.public, [Endpoint(HERE, PORT + 2), Endpoint(HERE, b.port)])
                assert await soon(a) == Linked(keys.public)

    run(main())


def test_both_may_dial() -> None:
    """Two programs that dial each other have one link, reported once."""

    async def main() -> None:
        async with program() as a, program() as b:
            a.dial(b.keys.public, [Endpoint(HERE, b.port)])
            b.dial(a.keys.public, [Endpoint(HERE, a.port)])
            assert await soon(a) == Linked(b.keys.public)
            assert await soon(b) == Linked(a.keys.public)
            assert await nothing(a, 0.5)
            b.forget(a.keys.public)
            assert await soon(b) == Unlinked(a.keys.public)

    run(main())


def test_taken_ports_are_skipped() -> None:
    """Port taken: the next pair of ports; hello answers on the second of the pair."""

    async def main() -> None:
        with socket.create_server((HERE, PORT + 3)):
            async with program() as a, program() as b:
                assert (a.port, b.port) == (PORT, PORT + 4)
                assert await b.ask(Endpoint(HERE, PORT), b"hello", 1.0) == b"olleh"

    run(main())


def test_the_last_pair_of_ports() -> None:
    """The highest port that may be asked for is taken, and hello answers on the one after it, the last there is."""

    async def main() -> None:
        async with program() as a, program(port=65534) as b:
            assert b.port == 65534
            assert await a.ask(Endpoint(HERE, 65534), b"hello", 1.0) == b"olleh"

    run(main())


def test_a_foreign_address_is_refused_in_words() -> None:
    """An address that is not ours cannot be listened on, and a sentence says so."""

    async def main() -> None:
        transport = Transport(make_curve_keys())
        with pytest.raises(TransportError, match=r"^No port can be opened on 192\.0\.2\.1, from 48104 upwards"):
            transport.open(PORT, ("192.0.2.1",), bytes)
        await transport.close()

    run(main())


def test_hello_is_bounded() -> None:
    """Section 6 of joining: at most 512 bytes each way and 10 a second in all."""

    async def main() -> None:
        async with program() as a, program() as b:
            there = Endpoint(HERE, a.port)
            assert await b.ask(there, b"x" * 513, 0.3) is None
            assert await b.ask(there, b"x" * 512, 0.3) == b"x" * 512
            answers = await asyncio.gather(*(b.ask(there, b"x", 0.3) for _ in range(30)))
            assert 9 <= sum(answer is not None for answer in answers) <= 13

    run(main())


def test_strangers_are_few_and_leave(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:  # noqa: ARG001
    """Of a flood of connections at most 64 stay, none for long, and an admitted peer's link does not notice."""
    monkeypatch.setattr("p2p_hearts.node.transport.guard.Door", lambda: Door(patience_s=1.5))
    monkeypatch.setattr("p2p_hearts.node.transport.guard._LOOK_MS", 100)

    async def main() -> None:
        async with program() as a, program() as b:
            b.admit([a.keys.public])
            await link_up(a, b)
            flood = [await asyncio.open_connection(HERE, b.port) for _ in range(100)]
            cut = [asyncio.create_task(reader.read()) for reader, _ in flood]
            await asyncio.sleep(0.5)
            assert sum(not task.done() for task in cut) == 64
            await asyncio.wait_for(asyncio.gather(*cut), 2.5)
            for _, writer in flood:
                writer.close()
            assert await nothing(a, 0.1)
            assert await nothing(b, 0.1)

    run(main())


def test_a_stranger_says_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of a key that is not admitted pass at a bounded rate; those of an admitted one all pass."""
    monkeypatch.setattr(links, "STRANGER_RATE", 0.0)

    async def main() -> None:
        async with program() as a, program() as b:
            await link_up(a, b)
            for admitted, expected in (((), 131072 // 60000), ((a.keys.public,), 10)):
                b.admit(admitted)
                for _ in range(10):
                    assert a.send(b.keys.public, bytes(60000))
                await asyncio.sleep(0.3)
                assert b._arrivals.qsize() == expected
                while b._arrivals.qsize():
                    await b.receive()

    run(main())


def test_many_strangers_say_little_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strangers together have an allowance, too, and an empty frame counts: who has many keys gains nothing."""
    monkeypatch.setattr(links, "STRANGERS_RATE", 0.0)
    monkeypatch.setattr(links, "STRANGERS_BURST", 20.0 * links.FRAME_COST)

    async def main() -> None:
        async with program() as a, program() as b, program() as c:
            await link_up(a, b)
            await link_up(c, b)
            b.admit([])
            for stranger in (a, c):
                for _ in range(15):
                    stranger.send(b.keys.public, b"")
            await asyncio.sleep(0.3)
            assert b._arrivals.qsize() == 20

    run(main())


def test_a_peer_has_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of an admitted peer pass at a bounded rate, and no more than 4 MiB of them wait to be read, however small."""
    monkeypatch.setattr(links, "PEER_RATE", 0.0)
    monkeypatch.setattr(links, "PEER_BURST", 50.0 * links.FRAME_COST)

    async def main() -> None:
        async with program() as a, program() as b:
            b.admit([a.keys.public])
            await link_up(a, b)
            for _ in range(80):
                a.send(b.keys.public, b"")
            await asyncio.sleep(0.3)
            assert b._arrivals.qsize() == 50
            waiting = b._links[a.keys.public].waiting_bytes
            assert waiting == 50 * links.FRAME_COST
            while b._arrivals.qsize():
                await b.receive()
            assert b._links[a.keys.public].waiting_bytes == 0

    run(main())


def test_unread_frames_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that nobody takes are dropped beyond a bound that small frames reach as well."""
    monkeypatch.setattr("p2p_hearts.node.transport.mesh.INBOX_BYTES", 30 * links.FRAME_COST)

    async def main() -> None:
        async with program() as a, program() as b:
            b.admit([a.keys.public])
            await link_up(a, b)
            for _ in range(60):
                a.send(b.keys.public, b"")
            await asyncio.sleep(0.3)
            assert b._arrivals.qsize() == 30

    run(main())


def test_strangers_can_be_shut_out() -> None:
    """At a private table the authenticator lets admitted keys in and no others."""

    async def main() -> None:
        async with program() as a, program() as b, program() as c:
            b.strangers_welcome = False
            b.admit([a.keys.public])
            c.dial(b.keys.public, [Endpoint(HERE, b.port)])
            await link_up(a, b)
            assert await nothing(c, 0.7)

    run(main())


def test_frames_have_a_limit() -> None:
    """A frame of more than 64 KiB is refused before it is sent."""

    async def main() -> None:
        async with program() as a:
            with pytest.raises(TransportError, match="65537 bytes"):
                a.send(bytes(32), bytes(65537))

    run(main())


def test_closing_is_quick_whatever_the_network_does() -> None:
    """FD22: with a peer out of reach and megabytes unsent, closing takes well under 2 s."""

    async def main() -> None:
        async with program() as b, wire_to(b.port) as wire:
            async with program() as a:
                await link_up(a, b, wire.port)
                wire.stop()
                taken = sum(a.send(b.keys.public, bytes(65536)) for _ in range(400))
                assert 32 <= taken < 400
                a.dial(make_curve_keys().public, [Endpoint(HERE, 9)])
                asking = asyncio.create_task(a.ask(Endpoint(HERE, 9), b"x", 30.0))
                await asyncio.sleep(0)
                started = time.monotonic()
            assert time.monotonic() - started < 1.0
            await asyncio.wait([asking], timeout=1.0)
            assert asking.done()

    run(main())


def test_a_restarted_program_is_answered_at_its_new_port() -> None:
    """FD19: to a program that was killed and is back in under a second at another port, while our reader was busy, frames go
    by its new connection, though our own to the old one still seems alive."""

    async def main() -> None:
        keys = make_curve_keys()
        async with program() as b:
            async with program(keys) as a, wire_to(a.port) as wire:
                b.dial(keys.public, [Endpoint(HERE, wire.port)])
                assert await soon(b) == Linked(keys.public)
                wire.stop()
            async with program(keys, PORT + 50) as a:
                a.dial(b.keys.public, [Endpoint(HERE, b.port)])
                time.sleep(0.3)  # noqa: ASYNC251 - everybody here is busy
                assert await soon(a) == Linked(b.keys.public)
                link = b._links[keys.public]
                while not link.theirs or link.theirs[-1].path.proved_at is None:  # noqa: ASYNC110 - it has no event
                    await asyncio.sleep(0.01)
                assert paths.is_proved(link.ours[0].path, b._loop.time())
                assert b.send(keys.public, b"to the new one")
                assert await soon(a, 0.5) == Received(b.keys.public, b"to the new one")

    run(main())


def test_waking_up_dials_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After minutes of sleep, which the loop's clock does not count, everybody is dialled anew at once and not when the dead
    connections are found out; a change of the date is no sleep."""
    slept = 0.0
    monkeypatch.setattr("p2p_hearts.node.transport.wake.seconds", lambda: time.monotonic() + slept)

    async def main() -> None:
        nonlocal slept
        async with program() as a, program() as b, wire_to(b.port) as wire:
            await link_up(a, b, wire.port)
            wire.stop()  # what the others have closed meanwhile
            before = a._links[b.keys.public].ours[0]
            a._links[b.keys.public].endpoints = (Endpoint(HERE, b.port),)
            slept = 600.0
            async with asyncio.timeout(1.5):
                while (now := a._links[b.keys.public].ours[0]) is before or now.path.proved_at is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            assert a.send(b.keys.public, b"awake")
            while await soon(b) != Received(a.keys.public, b"awake"):
                pass

    run(main())


def test_where_a_peer_may_have_gone(quick: None) -> None:  # noqa: ARG001
    """A peer that moved to another address while we moved as well is found where somebody says that it is; a wrong word does
    no harm."""

    async def main() -> None:
        keys = make_curve_keys()
        async with program() as a:
            async with program(keys) as b:
                await link_up(a, b)
            assert await soon(a) == Unlinked(keys.public)
            a.hint(make_curve_keys().public, [Endpoint(HERE, 9)])
            async with program(keys, PORT + 100) as b:
                a.hint(keys.public, [Endpoint(HERE, 9), Endpoint("ff02::1", 9), Endpoint(HERE, b.port)])
                assert await soon(a) == Linked(keys.public)

    run(main())


def test_listening_at_one_more_address() -> None:
    """A program told to use one adapter listens at that adapter's new address, too, at the same ports."""

    async def main() -> None:
        async with program() as a, program() as b:
            a.listen_at(["127.0.0.2", "192.0.2.1", "127.0.0.2"])
            assert await b.ask(Endpoint("127.0.0.2", a.port), b"hello", 1.0) == b"olleh"
            b.dial(a.keys.public, [Endpoint("127.0.0.2", a.port)])
            assert await soon(b) == Linked(a.keys.public)

    run(main())


def test_a_peer_that_reaches_us_is_dialled_seldom(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:  # noqa: ARG001
    """Whom we cannot reach is dialled again every time that is up, but seldom while it reaches us by itself."""
    dialled: list[int] = []
    real = Transport._race

    def race(transport: Transport, link: links.Link) -> None:
        if transport.port == PORT:
            dialled.append(transport.port)
        real(transport, link)

    monkeypatch.setattr(Transport, "_race", race)

    async def main() -> None:
        async with program() as a, program() as b:
            a.dial(b.keys.public, [Endpoint(HERE, 9)])
            await asyncio.sleep(2.7)
            assert 2 <= len(dialled) <= 4
            b.dial(a.keys.public, [Endpoint(HERE, a.port)])
            assert await soon(a) == Linked(b.keys.public)
            dialled.clear()
            await asyncio.sleep(2.7)
            assert dialled == []
            assert a.send(b.keys.public, b"by its own connection")

    run(main())
