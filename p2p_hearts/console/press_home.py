"""Keys before a table: the list of tables, and the form of a table to be opened."""

from dataclasses import replace
from typing import TypeVar

from p2p_hearts.bots import LEVELS
from p2p_hearts.console.below import below
from p2p_hearts.console.home import ADMIT, HostSettings
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Action, Form, JoinRow, OpenTable, Overlay, Resume, Screen, Typing, WatchRow, noted
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, PRESETS

_Value = TypeVar("_Value")

LIMITS = (50, 100, 150, 200)
CLOCKS = (0, 15, 30, 60)  # seconds; no clock is the usual
FIELDS = {
    "host": ("name", "seats", "bots", "level", "preset", "limit", "clock", "admit", "watch"),
    "solo": ("seats", "level", "preset", "limit"),
}


def press_home(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    """The lobby after a key."""
    if screen.busy:
        return (replace(screen, busy=""), None) if key in {"escape", "backspace"} else (screen, None)
    if screen.again is not None and key in {"escape", "backspace", "enter", "a", "h", "s"}:
        screen = replace(screen, again=None)  # who does something else waits no longer
    if key.startswith("row:"):  # a click: on the row chosen it is Enter
        at = int(key.removeprefix("row:")) - 1
        return _join(screen, at) if at == screen.row else (replace(screen, row=at), None)
    match key:
        case "up" | "k":
            return replace(screen, row=max(0, screen.row - 1)), None
        case "down" | "j":
            return replace(screen, row=min(max(0, len(screen.rows) - 1), screen.row + 1)), None
        case "enter":
            return _join(screen, screen.row)
        case "c" if screen.games:
            return replace(screen, overlay=Overlay.GAMES, game=0), None
        case "w" if can_watch(screen):
            row = screen.rows[screen.row]
            return replace(screen, busy=_("Looking on at {table}", table=row.name)), WatchRow(row)
        case "a":
            return replace(screen, typing=Typing("address")), None
        case "h":
            return replace(screen, form=Form("host", screen.settings)), None
        case "s":
            return replace(screen, form=Form("solo", screen.settings)), None
        case "l":
            return replace(screen, busy=_("Opening the table")), OpenTable("learn", screen.settings)
        case digit if len(digit) == 1 and digit in "123456789":
            at = int(digit) - 1
            return (replace(screen, row=at), None) if at < len(screen.rows) else (screen, None)
        case _:
            return screen, None


def can_watch(screen: Screen) -> bool:
    """Whether the table chosen is being played, so that one can only look on."""
    return screen.row < len(screen.rows) and screen.rows[screen.row].state == "playing"


def press_games(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    """The page of unfinished games after a key."""
    last = len(screen.games) - 1
    match key:
        case "up" | "k" | "pageup":
            return replace(screen, game=max(0, screen.game - 1)), None
        case "down" | "j" | "pagedown":
            return replace(screen, game=min(last, screen.game + 1)), None
        case "home" | "end":
            return replace(screen, game=0 if key == "home" else last), None
        case "escape" | "q" | "backspace" | "c":
            return replace(screen, overlay=None), None
        case "enter" if screen.games:
            game = screen.games[min(screen.game, last)]
            return replace(screen, overlay=None, busy=_("Going on with {table}", table=game.title)), Resume(game)
        case _:
            return screen, None


def press_form(screen: Screen, form: Form, key: str) -> tuple[Screen, Action | None]:
    """The form after a key."""
    fields = FIELDS[form.kind]
    match key:
        case "up" | "k":
            return replace(screen, form=replace(form, row=max(0, form.row - 1))), None
        case "down" | "j" | "tab":
            return replace(screen, form=replace(form, row=min(len(fields) - 1, form.row + 1))), None
        case "left" | "h" | "-":
            return replace(screen, form=replace(form, settings=_turned(form, -1))), None
        case "right" | "l" | "+" | " ":
            return replace(screen, form=replace(form, settings=_turned(form, 1))), None
        case "escape" | "q" | "backspace":
            return replace(screen, form=None), None
        case "e" if fields[form.row] == "name":
            name = form.settings.name
            return replace(screen, typing=Typing("name", name, len(name))), None
        case "enter":
            done = replace(screen, form=None, settings=form.settings, busy=_("Opening the table"))
            return done, OpenTable(form.kind, form.settings)
        case _:
            return screen, None


def limit_of(settings: HostSettings) -> int:
    """The limit the settings play to."""
    return next((int(str(value)) for name, value in settings.overrides if name == "limit"), _usual(settings.preset))


def _join(screen: Screen, at: int) -> tuple[Screen, Action | None]:
    if at >= len(screen.rows):
        return noted(screen, _("No table to join yet: open one with h, or play against bots with s.")), None
    row = screen.rows[at]
    if row.state == "private":
        return replace(screen, typing=Typing("invitation")), None
    if not row.joinable:
        reason = below(row.reason).rstrip(".") or _("it is not open")
        return noted(screen, _("{name} cannot be joined: {reason}.", name=row.name, reason=reason)), None
    return replace(screen, busy=_("Asking for a seat at {name}", name=row.name)), JoinRow(row)


def _turned(form: Form, step: int) -> HostSettings:
    """The settings with the field under the cursor one step further."""
    settings = form.settings
    match FIELDS[form.kind][form.row]:
        case "seats":
            seats = min(MAX_SEATS, max(MIN_SEATS, settings.seats + step))
            return replace(settings, seats=seats, bots=min(settings.bots, seats - 1))
        case "bots":
            return replace(settings, bots=min(settings.seats - 1, max(0, settings.bots + step)))
        case "level":
            return replace(settings, level=_next(LEVELS, settings.level, step))
        case "preset":
            return replace(settings, preset=_next(PRESETS, settings.preset, step), overrides=())
        case "clock":
            return replace(settings, clock=_next(CLOCKS, settings.clock, step))
        case "watch":
            return replace(settings, watch=not settings.watch)
        case "admit":
            return replace(settings, admit=_next(ADMIT, settings.admit, step))
        case "limit":
            limit = _next(LIMITS, limit_of(settings), step)
            overrides = () if limit == _usual(settings.preset) else (("limit", limit),)
            return replace(settings, overrides=overrides)
        case _:
            return settings


def _usual(preset: str) -> int:
    return 100 if preset == "classic" else 150


def _next(values: tuple[_Value, ...], value: _Value, step: int) -> _Value:
    return values[(values.index(value) + step) % len(values)] if value in values else values[0]
