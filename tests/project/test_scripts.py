"""The scripts start on whatever Python there is, make their environment once, and say in one line what is missing."""

import ast
import subprocess
import sys
from pathlib import Path

import environment
import pytest
from environment import NoEnvironmentError, prepare, requirements

SCRIPTS = Path(__file__).parents[2] / "scripts"
OLDEST_SYNTAX = (3, 7)  # the oldest that `ast` can imitate


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for environments that is not the project's own."""
    monkeypatch.setattr(environment, "HOME", tmp_path)
    return tmp_path


@pytest.mark.parametrize("script", ["environment.py", "play.py", "test.py", "bench.py", "bundle.py"])
def test_an_old_python_can_read_them(script: str) -> None:
    """No script that a person may start first uses a syntax that an old Python answers with a traceback."""
    ast.parse((SCRIPTS / script).read_text(encoding="utf-8"), feature_version=OLDEST_SYNTAX)


@pytest.mark.parametrize("script", ["play.py", "test.py", "bench.py", "bundle.py"])
def test_an_old_python_gets_a_sentence(script: str) -> None:
    """A Python before 3.11 says in one line what it is, what is needed, and how to get it."""
    pretend = f"import runpy, sys; sys.version_info = (3, 10, 13); runpy.run_path({str(SCRIPTS / script)!r})"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); {pretend}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "p2p-hearts needs 3.11 or newer: " in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the pretended Python is a shell script")
def test_a_python_without_venv_gets_a_sentence(tmp_path: Path) -> None:
    """Debian keeps venv in a package of its own: its name is given."""
    bare = tmp_path / "python3"
    bare.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    bare.chmod(0o755)
    with pytest.raises(NoEnvironmentError, match=r"sudo apt install python3-venv"):
        prepare(bare, "bare", ())


def test_without_a_network_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """When PyPI cannot be reached, the sentence says that one run with a network is enough."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(NoEnvironmentError, match=r"cannot be reached: run it once with a network"):
        prepare(Path(sys.executable), "offline", ("ifaddr",))


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a stick that is write-protected, and wherever no folder can be made, the sentence says to copy it."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(environment, "HOME", tmp_path / "file" / ".venv")
    with pytest.raises(NoEnvironmentError, match=r"cannot be made \(.+\): copy this folder to where you may write"):
        prepare(Path(sys.executable), "nowhere", ())


def test_an_environment_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is started and nothing asked of the network; another wish, or another Python, starts anew."""
    first = prepare(Path(sys.executable), "once", ())
    assert subprocess.run([first, "-c", "pass"], check=False).returncode == 0
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("something was started"))
    assert prepare(Path(sys.executable), "once", ()) == first
    with pytest.raises(pytest.fail.Exception):
        prepare(Path(sys.executable), "once", ("ifaddr",))
    with pytest.raises(pytest.fail.Exception):
        prepare(Path("/another/python"), "once", ())


def test_requirements() -> None:
    """What is installed is what `pyproject.toml` asks for, no more for a player than for playing."""
    run, test = set(requirements()), set(requirements("test", "lint"))
    assert {line.split(">")[0] for line in run} >= {"pyzmq", "zeroconf", "msgpack", "prompt_toolkit", "rbcl"}
    assert run < test
    assert not any("pytest" in line for line in run)
