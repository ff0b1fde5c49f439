"""`clever` in positions that other programs got wrong, and in those that its rules of thumb are there for."""

import random

import pytest

from p2p_hearts.bots import choose_moon, choose_pass, choose_play
from p2p_hearts.bots.clever import Forecast, forecasts
from p2p_hearts.cards import card_text, parse_card
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View
from tests.bots.positions import cards, view_of

CLASSIC = Options(cancel_rule="no_live_led_card")
CLUBS_BUT_TOP = " ".join(f"{rank}C {rank}C" for rank in "23456789TJQ")
ALMOST_ALL = " ".join(f"{rank}H {rank}H" for rank in "AKQJT9876") + " QS QS"  # 18 hearts and both queens


def played(view: View, level: str = "clever") -> str:
    """What a level plays here."""
    return card_text(choose_play(level, view, random.Random(0)))


def forecast(view: View, card: str) -> Forecast:
    """What `clever` expects of a card."""
    return next(way for way in forecasts(view) if way.card == parse_card(card))


@pytest.mark.parametrize("level", ["cautious", "clever"])
@pytest.mark.parametrize(
    ("held", "table"), [("3S AS", "4S QS 9S KS TS"), ("3S KS 2D", "4S QS 9S 5S TS"), ("KS 5S", "AS AS QS 9S TS")]
)
def test_ducks_the_queen(level: str, held: str, table: str) -> None:
    """FC3: last to play and able to duck, it leaves a Black Maria to another, also when the aces above have cancelled."""
    assert played(view_of(held, table), level) == held.split()[held.startswith("KS")]


@pytest.mark.parametrize("level", ["cautious", "clever"])
@pytest.mark.parametrize("held", ["QS KS 4D", "QS KS 3S 4D"])
def test_drops_the_queen_when_the_ace_stands(level: str, held: str) -> None:
    """FC4: the other ace of spades is gone, so the one on the table stays above: the queen goes under it."""
    assert played(view_of(held, "AS 7S", gone="AS"), level) == "QS"


def test_keeps_the_queen_when_the_ace_may_cancel() -> None:
    """FC4: the last to play holds the other ace, for we passed it: the queen might be left standing and is kept."""
    view = view_of("QS KS 3S 4D", "5S AS 7S 8S", passed="AS 2D 3D")
    assert played(view) != "QS"
    assert forecast(view, "QS").takes > 0.3
    assert forecast(view_of("QS KS 3S 4D", "5S AS 7S 8S", gone="AS"), "QS").takes == 0


def test_an_ace_that_cannot_come_does_not_cancel() -> None:
    """FC4: the other ace is still out, but nobody plays after us: the ace on the table stands, the queen goes."""
    assert played(view_of("QS KS 3S", "5S AS 7S 8S 9S")) == "QS"


@pytest.mark.parametrize("level", ["cautious", "clever"])
@pytest.mark.parametrize("held", ["KC AC 5D", "KC AC AC 9D"])
def test_leads_no_suit_that_nobody_else_holds(level: str, held: str) -> None:
    """FC6: all other clubs are gone, so that every club led would win and be thrown on: it leads the diamond."""
    gone = f"{CLUBS_BUT_TOP} KC" + (" AC" if held.count("AC") == 1 else "")
    assert played(view_of(held, gone=gone, trick=14), level) == held.rsplit(maxsplit=1)[-1]


@pytest.mark.parametrize("level", ["cautious", "clever"])
def test_knows_that_twins_cancel(level: str) -> None:
    """R14: the twin of the ace on the table cannot win, so it is the card to play."""
    assert played(view_of("AS 5S", "4S AS QS 9S TS"), level) == "AS"


def test_knows_when_nobody_wins() -> None:
    """R15, D1: two pairs lie there and nobody wins, so that the ace goes for nothing; where they cancel nothing, it wins."""
    table = "4C 4C 9C 9C QS"
    assert played(view_of("AC 3C", table)) == "AC"
    assert forecast(view_of("AC 3C", table), "AC").cancelled == 1
    assert forecast(view_of("AC 3C", table, options=CLASSIC), "AC").cancelled == 0


def test_counts_what_was_set_aside() -> None:
    """R15: whoever wins takes what was set aside, too, so that the same trick is ducked when two queens wait."""
    assert played(view_of("9D 3D", "4D 5D 6D 8D")) == "9D"
    view = view_of("9D 3D", "4D 5D 6D 8D", pile="QS QS 2H 3H 4H 5C")
    assert forecast(view, "9D").points == 29
    assert played(view) == "3D"


