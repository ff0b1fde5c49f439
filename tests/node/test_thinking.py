"""Bots that look ahead think elsewhere: the answer comes back through the loop, and leaving does not wait for it."""

import asyncio
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool

import pytest

from p2p_hearts.autopilot import MAX_EFFORT, answer, effort_for, measure_speed
from p2p_hearts.bots.expert import one_by_one
from p2p_hearts.bots.trials import Tally, Trial
from p2p_hearts.cards import DECK
from p2p_hearts.hearts.hand import begin, deal
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View
from p2p_hearts.node import thinking
from p2p_hearts.node.thinking import Thinking, free_processes
from p2p_hearts.protocol.events import Duty, Turn
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play


def opening(duty: Duty = Duty.PLAY) -> Turn:
    """The turn of the first leader of six, with a freshly shuffled hand."""
    deck = list(DECK)
    random.Random(4).shuffle(deck)
    hand = begin(Options(), 6, dealer=5, number=1)
    return Turn(0, duty, View(0, hand, deal(deck, 6)[0][0], (), (), None, (0,) * 6))


async def think(turns: Sequence[Turn], seconds: float) -> list[Pass | Play | ChooseMoon]:
    """What an expert answers, with time on the clock."""
    answers: asyncio.Queue[Pass | Play | ChooseMoon] = asyncio.Queue()
    mind = Thinking(answers.put_nowait, seconds, pace=0.0)
    try:
        for turn in turns:
            mind.ask(turn, "expert", seed=5)
        return [await asyncio.wait_for(answers.get(), 60) for _ in turns]
    finally:
        mind.close()


def test_answers_come_in_order() -> None:
    """A pass and then a play, thought about in another process, come back in the order in which they were asked for."""
    first, second = asyncio.run(think([opening(Duty.PASS), opening()], 0.05))
    assert isinstance(first, Pass)
    assert len(first.cards) == 3
    assert isinstance(second, Play)
    assert second.card in opening().view.held


def test_as_many_processes_as_you_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same view, seed and effort: the same decision by one process, by three, and by the thread alone."""
    monkeypatch.setattr(thinking, "effort_for", lambda *_: 6_000)
    here = answer(opening(), "expert", random.Random(5), 6_000)
    for processes in (1, 3):
        monkeypatch.setattr(thinking, "free_processes", lambda *_, count=processes: count)
        assert asyncio.run(think([opening()], 1.0)) == [here]
    monkeypatch.setattr(thinking, "_start_pool", lambda: None)
    assert asyncio.run(think([opening()], 1.0)) == [here]


def test_goes_on_when_a_process_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that breaks is given up, and the thread does the work."""
    pool = thinking._start_pool()
    assert pool is not None
    with pytest.raises(BrokenProcessPool):
        pool.submit(_die).result(30)
    monkeypatch.setattr(thinking, "_start_pool", lambda: pool)
    (played,) = asyncio.run(think([opening()], 0.05))
    assert isinstance(played, Play)


def _die() -> None:
    os._exit(1)


def test_leaving_does_not_wait() -> None:
    """Whoever leaves while a bot is thinking for a minute is gone at once, and gets no answer."""

    async def leave() -> float:
        mind = Thinking(lambda _: pytest.fail("nobody waits for this"), 60.0, pace=0.0)
        mind.ask(opening(), "expert", seed=5)
        await asyncio.sleep(0.2)
        began = time.monotonic()
        mind.close()
        return time.monotonic() - began

    assert asyncio.run(leave()) < 1.0


def test_time_becomes_effort() -> None:
    """From the first lead of six a rollout is 102 plays and a world worth 20 more: 12,200 plays a second, at four fifths of
    two seconds, are 160 rollouts, and 40 for a pass, which costs four times as many. There is always one, and never more
    than change a decision."""
    assert effort_for(opening(), 2.0, 12_200) == 160
    assert effort_for(opening(Duty.PASS), 2.0, 12_200) == 40
    assert effort_for(opening(), 0.001, 100) == 1
    assert effort_for(opening(), 600.0, 1e9) == MAX_EFFORT


def test_speed_is_measured_by_the_clock_given() -> None:
    """The second of two runs counts, the first warms up: 2,000 rollouts of 122 plays in two seconds."""
    ticks = iter((0.0, 50.0, 100.0, 102.0))
    worlds = []

    def run(trials: Sequence[Trial]) -> Sequence[Tally]:
        worlds.append(sum(trial.worlds * len(trial.choices) for trial in trials))
        return one_by_one(trials)

    assert measure_speed(lambda: next(ticks), run) == 122_000
    assert worlds == [2_000, 2_000]


def test_free_processes() -> None:
    """One core is left to the screen, busy ones to those who use them; there is always one process, and never more than four."""
    assert free_processes(8, 0.4) == 4
    assert free_processes(4, 0.2) == 3
    assert free_processes(4, 1.7) == 1
    assert free_processes(1, 0.0) == 1
