"""Networks as they are: tables that are found, joined and played where something does not work as it should."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from tests.e2e.netns import Host, Program, network, running
from tests.e2e.players import NAMES, ended, one_signed_result, player, results, table_of_bots, until

if sys.platform == "win32":
    pytest.skip("no namespaces and no such signals", allow_module_level=True)

pytestmark = pytest.mark.netns
LOBBY = ("host", "--name", "Attic", "--admit", "open", "--autoplay", "uniform")


@contextmanager
def attic(machine: Host, folder: Path, *options: str) -> Iterator[Program]:
    """A table that waits for players on a machine."""
    with running([player(machine, folder, "Ann", *LOBBY, *options)], folder, ["Ann"]) as (ann,):
        assert until(lambda: "Others see this table" in ann.said(), 20), ann.said()
        yield ann


def joins(machine: Host, folder: Path, ann: Program, *where: str) -> bool:
    """Whether Bob comes in to Ann's table from a machine."""
    with running([player(machine, folder, "Bob", "join", *where, "--autoplay", "uniform")], folder, ["Bob"]) as (bob,):
        return until(lambda: "Bob sits down" in ann.said() or bob.process.poll() is not None, 20) and (
            bob.process.poll() is None
        )


def test_a_guest_that_hears_no_multicast(tmp_path: Path) -> None:
    """FD11: a guest who is heard and does not hear what is said to all finds the table by its name, also one that was opened
    long after the guest began to look."""
    with network(2) as (host, guest):
        guest.deafen()
        lobby = _lobby(guest, tmp_path)
        time.sleep(1.0)
        with attic(host, tmp_path) as ann:
            lobby.expect_exact("Attic", timeout=20)
            lobby.terminate(force=True)
            assert joins(guest, tmp_path, ann, "Attic")


def test_a_host_that_hears_no_multicast(tmp_path: Path) -> None:
    """FD11: a host whom no question reaches announces itself again and again, so that a guest that comes later finds it."""
    with network(2) as (host, guest):
        host.deafen()
        with attic(host, tmp_path) as ann:
            time.sleep(4.0)  # the announcements of the first seconds are over
            assert joins(guest, tmp_path, ann, "Attic")


def test_a_network_without_multicast(tmp_path: Path) -> None:
    """FD12: where no multicast passes, the lobby says after ten seconds why it may be empty, where this computer is and how to
    join; and by the address one comes in."""
    with network(2) as (host, guest):
        host.deafen()
        guest.deafen()
        with attic(host, tmp_path) as ann:
            lobby = _lobby(guest, tmp_path)
            lobby.expect_exact("Nobody on this network has a table open", timeout=20)
            lobby.expect_exact(f"This computer is at {guest.address};")
            lobby.expect_exact("its address or an invitation")
            lobby.terminate(force=True)
            assert joins(guest, tmp_path, ann, host.address)


def test_a_network_that_keeps_computers_apart(tmp_path: Path) -> None:
    """FD12: where nothing at all passes between two computers, joining by address says that the network blocks it; where only
    the table is missing, that the computer is there."""
    with network(2) as (host, guest):
        join = player(guest, tmp_path, "Cleo", "join", host.address)
        missing = subprocess.run(join, capture_output=True, text=True, check=False, timeout=30)
        host.isolate()
        guest.isolate()
        blocked = subprocess.run(join, capture_output=True, text=True, check=False, timeout=30)
    assert (missing.returncode, blocked.returncode) == (3, 3)
    assert "the computer is there, but no table at that port" in missing.stderr
    (sentence,) = blocked.stderr.splitlines()
    assert f"Nobody answers at {host.address}:47104" in sentence
    assert "or this network blocks it" in sentence


def test_virtual_adapters_before_the_real_one(tmp_path: Path) -> None:
    """FD7: with adapters of a VPN and of virtual machines listed first, the real address is shown to join at, and a guest with
    equal virtual adapters comes in by the table's name; --bind chooses another by hand."""
    with network(2) as machines:
        host, guest = machines
        for machine in machines:
            _virtual_first(machine)
        with attic(host, tmp_path) as ann:
            assert f"join it at {host.address}:47104" in ann.said()
            listed = _tables(guest)
            assert [row["address"] for row in listed] == [f"{host.address}:47104"]
            assert joins(guest, tmp_path, ann, "Attic")
        with attic(host, tmp_path, "--bind", "docker0") as ann:
            assert "join it at 172.17.0.1:47104" in ann.said()


