"""The doctor's findings, from what each system says of itself: how bad it is, in which words, and with which cure."""

import datetime as dt
import errno
import os
import re
import socket
import sys
import time
import tomllib
from pathlib import Path

import pytest

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.addresses import AdapterAddress
from p2p_hearts.node.doctor.bundle import adapters_as_kinds, make_bundle, redact
from p2p_hearts.node.doctor.check import Check, Status, failed
from p2p_hearts.node.doctor.examination import Patient, ask_system, bundle, examine
from p2p_hearts.node.doctor.firewall import check_linux, check_macos, check_macos_privacy, check_windows
from p2p_hearts.node.doctor.machine import NEEDED, check_clock, check_state, check_versions
from p2p_hearts.node.doctor.multicast import Echo, check_multicast
from p2p_hearts.node.doctor.network import Listening, check_adapters, check_ports, try_ports
from p2p_hearts.node.doctor.terminal import Terminal, check_terminal
from p2p_hearts.node.keystore import open_home
from p2p_hearts.node.transport.sockets import run

LO = AdapterAddress("lo", "127.0.0.1", 8)
WIFI = AdapterAddress("wlan0", "192.168.1.5", 24)
DOCKER = AdapterAddress("docker0", "172.17.0.1", 16)
VPN = AdapterAddress("tun0", "10.8.0.2", 32)

NFT_CLOSED = """table inet filter {
	chain input {
		type filter hook input priority filter; policy drop;
		ct state established,related accept
	}
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
}
"""
NFT_OPEN = """table ip nat {
	chain PREROUTING {
		type nat hook prerouting priority dstnat; policy accept;
		udp dport 53 drop
	}
}
table ip filter {
	chain INPUT {
		type filter hook input priority filter; policy accept;
		counter packets 0 bytes 0 jump ufw
	}
	chain other {
		drop
	}
}
"""
NFT_LAST_RULE = """table inet firewall {
	chain incoming {
		type filter hook input priority filter; policy accept;
		iif "lo" accept
		counter packets 3 bytes 180 reject with icmpx admin-prohibited
	}
}
"""


def test_adapters_are_told_in_the_order_in_which_they_are_offered() -> None:
    """FD7: the doctor names every address others may try, real ones first, and says which are virtual."""
    check = check_adapters((LO, DOCKER, VPN, WIFI))
    assert check.status is Status.GOOD
    assert check.finding == (
        "Others reach this computer at 192.168.1.5 (wlan0), 172.17.0.1 (docker0, virtual, tried last), "
        "10.8.0.2 (tun0, virtual, tried last)."
    )


@pytest.mark.parametrize(
    ("adapters", "status", "words"),
    [
        ((), Status.BAD, "on no network"),
        ((LO,), Status.BAD, "on no network"),
        ((LO, AdapterAddress("eth0", "fe80::1", 64)), Status.BAD, "The adapter eth0 has no address"),
        ((LO, AdapterAddress("eth0", "169.254.7.7", 16)), Status.DOUBTFUL, "Nobody gave this computer an address"),
        ((LO, DOCKER, VPN), Status.DOUBTFUL, "All are virtual"),
        ((LO, AdapterAddress("eth0", "2001:db8::5", 64)), Status.DOUBTFUL, "no IPv4 address"),
    ],
)
def test_adapters_that_do_not_serve(adapters: tuple[AdapterAddress, ...], status: Status, words: str) -> None:
    """No network is bad; an address nobody gave, a VPN alone or IPv6 alone are doubtful; each has its cure."""
    check = check_adapters(adapters)
    assert (check.status, words in check.finding, bool(check.cure)) == (status, True, True)


def test_multicast_is_judged_by_who_is_heard() -> None:
    """Others that answer are good, our own question alone is doubtful, and not even that, or an error, is bad."""
    checks = check_multicast(
        (
            Echo("192.168.1.5", returned=True, others=frozenset({"192.168.1.9"})),
            Echo("192.168.1.5", returned=True),
            Echo("192.168.1.5"),
            Echo("192.168.1.5", error="Operation not permitted"),
        )
    )
    assert [check.status for check in checks] == [Status.GOOD, Status.DOUBTFUL, Status.BAD, Status.BAD]
    assert checks[0].finding == "Multicast works at 192.168.1.5: 1 other device answered."
    assert "join by address or invitation" in checks[1].cure
    assert "5353 (UDP)" in checks[2].cure
    assert "(Operation not permitted)" in checks[3].finding
    assert check_multicast(())[0].status is Status.BAD


