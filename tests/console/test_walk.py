"""Keys at random, news at any moment, windows of any size: the screen stays a screen."""

import random
from dataclasses import replace

import pytest

from p2p_hearts.console.again import next_step
from p2p_hearts.console.ahead import due
from p2p_hearts.console.fragments import width_of
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, left_table, press, update
from p2p_hearts.console.state import (
    Action,
    JoinAddress,
    JoinRow,
    Keep,
    LeaveTable,
    OpenTable,
    Quit,
    Resume,
    Screen,
    WatchRow,
)
from p2p_hearts.node.driver import Update
from tests.console.fake import FakeTable
from tests.console.fake_home import OPEN, PLAYING, PRIVATE
from tests.console.test_keys import ALL_KEYS

STEPS = 300
KEYS = (
    *ALL_KEYS,
    *["enter"] * 12,
    *["tab"] * 8,
    *[" "] * 6,
    *["h"] * 6,
    ",",
    *[f"card:{n}" for n in range(1, 19)],
    "row:2",
)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_breaks_whatever_is_pressed(seed: int) -> None:
    """FF10, FF16: every picture has the size of its window, and no order of keys, news and sizes raises."""
    dice = random.Random(seed)
    table = FakeTable(seats=dice.randint(6, 11), seed=seed, hands=dice.choice((1, 2, None)), bots=())
    screen, waiting = home_news(Screen(), (OPEN, PLAYING, PRIVATE), ()), list[Update]()
    for _ in range(STEPS):
        if waiting and dice.random() < 0.8:
            news = waiting.pop(0)
            screen = update(screen, news.events, news.scene, news.notices, news.aside)
        else:
            size = (dice.randint(1, 250), dice.randint(1, 80))
            screen, action = press(replace(screen, size=size), dice.choice(KEYS))
            screen, table, waiting = followed(screen, action, table, waiting)
            for decide in (due, next_step) if not waiting else ():
                screen, action = decide(screen)
                screen, table, waiting = followed(screen, action, table, waiting)
        width, height = dice.choice(((80, 24), (dice.randint(1, 250), dice.randint(1, 80))))
        lines = render(screen, width, height)
        assert len(lines) == height
        assert all(width_of(line) <= width for line in lines)


def followed(
    screen: Screen, action: Action | None, table: FakeTable, waiting: list[Update]
) -> tuple[Screen, FakeTable, list[Update]]:
    """What comes of an action: the screen, the table, and the news that are on their way."""
    match action:
        case None | Quit() | Keep():
            return screen, table, waiting
        case LeaveTable():
            return left_table(screen), FakeTable(seats=6 + len(waiting) % 6, bots=()), []
        case OpenTable() | JoinRow() | JoinAddress() | Resume():
            return replace(screen, busy=""), table, [table.tell(), *table.begin()]
        case WatchRow():
            return replace(screen, busy=""), table, waiting
        case command:
            return screen, table, [*waiting, *table.command(command)] if screen.scene is not None else waiting
