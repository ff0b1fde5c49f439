"""Whole tables of real programs, each on a machine of its own, joined by nothing but a switch."""

import shlex
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest

from tests.e2e.netns import Host, network, running
from tests.e2e.players import (
    NAMES,
    PATIENCE,
    ended,
    one_signed_result,
    player,
    results,
    seconds_to_end,
    table_of_bots,
    until,
)


@pytest.mark.netns
@pytest.mark.parametrize("size", [6, 8, 11])
def test_a_whole_table(size: int, tmp_path: Path) -> None:
    """So many programs find the table by multicast alone, play two hands, and all write the same signed result."""
    with network(size) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "2")
        with running(commands, tmp_path, NAMES[:size]) as programs:
            assert ended(programs) == [0] * size
    result = one_signed_result(tmp_path, NAMES[:size])
    assert (result["hands"], result["seats"], len(result["signatures"])) == (2, size, size)
    assert sorted(result["names"].values()) == sorted(NAMES[:size])
    for points, unclaimed in zip(result["points"], result["unclaimed"], strict=True):
        assert sum(points.values()) + unclaimed == 52 or any(moon for moon in result["moon"])


@pytest.mark.netns
def test_two_that_cannot_reach_each_other(tmp_path: Path) -> None:
    """Two players between whom nothing travels, not even multicast, play with each other through the others."""
    with network(6) as machines:
        one, other = machines[4:]
        one.isolate()
        other.isolate()
        with running(table_of_bots(machines, tmp_path, "--hands", "1"), tmp_path, NAMES[:6]) as programs:
            assert until(lambda: "Trick 2." in programs[0].said())
            assert not _talk(one, other)
            assert _talk(one, machines[0])
            assert ended(programs) == [0] * 6
    assert one_signed_result(tmp_path, NAMES[:6])["hands"] == 1


@pytest.mark.netns
def test_a_cable_that_comes_back(tmp_path: Path) -> None:
    """A player whose cable is pulled for some seconds in the middle of a hand goes on playing, and so do all others."""
    with network(3) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "1")
        with running(commands, tmp_path, NAMES[:3]) as programs:
            assert until(lambda: "Trick 2." in programs[0].said())
            machines[2].unplug()
            time.sleep(4)
            assert [program.process.poll() for program in programs] == [None] * 3
            machines[2].plug()
            assert ended(programs) == [0] * 3
    assert one_signed_result(tmp_path, NAMES[:3])["hands"] == 1


@pytest.mark.netns
def test_two_with_one_name(tmp_path: Path) -> None:
    """Keys decide who is who: two people of one name, and bots beside them, play a hand."""
    with network(2) as machines:
        host = player(machines[0], tmp_path / "a", "Ann", "host", "--admit", "open", "--bots", "4", "--hands", "1")
        guest = player(machines[1], tmp_path / "b", "Ann", "join")
        for folder in "ab":
            (tmp_path / folder).mkdir()
        commands = [[*command, "--autoplay", "uniform"] for command in (host, guest)]
        with running(commands, tmp_path, "ab") as programs:
            assert ended(programs) == [0, 0]
    (first,), (second,) = results(tmp_path / "a", ["Ann"]), results(tmp_path / "b", ["Ann"])
    assert first == second
    assert {"Ann", "Ann 2"} < set(first["names"].values())
    assert len(set(first["operators"].values())) == 2


@pytest.mark.netns
def test_leaving_while_somebody_cannot_be_reached(tmp_path: Path) -> None:
    """A cable is pulled in the middle of a hand; every program still ends within two seconds when it is told to."""
    with network(3) as machines:
        commands = table_of_bots(machines, tmp_path)
        with running(commands, tmp_path, NAMES[:3]) as programs:
            assert until(lambda: "Trick 1." in programs[0].said())
            machines[2].unplug()
            assert seconds_to_end(*programs) < 2.0
            assert [program.process.returncode for program in programs] == [4] * 3


