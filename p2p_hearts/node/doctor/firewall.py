"""Firewalls of Linux, macOS and Windows: whether one is there that may keep others out, and the command that opens the
ports. The law: nothing is changed here, and what only an administrator may read is not guessed at but called doubtful.

Sources: `man ufw`, `man firewall-cmd`, `man nft`; `socketfilterfw -h` of macOS; Get-NetConnectionProfile of Windows;
Apple TN3179 (local network privacy)."""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from p2p_hearts.node.addresses import DEFAULT_PORT
from p2p_hearts.node.doctor.check import Ask, Check, Status

FIREWALL = "firewall"
LAST_PORT = DEFAULT_PORT + 31  # sixteen pairs, so that several programs on one computer find room

_UFW = Path("/etc/ufw/ufw.conf")
_SOCKETFILTER = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_PROFILES = "Get-NetConnectionProfile | Select-Object Name, InterfaceAlias, NetworkCategory | ConvertTo-Json"
_CATEGORIES = {0: "Public", 1: "Private", 2: "DomainAuthenticated"}
_EXEMPT = {"", "Apple_Terminal"}  # of the local network privacy of macOS; the first is a login by ssh
_TERMINALS = {"vscode": "Visual Studio Code", "WarpTerminal": "Warp", "iTerm.app": "iTerm", "ghostty": "Ghostty"}


def check_firewall(ask: Ask, environment: Mapping[str, str], port: int) -> tuple[Check, ...]:
    """What is known of the firewall of this system."""
    if sys.platform == "win32":
        return check_windows(ask(("powershell", "-NoProfile", "-Command", _PROFILES)), port)
    if sys.platform == "darwin":
        states = (ask((_SOCKETFILTER, "--getglobalstate")), ask((_SOCKETFILTER, "--getblockall")))
        return (check_macos(*states), check_macos_privacy(environment.get("TERM_PROGRAM", "")))
    try:
        ufw = _UFW.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        ufw = ""
    return (check_linux(ufw, ask(("firewall-cmd", "--state")), ask(("nft", "list", "ruleset")), port),)


def check_linux(ufw: str, firewalld: str | None, ruleset: str | None, port: int) -> Check:
    """From the file `ufw.conf`, the state of firewalld, and the rules of nftables; None where they are not to be had."""
    ports = f"{port}:{max(port + 1, LAST_PORT)}" if port == DEFAULT_PORT else f"{port}:{port + 1}"
    dashed = ports.replace(":", "-")
    if re.search(r"^\s*ENABLED\s*=\s*yes", ufw, re.MULTILINE | re.IGNORECASE):
        cure = f"sudo ufw allow {ports}/tcp && sudo ufw allow 5353/udp"
        return Check(FIREWALL, Status.DOUBTFUL, "The firewall ufw is on and may keep others out.", cure)
    if firewalld is not None and firewalld.strip() == "running":
        cure = f"sudo firewall-cmd --add-service=mdns --add-port={dashed}/tcp (once more with --permanent to keep it)"
        return Check(FIREWALL, Status.DOUBTFUL, "The firewall firewalld is on and may keep others out.", cure)
    if ruleset is None:
        finding = "No firewall is to be seen; the rules of nftables are for the administrator to read."
        return Check(FIREWALL, Status.GOOD, finding)
    chain = _closed_chain(ruleset)
    if chain is None:
        return Check(FIREWALL, Status.GOOD, "No rule of nftables drops what comes in.")
    if _lets_in(ruleset, port):
        return Check(FIREWALL, Status.GOOD, f"The rules of nftables let port {port} in.")
    cure = f"sudo nft insert rule {chain} tcp dport {dashed} accept; sudo nft insert rule {chain} udp dport 5353 accept"
    return Check(FIREWALL, Status.DOUBTFUL, f"The rules of nftables ({chain}) may keep others out.", cure)


