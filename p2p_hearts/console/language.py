"""The words of the program in the language of its person: `_` for a sentence, `n_` where a number decides the form.

How a sentence becomes one of six:

    _("{name} is back.", name=name)                          a sentence; what changes in it goes in by name
    n_("{n} point", "{n} points", count)                     a number decides, by the rules of each language
    p_("key", "host")                                        one English word that two meanings share
    N_("Play to")                                            marks a text in a table; `_` says it when it is shown

Then `python3 scripts/languages.py` writes it into every catalogue, `locale/xx/LC_MESSAGES/p2p_hearts.po`; put the
translation there and run it again. A test names what is missing. Never put sentences together from pieces: another
language has another order. Give each whole sentence, also for “you” and for “somebody”. Sentences of the layers below,
which know no language, are found by the same script and translated where they are shown: see `below`.

The law: what is said depends on the language alone, and that is an argument. A door (`press`, `update`, `render`, one
question of line mode) takes it from the screen it was given and holds it, by `speaking`, until it returns; `use` says it
once for a whole run of the program. Whatever has no translation is said in English.
"""

import gettext
import locale
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "id": "Bahasa Indonesia",
    "da": "Dansk",
    "tr": "Türkçe",
    "lv": "Latviešu",
    "fi": "Suomi",
}
"""Every language of the program, under its code, by its own name."""
DOMAIN = "p2p_hearts"
FOLDER = Path(__file__).parent / "locale"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # POSIX: the first that is set decides
_WINDOWS = {"Indonesian": "id", "Danish": "da", "Turkish": "tr", "Latvian": "lv", "Finnish": "fi"}

_spoken: ContextVar[str] = ContextVar("language", default="en")


def _(text: str, /, **fields: object) -> str:
    """`text` in the language now spoken, its fields filled in."""
    said = _catalogue(_spoken.get()).gettext(text)
    return said.format(**fields) if fields else said


def n_(one: str, many: str, n: int, /, **fields: object) -> str:
    """The form for `n` things, which the texts call `{n}`."""
    return _catalogue(_spoken.get()).ngettext(one, many, abs(n)).format(n=n, **fields)


def p_(meaning: str, text: str, /) -> str:
    """`text` where it means this and no other thing that English calls the same."""
    return _catalogue(_spoken.get()).pgettext(meaning, text)


def N_(text: str, /) -> str:  # noqa: N802 - the name gettext programs give it
    """`text` itself, marked to be found by the script."""
    return text


def Nn_(one: str, many: str, /) -> tuple[str, str]:  # noqa: N802 - the same for two forms
    """The two forms themselves, marked to be found by the script; `n_` chooses when they are said."""
    return one, many


def spoken_language() -> str:
    """The language now spoken."""
    return _spoken.get()


def use(language: str) -> None:
    """Speak this language from here on: for the edge of the program, once."""
    _spoken.set(language if language in LANGUAGES else "en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language inside the block; without one, as before."""
    token = _spoken.set(language if language in LANGUAGES else _spoken.get())
    try:
        yield
    finally:
        _spoken.reset(token)


def choose(wanted: str | None, setting: str, environment: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, else the one in the settings, else that of the locale, else English."""
    for code in (wanted or "", setting):
        if code in LANGUAGES:
            return code
    named = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    if not named and sys.platform == "win32":
        region = locale.getlocale()[0] or ""
        named = _WINDOWS.get(region.partition("_")[0], region)
    code = named.partition(".")[0].partition("_")[0].lower()
    return code if code in LANGUAGES else "en"


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> gettext.NullTranslations:
    """The catalogue of a language; English needs none, since its sentences are those of the source."""
    if language == "en":
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
