"""The README is a program: its example runs, its commands exist, and its pictures are all the pictures there are."""

import doctest
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from p2p_hearts.cli.arguments import read

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`(?:python3 scripts/)?play\.py ([a-z][^`]*)`", README)))


def test_the_example_runs() -> None:
    """The hand in a dozen lines plays, and its points are the 52 that there are."""
    example = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_exists(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command line of the README can be read."""
    monkeypatch.chdir(tmp_path)
    read(shlex.split(line), terminal=True)


def test_there_are_commands() -> None:
    """The pattern above finds those lines, among them how to join by address."""
    assert len(COMMANDS) > 5
    assert "join 192.168.1.5:47104" in COMMANDS


def test_the_two_commands_are_scripts() -> None:
    """What the README tells to run first is there."""
    scripts = re.findall(r"^python3 (scripts/\w+\.py)", README, re.MULTILINE)
    assert scripts == ["scripts/play.py", "scripts/test.py"]
    assert all((PROJECT / script).exists() for script in scripts)


def test_all_pictures_are_shown() -> None:
    """Every picture of every screen, in both sizes, is in the README, and none that is not there."""
    shown = set(re.findall(r"\]\(\.captures/([^)]+)\)", README))
    assert shown == {path.name for path in (PROJECT / ".captures").iterdir()}


def test_the_map_shows_every_layer() -> None:
    """The map of the layers names every package that the contracts name."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(
        contract for contract in settings["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"
    )
    names = {name.strip("() ") for layer in layers["layers"] for name in layer.split("|")} - {"__main__"}
    drawn = README.split("## How it is built")[1].split("```")[1]
    assert {name for name in names if not re.search(rf"\b{name}\b", drawn)} == set()
