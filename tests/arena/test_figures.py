"""Means, intervals and paired differences, on numbers that can be worked out by hand."""

import pytest

from p2p_hearts.arena.deals import Contest, DealResult, LevelDeal
from p2p_hearts.arena.figures import Tally, interval, report
from p2p_hearts.hearts.options import Options, options_dict

CONTEST = Contest(("clever", "cautious"), seats=6, options=Options(), seed=4, effort=0)


def row(points: int, *, moons: int = 0, set_aside: int = 0) -> LevelDeal:
    """A level's row in which 10 decisions took a hundredth of a second."""
    return LevelDeal(points, moons, set_aside, decisions=10, seconds=0.01)


def tallied(*deals: DealResult) -> Tally:
    """These deals, taken in."""
    tally = Tally(CONTEST)
    for deal in deals:
        tally.add(deal)
    return tally


def test_interval() -> None:
    """1, 2, 3, 4, 5: mean 3, variance 2.5, standard error √0.5, and 1.96 of them to both sides."""
    low, high = interval([1, 2, 3, 4, 5]) or (0.0, 0.0)
    assert low == pytest.approx(3 - 1.959964 * 0.5**0.5)
    assert high == pytest.approx(3 + 1.959964 * 0.5**0.5)


def test_one_value_has_no_interval() -> None:
    """From a single deal nothing is known about the next."""
    assert interval([3.0]) is None


def test_report() -> None:
    """Two deals at six seats: points a hand are a sixth of a level's row; shares are of all cancelled tricks."""
    outcome = report(
        tallied(
            DealResult((row(36, set_aside=1), row(60, moons=1, set_aside=2)), cancelled=4),
            DealResult((row(24), row(60, set_aside=1)), cancelled=1),
        )
    )
    assert list(outcome) == ["seats", "hands", "seed", "options", "levels", "pairs"]
    assert (outcome["seats"], outcome["hands"], outcome["seed"]) == (6, 2, 4)
    assert outcome["options"] == options_dict(Options())
    clever, cautious = outcome["levels"]["clever"], outcome["levels"]["cautious"]
    assert list(clever) == ["mean", "ci95", "moons", "cancelled_share", "ms_per_decision"]
    assert (clever["mean"], cautious["mean"]) == (5, 10)
    assert (clever["moons"], cautious["moons"]) == (0, 1)
    assert (clever["cancelled_share"], cautious["cancelled_share"]) == (0.2, 0.6)
    assert clever["ms_per_decision"] == pytest.approx(1)
    assert clever["ci95"] == pytest.approx([5 - 1.959964, 5 + 1.959964])  # 6 and 4: standard error 1
    assert cautious["ci95"] == [10, 10]


def test_the_pair_is_taken_within_the_deal() -> None:
    """Luck that hits both alike drops out: the rows are far apart, their differences within the deals are equal."""
    outcome = report(
        tallied(
            DealResult((row(6), row(36)), cancelled=0),
            DealResult((row(60), row(90)), cancelled=0),
        )
    )
    assert outcome["pairs"] == {"clever-cautious": {"difference": -5, "ci95": [-5, -5]}}
    low, high = outcome["levels"]["clever"]["ci95"]
    assert high - low > 10


def test_no_cancelled_trick() -> None:
    """Where no trick was cancelled, nobody has a share in any."""
    outcome = report(tallied(DealResult((row(6), row(36)), cancelled=0)))
    assert outcome["levels"]["clever"]["cancelled_share"] == 0
    assert outcome["pairs"]["clever-cautious"]["ci95"] is None


def test_every_pair() -> None:
    """Three levels make three pairs, named in the order of the levels."""
    contest = Contest(("a", "b", "c"), 6, Options(), 0, 0)
    tally = Tally(contest)
    tally.add(DealResult((row(6), row(12), row(36)), cancelled=0))
    pairs = report(tally)["pairs"]
    assert {name: pair["difference"] for name, pair in pairs.items()} == {"a-b": -1, "a-c": -5, "b-c": -4}
