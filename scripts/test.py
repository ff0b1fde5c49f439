"""`python3 scripts/test.py [--long] [PYTEST ARGUMENTS…]` runs every check of the project; it fails if one of them does.

On the Python at hand: ruff, the layer contracts, mypy for three systems, pytest. On every Python from 3.11 on that is
found: install the project as a user would, and play a little with it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from environment import OLDEST, PROJECT, NoEnvironmentError, own_python, prepare, requirements

SYSTEMS = ("linux", "win32", "darwin")
SMOKE_TESTS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("simulate", "--tiny", "--hands", "1"),
    ("solo", "--hands", "1", "--autoplay", "cautious"),
    ("tables", "--wait", "0.5", "--bind", "127.0.0.1"),
    ("demo", "--peers", "2", "--hands", "1", "--export", "game.p2ph"),
    ("report", "game.p2ph"),
    ("stats",),
    ("learn", "--plain"),
)


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when every check passed."""
    try:
        python = str(own_python("test", "lint"))
    except NoEnvironmentError as error:
        sys.exit(str(error))
    tool = (python, "-P", "-m")
    failed = [
        name
        for name, check in (
            ("ruff check", lambda: _run([*tool, "ruff", "check", "."])),
            ("ruff format", lambda: _run([*tool, "ruff", "format", "--check", "--quiet", "."])),
            ("layer contracts", lambda: _run([python, "-P", "-c", LINT_IMPORTS, "--no-logo"])),
            *((f"mypy for {system}", _mypy(tool, system)) for system in SYSTEMS),
            *((f"installed on Python {version}", _smoke(found, version)) for version, found in pythons().items()),
            ("pytest", lambda: _run([*tool, "pytest", *arguments])),
        )
        if not _step(name, check)
    ]
    if failed:
        print(f"\nNot passed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


LINT_IMPORTS = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as run; run()"


def pythons() -> dict[str, Path]:
    """Every Python from 3.11 on that is found here, by its version, the one that runs this first."""
    found = {sys.version.split()[0]: Path(sys.executable)}
    for candidate in _candidates():
        ask = "import sys, json; print(json.dumps([list(sys.version_info[:3]), sys.version.split()[0]]))"
        try:
            answer = subprocess.run([candidate, "-c", ask], capture_output=True, text=True, timeout=20, check=False)
            numbers, version = json.loads(answer.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            continue  # a shim without a Python behind it
        if tuple(numbers) >= OLDEST and version not in found:
            found[version] = candidate
    return found


def _candidates() -> Iterator[Path]:
    for folder in os.get_exec_path():
        yield from sorted(Path(folder).glob("python3*[0-9]"))
        yield from Path(folder).glob("python3")
    yield from sorted((Path.home() / ".pyenv" / "versions").glob("*/bin/python3"))


def _step(name: str, check: Callable[[], bool]) -> bool:
    """Run one check under a heading; its outcome and duration close it."""
    print(f"\n── {name} " + "─" * max(1, 76 - len(name)), flush=True)
    began = time.monotonic()
    passed = check()
    print(f"── {name}: {'passed' if passed else 'FAILED'} after {time.monotonic() - began:.1f} s", flush=True)
    return passed


def _run(command: Sequence[str], cwd: Path = PROJECT, extra: Mapping[str, str] | None = None) -> bool:
    return not subprocess.run(
        command, cwd=cwd, env={**os.environ, **(extra or {})}, stdin=subprocess.DEVNULL, check=False
    ).returncode


def _mypy(tool: Sequence[str], system: str) -> Callable[[], bool]:
    return lambda: _run([*tool, "mypy", "--platform", system, "--cache-dir", f".mypy_cache/{system}"])


def _smoke(found: Path, version: str) -> Callable[[], bool]:
    """Install the project from its source as a user would, away from the source, and use it."""

    def check() -> bool:
        try:
            python = prepare(found, f"{version}-installed", requirements("build"))
        except NoEnvironmentError as error:
            print(f"skipped: {error}")
            return True
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        fresh = ["--no-index", "--no-build-isolation", "--no-deps", "--force-reinstall", str(PROJECT)]
        with tempfile.TemporaryDirectory() as elsewhere:
            environment = {"XDG_STATE_HOME": elsewhere, "XDG_DATA_HOME": elsewhere, "XDG_CONFIG_HOME": elsewhere}
            if not _run([*pip, *fresh], Path(elsewhere)):
                return False
            program = shutil.which("p2p-hearts", path=python.parent)
            if not program:
                print("no program p2p-hearts was installed")
                return False
            return all(_works([program, *arguments], Path(elsewhere), environment) for arguments in SMOKE_TESTS)

    return check


def _works(command: Sequence[str], cwd: Path, extra: Mapping[str, str]) -> bool:
    """Whether a command succeeds; one line on what it came to, all it said if it failed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **extra},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    said = done.stdout.splitlines() or ["nothing"]
    print(f"{' '.join(command[1:])}: {said[-1] if not done.returncode else done.stdout}", flush=True)
    return not done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
