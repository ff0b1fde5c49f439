"""Names that people see: which are clean (`gossip.md`, P37), and what two alike are told apart by (`lobby.md`, P45)."""

from collections.abc import Iterable

_RANGES = (
    "0000-001F 007F-009F 00AD 061C 180B-180F 200B-200F 2028-202E 2060-206F D800-F8FF FE00-FE0F FEFF FFF0-FFFB "
    "FFFE-FFFF E0000-10FFFF"
)
_BLANKS = "0020 00A0 1680 2000-200A 202F 205F 3000"
_COMBINING = "0300-036F 0483-0489 1AB0-1AFF 1DC0-1DFF 20D0-20FF FE20-FE2F"
_WIDE = (
    "1100-115F 2300-23FF 25FD-25FE 2600-27BF 2B00-2BFF 2E80-A4CF A960-A97F AC00-D7FF F900-FAFF FE10-FE19 FE30-FE6F "
    "FF00-FF60 FFE0-FFE6 16F00-18DFF 1AFF0-1B2FF 1D300-1D37F 1F000-1FAFF 20000-3FFFF"
)
BOTS = ("Alba", "Bram", "Cleo", "Dov", "Edda", "Finn", "Gala", "Hugo", "Inga", "Jori")


def _points(ranges: str) -> frozenset[int]:
    pairs = [part.split("-") for part in ranges.split()]
    return frozenset(point for pair in pairs for point in range(int(pair[0], 16), int(pair[-1], 16) + 1))


FORBIDDEN, BLANKS, COMBINING, WIDE = map(_points, (_RANGES, _BLANKS, _COMBINING, _WIDE))


def is_clean(name: str) -> bool:
    """Whether a name is one that may be shown as it comes."""
    points = [ord(character) for character in name]
    marks = 0
    for point in points:
        marks = marks + 1 if point in COMBINING else 0
        if point in FORBIDDEN or (point in BLANKS and point != 0x20) or marks > 2:
            return False
    return name == name.strip(" ") and "  " not in name and name != "" and cells(name) <= 16


def cells(text: str) -> int:
    """How wide a text is on a terminal, counted as the page counts."""
    return sum(0 if ord(c) in COMBINING else 2 if ord(c) in WIDE else 1 for c in text)


def beginning(name: str) -> str:
    """The longest beginning of at most 13 characters and 13 cells."""
    return next(name[:end] for end in range(min(13, len(name)), -1, -1) if cells(name[:end]) <= 13)


def told_apart(called: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Names that are taken, and more, each with a number if it looks like one before."""
    names = list(called)
    for name in more:
        taken = {skeleton(other) for other in names}
        choices = [name, *(f"{beginning(name).rstrip(' ')} {number}" for number in range(2, 100))]
        names.append(next(choice for choice in choices if skeleton(choice) not in taken))
    return tuple(names)


def skeleton(name: str) -> str:
    """What is left of a name when A–Z are made a–z and blanks are left out."""
    return "".join(
        character.lower() if "A" <= character <= "Z" else character for character in name if character != " "
    )
