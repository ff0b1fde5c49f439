"""Invitations on the screen and in line mode: shown, renewed, closed, typed; and who asks to sit down."""

from dataclasses import replace

import pytest

from p2p_hearts.console.code import EDGE, code_lines
from p2p_hearts.console.fragments import text_of, width_of
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, update
from p2p_hearts.console.state import JoinAddress, OpenTable, Overlay, Screen
from p2p_hearts.node.driver import Aside, Invite, Shown
from p2p_hearts.protocol import events, inputs
from p2p_hearts.protocol.scene import Asking, Stage
from tests.console.fake import INVITATION, FakeDriver, FakeTable
from tests.console.fake_home import OPEN, PRIVATE, FakeHome
from tests.console.stages import acted, after, typed
from tests.console.test_plain import talk


def waiting(invitation: Shown | None = INVITATION) -> tuple[Screen, FakeTable]:
    """The host's waiting room, with Nora at the door."""
    table = FakeTable(seats=8)
    table.asking = (Asking(b"x" * 32, "Nora", "mote goru"),)
    table.invitation = invitation
    return after(Screen(), (table.tell(events.JoinAsked(b"x" * 32, "Nora")),)), table


def page(screen: Screen, width: int = 80, height: int = 24) -> str:
    """The picture as text."""
    return text_of(render(screen, width, height))


def test_i_opens_an_invitation_and_shows_it() -> None:
    """Without an open invitation i asks for one; with one it only shows it."""
    screen, table = waiting(None)
    screen, action = acted(screen, "i")
    assert action == Invite()
    assert "There is no open invitation." in page(screen)
    screen = after(screen, table.command(action))
    assert "bahi patu rumu tunu" in page(screen)
    assert typed(waiting()[0], "i").overlay is Overlay.INVITATION


def test_it_is_renewed_and_closed_from_its_page() -> None:
    """n makes a new one, x closes it, Enter goes back; nothing else happens."""
    screen, table = waiting()
    screen = typed(screen, "i")
    assert acted(screen, "n")[1] == Invite()
    closed, action = acted(screen, "x")
    assert action == Invite(open=False)
    assert "There is no open invitation." in page(after(closed, table.command(action)))
    assert typed(screen, "y", "enter").overlay is None


def test_a_guest_has_no_invitation_to_give() -> None:
    """Only the host can invite people."""
    screen, _ = waiting(None)
    assert screen.scene is not None
    peers = tuple(replace(peer, host=not peer.me) for peer in screen.scene.peers)
    screen = typed(replace(screen, scene=replace(screen.scene, peers=peers)), "i")
    assert (screen.overlay, screen.note) == (None, "Only the host can do that.")


def test_the_page_goes_when_the_game_begins() -> None:
    """An invitation is worth nothing after the start, and is not looked at any more."""
    screen, table = waiting()
    table.stage = Stage.ELECTION
    assert after(typed(screen, "i"), (table.tell(events.ElectionBegan()),)).overlay is None


def test_words_text_and_code_fit_into_a_common_window() -> None:
    """In 80×24 the words, the whole text and the whole QR code are seen."""
    picture = page(typed(waiting()[0], "i"))
    assert "   bahi patu rumu tunu" in picture
    rows = picture.split("\n")
    left = "".join(row[:41].strip() for row in rows)
    assert INVITATION.text in left
    code = text_of(code_lines(INVITATION.text, blocks=True)).split("\n")
    assert all(any(line.strip() and line.strip() in row for row in rows) for line in code if line.strip())


def test_a_small_window_keeps_words_and_text() -> None:
    """Where the code has no room, it is said how much it needs; where there are only half blocks missing, too."""
    screen = typed(waiting()[0], "i")
    for picture in (page(screen, 60, 20), page(replace(screen, blocks=False), 80, 24)):
        assert "bahi patu rumu tunu" in picture
        assert "there would be a QR code as well" in picture
        assert "▀" not in picture
        assert "Or send this text:" in picture
    assert "there would be" not in page(replace(screen, blocks=False), 120, 45)