@pytest.mark.netns
def test_the_host_leaves_the_lobby(tmp_path: Path) -> None:
    """When the host leaves before the start, the next in joining order is the host, and the table is found there."""
    with network(3) as machines:
        host = ["host", "--name", "Attic", "--admit", "open", "--autoplay", "uniform"]
        first = player(machines[0], tmp_path, "Ann", *host)
        second = player(machines[1], tmp_path, "Bob", "join", "Attic", "--autoplay", "uniform")
        with running([first, second], tmp_path, ["Ann", "Bob"]) as (ann, bob):
            assert until(lambda: "sits down" in ann.said())
            assert seconds_to_end(ann) < 2.0
            assert until(lambda: "Bob is the host now." in bob.said())
            assert bob.said().splitlines()[-2:] == ["Ann has left the table.", "Bob is the host now."]
            assert "somebody" not in bob.said()
            time.sleep(1)
            listed = _run(machines[2].command(sys.executable, "-m", "p2p_hearts", "tables", "--wait", "3"))
            assert f"{machines[1].address}:47104" in listed
            assert "host Bob" in listed
            assert "1 of 6" in listed


@pytest.mark.netns
def test_a_guest_cut_off_from_the_lobby(tmp_path: Path) -> None:
    """A guest whose cable is pulled until the table goes on without it is told so once it is back, and opens no table of the
    same name, by which others would miss the one where the people are."""
    with network(3) as machines:
        host = ["host", "--name", "Attic", "--admit", "open", "--autoplay", "uniform"]
        commands = [
            player(machines[0], tmp_path, "Ann", *host),
            *(player(machines[n], tmp_path, NAMES[n], "join", "Attic", "--autoplay", "uniform") for n in (1, 2)),
        ]
        with running(commands, tmp_path, NAMES[:3]) as (ann, _, cleo):
            assert until(lambda: ann.said().count("sits down") == 2)
            machines[2].unplug()
            assert until(lambda: "Cleo has left the table." in ann.said())
            machines[2].plug()
            assert until(lambda: "The table has gone on without you" in cleo.said())
            assert cleo.process.wait(5) == 4
            assert "host now" not in cleo.said()
            listed = _run(machines[2].command(sys.executable, "-m", "p2p_hearts", "tables", "--wait", "3"))
            assert "host Ann" in listed
            assert "2 of 6" in listed


@pytest.mark.netns
def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """The second program on a machine takes the next port, says so in one line, and is found there all the same."""
    with network(2) as (one, two):
        commands = [
            player(one, tmp_path, name, "host", "--name", name, "--autoplay", "uniform") for name in ("First", "Second")
        ]
        with running(commands, tmp_path, ["First", "Second"]) as (first, second):
            assert until(lambda: "Port 47104 is taken" in first.said() + second.said())
            loser = second if "is taken" in second.said() else first
            lines = [line for line in loser.said().splitlines() if "taken" in line]
            assert lines == ["Port 47104 is taken, so this program listens at port 47106."]
            tables = two.command(sys.executable, "-m", "p2p_hearts", "tables", "--wait", "3")
            listed = _run(tables)
            assert {line.split()[0] for line in listed.splitlines()} == {"First", "Second"}
            assert f"{one.address}:47104" in listed
            assert f"{one.address}:47106" in listed


@pytest.mark.netns
def test_no_network_at_all(tmp_path: Path) -> None:
    """Without any adapter one still plays alone, and the lobby says why no table is there."""
    with network(1) as (machine,):
        subprocess.run(machine.command("ip", "link", "delete", "eth0"), check=True)
        solo = player(machine, tmp_path, "Ann", "solo", "--hands", "1", "--autoplay", "cautious")
        with running([solo], tmp_path, ["Ann"]) as programs:
            assert ended(programs) == [0]
        assert one_signed_result(tmp_path, ["Ann"])["hands"] == 1
        lobby = pexpect.spawn(shlex.join(player(machine, tmp_path, "Bob", "--plain")), encoding="utf-8", timeout=10)
        lobby.expect_exact("This computer is on no network; you can still play against bots.")
        lobby.sendline("q")
        lobby.expect(pexpect.EOF)
        lobby.close()
        assert lobby.exitstatus == 0


def _talk(one: Host, other: Host) -> bool:
    """Whether there is a TCP connection between two machines."""
    return other.address in _run(one.command("ss", "--tcp", "--numeric", "--no-header", "state", "established"))


def _run(command: list[str]) -> str:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
