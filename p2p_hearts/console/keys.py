"""The keys that work now, for the line at the bottom and for the help page: one table, so that both tell the truth."""

from dataclasses import dataclass

from p2p_hearts.console.facts import duty
from p2p_hearts.console.press_waiting import is_host
from p2p_hearts.console.state import Overlay, Screen
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.scene import Scene, Stage


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its label, one or two words for the bottom line, a sentence for the help page."""

    label: str
    short: str
    long: str


HELP = Key("?", "keys", "these keys; they change with what can be done")
CHAT = Key("c", "chat", "say something to the table")
QUIT = Key("q", "quit", "leave; during a game you are asked once")
_HOME = (
    Key("↑↓", "choose", "move through the tables (also j k, or the number of a table)"),
    Key("Enter", "join", "ask for a seat at the table chosen"),
    Key("a", "address", "join by an invitation, or at ADDRESS:PORT where no table is seen"),
    Key("h", "host", "open a table that others on this network see"),
    Key("s", "solo", "play against bots on this machine alone"),
    HELP,
    Key("q", "quit", "leave the program"),
)
_BUSY = (Key("Escape", "stop waiting", "do not wait any longer"), HELP, Key("q", "quit", "leave the program"))
_FORM = (
    Key("↑↓", "line", "go to another line"),
    Key("←→", "change", "change the value of the line"),
    Key("e", "edit", "type the name of the table"),
    Key("Enter", "open", "open the table like this"),
    Key("q", "back", "back without opening anything"),
    HELP,
)
_HOST = (
    Key("s", "start", "begin with those seated now, people and bots"),
    Key("y", "let in", "let the person sit down who is asking (Enter does the same)"),
    Key("x", "refuse", "refuse the person who is asking"),
    Key("i", "invite", "an invitation: words to say, a text, a QR code; renew or close it"),
    Key("+", "bot", "give one more seat to a bot"),
    Key("-", "bot", "take the last bot away"),
    Key("b", "level", "cautious or uniform for the next bot"),
    Key("p", "rules", "the other set of rules: as written, or classic"),
    CHAT,
    HELP,
    QUIT,
)
_GUEST = (CHAT, HELP, QUIT)
_LOOK = (
    Key("t", "trick", "the last trick once more"),
    Key("s", "scores", "the score sheet"),
    Key("g", "log", "everything that happened, and the chat"),
    CHAT,
    Key("v", "speed", "how fast the cards of the others appear: fast, slow, none"),
    HELP,
    QUIT,
)
_PASS = (
    Key("←→", "move", "move along your hand (also h l, or the number of a card)"),
    Key("space", "lift", "choose the card to be passed, or put it back (also up and down)"),
    Key("u", "undo", "put the card chosen last back"),
    Key("Enter", "pass", "pass the cards chosen; then they are gone"),
)
_PLAY = (
    Key("←→", "choose", "lift a card (also h l, or the number of a card; Tab skips those you may not play)"),
    Key("Enter", "play", "play the lifted card; for one you may not play, it says why"),
)
_SEEN = Key("space", "seen", "the cards you got are no longer marked")
_MOON = (
    Key("←→", "choose", "choose between the two (also 1 and 2)"),
    Key("Enter", "decide", "decide; it cannot be taken back"),
)
_OVER = (Key("Enter", "leave", "leave the table"), *_LOOK[:4], HELP, QUIT)
_TYPING = (
    Key("Enter", "done", "done with typing"),
    Key("Escape", "forget", "forget the line (an empty line and Enter does the same)"),
)
_OVERLAY = (Key("↑↓", "scroll", "scroll"), Key("Enter", "back", "back to where you were"))
_INVITATION = (
    Key("n", "new", "a new invitation; the old one is worth nothing any more"),
    Key("x", "close", "close it: nobody can come in by it any more"),
    Key("Enter", "back", "back to where you were"),
)
_ASKED = (Key("y", "leave", "leave the table"), Key("n", "stay", "stay; any other key does the same"))


def keys_now(screen: Screen) -> tuple[Key, ...]:
    """The keys that do something now, the most useful first."""
    if screen.typing is not None:
        return _TYPING
    if screen.overlay is not None:
        return {Overlay.QUIT: _ASKED, Overlay.INVITATION: _INVITATION}.get(screen.overlay, _OVERLAY)
    return page_keys(screen)


def page_keys(screen: Screen) -> tuple[Key, ...]:
    """The keys of the page below any overlay."""
    if screen.form is not None:
        return _FORM if screen.form.kind == "host" else tuple(key for key in _FORM if key.label != "e")
    if screen.scene is None and screen.busy:
        return _BUSY
    if screen.scene is None:
        return _HOME if screen.rows else _HOME[2:]
    return _table_keys(screen, screen.scene)


def _table_keys(screen: Screen, scene: Scene) -> tuple[Key, ...]:
    match scene.stage:
        case Stage.JOINING | Stage.LOBBY:
            return _HOST if is_host(scene) else _GUEST
        case Stage.OVER | Stage.STOPPED:
            return _OVER
        case Stage.PASSING:
            return (*(_PASS if duty(scene) is Duty.PASS else ()), *_LOOK)
        case Stage.PLAYING:
            return (*_PLAY, *((_SEEN,) if screen.fresh else ()), *_LOOK)
        case Stage.MOON:
            return (*(_MOON if duty(scene) is Duty.MOON else ()), *_LOOK)
        case _:
            return _LOOK