def test_ports_that_are_taken() -> None:
    """A port that another program has is bad, and one that another p2p-hearts has is not; both findings name the port."""
    free = (Listening(47104, 0), Listening(47105, 0))
    taken = (Listening(47104, 0), Listening(47105, errno.EADDRINUSE))
    assert check_ports(free, ours=False).status is Status.GOOD
    bad, ours = check_ports(taken, ours=False), check_ports(taken, ours=True)
    assert (bad.status, ours.status) == (Status.BAD, Status.DOUBTFUL)
    assert bad.finding == "Port 47105 is taken by another program."
    assert "--port" in bad.cure
    assert "Another p2p-hearts" in ours.finding
    assert "you may not" in check_ports((Listening(80, errno.EACCES),), ours=False).finding


@pytest.mark.network
def test_the_port_of_hello_is_tried_too() -> None:
    """The table's port is free and the next one taken: that is found."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        tried = try_ports(port - 1, ("127.0.0.1",))
    assert [(one.port, one.error) for one in tried][1] == (port, errno.EADDRINUSE)


@pytest.mark.parametrize(
    ("ufw", "firewalld", "ruleset", "status", "cure"),
    [
        ("# on\nENABLED=yes\nLOGLEVEL=low\n", None, None, Status.DOUBTFUL, "sudo ufw allow 47104:47135/tcp && sudo ufw allow 5353/udp"),
        ("#ENABLED=yes\nENABLED=no\n", None, None, Status.GOOD, ""),
        ("", "running\n", None, Status.DOUBTFUL, "--add-service=mdns --add-port=47104-47135/tcp"),
        ("", "not running\n", "", Status.GOOD, ""),
        ("", None, NFT_CLOSED, Status.DOUBTFUL, "sudo nft insert rule inet filter input tcp dport 47104-47135 accept"),
        ("", None, NFT_LAST_RULE, Status.DOUBTFUL, "sudo nft insert rule inet firewall incoming udp dport 5353 accept"),
        ("", None, NFT_OPEN, Status.GOOD, ""),
        ("", None, NFT_CLOSED.replace("ct state established,related", "tcp dport 47104-47135"), Status.GOOD, ""),
        ("", None, NFT_CLOSED.replace("ct state established,related", "tcp dport { 22, 47104 }"), Status.GOOD, ""),
        ("", None, NFT_CLOSED.replace("ct state established,related", "tcp dport 22"), Status.DOUBTFUL, "nft"),
    ],
)  # fmt: skip
def test_firewalls_of_linux(ufw: str, firewalld: str | None, ruleset: str | None, status: Status, cure: str) -> None:
    """ufw, firewalld and a chain of nftables that drops what comes in are found, each with the command that opens the
    ports; chains on other hooks, and rules that let our port in, are none."""
    check = check_linux(ufw, firewalld, ruleset, 47104)
    assert check.status is status
    assert cure in check.cure
    assert bool(cure) == bool(check.cure)


def test_firewalls_of_macos() -> None:
    """A firewall that blocks everything is bad, one that asks is doubtful, one that is off is good."""
    off, on = "Firewall is disabled. (State = 0)\n", "Firewall is enabled. (State = 1)\n"
    assert check_macos(off, "Firewall has block all state set to disabled.\n").status is Status.GOOD
    assert check_macos(on, "Firewall has block all state set to disabled.\n").status is Status.DOUBTFUL
    assert check_macos(on, "Firewall has block all state set to enabled.\n").status is Status.BAD
    assert check_macos(None, None).status is Status.DOUBTFUL


def test_the_local_network_privacy_of_macos() -> None:
    """Apple's own terminal is exempt; of another one macOS asks, and the finding names the terminal and the switch."""
    assert check_macos_privacy("Apple_Terminal").status is Status.GOOD
    code = check_macos_privacy("vscode")
    assert code.status is Status.DOUBTFUL
    assert "Visual Studio Code" in code.finding
    assert "Privacy & Security → Local Network" in code.cure


def test_the_public_profile_of_windows() -> None:
    """FD14: a network that Windows takes for Public is bad; the finding names network, adapter and profile, the cure both ways
    to change it."""
    said = '{"Name": "Kitchen 5G", "InterfaceAlias": "Wi-Fi", "NetworkCategory": 0}'
    (check,) = check_windows(said, 47104)
    assert check.status is Status.BAD
    assert "“Kitchen 5G” (Wi-Fi) for Public" in check.finding
    assert "Settings → Network & internet" in check.cure
    assert "Set-NetConnectionProfile -InterfaceAlias 'Wi-Fi' -NetworkCategory Private" in check.cure


