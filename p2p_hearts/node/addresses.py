"""Where a program can be reached: its adapters' addresses in the order in which to offer them, and ADDRESS:PORT as typed.

The law: no address is thrown away because another looks better. Virtual adapters of VPNs and virtual machines are
offered last, never chosen by the default route; whoever dials tries all of them at once. Left out are loopback, unless
there is nothing else, and link-local IPv6, which means nothing without the dialler's own adapter.
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

import ifaddr

DEFAULT_PORT = 47104  # the mesh; hello answers on the next one
MAX_ADDRESSES = 8  # offered by one program; an adapter may hold dozens of temporary IPv6 addresses

_VIRTUAL = re.compile(
    r"docker|^br-|^veth|virbr|vboxnet|virtualbox|vmnet|vmware|vethernet|hyper-v|^(tun|tap|utun|wg|zt|ppp)\d*"
    r"|tailscale|zerotier|wsl|lxc|podman|bluetooth",
    re.IGNORECASE,
)
_HOST_PREFIX = 32  # an adapter whose network is one address: a VPN


class AddressError(ValueError):
    """What was typed is no address we can use; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A numeric address without brackets, and a TCP port."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AdapterAddress:
    """One address of one adapter; `prefix` is the number of network bits."""

    adapter: str
    host: str
    prefix: int


def endpoint_text(endpoint: Endpoint) -> str:
    """`192.168.1.5:47104`, or `[2001:db8::5]:47104`."""
    return f"[{endpoint.host}]:{endpoint.port}" if ":" in endpoint.host else f"{endpoint.host}:{endpoint.port}"


def parse_endpoint(text: str, default_port: int = DEFAULT_PORT) -> Endpoint:
    """The endpoint that was typed; the port may be left out.

    Raises:
        AddressError: with one sentence that says what is wrong.
    """
    text = text.strip()
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::(.*))?", text)
    if bracketed:
        host, port_text = bracketed[1], bracketed[2]
    elif text.count(":") > 1:
        host, port_text = text, None
    else:
        host, colon, rest = text.partition(":")
        port_text = rest if colon else None
    port = default_port if port_text is None else _parse_port(port_text)
    return Endpoint(_parse_host(host), port)


def usable_host(text: str) -> bool:
    """Whether a peer's claim to be reachable at this address is worth a try."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.is_multicast or address.is_unspecified or "%" in text:
        return False
    return not (address.version == 6 and address.is_link_local)  # noqa: PLR2004 - IPv6


def read_adapters() -> tuple[AdapterAddress, ...]:
    """All addresses of this machine, in the system's order; empty when the system will not say. Blocks for a moment."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return ()
    found: list[AdapterAddress] = []
    for adapter in adapters:
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.append(AdapterAddress(adapter.nice_name, host, ip.network_prefix))
    return tuple(found)


def own_hosts(adapters: Iterable[AdapterAddress]) -> tuple[str, ...]:
    """The addresses to offer to others, likeliest first, at most `MAX_ADDRESSES`."""
    usable = [a for a in adapters if usable_host(a.host)]
    outward = [a for a in usable if not ipaddress.ip_address(a.host).is_loopback]
    ranked = sorted(outward or usable, key=_rank)
    return tuple(dict.fromkeys(a.host for a in ranked))[:MAX_ADDRESSES]


def hosts_of_adapter(adapters: Iterable[AdapterAddress], wanted: str) -> tuple[str, ...]:
    """The addresses of the adapter that `--bind` names, by its name or by one of its addresses.

    Raises:
        AddressError: there is no such adapter; the sentence lists those there are.
    """
    known = [a for a in adapters if usable_host(a.host)]
    names = {a.adapter for a in known if wanted in (a.adapter, a.host)}
    if not names:
        there = ", ".join(sorted({f"{a.adapter} ({a.host})" for a in known})) or "none"
        message = f"There is no network adapter {wanted!r} here; there are: {there}."
        raise AddressError(message)
    return tuple(a.host for a in sorted((a for a in known if a.adapter in names), key=_rank))


def is_virtual(address: AdapterAddress) -> bool:
    """Whether the address looks like that of a VPN or of virtual machines, at which others seldom are."""
    alone = ipaddress.ip_address(address.host).version == 4 and address.prefix == _HOST_PREFIX  # noqa: PLR2004 - IPv4
    return alone or bool(_VIRTUAL.search(address.adapter))


def _rank(address: AdapterAddress) -> tuple[bool, bool, bool]:
    """IPv4 first, real adapters first, addresses nobody assigned (169.254) last."""
    parsed = ipaddress.ip_address(address.host)
    return parsed.is_link_local, is_virtual(address), parsed.version == 6  # noqa: PLR2004 - IPv6


def _parse_port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65535:  # noqa: PLR2004 - hello needs the next port
        message = f"The port must be a number from 1 to 65534, not {text!r}."
        raise AddressError(message)
    return int(text)


def _parse_host(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        message = f"{text!r} is no numeric address; write it like 192.168.1.5:47104 or [2001:db8::5]:47104."
        raise AddressError(message) from None
    if not usable_host(text):
        message = f"{text} cannot be dialled: it is a multicast, an empty or a link-local address."
        raise AddressError(message)
    return str(address)
