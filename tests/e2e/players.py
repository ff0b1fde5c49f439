"""Players on the machines of a network: how they are started, what they have printed, and what they came to."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from p2p_hearts.cli.sheet import agreed
from tests.e2e.netns import Host, Program

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "June", "Kim")
PATIENCE = 100.0  # seconds; eleven programs on two cores that others use, too, need some


def player(machine: Host, folder: Path, name: str, *words: str) -> list[str]:
    """The command that runs `p2p-hearts WORDS` on a machine, with a state and a result of its own."""
    own = ["--as", name, "--state", str(folder / f"{name}.state"), "--result", str(result_of(folder, name))]
    log = ["--log", str(folder / f"{name}.log")]
    return machine.command(sys.executable, "-m", "p2p_hearts", *words, *own, *log)


def table_of_bots(machines: Sequence[Host], folder: Path, *options: str) -> list[list[str]]:
    """The first machine opens a table for all and begins when they sit there; the others find it by its name alone."""
    seats = ["--seats", str(max(6, len(machines))), "--bots", str(max(0, 6 - len(machines)))]
    opening = ["host", "--name", "Attic", "--admit", "open", *seats, *options]
    joining = ["join", "Attic"]
    return [
        player(machine, folder, name, *(joining if number else opening), "--autoplay", "cautious")
        for number, (machine, name) in enumerate(zip(machines, NAMES, strict=False))
    ]


def result_of(folder: Path, name: str) -> Path:
    """Where a player's result is."""
    return folder / f"{name}.json"


def results(folder: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """What the players have written."""
    return [json.loads(result_of(folder, name).read_text(encoding="utf-8")) for name in names]


def one_signed_result(folder: Path, names: Sequence[str]) -> dict[str, Any]:
    """The result that every player has written, alike and with everybody's valid signature."""
    written = results(folder, names)
    assert agreed(written), written
    return written[0]


def ended(programs: Sequence[Program]) -> list[int]:
    """The exit codes, once all have ended by themselves."""
    limit = time.monotonic() + PATIENCE
    codes = []
    for program in programs:
        try:
            codes.append(program.process.wait(max(0.1, limit - time.monotonic())))
        except subprocess.TimeoutExpired:
            raise AssertionError("\n\n".join(each.said()[-1500:] for each in programs)) from None
    return codes


def until(condition: Callable[[], bool], patience: float = PATIENCE) -> bool:
    """Whether the condition comes true in time."""
    limit = time.monotonic() + patience
    while not condition():
        if time.monotonic() >= limit:
            return False
        time.sleep(0.05)
    return True


def seconds_to_end(*programs: Program) -> float:
    """How long the slowest of some programs takes to end after all have been told to."""
    began = time.monotonic()
    for program in programs:
        program.process.send_signal(signal.SIGTERM)
    for program in programs:
        program.process.wait(10)
    return time.monotonic() - began
