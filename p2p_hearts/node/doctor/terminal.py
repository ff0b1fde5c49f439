"""The terminal: whether it can show cards, in what size and with how many colours. What the screens need is told by them."""

from collections.abc import Mapping
from dataclasses import dataclass

from p2p_hearts.node.doctor.check import Check, Status

TERMINAL = "terminal"
SUITS = "♠♥♦♣"


@dataclass(frozen=True, slots=True)
class Terminal:
    """What there is; `lines` tells that it has no screen, so that the game is played line by line."""

    columns: int
    rows: int
    encoding: str
    lines: bool


def check_terminal(
    there: Terminal, usual: tuple[int, int], least: tuple[int, int], environment: Mapping[str, str]
) -> Check:
    """From what there is, the size (columns, rows) in which everything has room, that below which nothing has, and what the
    environment says of colours."""
    try:
        SUITS.encode(there.encoding)
    except (UnicodeEncodeError, LookupError):
        finding = f"The terminal’s encoding ({there.encoding or 'none'}) has no signs for suits."
        cure = "Set LANG=C.UTF-8 (or PYTHONUTF8=1), and use a terminal that shows UTF-8."
        return Check(TERMINAL, Status.BAD, finding, cure)
    if there.lines:
        return Check(TERMINAL, Status.GOOD, "This is no terminal with a screen: the game is played line by line.")
    finding = f"The terminal has {there.columns} columns and {there.rows} lines."
    if there.columns < least[0] or there.rows < least[1]:
        cure = f"Enlarge the window to {usual[0]}×{usual[1]}, make the letters smaller, or play with --plain."
        return Check(TERMINAL, Status.BAD, finding, cure)
    if there.columns < usual[0] or there.rows < usual[1]:
        return Check(TERMINAL, Status.DOUBTFUL, finding, f"In a window of {usual[0]}×{usual[1]} everything has room.")
    return Check(TERMINAL, Status.GOOD, f"{finding} {_colours(environment)}")


def _colours(environment: Mapping[str, str]) -> str:
    if environment.get("NO_COLOR"):
        return "No colours are wanted (NO_COLOR)."
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return "It shows all colours."
    return "It shows 256 colours." if "256" in environment.get("TERM", "") else "It shows 16 colours."
