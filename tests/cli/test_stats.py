"""`stats`: what the games kept on this computer add up to, and how that is said."""

import datetime as dt
import json
from pathlib import Path

import pytest

from p2p_hearts.cli.main import main
from p2p_hearts.cli.stats import Summary, lines, summed
from p2p_hearts.node.history import History
from p2p_hearts.node.keystore import history_file
from p2p_hearts.node.results import GameResult, HandResult, Kept

DAY = dt.date(2026, 5, 3)


def hand(points: int, *, moon: bool = False, kitty: bool = False) -> HandResult:
    """One hand."""
    return HandResult(points, moon, kitty)


GAMES = (
    Kept(DAY, GameResult("Friday", 8, 5, 20, 2, won=False, hands=(hand(4), hand(16, kitty=True)))),
    Kept(DAY, GameResult("Solo", 6, 1, -26, 1, won=True, hands=(hand(-26, moon=True, kitty=True),))),
    Kept(DAY, GameResult("Watched", 6, 1, 100, 6, won=False, hands=(hand(100),), bot="cautious")),
)


def test_what_games_add_up_to() -> None:
    """Averages, extremes and places are over one's own games; one that a bot played does not count."""
    assert summed(GAMES) == Summary(
        games=2, with_people=1, hands=3, points=-2.0, best=-26, worst=16, moons=1, kitties=2, places=(1, 1, 0), won=1,
        place=1.5, players=7.0,
    )  # fmt: skip


def test_how_it_is_said() -> None:
    """The sums in four sentences, then the games, the newest first, then the people."""
    said = lines(GAMES, (), summed(GAMES))
    assert said == (
        "2 games finished, 1 with other people.",
        "3 hands, −2.0 points on average; the best −26, the worst 16.",
        "Moons shot: 1. Kitties taken: 2.",
        "Placed first 1, second 1, third 0 times; on average 1.5 of 7.0. Games won: 1.",
        "",
        "Last games:",
        "  2026-05-03  Watched           place 6 of 6       100 points  1 hand  a bot played for you",
        "  2026-05-03  Solo              place 1 of 6       −26 points  1 hand",
        "  2026-05-03  Friday            place 2 of 8        20 points  2 hands",
    )


def test_nothing_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a history there is one sentence, and nothing is made."""
    assert main(["stats", "--state", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out == "No game has been finished here yet.\n"
    assert not (tmp_path / "none").exists()
    assert lines(GAMES[2:], (), summed(GAMES[2:]))[0] == "No game counts yet: a bot played in your place."


def test_from_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Games and people come from the state directory, for people and, with `--json`, for programs."""
    history = History(history_file(tmp_path))
    history.record(b"1" * 32, {b"d" * 32: "Dace"}, DAY, GAMES[0].result)
    history.close()
    assert main(["stats", "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "1 game finished, 1 with other people."
    assert said[-2:] == ["You have played with 1 other:", "  Dace              1 game        last on 2026-05-03"]
    assert main(["stats", "--json", "--state", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["people"] == [{"name": "Dace", "games": 1, "first": "2026-05-03", "last": "2026-05-03"}]
    assert told["games"][0]["hands"][1] == {"points": 16, "moon": False, "kitty": True}
    assert told["summary"]["points"] == 10.0


def test_a_damaged_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no history is exit code 2 and one sentence."""
    history_file(tmp_path).write_bytes(b"no database, no history" * 50)
    assert main(["stats", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("p2p-hearts: Whom you have played with cannot be looked up in ")


def test_a_name_moves_no_cursor() -> None:
    """An attack: a title that holds a control sequence is shown without it."""
    evil = GameResult("\x1b[2JFriday", 6, 1, 0, 1, won=False, hands=(hand(0),))
    assert not any("\x1b" in line for line in lines((Kept(DAY, evil),), (), summed((Kept(DAY, evil),))))
