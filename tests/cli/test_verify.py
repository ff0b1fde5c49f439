"""`verify`, `replay` and `--export`: what they print, and their exit codes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_hearts.cli import verify
from p2p_hearts.cli.main import main
from p2p_hearts.crypto.group import RISTRETTO255
from tests.protocol.files import exported, nudged, places_of, played


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The file of a game played for real by two peers at six seats."""
    file = tmp_path / "game.p2ph"
    file.write_bytes(exported(played(2, 6, group=RISTRETTO255)))
    return file


def test_a_game_that_holds(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game that holds is exit code 0, and a few lines say what was checked and what came of it."""
    assert main(["verify", str(game)]) == 0
    said = capsys.readouterr()
    result = played(2, 6, group=RISTRETTO255).sessions[0].result()
    assert result is not None
    lines = said.out.splitlines()
    totals = ", ".join(f"{name}: {result['scores'][seat]}" for seat, name in sorted(result["names"].items()))
    assert len(lines) == 5
    assert lines[0].startswith("“Simulation” (")
    assert lines[0].endswith("): 6 seats, 1 hand.")
    assert re.search(r" \d+ proofs, 8 of them of shuffles, 102 cards played by the rules\.$", lines[1])
    assert lines[2] == f"Scores, added up again: {totals}."
    assert lines[3] == "The limit has not been reached."
    assert lines[4] == f"All 2 peers have signed this result: {result['digest']}."
    assert not said.err


def test_a_changed_game(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A byte changed anywhere in an entry is exit code 1, and one line names the first bad entry and why."""
    data = game.read_bytes()
    start, size = places_of(data)[40]
    game.write_bytes(nudged(data, start + size // 2))
    for command in ("verify", "replay"):
        assert main([command, str(game)]) == 1
        said = capsys.readouterr()
        assert not said.out
        assert said.err.startswith(f"{game} does not hold. Entry 40 of the file, ")
        assert said.err.count("\n") == 1


def test_a_truncated_game(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was cut off is exit code 1, and said to be damaged."""
    game.write_bytes(game.read_bytes()[:-1])
    assert main(["verify", str(game)]) == 1
    assert "The file is damaged: it was cut off or changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is no exported game."),
        (b'{"table": "00"}', "it is no exported game."),
        (b"p2p-hearts game\n\x00\x02" + bytes(64), "it is an exported game of format 2, this program reads format 1."),
    ],
)
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_what_is_no_game(
    tmp_path: Path, data: bytes, sentence: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be checked is exit code 2, and one sentence says why."""
    file = tmp_path / "file"
    file.write_bytes(data)
    assert main([command, str(file)]) == 2
    assert capsys.readouterr().err == f"p2p-hearts: {file}: This file cannot be checked: {sentence}\n"


def test_a_game_of_a_simulation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game in the tiny group of the simulation is refused with a sentence that says what it is."""
    file = tmp_path / "tiny"
    file.write_bytes(exported(played(1, 6)))
    assert main(["verify", str(file)]) == 2
    said = capsys.readouterr().err
    assert "played in the group “tiny61”, not in “ristretto255”" in said
    assert "small group keeps no secret and proves nothing." in said


def test_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, is a folder, or is larger than any game, is exit code 2."""
    assert main(["verify", str(tmp_path / "none")]) == 2
    assert "none cannot be read: No such file or directory." in capsys.readouterr().err
    assert main(["verify", str(tmp_path)]) == 2
    capsys.readouterr()
    monkeypatch.setattr(verify, "MAX_FILE", 10)
    (tmp_path / "long").write_bytes(bytes(11))
    assert main(["verify", str(tmp_path / "long")]) == 2
    assert "larger than any game" in capsys.readouterr().err


def test_replay_as_lines(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody sits at a terminal, a replay is a line for every card and every trick, and the score sheet."""
    assert main(["replay", str(game)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("That every shuffle is proved, `p2p-hearts verify` checks.")
    assert sum(" leads " in line for line in lines) == 17
    assert sum(" plays " in line for line in lines) == 102 - 17
    assert "Hand 1 is dealt, 3 cards are passed to the left." in lines
    assert "Every peer has signed the same final result." in lines
    assert lines[-1] == "The limit has not been reached."


@pytest.mark.network
def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game played with `--export` leaves a file that holds, with the very result that `--result` wrote."""
    file, result = tmp_path / "game.p2ph", tmp_path / "result.json"
    paths = ["--export", str(file), "--result", str(result), "--state", str(tmp_path / "state")]
    command = [sys.executable, "-m", "p2p_hearts", "solo", "--autoplay", "uniform", "--hands", "1", "--plain", *paths]
    subprocess.run([*command, "--bind", "127.0.0.1"], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    assert main(["verify", str(file)]) == 0
    digest = capsys.readouterr().out.split()[-1].rstrip(".")
    assert f'"digest": "{digest}"' in result.read_text(encoding="utf-8")
