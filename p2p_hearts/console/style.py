"""Colours and attributes, by the name of what they mean. Only the sixteen ANSI names, so that every theme of the
terminal fits, light or dark; the colour depth is left to the terminal and to NO_COLOR.

Nothing is told by colour alone: cancelled cards carry ×, the winning card ◂, cards that may not be played no number.
"""

from functools import lru_cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Attrs, Style

# `dim` came with prompt_toolkit 3.0.52; before it, grey does the same
_DIM = "dim" if "dim" in Attrs._fields else "ansibrightblack"

_CLASSES = {
    "title": "reverse bold",
    "foot": "",
    "foot.key": "bold",
    "foot.word": _DIM,
    "rule": _DIM,
    "head": _DIM,
    "off": _DIM,
    "strong": "bold",
    "me": "bold",
    "turn": "bold ansiyellow",
    "win": "bold",
    "cancelled": f"{_DIM} strike nobold",
    "suit.s": "",
    "suit.h": "ansired",
    "suit.d": "ansiblue",
    "suit.c": "ansigreen",
    "edge": _DIM,
    "edge.on": "ansiyellow",
    "row.on": "reverse",
    "ok": "ansigreen",
    "note": "ansiyellow",
    "bad": "bold ansired",
    "chat": "ansicyan",
    "cursor": "reverse",
    "code": "fg:ansiblack bg:ansiwhite",  # dark on light whatever the terminal's own colours: scanners want it so
}
STYLE = Style.from_dict(_CLASSES)
_GROUNDS = {
    "auto": {},
    "dark": {"suit.h": "ansibrightred", "suit.d": "ansibrightblue", "suit.c": "ansibrightgreen"},
    "light": {"turn": "bold ansimagenta", "note": "ansimagenta", "edge.on": "ansimagenta", "chat": "ansiblue"},
}
"""What is easier to read on a ground of one kind: yellow and cyan fade on a light one, red and blue on a dark one."""


@lru_cache(maxsize=8)
def style_for(suits: str, background: str) -> Style:
    """The style with four colours of suits or `two`, on this background."""
    ground = _GROUNDS[background]
    plain = {"suit.d": ground.get("suit.h", _CLASSES["suit.h"]), "suit.c": ""} if suits == "two" else {}
    return Style.from_dict({**_CLASSES, **ground, **plain})


def depth_for(colours: str) -> ColorDepth | None:
    """The colour depth that a person has asked for; None: terminal, NO_COLOR and TERM decide."""
    return {"16": ColorDepth.DEPTH_4_BIT, "none": ColorDepth.DEPTH_1_BIT}.get(colours)
