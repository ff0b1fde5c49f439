"""What a person may want otherwise, and what each value means: one table for the file, the page and the checks.

The law: every setting has a default that suits most people, so that nobody needs the file; the values are plain (text,
number, yes or no), and what is not in the table is no setting.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from p2p_hearts.console.language import LANGUAGES, N_, _

THINK = (0.0, 10.0)  # seconds


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of one person at this computer."""

    language: str = ""  # empty: that of the system
    suits: str = "four"
    colours: str = "auto"
    background: str = "auto"
    letters: bool = False
    ambiguous_width: str = "narrow"
    mouse: bool = False
    bell: bool = False
    speed: str = "fast"
    sort: str = "suit"
    forced: bool = False
    think: float = 0.0  # seconds


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the page: its name in the file, a label, the values in turn with their words, and what it is for."""

    name: str
    label: str
    values: Mapping[Any, str]
    about: str


_YES = {False: N_("no"), True: N_("yes")}
SETTINGS = (
    Setting(
        "language",
        N_("Language"),
        {"": N_("that of the system"), **LANGUAGES},
        N_("The language of everything you read; everybody at the table has their own."),
    ),
    Setting(
        "suits",
        N_("Suit colours"),
        {"four": N_("four"), "two": N_("two: red and black")},
        N_("Four colours tell clubs from spades and diamonds from hearts at a glance."),
    ),
    Setting(
        "colours",
        N_("Colours"),
        {"auto": N_("as the terminal says"), "16": N_("sixteen"), "none": N_("none")},
        N_("Without colours bold, dim and marks say the same. NO_COLOR works, too."),
    ),
    Setting(
        "background",
        N_("Background"),
        {"auto": N_("any"), "dark": N_("dark"), "light": N_("light")},
        N_("Colours that are easier to read on a dark or on a light background."),
    ),
    Setting(
        "letters",
        N_("Suits as letters"),
        _YES,
        N_("S H D C in place of signs, for terminals whose signs are missing or too small."),
    ),
    Setting(
        "ambiguous_width",
        N_("Signs are"),
        {"narrow": N_("one column wide"), "wide": N_("two columns wide")},
        N_("Where your terminal draws ♠ or ─ two columns wide, lines break: say so, and plain signs are used."),
    ),
    Setting(
        "mouse",
        N_("Mouse"),
        _YES,
        N_("Click cards and keys; then the terminal selects text only with Shift held down."),
    ),
    Setting("bell", N_("Bell"), _YES, N_("Ring when it is your turn.")),
    Setting(
        "speed",
        N_("Speed of play"),
        {"none": N_("no waiting"), "fast": N_("fast"), "slow": N_("slow")},
        N_("How long the cards of the others and a finished trick are left to be looked at; any key skips it."),
    ),
    Setting(
        "sort",
        N_("Your hand"),
        {"suit": N_("by suit"), "rank": N_("by rank")},
        N_("How the cards in your hand are sorted."),
    ),
    Setting(
        "forced",
        N_("Forced cards"),
        {False: N_("you play them"), True: N_("played by themselves")},
        N_("Whether a card is played by itself when no other may be played."),
    ),
    Setting(
        "think",
        N_("Bots think"),
        {
            0.0: N_("not at all"),
            0.5: N_("half a second"),
            1.0: N_("a second"),
            2.0: N_("two seconds"),
            4.0: N_("four seconds"),
        },
        N_("How long bots at your table seem to think before they play; from the next table on."),
    ),
)
NAMES = tuple(field.name for field in fields(Preferences))


def fits(name: str, value: object) -> bool:
    """Whether a setting can have this value."""
    if name == "think":
        return isinstance(value, int | float) and not isinstance(value, bool) and THINK[0] <= value <= THINK[1]
    # `True == 1` in Python: the type is part of the value
    return any(type(value) is type(choice) and value == choice for choice in find(name).values)


def find(name: str) -> Setting:
    """The setting of this name."""
    return next(setting for setting in SETTINGS if setting.name == name)


def worded(setting: Setting, value: object) -> str:
    """A value as the page shows it."""
    return (
        _(setting.values[value])
        if value in setting.values
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def written(value: object) -> str:
    """A value as the file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else f'"{value}"'


def turned(preferences: Preferences, row: int, step: int) -> object:
    """The value after, or before, the one that the setting on this row has."""
    setting = SETTINGS[row]
    values, now = tuple(setting.values), getattr(preferences, setting.name)
    at = values.index(now) if now in values else 0
    return values[(at + step) % len(values)]
