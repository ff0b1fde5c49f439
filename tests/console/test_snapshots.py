"""Every screen is as it was when somebody last looked at it."""

import pytest

from tests.console.snapshots import SIZES, path, snapshot
from tests.console.stages import every_screen

SCREENS = every_screen()
CURE = "look at it, then `python -m tests.console.snapshots` accepts it"


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_screen_is_as_it_was_looked_at(width: int, height: int, *, colour: bool) -> None:
    """Each screen at each size, with the meaning of its colours and without, is what the file beside the tests holds."""
    seen = dict(_by_name(path(width, height, colour=colour).read_text("utf-8")))
    drawn = dict(_by_name(snapshot(SCREENS, width, height, colour=colour)))
    assert list(drawn) == list(seen), CURE
    for name, picture in drawn.items():
        assert picture == seen[name], f"{name}: {CURE}"


def _by_name(text: str) -> list[tuple[str, str]]:
    blocks = text.split("═══ ")[1:]
    return [(block.partition("\n")[0], block.partition("\n")[2]) for block in blocks]
