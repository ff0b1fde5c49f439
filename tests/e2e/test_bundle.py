"""The bundle: built here for this system, it installs and plays where there is no network at all."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import bundle
import environment
import pytest

from tests.e2e.netns import network

REQUIRED = "P2P_HEARTS_NETNS"  # set to `required` where a silent skip would hide that nothing was tested


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for this system, in a folder with a blank in its name."""
    try:
        return bundle.bundle(tmp_path_factory.mktemp("a stick"), (bundle.HERE,))
    except bundle.BundleError as error:
        if os.environ.get(REQUIRED) == "required":
            raise
        pytest.skip(f"the libraries cannot be fetched here: {error}")


def run(folder: Path, *words: str, before: tuple[str, ...] = ()) -> "subprocess.CompletedProcess[str]":
    """What `play.py` of the bundle says, in an environment that knows nothing of this project."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    command = [*before, sys.executable, str(folder / "play.py"), *words]
    return subprocess.run(
        command, cwd=folder.parent, env=outside, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


@pytest.mark.netns
def test_it_plays_without_a_network(folder: Path) -> None:
    """In a network that has no way out, two programs from the folder install themselves and play to a signed result."""
    with network(1) as (host,):
        done = run(folder, "demo", "--peers", "2", "--hands", "1", before=tuple(host.command()))
        assert done.returncode == 0, done.stderr
        assert "2 processes signed the same result" in done.stdout
    assert list(folder.glob(".venv/*/**/site-packages/p2p_hearts/cli/main.py"))
    assert not list(folder.glob(".venv/*/**/site-packages/p2p-hearts.pth"))


@pytest.mark.netns
def test_what_is_in_it_is_what_is_needed(folder: Path) -> None:
    """The game's own wheel holds what is no Python, too: pages, styles, catalogues; and the guide fits on a page."""
    (wheel,) = folder.glob("wheels/p2p_hearts-*.whl")
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], capture_output=True, text=True, check=True
    )
    for file in ("report/page.css", "report/page.js", "console/locale/fi/LC_MESSAGES/p2p_hearts.mo"):
        assert f"p2p_hearts/{file}" in names.stdout
    page = (folder / environment.GUIDE).read_text(encoding="utf-8")
    assert page.count("\n") <= 60
    assert max(map(len, page.splitlines())) <= 80
    assert "hotspot of a phone" in page
    assert (folder / "LICENSE").exists()


@pytest.mark.netns
def test_a_newer_bundle_takes_the_place_of_an_older_one(folder: Path, tmp_path: Path) -> None:
    """Where a bundle is copied over another one, what is played is the new game, also when it has the same version."""
    both = shutil.copytree(folder, tmp_path / "both", ignore=shutil.ignore_patterns(".venv"))
    assert run(both, "--version").returncode == 0
    (wheel,) = both.glob("wheels/p2p_hearts-*.whl")
    with zipfile.ZipFile(wheel, "a") as changed:
        changed.writestr("p2p_hearts/newer.txt", "newer")
    assert run(both, "--version").returncode == 0
    assert list(both.glob(".venv/*/**/site-packages/p2p_hearts/newer.txt"))
    assert "Preparing" not in run(both, "--version").stderr


@pytest.mark.netns
def test_a_system_it_is_not_for_gets_a_sentence(folder: Path, tmp_path: Path) -> None:
    """Where a wheel is missing, one line says for which Python and system, and names the guide."""
    other = shutil.copytree(folder, tmp_path / "other", ignore=shutil.ignore_patterns(".venv"))
    for wheel in other.glob("wheels/msgpack-*.whl"):
        wheel.unlink()
    done = run(other, "--version")
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("This folder holds nothing for Python ")
    assert "what it is for is said in READ ME.txt" in last


def test_every_supported_python_is_in_it() -> None:
    """The bundle is for every Python that the project promises, on Linux, macOS and Windows, if nothing less is asked for."""
    assert {target.python for target in bundle.EVERYWHERE} == {"3.11", "3.12", "3.13", "3.14"}
    tags = {option.split("_")[0] for target in bundle.EVERYWHERE for option in target.options() if "_" in option}
    assert tags == {"manylinux", "manylinux2014", "macosx", "win"}
    assert bundle.wanted(None, None) == bundle.EVERYWHERE
    assert len(bundle.EVERYWHERE) == 20
    assert bundle.wanted(["windows"], ["3.12", "3.13"]) == (
        bundle.Target("3.12", "windows"),
        bundle.Target("3.13", "windows"),
    )
    assert max(map(len, bundle.guide("1.0", bundle.EVERYWHERE).splitlines())) <= 80
    page = bundle.guide("1.0", bundle.wanted(["windows"], ["3.12"]))
    assert "Windows 10 or newer, 64 bits\n  with Python 3.12.\n" in page
    assert "Linux on" not in page
