"""A person at a real terminal, among bots on other machines: from the lobby to the score sheet."""

from pathlib import Path

import pytest

from tests.e2e.netns import network, running
from tests.e2e.person import Person, person
from tests.e2e.players import NAMES, ended, one_signed_result, player, table_of_bots

ENTER, TAB = "\r", "\t"
RESTORED = ("\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l")  # the terminal's own screen, its cursor, plain pasting


@pytest.mark.netns
def test_from_the_lobby_to_the_score_sheet(tmp_path: Path) -> None:
    """A person sees the table appear, joins it, passes, plays a whole hand by keys alone, and reads the score sheet; what
    they signed is what everybody signed."""
    with network(6) as machines:
        bots = table_of_bots(machines, tmp_path, "--hands", "1")[:5]
        with (
            person(player(machines[5], tmp_path, "Finn")) as finn,
            running(bots, tmp_path, NAMES[:5]) as programs,
        ):
            finn.waits_for("Attic")
            finn.press(ENTER)
            finn.waits_for("Choose 3 cards")
            for card in "123":
                finn.press(card, " ")
            finn.waits_for("Enter passes them")
            finn.press(ENTER)
            cards = _play(finn)
            screen = finn.waits_for("Every peer has signed")
            assert ended(programs) == [0] * 5
            finn.press("s")
            screen += finn.waits_for("total", "Total")
            finn.press("q", "q")  # the sheet, then the table
            finn.waits_for("on this network")
            finn.press("q")
            code, _ = finn.leaves()
    result = one_signed_result(tmp_path, NAMES[:6])
    assert code == 0
    assert 14 <= cards <= 17  # all, unless the last points were taken before
    assert all(str(points) in screen for points in result["scores"].values())
    assert all(name in screen for name in NAMES[:6])
    assert all(code in finn.written for code in RESTORED)


@pytest.mark.netns
def test_leaving_is_quick_and_tidy(tmp_path: Path) -> None:
    """The host's cable is pulled while a person plays; leaving takes less than two seconds and restores the terminal."""
    with network(2) as machines:
        bots = table_of_bots(machines, tmp_path)[:1]
        with running(bots, tmp_path, NAMES[:1]), person(player(machines[1], tmp_path, "Bob", "join", "Attic")) as bob:
            bob.waits_for("Choose 3 cards")
            machines[0].unplug()
            bob.press("q")
            bob.waits_for("Leave")
            bob.press("y")
            code, seconds = bob.leaves()
    assert code == 0
    assert seconds < 2.0
    assert all(code in bob.written for code in RESTORED)


def _play(somebody: Person) -> int:
    """Play the first legal card whenever it is one's turn, until the hand is over; how many cards that took."""
    somebody.press("v", "v")  # no rests between the cards of others
    played = 0
    while True:
        screen = somebody.waits_for("Your turn", "Every peer has signed")
        if "Your turn" not in screen:
            return played
        somebody.press(TAB)
        somebody.waits_for("Your turn: Enter plays")
        somebody.press(ENTER)
        somebody.waits_until(lambda text: "Your turn: Enter plays" not in text, "the end of the turn")
        played += 1
