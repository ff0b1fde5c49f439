"""The doctor on machines and networks that are not well."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.netns import Host, network, running
from tests.e2e.players import player, until

DOCTOR = (sys.executable, "-m", "p2p_hearts", "doctor")
UTF8 = {**os.environ, "PYTHONUTF8": "1"}


def examined(machine: Host, *words: str) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit code, and the first finding of each name."""
    done = subprocess.run(machine.command(*words), capture_output=True, text=True, check=False, timeout=30, env=UTF8)
    assert done.stderr == "", done.stderr
    found: dict[str, dict[str, str]] = {}
    for check in json.loads(done.stdout):
        found.setdefault(check["name"], check)
    return done.returncode, found


@pytest.mark.netns
def test_a_computer_that_is_well(tmp_path: Path) -> None:
    """On a network with others nothing fails: they answer by multicast, the ports are free, and the address is the own one;
    while a table is open here, its port is another p2p-hearts' and no fault."""
    state = ("--state", str(tmp_path / "state"), "--json")
    with network(2) as (one, two):
        host = player(one, tmp_path, "Ann", "host", "--autoplay", "uniform")
        with running([host], tmp_path, ["Ann"]) as (ann,):
            assert until(lambda: "Others see this table" in ann.said())
            code, found = examined(two, *DOCTOR, *state)
            assert code == 0
            assert {name: check["status"] for name, check in found.items()} == dict.fromkeys(found, "good")
            assert f"{two.address} (eth0)" in found["adapters"]["finding"]
            assert "1 other device answered" in found["multicast"]["finding"]
            code, found = examined(one, *DOCTOR, *state)
            assert (code, found["ports"]["status"]) == (0, "doubtful")
            assert "Another p2p-hearts" in found["ports"]["finding"]
    assert not (tmp_path / "state").exists()


@pytest.mark.netns
def test_a_computer_without_network(tmp_path: Path) -> None:
    """Without any address the adapters and multicast fail, with the cure."""
    with network(1) as (machine,):
        subprocess.run(machine.command("ip", "address", "flush", "dev", "eth0"), check=True)
        code, found = examined(machine, *DOCTOR, "--state", str(tmp_path / "state"), "--json")
    assert code == 1
    assert (found["adapters"]["status"], found["multicast"]["status"]) == ("bad", "bad")
    assert "on no network" in found["adapters"]["finding"]
    assert "Join the Wi-Fi" in found["adapters"]["cure"]


@pytest.mark.netns
@pytest.mark.skipif(not shutil.which("nft"), reason="nft is not installed")
def test_multicast_that_a_firewall_blocks(tmp_path: Path) -> None:
    """A firewall that swallows multicast is noticed, whether it drops what comes in or what goes out, and named by its chain
    with the command that opens the ports."""
    for hook, words in (("input", "does not come back"), ("output", "Nothing can be sent")):
        rules = f"add table inet wall; add chain inet wall gate {{ type filter hook {hook} priority 0; policy drop; }}"
        with network(1) as (machine,):
            subprocess.run(machine.command("nft", rules), check=True)
            code, found = examined(machine, *DOCTOR, "--state", str(tmp_path / "state"), "--json")
        assert code == 1
        assert words in found["multicast"]["finding"]
        assert "5353" in found["multicast"]["cure"]
        if hook == "input":
            assert found["firewall"]["cure"].startswith(
                "sudo nft insert rule inet wall gate tcp dport 47104-47135 accept"
            )


@pytest.mark.netns
def test_a_network_that_carries_no_multicast(tmp_path: Path) -> None:
    """Where the switch keeps multicast from us, our own comes back and nobody else's: a doubt, with other ways to join."""
    with network(2) as (one, two):
        two.deafen()
        host = player(one, tmp_path, "Ann", "host", "--autoplay", "uniform")
        with running([host], tmp_path, ["Ann"]) as (ann,):
            assert until(lambda: "Others see this table" in ann.said())
            code, found = examined(two, *DOCTOR, "--state", str(tmp_path / "state"), "--json")
    assert (code, found["multicast"]["status"]) == (0, "doubtful")
    assert "join by address or invitation" in found["multicast"]["cure"]


@pytest.mark.netns
def test_a_port_that_another_program_has(tmp_path: Path) -> None:
    """The port taken by a stranger fails the check, names the port and the option; with another port all is well."""
    squat = "import socket, time; s = socket.create_server(('', 47105)); print('here', flush=True); time.sleep(60)"
    with (
        network(1) as (machine,),
        running([machine.command(sys.executable, "-c", squat)], tmp_path, ["squatter"]) as (squatter,),
    ):
        assert until(lambda: "here" in squatter.said())
        doctor = (*DOCTOR, "--state", str(tmp_path / "state"), "--json")
        code, found = examined(machine, *doctor)
        assert (code, found["ports"]["status"]) == (1, "bad")
        assert found["ports"]["finding"] == "Port 47105 is taken by another program."
        assert "--port" in found["ports"]["cure"]
        code, found = examined(machine, *doctor, "--port", "47200")
        assert (code, found["ports"]["status"]) == (0, "good")


@pytest.mark.netns
def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    """A state directory on a disk that is read-only, or full, fails the check with a sentence and the cure."""
    disk = tmp_path / "disk"
    disk.mkdir()
    doctor = f"exec {sys.executable} -m p2p_hearts doctor --json --state {disk}/state"
    read_only = f"mount -t tmpfs -o ro tmpfs {disk} && {doctor}"
    full = f"mount -t tmpfs -o size=1m tmpfs {disk} && {doctor}"
    with network(1) as (machine,):  # a command in a namespace has mounts of its own, which end with it
        code, found = examined(machine, "sh", "-c", read_only)
        assert (code, found["state"]["status"]) == (1, "bad")
        assert "Read-only file system" in found["state"]["finding"]
        assert "--state" in found["state"]["cure"]
        code, found = examined(machine, "sh", "-c", full)
        assert (code, found["state"]["status"]) == (1, "bad")
        assert "full but for 1 MiB" in found["state"]["finding"]
    assert list(disk.iterdir()) == []


@pytest.mark.netns
def test_a_bundle_of_a_real_table(tmp_path: Path) -> None:
    """After a table was played here, the bundle holds no key, no name, no address and no path of it."""
    bundle = tmp_path / "bundle.json"
    with network(1) as (machine,):
        host = player(machine, tmp_path, "Zebedee", "host", "--name", "Quagmire", "--autoplay", "uniform")
        with running([host], tmp_path, ["host"]) as (program,):
            assert until(lambda: "Others see this table" in program.said())
            state = tmp_path / "Zebedee.state"
            doctor = machine.command(*DOCTOR, "--state", str(state), "--bundle", str(bundle))
            done = subprocess.run(doctor, capture_output=True, text=True, check=False, timeout=30, env=UTF8)
            assert "Zebedee.state" in done.stdout
    text = bundle.read_text("utf-8")
    seed = (state / "identity").read_text("ascii").splitlines()[1]
    for private in ("Zebedee", "Quagmire", machine.address, seed, str(tmp_path), socket.gethostname(), "eth0"):
        assert private not in text, private
    assert len(json.loads(text)["journals"]) == 1
