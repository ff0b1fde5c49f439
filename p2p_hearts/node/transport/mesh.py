"""`Transport`: encrypted links to every program of a table, whoever dialled whom.

One ROUTER listens, a DEALER dials each address of each peer at once, and the first connection that proves itself
(`paths`) is kept. A link is named by the CURVE key of the program at its other end, as the authenticator reports it
(ZAP's User-Id): an identity frame proves nothing, and none is set. What cannot be sent at once waits in a bounded queue
of its link; what is lost is found again by the protocol's *have* vectors.

The law: nothing that a peer, a stranger or the network does blocks a send, a receive or the closing.
"""

import asyncio
import errno
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, TypeAlias

import zmq
import zmq.asyncio

from p2p_hearts.node.addresses import Endpoint, usable_host
from p2p_hearts.node.transport import links, paths, sockets, wake
from p2p_hearts.node.transport.dialling import dial_all, hang_up, hang_up_endless
from p2p_hearts.node.transport.door import Allowance, take
from p2p_hearts.node.transport.flow import Flow
from p2p_hearts.node.transport.guard import guard
from p2p_hearts.node.transport.links import Connection, Link, best, cost, drop_backlog, new_link, start_anew, wait
from p2p_hearts.node.transport.plain import HELLO_BYTES, answer_hellos, ask_hello
from p2p_hearts.node.transport.sockets import CurveKeys, TransportError
from p2p_hearts.protocol.inputs import Linked, Received, Unlinked

Arrival: TypeAlias = Received | Linked | Unlinked

_TICK_S = 0.25
_SLEPT_S = 2.0  # a longer gap between two ticks means that we were stopped ourselves
_FLUSH_S = 0.02
_RELAXED_S = 30.0  # between attempts to dial a peer that we cannot reach while it reaches us
_LAST_WORDS_MS = 300  # for frames already handed to ZeroMQ when we close
MAX_ENDPOINTS = 12  # of one peer; each is a socket while they race, and a peer may name what it likes
MAX_THEIRS = 8  # connections of one key; of more, the oldest are strangers again
INBOX_BYTES = 4 << 20  # of one link, arrived and not yet taken; more is dropped, so that nobody fills our memory