def test_other_profiles_of_windows() -> None:
    """Several connections are told apart; a private one only asks once; words in place of numbers are read too."""
    said = (
        '[{"Name": "Home", "InterfaceAlias": "Wi-Fi", "NetworkCategory": 1},'
        ' {"Name": "VPN", "InterfaceAlias": "Ethernet 2", "NetworkCategory": "Public"}, 7]'
    )
    assert [check.status for check in check_windows(said, 47104)] == [Status.DOUBTFUL, Status.BAD]
    for nothing in (None, "", "not JSON", "[]"):
        (check,) = check_windows(nothing, 47104)
        assert check.status is Status.DOUBTFUL
        assert check.cure


def test_clocks() -> None:
    """A date before the program existed, and a clock that is moved while we look, are doubtful; the game minds neither."""
    today = dt.datetime(2026, 11, 30, 20, 15, tzinfo=dt.UTC)
    assert check_clock(today, 2.0, 2.01).status is Status.GOOD
    assert "moved by -8.0 s" in check_clock(today, -6.0, 2.0).finding
    assert check_clock(dt.datetime(1970, 1, 1, tzinfo=dt.UTC), 2.0, 2.0).status is Status.DOUBTFUL


def test_a_state_directory_in_order(tmp_path: Path) -> None:
    """Looking makes nothing: no key, no directory, and no start is counted."""
    fresh = tmp_path / "new" / "state"
    assert [check.status for check in check_state(fresh)] == [Status.GOOD]
    assert list(tmp_path.iterdir()) == []
    used = tmp_path / "used"
    with open_home(used, seeded(b"k" * 32)) as home:
        assert home.boot == 1
    before = sorted(path.name for path in used.iterdir())
    assert [check.status for check in check_state(used)] == [Status.GOOD]
    assert sorted(path.name for path in used.iterdir()) == before
    with open_home(used, seeded(b"k" * 32)) as home:
        assert home.boot == 2


def test_a_state_directory_in_use(tmp_path: Path) -> None:
    """Another program that has the directory is no fault, and it is said what it means."""
    state = tmp_path / "state"
    with open_home(state, seeded(b"k" * 32)):
        found = check_state(state)
    assert [check.status for check in found] == [Status.GOOD, Status.DOUBTFUL]
    assert "guest key" in found[1].finding


@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_state_directories_out_of_order(tmp_path: Path) -> None:
    """A directory others may look into, a damaged identity and a file in place of the directory are bad, with a cure."""
    open_to_all = tmp_path / "open"
    with open_home(open_to_all, seeded(b"k" * 32)):
        pass
    open_to_all.chmod(0o755)
    (check,) = check_state(open_to_all)
    assert check.status is Status.BAD
    assert "chmod 700" in check.finding
    open_to_all.chmod(0o700)
    (open_to_all / "identity").write_text("?")
    (check,) = check_state(open_to_all)
    assert "is damaged" in check.finding
    assert "move it away" in check.cure
    file = tmp_path / "file"
    file.write_text("")
    (check,) = check_state(file)
    assert check.status is Status.BAD


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without room for a game is bad, one with little room doubtful."""
    for free, status in ((1 << 20, Status.BAD), (100 << 20, Status.DOUBTFUL), (1 << 30, Status.GOOD)):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("p2p_hearts.node.doctor.machine.shutil.disk_usage", lambda _path, usage=usage: usage)
        assert [check.status for check in check_state(tmp_path / "state")] == [status]


def test_versions_are_those_of_the_project() -> None:
    """The versions that are asked for are those the project declares, and an older or missing library is named."""
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    assert dict(line.split(">=", 1) for line in declared) == NEEDED
    (good,) = check_versions(NEEDED)
    assert good.status is Status.GOOD
    old, missing = check_versions({**NEEDED, "pyzmq": "25.1.2", "segno": None})
    assert old.finding == "pyzmq is 25.1.2; 26 or newer is needed."
    assert missing.finding == "segno is missing; 1.6 or newer is needed."
    assert failed((old, missing))


def test_a_bundle_without_names() -> None:
    """Adapters, networks, folders, people, addresses and keys are not in a bundle; what kind they were is."""
    check = Check(
        "adapters",
        Status.GOOD,
        "Bob’s folder /home/bob/state at 192.168.1.5 (Bob's Wi-Fi), 8.8.8.8, fe80::1%eth0, 2001:4860::8 of bob in “Bobs Netz”: "
        "key 00112233445566778899aabbccddeeff.",
        "Set-NetConnectionProfile -InterfaceAlias 'Bob's Wi-Fi'",
    )
    private = {"/home/bob": "(home)", "/home/bob/state": "(state directory)", "bob": "(person)", "Bob": "(person)"}
    private |= adapters_as_kinds((AdapterAddress("Bob's Wi-Fi", "192.168.1.5", 24),))
    text = str(make_bundle([check], private, {"version": "1"}))
    assert "obs" not in text
    assert "bob" not in text.lower()
    assert not re.search(r"\d+\.\d+\.\d+\.\d+|fe80|2001|0011", text)
    assert (
        "(state directory) at (private IPv4 address) (adapter 1), (public IPv4 address), (link-local IPv6 address)"
        in text
    )
    assert "(public IPv6 address) of (person) in “…”: key (key)." in text


def test_a_bundle_keeps_what_is_no_secret() -> None:
    """Versions, ports, times and the project's own words stay as they are."""
    for text in (
        "pyzmq 27.3.0 on Linux 6.1.0-13-amd64, SQLite 3.40.1.",
        "sudo ufw allow 47104:47135/tcp",
        "The clock says 2026-11-30 20:15.",
    ):
        assert redact(text, {"bob": "(person)"}) == text


