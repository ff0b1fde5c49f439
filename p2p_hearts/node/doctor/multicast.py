"""Multicast, out and back: one mDNS question on every adapter, and who is heard after it.

Our own question must come back to us, else this computer blocks it. Other devices (printers, phones, televisions) answer
it, if there are any: then the network carries multicast both ways. The law: silence of others proves nothing, and is
called doubtful. Source: RFC 6762 (mDNS), RFC 6763 section 9 (the question that every responder answers).
"""

import secrets
import select
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace

from p2p_hearts.node.doctor.check import Check, Status

MULTICAST = "multicast"
GROUP, PORT = "224.0.0.251", 5353
LISTEN_S = 1.5

_ALL_SERVICES = b"\x09_services\x07_dns-sd\x04_udp\x05local\x00"
_PTR, _IN = 12, 1
_ANSWER = 0x8000
_OPEN_IT = "Open port 5353 (UDP) in this computer’s firewall; until then join tables by address or invitation."
_KEPT_APART = (
    "If friends on this network open a table and you see none, the access point keeps computers apart or drops multicast: "
    "join by address or invitation, or meet on a phone’s hotspot."
)


@dataclass(frozen=True, slots=True)
class Echo:
    """What came of a question sent from the address `host`."""

    host: str
    error: str = ""  # why it could not be sent
    returned: bool = False  # it came back to us
    others: frozenset[str] = frozenset()  # the addresses of those who answered


def try_multicast(hosts: Sequence[str], seconds: float = LISTEN_S) -> tuple[Echo, ...]:
    """Ask on the adapters with these IPv4 addresses, and listen for so long. Blocks."""
    echoes = {host: Echo(host) for host in hosts}
    questions: dict[bytes, str] = {}
    with ExitStack() as stack:
        ears: list[socket.socket] = []
        for host in hosts:
            try:
                ears.append(stack.enter_context(_open_ear(host)))
                question = _question()
                questions[question] = host
                _send(host, question)
            except OSError as error:
                echoes[host] = Echo(host, error.strerror or str(error))
        until = time.monotonic() + seconds
        while ears and (left := until - time.monotonic()) > 0:
            for ear in select.select(ears, [], [], left)[0]:
                with suppress(OSError):
                    data, (sender, *_) = ear.recvfrom(9000)
                    heard = questions.get(data)
                    if heard is not None:
                        echoes[heard] = replace(echoes[heard], returned=True)
                    elif _is_answer(data) and sender not in echoes:
                        host = hosts[ears.index(ear)] if len(ears) == len(hosts) else hosts[0]
                        echoes[host] = replace(echoes[host], others=echoes[host].others | {sender})
    return tuple(echoes.values())


def check_multicast(echoes: Sequence[Echo]) -> tuple[Check, ...]:
    """One finding an adapter; with none at all, that multicast cannot be."""
    if not echoes:
        return (Check(MULTICAST, Status.BAD, "There is no adapter to find tables with.", "Join a network first."),)
    return tuple(map(_check_one, echoes))


def _check_one(echo: Echo) -> Check:
    if echo.error:
        finding = (
            f"Nothing can be sent by multicast from {echo.host} ({echo.error}): tables do not appear by themselves."
        )
        return Check(MULTICAST, Status.BAD, finding, _OPEN_IT)
    if not echo.returned:
        finding = f"What is sent by multicast from {echo.host} does not come back: tables do not appear by themselves."
        return Check(MULTICAST, Status.BAD, finding, _OPEN_IT)
    if not echo.others:
        finding = f"Multicast leaves {echo.host} and comes back, but no other device answers it."
        return Check(MULTICAST, Status.DOUBTFUL, finding, _KEPT_APART)
    count = f"{len(echo.others)} other device{'s' if len(echo.others) > 1 else ''}"
    return Check(MULTICAST, Status.GOOD, f"Multicast works at {echo.host}: {count} answered.")


def _open_ear(host: str) -> socket.socket:
    """A socket that hears the group on the adapter with this address."""
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        _share(ear)
        ear.bind(("", PORT))
        membership = socket.inet_aton(GROUP) + socket.inet_aton(host)
        ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    except BaseException:
        ear.close()
        raise
    return ear


def _send(host: str, question: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        _share(mouth)
        mouth.bind((host, PORT))  # from any other port the answers would not come by multicast (RFC 6762, 6.7)
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        mouth.sendto(question, (GROUP, PORT))


def _share(one: socket.socket) -> None:
    """Let the system's own mDNS, and a p2p-hearts that is running, have the port as well."""
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        with suppress(OSError):  # some systems know the name and not the thing
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def _question() -> bytes:
    """Which services are there? The number, which mDNS ignores, and a second question tell it from everybody else's."""
    ours = b"\x10" + secrets.token_hex(8).encode() + b"\x05local\x00"
    header = struct.pack(">HHHHHH", 0, 0, 2, 0, 0, 0)
    return header + _ALL_SERVICES + struct.pack(">HH", _PTR, _IN) + ours + struct.pack(">HH", _PTR, _IN)


def _is_answer(data: bytes) -> bool:
    return len(data) > 12 and bool(struct.unpack(">H", data[2:4])[0] & _ANSWER)  # noqa: PLR2004 - a DNS header
