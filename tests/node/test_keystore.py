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
    """The key is 0600 in a directory of 0700, whatever the umask, and also in an empty one that was open to the world."""
    made = tmp_path / "made"
    made.mkdir()
    made.chmod(0o777)
    before = os.umask(0)
    try:
        for home in (tmp_path / "home", made):
            with open_home(home, os.urandom):
                assert stat.S_IMODE(home.stat().st_mode) == 0o700
                assert stat.S_IMODE((home / "tables").stat().st_mode) == 0o700
                assert {stat.S_IMODE((home / name).stat().st_mode) for name in ("identity", "boot", "lock")} == {0o600}
    finally:
        os.umask(before)


@posix
@pytest.mark.parametrize(
    ("name", "mode", "sentence"),
    [
        ("", 0o750, r"can get at \S+home \(mode 0750\), which holds your key: make it yours alone with `chmod 700 "),
        ("", 0o702, r"\(mode 0702\)"),
        (
            "identity",
            0o640,
            r"identity \(mode 0640\).* `chmod 600 \S+identity`, or, if somebody may have copied it, move",
        ),
        ("identity", 0o604, r"\(mode 0604\)"),
    ],
)
def test_what_others_can_get_at_is_refused(tmp_path: Path, name: str, mode: int, sentence: str) -> None:
    """A key that others may read, or a directory of it that they may look into, is not used and not silently closed: one
    sentence says how to repair it, and after that it is used again."""
    home = tmp_path / "home"
    with open_home(home, os.urandom) as first:
        key = first.key
    (home / name).chmod(mode)
    with pytest.raises(KeystoreError, match=sentence), open_home(home, os.urandom):
        pass
    assert stat.S_IMODE((home / name).stat().st_mode) == mode
    (home / name).chmod(0o600 if name else 0o700)
    with open_home(home, os.urandom) as again:
        assert again.key == key


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
    (tmp_path / "identity").chmod(0o600)
    with (
        pytest.raises(KeystoreError, match=r"identity is damaged; put back a copy, or move it away"),
        open_home(tmp_path, os.urandom),
    ):
        pass
    assert (tmp_path / "identity").read_text(encoding="latin-1") == text


@pytest.mark.parametrize("text", ["many", "", "-1", str(2**32 - 1), "9" * 40])
def test_a_damaged_boot_number_is_one_sentence(tmp_path: Path, text: str) -> None:
    """A damaged boot number is not guessed, nor one that no heartbeat has room for."""
    (tmp_path / "boot").write_text(text)
    with pytest.raises(KeystoreError, match="should hold the number of starts"), open_home(tmp_path, os.urandom):
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
