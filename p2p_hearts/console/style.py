"""Colours and attributes, by the name of what they mean. Only the sixteen ANSI names, so that every theme of the
terminal fits, light or dark; the colour depth is left to the terminal and to NO_COLOR.

Nothing is told by colour alone: cancelled cards carry ×, the winning card ◂, cards that may not be played no number.
"""

from prompt_toolkit.styles import Attrs, Style

# `dim` came with prompt_toolkit 3.0.52; before it, grey does the same
_DIM = "dim" if "dim" in Attrs._fields else "ansibrightblack"

STYLE = Style.from_dict(
    {
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
)
