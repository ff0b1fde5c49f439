"""How much comes over a connection that never becomes a message.

libzmq (4.3.5) bounds each part of a multi-part message but not their number, and hands a message on only when it is whole:
a hostile program could have us hold memory without end by never finishing. So the bytes that the system has received on a
connection are compared with what has come of them. The law: who sends more than `MAX_UNFINISHED` between two messages is cut.
No message of ours has more than one part, and none is longer than a sixteenth of that.

Only Linux tells how many bytes a connection has received (tcp(7), TCP_INFO); elsewhere the patience of the door is the bound.
"""

import socket
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_UNFINISHED = 1 << 20  # bytes

_RECEIVED = struct.Struct("=128xQ")  # tcpi_bytes_received, after 8 single bytes, 24 numbers of 4 bytes and 3 of 8


@dataclass(slots=True)
class Flow:
    """What has come over the connections of one socket: how many whole messages by descriptor, which the reader counts, and
    how many bytes there were when the last of them was seen."""

    messages: dict[int, int] = field(default_factory=dict)
    seen: dict[int, tuple[int, int]] = field(default_factory=dict)  # messages, and bytes when the last one was seen
    suspects: set[int] = field(default_factory=set)  # of which too much had come at the last look

    def count(self, descriptor: int) -> None:
        """One more whole message."""
        self.messages[descriptor] = self.messages.get(descriptor, 0) + 1

    def look(self, received: Mapping[int, int]) -> list[int]:
        """The descriptors of which too much has come since their last whole message, at this look and at the one before, since
        our own reader may only be late; `received` tells the bytes of all that are open."""
        suspects: set[int] = set()
        for descriptor, size in received.items():
            messages = self.messages.get(descriptor, 0)
            before = self.seen.setdefault(descriptor, (messages, 0))
            if before[0] != messages or size < before[1]:  # less: the number is another connection's now
                self.seen[descriptor] = (messages, size)
            elif size - before[1] > MAX_UNFINISHED:
                suspects.add(descriptor)
        away, self.suspects = suspects & self.suspects, suspects
        for gone in self.seen.keys() - received.keys():
            del self.seen[gone]
            self.messages.pop(gone, None)
        return sorted(away)


def received_bytes(descriptor: int) -> int | None:
    """How many bytes have come over the TCP connection with this descriptor, where the system tells."""
    if sys.platform != "linux":
        return None
    try:
        with socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM) as twin:
            told = twin.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED.size)
    except OSError:  # it is closed already
        return None
    return int(_RECEIVED.unpack(told)[0]) if len(told) == _RECEIVED.size else None
