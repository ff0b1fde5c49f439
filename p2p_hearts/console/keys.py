"""The keys that work now, for the line at the bottom and for the help page: one table, so that both tell the truth.

The law: on every page a key does something exactly when one of these entries names it.
"""

from dataclasses import dataclass, replace

from p2p_hearts.console.again import wanted_again
from p2p_hearts.console.ahead import can_plan
from p2p_hearts.console.facts import can_continue, duty, duty_name, last_ended, my_cards
from p2p_hearts.console.press_home import FIELDS, can_watch
from p2p_hearts.console.press_waiting import is_host
from p2p_hearts.console.state import Overlay, Screen, waits_to_be_read
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.scene import Lobby, Scene, Stage

_DIGITS = tuple("0123456789")
_UP_DOWN = ("up", "down", "k", "j")


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its label, one or two words for the bottom line, a sentence for the help page, and the names of all keys
    that do the same, the first of them the one a click stands for."""

    label: str
    short: str
    long: str
    names: tuple[str, ...] = ()  # empty: the label alone

    @property
    def pressed(self) -> tuple[str, ...]:
        """The names of all keys of this entry."""
        return self.names or (self.label.lower(),)


HELP = Key("?", "keys", "these keys; they change with what can be done")
SETTINGS = Key(",", "settings", "language, colours, speed and what else you may want otherwise")
CHAT = Key("c", "chat", "say something to the table")
QUIT = Key("q", "quit", "leave; during a game you are asked once", ("q", "c-c"))
_ROWS = Key("↑↓", "choose", "move through the tables (also j k, or the number of a table)", (*_UP_DOWN, *_DIGITS[1:]))
_JOIN = Key("Enter", "join", "ask for a seat at the table chosen")
_CONTINUE = Key("c", "continue", "go on with a game that was not played to its end")
_WATCH = Key("w", "watch", "look on at the table chosen, where only the cards played are seen")
_HOME = (
    Key("a", "address", "join by an invitation, or at ADDRESS:PORT where no table is seen"),
    Key("h", "host", "open a table that others on this network see"),
    Key("s", "solo", "play against bots on this machine alone"),
    Key("l", "learn", "learn the game in five minutes, with bots"),
    SETTINGS,
    HELP,
    Key("q", "quit", "leave the program", ("q", "c-c")),
)
_BUSY = (
    Key("Escape", "stop waiting", "do not wait any longer", ("escape", "backspace")),
    HELP,
    Key("q", "quit", "leave the program", ("q", "c-c")),
)
_LINE = Key("↑↓", "line", "go to another line", (*_UP_DOWN, "tab"))
_CHANGE = Key("←→", "change", "change the value of the line", ("right", "left", "l", "h", "+", "-", " "))
_EDIT = Key("e", "edit", "type the name of the table")
_OPEN = (
    Key("Enter", "open", "open the table like this"),
    Key("q", "back", "back without opening anything", ("q", "escape", "backspace", "c-c")),
    HELP,
)
_LET_IN = (
    Key("y", "let in", "let the person sit down who is asking (Enter does the same)", ("y", "enter")),
    Key("x", "refuse", "refuse the person who is asking"),
)
_WHO_ASKS = Key("↑↓", "who", "choose among those who ask", _UP_DOWN)
_START = Key("s", "start", "begin with those seated now, people and bots")
_INVITE = Key("i", "invite", "an invitation: words to say, a text, a QR code; renew or close it")
_ADD_BOT = Key("+", "bot", "give one more seat to a bot", ("+", "="))
_NO_BOT = Key("-", "bot", "take the last bot away")
_HOST_REST = (
    Key("b", "level", "how well the next bot plays"),
    Key("p", "rules", "the other set of rules: as written, or classic"),
)
_TRICK = Key("t", "trick", "the last trick once more")
_SCORES = Key("s", "scores", "the score sheet")
_LOG = Key("l", "log", "everything that happened, and the chat")
_PASSED = Key("p", "passed", "which cards you passed, and which you got")
_TRUST = Key("y", "why trust", "why this deal can be trusted: the proofs that were checked here")
_PEOPLE = Key("w", "who", "who sits here, who can be heard; mute somebody's chat")
_VIEW = (
    Key("v", "speed", "how fast the cards of the others appear: fast, slow, none; any key skips the wait"),
    Key("b", "bell", "ring when it is your turn: on or off"),
    Key("m", "mouse", "click cards and keys, or leave the mouse to the terminal for selecting text"),
)
_HINT = Key("h", "hint", "what a good bot would do, and why; Enter does it")
_MARK = Key("x", "away", "tell the others that you are away for a moment, ask them to wait, or say that you are back")
_GO_ON_WITHOUT = Key("n", "go on", "wait no longer for whoever takes long; it goes on once most of you want it")
_ENDED = {Stage.OVER, Stage.STOPPED}
_SORT = Key("o", "order", "sort your hand by suit or by rank")
_FORCED = Key("a", "auto", "play by itself when only one card may be played: on or off")
_HAND = ("right", "left", "tab", "s-tab", "home", "end")
_PASS = (
    Key("space", "lift", "choose the card to be passed, or put it back (also up and down)", (" ", *_UP_DOWN)),
    Key("Enter", "pass", "pass the cards chosen; then they are gone"),
    Key("←→", "move", "move along your hand (also Tab, or the number of a card)", (*_HAND, *_DIGITS)),
)
_UNDO = Key("u", "undo", "put the card chosen last back", ("u", "backspace", "escape"))
_MOVE = Key("←→", "choose", "lift a card (also its number; Tab skips those you may not play)", (*_HAND, *_DIGITS))
_PLAY = Key("Enter", "play", "play the lifted card; for one you may not play, it says why")
_AHEAD = Key("Enter", "ahead", "choose the lifted card ahead; it is played when your turn comes")
_DOWN = Key("Escape", "down", "put the lifted card down, or take back a card chosen ahead", ("escape", "backspace"))
_SEEN = Key("space", "seen", "the cards you got are no longer marked", (" ",))
_MOON = (
    Key("←→", "choose", "choose between the two (also 1 and 2)", ("right", "left", "up", "down", "tab", "1", "2")),
    Key("Enter", "decide", "decide; it cannot be taken back"),
)
_GO_ON = Key("Enter", "go on", "go on with the lesson")
_LEAVE = Key("Enter", "leave", "leave the table")
_AGAIN = Key("r", "again", "another game with the same people: its host opens the table once more")
_TYPING = (
    Key("Enter", "done", "done with typing"),
    Key("Escape", "forget", "forget the line (an empty line and Enter does the same)", ("escape", "c-c")),
)
_PHRASES = Key("↑↓", "phrases", "go through the ready phrases", ("up", "down"))
_ALONG = (*_UP_DOWN, "pageup", "pagedown", "home", "end")
_SCROLL = Key("↑↓", "scroll", "scroll", _ALONG)
_CLOSE = Key("Enter", "back", "back to where you were", ("enter", "escape", "q", " ", "backspace"))
_DONE = Key("Enter", "back", "back to where you were", ("enter", "escape", "q", "backspace", ","))
_GIVE_UP = Key("Ctrl-C", "leave", "leave; during a game you are asked once", ("c-c",))
_INVITATION = (
    Key("n", "new", "a new invitation; the old one is worth nothing any more"),
    Key("x", "close", "close it: nobody can come in by it any more"),
)
_PERSON = Key("↑↓", "choose", "choose a person", _ALONG)
_MUTE = Key("m", "mute", "do not show what this person says, or show it again")
_GAME = Key("↑↓", "choose", "choose a game", _ALONG)
_GO_ON_WITH = Key("Enter", "go on", "go on with the game chosen")
_ASKED = (
    Key("y", "leave", "leave the table"),
    Key("z", "later", "close the table here and go on with the game another time; a bot plays meanwhile"),
    Key("n", "stay", "stay; any other key does the same"),
)
PAGES = {
    "?": Overlay.HELP, "s": Overlay.SHEET, "t": Overlay.TRICK, "l": Overlay.LOG, "p": Overlay.PASSED,
    "y": Overlay.TRUST, "w": Overlay.PEOPLE,
}  # fmt: skip
"""The pages that a key lays over the table, and takes away again."""


def keys_now(screen: Screen) -> tuple[Key, ...]:
    """The keys that do something now, the most useful first."""
    if screen.typing is not None:
        return (_TYPING[0], _PHRASES, _TYPING[1]) if screen.typing.purpose == "chat" else _TYPING
    match screen.overlay:
        case None:
            return page_keys(screen)
        case Overlay.QUIT:
            later = screen.scene is not None and can_continue(screen.scene)
            return tuple(key for key in _ASKED if later or key.label != "z")
        case Overlay.SETTINGS:
            return (_LINE, _CHANGE, _DONE, _GIVE_UP)
        case Overlay.GAMES:
            return (_GAME, _GO_ON_WITH, replace(_CLOSE, names=("escape", "q", "backspace", "c")), HELP, _GIVE_UP)
        case Overlay.INVITATION:
            return (*_INVITATION, _CLOSE, *_other_pages(screen))
        case Overlay.PEOPLE if screen.scene is not None:
            return (*_people_keys(screen, screen.scene), _close(screen), *_other_pages(screen))
        case _:
            return (*((_SCROLL,) if _scrolls(screen) else ()), _close(screen), *_other_pages(screen))


def page_keys(screen: Screen) -> tuple[Key, ...]:
    """The keys of the page below any overlay."""
    if screen.form is not None:
        named = FIELDS[screen.form.kind][screen.form.row] == "name"
        return (_LINE, _EDIT if named else _CHANGE, *_OPEN)
    if screen.scene is None and screen.busy:
        return _BUSY
    if screen.scene is None:
        rows = (_ROWS,) if len(screen.rows) > 1 else ()
        rows = (_BUSY[0], *rows) if screen.again is not None else rows
        chosen = screen.rows[screen.row] if screen.row < len(screen.rows) else None
        join = (_JOIN,) if chosen is not None and (chosen.joinable or not can_watch(screen)) else ()
        join = (*join, *((_WATCH,) if can_watch(screen) else ()))
        return (*rows, *join, *((_CONTINUE,) if screen.games else ()), *_HOME)
    return _table_keys(screen, screen.scene)


def pages_now(scene: Scene) -> tuple[Key, ...]:
    """The pages about the table that have something on them."""
    if scene.stage is Stage.JOINING:
        return ()
    if scene.stage is Stage.LOBBY:
        return (_LOG, _PEOPLE)
    keys: list[Key] = []
    view = scene.view
    keys += [_TRICK] if last_ended(scene) is not None else []
    keys += [_SCORES] if scene.scores else []
    keys += [_LOG]
    keys += [_PASSED] if view is not None and (view.passed or view.received or view.kitty) else []
    keys += [_TRUST] if scene.words else []
    return (*keys, _PEOPLE)


def _table_keys(screen: Screen, scene: Scene) -> tuple[Key, ...]:
    hand = (_SORT, _FORCED) if my_cards(scene) and scene.stage in {Stage.PASSING, Stage.PLAYING} else ()
    wait = (
        *((_GO_ON_WITHOUT,) if screen.slow else ()),
        *((_MARK,) if scene.stage not in _ENDED and scene.my_seat is not None else ()),
    )
    rest = (*pages_now(scene), CHAT, *wait, *hand, *_VIEW, SETTINGS, HELP, QUIT)
    answered = (what := duty(scene)) is not None and screen.sent == duty_name(scene, what)
    if waits_to_be_read(screen):
        return (_GO_ON, *rest)
    match scene.stage:
        case Stage.JOINING:
            return (SETTINGS, HELP, QUIT)
        case Stage.LOBBY:
            hosted = _lobby_keys(scene, scene.lobby) if is_host(scene) and scene.lobby is not None else ()
            return (*hosted, CHAT, *pages_now(scene), SETTINGS, HELP, QUIT)
        case Stage.OVER if wanted_again(screen, scene) is not None:
            return (_LEAVE, _AGAIN, *rest)
        case Stage.OVER | Stage.STOPPED:
            return (_LEAVE, *rest)
        case Stage.PASSING if what is Duty.PASS and not answered:
            return (*_PASS, _HINT, *((_UNDO,) if screen.chosen else ()), *rest)
        case Stage.PLAYING:
            return (*_playing_keys(screen, scene, answered=answered), *rest)
        case Stage.MOON if what is Duty.MOON and not answered:
            return (*_MOON, *rest)
        case Stage.PASSING if my_cards(scene):
            return (_MOVE, *rest)
        case _:
            return rest


def _playing_keys(screen: Screen, scene: Scene, *, answered: bool) -> tuple[Key, ...]:
    keys: list[Key] = [_MOVE] if my_cards(scene) else []
    if duty(scene) is Duty.PLAY and not answered:
        keys += [_PLAY, _HINT]
    elif can_plan(scene) and not _is_planned(screen, scene):
        keys.append(_AHEAD)
    keys += [_SEEN] if screen.fresh else []
    return (*keys, *((_DOWN,) if screen.plan is not None or screen.cursor is not None else ()))


def _is_planned(screen: Screen, scene: Scene) -> bool:
    cards = my_cards(scene, screen.order)
    at = screen.cursor
    return screen.plan is not None and at is not None and at < len(cards) and cards[at] == screen.plan.card


def _lobby_keys(scene: Scene, lobby: Lobby) -> tuple[Key, ...]:
    full = len(scene.peers) + len(lobby.bots) >= lobby.seats
    asking = (*_LET_IN, *((_WHO_ASKS,) if len(lobby.asking) > 1 else ())) if lobby.asking else ()
    start = (_START,) if lobby.problem is None else ()
    bots = (*(() if full else (_ADD_BOT,)), *((_NO_BOT,) if lobby.bots else ()))
    return (*asking, *start, _INVITE, *bots, *_HOST_REST)


def _other_pages(screen: Screen) -> tuple[Key, ...]:
    """The keys of the pages that are not the one shown, and of leaving altogether."""
    if screen.scene is None or screen.overlay is Overlay.HELP:
        return (_GIVE_UP,)
    others = tuple(key for key in pages_now(screen.scene) if PAGES[key.label] is not screen.overlay)
    return (*others, HELP, _GIVE_UP)


def _scrolls(screen: Screen) -> bool:
    """Whether the page shown can be longer than a window."""
    if screen.overlay is Overlay.SHEET:
        return screen.scene is not None and len(screen.scene.sheet) > 1
    return screen.overlay in {Overlay.HELP, Overlay.LOG}


def _close(screen: Screen) -> Key:
    """Going back, which the letter that opened the page does as well."""
    return replace(_CLOSE, names=(*_CLOSE.names, *(key for key, page in PAGES.items() if page is screen.overlay)))


def _people_keys(screen: Screen, scene: Scene) -> tuple[Key, ...]:
    chosen = scene.peers[screen.person] if screen.person < len(scene.peers) else None
    return (_PERSON, *((_MUTE,) if chosen is not None and not chosen.me else ()))
