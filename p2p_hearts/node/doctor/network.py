"""The adapters and the ports: at which addresses others can reach this computer, and whether the program can listen.

The law: a port that is taken is no mishap for playing, since the program takes the next one, but it is for whoever opened
just this one in a firewall or typed it to a friend; so it is called bad unless it is another p2p-hearts that has it."""

import errno
import ipaddress
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from p2p_hearts.node.addresses import AdapterAddress, is_virtual, own_hosts, usable_host
from p2p_hearts.node.doctor.check import Check, Status

ADAPTERS, PORTS = "adapters", "ports"

_NO_NETWORK = (
    "Join the Wi-Fi the others are on, or plug in a cable; without a network you can play against bots (`solo`)."
)
_BY_ADDRESS = "Tables may not appear by themselves; join them by address or invitation."


@dataclass(frozen=True, slots=True)
class Listening:
    """Whether a TCP port could be opened: `error` is the system's number, 0 when it could."""

    port: int
    error: int


def check_adapters(adapters: Sequence[AdapterAddress]) -> Check:
    """The addresses that would be offered to others, in their order, with what may be wrong with all of them."""
    hosts = own_hosts(adapters)
    parsed = [ipaddress.ip_address(host) for host in hosts]
    if not hosts or all(address.is_loopback for address in parsed):
        unusable = sorted({a.adapter for a in adapters if not usable_host(a.host)})
        finding = "This computer is on no network."
        if unusable:
            finding = f"{finding} {_unusable(unusable[0])}"
        return Check(ADAPTERS, Status.BAD, finding, _NO_NETWORK)
    offered = [next(a for a in adapters if a.host == host) for host in hosts]
    finding = f"Others reach this computer at {', '.join(map(_described, offered))}."
    if all(address.is_link_local for address in parsed):
        finding = f"{finding} Nobody gave this computer an address: the router may be off, or the Wi-Fi not joined."
        return Check(ADAPTERS, Status.DOUBTFUL, finding, _NO_NETWORK)
    if all(map(is_virtual, offered)):
        cure = "Join the Wi-Fi the others are on, or have them join the same VPN."
        return Check(ADAPTERS, Status.DOUBTFUL, f"{finding} All are virtual: a VPN or virtual machines.", cure)
    if all(address.version == 6 for address in parsed):  # noqa: PLR2004 - IPv6
        return Check(ADAPTERS, Status.DOUBTFUL, f"{finding} There is no IPv4 address.", _BY_ADDRESS)
    return Check(ADAPTERS, Status.GOOD, finding)


def try_ports(port: int, hosts: Sequence[str] = ()) -> tuple[Listening, ...]:
    """What comes of opening a port and the next one, for all adapters or for these addresses."""
    return tuple(Listening(number, _try_port(number, hosts)) for number in (port, port + 1))


def check_ports(tried: Sequence[Listening], *, ours: bool) -> Check:
    """What is to be said of two ports; `ours` tells that another p2p-hearts answers there."""
    first = tried[0].port
    refused = [one for one in tried if one.error]
    if not refused:
        return Check(PORTS, Status.GOOD, f"Ports {first} (the table) and {first + 1} (hello) are free.")
    port = refused[0].port
    if ours:
        finding = f"Another p2p-hearts of this computer uses port {first}: a table opened now is at another port."
        return Check(PORTS, Status.DOUBTFUL, finding, "Close the other one, or tell the others the port that is shown.")
    if refused[0].error == errno.EADDRINUSE:
        cure = f"Close it, or choose another port with --port; a table opened now would not be at port {first}."
        return Check(PORTS, Status.BAD, f"Port {port} is taken by another program.", cure)
    reason = "you may not" if refused[0].error == errno.EACCES else f"the system says error {refused[0].error}"
    return Check(PORTS, Status.BAD, f"Port {port} cannot be opened: {reason}.", "Choose another port with --port.")


def _unusable(adapter: str) -> str:
    return f"The adapter {adapter} has no address that others could use."


def _described(address: AdapterAddress) -> str:
    return f"{address.host} ({address.adapter}{', virtual, tried last' if is_virtual(address) else ''})"


def _try_port(port: int, hosts: Sequence[str]) -> int:
    for host in hosts or ("",):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            if sys.platform != "win32":  # there it would take a port from whoever has it
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((host, port))
                listening.listen(1)
            except OSError as error:
                return error.errno or errno.EIO
    return 0