class Transport:
    """The links of one program. Everything happens in the event loop it was made in."""

    def __init__(self, keys: CurveKeys) -> None:
        self.keys = keys
        self.port = 0
        self.strangers_welcome = True  # False: only admitted keys may connect
        self._loop = asyncio.get_running_loop()
        self._context = zmq.asyncio.Context()
        self._router = sockets.open_router(self._context, keys, paths.MESSAGE_LIMIT)
        self._plain = sockets.open_plain(self._context, zmq.ROUTER, HELLO_BYTES)
        self._flow, self._own_flow = Flow(), Flow()  # of those who dialled us, and of those whom we dialled
        self._links: dict[bytes, Link] = {}
        self._admitted: frozenset[bytes] = frozenset()
        self._strangers = Allowance(links.STRANGERS_RATE, links.STRANGERS_BURST, links.STRANGERS_BURST, 0.0)
        self._arrivals: asyncio.Queue[Arrival] = asyncio.Queue()
        self._flusher: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def open(self, port: int, hosts: Sequence[str], answer: Callable[[bytes], bytes | None]) -> int:
        """Listen on `port` and, for hello, on the next one, or on a free pair; returns the port of the mesh.

        Without `hosts` all adapters listen. `answer` makes the answer to a hello, or None to keep silent.

        Raises:
            TransportError: with the sentence to show.
        """
        self._start(sockets.authenticate(self._context, lambda key: self.strangers_welcome or key in self._admitted))
        hellos = Flow()
        self._start(guard(self._router, self._known, self._flow))
        self._start(guard(self._plain, tuple, hellos))
        self.port = sockets.bind_pair(self._router, self._plain, port, hosts)
        self._start(self._read_router())
        self._start(answer_hellos(self._plain, answer, hellos))
        self._start(self._tick_forever())
        return self.port

    def dial(self, key: bytes, endpoints: Sequence[Endpoint]) -> None:
        """Keep a connection to the program with this key, at whichever of the endpoints answers first."""
        link = self._link(key)
        # a name in place of an address would have ZeroMQ ask the Internet for it
        wanted = tuple(dict.fromkeys(e for e in endpoints if usable_host(e.host)))[:MAX_ENDPOINTS]
        if wanted == link.endpoints:
            return
        link.endpoints = wanted
        if not any(paths.is_proved(c.path, self._loop.time()) for c in link.ours):
            self._race(link)

    def hint(self, key: bytes, endpoints: Sequence[Endpoint]) -> None:
        """Try these endpoints, too, whenever a link that is dialled is down: both ends may have moved to other addresses."""
        link = self._links.get(key)
        hints = tuple(dict.fromkeys(e for e in endpoints if usable_host(e.host)))[:MAX_ENDPOINTS]
        if link is None or not link.endpoints or set(hints) == set(link.hints):
            return
        link.hints = hints
        if not link.up:
            self._race(link)

    def redial(self) -> None:
        """Dial everybody anew at once: our own addresses have changed, or we have slept, and connections are dead that do
        not know it yet."""
        for link in self._links.values():
            if link.endpoints:
                self._race(link)

    def listen_at(self, hosts: Sequence[str]) -> None:
        """Listen at these addresses of ours, too, with the ports there are."""
        sockets.bind_more(self._router, self._plain, self.port, hosts)

    def forget(self, key: bytes) -> None:
        """Stop dialling this key and drop what is known of its connections."""
        link = self._links.pop(key, None)
        if link is not None:
            hang_up(link.ours)
            if link.up:
                self._arrivals.put_nowait(Unlinked(key))

    def admit(self, keys: Collection[bytes]) -> None:
        """From now on exactly these keys are no strangers."""
        self._admitted = frozenset(keys)

    def send(self, key: bytes, frame: bytes) -> bool:
        """Whether the frame is on its way, or waits for its turn; False when the link is down or its queue full.

        Raises:
            TransportError: the frame is larger than `paths.MAX_FRAME`.
        """
        if len(frame) > paths.MAX_FRAME:
            raise TransportError(
                f"A frame of {len(frame)} bytes is larger than the {paths.MAX_FRAME} that may be sent."
            )
        link = self._links.get(key)
        if link is None or not link.up:
            return False
        message = paths.encode_frame(frame)
        if not link.backlog and self._send_on_best(link, message):
            return True
        if self._flusher is None:
            self._flusher = self._loop.call_later(_FLUSH_S, self._flush)
        return wait(link, message)

    async def receive(self) -> Arrival:
        """The next frame, or news of a link, in the order of arrival."""
        arrival = await self._arrivals.get()
        if isinstance(arrival, Received) and (link := self._links.get(arrival.link)) is not None:
            link.waiting_bytes = max(0, link.waiting_bytes - cost(arrival.frame))
        return arrival

    async def ask(self, endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
        """The answer to a hello at the port after `endpoint.port`, or None when none comes in time."""
        return await ask_hello(self._context, Endpoint(endpoint.host, endpoint.port + 1), question, patience_s)

    async def close(self) -> None:
        """Close everything within a second, whatever the network does."""
        if self._flusher is not None:
            self._flusher.cancel()
        ours = [connection for link in self._links.values() for connection in link.ours]
        tasks = [*self._tasks, *(c.reader for c in ours if c.reader is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in ours:
            connection.through.close(linger=_LAST_WORDS_MS if connection.path.proved_at is not None else 0)
        self._router.close(linger=_LAST_WORDS_MS)
        self._plain.close(linger=0)
        self._links.clear()
        self._context.destroy(linger=0)  # waits for the last words of the above, and closes what is still asking

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(self._loop.create_task(work))

    # What comes in.

    async def _read_router(self) -> None:
        while True:
            parts = await self._router.recv_multipart(copy=False)
            self._flow.count(int(parts[-1].get(zmq.SRCFD)))
            if len(parts) != 2:  # noqa: PLR2004 - the route and one message; anything else is not ours
                continue
            name, body = parts
            link = self._link(bytes.fromhex(str(body.get("User-Id"))))
            route = (name.bytes,)
            connection = next((c for c in link.theirs if c.route == route), None)
            if connection is None:
                path = paths.Path(self._loop.time())
                connection = Connection(self._router, path, route=route, descriptor=int(body.get(zmq.SRCFD)))
                link.theirs = [*link.theirs, connection][-MAX_THEIRS:]
            self._hear(link, connection, body.bytes)

    async def _read_dealer(self, link: Link, connection: Connection) -> None:
        while True:
            body = await connection.through.recv(copy=False)
            connection.descriptor = int(body.get(zmq.SRCFD))
            self._own_flow.count(connection.descriptor)
            self._hear(link, connection, body.bytes)
            if len(link.ours) > 1 and paths.is_proved(connection.path, self._loop.time()):
                hang_up(c for c in link.ours if c is not connection)
                link.ours = [connection]

    def _hear(self, link: Link, connection: Connection, message: bytes) -> None:
        """Take in one message: a probe ends here, a frame goes to `receive`."""
        now = self._loop.time()
        content = paths.decode_message(message)
        if isinstance(content, paths.Probe):
            connection.path, answer = paths.hear_probe(connection.path, content, now)
            if answer:
                self._probe(connection, now)
            self._judge(link, now)
        elif content is not None and self._may_send(link, cost(content), now):
            link.waiting_bytes += cost(content)
            self._arrivals.put_nowait(Received(link.key, content))

    def _may_send(self, link: Link, size: int, now: float) -> bool:
        if self._is_stranger(link):
            link.allowance, granted = take(link.allowance, size, now)
            if granted:
                self._strangers, granted = take(self._strangers, size, now)
        else:
            link.pace, granted = take(link.pace, size, now)
        return granted and link.waiting_bytes + size <= INBOX_BYTES

    # What goes out.

    def _send_on_best(self, link: Link, message: bytes) -> bool:
        for connection in best(link, self._loop.time()):
            error = sockets.send_now(connection.through, [*connection.route, message])
            if error == 0:
                return True
            if error == errno.EHOSTUNREACH:
                link.theirs.remove(connection)
        return False

    def _flush(self) -> None:
        self._flusher = None
        for link in self._links.values():
            while link.backlog and self._send_on_best(link, link.backlog[0]):
                link.backlog_bytes -= len(link.backlog.popleft())
        if any(link.backlog for link in self._links.values()):
            self._flusher = self._loop.call_later(_FLUSH_S, self._flush)

    def _probe(self, connection: Connection, now: float) -> None:
        connection.probe_at = now + paths.PROBE_INTERVAL_S
        connection.path, probe = paths.next_probe(connection.path)
        sockets.send_now(connection.through, [*connection.route, paths.encode_probe(probe)])

    # How the links are.

    async def _tick_forever(self) -> None:
        last, awake = self._loop.time(), wake.seconds()
        while True:
            await asyncio.sleep(_TICK_S)
            now, then = self._loop.time(), awake
            awake = wake.seconds()
            if now - last > _SLEPT_S:
                for link in self._links.values():
                    start_anew(link, now - last)
            if max(now - last, awake - then) > paths.SILENCE_S:  # by now all others have given us up
                self.redial()
            last = now
            hang_up_endless(self._links.values(), self._own_flow)
            for link in list(self._links.values()):
                self._tick(link, now)

    def _tick(self, link: Link, now: float) -> None:
        """Probe what is due, dial again what is silent, forget what is gone."""
        link.theirs = [c for c in link.theirs if not paths.is_silent(c.path, now)]
        for connection in (*link.ours, *link.theirs):
            if connection.probe_at <= now:
                self._probe(connection, now)
        self._judge(link, now)
        rest_s = _RELAXED_S if link.up else paths.SILENCE_S
        if now - link.race_at > rest_s and all(paths.is_silent(c.path, now) for c in link.ours):
            self._race(link)
        if not (link.endpoints or link.theirs):
            del self._links[link.key]

    def _race(self, link: Link) -> None:
        """Dial all endpoints of the link anew; what was open before is given up."""
        hang_up(link.ours)
        link.race_at = now = self._loop.time()
        link.ours = dial_all(self._context, self.keys, link, now)
        for connection in link.ours:
            connection.reader = self._loop.create_task(self._read_dealer(link, connection))
            self._probe(connection, now)

    def _judge(self, link: Link, now: float) -> None:
        """Report a link that came up or went down."""
        if bool(best(link, now)) == link.up:
            return
        link.up = not link.up
        if not link.up:
            drop_backlog(link)
        self._arrivals.put_nowait(Linked(link.key) if link.up else Unlinked(link.key))

    def _link(self, key: bytes) -> Link:
        if key not in self._links:
            self._links[key] = new_link(key, self._loop.time())
        return self._links[key]

    def _is_stranger(self, link: Link) -> bool:
        return link.key not in self._admitted and not link.endpoints

    def _known(self) -> frozenset[int]:
        """The descriptors on which a key that is no stranger has spoken."""
        known = (link for link in self._links.values() if not self._is_stranger(link))
        return frozenset(connection.descriptor for link in known for connection in link.theirs)
