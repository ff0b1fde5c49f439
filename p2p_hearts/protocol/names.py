"""Names and lines of talk from other people, made fit to be shown: what a peer sends can neither move the cursor, nor turn
the text around, nor hide, nor push the screen apart.

Law: whether a name is fit is decided by the ranges below alone, never by the Unicode tables of the Python at hand, since
all peers must decide alike (ranges from the Unicode Standard, section 23: special areas and format characters)."""

import unicodedata
from collections.abc import Iterable

MAX_NAME = 16  # characters, and cells of a terminal; a longer name would push the table apart
MAX_CHAT = 200  # characters, and cells: one line of talk does not fill the screen
_MAX_MARKS = 2  # combining marks in a row; more would pile up over other lines
_HIDDEN = (
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x61C, 0x61C), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E),
    (0x2060, 0x206F), (0xD800, 0xF8FF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),
    (0xE0000, 0x10FFFF),
)  # fmt: skip  # controls, bidi, zero width, surrogates, private use, variation selectors, tags
_BLANKS = ((0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F),
           (0x3000, 0x3000))  # fmt: skip
_MARKS = ((0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_WIDE = (
    (0x1100, 0x115F), (0x2300, 0x23FF), (0x25FD, 0x25FE), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x2E80, 0xA4CF),
    (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFE10, 0xFE19), (0xFE30, 0xFE6F), (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6), (0x16F00, 0x18DFF), (0x1AFF0, 0x1B2FF), (0x1D300, 0x1D37F), (0x1F000, 0x1FAFF), (0x20000, 0x3FFFF),
)  # fmt: skip  # all that UAX #11 calls wide, and neighbours that some terminals draw so: counting too many hurts nobody
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def clean(text: str, most: int = MAX_NAME) -> str:
    """The text in NFC without hidden characters, blanks folded, cut to `most` characters and cells; may be empty."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        marks = marks + 1 if _among(char, _MARKS) else 0
        if _among(char, _BLANKS) or char in "\t\n\r":
            kept.append(" ")
        elif not _among(char, _HIDDEN) and marks <= _MAX_MARKS:
            kept.append(char)
    return beginning(_folded("".join(kept)), most).rstrip(" ")


def cells(text: str) -> int:
    """How many cells of a terminal a cleaned text takes at most."""
    return sum(map(_width, text))


def beginning(text: str, most: int) -> str:
    """The longest beginning of a text with at most so many characters and cells."""
    taken = 0
    for place, char in enumerate(text):
        taken += _width(char)
        if place == most or taken > most:
            return text[:place]
    return text


def fit(name: str) -> bool:
    """Whether a name can be shown as it is: not empty, not too long, no hidden character, no blank but single ones inside,
    no pile of marks."""
    marks = [_among(char, _MARKS) for char in name]
    piled = any(all(marks[at : at + _MAX_MARKS + 1]) for at in range(len(marks) - _MAX_MARKS))
    hidden = any(_among(char, _HIDDEN) or (_among(char, _BLANKS) and char != " ") for char in name)
    short = 0 < len(name) <= MAX_NAME and cells(name) <= MAX_NAME
    return short and name == _folded(name) and not hidden and not piled


def told_apart(name: str, taken: Iterable[str]) -> str:
    """The name, with a number after it if somebody at the table already has it, in capitals or not."""
    skeletons = {_skeleton(other) for other in taken}
    candidate, number = name, 1
    while _skeleton(candidate) in skeletons:
        number += 1
        candidate = f"{beginning(name, MAX_NAME - 3).rstrip(' ')} {number}"
    return candidate


def _folded(text: str) -> str:
    """The text with every run of blanks made one, and none at its ends."""
    return " ".join(part for part in text.split(" ") if part)


def _skeleton(name: str) -> str:
    return name.translate(_LOWER).replace(" ", "")


def _width(char: str) -> int:
    return 0 if _among(char, _MARKS) else 2 if _among(char, _WIDE) else 1


def _among(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in ranges)
