"""The file of the settings, `settings.toml` beside the identity: read with care, changed line by line.

The law: the file is the person's. A change rewrites the one line it concerns and leaves comments, order and what the
program does not know as they are; a file that cannot be understood is never written to. Whatever is wrong in it costs
that one setting its effect, and a sentence says the line and the cure.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from p2p_hearts.console.language import N_, _
from p2p_hearts.console.preferences import NAMES, SETTINGS, THINK, Preferences, find, fits, written

FILE = "settings.toml"
MAX_BYTES = 65536  # of the file; more is none of ours
_HEAD = (
    N_("The settings of p2p-hearts. Change a value and start the program again, or press , in the program."),
    N_("Your comments and the order of the lines are kept. What is left out is as it was here at first."),
)
_VALUE = r"""(?P<value>"[^"]*"|'[^']*'|[^\s#"']+)"""
_PLACE = re.compile(r"\(at line (\d+), column \d+\)")


class SettingsError(Exception):
    """The file cannot be written; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Personal:
    """What belongs to the person: the settings, what is wrong with their file, and the language of the system."""

    preferences: Preferences = field(default_factory=Preferences)
    problems: tuple[str, ...] = ()
    system: str = ""
    file: Path | None = None
    heed: Callable[[Preferences], None] | None = None  # what the program below the console makes of a change

    def keep(self, before: Preferences, after: Preferences) -> str:
        """Heed and write down what has changed; why it could not be written, or nothing."""
        if self.heed is not None:
            self.heed(after)
        if self.file is None:
            return ""
        try:
            write_settings(self.file, before, after)
        except SettingsError as error:
            return str(error)
        return ""


def read_settings(path: Path) -> tuple[Preferences, tuple[str, ...]]:
    """What the file says, and what is wrong with it, one sentence each. No file is no fault."""
    try:
        text = _text(path)
    except FileNotFoundError:
        return Preferences(), ()
    except OSError as error:
        return Preferences(), (_("The settings in {path} cannot be read: {reason}.", path=path, reason=error.strerror),)
    except UnicodeDecodeError:
        return Preferences(), (_("The settings in {path} are no text in UTF-8: write the file anew.", path=path),)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Preferences(), (_unreadable(path, text, error),)
    wanted: dict[str, Any] = {}
    problems = []
    for name, value in values.items():
        if name not in NAMES:
            problems.append(_unknown(path, text, name))
        elif not fits(name, value):
            problems.append(_refused(path, text, name, value))
        else:
            wanted[name] = float(value) if name == "think" else value
    return replace(Preferences(), **wanted), tuple(problems)


def write_settings(path: Path, before: Preferences, after: Preferences) -> None:
    """Changes in the file what differs between the two.

    Raises SettingsError: the file cannot be written, or is one that must not be.
    """
    try:
        text = _text(path) if path.exists() else template(before)
        for name in NAMES:
            if getattr(before, name) != getattr(after, name):
                text = changed(text, name, getattr(after, name))
        _store(path, text)
    except (ValueError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(
            _("This holds only until you leave: correct {path} first, or move it away.", path=path)
        ) from error
    except OSError as error:
        text = _(
            "This holds only until you leave: {path} cannot be written: {reason}.", path=path, reason=error.strerror
        )
        raise SettingsError(text) from error


def template(preferences: Preferences) -> str:
    """The file as it is first written: every setting, with what it is for and what it can be."""
    text = "".join(f"# {_(line)}\n" for line in _HEAD)
    for setting in SETTINGS:
        choices = _seconds() if setting.name == "think" else ", ".join(map(written, setting.values))
        text += f"\n# {_(setting.about)}\n# {choices}\n{setting.name} = {written(getattr(preferences, setting.name))}\n"
    return text


def changed(text: str, name: str, value: object) -> str:
    """The text of the file with one setting changed, and nothing else.

    Raises ValueError when the text is no TOML, or is written in a way in which the line cannot be found.
    """
    line = re.compile(rf"^(?P<before>[ \t]*{name}[ \t]*=[ \t]*){_VALUE}", re.MULTILINE)
    top = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    end = top.start() if top else len(text)
    before, after = text[:end], text[end:]
    new = written(value)
    if line.search(before):
        before = line.sub(lambda found: found["before"] + new, before, count=1)
    else:
        about = _(find(name).about)
        gap = "" if not before or before.endswith("\n") else "\n"
        before = f"{before}{gap}\n# {about}\n{name} = {new}\n" + ("\n" if after else "")
    if tomllib.loads(before + after).get(name) != value:
        raise ValueError(name)
    return before + after


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_BYTES).decode("utf-8-sig").replace("\r\n", "\n")


def _store(path: Path, text: str) -> None:
    """Writes the whole file or nothing of it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    whole = path.with_suffix(".new")
    whole.write_text(text, encoding="utf-8")
    os.replace(whole, path)  # noqa: PTH105 - `Path.replace` says less about what it is for


def _line_of(text: str, name: str) -> int:
    """The line on which a key stands, from 1."""
    found = re.search(rf"""^[ \t]*\[*[ \t]*["']?{re.escape(name)}["']?[ \t]*[=.\]]""", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _unreadable(path: Path, text: str, error: tomllib.TOMLDecodeError) -> str:
    place = _PLACE.search(str(error))
    line = int(place[1]) if place else text.count("\n") + 1
    return _(
        "{path}, line {line}, is not written as NAME = VALUE: correct or delete it; the usual settings are used meanwhile.",
        path=path, line=line,
    )  # fmt: skip


def _unknown(path: Path, text: str, name: str) -> str:
    near = difflib.get_close_matches(name, NAMES, n=1)
    line = _line_of(text, name)
    if near:
        return _(
            "{path}, line {line}: there is no setting {name}; did you mean {near}?",
            path=path,
            line=line,
            name=name,
            near=near[0],
        )
    return _("{path}, line {line}: there is no setting {name}; it does nothing.", path=path, line=line, name=name)


def _refused(path: Path, text: str, name: str, value: object) -> str:
    shown = written(value) if isinstance(value, str | bool | float) else str(value)
    choices = _seconds() if name == "think" else ", ".join(map(written, find(name).values))
    usual = written(getattr(Preferences(), name))
    line = _line_of(text, name)
    return _(
        "{path}, line {line}: {name} cannot be {value}; it can be: {choices}. {usual} is used meanwhile.",
        path=path, line=line, name=name, value=shown[:40], choices=choices, usual=usual,
    )  # fmt: skip


def _seconds() -> str:
    low, high = (f"{second:g}" for second in THINK)
    return _("a number of seconds from {low} to {high}", low=low, high=high)