def test_an_address_that_leads_nowhere(tmp_path: Path) -> None:
    """FD8: of two addresses that a host offers the first swallows everything; by the second the guest is in all the same."""
    with network(2) as (host, guest):
        _ip(host, "address", "add", "10.78.0.1/24", "dev", "eth0")
        _ip(guest, "address", "add", "10.78.0.2/24", "dev", "eth0")
        nobody = ("lladdr", "02:00:00:00:00:99", "dev", "eth0", "nud", "permanent")
        _ip(guest, "neighbour", "add", host.address, *nobody)
        with attic(host, tmp_path) as ann:
            (row,) = _tables(guest)
            assert row["address"] == "10.78.0.1:47104"
            assert joins(guest, tmp_path, ann, "Attic")


def test_a_network_of_ipv6_alone(tmp_path: Path) -> None:
    """Where there is no IPv4, the table is found by itself, and joined by its address in brackets."""
    with network(2) as (host, guest):
        host.renumber("fd77::1/64")
        guest.renumber("fd77::2/64")
        with attic(host, tmp_path) as ann:
            assert "join it at [fd77::1]:47104" in ann.said()
            (row,) = _tables(guest)
            assert (row["address"], row["joinable"]) == ("[fd77::1]:47104", True)
            assert joins(guest, tmp_path, ann, "[fd77::1]:47104")


def test_equal_names_on_links_that_are_joined(tmp_path: Path) -> None:
    """FD1: two tables of one name, opened on links that are separated and then joined, are both listed, told apart by host
    and address."""
    with network(3) as (one, two, guest):
        one.unplug()
        two.unplug()
        bob = player(two, tmp_path, "Bob", *LOBBY)
        with attic(one, tmp_path), running([bob], tmp_path, ["Bob"]) as (other,):
            assert until(lambda: "Others see this table" in other.said(), 20)
            one.plug()
            two.plug()
            assert until(lambda: len(_tables(guest)) == 2, 15)
            rows = _tables(guest)
            assert [row["name"] for row in rows] == ["Attic", "Attic"]
            assert {(row["host"], row["address"]) for row in rows} == {
                ("Ann", f"{one.address}:47104"),
                ("Bob", f"{two.address}:47104"),
            }


def test_a_host_that_comes_back_elsewhere(tmp_path: Path) -> None:
    """FD5: a host that was killed and comes back at another port, with another key, is one joinable row with the new port."""
    with network(2) as (host, guest):
        with attic(host, tmp_path):
            (before,) = _tables(guest)
        with attic(host, tmp_path, "--port", "47300", "--state", str(tmp_path / "new")) as ann:
            assert until(lambda: [row["address"] for row in _joinable(guest)] == [f"{host.address}:47300"], 15)
            (after,) = _joinable(guest)
            assert after["table"] != before["table"]
            assert joins(guest, tmp_path, ann, "Attic")


def test_a_chosen_adapter_that_gets_another_address(tmp_path: Path) -> None:
    """A host that uses one adapter only follows it to its new address: the table is announced, and joined, there."""
    with network(2) as (host, guest):
        guest.renumber("10.88.0.2/24")
        with attic(host, tmp_path, "--bind", "eth0") as ann:
            host.renumber("10.88.0.1/24")
            assert until(lambda: [row["address"] for row in _joinable(guest)] == ["10.88.0.1:47104"], 20)
            assert joins(guest, tmp_path, ann, "Attic")


def test_a_network_that_comes_later(tmp_path: Path) -> None:
    """A lobby opened before there is a network says so, and shows the tables as soon as there is one."""
    with network(2) as (host, guest):
        _ip(guest, "address", "flush", "dev", "eth0")
        with attic(host, tmp_path):
            lobby = _lobby(guest, tmp_path)
            lobby.expect_exact("This computer is on no network", timeout=10)
            guest.renumber("10.77.0.2/24")
            lobby.expect_exact("Attic", timeout=20)
            lobby.terminate(force=True)


def test_two_programs_on_one_laptop(tmp_path: Path) -> None:
    """Two players on one machine share its address, take a pair of ports each, and play with a third elsewhere."""
    with network(2) as (host, laptop):
        commands = table_of_bots((host, laptop, laptop), tmp_path, "--hands", "1")
        with running(commands, tmp_path, NAMES[:3]) as programs:
            assert ended(programs) == [0] * 3
        assert sum("Port 47104 is taken" in program.said() for program in programs[1:]) == 1
    assert len(one_signed_result(tmp_path, NAMES[:3])["signatures"]) == 3


