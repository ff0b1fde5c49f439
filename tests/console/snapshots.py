"""Every screen at three sizes as files to be looked at: as text, and with the meaning of its colours.

`python -m tests.console.snapshots` writes them anew; look at the difference before committing it.
"""

import re
from itertools import groupby
from pathlib import Path

from p2p_hearts.console.fragments import Line
from p2p_hearts.console.render import render
from p2p_hearts.console.state import Screen
from tests.console.stages import every_screen

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (200, 60))
_CLICK = re.compile(r"\s*\[key:\S+\]")


def plain(line: Line) -> str:
    """A line as it stands without colour."""
    return "".join(text for _, text in line).rstrip()


def coloured(line: Line) -> str:
    """A line in which every piece with a style of its own stands in ⟨ ⟩ after the names of that style."""
    pieces = groupby(line, key=lambda piece: _CLICK.sub("", piece[0]).replace("class:", "").strip())
    parts = [(style, "".join(text for _, text in run)) for style, run in pieces]
    return "".join(f"⟨{style}|{text}⟩" if style and text.strip() else text for style, text in parts).rstrip()


def snapshot(screens: dict[str, Screen], width: int, height: int, *, colour: bool) -> str:
    """All screens of one size in one text."""
    blocks = []
    for name, screen in screens.items():
        lines = [coloured(line) if colour else plain(line) for line in render(screen, width, height)]
        blocks.append("\n".join([f"═══ {name} {width}×{height}", *lines, ""]))
    return "\n".join(blocks)


def path(width: int, height: int, *, colour: bool) -> Path:
    """The file of one size."""
    return FOLDER / f"{width}x{height}{'-colour' if colour else ''}.txt"


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    screens = every_screen()
    for width, height in SIZES:
        for colour in (False, True):
            path(width, height, colour=colour).write_text(snapshot(screens, width, height, colour=colour), "utf-8")


if __name__ == "__main__":
    main()
