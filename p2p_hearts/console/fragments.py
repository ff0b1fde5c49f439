"""Lines of styled text and the few things done with them: measure, clip, pad, wrap, put side by side.

A line is a list of (style, text) pairs as prompt_toolkit draws them. Widths are terminal columns, never `len`.
`clean` is the door for text a peer wrote: what could move the cursor, turn the direction or hide a letter stays outside.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from prompt_toolkit.utils import get_cwidth

Fragment: TypeAlias = tuple[str, str]
Line: TypeAlias = list[Fragment]

MAX_MARKS = 2  # combining marks on one letter; more would climb over the neighbouring lines
SPACE = "space"  # how the space key is called where names are divided by spaces
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Me"}


@lru_cache(maxsize=4096)  # names stand on every line of every picture
def clean(text: str, width: int = 400) -> str:
    """`text` on one line, without control, direction and invisible letters, at most `width` columns."""
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in {"Zl", "Zp"} or letter in "\t\n\r":
            kept.append(" ")
        elif category == "Mn":
            marks += 1
            # U+FE00 to U+FE0F turn a suit into a picture of another width
            if marks <= MAX_MARKS and kept and not "\ufe00" <= letter <= "\ufe0f":
                kept.append(letter)
        elif category not in _HIDDEN:
            marks = 0
            kept.append(letter)
    return clip_text("".join(kept).strip(), width)


def clickable(key: str) -> str:
    """The part of a style that says which key a click on it is."""
    return f"[key:{SPACE if key == ' ' else key}]"


def columns(text: str) -> int:
    """How many columns `text` takes."""
    return get_cwidth(text)


def clip_text(text: str, width: int) -> str:
    """`text` cut to `width` columns, with … where something is missing."""
    if columns(text) <= width:
        return text
    return _head(text, width - 1).rstrip() + "…" if width > 0 else ""


def fit(text: str, width: int) -> str:
    """`text` clipped and filled on the right to exactly `width` columns."""
    clipped = clip_text(text, width)
    return clipped + " " * (width - columns(clipped))


def right(text: str, width: int) -> str:
    """`text` clipped and filled on the left to exactly `width` columns."""
    clipped = clip_text(text, width)
    return " " * (width - columns(clipped)) + clipped


def width_of(line: Sequence[Fragment]) -> int:
    """The columns of a line."""
    return sum(columns(text) for _, text in line)


def clip(line: Sequence[Fragment], width: int) -> Line:
    """A line cut to `width` columns, with … where something is missing."""
    if width_of(line) <= width:
        return list(line)
    kept: Line = []
    left = width - 1  # one column is kept for the mark
    for style, text in line:
        head = _head(text, left)
        kept.append((style, head))
        left -= columns(head)
        if head != text:
            break
    return [*kept, (kept[-1][0], "…")] if width > 0 else []


def pad(line: Sequence[Fragment], width: int, style: str = "") -> Line:
    """A line clipped or filled on the right to exactly `width` columns."""
    clipped = clip(line, width)
    missing = width - width_of(clipped)
    return [*clipped, (style, " " * missing)] if missing > 0 else clipped


def ends(left: Sequence[Fragment], right_end: Sequence[Fragment], width: int, style: str = "") -> Line:
    """One line with `left` at its beginning and `right_end` at its end; the left gives way."""
    tail = clip(right_end, width)
    room = width - width_of(tail)
    return [*pad(left, room, style), *tail]


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """`text` broken at spaces into lines of at most `width` columns; later lines begin with `indent`."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        piece = word
        trial = f"{current} {piece}" if current.strip() else current + piece
        if columns(trial) <= width:
            current = trial
            continue
        if current.strip():
            lines.append(current)
            current = indent
        while columns(current + piece) > width and len(piece) > 1:
            head = _head(piece, width - columns(current)) or piece[0]
            lines.append(current + head)
            piece, current = piece[len(head) :], indent
        current += piece
    if current.strip() or not lines:
        lines.append(current)
    return lines


def beside(
    left: Sequence[Sequence[Fragment]], right_side: Sequence[Sequence[Fragment]], left_width: int, height: int
) -> list[Line]:
    """Two columns as one: `left` filled to `left_width`, then `right_side`, `height` lines."""
    rows: list[Line] = []
    for row in range(height):
        first = left[row] if row < len(left) else ()
        second = right_side[row] if row < len(right_side) else ()
        rows.append([*pad(first, left_width), *second])
    return rows


def text_of(lines: Iterable[Sequence[Fragment]]) -> str:
    """The bare text of lines, for tests and captures."""
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


def _head(text: str, width: int) -> str:
    head, used = "", 0
    for letter in text:
        used += columns(letter)
        if used > width:
            break
        head += letter
    return head
