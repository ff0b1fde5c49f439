"""Which characters the terminal is given: Unicode, letters for the suits, or ASCII alone.

Screens are always drawn in Unicode; the last step translates character by character into one of equal width, so that a
poor terminal shows the same picture. ♠ ♥ ♣ count as two columns on terminals set to wide ambiguous characters, and have
no glyph on some consoles; letters are right everywhere.
"""

import unicodedata
from collections.abc import Mapping
from enum import Enum

from prompt_toolkit.utils import get_cwidth

from p2p_hearts.console.preferences import Preferences

_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_ASCII = _LETTERS | {
    "─": "-", "│": "|", "╭": ".", "╮": ".", "╰": "'", "╯": "'", "━": "=", "┃": "|",
    "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "◂": "<", "▸": ">", "▴": "^", "▾": "v", "×": "x", "·": ".", "…": ".", "–": "-", "−": "-", "’": "'",
    "✓": "+", "☾": "*", "°": "o", "←": "<", "→": ">", "↑": "^", "↓": "v", "•": "*", "“": '"', "”": '"',
    "▁": "_", "▂": ".", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%", "█": "#", "░": ".", "◆": "+",
}  # fmt: skip

_BARE = {"ø": "o", "Ø": "O", "æ": "a", "Æ": "A", "ı": "i", "đ": "d", "ł": "l", "ß": "s"}
"""Letters that are no letter with a mark, as one writes them where only ASCII is to be had."""


class Glyphs(Enum):
    """How rich the characters may be."""

    UNICODE = "unicode"
    LETTERS = "letters"  # lines as they are, suits as letters
    PLAIN = "plain"  # no sign that some terminals draw two columns wide; letters as they are
    ASCII = "ascii"


def glyphs_for(encoding: str | None, environment: Mapping[str, str]) -> Glyphs:
    """What a terminal of this output encoding and environment can be trusted with.

    Python turns LANG=C into UTF-8 by itself (PEP 538, PEP 540), so that the encoding alone does not tell.
    """
    locale = environment.get("LC_ALL") or environment.get("LANG") or ""
    if locale in {"C", "POSIX"} or environment.get("TERM") == "linux":
        return Glyphs.ASCII
    return Glyphs.UNICODE if (encoding or "").lower().replace("-", "") in {"utf8", "cp65001"} else Glyphs.ASCII


def translate(text: str, glyphs: Glyphs) -> str:
    """`text` in the characters allowed, each replaced by one of equal width."""
    if glyphs is Glyphs.UNICODE or text.isascii():
        return text
    table = _LETTERS if glyphs is Glyphs.LETTERS else _ASCII
    replaced = "".join(table.get(letter, letter) for letter in text)
    return "".join(_plain(letter) for letter in replaced) if glyphs is Glyphs.ASCII else replaced


def wanted_glyphs(possible: Glyphs, preferences: Preferences) -> Glyphs:
    """What the person wants of what the terminal can show."""
    if possible is Glyphs.ASCII:
        return possible
    if preferences.ambiguous_width == "wide":
        return Glyphs.PLAIN
    return Glyphs.LETTERS if preferences.letters else possible


def _plain(letter: str) -> str:
    if letter.isascii() or letter in _BARE:
        return _BARE.get(letter, letter)
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else "?" * max(0, get_cwidth(letter))
