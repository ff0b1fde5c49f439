"""The results of finished games: what they were for the person, kept once, read back whole."""

import asyncio
import datetime as dt
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.node import history as history_module
from p2p_hearts.node.history import Acquaintance, History, HistoryError
from p2p_hearts.node.keystore import history_file, open_home
from p2p_hearts.node.node import Pilot
from p2p_hearts.node.results import GameResult, HandResult, Kept, result_for
from p2p_hearts.node.station import Place, Station
from p2p_hearts.protocol.output import Setup
from p2p_hearts.protocol.state import Scored
from tests.protocol.files import played

MAY, JUNE = dt.date(2026, 5, 3), dt.date(2026, 6, 30)
FRIDAY = GameResult("Friday", 8, 5, 41, 2, False, (HandResult(41, moon=False, kitty=True),))  # noqa: FBT003 - won
SOLO = GameResult("Solo", 6, 1, -26, 1, True, (HandResult(-26, moon=True, kitty=False),), "cautious")  # noqa: FBT003


def test_what_a_game_was_for_somebody() -> None:
    """Place, total and hands are those of the own seat; who has the same total has the same place."""
    world = played(3, 11, hands=3)
    session = world.sessions[0]
    table, me = session.table, session.author.identity
    game = table.game
    assert game is not None
    seat = next(at for at, one in enumerate(game.seats) if one.operator == me and one.bot is None)
    scores = tuple(10 if at == seat else 10 * (at % 3) for at in range(11))  # before us: those with 0
    row = Scored(1, scores, kitty=seat, unclaimed=0, moon=None, choice=None)
    moon = Scored(2, scores, kitty=None, unclaimed=0, moon=seat, choice="add")
    finished = replace(table, scores=scores, sheet=(row, moon), winners=(seat,))
    better = sum(at % 3 == 0 for at in range(11) if at != seat)
    assert result_for(finished, me, "") == GameResult(
        title="Simulation",
        seats=11,
        people=3,
        total=10,
        place=1 + better,
        won=True,
        hands=(HandResult(10, moon=False, kitty=True), HandResult(10, moon=True, kitty=False)),
    )
    assert result_for(finished, b"x" * 32, "") is None
    assert result_for(replace(finished, over=False), me, "") is None


def test_results_are_kept_once(tmp_path: Path) -> None:
    """The oldest game comes first, a game told twice counts once, and all is there after the file was closed."""
    history = History(tmp_path / "history.sqlite")
    history.record(b"2" * 32, {}, JUNE, SOLO)
    history.record(b"1" * 32, {b"d" * 32: "Dace"}, MAY, FRIDAY)
    history.record(b"1" * 32, {b"d" * 32: "Dace"}, JUNE, SOLO)
    history.record(b"3" * 32, {}, JUNE)
    history.close()
    history = History(tmp_path / "history.sqlite")
    assert history.results() == (Kept(MAY, FRIDAY), Kept(JUNE, SOLO))
    assert history.people() == (Acquaintance("Dace", MAY, MAY, 1),)
    history.close()


def test_an_older_file_is_taken_over(tmp_path: Path) -> None:
    """A file of the version that kept people alone keeps them, and holds results from here on."""
    path = tmp_path / "history.sqlite"
    base = sqlite3.connect(path)
    base.executescript(f"{history_module._SCHEMA} PRAGMA user_version = 1;")
    base.execute("INSERT INTO people VALUES (?, 'Dace', '2026-05-03', '2026-05-03', 1)", (b"d" * 32,))
    base.commit()
    base.close()
    for _ in range(2):
        history = History(path)
        assert history.met(b"d" * 32) == Acquaintance("Dace", MAY, MAY, 1)
        history.record(b"1" * 32, {}, JUNE, SOLO)
        assert history.results() == (Kept(JUNE, SOLO),)
        history.close()


def test_a_damaged_line_is_left_out(tmp_path: Path) -> None:
    """What is no result any more is not shown; the others are. Without the table there is a sentence."""
    path = tmp_path / "history.sqlite"
    history = History(path)
    history.record(b"1" * 32, {}, MAY, FRIDAY)
    history.record(b"2" * 32, {}, MAY, SOLO)
    history.record(b"3" * 32, {}, MAY, SOLO)
    base = sqlite3.connect(path)
    base.execute("UPDATE results SET ended = 'yesterday' WHERE game = ?", (b"1" * 32,))
    base.execute("UPDATE results SET total = 'many' WHERE game = ?", (b"2" * 32,))
    base.commit()
    assert history.results() == (Kept(MAY, SOLO),)
    base.execute("DROP TABLE results")
    base.close()
    with pytest.raises(HistoryError, match=r"Your games cannot be looked up in .*history\.sqlite: no such table"):
        history.results()
    history.close()


@pytest.mark.network
def test_a_game_alone_is_kept(tmp_path: Path) -> None:
    """A game against bots is kept as soon as it is over, once, and as one that a bot played if one did."""

    async def play(home: Path) -> None:
        with open_home(home, lambda count: bytes(range(count))) as mine:
            station = Station(Place(mine, "Ann", bind="127.0.0.1"), today=lambda: MAY)
            setup = Setup("Alone", 6, ("uniform",) * 5, hands=1)
            node = station.solo(setup, Pilot("uniform", seed=1))
            await asyncio.wait_for(node.done.wait(), 60)
            await station.leave()
            await station.close()

    state = tmp_path / "state"
    asyncio.run(play(state))
    history = History(history_file(state))
    (kept,) = history.results()
    history.close()
    assert (kept.ended, kept.result.title, kept.result.seats, kept.result.people) == (MAY, "Alone", 6, 1)
    assert (kept.result.bot, len(kept.result.hands), kept.result.won) == ("uniform", 1, False)
    assert kept.result.total == kept.result.hands[0].points
