"""ZeroMQ sockets with every option set before use, and the authenticator that names who is at the other end.

Options set after bind or connect silently have no effect (libzmq 4.3.5), hence one function for each kind of socket.
Sources: ZeroMQ RFC 26 (CURVE), RFC 27 (ZAP).
"""

import asyncio
import contextlib
import secrets
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2p_hearts.node.addresses import Endpoint, endpoint_text

KEY_BYTES = 32

_ZAP_DOMAIN = b"p2p-hearts"
_RETRY_MS, _RETRY_MAX_MS = 200, 1000  # between attempts to connect
_CONNECT_MS = 3000  # for a TCP connection; then the next attempt
_HANDSHAKE_MS = 5000  # for greeting and CURVE; a silent stranger holds a connection no longer
_HEARTBEAT_MS, _DEAD_MS = 2000, 8000  # ZMTP's own, which only reap connections; liveness is proved by `paths`
_QUEUE = 64  # messages a socket holds per connection, each way
_PORT_STEP, _PORTS = 2, 16  # the mesh and hello take two ports; eleven programs on one machine find room
_LAST_PORT = 65535
_RANDOM_PORTS = range(49152, _LAST_PORT)

T = TypeVar("T")


class TransportError(Exception):
    """No socket can be opened; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class CurveKeys:
    """The key pair that names a program on the network, raw bytes."""

    public: bytes
    secret: bytes = field(repr=False)


def run(main: Coroutine[Any, Any, T]) -> T:
    """What `main` returns, run in an event loop that can wait for ZeroMQ sockets."""
    # Windows' default loop has no add_reader, without which pyzmq cannot wait for a socket.
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


def make_curve_keys() -> CurveKeys:
    """A fresh key pair from the system's randomness."""
    public, secret = zmq.curve_keypair()
    return CurveKeys(z85.decode(public), z85.decode(secret))


def open_router(context: zmq.asyncio.Context, keys: CurveKeys, limit: int) -> zmq.asyncio.Socket:
    """The listening socket of the mesh: every client proves its key and passes the authenticator."""
    router = _open(context, zmq.ROUTER, limit)
    router.setsockopt(zmq.CURVE_SERVER, 1)
    router.setsockopt(zmq.CURVE_SECRETKEY, keys.secret)
    router.setsockopt(zmq.ZAP_DOMAIN, _ZAP_DOMAIN)
    router.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)  # without an authenticator nobody gets in, rather than everybody
    router.setsockopt(zmq.ROUTER_MANDATORY, 1)  # else what cannot be routed is dropped without a word
    router.setsockopt(zmq.ROUTER_HANDOVER, 0)
    return router


def open_dealer(context: zmq.asyncio.Context, keys: CurveKeys, server: bytes, limit: int) -> zmq.asyncio.Socket:
    """A socket that connects to the program with the CURVE key `server`, and to no other."""
    dealer = _open(context, zmq.DEALER, limit)
    dealer.setsockopt(zmq.CURVE_SERVERKEY, server)
    dealer.setsockopt(zmq.CURVE_PUBLICKEY, keys.public)
    dealer.setsockopt(zmq.CURVE_SECRETKEY, keys.secret)
    return dealer


def open_plain(context: zmq.asyncio.Context, kind: int, limit: int) -> zmq.asyncio.Socket:
    """A socket without encryption, for hello only: ROUTER to answer, DEALER to ask."""
    return _open(context, kind, limit)


def url(endpoint: Endpoint) -> str:
    """The endpoint as ZeroMQ writes it."""
    return f"tcp://{endpoint_text(endpoint)}"


def bind_pair(mesh: zmq.asyncio.Socket, plain: zmq.asyncio.Socket, port: int, hosts: Sequence[str]) -> int:
    """Bind `mesh` to `port` and `plain` to the next one, or to the next free pair; returns the port of `mesh`.

    Without `hosts` all adapters listen, IPv4 and IPv6.

    Raises:
        TransportError: no pair of ports is free, or the addresses are not those of this machine.
    """
    wanted = [port + _PORT_STEP * i for i in range(_PORTS) if port + _PORT_STEP * i < _LAST_PORT]
    wanted += [secrets.choice(_RANDOM_PORTS) for _ in range(_PORTS)]
    for candidate in wanted:
        if bound := _bind_all(mesh, candidate, hosts):
            if _bind_all(plain, candidate + 1, hosts):
                return candidate
            _unbind_all(mesh, bound)
    where = f" on {', '.join(hosts)}" if hosts else ""
    raise TransportError(f"No port can be opened{where}, from {port} upwards; another program may hold them.")


