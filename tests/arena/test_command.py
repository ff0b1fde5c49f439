"""`arena`: what it prints, what it refuses, and that any number of processes comes to the same."""

import json
from typing import Any

import pytest

from p2p_hearts.arena.deals import Contest
from p2p_hearts.arena.figures import Tally, report
from p2p_hearts.arena.run import cores, play_deals
from p2p_hearts.cli import arena
from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.commands import Arena, Rules
from p2p_hearts.cli.main import main
from p2p_hearts.hearts.options import Options, resolve

SHORT = ("arena", "--levels", "uniform,cautious", "--seats", "7", "--hands", "6", "--seed", "2")


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena plays in this process."""
    monkeypatch.setattr(arena, "cores", lambda: 1)


def test_read() -> None:
    """Every option of the command is read into a complete value."""
    asked = read(
        ["arena", "--levels", "cautious, clever", "--preset", "classic", "--option", "limit=50"], terminal=True
    )
    assert asked == Arena(("cautious", "clever"), 6, 1000, 0, 0, Rules("classic", (("limit", 50),), None), json=False)
    line = "arena --levels uniform,cautious,clever --seats 11 --hands 5000 --seed 9 --effort 300 --json"
    assert read(line.split(), terminal=True) == Arena(
        ("uniform", "cautious", "clever"), 11, 5000, 9, 300, Rules("as_written", (), None), json=True
    )


@pytest.mark.usefixtures("one_core")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures for programs: every field, the options as resolved, nothing else on either stream."""
    assert main([*SHORT, "--preset", "classic", "--json"]) == 0
    said = capsys.readouterr()
    outcome = json.loads(said.out)
    assert not said.err
    assert outcome.keys() == {"seats", "hands", "seed", "options", "levels", "pairs"}
    assert (outcome["seats"], outcome["hands"], outcome["seed"]) == (7, 6, 2)
    assert outcome["options"]["pass_cycle"] == ["L", "R", "N"]
    assert list(outcome["levels"]) == ["uniform", "cautious"]
    for row in outcome["levels"].values():
        assert row.keys() == {"mean", "ci95", "moons", "cancelled_share", "ms_per_decision"}
        assert row["ci95"][0] <= row["mean"] <= row["ci95"][1]
    pair = outcome["pairs"]["uniform-cautious"]
    means = [outcome["levels"][level]["mean"] for level in ("uniform", "cautious")]
    assert pair["difference"] == pytest.approx(means[0] - means[1])


@pytest.mark.usefixtures("one_core")
def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads a line for each level and one for each pair, and no bar where nobody watches a terminal."""
    assert main(SHORT) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith("6 deals at 7 seats, each played 2 times")
    assert [line.split()[0] for line in lines if line] == [
        "6",
        "level",
        "uniform",
        "cautious",
        "paired",
        "uniform-cautious",
    ]
    assert not said.err


@pytest.mark.usefixtures("one_core")
def test_a_bar_for_who_watches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal a bar shows how far the deals are, on stderr, and is gone at the end."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(arena, "REDRAWN", 0.0)
    assert main([*SHORT, "--json"]) == 0
    said = capsys.readouterr()
    json.loads(said.out)
    assert "] 3 of 6 deals, " in said.err
    assert said.err.endswith("\r\x1b[K")


def test_bar() -> None:
    """A third of the deals in ten seconds: a third of the bar, and twenty seconds to go."""
    assert arena.bar(400, 1200, 10.0) == f"[{'#' * 10}{'.' * 20}] 400 of 1,200 deals, 20 s left "


def test_any_number_of_processes() -> None:
    """One process and three come to the same, deal by deal, times aside."""
    contest = Contest(("uniform", "cautious"), 6, Options(), seed=8, effort=0)

    def figures(processes: int) -> list[Any]:
        results = play_deals(contest, 10, processes)
        return [[(row.points, row.moons, row.set_aside, row.decisions) for row in deal.rows] for deal in results]

    assert figures(1) == figures(3)
    assert len(figures(1)) == 10


def test_cores() -> None:
    """There is at least one core."""
    assert cores() >= 1


@pytest.mark.long
@pytest.mark.parametrize("preset", ["as_written", "classic"])
@pytest.mark.parametrize("seats", [6, 8, 11])
@pytest.mark.parametrize("pair", ["cautious-uniform", "clever-cautious"])
def test_each_level_beats_the_one_below(pair: str, seats: int, preset: str) -> None:
    """The 95 % interval of the paired difference excludes 0; at six seats the difference is at least 0.8 points a hand."""
    tally = Tally(Contest(tuple(pair.split("-")), seats, resolve(preset, {}, seats), seed=1, effort=0))
    for deal in play_deals(tally.contest, 2000, cores()):
        tally.add(deal)
    row = report(tally)["pairs"][pair]
    assert row["ci95"][1] < 0
    assert seats > 6 or row["difference"] <= -0.8
