"""The two doors of the screen: `press` for a key, `update` for what happened; both are pure.

The law: a key leads to at most one action, and a key pressed twice never acts twice, since what has been answered is
remembered by name (`Screen.sent`) and what was chosen is forgotten once it is sent.
"""

from dataclasses import replace

from p2p_hearts.console.again import to_come, wanted_again
from p2p_hearts.console.ahead import checked
from p2p_hearts.console.below import below
from p2p_hearts.console.facts import can_continue, my_cards
from p2p_hearts.console.keys import PAGES, page_keys
from p2p_hearts.console.language import _, speaking
from p2p_hearts.console.pages import can_open, opened, press_page, works_below
from p2p_hearts.console.press_home import press_form, press_games, press_home
from p2p_hearts.console.press_table import press_table
from p2p_hearts.console.press_waiting import press_waiting
from p2p_hearts.console.settings_page import press_settings
from p2p_hearts.console.state import (
    Action,
    JoinAddress,
    LeaveTable,
    Overlay,
    Quit,
    Screen,
    have_read,
    language_of,
    logged,
    noted,
    waits_to_be_read,
)
from p2p_hearts.console.telling import seats_bots, sentence
from p2p_hearts.console.typed import type_key
from p2p_hearts.console.words import seat_name, symbol
from p2p_hearts.node.driver import Aside, GoOn, Invite, TableRow
from p2p_hearts.protocol import events
from p2p_hearts.protocol.inputs import Say
from p2p_hearts.protocol.scene import Scene, Stage

BEFORE_PLAY = {Stage.JOINING, Stage.LOBBY}
AFTER_PLAY = {Stage.OVER, Stage.STOPPED}


