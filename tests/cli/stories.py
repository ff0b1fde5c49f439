"""Values that several tests of the command line need."""

from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol.events import Duty, Turn


def a_turn(seat: int) -> Turn:
    """The event that asks a seat with the two of clubs to play."""
    return Turn(seat, Duty.PLAY, View(seat, begin(Options(), 6, 0, 1), (0,), (), (), None, (0,) * 6))
