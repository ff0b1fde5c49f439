"""`report`: where the page is written, and what it answers to a file of which there can be none."""

from pathlib import Path

import pytest

from p2p_hearts.cli.main import main
from p2p_hearts.crypto.group import RISTRETTO255
from tests.protocol.files import exported, nudged, places_of, played


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The file of a game played for real by two peers at six seats."""
    file = tmp_path / "game.p2ph"
    file.write_bytes(exported(played(2, 6, group=RISTRETTO255)))
    return file


def test_the_page_stands_beside_the_file(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game that holds is exit code 0 and has its page beside it; a second time it takes the place of the first."""
    for _ in range(2):
        assert main(["report", str(game)]) == 0
        place = game.with_suffix(".html")
        assert capsys.readouterr().out == f"The game holds. Its page is {place}.\n"
        told = place.read_text(encoding="utf-8")
        assert told.startswith("<!DOCTYPE html>\n<html")
        assert told.endswith("</html>\n")
        assert "Verified: every signature, proof and score of the hand." in told


def test_a_chosen_place(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--output` says where; a folder that is not there is refused before anything is checked."""
    assert main(["report", str(game), "--output", str(tmp_path / "page.htm")]) == 0
    assert (tmp_path / "page.htm").exists()
    assert not game.with_suffix(".html").exists()
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["report", str(game), "--output", str(tmp_path / "none" / "page.html")])
    assert ended.value.code == 2


def test_the_game_is_not_written_over(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page in the place of its own game is refused, and the game stays whole."""
    before = game.read_bytes()
    assert main(["report", str(game), "--output", str(game)]) == 2
    assert "is the game itself: name another place with --output PAGE." in capsys.readouterr().err
    assert game.read_bytes() == before


def test_no_page_of_somebody_else_is_lost(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of that name which is no page of a game stays as it is: exit code 2, and a sentence with the cure."""
    game.with_suffix(".html").write_text("<p>Mine.", encoding="utf-8")
    assert main(["report", str(game)]) == 2
    said = capsys.readouterr()
    assert "is there already and is no page of a game: name another with --output PAGE." in said.err
    assert game.with_suffix(".html").read_text(encoding="utf-8") == "<p>Mine."


def test_a_game_that_does_not_hold(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed or truncated file is exit code 1 and one sentence, and no page is written."""
    data = game.read_bytes()
    start, size = places_of(data)[40]
    for wrong in (nudged(data, start + size // 2), data[:-1]):
        game.write_bytes(wrong)
        assert main(["report", str(game)]) == 1
        said = capsys.readouterr()
        assert said.err.startswith(f"{game} does not hold. ")
        assert said.err.count("\n") == 1
        assert not game.with_suffix(".html").exists()


@pytest.mark.parametrize("data", [b"", b"p2p-hearts game\n\x00\x02" + bytes(64)])
def test_what_is_no_game(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be checked, or is not there, is exit code 2 and one sentence."""
    file = tmp_path / "file"
    file.write_bytes(data)
    assert main(["report", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"p2p-hearts: {file}: This file cannot be checked: ")
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "none cannot be read: No such file or directory." in capsys.readouterr().err