def bind_more(mesh: zmq.asyncio.Socket, plain: zmq.asyncio.Socket, port: int, hosts: Sequence[str]) -> None:
    """Bind both sockets at further addresses, as far as these are there and not bound yet."""
    for host in hosts:
        for listening, number in ((mesh, port), (plain, port + 1)):
            with contextlib.suppress(zmq.ZMQError):  # we listen there already, or the address is gone again
                listening.bind(url(Endpoint(host, number)))


async def authenticate(context: zmq.asyncio.Context, admits: Callable[[bytes], bool]) -> None:
    """Answer ZAP until cancelled: a client key that `admits` is let in and becomes the User-Id, in hexadecimal."""
    door = context.socket(zmq.REP)
    try:
        door.bind("inproc://zeromq.zap.01")
        while True:
            request = await door.recv_multipart()
            # RFC 27: version, request id, domain, address, identity, mechanism, credentials
            key = request[6] if len(request) == 7 and request[5] == b"CURVE" else b""  # noqa: PLR2004
            if request[2:3] == [_ZAP_DOMAIN] and len(key) == KEY_BYTES and admits(key):
                verdict = [b"200", b"OK", key.hex().encode(), b""]
            else:
                verdict = [b"400", b"no", b"", b""]
            await door.send_multipart([b"1.0", request[1], *verdict])
    finally:
        door.close(linger=0)


def send_now(through: zmq.asyncio.Socket, parts: list[bytes]) -> int:
    """0 when ZeroMQ took the message at once, else its error number: EAGAIN when full, EHOSTUNREACH when gone."""
    sent = through.send_multipart(parts, flags=zmq.DONTWAIT)
    if not isinstance(sent, asyncio.Future):  # with DONTWAIT pyzmq's future is done when it is returned
        raise TypeError(sent)
    error = sent.exception()
    if error is None:
        return 0
    if isinstance(error, zmq.ZMQError) and error.errno is not None:
        return error.errno
    raise error


def _open(context: zmq.asyncio.Context, kind: int, limit: int) -> zmq.asyncio.Socket:
    opened = context.socket(kind)
    for option, value in (
        (zmq.LINGER, 0),
        (zmq.IPV6, 1),
        (zmq.MAXMSGSIZE, limit),
        (zmq.SNDHWM, _QUEUE),
        (zmq.RCVHWM, _QUEUE),
        (zmq.RECONNECT_IVL, _RETRY_MS),
        (zmq.RECONNECT_IVL_MAX, _RETRY_MAX_MS),
        (zmq.CONNECT_TIMEOUT, _CONNECT_MS),
        (zmq.HANDSHAKE_IVL, _HANDSHAKE_MS),
        (zmq.HEARTBEAT_IVL, _HEARTBEAT_MS),
        (zmq.HEARTBEAT_TIMEOUT, _DEAD_MS),
        (zmq.HEARTBEAT_TTL, _DEAD_MS),
    ):
        opened.setsockopt(option, value)
    return opened


def _bind_all(listening: zmq.asyncio.Socket, port: int, hosts: Sequence[str]) -> list[str]:
    """Listen on this port of all hosts, or on none; returns where."""
    bound: list[str] = []
    for place in [url(Endpoint(host, port)) for host in hosts] or [f"tcp://*:{port}"]:
        try:
            listening.bind(place)
        except zmq.ZMQError:
            _unbind_all(listening, bound)
            return []
        bound.append(listening.getsockopt_string(zmq.LAST_ENDPOINT))
    return bound


def _unbind_all(listening: zmq.asyncio.Socket, bound: list[str]) -> None:
    for place in bound:
        listening.unbind(place)
