"""`doctor`: what will not work here, and the cure; a line a finding, for programs as JSON, for a bug report as a file."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts.cli.commands import Doctor
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.console.below import below
from p2p_hearts.console.fragments import fit
from p2p_hearts.console.language import N_, _, n_
from p2p_hearts.console.parts import MIN_HEIGHT, MIN_WIDTH
from p2p_hearts.console.plain import needs_lines
from p2p_hearts.node.doctor.bundle import as_fields
from p2p_hearts.node.doctor.check import Check, Status, failed
from p2p_hearts.node.doctor.examination import Patient, adapters_here, bundle, examine
from p2p_hearts.node.doctor.terminal import Terminal, check_terminal
from p2p_hearts.node.keystore import default_directory
from p2p_hearts.node.transport.sockets import run

USUAL = (80, 24)  # columns and lines, for which the screens are made
HOW = {Status.GOOD: N_("good"), Status.DOUBTFUL: N_("doubtful"), Status.BAD: N_("bad")}
WHAT = {
    "adapters": N_("adapters"), "multicast": N_("multicast"), "ports": N_("ports"), "firewall": N_("firewall"),
    "privacy": N_("privacy"), "clock": N_("clock"), "state": N_("state"), "versions": N_("versions"),
    "terminal": N_("terminal"),
}  # fmt: skip


def run_doctor(command: Doctor) -> Exit:
    """Look, and print; a check that failed is exit code 1.

    Raises UnreadableError: the bundle cannot be written.
    """
    adapters = adapters_here()
    patient = Patient(command.state or default_directory(), command.port, command.bind, os.environ)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    size = shutil.get_terminal_size(USUAL)
    by_lines = needs_lines(os.environ, terminal=terminal)
    there = Terminal(size.columns, size.lines, sys.stdout.encoding or "", by_lines)
    checks = (
        *run(examine(patient, adapters)),
        check_terminal(there, USUAL, (MIN_WIDTH, MIN_HEIGHT), os.environ),
    )
    if command.json:
        print(json.dumps([as_fields(check) for check in checks], indent=1))
    else:
        print("\n".join(lines(checks)))
    if command.bundle is not None:
        _write(command.bundle, json.dumps(bundle(patient, adapters, checks), indent=1) + "\n")
        said = _(
            "The bundle is in {path}: no key and no name is in it. Read it before you send it.", path=command.bundle
        )
        print(said, file=sys.stderr)
    return Exit.CHECK_FAILED if failed(checks) else Exit.DONE


def lines(checks: Sequence[Check]) -> list[str]:
    """What a person reads: how it is, what was looked at, the finding; below it the cure."""
    told: list[str] = []
    for check in checks:
        told.append(f"{fit(_(HOW[check.status]), 9)} {fit(_(WHAT[check.name]), 10)} {below(check.finding)}")
        if check.cure:
            told.append(f"{'':20} → {below(check.cure)}")
    if bad := sum(check.status is Status.BAD for check in checks):
        told.append(
            n_(
                "{n} thing will not work here; the arrows say what to do.",
                "{n} things will not work here; the arrows say what to do.",
                bad,
            )
        )
    elif any(check.status is Status.DOUBTFUL for check in checks):
        told.append(_("Nothing is wrong for certain; the arrows say what to do if it is."))
    else:
        told.append(_("Nothing is wrong."))
    return told


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnreadableError(f"The bundle cannot be written to {path}: {error.strerror}.") from error
