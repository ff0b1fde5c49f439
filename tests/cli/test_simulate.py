"""`simulate`: what it prints, its exit codes, and that a seed is a story."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from p2p_hearts.cli import simulate
from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.main import main
from p2p_hearts.simulation.world import World

FIELDS = {
    "seed", "peers", "seats", "hands_played", "hands_annulled", "points", "scores", "digests", "agreed", "blamed",
    "removed", "virtual_s",
}  # fmt: skip
TINY = ("simulate", "--tiny", "--hands", "1", "--level", "uniform")
STORM = ("--loss", "0.2", "--duplicate", "0.1", "--reorder", "0.1", "--delay", "20")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Two hands through loss, doubling and reordering: every field is there, and every peer has the same digest."""
    arguments = ("simulate", "--tiny", "--hands", "2", "--peers", "3", "--seats", "7", "--seed", "4", *STORM, "--json")
    assert main(arguments) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome.keys() == FIELDS
    assert (outcome["seed"], outcome["peers"], outcome["seats"], outcome["hands_played"]) == (4, 3, 7, 2)
    assert outcome["agreed"] is True
    assert list(outcome["digests"]) == ["peer 1", "peer 2", "peer 3"]
    assert len(set(outcome["digests"].values())) == 1
    assert len(outcome["points"]) == 2
    assert (outcome["blamed"], outcome["removed"], outcome["hands_annulled"]) == ([], [], 0)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads a score sheet and a verdict."""
    assert main([*TINY, "--peers", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "hand"
    assert lines[-1].startswith("2 peers signed the same result: 1 hand in ")


def test_no_agreement(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A table given up before its end is exit code 1, and says so."""
    plan = simulate._plan
    monkeypatch.setattr(simulate, "_plan", lambda asked: replace(plan(asked), patience=0.1))
    assert main([*TINY, "--peers", "6"]) == 1
    assert "6 peers did NOT all come to the same result: 0 hands in 0.1" in capsys.readouterr().out


def test_a_seed_is_a_story() -> None:
    """The same seed prints the same entries, hashes and events in processes with different hash seeds; another does not."""

    def told(seed: int, hash_seed: int) -> bytes:
        command = [sys.executable, "-m", "p2p_hearts", *TINY, "--peers", "4", "--seed", str(seed), *STORM, "--trace"]
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.run(command, capture_output=True, check=True, env=environment).stdout

    story = told(7, 1)
    assert b"entry 0 OPEN of" in story
    assert b"ResultSigned" in story
    assert told(7, 2) == story
    assert told(8, 1) != story


def test_the_trace_does_not_spoil_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--json` the trace goes to stderr, so that stdout stays one JSON document."""
    assert main([*TINY, "--peers", "1", "--trace", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["agreed"]
    assert "CardsDealt number=1" in said.err


def test_a_cheat(capsys: pytest.CaptureFixture[str]) -> None:
    """The second peer cheats: its key alone is blamed, and the exit code says that all saw what they must."""
    arguments = [*TINY, "--peers", "4", "--adversary", "wrong-slot-share"]
    assert main([*arguments, "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome.keys() == FIELDS
    assert outcome["hands_played"] == 1  # without it
    world = World(simulate._plan(read([*arguments], terminal=False)))  # type: ignore[arg-type]
    world._set_up()
    assert outcome["blamed"] == [world.sessions[1].author.identity.hex()]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("4 peers signed the same result: 1 hand") for line in lines)
    assert lines[-2] == "Peer 2 cheats. It swaps two shares: two cards would read as others."
    assert lines[-1] == "Every honest peer saw of it what it must, and blames nobody honest."


def test_a_cheat_without_an_occasion(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the cards give no occasion nothing has been shown, and the exit code says so."""
    assert main([*TINY, "--peers", "4", "--adversary", "wrong-moon-choice"]) == 1
    assert "The cheater found no occasion." in capsys.readouterr().out


def test_frames_that_are_none_do_not_stop_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    """What a cheater sends need not be an entry to be told of."""
    assert main([*TINY, "--peers", "2", "--adversary", "garbage", "--trace"]) == 0
    assert "peer 2   sends what is no entry: " in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("--adversary", "charm"), ("--adversary", "usurp", "--peers", "1")])
def test_no_such_cheat(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name is answered with all the names; alone nobody can be cheated."""
    with pytest.raises(SystemExit) as ended:
        main([*TINY, *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "rogue-key" in said or "needs at least 2 peers" in said
