"""Keeps the door of a listening socket: cuts strangers that stay too long, those that are too many, and whoever sends without
ever finishing a message.

ZeroMQ offers no way to close one connection of a socket that serves many, but it tells their descriptors: a monitor
reports each that is accepted, and every message names the one it came by. The descriptor is shut down here; ZeroMQ finds
it closed by the other side and cleans up. Source: libzmq 4.3.5, `zmq_socket_monitor`, `ZMQ_SRCFD`.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable, Collection

import zmq
import zmq.asyncio

from p2p_hearts.node.transport.door import Door, Visitor, arrive, depart, turn_away
from p2p_hearts.node.transport.flow import Flow, received_bytes

_LOOK_MS = 250  # between looks when nobody comes; so long whoever never finishes a message can fill our memory


async def guard(listening: zmq.asyncio.Socket, known: Callable[[], Collection[int]], flow: Flow) -> None:
    """Keep the door of `listening` until cancelled; `known` tells the connections that are no strangers, `flow` the messages
    that have come."""
    monitor = listening.get_monitor_socket(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)
    loop = asyncio.get_running_loop()
    door = Door()
    try:
        while True:
            if await monitor.poll(_LOOK_MS):
                door = _note(door, await monitor.recv_multipart(), loop.time())
            door, away = turn_away(door, known(), loop.time())
            sizes = {v.descriptor: size for v in door.visitors if (size := received_bytes(v.descriptor)) is not None}
            endless = flow.look(sizes)
            for visitor in (*away, *(v for v in door.visitors if v.descriptor in endless)):
                _cut(visitor)
    finally:
        listening.disable_monitor()


def _note(door: Door, event: list[bytes], now: float) -> Door:
    kind, descriptor = struct.unpack("=HI", event[0])
    if kind == zmq.EVENT_DISCONNECTED:
        return depart(door, descriptor)
    try:
        with socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM) as twin:
            host, port = twin.getpeername()[:2]
    except OSError:  # it is closed already
        return door
    return arrive(door, Visitor(descriptor, (host, port), now))


def _cut(visitor: Visitor) -> None:
    with contextlib.suppress(OSError), socket.fromfd(visitor.descriptor, socket.AF_INET, socket.SOCK_STREAM) as twin:
        if twin.getpeername()[:2] == visitor.peer:  # else ZeroMQ has closed it, and the number is another's now
            twin.shutdown(socket.SHUT_RDWR)