def test_remembers_voids() -> None:
    """R10: where the seats after us have shown no clubs, a club led is thrown on; where they have not, it is not."""
    clubs = 0x1FFF
    thrown_on = view_of("KC 5D", voids=tuple((seat, clubs) for seat in range(1, 6)))
    assert forecast(thrown_on, "KC").takes == 1
    assert forecast(thrown_on, "KC").thrown > 2 * forecast(view_of("KC 5D"), "KC").thrown


def test_dumps_the_queen() -> None:
    """Void in the suit led, it throws a Black Maria on another's trick, before hearts."""
    assert played(view_of("QS AH 2C", "9D KD 4D")) == "QS"


def test_spends_a_high_card_where_it_costs_nothing() -> None:
    """Last to a trick without points, it gets rid of the high card that would take points later."""
    assert played(view_of("3C AC", "4C 6C 9C JC TC")) == "AC"


def test_stops_a_moon() -> None:
    """R18: another has all the points so far, 44: it takes a heart itself, which it ducks when the points are split."""
    assert played(view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=((3, ALMOST_ALL),))) == "AD"
    split = ((3, ALMOST_ALL.replace("QS QS", "QS")), (1, "QS"))
    assert played(view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=split)) == "3D"


def test_gives_a_heart_to_another_than_the_shooter() -> None:
    """R18: it throws a heart on the trick of anybody but the seat that has all the points so far."""
    assert played(view_of("2H 3D 9D", "4C 5C KC 6C 8C", captured=((3, ALMOST_ALL),))) == "2H"
    assert played(view_of("2H 3D 9D", "4C 5C KC 6C 8C", captured=((2, ALMOST_ALL),))) == "9D"


def test_shoots_the_moon() -> None:
    """R18: with all the points so far it goes for the rest."""
    assert played(view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=((5, ALMOST_ALL),))) == "AD"


def test_shoots_no_moon_against_a_kitty_it_has_not_seen() -> None:
    """D16: the kitty is elsewhere and may hold a heart, so it goes on ducking."""
    view = view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=((5, ALMOST_ALL),), kitty_seat=2)
    assert played(view) == "3D"


def test_ends_the_game_when_it_leads_it() -> None:
    """D20: a heart brings the winner of the trick to the limit: it is thrown by the leader of the game, by nobody else."""
    assert played(view_of("2H TD", "4C 5C KC 6C 8C", scores=(90, 80, 149, 60, 70, 50))) == "2H"
    assert played(view_of("2H TD", "4C 5C KC 6C 8C", scores=(90, 80, 149, 60, 70, 95))) == "TD"


def test_points_for_the_leader() -> None:
    """R6: a heart costs less to throw where it goes to whoever leads the game."""
    leads, trails = (90, 80, 10, 60, 70, 50), (90, 80, 120, 60, 70, 50)
    to_leader = view_of("2H TD", "4C 5C KC 6C 8C", scores=leads)
    to_other = view_of("2H TD", "4C 5C KC 6C 8C", scores=trails)
    assert forecast(to_leader, "2H").cost < forecast(to_other, "2H").cost


def test_pass_makes_a_void() -> None:
    """R7: the only two clubs go, for without clubs it may discard; of the hearts, none that guards the ace."""
    view = view_of("KC TC 3D 4D 6D 8D 2S 3S 4S 2H 3H 4H AH", trick=1, seats=8)
    chosen = choose_pass("clever", view, random.Random(0))
    assert set(cards("TC KC")) < set(chosen)
    assert not set(cards("2H 3H 4H")) & set(chosen)


def test_pass_of_high_hearts() -> None:
    """R7: high hearts without low ones go first."""
    view = view_of("2C 3C 4C 7C 2D 3D 5D 6D 2S 3S QH KH AH", trick=1, seats=8)
    assert choose_pass("clever", view, random.Random(0)) == cards("QH KH AH")


def test_moon_choice() -> None:
    """D17: it adds when that ends the game with it lowest, else it subtracts."""
    near = view_of("2C", scores=(60, 70, 130, 90, 95, 80))
    assert choose_moon("clever", near, random.Random(0)) == "add"
    assert choose_moon("clever", view_of("2C"), random.Random(0)) == "subtract"
