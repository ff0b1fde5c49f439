"""The state directory: one identity, one program, readable by its owner alone."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.keystore import GUEST_NOTICE, KeystoreError, default_directory, open_home

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file modes")


def test_the_identity_stays(tmp_path: Path) -> None:
    """The identity is made once and is the same at every start; the boot number rises."""
    with open_home(tmp_path / "a" / "b", seeded(b"1" * 32)) as first:
        assert first.boot == 1
    with open_home(tmp_path / "a" / "b", seeded(b"2" * 32)) as second:
        assert second.key == first.key
        assert second.boot == 2
        assert second.tables is not None
        assert second.tables.is_dir()
        assert second.notice == ""


@posix
def test_only_the_owner_may_read(tmp_path: Path) -> None:
    """The key is 0600 in a directory of 0700, also where somebody had opened both to the world."""
    home = tmp_path / "home"
    for _ in range(2):
        with open_home(home, os.urandom):
            assert stat.S_IMODE(home.stat().st_mode) == 0o700
            assert stat.S_IMODE((home / "identity").stat().st_mode) == 0o600
            assert stat.S_IMODE((home / "tables").stat().st_mode) == 0o700
        home.chmod(0o755)
        (home / "identity").chmod(0o644)


def test_a_second_program_is_a_guest(tmp_path: Path) -> None:
    """A second program on a locked directory plays under a new key, says so, and keeps no journal; then it is free again."""
    ask = (
        "import os, sys; from pathlib import Path; from p2p_hearts.node.keystore import open_home\n"
        "with open_home(Path(sys.argv[1]), os.urandom) as home: print(home.key.public.hex(), home.tables is None, home.notice)"
    )

    def other() -> str:
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-c", ask, str(tmp_path)]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip()

    with open_home(tmp_path, os.urandom) as home:
        key, rest = other().split(" ", 1)
        assert key != home.key.public.hex()
        assert rest == f"True {GUEST_NOTICE}"
    assert other() == f"{home.key.public.hex()} False"


@pytest.mark.parametrize(
    "text", ["", "p2p-hearts identity 1\n", "p2p-hearts identity 1\n00\n", "x\n" + "00" * 32, "\xff"]
)
def test_a_damaged_identity_is_one_sentence(tmp_path: Path, text: str) -> None:
    """A damaged key file is neither used nor replaced: one sentence names it and the cure."""
    (tmp_path / "identity").write_text(text, encoding="latin-1")
    with (
        pytest.raises(KeystoreError, match=r"identity is damaged; put back a copy, or move it away"),
        open_home(tmp_path, os.urandom),
    ):
        pass
    assert (tmp_path / "identity").read_text(encoding="latin-1") == text


def test_a_damaged_boot_number_is_one_sentence(tmp_path: Path) -> None:
    """A damaged boot number is not guessed."""
    (tmp_path / "boot").write_text("many")
    with pytest.raises(KeystoreError, match="should hold one number"), open_home(tmp_path, os.urandom):
        pass


def test_an_unusable_directory_is_one_sentence(tmp_path: Path) -> None:
    """A directory that cannot be made is one sentence."""
    (tmp_path / "file").touch()
    with (
        pytest.raises(KeystoreError, match=r"^The state directory .* cannot be used: "),
        open_home(tmp_path / "file" / "home", os.urandom),
    ):
        pass


def test_the_default_is_of_this_person() -> None:
    """Without --state the system's place for program state is used."""
    assert default_directory().name == "p2p-hearts"
