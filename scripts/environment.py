"""An environment of the project's own, `.venv/<python version>`: made on the first run, used without a network ever after.

The law: standard library only, no root, and any Python 3 can at least read this file, so that an old one answers with a
sentence instead of a traceback. What is installed is what `pyproject.toml` asks for; a stamp remembers it. In a folder
that `bundle.py` has made, it is the game's own wheel and what lies beside it, and no network is asked.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from contextlib import contextmanager
from pathlib import Path

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    NEWER = [name for name in ("python3.14", "python3.13", "python3.12", "python3.11") if shutil.which(name)]
    CURE = (
        f"run this with {NEWER[0]} instead"
        if NEWER
        else "install a newer one, e.g. from https://www.python.org/downloads"
    )
    sys.exit(f"This is Python {sys.version.split()[0]}; p2p-hearts needs 3.11 or newer: {CURE}.")

import tomllib  # noqa: E402 - part of Python since 3.11, so not to be asked for before
from collections.abc import Iterator, Sequence  # noqa: E402 - subscripted since 3.9

HERE = Path(__file__).resolve().parent
WHEELS = HERE / "wheels"  # only in a bundle
BUNDLED = WHEELS.is_dir()
PROJECT = HERE if BUNDLED else HERE.parent
HOME = PROJECT / ".venv"
GUIDE = "READ ME.txt"  # of a bundle
NO_NETWORK = ("NewConnectionError", "ConnectTimeout", "name resolution", "ProxyError", "No matching distribution found")


class NoEnvironmentError(Exception):
    """The environment cannot be made; the message is the sentence to show."""


def play(*arguments: str) -> None:
    """Become `p2p-hearts ARGUMENTS`: the exit code of this process is that of the game, or 2 when it cannot start."""
    try:
        command = [str(own_python()), "-P", "-m", "p2p_hearts", *arguments]
    except NoEnvironmentError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)  # noqa: S606 - the game takes over, with its signals and its terminal


def own_python(*extras: str) -> Path:
    """The Python of the environment for the Python that runs this, with the project on its path."""
    if BUNDLED:
        return prepare(Path(sys.executable), sys.version.split()[0], (_own_wheel(),))
    python = prepare(Path(sys.executable), sys.version.split()[0], requirements(*extras))
    where = _site_packages(python) / "p2p-hearts.pth"
    if not where.exists() or where.read_text(encoding="locale") != str(PROJECT):
        where.write_text(str(PROJECT), encoding="locale")
    return python


def requirements(*extras: str) -> tuple[str, ...]:
    """What `pyproject.toml` asks for, with these extras; the extra `build` stands for the build system itself."""
    document = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    groups = {**project["optional-dependencies"], "build": document["build-system"]["requires"]}
    return tuple(sorted({*project["dependencies"], *(line for extra in extras for line in groups[extra])}))


def prepare(interpreter: Path, name: str, wanted: Sequence[str]) -> Path:
    """The Python of `.venv/name`, in which everything wanted is installed.

    Raises:
        NoEnvironmentError: with one sentence on what is missing and how to get it.
    """
    home = HOME / name
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = home / "installed"
    try:
        HOME.mkdir(exist_ok=True)
    except OSError as error:
        cure = "copy this folder to where you may write, and start it there"
        raise NoEnvironmentError(f"{HOME} cannot be made ({error.strerror}): {cure}.") from error
    with _only_one(HOME / f"{name}.lock"):
        done = stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() and python.exists() else []
        if done[:1] == [_origin(interpreter)] and set(wanted) <= set(done[1:]):
            return python
        # pip would keep the game of another bundle, if it has the same version
        fresh = BUNDLED or done[:1] != [_origin(interpreter)]
        began = time.monotonic()
        print(f"Preparing .venv/{name} (only this once) …", file=sys.stderr, flush=True)
        if fresh:
            shutil.rmtree(home, ignore_errors=True)
            _make(interpreter, home)
        if wanted:
            _install(python, home, wanted)
        everything = wanted if fresh else sorted({*wanted, *done[1:]})
        stamp.write_text("\n".join([_origin(interpreter), *everything]), encoding="utf-8")
        print(f"Ready after {time.monotonic() - began:.0f} s.", file=sys.stderr, flush=True)
    return python


def _origin(interpreter: Path) -> str:
    """Names the Python and the place: an environment works for no other Python, and not after the folder has moved."""
    return hashlib.sha256(f"{interpreter.resolve()} {HOME}".encode()).hexdigest()


def _make(interpreter: Path, home: Path) -> None:
    if subprocess.run([str(interpreter), "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode:
        raise NoEnvironmentError(
            f"{interpreter} comes without venv and pip: on Debian and Ubuntu get them with "
            f"`sudo apt install python3-venv`, elsewhere use the Python of https://www.python.org/downloads."
        )
    made = subprocess.run([str(interpreter), "-m", "venv", str(home)], capture_output=True, text=True, check=False)
    if made.returncode:
        raise NoEnvironmentError(f"{interpreter} could not make {home}: {_last_line(made.stdout + made.stderr)}")


def _install(python: Path, home: Path, wanted: Sequence[str]) -> None:
    offline = ["--no-index", "--find-links", str(WHEELS)] if BUNDLED else []
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", *offline, *wanted]
    done = subprocess.run(pip, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    log = home / "install.log"
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    if not done.returncode:
        return
    if BUNDLED and "No matching distribution found" in done.stdout + done.stderr:
        raise NoEnvironmentError(
            f"This folder holds nothing for Python {sys.version.split()[0]} on this system ({sysconfig.get_platform()}); "
            f"what it is for is said in {GUIDE} (details: {log})."
        )
    if any(sign in done.stdout + done.stderr for sign in NO_NETWORK):
        raise NoEnvironmentError(
            f"The first run fetches the libraries from PyPI, which cannot be reached: run it once with a network "
            f"(details: {log})."
        )
    raise NoEnvironmentError(f"pip failed: {_last_line(done.stderr)} (details: {log})")


def _own_wheel() -> str:
    """The game of the bundle as a requirement, with its hash: another bundle in the same place is another wish."""
    wheel = next(WHEELS.glob("p2p_hearts-*.whl"))
    return f"p2p-hearts @ {wheel.as_uri()}#sha256={hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def _site_packages(python: Path) -> Path:
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Two players who start at once on one machine shall not both install into one folder."""
    with lock.open("a+b") as file:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - exists on Windows only

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - exists elsewhere only

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
