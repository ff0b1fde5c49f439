"""The settings in line mode: `set` reads them, `set speed slow` changes one, by the names that the file has."""

from dataclasses import replace
from typing import Any

from p2p_hearts.console.language import _, speaking
from p2p_hearts.console.preferences import NAMES, SETTINGS, find, fits, written
from p2p_hearts.console.settings_page import applied, gathered
from p2p_hearts.console.state import Keep, Screen, language_of


def setting_words(screen: Screen) -> str:
    """Every setting with its value and what else it can be."""
    now = gathered(screen)
    lines = []
    for setting in SETTINGS:
        value = written(getattr(now, setting.name)).strip('"') or "-"
        choices = ", ".join(written(choice).strip('"') or "-" for choice in setting.values)
        lines.append(f"{setting.name} {value} ({choices}).")
    return f"{' '.join(lines)} {_('To change one: set, its name and the value, as in: set speed slow.')}"


def change_setting(screen: Screen, words: str) -> tuple[Screen, str, Keep | None]:
    """The screen after `set NAME VALUE`, what to say of it, and what to write down."""
    name, _blank, text = words.strip().lower().partition(" ")
    if name not in NAMES:
        return screen, _("There is no setting {name}: set alone reads them all.", name=name), None
    value = _read(name, text.strip())
    if not fits(name, value):
        choices = ", ".join(written(choice).strip('"') or "-" for choice in find(name).values)
        return screen, _("{name} can be: {choices}.", name=name, choices=choices), None
    before = gathered(screen)
    change: dict[str, Any] = {name: value}
    after = applied(screen, replace(before, **change))
    with speaking(language_of(after)):
        return after, _("{name} is {value} now.", name=name, value=text.strip()), Keep(before, gathered(after))


def _read(name: str, text: str) -> object:
    """A value as it is typed."""
    if text in {"true", "false"}:
        return text == "true"
    if name == "think":
        return float(text) if text.replace(".", "", 1).isdecimal() else text
    return "" if text == "-" else text
