"""`doctor`: what will not work here, and the cure; a line a finding, for programs as JSON, for a bug report as a file."""

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from p2p_hearts.cli.commands import Doctor
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.console.parts import MIN_HEIGHT, MIN_WIDTH
from p2p_hearts.console.plain import needs_lines
from p2p_hearts.node.doctor.bundle import as_fields
from p2p_hearts.node.doctor.check import Check, Status, failed
from p2p_hearts.node.doctor.examination import Patient, adapters_here, bundle, examine
from p2p_hearts.node.keystore import default_directory
from p2p_hearts.node.transport.sockets import run

TERMINAL = "terminal"
USUAL = (80, 24)  # columns and lines, for which the screens are made
SUITS = "♠♥♦♣"


def run_doctor(command: Doctor) -> Exit:
    """Look, and print; a check that failed is exit code 1.

    Raises UnreadableError: the bundle cannot be written.
    """
    adapters = adapters_here()
    patient = Patient(command.state or default_directory(), command.port, command.bind, os.environ)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    size = shutil.get_terminal_size(USUAL)
    checks = (
        *run(examine(patient, adapters)),
        check_terminal(os.environ, (size.columns, size.lines), sys.stdout.encoding, terminal=terminal),
    )
    if command.json:
        print(json.dumps([as_fields(check) for check in checks], indent=1))
    else:
        print("\n".join(lines(checks)))
    if command.bundle is not None:
        _write(command.bundle, json.dumps(bundle(patient, adapters, checks), indent=1) + "\n")
        print(
            f"The bundle is in {command.bundle}: no key and no name is in it. Read it before you send it.",
            file=sys.stderr,
        )
    return Exit.CHECK_FAILED if failed(checks) else Exit.DONE


def lines(checks: Sequence[Check]) -> list[str]:
    """What a person reads: how it is, what was looked at, the finding; below it the cure."""
    told: list[str] = []
    for check in checks:
        told.append(f"{check.status.value:8}  {check.name:9}  {check.finding}")
        if check.cure:
            told.append(f"{'':19}  → {check.cure}")
    bad = sum(check.status is Status.BAD for check in checks)
    doubtful = sum(check.status is Status.DOUBTFUL for check in checks)
    if bad:
        told.append(f"{bad} {'thing' if bad == 1 else 'things'} will not work here; the arrows say what to do.")
    else:
        told.append(
            "Nothing is wrong." if not doubtful else "Nothing is wrong for certain; the arrows say what to do if it is."
        )
    return told


def check_terminal(
    environment: Mapping[str, str], size: tuple[int, int], encoding: str | None, *, terminal: bool
) -> Check:
    """From the size in columns and lines, the encoding of the output, and what the environment says of colours."""
    try:
        SUITS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        finding = f"The terminal’s encoding ({encoding}) has no signs for suits."
        return Check(
            TERMINAL, Status.BAD, finding, "Set LANG=C.UTF-8 (or PYTHONUTF8=1), and use a terminal that shows UTF-8."
        )
    if needs_lines(environment, terminal=terminal):
        finding = "This is no terminal with a screen: the game is played line by line."
        return Check(TERMINAL, Status.GOOD, finding)
    finding = f"The terminal has {size[0]} columns, {size[1]} lines, {_colours(environment)} and {encoding}."
    if size[0] < MIN_WIDTH or size[1] < MIN_HEIGHT:
        cure = f"Enlarge the window to {USUAL[0]}×{USUAL[1]}, make the letters smaller, or play with --plain."
        return Check(TERMINAL, Status.BAD, finding, cure)
    if size[0] < USUAL[0] or size[1] < USUAL[1]:
        return Check(TERMINAL, Status.DOUBTFUL, finding, f"In a window of {USUAL[0]}×{USUAL[1]} everything has room.")
    return Check(TERMINAL, Status.GOOD, finding)


def _colours(environment: Mapping[str, str]) -> str:
    if environment.get("NO_COLOR"):
        return "no colours (NO_COLOR is set)"
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return "all colours"
    return "256 colours" if "256" in environment.get("TERM", "") else "16 colours"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnreadableError(f"The bundle cannot be written to {path}: {error.strerror}.") from error
