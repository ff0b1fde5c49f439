"""All checks, in the order in which they are told, with the system asked once for each.

The law: nothing is left behind or changed, no check takes longer than a few seconds, and one that cannot be made says so
instead of stopping the others."""

import asyncio
import datetime as dt
import getpass
import platform
import secrets
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from p2p_hearts import __version__
from p2p_hearts.node.addresses import (
    AdapterAddress,
    AddressError,
    Endpoint,
    hosts_of_adapter,
    is_virtual,
    own_hosts,
    read_adapters,
)
from p2p_hearts.node.doctor.bundle import adapters_as_kinds, make_bundle
from p2p_hearts.node.doctor.check import Check, Status
from p2p_hearts.node.doctor.firewall import check_firewall
from p2p_hearts.node.doctor.machine import check_clock, check_state, check_versions, versions
from p2p_hearts.node.doctor.multicast import check_multicast, try_multicast
from p2p_hearts.node.doctor.network import ADAPTERS, check_adapters, check_ports, try_ports
from p2p_hearts.node.hello import HelloError, meet
from p2p_hearts.node.station import VERSION
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import make_curve_keys

ASK_S = 10.0  # for a program of the system; PowerShell takes seconds to start


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: the state directory, the port, the adapter (None: all) and the environment of this run."""

    directory: Path
    port: int
    bind: str | None
    environment: Mapping[str, str]


async def examine(patient: Patient, adapters: Sequence[AdapterAddress]) -> tuple[Check, ...]:
    """What was found. Takes about two seconds."""
    loop = asyncio.get_running_loop()
    began = time.time(), time.monotonic()
    try:
        bound = hosts_of_adapter(adapters, patient.bind) if patient.bind else ()
    except AddressError as error:
        return (Check(ADAPTERS, Status.BAD, str(error), "Choose one of these with --bind, or none at all."),)
    seen = [a for a in adapters if not bound or a.host in bound]
    ask_group = loop.run_in_executor(None, try_multicast, _multicast_hosts(seen))
    ask_firewall = loop.run_in_executor(None, check_firewall, ask_system, patient.environment, patient.port)
    tried = try_ports(patient.port, bound)
    ours = any(one.error for one in tried) and await _answers(Endpoint((*bound, "127.0.0.1")[0], patient.port))
    state = check_state(patient.directory)
    multicast, firewall = check_multicast(await ask_group), await ask_firewall
    clock = check_clock(dt.datetime.now(dt.UTC), time.time() - began[0], time.monotonic() - began[1])
    ports = check_ports(tried, ours=ours)
    return (check_adapters(seen), *multicast, ports, *firewall, clock, *state, *check_versions(versions()))


def adapters_here() -> tuple[AdapterAddress, ...]:
    """The adapters of this computer."""
    return read_adapters()


def bundle(patient: Patient, adapters: Sequence[AdapterAddress], checks: Sequence[Check]) -> dict[str, Any]:
    """What to write for a bug report."""
    tables = patient.directory / "tables"
    private = {
        **adapters_as_kinds(adapters),
        **dict.fromkeys((str(patient.directory), str(patient.directory.absolute())), "(state directory)"),
        str(Path.home()): "(home)",
        Path.home().name: "(person)",
        socket.gethostname(): "(computer)",
        platform.node(): "(computer)",
    }
    with suppress(OSError, KeyError, ImportError):  # no such thing here
        private[getpass.getuser()] = "(person)"
    facts = {
        "version": __version__,
        "protocol": VERSION,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "journals": sorted(path.stat().st_size for path in tables.glob("*.sqlite")),
    }
    return make_bundle(checks, private, facts)


def ask_system(words: Sequence[str]) -> str | None:
    """What a program of the system says, or None."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", errors="replace") if done.returncode == 0 else None


def _multicast_hosts(adapters: Sequence[AdapterAddress]) -> tuple[str, ...]:
    """Where to try multicast: the IPv4 addresses of real adapters, or, if there are none, of virtual ones."""
    hosts = [host for host in own_hosts(adapters) if ":" not in host and not host.startswith("127.")]
    virtual = {a.host for a in adapters if is_virtual(a)}
    return tuple(host for host in hosts if host not in virtual) or tuple(hosts)


async def _answers(endpoint: Endpoint) -> bool:
    """Whether a p2p-hearts answers at this port, of whatever version."""
    transport = Transport(make_curve_keys())
    try:
        await meet(transport.ask, (endpoint,), VERSION, secrets.token_bytes, 1.0)
    except HelloError as error:
        return error.version is not None
    finally:
        await transport.close()
    return True
