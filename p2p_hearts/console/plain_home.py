"""Line mode in the lobby: the tables that are there, and what a typed line means.

The law: numbers choose, every other word is spelt out in the question or in the help, and an answer that is not
understood changes nothing.
"""

from dataclasses import dataclass, replace

from p2p_hearts.console.below import below
from p2p_hearts.console.draw_games import about
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.home import ADMIT
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.state import (
    Action,
    JoinAddress,
    JoinRow,
    OpenTable,
    Quit,
    Resume,
    Screen,
    WatchRow,
)
from p2p_hearts.console.words import preset_name
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS
from p2p_hearts.node.driver import TableRow


@dataclass(frozen=True, slots=True)
class Answer:
    """What a typed line leads to: the state after it, what to say, what to do."""

    screen: Screen
    reply: str = ""
    action: Action | None = None


HELP_HOME = N_(
    "A number joins that table. An address like 192.168.1.20:5340 joins there, and so does an invitation, its words or its text. h opens a table for others, h 8 one of eight, h 8 private one for invited people only. s plays against bots, s 8 with eight players. l learns the game in five minutes. w and a number looks on at a table that is played. g reads the games to go on with. r reads the list again. set reads the settings, rules the rules. q leaves."
)


def home_question(screen: Screen) -> str:
    """The tables on this network and what can be done."""
    if screen.again is not None:
        host, table = clean(screen.again.host), clean(screen.again.table)
        return _("Waiting until {host} opens {table} again. x waits no longer, q leaves.", host=host, table=table)
    found = " ".join(_row_words(place, row) for place, row in enumerate(screen.rows, 1))
    found = found or _("No table is seen on this network yet.")
    return (
        found
        + " "
        + _(
            "A number joins, h hosts a table, s plays against bots, l learns the game, or type an address or an invitation. ? for help, q leaves."
        )
    )


def _row_words(place: int, row: TableRow) -> str:
    text = _(
        "{place}: {name}, host {host}, {taken} of {seats} seats, rules {rules}",
        place=place, name=row.name, host=row.host, taken=row.taken, seats=row.seats, rules=preset_name(row.preset),
    )  # fmt: skip
    if row.joinable:
        return f"{text}."
    return _("{table}, not to be joined: {reason}.", table=text, reason=below(row.reason).rstrip("."))


def answer_home(screen: Screen, word: str, rest: str, line: str) -> Answer:
    """What a typed line means in the lobby."""
    if screen.again is not None and word == "x":
        return Answer(replace(screen, again=None), _("You wait no longer."))
    if word in {"q", "quit"}:
        return Answer(screen, action=Quit())
    if word in {"?", ""}:
        return Answer(screen, _(HELP_HOME) if word else "")
    if word == "r":
        return Answer(screen)
    if word.isdigit() or word in {"w", "g"}:
        return _answer_number(screen, word, rest.strip())
    if word == "l":
        return Answer(replace(screen, busy=_("Opening the table")), action=OpenTable("learn", screen.settings))
    if word in {"h", "s"}:
        number = next((int(part) for part in rest.split() if part.isdigit()), None)
        admit = next((part for part in rest.lower().split() if part in ADMIT), screen.settings.admit)
        seats = screen.settings.seats if number is None else number
        if not MIN_SEATS <= seats <= MAX_SEATS:
            return Answer(screen, _("The game is for {low} to {high} players.", low=MIN_SEATS, high=MAX_SEATS))
        kind = "host" if word == "h" else "solo"
        settings = replace(screen.settings, seats=seats, admit=admit)
        return Answer(replace(screen, busy=_("Opening the table")), action=OpenTable(kind, settings))
    return Answer(replace(screen, busy=_("Looking for {what}", what=line)), action=JoinAddress(line))


def _answer_number(screen: Screen, word: str, number: str) -> Answer:
    """A table to join or to watch, or a game to go on with, by its number."""
    if word == "g" and not number:
        return Answer(screen, game_words(screen))
    told = number if word in {"w", "g"} else word
    place = int(told) - 1 if told.isdecimal() else -1
    if word == "g":
        if not 0 <= place < len(screen.games):
            return Answer(screen, _("There is no game {number}.", number=told))
        game = screen.games[place]
        return Answer(replace(screen, busy=_("Going on with {table}", table=game.title)), action=Resume(game))
    if not 0 <= place < len(screen.rows):
        return Answer(screen, _("There is no table {number}.", number=told))
    row = screen.rows[place]
    if word == "w":
        return Answer(replace(screen, busy=_("Looking on at {table}", table=row.name)), action=WatchRow(row))
    if row.state == "private":
        return Answer(screen, _("{name} is private: type the invitation that its host gave you.", name=row.name))
    if not row.joinable:
        reason = below(row.reason).rstrip(".")
        return Answer(screen, _("{name} cannot be joined: {reason}.", name=row.name, reason=reason))
    return Answer(replace(screen, busy=_("Asking for a seat at {name}", name=row.name)), action=JoinRow(row))


def game_words(screen: Screen) -> str:
    """The games that were not played to their end, with the numbers that choose them."""
    if not screen.games:
        return _("There is no game to go on with.")
    games = " ".join(f"{number}: {clean(game.title)}, {about(game)}." for number, game in enumerate(screen.games, 1))
    return _("{games} g and a number goes on with it.", games=games)
