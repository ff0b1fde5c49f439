"""A network of its own for a test: namespaces for hosts, joined by one bridge, and programs that run in them.

The law: the network of the machine is not touched (the bridge, too, lives in a namespace), there is no way out of it, and
nothing stays behind, also when an earlier run was killed. Needs root and iproute2.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

PREFIX = "p2ph"
_numbers = count()


@dataclass(frozen=True, slots=True)
class Host:
    """One machine of the network: a namespace with one adapter."""

    namespace: str
    address: str
    port: str  # its end of the cable, at the switch

    def command(self, *words: str) -> list[str]:
        """The command that runs these words on this machine."""
        return ["ip", "netns", "exec", self.namespace, *words]

    def unplug(self) -> None:
        """Pull the cable out of the switch."""
        _ip("-n", self.port.partition(":")[0], "link", "set", self.port.partition(":")[2], "down")

    def plug(self) -> None:
        """Put it back."""
        _ip("-n", self.port.partition(":")[0], "link", "set", self.port.partition(":")[2], "up")

    def isolate(self) -> None:
        """Have the switch carry nothing between this machine and others that are isolated, as some access points do."""
        switch, port = self.port.split(":")
        _ip("-n", switch, "link", "set", port, "type", "bridge_slave", "isolated", "on")

    def renumber(self, address: str) -> None:
        """Give it another address in place of all it has, as another Wi-Fi does."""
        _ip("-n", self.namespace, "address", "flush", "dev", "eth0")
        _ip("-n", self.namespace, "address", "add", address, "dev", "eth0", *(("nodad",) if ":" in address else ()))

    def deafen(self) -> None:
        """Have the switch keep all multicast from this machine, as some access points do; what it says is still heard."""
        switch, port = self.port.split(":")
        _ip("-n", switch, "link", "set", port, "type", "bridge_slave", "mcast_flood", "off")


@contextmanager
def split(hosts: Sequence[Host]) -> Iterator[None]:
    """Put these machines on a switch of their own for a while: they hear each other, and nobody else."""
    switch = hosts[0].port.partition(":")[0]
    _ip("-n", switch, "link", "add", "other", "type", "bridge", "mcast_snooping", "0")
    _ip("-n", switch, "link", "set", "other", "up")
    for host in hosts:
        _ip("-n", switch, "link", "set", host.port.partition(":")[2], "master", "other")
    try:
        yield
    finally:
        for host in hosts:
            _ip("-n", switch, "link", "set", host.port.partition(":")[2], "master", "bridge")


def why_not() -> str | None:
    """Why this machine can make no such network, or None."""
    if sys.platform != "linux":
        return "network namespaces are a thing of Linux"
    if not shutil.which("ip"):
        return "iproute2 is not installed"
    if os.geteuid() != 0:
        return "network namespaces need root"
    probe = f"{PREFIX}-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    used = subprocess.run(["ip", "netns", "exec", probe, "true"], capture_output=True, text=True, check=False)
    subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return (made.stderr + used.stderr).strip() if made.returncode or used.returncode else None


@contextmanager
def network(size: int) -> Iterator[tuple[Host, ...]]:
    """So many machines on one bridge, each with an address of 10.77.0.0/24 and no way out."""
    _sweep()
    tag = f"{PREFIX}-{os.getpid()}-{next(_numbers)}"
    switch = f"{tag}-switch"
    hosts = tuple(Host(f"{tag}-{i}", f"10.77.0.{i + 1}", f"{switch}:port{i}") for i in range(size))
    try:
        _ip("netns", "add", switch)
        # without a querier on the bridge, snooping would drop multicast after a while
        _ip("-n", switch, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
        _ip("-n", switch, "link", "set", "bridge", "up")
        for i, host in enumerate(hosts):
            _connect(host, switch, f"port{i}")
        yield hosts
    finally:
        for name in (switch, *(host.namespace for host in hosts)):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs on a host; what it says goes to a file."""

    process: subprocess.Popen[bytes]
    output: Path

    def said(self) -> str:
        """All it has printed so far."""
        return self.output.read_text(encoding="utf-8", errors="replace")


@contextmanager
def running(commands: Sequence[Sequence[str]], folder: Path, names: Sequence[str]) -> Iterator[tuple[Program, ...]]:
    """The programs, started in this order, each in a process group of its own, all ended at the end."""
    programs: list[Program] = []
    try:
        for command, name in zip(commands, names, strict=True):
            output = folder / f"{name}.out"
            with output.open("wb") as file:
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
                )
            programs.append(Program(process, output))
        yield tuple(programs)
    finally:
        for program in programs:
            _kill(program.process)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _connect(host: Host, switch: str, port: str) -> None:
    _ip("netns", "add", host.namespace)
    _ip("link", "add", "eth0", "netns", host.namespace, "type", "veth", "peer", "name", port, "netns", switch)
    _ip("-n", switch, "link", "set", port, "master", "bridge", "up")
    _ip("-n", host.namespace, "link", "set", "lo", "up")
    _ip("-n", host.namespace, "address", "add", f"{host.address}/24", "dev", "eth0")
    _ip("-n", host.namespace, "link", "set", "eth0", "up")


def _sweep() -> None:
    """Remove the networks of test runs that were killed."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout
    for name in (line.split()[0] for line in listed.splitlines() if line.startswith(f"{PREFIX}-")):
        if not Path("/proc", name.split("-")[1]).exists():
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
