"""One line for an event, with nothing in it that is not public."""

import pytest

from p2p_hearts.cli.describe import describe
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol.events import (
    CardsReceived,
    DealProgressed,
    Duty,
    Event,
    HandScored,
    KittyRead,
    Played,
    TrickEnded,
    Turn,
)

VIEW = View(1, begin(Options(), 6, 0, 1), (0,), (), (), None, (0,) * 6)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Played(2, 49, 5), "Played seat=C card=QS trick=5"),
        (DealProgressed(b"\x01" * 32, "mixed"), "DealProgressed peer=peer1 step=mixed"),
        (Turn(1, Duty.PLAY, VIEW), "Turn seat=B duty=play bot=None"),
        (CardsReceived(0, 5, (1, 2, 3)), "CardsReceived seat=A source=F"),
        (KittyRead(3, (1, 2)), "KittyRead seat=D"),
        (
            TrickEnded(2, 0, (0, 0, 12), None, (0, 0), 0, kitty=False),
            "TrickEnded trick=2 leader=A cards=2C,2C,AC winner=None cancelled=2C,2C points=0 kitty=False",
        ),
        (
            HandScored(1, (1, 2), (3, 4), 0, None, None),
            "HandScored number=1 points=1,2 scores=3,4 unclaimed=0 moon=None choice=None",
        ),
    ],
)
def test_describe(event: Event, line: str) -> None:
    """Name and fields, seats as letters, cards as text; what only one seat may know is left out."""
    assert describe(event, lambda key: f"peer {key[0]}") == line
