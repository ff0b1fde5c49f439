"""Commands that sit down at a table: their exit codes, and a game of real processes."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.cli import home
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.home import make_setup
from p2p_hearts.cli.main import main
from p2p_hearts.cli.table import outcome
from p2p_hearts.console.home import HostSettings, JoinError
from p2p_hearts.console.tables import Ending
from p2p_hearts.protocol.output import Setup
from p2p_hearts.protocol.scene import Stage

HERE = ("--bind", "127.0.0.1")
DEMO_FIELDS = {
    "table", "options", "seats", "hands", "names", "operators", "annulled", "points", "kitty", "unclaimed", "moon",
    "scores", "game_over", "winners", "digest", "signatures", "agreed", "wall_s", "cpu_s", "rss_mib",
}  # fmt: skip


def _seat(*, signed: bool = False, refused: bool = False, unsaved: tuple[str, ...] = ()) -> Any:
    return SimpleNamespace(signed=signed, refused=refused, unsaved=unsaved)


def _ending(stage: Stage, *, terminated: bool = False) -> Ending:
    return Ending(SimpleNamespace(stage=stage), terminated)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seat", "ending", "code"),
    [
        (None, Ending(None), Exit.DONE),
        (_seat(signed=True), _ending(Stage.OVER), Exit.DONE),
        (_seat(signed=True), _ending(Stage.OVER, terminated=True), Exit.DONE),
        (_seat(signed=True, unsaved=("The result cannot be written.",)), _ending(Stage.OVER), Exit.NO_RESULT),
        (_seat(), _ending(Stage.PLAYING), Exit.DONE),
        (_seat(refused=True), _ending(Stage.STOPPED), Exit.NO_TABLE),
        (_seat(), _ending(Stage.STOPPED), Exit.NO_RESULT),
        (_seat(), _ending(Stage.PLAYING, terminated=True), Exit.NO_RESULT),
    ],
)
def test_outcome(seat: Any, ending: Ending, code: Exit) -> None:
    """0 with a result, or when one leaves of one's own will; 3 when refused; 4 when the table ended without a result, or it
    could not be written where it was wanted."""
    assert outcome(seat, ending) is code


def test_what_a_table_is_opened_with() -> None:
    """Settings of the form become those of the protocol; options that make no table are a sentence."""
    settings = HostSettings("", 7, 2, "uniform", "classic", (("limit", 50),), "open", 3, clock=40)
    assert make_setup(settings, "Attic") == Setup(
        "Attic", 7, ("uniform", "uniform"), "classic", (("limit", 50),), 3, clock=40, admit="open"
    )
    with pytest.raises(JoinError, match="limit: 0 is not possible"):
        make_setup(HostSettings(overrides=(("limit", 0),)), "Attic")


@pytest.mark.network
def test_nobody_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No table where one was looked for is exit code 3 and one sentence; so is an adapter that is not there."""
    monkeypatch.setattr(home, "ASK_FOR", 0.1)
    state = ("--state", str(tmp_path))
    assert main(["join", "127.0.0.1:9", *HERE, *state]) == 3
    assert main(["host", "--bind", "wlan77", *state]) == 3
    said = capsys.readouterr()
    assert not said.out
    first, second = said.err.splitlines()
    assert first.startswith(
        "p2p-hearts: Nobody answers at 127.0.0.1:9: the computer is there, but no table at that port."
    )
    assert second.startswith("p2p-hearts: There is no network adapter 'wlan77' here; there are: ")


def test_a_state_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A state folder that cannot be used is exit code 2 and one sentence."""
    (tmp_path / "file").touch()
    assert main(["solo", "--state", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.network
def test_demo() -> None:
    """Two real processes play a hand over real sockets; every field is there, every signature holds, memory is small."""
    # in a process of its own: on Linux the peak of a child counts that of the process it was forked from, here pytest
    command = (sys.executable, "-m", "p2p_hearts", "demo", "--peers", "2", "--hands", "1", "--json")
    demo = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    outcome = json.loads(demo.stdout)
    assert outcome.keys() == DEMO_FIELDS
    assert (outcome["agreed"], outcome["hands"], outcome["seats"]) == (True, 1, 6)
    assert len(outcome["signatures"]) == len(outcome["cpu_s"]) == len(outcome["rss_mib"]) == 2
    assert all(mib < 120 for mib in outcome["rss_mib"])