def test_two_that_let_nobody_in(tmp_path: Path) -> None:
    """Two players whose firewalls let nobody in dial the host, and play with each other through it."""
    with network(3) as machines:
        for machine in machines[1:]:
            _nft(machine, "policy drop;", "ct state established,related accept", "udp dport 5353 accept")
        with running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:3]) as programs:
            assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


def test_a_host_that_lets_nobody_in(tmp_path: Path) -> None:
    """A table that is announced and whose firewall lets nobody in is shown as such, with the likely reason."""
    with network(2) as (host, guest):
        _nft(host, "policy drop;", "ct state established,related accept", "udp dport 5353 accept")
        with attic(host, tmp_path):
            (row,) = _tables(guest, "5")
    assert (row["state"], row["joinable"]) == ("silent", False)
    assert row["reason"] == "It is announced but does not answer; a firewall may block its port."


def test_no_name_is_ever_asked_for(tmp_path: Path) -> None:
    """FD10: from finding the table to its result no program asks a name server anything, and none has a way out."""
    listen = (
        "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('', 53)); print('here', flush=True)\n"
        "while True: print('asked', s.recv(512), flush=True)"
    )
    resolv = tmp_path / "resolv.conf"
    with network(3) as machines:
        resolv.write_text(f"nameserver {machines[2].address}\n")
        ask = "import socket; socket.getaddrinfo('example.test', 1)"
        commands = [
            _with_resolver(command, resolv) for command in table_of_bots(machines[:2], tmp_path, "--hands", "1")
        ]
        with running([machines[2].command(sys.executable, "-c", listen)], tmp_path, ["server"]) as (server,):
            assert until(lambda: "here" in server.said())
            with running(commands, tmp_path, NAMES[:2]) as programs:
                assert ended(programs) == [0] * 2
            assert server.said() == "here\n"
            with running([_with_resolver(machines[0].command(sys.executable, "-c", ask), resolv)], tmp_path, ["ask"]):
                assert until(lambda: "asked" in server.said(), 10), "the test would not notice"


def test_a_laptop_that_sleeps(tmp_path: Path) -> None:
    """A player whose program stands still for seconds in the middle of a hand, as under a closed lid, is missed, and plays on
    when it wakes."""
    with (
        network(3) as machines,
        running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:3]) as programs,
    ):
        assert until(lambda: "Trick 1." in programs[0].said())
        programs[2].process.send_signal(signal.SIGSTOP)
        assert until(lambda: "Cleo has not been heard of for some seconds." in programs[0].said(), 20)
        programs[2].process.send_signal(signal.SIGCONT)
        assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


def test_a_player_that_gets_another_address(tmp_path: Path) -> None:
    """A player that is on another address in the middle of a hand, as after a change of Wi-Fi, plays on, and so do all."""
    with (
        network(3) as machines,
        running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:3]) as programs,
    ):
        assert until(lambda: "Trick 1." in programs[0].said())
        machines[2].renumber("10.77.0.99/24")
        assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


def test_everybody_gets_another_address(tmp_path: Path) -> None:
    """When all move to another Wi-Fi in the middle of a hand, nobody is where the others knew it to be; they find the host
    by its announcement, each other through the host, and play on."""
    with (
        network(3) as machines,
        running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:3]) as programs,
    ):
        assert until(lambda: "Trick 1." in programs[0].said())
        for number, machine in enumerate(machines):
            machine.renumber(f"10.88.0.{number + 100}/24")
        assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


def test_everybody_but_the_host_gets_another_address(tmp_path: Path) -> None:
    """Players who have lost each other and their host for good find together again: with no link to the host, another of
    them announces the table."""
    with (
        network(4) as machines,
        running(table_of_bots(machines, tmp_path, "--hands", "1", "--grace", "5"), tmp_path, NAMES[:4]) as programs,
    ):
        assert until(lambda: "Trick 1." in programs[0].said())
        programs[0].process.kill()
        for number, machine in enumerate(machines):
            machine.renumber(f"10.88.0.{number + 100}/24")
        assert ended(programs[1:]) == [0] * 3
    first, second, third = results(tmp_path, NAMES[1:4])
    assert first == second == third
    assert (first["hands"], len(first["signatures"])) == (1, 3)