def test_the_code_is_the_code_of_the_text() -> None:
    """Half blocks and blanks show the very modules of the code, with an edge of two around them."""
    segno = pytest.importorskip("segno")
    made = segno.make(INVITATION.text.upper(), error="l", micro=False, boost_error=False)
    modules = [[bool(module) for module in row] for row in made.matrix]
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = code_lines(INVITATION.text, blocks=True)
    drawn: list[list[bool]] = []
    for line in lines:
        (piece,) = line
        drawn += [[bool(halves[letter][half]) for letter in piece[1]] for half in (0, 1)]
    size = len(modules)
    assert [row[EDGE : EDGE + size] for row in drawn[EDGE : EDGE + size]] == modules
    assert not any(any(row) for row in (*drawn[:EDGE], *drawn[EDGE + size :]))
    plain = code_lines(INVITATION.text, blocks=False)
    assert [["reverse" in style for style, _ in line][EDGE : EDGE + size] for line in plain[EDGE : EDGE + size]] == modules  # fmt: skip
    assert {width_of(line) for line in plain} == {2 * (size + 2 * EDGE)}


def test_enter_on_a_private_row_asks_for_the_invitation() -> None:
    """A private table is shown as such, and Enter on it leads to typing what its host said."""
    screen = home_news(Screen(), (PRIVATE, OPEN), ())
    assert "private" in page(screen)
    assert "It is private: ask its host for an invitation. Enter lets you type it." in page(screen)
    screen = typed(screen, "enter")
    assert "Invitation (words, or p2ph:…):" in page(screen)
    assert acted(typed(screen, *"bahi patu rumu tunu"), "enter")[1] == JoinAddress("bahi patu rumu tunu")


def test_the_form_offers_a_private_table() -> None:
    """Who may sit down is a choice of three, and the form says what private means."""
    screen = typed(home_news(Screen(), (), ()), "h", *["down"] * 7, "left")
    assert "those who have your invitation" in page(screen)
    assert "Nobody can join without your invitation" in page(screen)
    action = acted(screen, "enter")[1]
    assert isinstance(action, OpenTable)
    assert action.settings.admit == "private"


def test_who_asks_is_shown_with_key_and_history() -> None:
    """The host reads name, key mark and whether the key was met before; so it does of those at the table."""
    screen, _ = waiting()
    assert screen.log[-1].text == "Nora (mote goru) asks to sit down: new."
    picture = page(screen, 120, 40)
    assert "▸ Nora  mote goru" in picture
    assert "   you played with Ann on 3 May" in picture
    assert "   you played with Ann on 3 May" in page(screen, 80, 24)
    assert "   new" in page(screen, 80, 20)  # in a small window only of whom the cursor is on
    assert "on 3 May" not in page(screen, 80, 20)


def test_what_is_known_stays_when_an_update_says_nothing() -> None:
    """An update without an aside takes nothing back."""
    screen, table = waiting()
    news = table.tell()
    assert update(screen, news.events, news.scene, ("Something.",)).aside.invitation == INVITATION
    assert update(screen, news.events, news.scene, aside=Aside()).aside.invitation is None


def test_in_lines() -> None:
    """FF12: line mode reads the invitation, renews and closes it, and tells who asks, without drawing anything."""
    table = FakeTable(seats=8)
    table.asking = (Asking(b"x" * 32, "Nora", "mote goru"),)
    driver = FakeDriver(table)
    said, _ = talk("i", "i new", "i", "i close", "?", "q", driver=driver)
    assert "There is no open invitation. i new opens one." in said
    assert "An invitation: bahi patu rumu tunu" in said
    reading = (
        f"Say: bahi, patu, rumu, tunu. Or copy the text {INVITATION.text}. i new makes another one, i close closes it."
    )
    assert reading in said
    assert "The invitation is closed." in said
    assert any("Nora (mote goru) asks to sit down: new. y lets them in, x refuses." in line for line in said)
    assert any("Ann (you played with Ann on 3 May)" in line for line in said)
    assert [command for command in driver.commands if isinstance(command, Invite)] == [Invite(), Invite(open=False)]
    assert isinstance(driver.commands[-1], inputs.Leave)


def test_a_private_table_in_lines() -> None:
    """A private row says what to type, an invitation is typed like an address, and one can be opened by a word."""
    home = FakeHome((PRIVATE,))
    said, _ = talk("1", "bahi patu rumu tunu", "q", home=home)
    assert "Attic is private: type the invitation that its host gave you." in said
    assert said[0].startswith(
        "1: Attic, host Dace, 2 of 8 seats, rules as written, not to be joined: It is private: ask"
    )
    assert ".." not in said[0]
    assert home.asked == ["bahi patu rumu tunu"]
    home = FakeHome(())
    talk("h 8 private", "q", home=home)
    (settings,) = home.asked
    assert getattr(settings, "admit", "") == "private"
    assert getattr(settings, "seats", 0) == 8
