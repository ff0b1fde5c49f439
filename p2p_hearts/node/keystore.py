"""The state directory of a person: the identity key, the number of this start, and the lock that keeps both unique.

The law: one identity is used by one program at a time, since two would sign two different entries with one number. A
second program on a locked directory gets a fresh guest identity, kept nowhere, and says so. The key is in a file that
only its owner may read (0600, in a directory of 0700), and is written whole or not at all. Where others may read it, it is
not used: whoever has copied it could sign in our name, and no change of the mode takes a copy back.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from p2p_hearts.crypto.signature import SigningKey, make_signing_key, signing_key
from p2p_hearts.entropy import Entropy

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

GUEST_NOTICE = "Another p2p-hearts of yours is running, so this one plays under a new guest key, without your history."

_MAGIC = "p2p-hearts identity 1"
_SEED_BYTES = 32
_MAX_BOOT = 2**32 - 1  # a heartbeat has four bytes for it
_IDENTITY, _BOOT, _LOCK, _TABLES, _HISTORY = "identity", "boot", "lock", "tables", "history.sqlite"


class KeystoreError(Exception):
    """The state directory cannot be used; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Home:
    """Who we are for the run of this program. `tables` is the directory of the journals, None for a guest."""

    key: SigningKey
    boot: int  # the number of this start, higher than any before
    tables: Path | None
    notice: str = ""

    @property
    def history(self) -> Path | None:
        """The file of whom the person has played with, None for a guest."""
        return None if self.tables is None else history_file(self.tables.parent)


def default_directory() -> Path:
    """Where this system keeps the state of programs for this person."""
    return platformdirs.user_state_path("p2p-hearts", appauthor=False)


def history_file(directory: Path) -> Path:
    """The file of games and people in a state directory."""
    return directory / _HISTORY


@contextmanager
def open_home(directory: Path, entropy: Entropy) -> Iterator[Home]:
    """The identity kept in a directory, locked for as long as this lasts; made on first use.

    Raises:
        KeystoreError: the directory or a file in it cannot be used.
    """
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not any(directory.iterdir()):
            directory.chmod(0o700)  # somebody has made it for us, more generously
        _refuse_if_open(directory, 0o700)
        lock = os.open(directory / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise KeystoreError(f"The state directory {directory} cannot be used: {error.strerror}.") from error
    try:
        if _locked(lock):
            yield _own_home(directory, entropy)
        else:
            yield Home(make_signing_key(entropy), 1, None, GUEST_NOTICE)
    finally:
        os.close(lock)  # which unlocks


def inspect(directory: Path) -> bool:
    """Whether another program has the state directory locked; nothing in it is made or changed. One that is not there yet
    is as good as one in order.

    Raises:
        KeystoreError: the directory or a file in it cannot be used.
    """
    try:
        if not directory.exists() or not any(directory.iterdir()):
            return False
        _refuse_if_open(directory, 0o700)
        _read_identity(directory / _IDENTITY)
        _read_boot(directory / _BOOT)
        lock = os.open(directory / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise KeystoreError(f"The state directory {directory} cannot be used: {error.strerror}.") from error
    try:
        return not _locked(lock)
    finally:
        os.close(lock)


def _own_home(directory: Path, entropy: Entropy) -> Home:
    try:
        key = _read_identity(directory / _IDENTITY)
        if key is None:
            key = make_signing_key(entropy)
            _write(directory / _IDENTITY, f"{_MAGIC}\n{key.seed.hex()}\n")
        boot = _read_boot(directory / _BOOT) + 1
        _write(directory / _BOOT, f"{boot}\n")
        tables = directory / _TABLES
        tables.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise KeystoreError(f"The state directory {directory} cannot be used: {error.strerror}.") from error
    return Home(key, boot, tables)


def _read_identity(path: Path) -> SigningKey | None:
    """The key in the file, or None when there is no file yet."""
    try:
        _refuse_if_open(path, 0o600)
        lines = path.read_text(encoding="ascii").splitlines()
        seed = bytes.fromhex(lines[1])
    except FileNotFoundError:
        return None
    except (ValueError, IndexError):
        lines, seed = [], b""
    if lines[:1] != [_MAGIC] or len(seed) != _SEED_BYTES:
        raise KeystoreError(
            f"The identity file {path} is damaged; put back a copy, or move it away to get a new identity."
        )
    return signing_key(seed)


def _refuse_if_open(path: Path, mode: int) -> None:
    """Refuses a file or directory of ours that others may look into, or change. Windows keeps them apart by other means."""
    found = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not found & 0o077:
        return
    cure = f"make it yours alone with `chmod {mode:o} {path}`"
    if path.name == _IDENTITY:
        cure += ", or, if somebody may have copied it, move it away to get a new identity"
    raise KeystoreError(f"Others on this computer can get at {path} (mode {found:04o}), which holds your key: {cure}.")


def _read_boot(path: Path) -> int:
    try:
        boot = int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return 0
    except ValueError:
        boot = -1
    if not 0 <= boot < _MAX_BOOT:
        raise KeystoreError(f"The file {path} is damaged; it should hold the number of starts. Delete it to go on.")
    return boot


def _write(path: Path, text: str) -> None:
    """Write a small file so that after a crash it is the old one or the new one, whole."""
    draft = path.with_suffix(".new")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _locked(lock: int) -> bool:
    """Whether the lock is ours now."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
