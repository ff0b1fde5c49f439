"""Our own connections to a peer: one to each address at which it may be, all at once, and hung up when they are no use."""

from collections.abc import Iterable

import zmq
import zmq.asyncio

from p2p_hearts.node.transport import paths, sockets
from p2p_hearts.node.transport.flow import Flow, received_bytes
from p2p_hearts.node.transport.links import Connection, Link
from p2p_hearts.node.transport.sockets import CurveKeys


def dial_all(context: zmq.asyncio.Context, keys: CurveKeys, link: Link, now: float) -> list[Connection]:
    """Connections that are being made to all endpoints of a link, the newest word of where it is first."""
    dialled: list[Connection] = []
    for endpoint in dict.fromkeys((*link.hints, *link.endpoints)):
        dealer = sockets.open_dealer(context, keys, link.key, paths.MESSAGE_LIMIT)
        try:
            dealer.connect(sockets.url(endpoint))
        except zmq.ZMQError:  # a peer named an address that is none
            dealer.close(linger=0)
            continue
        dialled.append(Connection(dealer, paths.Path(now)))
    return dialled


def hang_up(connections: Iterable[Connection]) -> None:
    """Close connections of ours, whatever is under way on them."""
    for connection in connections:
        if connection.reader is not None:
            connection.reader.cancel()
        connection.through.close(linger=0)


def hang_up_endless(links: Iterable[Link], flow: Flow) -> None:
    """Close connections of ours over which something comes that never becomes a message."""
    ours = {c.descriptor: link for link in links for c in link.ours if c.descriptor >= 0}
    sizes = {one: size for one in ours if (size := received_bytes(one)) is not None}
    for descriptor in flow.look(sizes):
        link = ours[descriptor]
        hang_up(c for c in link.ours if c.descriptor == descriptor)
        link.ours = [c for c in link.ours if c.descriptor != descriptor]
