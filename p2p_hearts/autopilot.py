"""A bot's answer to "your turn": for the bot seats that a peer operates, and for its player under `--autoplay`.

Law: it sees the `View` in the event and nothing else of the session."""

import random

from p2p_hearts.bots import choose_moon, choose_pass, choose_play
from p2p_hearts.protocol.events import Duty, Turn
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play


def answer(turn: Turn, level: str, rng: random.Random) -> Pass | Play | ChooseMoon:
    """What a bot of this level does with the turn."""
    match turn.duty:
        case Duty.PASS:
            return Pass(turn.seat, choose_pass(level, turn.view, rng))
        case Duty.PLAY:
            return Play(turn.seat, choose_play(level, turn.view, rng))
        case Duty.MOON:
            return ChooseMoon(turn.seat, choose_moon(level, turn.view, rng))
