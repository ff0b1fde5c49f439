"""The computer itself: its clock, the state directory and the versions of what the program is built on.

The law: looking changes nothing: no key is made and no start is counted."""

import datetime as dt
import platform
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from p2p_hearts.node.doctor.check import Check, Status
from p2p_hearts.node.keystore import KeystoreError, inspect

CLOCK, STATE, VERSIONS = "clock", "state", "versions"
RELEASED = dt.date(2026, 1, 1)  # no program of ours is older; a clock that says so has lost its battery
MIN_FREE, FEW_FREE = 16 << 20, 256 << 20  # bytes; a long game at eleven peers keeps about ten MiB
MAX_DRIFT_S = 0.5  # between the clock of the wall and that of the program while we look

NEEDED = {  # as in pyproject.toml, with which the tests compare it
    "ifaddr": "0.2",
    "msgpack": "1.0.8",
    "numpy": "1.26",
    "platformdirs": "4",
    "prompt_toolkit": "3.0.43",
    "pyzmq": "26",
    "rbcl": "1.1.1",
    "segno": "1.6",
    "spake2": "0.9",
    "zeroconf": "0.132",
}


def check_clock(now: dt.datetime, wall_s: float, program_s: float) -> Check:
    """From the date, and how far both clocks went while we looked. The game keeps time by the second, which no date moves."""
    if now.date() < RELEASED:
        finding = f"The clock says {now:%Y-%m-%d}: your history will hold wrong dates; the game itself does not mind."
        return Check(CLOCK, Status.DOUBTFUL, finding, "Set the date, or have the system set it by the network.")
    if abs(wall_s - program_s) > MAX_DRIFT_S:
        finding = f"The clock was moved by {wall_s - program_s:+.1f} s while we looked."
        return Check(CLOCK, Status.DOUBTFUL, finding, "See which program sets the clock; one is enough.")
    return Check(CLOCK, Status.GOOD, f"The clock says {now:%Y-%m-%d %H:%M}.")


def check_state(directory: Path) -> tuple[Check, ...]:
    """Whether the state directory can be used: what is in it, the disk below it, and who has it locked."""
    try:
        locked = inspect(directory)
        there = directory if directory.is_dir() else next(p for p in directory.absolute().parents if p.is_dir())
        with tempfile.TemporaryFile(dir=there, prefix=".p2p-hearts-") as draft:
            draft.write(bytes(65536))
            draft.flush()
        free = shutil.disk_usage(there).free
    except KeystoreError as error:
        sentence, _, cure = str(error).partition("; ")
        return (Check(STATE, Status.BAD, sentence, cure or "Choose another folder with --state."),)
    except OSError as error:
        finding = f"Nothing can be written to the state directory {directory}: {error.strerror}."
        return (Check(STATE, Status.BAD, finding, "Choose a folder that is yours with --state."),)
    found = [_check_space(directory, free)]
    if locked:
        finding = (
            "Another p2p-hearts of yours is running: one started now plays under a guest key, without your history."
        )
        found.append(Check(STATE, Status.DOUBTFUL, finding, "Close the other one, or give this one its own --state."))
    return tuple(found)


def check_versions(found: Mapping[str, str | None]) -> tuple[Check, ...]:
    """From the version of every library; None where it is not installed."""
    bad = [
        Check(VERSIONS, Status.BAD, f"{name} is {version or 'missing'}; {needed} or newer is needed.", _INSTALL)
        for name, needed in NEEDED.items()
        if (version := found[name]) is None or _numbers(version) < _numbers(needed)
    ]
    listed = ", ".join(f"{name} {version}" for name, version in found.items())
    python = f"Python {platform.python_version()} on {platform.system()} {platform.release()}, SQLite {sqlite3.sqlite_version}"
    return tuple(bad) or (Check(VERSIONS, Status.GOOD, f"{python}; {listed}."),)


_INSTALL = "Install p2p-hearts again (`pip install --upgrade .`), or use scripts/play.py, which brings its own."


def versions() -> dict[str, str | None]:
    """The installed version of every library."""
    found: dict[str, str | None] = {}
    for name in NEEDED:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def _check_space(directory: Path, free: int) -> Check:
    mebibytes = f"{free / (1 << 20):,.0f} MiB"
    if free < MIN_FREE:
        finding = f"The disk of the state directory {directory} is full but for {mebibytes}: a game would stop."
        return Check(STATE, Status.BAD, finding, "Make room, or choose another disk with --state.")
    if free < FEW_FREE:
        finding = f"The disk of the state directory {directory} has {mebibytes} left."
        return Check(STATE, Status.DOUBTFUL, finding, "Make room soon, or choose another disk with --state.")
    return Check(STATE, Status.GOOD, f"The state directory {directory} can be used; {mebibytes} are free.")


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version; what follows them does not count here."""
    numbers: list[int] = []
    for part in version.split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part))
    return tuple(numbers)
