"""The layer contracts of `pyproject.toml` catch what they are there for: a breach of each is planted in a copy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="import-linter is not installed")

PROJECT = Path(__file__).parents[2]
RUN = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as run; run()"

# file, the import planted in it, the contract that must report it
PLANTS = (
    ("hearts/play.py", "import p2p_hearts.protocol.errors", "Layers: an import may skip layers, never climb"),
    ("node/journal.py", "import p2p_hearts.simulation", "Layers: an import may skip layers, never climb"),
    ("protocol/errors.py", "import p2p_hearts.protocol.codec", "Layers of the protocol"),
    ("crypto/signature.py", "import p2p_hearts.crypto.sigma", "Layers of the cryptography"),
    ("crypto/keys.py", "import p2p_hearts.hearts.hand", "The cryptography knows nothing of hearts"),
    ("hearts/score.py", "import time", "The core does no I/O"),
    ("console/screen.py", "import zmq", "ZeroMQ is known to node.transport alone"),
    ("node/journal.py", "import zeroconf", "zeroconf is known to node.discovery alone"),
    ("node/hello.py", "import msgpack", "msgpack is known to protocol.codec alone"),
    ("node/node.py", "import prompt_toolkit", "prompt_toolkit is known to the console alone"),
    ("node/keystore.py", "import ctypes", "libsodium is known to crypto.sodium alone"),
    ("console/style.py", "import p2p_hearts.console.app", "No two siblings import each other"),
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project, to plant in."""
    shutil.copytree(PROJECT / "p2p_hearts", tmp_path / "p2p_hearts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    return tmp_path


def _lint(folder: Path) -> tuple[int, str]:
    command = [sys.executable, "-P", "-c", RUN, "--no-logo", "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stdout.split())


def test_the_project_keeps_its_contracts(copy: Path) -> None:
    """Every import goes down the layers."""
    code, report = _lint(copy)
    assert code == 0, report


def test_every_contract_reports_its_breach(copy: Path) -> None:
    """Each planted import is reported by the contract that forbids it."""
    for file, line, _ in PLANTS:
        with (copy / "p2p_hearts" / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{line}\n")
    code, report = _lint(copy)
    assert code != 0
    for file, line, contract in PLANTS:
        module, imported = file.removesuffix(".py").replace("/", "."), line.removeprefix("import ")
        assert f"{contract}" in report
        between_siblings = f"- .{module.split('.')[-1]} -> .{imported.split('.')[-1]} "
        named = f"p2p_hearts.{module} -> {imported}" in report or between_siblings in report
        assert named, f"{contract} missed `{line}` in {file}"


@pytest.mark.parametrize("place", ["telemetry.py", "protocol/rumours.py", "crypto/rot13.py"])
def test_a_new_module_must_be_given_its_place(copy: Path, place: str) -> None:
    """A module that no layer names is reported, so that the map of the layers stays whole."""
    (copy / "p2p_hearts" / place).write_text('"""New."""\n', encoding="utf-8")
    code, report = _lint(copy)
    assert code != 0
    assert place.removesuffix(".py").replace("/", ".") in report