@pytest.mark.network
@pytest.mark.skipif(sys.platform == "win32", reason="asks PowerShell, which takes seconds")
def test_an_examination_on_loopback(tmp_path: Path) -> None:
    """All checks are made in a few seconds, whatever the network is; its bundle names neither the folder nor the address."""
    patient = Patient(tmp_path / "state", 48404, "lo0" if sys.platform == "darwin" else "lo", {})
    adapters = (AdapterAddress(patient.bind or "", "127.0.0.1", 8),)
    began = time.monotonic()
    checks = run(examine(patient, adapters))
    assert time.monotonic() - began < 15.0
    names = list(dict.fromkeys(check.name for check in checks))
    assert [name for name in names if name != "privacy"] == [
        "adapters", "multicast", "ports", "firewall", "clock", "state", "versions",
    ]  # fmt: skip
    assert failed(checks)  # loopback alone is no network
    text = str(bundle(patient, adapters, checks))
    assert str(tmp_path) not in text
    assert "127.0.0.1" not in text
    (check,) = run(examine(Patient(tmp_path, 48404, "wifi7", {}), adapters))
    assert (check.status, "There is no network adapter 'wifi7' here" in check.finding) == (Status.BAD, True)


def test_programs_of_the_system_may_be_missing() -> None:
    """A program that is not there, or fails, is no answer and no error."""
    assert ask_system(("no-such-program-anywhere",)) is None
    assert ask_system((sys.executable, "-c", "raise SystemExit(3)")) is None
    assert ask_system((sys.executable, "-c", "print('yes')")) == f"yes{os.linesep}"


@pytest.mark.parametrize(
    ("environment", "size", "encoding", "lines", "status", "words"),
    [
        ({"TERM": "xterm-256color"}, (80, 24), "utf-8", False, Status.GOOD, "80 columns and 24 lines. It shows 256 colours."),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, (200, 60), "utf-8", False, Status.GOOD, "all colours"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, (80, 24), "utf-8", False, Status.GOOD, "No colours"),
        ({"TERM": "xterm"}, (80, 24), "utf-8", False, Status.GOOD, "16 colours"),
        ({"TERM": "xterm"}, (60, 20), "utf-8", False, Status.DOUBTFUL, "60 columns"),
        ({"TERM": "xterm"}, (39, 24), "utf-8", False, Status.BAD, "39 columns"),
        ({"TERM": "xterm"}, (80, 11), "utf-8", False, Status.BAD, "11 lines"),
        ({}, (80, 24), "utf-8", True, Status.GOOD, "line by line"),
        ({"TERM": "xterm"}, (80, 24), "ascii", False, Status.BAD, "no signs for suits"),
        ({"TERM": "xterm"}, (80, 24), "cp1252", False, Status.BAD, "no signs for suits"),
        ({}, (80, 24), "", True, Status.BAD, "no signs for suits"),
    ],
)  # fmt: skip
def test_terminals(
    environment: dict[str, str], size: tuple[int, int], encoding: str, *, lines: bool, status: Status, words: str
) -> None:
    """Too small to show anything, and an encoding without suits, are bad; less than 80 by 24 is doubtful; without a screen
    there is line mode."""
    check = check_terminal(Terminal(*size, encoding, lines), (80, 24), (40, 12), environment)
    assert check.status is status
    assert words in check.finding
    assert bool(check.cure) == (status is not Status.GOOD)