def check_macos(state: str | None, block_all: str | None) -> Check:
    """From what the application firewall says of itself."""
    if block_all is not None and re.search(r"block all.*(enabled|on)\b", block_all, re.IGNORECASE):
        cure = "System Settings → Network → Firewall → Options: switch off “Block all incoming connections”."
        return Check(FIREWALL, Status.BAD, "The firewall of macOS blocks all that comes in.", cure)
    if state is None:
        return Check(FIREWALL, Status.DOUBTFUL, "The firewall of macOS does not say how it is.", _MACOS_CURE)
    if "enabled" in state.lower() or re.search(r"state = [12]", state, re.IGNORECASE):
        finding = "The firewall of macOS is on: it asks once whether Python may accept connections."
        return Check(FIREWALL, Status.DOUBTFUL, finding, _MACOS_CURE)
    return Check(FIREWALL, Status.GOOD, "The firewall of macOS is off.")


_MACOS_CURE = "Answer “Allow”; afterwards: System Settings → Network → Firewall → Options, and allow Python there."


def check_macos_privacy(terminal: str) -> Check:
    """Whether macOS asks before the programs of this terminal may use the local network at all."""
    if terminal in _EXEMPT:
        return Check("privacy", Status.GOOD, "Programs of this terminal may use the local network.")
    name = _TERMINALS.get(terminal, terminal)
    finding = f"macOS lets programs of {name} use the local network only if you allow it; else all seems unreachable."
    cure = f"System Settings → Privacy & Security → Local Network: switch {name} on, or use Apple’s Terminal."
    return Check("privacy", Status.DOUBTFUL, finding, cure)


def check_windows(profiles: str | None, port: int) -> tuple[Check, ...]:
    """From the profiles of the connections, as JSON: which of them are Public, which blocks silently what comes in."""
    try:
        found = json.loads(profiles or "")
    except ValueError:
        cure = "Settings → Network & internet → Properties: the profile must be “Private”, not “Public”."
        return (Check(FIREWALL, Status.DOUBTFUL, "Windows does not say how its networks are set.", cure),)
    listed = [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]
    return tuple(_check_profile(one, port) for one in listed) or (
        Check(FIREWALL, Status.DOUBTFUL, "Windows names no network that is connected.", "Join the Wi-Fi first."),
    )


def _check_profile(profile: Mapping[str, object], port: int) -> Check:
    network, adapter = str(profile.get("Name", "?")), str(profile.get("InterfaceAlias", "?"))
    category = profile.get("NetworkCategory")
    category = _CATEGORIES.get(category, "?") if isinstance(category, int) else str(category)
    if category == "Public":
        finding = f"Windows takes the network “{network}” ({adapter}) for Public, and silently blocks what others send."
        cure = (
            f"Settings → Network & internet → {adapter} → {network} → “Private network”; or as administrator in PowerShell: "
            f"Set-NetConnectionProfile -InterfaceAlias '{adapter}' -NetworkCategory Private"
        )
        return Check(FIREWALL, Status.BAD, finding, cure)
    finding = (
        f"Windows takes the network “{network}” ({adapter}) for {category}: it asks once whether Python may be reached."
    )
    cure = (
        "Answer “Allow”. If it was refused, as administrator in PowerShell: New-NetFirewallRule -DisplayName p2p-hearts "
        f"-Direction Inbound -Protocol TCP -LocalPort {port}-{port + 31} -Profile Private -Action Allow"
    )
    return Check(FIREWALL, Status.DOUBTFUL, finding, cure)


def _closed_chain(ruleset: str) -> str | None:
    """The chain on the input hook that drops what no rule accepts, as `family table chain`, if there is one."""
    table = chain = ""
    for line in map(str.strip, ruleset.splitlines()):
        if found := re.match(r"table (\w+) (\S+) \{", line):
            table, chain = f"{found[1]} {found[2]}", ""
        elif found := re.match(r"chain (\S+) \{", line):
            name, chain = f"{table} {found[1]}", ""
        elif "hook input" in line:
            chain = name
            if "policy drop" in line:
                return chain
        elif chain and re.fullmatch(r"(counter .*)?(drop|reject.*)", line):
            return chain
    return None


def _lets_in(ruleset: str, port: int) -> bool:
    """Whether some rule accepts TCP at this port; a set of single ports is read as well as a range."""
    for rule in re.findall(r"tcp dport (.*?) .*\baccept", ruleset) + re.findall(
        r"tcp dport \{(.*?)\}.*\baccept", ruleset
    ):
        for low, high in re.findall(r"(\d+)(?:-(\d+))?", rule):
            if int(low) <= port <= int(high or low):
                return True
    return False
