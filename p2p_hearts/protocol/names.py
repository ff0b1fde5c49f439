"""Names and lines of talk from other people, made fit to be shown: what a peer sends can neither move the cursor, nor
turn the text around, nor hide, nor push the screen apart (Unicode categories: Unicode Standard 15.0, section 4.5)."""

import unicodedata
from collections.abc import Iterable

MAX_NAME = 16  # characters
MAX_CHAT = 200
_HIDDEN = frozenset(
    {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
)  # control, format (bidi, zero-width), surrogates, unassigned
_MAX_MARKS = 2  # combining marks in a row; more would pile up over other lines


def clean(text: str, most: int = MAX_NAME) -> str:
    """The text in NFC without hidden characters, blanks folded, cut to `most` characters; may be empty."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if category not in _HIDDEN and marks <= _MAX_MARKS:
            kept.append(" " if category == "Zs" else char)
        elif char in "\t\n\r":
            kept.append(" ")
    return " ".join("".join(kept).split())[:most].strip()


def told_apart(name: str, taken: Iterable[str]) -> str:
    """The name, with a number after it if somebody at the table already has one that looks the same."""
    skeletons = {_skeleton(other) for other in taken}
    candidate, number = name, 1
    while _skeleton(candidate) in skeletons:
        number += 1
        candidate = f"{name[: MAX_NAME - 3]} {number}"
    return candidate


def _skeleton(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "")
