"""A TCP connection between two programs that a test can stop, cut or make one-way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Wire:
    """A relay to `target` on loopback; a direction that is not `flowing` swallows nothing, it just stands still."""

    target: int
    port: int = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)
    down: asyncio.Event = field(default_factory=asyncio.Event)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either side closes."""
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self.writers += [writer, far_writer]
        await asyncio.gather(_pump(reader, far_writer, self.up), _pump(far_reader, writer, self.down))

    def stop(self) -> None:
        """Nothing moves any more, in either direction; connections stay open, as on a Wi-Fi that is out of reach."""
        self.up.clear()
        self.down.clear()

    def go(self) -> None:
        """Everything moves again."""
        self.up.set()
        self.down.set()


@asynccontextmanager
async def wire_to(target: int) -> AsyncIterator[Wire]:
    """A wire to a port of this machine, flowing at first."""
    wire = Wire(target)
    wire.go()
    server = await asyncio.start_server(wire.relay, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        wire.go()
        server.close()
        for writer in wire.writers:
            writer.close()
        await asyncio.sleep(0.05)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flowing: asyncio.Event) -> None:
    try:
        while data := await reader.read(65536):
            await flowing.wait()
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
