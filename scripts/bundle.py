"""`python3 scripts/bundle.py [--zip]` makes a folder from which anybody can install and play without Internet.

It holds the game as a wheel, wheels of all that it needs for every supported Python on the usual systems, `play.py` and a
page that says what to do. Whether it is complete is asked of pip, for each system and Python, with no index at hand.

The law: nothing is built here but the game itself; every other wheel is as its authors published it.
"""

import argparse
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from environment import GUIDE, PROJECT, NoEnvironmentError, own_python, requirements

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {
    "linux": ("Linux on x86-64", ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")),
    "linux-arm": (
        "Linux on ARM, as the Raspberry Pi with 64 bits",
        ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    ),
    "macos": ("macOS 11 or newer on Apple chips", ("macosx_11_0_arm64",)),
    "macos-intel": ("macOS 11 or newer on Intel", ("macosx_11_0_x86_64",)),
    "windows": ("Windows 10 or newer, 64 bits", ("win_amd64",)),
}
"""The systems: how one asks for them, what the guide calls them, and the wheels that run there."""

READ_ME = """\
CANCELLATION HEARTS, PEER TO PEER                                    {version}

This folder is all you need; nothing is fetched from the Internet. Copy it to
your computer and pass it on: a memory stick, or a file sent over the Wi-Fi.

WHAT IT IS FOR
  {systems}
  with Python {pythons}.
  Is it there? `python3 --version` says so (Windows: `py --version`). If not,
  get it from https://www.python.org/downloads, or put its installer beside
  this folder before you go where there is no Internet.

TO PLAY
  Open a terminal in this folder (Windows: right-click, “Open in Terminal”).
  Linux, macOS     python3 play.py
  Windows          py play.py
  The first start takes a minute and makes a folder .venv here; later ones take
  a second. Only you? Press s for a table with bots. Never played it?
  Press l, or `play.py learn`: five minutes.

WITH FRIENDS, WITHOUT A ROUTER
  Switch on the hotspot of a phone; its Internet may be off. Everybody joins the
  Wi-Fi of that phone, also whoever hosts. A phone admits only so many devices;
  its hotspot settings say how many.
  One presses h and opens the table; the others see it and press Enter.
  No table to be seen? Some phones and guest networks keep devices apart: join
  by the address or the invitation that the host's screen shows,
  `play.py join ADDRESS:PORT`. If a firewall asks, allow the game on private
  networks. `play.py doctor` finds out what is in the way.

WITHOUT A TERMINAL TO LOOK AT
  `play.py --plain` plays in lines, for screen readers.

  `play.py --help` lists everything; `play.py rules` has the rules.

OR INSTALL IT
  python3 -m pip install --no-index --find-links wheels p2p-hearts
  Then the game is `p2p-hearts`. Its licence is in LICENSE.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """One Python on one system; an empty system is the one that runs this, with its Python."""

    python: str
    system: str

    def options(self) -> list[str]:
        """What pip is told of it."""
        if not self.system:
            return ["--only-binary=:all:"]
        _words, platforms = SYSTEMS[self.system]
        allowed = [word for platform in platforms for word in ("--platform", platform)]
        return ["--only-binary=:all:", "--implementation", "cp", "--python-version", self.python, *allowed]


HERE = Target(".".join(map(str, sys.version_info[:2])), "")
EVERYWHERE = tuple(Target(python, system) for system in SYSTEMS for python in PYTHONS)


class BundleError(Exception):
    """The folder cannot be made; the message is the sentence to show."""


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when the folder is there and complete."""
    parser = argparse.ArgumentParser(prog="bundle.py", description="A folder that installs the game without Internet.")
    parser.add_argument("--zip", action="store_true", help="as one file")
    parser.add_argument("--here", action="store_true", help="only for the Python and the system that run this")
    only = f"only for this system (can be repeated): {', '.join(SYSTEMS)}"
    parser.add_argument("--system", action="append", choices=SYSTEMS, metavar="SYSTEM", help=only)
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, metavar="3.X", help="only for this Python (the same)"
    )
    parser.add_argument("--output", type=Path, default=PROJECT / "dist", metavar="DIR", help="make it in here")
    given = parser.parse_args(arguments)
    try:
        folder = bundle(given.output, (HERE,) if given.here else wanted(given.system, given.python))
    except (BundleError, NoEnvironmentError) as error:
        print(error, file=sys.stderr)
        return 1
    place = folder
    if given.zip:
        place = Path(shutil.make_archive(str(folder), "zip", folder.parent, folder.name))
        shutil.rmtree(folder)
    print(f"{place} ({_size(place) / 2**20:.0f} MB)")
    return 0


def wanted(systems: Sequence[str] | None, pythons: Sequence[str] | None) -> tuple[Target, ...]:
    """The targets on these systems, with these Pythons; all of them where nothing is said."""
    return tuple(
        target
        for target in EVERYWHERE
        if target.system in (systems or SYSTEMS) and target.python in (pythons or PYTHONS)
    )


def bundle(output: Path, targets: Sequence[Target]) -> Path:
    """The folder, made anew in `output`, complete for these targets.

    Raises BundleError.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".bundle-") as making:
        new = Path(making) / "new"
        wheels = new / "wheels"
        wheels.mkdir(parents=True)
        pip = [str(own_python("build")), "-P", "-m", "pip", "--disable-pip-version-check", "--no-input"]
        _pip(pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(PROJECT))
        for at, target in enumerate(targets, 1):
            print(f"{at} of {len(targets)}: Python {target.python}, {target.system or 'this system'}", flush=True)
            _pip(pip, "download", *target.options(), "--dest", str(wheels), *requirements())
        for target in targets:
            _check(pip, wheels, target)
        for file in ("scripts/play.py", "scripts/environment.py", "LICENSE"):
            shutil.copy(PROJECT / file, new)
        version = next(wheels.glob("p2p_hearts-*.whl")).name.split("-")[1]
        (new / GUIDE).write_text(
            guide(version, targets), encoding="utf-8", newline="\r\n"
        )  # the oldest editors read it, too
        folder = output / f"p2p-hearts-{version}"
        if folder.exists():
            shutil.rmtree(folder)
        return new.rename(folder)


def guide(version: str, targets: Sequence[Target]) -> str:
    """The page that says what to do with the folder."""
    known = [words for system, (words, _) in SYSTEMS.items() if any(target.system == system for target in targets)]
    systems = ",\n  ".join(known or [f"computers like the one it was made on ({sysconfig.get_platform()})"])
    pythons = ", ".join(dict.fromkeys(target.python for target in targets))
    return READ_ME.format(version=version, systems=systems, pythons=pythons)


def _check(pip: Sequence[str], wheels: Path, target: Target) -> None:
    """Has pip find everything for a target among the wheels alone."""
    with tempfile.TemporaryDirectory() as nowhere:
        # `install --dry-run` would hold the wheels against the Python that runs pip
        found = ["--no-index", "--find-links", str(wheels), "--dest", nowhere]
        _pip(pip, "download", *found, *target.options(), "p2p-hearts")


def _pip(pip: Sequence[str], *words: str) -> None:
    done = subprocess.run([*pip, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        problem = next(
            (line for line in reversed(done.stderr.splitlines()) if line.startswith("ERROR")), "no reason given"
        )
        raise BundleError(f"pip {words[0]} failed: {problem}")


def _size(place: Path) -> int:
    return sum(file.stat().st_size for file in ([place] if place.is_file() else place.rglob("*")) if file.is_file())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
