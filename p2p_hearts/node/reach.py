"""Why nobody is seen or reached, in sentences for a person, with what to do about it.

The law: what cannot be known from here is called likely and no more; every answer ends with a way on."""

import asyncio
import ipaddress
from collections.abc import Sequence

from p2p_hearts.node.addresses import AdapterAddress, Endpoint, endpoint_text

CONNECT_S = 2.0  # for a TCP connection on a local network; a system that refuses answers in milliseconds
ALONE = "This computer is on no network; you can still play against bots."

_APART = "Guest networks and some access points keep computers apart"


def why_empty(hosts: Sequence[str], problem: str) -> tuple[str, ...]:
    """Likely reasons why no table is seen from a computer at these addresses; `problem` is what went wrong with multicast,
    if it did."""
    return (
        problem or "Nobody on this network has a table open, as far as can be seen.",
        f"{_APART}; a firewall may block port 5353 (UDP).",
        f"This computer is at {' or '.join(hosts)}; a table opened here shows where others join it.",
        "Whoever has a table open can tell you its address or an invitation to join with; `doctor` looks for the fault.",
    )


async def why_silent(endpoint: Endpoint, adapters: Sequence[AdapterAddress]) -> str:
    """Why nobody answered hello at an endpoint: nothing there, or no way to it."""
    where = endpoint_text(endpoint)
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(endpoint.host, endpoint.port + 1)
    except ConnectionRefusedError:
        return f"Nobody answers at {where}: the computer is there, but no table at that port. Is it the one on the host’s screen?"
    except (OSError, TimeoutError):
        blocked = f"{_APART}, or a firewall blocks the port; a phone’s hotspot gets around the former."
        if _is_near(endpoint, adapters):
            return f"Nobody answers at {where}: the computer is off or elsewhere, or this network blocks it. {blocked}"
        return (
            f"Nobody answers at {where}, which is on another network than this computer: join the same one. {blocked}"
        )
    writer.close()
    return f"Nobody answers at {where}: something is there, but no table. Is that the address on the host’s screen?"


def _is_near(endpoint: Endpoint, adapters: Sequence[AdapterAddress]) -> bool:
    """Whether an address is in the network of one of our adapters."""
    there = ipaddress.ip_address(endpoint.host)
    for adapter in adapters:
        here = ipaddress.ip_address(adapter.host.partition("%")[0])
        if here.version == there.version and there in ipaddress.ip_network((here, adapter.prefix), strict=False):
            return True
    return False
