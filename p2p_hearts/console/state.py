"""The state of the screen: one frozen value that holds all a person has typed, chosen and not yet seen.

The law: `press` and `update` (see `screen`) turn one `Screen` into the next; nothing else changes it, and whatever can
be read off the scene is not kept here a second time.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from p2p_hearts.cards import Card
from p2p_hearts.console.facts import Order
from p2p_hearts.console.home import HostSettings
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.node.driver import Aside, TableRow, Wish
from p2p_hearts.node.unfinished import Unfinished
from p2p_hearts.protocol.events import TrickEnded
from p2p_hearts.protocol.scene import Scene

LOG_LINES = 1000  # kept for scrolling back; a hand of eleven has about 120


class Overlay(Enum):
    """What lies over the page until a key takes it away."""

    HELP = "help"
    SHEET = "score sheet"
    TRICK = "last trick"
    LOG = "log"
    PASSED = "passed cards"
    TRUST = "why this deal can be trusted"
    PEOPLE = "people"
    GAMES = "unfinished games"
    QUIT = "quit"
    INVITATION = "invitation"
    SETTINGS = "settings"


class Pace(Enum):
    """How long a screen rests: seconds after another seat's card, seconds after a trick."""

    NONE = (0.0, 0.0)
    FAST = (0.12, 1.6)
    SLOW = (0.5, 4.0)


@dataclass(frozen=True, slots=True)
class Typing:
    """A line being typed; `purpose` is `chat`, `address`, `invitation` or `name`, `cursor` counts letters."""

    purpose: str
    text: str = ""
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A card chosen before one's turn: for which turn, and how many of its kind lay on the table then."""

    card: Card
    duty: str
    twins: int


@dataclass(frozen=True, slots=True)
class Form:
    """The settings of a table to be opened: `kind` is `host` or `solo`, `row` the line the cursor is on."""

    kind: str
    settings: HostSettings
    row: int = 0


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; `kind` is `play`, `trick`, `scored`, `signed`, `chat`, `note` or `bad`."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class JoinRow:
    """Ask for a seat at the table of this row."""

    row: TableRow


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """Ask for a seat at the table behind what the person typed."""

    text: str


@dataclass(frozen=True, slots=True)
class WatchRow:
    """Look on at the table of this row."""

    row: TableRow


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a game that was not played to its end."""

    game: Unfinished


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table on this network (`kind` `host`) or in this process (`solo`), or begin the tutorial (`learn`)."""

    kind: str
    settings: HostSettings


@dataclass(frozen=True, slots=True)
class Again:
    """Another game with the same people: the table and its host by name, the keys of those who sat there, and the table to
    be opened, where this person is the host and has not opened it yet."""

    table: str
    host: str
    people: frozenset[bytes]
    opening: OpenTable | None
    guest: bool


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Leave the table: back to the lobby, or out of the program when there is none. Who goes on `later` does not say to
    the others that they have left: the game can be continued, and a bot plays meanwhile."""

    later: bool = False


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Write down that the settings have changed."""

    before: Preferences
    after: Preferences


Action: TypeAlias = Keep | Wish | JoinRow | JoinAddress | WatchRow | Resume | OpenTable | LeaveTable | Quit


@dataclass(frozen=True, slots=True)
class Screen:
    """All that decides what is drawn, besides the size of the window."""

    rows: tuple[TableRow, ...] = ()
    notes: tuple[str, ...] = ()
    games: tuple[Unfinished, ...] = ()  # not played to their end, the latest first
    game: int = 0  # of these, on the page that lists them
    row: int = 0  # of the tables, or of those who ask to sit down
    form: Form | None = None
    again: Again | None = None  # another game with the people of the last one
    busy: str = ""  # what is being opened or joined, in words
    scene: Scene | None = None
    aside: Aside = field(default_factory=Aside)
    overlay: Overlay | None = None
    scroll: int = 0
    typing: Typing | None = None
    cursor: int | None = None  # a card, by its place in the hand as it is shown
    chosen: tuple[int, ...] = ()  # cards to pass, by place, in the order of choosing
    digits: str = ""  # a number being typed
    plan: Plan | None = None
    sent: str = ""  # names the duty that was answered; a second Enter finds it and does nothing
    refused: str = ""  # names the duty whose answer the table has refused: nothing is tried again by itself
    fresh: tuple[Card, ...] = ()  # cards got by the pass or with the kitty, not yet acknowledged
    giver: str = ""  # in words, who gave them
    ended: TrickEnded | None = None  # a complete trick that still lies there to be looked at
    pick: int | None = None  # of the two moon choices
    log: tuple[LogLine, ...] = ()
    unread: int = 0  # lines of chat that came while a page lay over the table
    note: str = ""  # a sentence for the person at this keyboard, until the next key
    slow: bool = False  # somebody takes long, and one can say that one will not wait
    waits: tuple[tuple[bytes, int], ...] = ()  # who gives no sign of life, and in how many seconds it goes on without
    left: int | None = None  # seconds of the table's clock for whoever must decide
    mark: str = "here"  # what the others are told of this person: here, away, or asking them to wait
    person: int = 0  # of those at the table, on the page that lists them
    muted: frozenset[bytes] = frozenset()  # whose chat is not shown
    pace: Pace = Pace.FAST
    order: Order = Order.SUIT
    forced: bool = False  # the only card that may be played is played by itself
    bell: bool = False  # rings when something is asked of the person
    preferences: Preferences = field(default_factory=Preferences)
    system: str = ""  # the language where the settings name none; empty: that of the whole program
    setting: int = 0  # the line of the settings the cursor is on
    size: tuple[int, int] = (80, 24)  # of the window, columns and lines: how far a page can be scrolled depends on it
    blocks: bool = True  # whether the terminal has half blocks, from which a QR code is drawn
    settings: HostSettings = field(default_factory=HostSettings)  # what the form began with last time


def language_of(screen: Screen) -> str:
    """The language of this person; empty: that of the whole program."""
    return screen.preferences.language or screen.system


def waits_to_be_read(screen: Screen) -> bool:
    """Whether a tutorial goes on only once the person has read what it says."""
    teaching = screen.aside.teaching
    return teaching is not None and teaching.waits and screen.sent != teaching.text


def have_read(screen: Screen) -> Screen:
    """The screen once the person has read what a tutorial says."""
    return replace(screen, sent="" if screen.aside.teaching is None else screen.aside.teaching.text)


def noted(screen: Screen, note: str) -> Screen:
    """The screen with a sentence for its person."""
    return replace(screen, note=note)


def logged(screen: Screen, text: str, kind: str) -> Screen:
    """The screen with one more line in its log."""
    unread = screen.unread + (kind == "chat") if screen.overlay is not None else 0
    return replace(screen, log=(*screen.log[-LOG_LINES + 1 :], LogLine(text, kind)), unread=unread)
