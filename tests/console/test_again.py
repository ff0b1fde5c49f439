"""Another game with the same people."""

from dataclasses import replace

from p2p_hearts.console.again import changes, next_step
from p2p_hearts.console.home import HostSettings
from p2p_hearts.console.screen import home_news, left_table, update
from p2p_hearts.console.state import JoinRow, LeaveTable, OpenTable, Screen
from p2p_hearts.hearts.options import Options
from p2p_hearts.protocol import inputs
from p2p_hearts.protocol.scene import Asking, Stage
from tests.console.fake import FakeTable
from tests.console.fake_home import OPEN
from tests.console.stages import acted, after, passed, typed


def over(table: FakeTable, *, host: bool) -> Screen:
    """The end of a game at this table."""
    screen = passed(table)
    table.stage = Stage.OVER
    screen = after(screen, (table.tell(),))
    assert screen.scene is not None
    peers = tuple(replace(peer, host=peer.me if host else peer.name == "Ann") for peer in screen.scene.peers)
    return update(screen, (), replace(screen.scene, peers=peers))


def test_the_host_opens_the_table_once_more() -> None:
    """The same seats, bots, rules and departures from them; then those who sat there are let in by their keys, once."""
    table = FakeTable(seats=8, hands=3, options=Options(limit=50))
    screen, left = acted(over(table, host=True), "r")
    assert left == LeaveTable()
    screen, action = next_step(left_table(screen))
    settings = HostSettings("Friday", 8, 2, "cautious", "as_written", (("limit", 50),), "approve", 3)
    assert action == OpenTable("host", settings)
    assert screen.busy == "Opening the table"
    assert next_step(replace(screen, busy="")) == (replace(screen, busy=""), None)
    lobby = FakeTable(seats=8)
    lobby.asking = (Asking(b"x" * 32, "Nora", "otter-lamp"), Asking(table.key(2), "Cem", "cem-mark"))
    screen = after(screen, (lobby.tell(),))
    screen, action = next_step(screen)
    assert action == inputs.Admit(table.key(2))
    assert next_step(screen) == (screen, None)  # Nora is for the host to decide, Cem is let in already


def test_a_guest_takes_a_seat_when_the_table_is_there_again() -> None:
    """The seat is asked for at a table of that name by that host, as soon as it is seen, and once."""
    screen, left = acted(over(FakeTable(), host=False), "r")
    assert left == LeaveTable()
    screen = left_table(screen)
    assert next_step(screen) == (screen, None)
    screen = home_news(screen, (replace(OPEN, host="Mallory"), replace(OPEN, name="Saturday")), ())
    assert next_step(screen) == (screen, None)
    screen = home_news(screen, (replace(OPEN, host="Mallory"), OPEN), ())
    screen, action = next_step(screen)
    assert action == JoinRow(OPEN)
    assert next_step(screen) == (screen, None)


def test_who_waits_can_stop_waiting() -> None:
    """Escape waits no longer, and a table opened by oneself lets nobody in unasked."""
    screen = left_table(acted(over(FakeTable(), host=False), "r")[0])
    assert typed(screen, "escape").again is None
    assert typed(screen, "h").again is None


def test_leaving_in_the_usual_way_waits_for_nothing() -> None:
    """Enter at the end of a game goes to the lobby and does nothing there."""
    screen, _ = acted(over(FakeTable(), host=True), "enter")
    assert left_table(screen).again is None


def test_a_table_that_was_opened_again_is_forgotten_when_it_is_left() -> None:
    """The next table of one's own does not let in by itself who sat at an earlier one."""
    screen, _ = next_step(left_table(acted(over(FakeTable(), host=True), "r")[0]))
    assert left_table(screen).again is None


def test_departures_from_a_preset_are_kept_by_name() -> None:
    """Options that differ from those of the preset are given again; the rest is the preset's."""
    assert changes("as_written", Options(), 8) == ()
    assert dict(changes("as_written", Options(limit=100, moon_value=52), 8)) == {"limit": 100, "moon_value": 52}
