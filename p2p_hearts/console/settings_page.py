"""The page of the settings: a line each, changed at once and written to the file, wherever one is in the program.

The law: what the page shows is what holds now, also after a key of the table (`v`, `b`, `o`, `a`) has changed it for this
sitting; only what is changed on the page is written down.
"""

from dataclasses import replace
from typing import Any

from p2p_hearts.console.facts import Order
from p2p_hearts.console.fragments import Line, clip, fit
from p2p_hearts.console.language import _
from p2p_hearts.console.parts import paragraph, title
from p2p_hearts.console.preferences import SETTINGS, Preferences, turned, worded
from p2p_hearts.console.press_table import sorted_anew
from p2p_hearts.console.settings import Personal
from p2p_hearts.console.state import Action, Keep, Pace, Screen

LABEL_COLUMNS = 20
_BACK, _ON = {"left", "h", "-"}, {"right", "l", "+", " "}
CLOSING = {"escape", "enter", "q", "backspace", ","}


def settings_lines(screen: Screen, width: int, height: int) -> list[Line]:
    """The page, `height` lines high; the line chosen is always to be seen, with what it is for."""
    now = gathered(screen)
    about = [[("", "   "), *line] for line in paragraph(_(SETTINGS[screen.setting].about), width - 6, "class:off")]
    room = max(1, height - 2 - 1 - len(about))
    first = max(0, min(screen.setting - room // 2, len(SETTINGS) - room))
    lines: list[Line] = [title(_("Settings"), _("they hold at once"), width), []]
    for row, setting in enumerate(SETTINGS[first : first + room], first):
        on = row == screen.setting
        style, turn = ("class:strong", ("◂ ", " ▸")) if on else ("", ("  ", ""))
        value = worded(setting, getattr(now, setting.name))
        line = [("class:turn", " ▸ " if on else "   "), (style, fit(_(setting.label), LABEL_COLUMNS))]
        lines.append(clip([*line, ("class:turn", turn[0]), (style, value), ("class:turn", turn[1])], width))
    return [*lines, [], *about][:height]


def press_settings(screen: Screen, key: str) -> tuple[Screen, Action | None]:
    """The page after a key."""
    row = screen.setting
    if key in CLOSING:
        return replace(screen, overlay=None), None
    if key in {"up", "k"}:
        return replace(screen, setting=max(0, row - 1)), None
    if key in {"down", "j", "tab"}:
        return replace(screen, setting=min(len(SETTINGS) - 1, row + 1)), None
    if key not in _BACK | _ON:
        return screen, None
    before = gathered(screen)
    change: dict[str, Any] = {SETTINGS[row].name: turned(before, row, 1 if key in _ON else -1)}
    after = replace(before, **change)
    return applied(screen, after), Keep(before, after)


def gathered(screen: Screen) -> Preferences:
    """The settings as they hold now."""
    return replace(
        screen.preferences,
        speed=screen.pace.name.lower(),
        sort=screen.order.name.lower(),
        forced=screen.forced,
        bell=screen.bell,
    )


def first_screen(personal: Personal, *, blocks: bool = True) -> Screen:
    """The screen with which the program begins for this person."""
    screen = Screen(system=personal.system, blocks=blocks, note=" ".join(personal.problems))
    return applied(screen, personal.preferences)


def applied(screen: Screen, wanted: Preferences) -> Screen:
    """The screen with these settings."""
    order = Order[wanted.sort.upper()]
    if screen.scene is not None and order is not screen.order:
        screen = sorted_anew(screen, screen.scene, order)
    return replace(
        screen,
        preferences=wanted,
        pace=Pace[wanted.speed.upper()],
        order=order,
        forced=wanted.forced,
        bell=wanted.bell,
    )
