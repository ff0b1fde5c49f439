"""A bot's answer to "your turn": for the bot seats that a peer operates, and for its player under `--autoplay`.

Law: it sees the `View` in the event and nothing else of the session. A bot has no clock: whoever drives it turns the time
it may think into an effort, by a speed that was measured once (`measure_speed`, `effort_for`), and may have the trials of
a bot that looks ahead run elsewhere. The decision depends on the view, the rng and the effort, not on where they are run."""

import random
from collections.abc import Callable
from typing import Final

from p2p_hearts.bots import choose_moon, choose_pass, choose_play, expert
from p2p_hearts.bots.trials import Trial
from p2p_hearts.cards import DECK
from p2p_hearts.hearts.hand import begin, deal
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol.events import Duty, Turn
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play

LOOKING_AHEAD: Final = frozenset({"expert"})  # levels whose answer takes as long as it is given

MAX_EFFORT: Final = 40_000  # rollouts; so that a fast machine answers no later than it has to
DEAL_PLAYS: Final = 20  # plays in the time of which a world is dealt, per rollout
PROBE_ROLLOUTS: Final = 2_000  # of the measurement, after one that only warms up
CARE: Final = 0.8  # of the time: what remains is for decisions that take longer than the one measured


def answer(
    turn: Turn, level: str, rng: random.Random, effort: int = 0, run: expert.Run = expert.one_by_one
) -> Pass | Play | ChooseMoon:
    """What a bot of this level does with the turn; `effort` is a number of rollouts, 0 what the level thinks fit."""
    view = turn.view
    if turn.duty is Duty.MOON:
        return ChooseMoon(turn.seat, choose_moon(level, view, rng, effort))
    if level in LOOKING_AHEAD:
        if turn.duty is Duty.PASS:
            return Pass(turn.seat, expert.choose_pass(view, rng, effort, run))
        return Play(turn.seat, expert.choose_play(view, rng, effort, run))
    if turn.duty is Duty.PASS:
        return Pass(turn.seat, choose_pass(level, view, rng, effort))
    return Play(turn.seat, choose_play(level, view, rng, effort))


def measure_speed(clock: Callable[[], float], run: expert.Run = expert.one_by_one) -> float:
    """How many plays a second rollouts make here, by a clock in seconds."""
    view = _probe()
    choices, seconds = ((view.held[0],), (view.held[-1],)), 1.0
    for seed in range(2):
        began = clock()
        run([Trial(view, passing=False, choices=choices, worlds=PROBE_ROLLOUTS // 2, seeds=(seed,))])
        seconds = clock() - began
    return PROBE_ROLLOUTS * _plays(view) / max(seconds, 1e-6)


def effort_for(turn: Turn, seconds: float, speed: float) -> int:
    """The effort with which a bot answers this turn in so many seconds, at a speed in plays a second."""
    rollouts = int(CARE * seconds * speed / _plays(turn.view))
    if turn.duty is Duty.PASS:
        rollouts //= expert.PASS_EFFORT
    return min(max(rollouts, 1), MAX_EFFORT)


def _plays(view: View) -> int:
    """What a rollout costs from here, in plays."""
    return sum(view.hand.left) + DEAL_PLAYS


def _probe() -> View:
    """The first lead of a hand of six."""
    hands, _ = deal(DECK, 6)
    return View(0, begin(Options(), 6, dealer=5, number=1), hands[0], (), (), None, (0,) * 6)
