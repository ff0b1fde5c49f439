"""One link: everything that connects us with the program behind one CURVE key, and which part of it to use.

The law: what is proved is used, the newest connection first, whoever dialled it, so that a program that was restarted
takes over at once from its own dead connections, which seem alive for some seconds.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

import zmq.asyncio

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.transport.door import Allowance
from p2p_hearts.node.transport.paths import Path, is_proved, shift

BACKLOG_BYTES = 2 << 20  # waiting for a connection that does not take them now; a peer that reads nothing costs no more
FRAME_COST = 1024  # bytes that a frame counts besides its own: many small ones are work as well
STRANGER_RATE, STRANGER_BURST = 65536.0, 131072.0  # bytes a second; a stranger has little to say: please let me in
STRANGERS_RATE, STRANGERS_BURST = (
    262144.0,
    524288.0,
)  # of all strangers together: each request to join is a signature to check
PEER_RATE, PEER_BURST = (
    2097152.0,
    16777216.0,
)  # of an admitted peer; catching up takes half of it


@dataclass(slots=True, eq=False)
class Connection:
    """One connection: ours, on a DEALER of its own with a task that reads it, or the peer's, on the common ROUTER."""

    through: zmq.asyncio.Socket
    path: Path
    probe_at: float = 0.0  # when the next probe is due
    route: tuple[bytes, ...] = ()  # the ROUTER's name for it; empty on a DEALER
    descriptor: int = -1  # of its TCP connection, once something has come over it
    reader: asyncio.Task[None] | None = None  # of ours


@dataclass(slots=True, eq=False)
class Link:
    """All connections with the program that holds `key`."""

    key: bytes
    allowance: Allowance  # of frames, in bytes, while it is a stranger
    pace: Allowance  # the same once it is admitted
    endpoints: tuple[Endpoint, ...] = ()  # where to dial; empty: only the other side dials
    hints: tuple[Endpoint, ...] = ()  # where else it may be now, as somebody says who need not be right
    race_at: float = 0.0  # when the endpoints were dialled last
    ours: list[Connection] = field(default_factory=list)  # several while they race, one once it is proved
    theirs: list[Connection] = field(default_factory=list)  # oldest first
    up: bool = False
    backlog: deque[bytes] = field(default_factory=deque)
    backlog_bytes: int = 0
    waiting_bytes: int = 0  # arrived, and not yet taken by `receive`, by `cost`


def new_link(key: bytes, now: float) -> Link:
    """A link without any connection."""
    return Link(
        key,
        Allowance(STRANGER_RATE, STRANGER_BURST, STRANGER_BURST, now),
        Allowance(PEER_RATE, PEER_BURST, PEER_BURST, now),
    )


def cost(frame: bytes) -> int:
    """What a frame counts, in bytes."""
    return FRAME_COST + len(frame)


def best(link: Link, now: float) -> list[Connection]:
    """The connections that are proved, the one to use first."""
    proved = (c for c in (*link.ours, *link.theirs) if is_proved(c.path, now))
    return sorted(proved, key=lambda c: c.path.opened_at, reverse=True)


def wait(link: Link, message: bytes) -> bool:
    """Whether the message could be put into the queue of what waits to be sent."""
    if link.backlog_bytes + len(message) > BACKLOG_BYTES:
        return False
    link.backlog.append(message)
    link.backlog_bytes += len(message)
    return True


def drop_backlog(link: Link) -> None:
    """Forget what waits: the peer is gone, and asks for what it lacks when it is back."""
    link.backlog.clear()
    link.backlog_bytes = 0


def start_anew(link: Link, gap: float) -> None:
    """Start every timer `gap` seconds later, since we were stopped ourselves."""
    link.race_at += gap
    for connection in (*link.ours, *link.theirs):
        connection.path = shift(connection.path, gap)
