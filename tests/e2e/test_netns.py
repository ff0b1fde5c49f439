"""The network the end-to-end tests run on is a network: machines in it find each other by multicast, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.netns import network, running

ADVERTISE = """
import socket, sys, time
from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf
with Zeroconf([sys.argv[1]], ip_version=IPVersion.V4Only) as zeroconf:
    zeroconf.register_service(ServiceInfo("_p2p-probe._tcp.local.", "one._p2p-probe._tcp.local.", 4711,
                                          addresses=[socket.inet_aton(sys.argv[1])]))
    time.sleep(30)
"""
LOOK = """
import sys
from zeroconf import InterfaceChoice, IPVersion, Zeroconf
with Zeroconf([sys.argv[1]], ip_version=IPVersion.V4Only) as zeroconf:
    info = zeroconf.get_service_info("_p2p-probe._tcp.local.", "one._p2p-probe._tcp.local.", timeout=10_000)
    print(info.parsed_addresses()[0], info.port)
"""


@pytest.mark.netns
def test_two_machines_find_each_other_by_multicast(tmp_path: Path) -> None:
    """What one namespace advertises by mDNS another one finds, with its address; after the cable is cut, it is gone."""
    with network(2) as (one, two):
        advertise = one.command(sys.executable, "-c", ADVERTISE, one.address)
        look = two.command(sys.executable, "-c", LOOK, two.address)
        with running([advertise], tmp_path, ["advertise"]):
            found = subprocess.run(look, capture_output=True, text=True, check=False)
            assert found.stdout.split() == [one.address, "4711"], found.stderr
        one.unplug()
        ping = [sys.executable, "-c", f"import socket; socket.create_connection(('{one.address}', 9), timeout=1)"]
        assert b"timed out" in subprocess.run(two.command(*ping), capture_output=True, check=False).stderr


@pytest.mark.netns
def test_nothing_stays_behind() -> None:
    """The namespaces are gone after the test, and there is no way out of them while they are there."""
    with network(1) as (host,):
        routes = subprocess.run(host.command("ip", "route"), capture_output=True, text=True, check=True).stdout
        assert "default" not in routes
    left = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert host.namespace not in left
