"""Who may stand at the door: the connections to an open port, and which of them to cut.

Anybody on the network can connect, so each *stranger*, a connection that has not shown a key we know, is a file
descriptor and buffers that an attacker makes us hold. The law: never more than `limit` of them, none longer than
`patience_s`; and when there are too many, the address with the most loses its oldest, so that a flood from one machine
cannot keep the others out.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

MAX_STRANGERS = 64  # connections
PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Visitor:
    """One accepted connection: its descriptor, where it comes from (address, port), and since when."""

    descriptor: int
    peer: tuple[str, int]
    since: float


@dataclass(frozen=True, slots=True)
class Door:
    """All connections of one listening socket, oldest first."""

    visitors: tuple[Visitor, ...] = ()
    limit: int = MAX_STRANGERS
    patience_s: float = PATIENCE_S


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much somebody may still send: `left` of `burst` at time `at`, refilled at `rate` a second."""

    rate: float
    burst: float
    left: float
    at: float


def arrive(door: Door, visitor: Visitor) -> Door:
    """The door after a new connection; a descriptor used again means that the one before it is gone."""
    return replace(door, visitors=(*depart(door, visitor.descriptor).visitors, visitor))


def depart(door: Door, descriptor: int) -> Door:
    """The door after a connection was closed."""
    return replace(door, visitors=tuple(v for v in door.visitors if v.descriptor != descriptor))


def turn_away(door: Door, known: Collection[int], now: float) -> tuple[Door, tuple[Visitor, ...]]:
    """The door after a look around, and whom to cut: strangers who stood too long, and those who are too many.

    `known` are the descriptors on which a key that we know was shown a short while ago.
    """
    strangers = [v for v in door.visitors if v.descriptor not in known]
    away = [v for v in strangers if now - v.since > door.patience_s]
    waiting = [v for v in strangers if now - v.since <= door.patience_s]
    while len(waiting) > door.limit:
        crowd, _ = Counter(v.peer[0] for v in waiting).most_common(1)[0]
        oldest = next(v for v in waiting if v.peer[0] == crowd)
        waiting.remove(oldest)
        away.append(oldest)
    return replace(door, visitors=tuple(v for v in door.visitors if v not in away)), tuple(away)


def take(allowance: Allowance, amount: float, now: float) -> tuple[Allowance, bool]:
    """The allowance after `amount` was asked for, and whether it was there."""
    left = min(allowance.burst, allowance.left + (now - allowance.at) * allowance.rate)
    granted = amount <= left
    return replace(allowance, left=left - amount if granted else left, at=now), granted
