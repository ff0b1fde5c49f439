"""Messages that never end: who sends one is cut before it fills our memory, and nobody else is."""

import asyncio
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest
import zmq
import zmq.asyncio
from zmq.utils import z85

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.transport.flow import MAX_UNFINISHED, Flow, received_bytes
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import make_curve_keys, run
from p2p_hearts.protocol.inputs import Linked, Received

HERE = "127.0.0.1"
PORT = 48604
PART, PARTS = bytes(60000), 600  # of one message, in all more than any of ours
FEW = 12_000_000  # bytes

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how many bytes have come")


def test_whole_messages_are_no_fault() -> None:
    """Any number of bytes may come, as long as messages come of them; then a megabyte without one is suspect, and is cut when
    it is found so twice."""
    flow = Flow()
    for look in range(1, 50):
        flow.count(7)
        assert flow.look({7: look * 4_000_000}) == []
    assert flow.look({7: 196_000_000 + MAX_UNFINISHED}) == []
    assert flow.look({7: 196_000_001 + MAX_UNFINISHED}) == []
    assert flow.look({7: 196_000_001 + MAX_UNFINISHED}) == [7]


def test_a_late_reader_is_not_held_against_the_sender() -> None:
    """Bytes that have come while we did not read are no fault, if a message is read before the next look."""
    flow = Flow()
    flow.count(7)
    assert flow.look({7: 100}) == []
    assert flow.look({7: 5_000_000}) == []
    flow.count(7)
    assert flow.look({7: 9_000_000}) == []
    assert flow.look({7: 9_000_000}) == []


def test_the_first_message_may_be_the_endless_one() -> None:
    """A connection over which no message ever came is judged as well, each by itself; a number that is used again is new."""
    flow = Flow()
    assert flow.look({7: 2_000_000, 8: 5}) == []
    assert flow.look({7: 2_000_000, 8: 5}) == [7]
    assert flow.look({8: 5}) == []
    assert flow.look({7: 40}) == []
    assert flow.look({7: 40}) == []


@linux
@pytest.mark.network
def test_bytes_are_those_that_came() -> None:
    """The system counts what has come, read or not."""
    with socket.create_server((HERE, 0)) as listening, socket.create_connection(listening.getsockname()) as far:
        near, _ = listening.accept()
        with near:
            assert received_bytes(near.fileno()) == 0
            far.sendall(bytes(12345))
            near.recv(1)
            time.sleep(0.05)
            assert received_bytes(near.fileno()) == 12345
            descriptor = near.fileno()
    assert received_bytes(descriptor) is None


@linux
@pytest.mark.network
@pytest.mark.parametrize("admitted", [True, False])
def test_an_endless_message_to_the_mesh(*, admitted: bool) -> None:
    """A program whose message has no end is cut after a few megabytes, a stranger as well as an admitted peer; another peer's
    link does not notice."""

    async def main() -> None:
        keys = make_curve_keys()
        async with asyncio.timeout(15.0):
            one, other = Transport(make_curve_keys()), Transport(make_curve_keys())
            one.open(PORT, (HERE,), lambda _: None)
            other.open(PORT, (HERE,), lambda _: None)
            one.admit([other.keys.public, *([keys.public] if admitted else [])])
            other.dial(one.keys.public, [Endpoint(HERE, one.port)])
            assert await one.receive() == Linked(other.keys.public)
            async with slow_wire(one.port) as wire:
                with zmq.asyncio.Context() as context, context.socket(zmq.DEALER) as evil:
                    evil.linger = 0
                    evil.curve_publickey, evil.curve_secretkey = keys.public, keys.secret
                    evil.curve_serverkey = z85.encode(one.keys.public)
                    evil.connect(f"tcp://{HERE}:{wire.port}")
                    await evil.send_multipart([PART] * PARTS)
                    await wire.cut.wait()
            assert MAX_UNFINISHED < wire.carried < FEW
            assert other.send(one.keys.public, b"still here")
            assert await one.receive() == Received(other.keys.public, b"still here")
            await asyncio.gather(one.close(), other.close())

    run(main())


@linux
@pytest.mark.network
def test_an_endless_question() -> None:
    """The same on the port of hello, where anybody may speak."""

    async def main() -> None:
        async with asyncio.timeout(15.0):
            one = Transport(make_curve_keys())
            async with slow_wire(one.open(PORT, (HERE,), lambda _: None) + 1) as wire:
                with zmq.asyncio.Context() as context, context.socket(zmq.DEALER) as evil:
                    evil.linger = 0
                    evil.connect(f"tcp://{HERE}:{wire.port}")
                    await evil.send_multipart([bytes(500)] * (len(PART) * PARTS // 500))
                    await wire.cut.wait()
            assert MAX_UNFINISHED < wire.carried < FEW
            await one.close()

    run(main())


@linux
@pytest.mark.network
def test_an_endless_message_from_whom_we_dialled() -> None:
    """A peer that we have dialled, and that behaves at first, is hung up on as well."""

    async def main() -> None:
        keys = make_curve_keys()
        async with asyncio.timeout(15.0):
            with zmq.asyncio.Context() as context, context.socket(zmq.ROUTER) as evil:
                evil.linger = 0
                evil.curve_server, evil.curve_secretkey = True, keys.secret
                async with slow_wire(evil.bind_to_random_port(f"tcp://{HERE}")) as wire:
                    one = Transport(make_curve_keys())
                    one.open(PORT, (HERE,), lambda _: None)
                    one.dial(keys.public, [Endpoint(HERE, wire.port)])
                    route, _ = await evil.recv_multipart()
                    await evil.send_multipart([route, b"\x01hello"])
                    assert await one.receive() == Received(keys.public, b"hello")
                    await evil.send_multipart([route, *[PART] * PARTS])
                    await wire.cut.wait()
                    assert MAX_UNFINISHED < wire.carried < FEW
                    await one.close()

    run(main())


@dataclass(slots=True)
class SlowWire:
    """A relay that carries about six megabytes a second, as a Wi-Fi may."""

    target: int
    port: int = 0
    carried: int = 0  # bytes, in either direction
    cut: asyncio.Event = field(default_factory=asyncio.Event)  # one end has closed

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        far_reader, far_writer = await asyncio.open_connection(HERE, self.target)
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                self.carried += len(data)
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(0.01)
        self.cut.set()
        writer.close()


@asynccontextmanager
async def slow_wire(target: int) -> AsyncIterator[SlowWire]:
    """A slow wire to a port of this machine."""
    wire = SlowWire(target)
    server = await asyncio.start_server(wire.relay, HERE, 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        await asyncio.sleep(0.05)
