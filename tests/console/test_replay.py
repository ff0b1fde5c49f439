"""A replay: one picture a card, from public entries alone, and keys that move between the pictures."""

import asyncio
import io

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_hearts.console.fragments import text_of, width_of
from p2p_hearts.console.glyphs import Glyphs
from p2p_hearts.console.replay import Replay, open_replay, plain_story, press, replay_lines, story
from p2p_hearts.console.replay_app import ReplayConsole
from p2p_hearts.node.driver import Update
from p2p_hearts.protocol.audit import walk
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.files import exported, played

PATIENCE = 20.0  # seconds
CARDS = 14 * 7  # of a hand at seven seats
SUITS = "♣♦♥♠"


def updates(hands: int = 2) -> tuple[Update, ...]:
    """A game of seven seats, as there is something to see."""
    return story(walk(exported(played(3, 7, hands)), TINY))


def after(replay: Replay, *keys: str) -> Replay:
    """The replay after these keys, none of which leaves it."""
    for key in keys:
        moved = press(replay, key)
        assert moved is not None
        replay = moved
    return replay


def seen(replay: Replay, width: int = 80, height: int = 24) -> str:
    """The picture as text."""
    return text_of(replay_lines(replay, width, height))


def test_a_picture_for_every_card() -> None:
    """From the draw to the signatures there is one picture for each deal, each card and each score."""
    news = updates()
    laid = [0 if it.scene.hand is None else len(it.scene.hand.tricks) * 7 + len(it.scene.hand.table) for it in news]
    assert laid[:100] == [0, *range(99)]
    assert laid[101:200] == [*range(99)]
    assert [it.scene.number for it in (news[0], news[1], news[99], news[100], news[101])] == [1, 1, 1, 2, 2]
    assert [it.scene.stage for it in news[200:]] == [Stage.OVER, Stage.OVER]
    assert [it.scene.scores for it in news[:100]] == [(0,) * 7] * 100
    assert news[-1].scene.scores == played(3, 7, 2).sessions[0].table.scores


def test_public_cards_only() -> None:
    """A replay knows no hand: no view, nobody's cards, and at the beginning of a hand no card at all is to be seen."""
    for news in updates():
        assert news.scene.view is None
        assert news.scene.my_seat is None
        assert news.scene.received == ()
    replay = open_replay(updates())
    for at in replay.hands:
        picture = seen(Replay(replay.screens, replay.hands, at), 120, 40)
        assert not any(word[-1] in SUITS and word[:-1] for word in picture.split())


def test_keys() -> None:
    """→ and ← go by a card, n and p by a hand, Home and End to the ends; nothing goes beyond them."""
    replay = open_replay(updates())
    assert replay.hands == (1, 101)
    assert after(replay, "right", "right", "left").at == 1
    assert after(replay, "left").at == 0
    assert after(replay, "n").at == 1
    assert after(replay, "n", "n").at == 101
    assert after(replay, "n", "n", "n", "right").at == len(replay.screens) - 1
    assert after(replay, "n", "right", "right", "p").at == 1
    assert after(replay, "n", "n", "p", "p").at == 0
    assert after(replay, "end", "home").at == 0
    for key in ("q", "escape", "c-c"):
        assert press(replay, key) is None


def test_pages_over_the_table() -> None:
    """The score sheet, the last trick and the log of a hand lie over the table until a key takes them away."""
    replay = after(open_replay(updates()), "n", *["right"] * 7)
    assert "The last trick" in seen(after(replay, "t"))
    assert "score sheet" in seen(after(replay, "s"))
    assert "What happened" in seen(after(replay, "l", "up"))
    assert after(replay, "t", "x").overlay is None
    assert after(replay, "t", "t", "right").at == replay.at + 1
    assert press(after(replay, "l"), "c-c") is None


def test_pictures() -> None:
    """A picture says where in the game it is, who has laid what, and which keys there are; the end shows the scores."""
    replay = after(open_replay(updates()), "n", "right")
    picture = seen(replay)
    assert "Replay: picture 3 of 202, hand 1 of 2." in picture
    assert "leads" in picture
    assert "→ card  ← back  n next hand  p hand back" in picture
    assert "No cards yet" not in picture
    assert "Hand 1 is over" in text_of([[("", line.text)] for line in after(replay, "n", "left").screens[100].log])
    assert "The agreed number of hands has been played." in seen(after(replay, "end"))
    for width, height in ((20, 5), (40, 12), (80, 24), (200, 60)):
        lines = replay_lines(replay, width, height)
        assert len(lines) == height
        assert all(width_of(line) <= width for line in lines)


def test_as_lines() -> None:
    """As lines, a replay tells every card in the order of play, and claims nothing about shuffles."""
    lines = plain_story(updates())
    assert sum(" leads " in line for line in lines) == 2 * 14
    assert sum(" plays " in line for line in lines) == 2 * (CARDS - 14)
    assert "Hand 2 is dealt, 3 cards are passed to the right." in lines
    assert lines[-1] == "Every peer has signed the same final result."
    assert not any("proof" in line or "proved" in line for line in lines)


def test_on_a_terminal() -> None:
    """On a terminal, keys move through the game, and q leaves."""

    async def watch() -> str:
        raw = io.StringIO()
        terminal = pyte.Screen(80, 24)
        with (
            create_pipe_input() as keys,
            create_app_session(input=keys, output=Vt100_Output(raw, lambda: Size(rows=24, columns=80), term="xterm")),
        ):
            console = ReplayConsole(open_replay(updates()), Glyphs.UNICODE)
            running = asyncio.create_task(console.app.run_async())
            keys.send_text("n\x1b[C\x1b[C\x1b[D")
            stream, read = pyte.Stream(terminal), 0
            while "picture 3 of 202" not in "".join(terminal.display):
                await asyncio.sleep(0.01)
                stream.feed(raw.getvalue()[read:])
                read = len(raw.getvalue())
            picture = "\n".join(terminal.display)
            keys.send_text("q")
            await running
        return picture

    picture = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert "hand 1 of 2." in picture
    assert "q quit" in picture
