"""QR codes in the terminal: two modules a letter in half blocks, or, where the terminal has none, one in two blanks.

The only module that knows the package `segno`. The law: dark modules are drawn dark on a light ground with an edge around
them, whatever the terminal's own colours. Source: ISO/IEC 18004 (the edge should be four modules wide; two are read too).
"""

from functools import lru_cache

from p2p_hearts.console.fragments import Line

EDGE = 2  # modules
_STYLE, _DARK, _LIGHT = "class:code", "class:code reverse", "class:code"
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=4)
def code_lines(text: str, *, blocks: bool) -> tuple[Line, ...]:
    """The code of a text whose capitals mean nothing: for the same number of modules capitals hold more of it."""
    import segno  # noqa: PLC0415 - 35 ms, and only who looks at a code has to wait for it

    made = segno.make(text.upper(), error="l", micro=False, boost_error=False)
    empty = [False] * EDGE
    inner = [[*empty, *map(bool, row), *empty] for row in made.matrix]
    blank = [[False] * len(inner[0])] * EDGE
    rows = [*blank, *inner, *blank]
    if not blocks:
        return tuple([(_DARK if dark else _LIGHT, "  ") for dark in row] for row in rows)
    below = [*rows[1:], [False] * len(rows[0])]
    return tuple(
        [(_STYLE, "".join(_HALVES[pair] for pair in zip(*pairs, strict=True)))]
        for pairs in zip(rows[::2], below[::2], strict=True)
    )