def press(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    """The screen after a key, and what the person wants done by it."""
    with speaking(language_of(screen)):
        return _pressed(screen, key)


def _pressed(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    screen = replace(screen, note="")
    if screen.typing is not None:
        return _typed(screen, key)
    if screen.overlay is Overlay.QUIT:
        return _asked_to_quit(screen, key)
    if key == "c-c":
        return _quit(screen)
    if screen.overlay is Overlay.INVITATION and key in {"n", "x"}:
        return screen, Invite(open=key == "n")
    if screen.overlay is Overlay.GAMES and key != "?":
        return press_games(screen, key)
    if screen.overlay is Overlay.HELP and works_below(screen, key):  # help names keys, and each does what it says
        return _pressed(replace(screen, overlay=None, scroll=0), key)
    if screen.overlay is Overlay.SETTINGS:
        return press_settings(screen, key)
    if screen.overlay is not None:
        return press_page(screen, screen.overlay, key), None
    if key == "?":
        return opened(screen, Overlay.HELP), None
    return _quit(screen) if key == "q" else _press_page(screen, key)


def update(
    screen: Screen,
    happened: tuple[events.Event, ...],
    scene: Scene,
    notices: tuple[str, ...] = (),
    aside: Aside | None = None,
) -> Screen:
    """The screen after these events, which led to this scene."""
    with speaking(language_of(screen)):
        return _updated(screen, happened, scene, notices, aside)


def _updated(
    screen: Screen, happened: tuple[events.Event, ...], scene: Scene, notices: tuple[str, ...], aside: Aside | None
) -> Screen:
    before = screen.scene
    screen = replace(screen, scene=scene, busy="", form=None, aside=screen.aside if aside is None else aside)
    if before is None or my_cards(before) != my_cards(scene) or before.stage is not scene.stage:
        # places in a hand mean nothing in another one
        moved = before is None or my_cards(before) != my_cards(scene)
        screen = replace(screen, cursor=None if moved else screen.cursor, chosen=(), digits="", pick=None)
    if before is not None and before.number != scene.number:  # what lay on the table belongs to another hand
        screen = replace(screen, ended=None, plan=None, fresh=(), giver="")
    if before is not None and _host(before) != _host(scene):
        screen = noted(screen, "")  # it may name the host before
    for notice in notices:
        screen = logged(noted(screen, notice), below(notice), "note")
    for event in happened:
        screen = _happen(screen, event, scene)
    return checked(screen, scene)


def home_news(screen: Screen, rows: tuple[TableRow, ...], notes: tuple[str, ...]) -> Screen:
    """The screen after the list of tables changed; the cursor stays on its table."""
    chosen = screen.rows[screen.row].table if screen.row < len(screen.rows) else None
    row = next((at for at, line in enumerate(rows) if line.table == chosen), min(screen.row, max(0, len(rows) - 1)))
    return replace(screen, rows=rows, notes=notes, row=row if screen.scene is None else screen.row)


def left_table(screen: Screen) -> Screen:
    """The lobby again, after a table was left."""
    return Screen(
        rows=screen.rows,
        notes=screen.notes,
        games=screen.games,
        again=screen.again if screen.again is not None and to_come(screen.again) else None,
        muted=screen.muted,
        pace=screen.pace,
        order=screen.order,
        forced=screen.forced,
        bell=screen.bell,
        preferences=screen.preferences,
        system=screen.system,
        size=screen.size,
        blocks=screen.blocks,
        settings=screen.settings,
    )


def told_why(screen: Screen, problem: str) -> Screen:
    """The lobby after no table was reached; what its notes say already is not said twice."""
    for note in screen.notes:
        problem = problem.replace(note, "")
    return noted(replace(screen, busy=""), " ".join(problem.split()))


def _press_page(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    if screen.form is not None:
        return press_form(screen, screen.form, key)
    if key == "," and not screen.busy:
        return replace(screen, overlay=Overlay.SETTINGS), None
    if screen.scene is None:
        return press_home(screen, key)
    if can_open(screen, key):
        return opened(screen, PAGES[key]), None
    if waits_to_be_read(screen) and not _is_named(screen, key):
        return screen, None
    if waits_to_be_read(screen) and key == "enter":
        return have_read(screen), GoOn()
    if screen.scene.stage in BEFORE_PLAY:
        return press_waiting(screen, screen.scene, key)
    if screen.scene.stage in AFTER_PLAY and key == "enter":
        return replace(screen, again=None), LeaveTable()
    if screen.scene.stage is Stage.OVER and key == "r" and (again := wanted_again(screen, screen.scene)) is not None:
        return replace(screen, again=again), LeaveTable()
    return press_table(screen, screen.scene, key)


def _is_named(screen: Screen, key: str) -> bool:
    """Whether a key is among those that work now."""
    return any(key in entry.pressed for entry in page_keys(screen))


def _happen(screen: Screen, event: events.Event, scene: Scene) -> Screen:
    if isinstance(event, events.Said) and event.peer in screen.muted:
        return screen
    text = sentence(event, scene, symbol, screen.aside.met)
    if text and not isinstance(event, events.SeatPassed):  # the table shows who has chosen
        screen = _written(screen, event, text)
    match event:
        case events.Refused() | events.JoinRefused():
            screen = replace(screen, note=text, sent="", refused=screen.sent)
        case events.CardsReceived(seat, source, cards) if seat == scene.my_seat:
            screen = replace(screen, fresh=cards, giver=seat_name(scene, source))
        case events.KittyRead(seat, _) if seat == scene.my_seat:
            screen = noted(screen, text)
        case events.TrickEnded():
            screen = replace(screen, ended=event)
        case events.Slow():
            screen = replace(screen, slow=True)
        case events.PeerLost() | events.HandReopened() | events.HandAnnulled():
            screen = replace(screen, slow=False)
        case events.Played(seat, _, _):
            fresh = () if seat == scene.my_seat else screen.fresh
            overlay = None if screen.overlay is Overlay.SHEET and screen.ended is None else screen.overlay
            screen = replace(screen, ended=None, fresh=fresh, overlay=overlay, slow=False)
        case events.ElectionBegan():
            overlay = None if screen.overlay is Overlay.INVITATION else screen.overlay
            screen = replace(screen, overlay=overlay, note="")
        case events.HandOpened():
            screen = replace(screen, ended=None, plan=None, fresh=(), giver="", slow=False)
        case events.HandScored():
            screen = replace(screen, overlay=Overlay.SHEET, scroll=0)
        case events.GameEnded():
            screen = replace(screen, overlay=None)
    return screen


def _host(scene: Scene) -> bytes | None:
    return next((peer.key for peer in scene.peers if peer.host), None)


def _written(screen: Screen, event: events.Event, text: str) -> Screen:
    """The screen with what happened in its log; of bots that sit down in a row only how many there are."""
    if seats_bots(event) and screen.log and screen.log[-1].kind == "bots":
        screen = replace(screen, log=screen.log[:-1])
    return logged(screen, text, _kind(event))


def _kind(event: events.Event) -> str:
    match event:
        case events.Said():
            return "chat"
        case events.Played():
            return "play"
        case events.TrickEnded():
            return "trick"
        case events.Refused() | events.JoinRefused() | events.Accused():
            return "bad"
        case events.LobbyChanged() if seats_bots(event):
            return "bots"
        case events.HandScored():
            return "scored"
        case events.ResultSigned():
            return "signed"
        case _:
            return "note"


def _typed(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    typing = screen.typing
    if typing is None or key in {"escape", "c-c"}:
        return replace(screen, typing=None), None
    if key != "enter":
        return replace(screen, typing=type_key(typing, key)), None
    text = typing.text.strip()
    done = replace(screen, typing=None)
    if typing.purpose == "name" and screen.form is not None:
        settings = replace(screen.form.settings, name=text)
        return replace(done, form=replace(screen.form, settings=settings)), None
    if not text:
        return done, None
    return (
        (done, Say(text))
        if typing.purpose == "chat"
        else (replace(done, busy=_("Looking for {what}", what=text)), JoinAddress(text))
    )


def _quit(screen: Screen) -> tuple[Screen, Action | None]:
    if screen.form is not None:
        return replace(screen, form=None), None
    if screen.scene is None:
        return screen, Quit()
    if screen.scene.stage in BEFORE_PLAY | AFTER_PLAY:
        return screen, LeaveTable()
    return replace(screen, overlay=Overlay.QUIT), None


def _asked_to_quit(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    back = replace(screen, overlay=None)
    if key == "z" and screen.scene is not None and can_continue(screen.scene):
        return back, LeaveTable(later=True)
    return (back, LeaveTable()) if key in {"y", "Y", "c-c"} else (back, None)