def test_a_cut_longer_than_the_grace(tmp_path: Path) -> None:
    """FD18: of a player who is cut off for longer than the grace a bot plays the hand to its end; the owner, back on the
    network, has the seat again in a later one, and signs the result with the others."""
    with (
        network(3) as machines,
        running(
            table_of_bots(machines, tmp_path, "--hands", "8", "--option", "limit=1000", "--grace", "5"),
            tmp_path,
            NAMES[:3],
        ) as programs,
    ):
        assert until(lambda: "Trick 2." in programs[0].said())
        machines[2].unplug()
        assert until(
            lambda: "The hand goes on without Cleo: a bot plays until they are back." in programs[0].said(), 30
        )
        machines[2].plug()
        assert until(lambda: "Cleo is back." in programs[0].said(), 30)
        assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 8


def test_a_program_that_is_killed_and_goes_on(tmp_path: Path) -> None:
    """FD19: a program killed in the middle of a hand and started again at once takes over from its own dead connections, and
    plays the hand to its end with the cards it had."""
    with (
        network(3) as machines,
        running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:3]) as programs,
    ):
        assert until(lambda: "Trick 2." in programs[0].said())
        programs[2].process.kill()
        programs[2].process.wait()
        again = player(machines[2], tmp_path, NAMES[2], "continue", "--autoplay", "cautious")
        with running([again], tmp_path, ["again"]) as (cleo,):
            assert ended((*programs[:2], cleo)) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


def test_who_comes_to_a_running_game(tmp_path: Path) -> None:
    """Somebody who comes while a hand is played finds the table by its name and takes a bot's seat over from the next hand
    on; and who only looks on sees the cards that are played."""
    with (
        network(4) as machines,
        running(table_of_bots(machines[:2], tmp_path, "--watch"), tmp_path, NAMES[:2]) as programs,
    ):
        assert until(lambda: "Trick 1." in programs[0].said())
        late = player(machines[2], tmp_path, "Late", "join", "Attic", "--autoplay", "uniform")
        watch = player(machines[3], tmp_path, "Wendy", "watch", "Attic", "--plain")
        wendy = pexpect.spawn(watch[0], watch[1:], encoding="utf-8", timeout=40)
        with running([late], tmp_path, ["Late"]) as (guest,):
            wendy.expect(r"Trick \d+\.")
            wendy.terminate(force=True)
            assert until(lambda: "You play" in guest.said(), 40)
            assert until(lambda: "Late plays" in programs[0].said(), 40)


def _lobby(machine: Host, folder: Path) -> "pexpect.spawn[str]":
    command = player(machine, folder, "Dan", "--plain")
    return pexpect.spawn(command[0], command[1:], encoding="utf-8", timeout=10)


def _tables(machine: Host, seconds: str = "3") -> list[dict[str, object]]:
    words = machine.command(sys.executable, "-m", "p2p_hearts", "tables", "--wait", seconds, "--json")
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=30)
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def _joinable(machine: Host) -> list[dict[str, object]]:
    return [row for row in _tables(machine) if row["joinable"]]


def _with_resolver(command: Sequence[str], resolv: Path) -> list[str]:
    """The command with this name server; a command in a namespace has mounts of its own, which end with it."""
    inside = command.index(sys.executable)
    mount = f"mount --bind {resolv} /etc/resolv.conf && exec {shlex.join(command[inside:])}"
    return [*command[:inside], "sh", "-c", mount]


def _nft(machine: Host, policy: str, *rules: str) -> None:
    """A firewall on what comes in to a machine."""
    if not shutil.which("nft"):
        pytest.skip("nft is not installed")
    chain = f"add table inet wall; add chain inet wall gate {{ type filter hook input priority 0; {policy} }}; "
    lines = "; ".join(f"add rule inet wall gate {rule}" for rule in ("iif lo accept", *rules))
    subprocess.run(machine.command("nft", chain + lines), check=True, capture_output=True)


def _virtual_first(machine: Host) -> None:
    """Adapters as VPNs and virtual machines make them, listed before the real one, alike on every machine."""
    _ip(machine, "link", "set", "eth0", "down")
    for name, address in (("docker0", "172.17.0.1/16"), ("vboxnet0", "192.168.56.1/24"), ("tun0", "10.8.0.2/32")):
        _ip(machine, "link", "add", name, "type", "bridge")
        _ip(machine, "address", "add", address, "dev", name)
        _ip(machine, "link", "set", name, "up")
    _ip(machine, "link", "set", "eth0", "up")


def _ip(machine: Host, *words: Sequence[str] | str) -> None:
    subprocess.run(machine.command("ip", *map(str, words)), check=True, capture_output=True)
