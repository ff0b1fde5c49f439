"""A finished game to be stepped through, card by card: the pictures, and the keys that move between them.

The law: a picture is made from the entries alone, as somebody sees it who has no seat; so it holds public cards only. And
it claims no more than was checked: that a shuffle is proved, `verify` says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from p2p_hearts.console.fragments import Line, clip
from p2p_hearts.console.keys import Key
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.pages import SCROLLING, scrolled
from p2p_hearts.console.parts import MIN_HEIGHT, MIN_WIDTH, key_line
from p2p_hearts.console.plain_words import seating, told
from p2p_hearts.console.render import page, render
from p2p_hearts.console.screen import update
from p2p_hearts.console.state import Overlay, Screen
from p2p_hearts.console.words import pass_words
from p2p_hearts.hearts.passing import pass_step
from p2p_hearts.node.driver import Update
from p2p_hearts.protocol.audit import Step
from p2p_hearts.protocol.events import (
    DealProgressed,
    Event,
    GameEnded,
    HandScored,
    Played,
    ResultSigned,
    Seated,
    SeatPassed,
)
from p2p_hearts.protocol.gossip import Gossip
from p2p_hearts.protocol.narration import tell
from p2p_hearts.protocol.picture import draw_scene
from p2p_hearts.protocol.scene import Scene
from p2p_hearts.protocol.state import Table

WORTH_A_LOOK = Seated | Played | HandScored | GameEnded | ResultSigned
FOOT_LINES = 2
KEYS = (
    Key("→", "card", "the next card"),
    Key("←", "back", "one card back"),
    Key("n", "next hand", "the beginning of the next hand"),
    Key("p", "hand back", "the beginning of this hand, or of the one before"),
    Key("s", "scores", "the score sheet"),
    Key("t", "trick", "the last trick"),
    Key("l", "log", "what happened in this hand"),
    Key("q", "quit", "leave"),
)
_FORWARD, _BACK = {"right", " ", "enter"}, {"left", "backspace"}
_OVERLAYS = {"s": Overlay.SHEET, "t": Overlay.TRICK, "l": Overlay.LOG}


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that is looked at: its pictures, the places of those with which a hand begins, and what is seen now."""

    screens: tuple[Screen, ...]
    hands: tuple[int, ...]
    at: int = 0
    overlay: Overlay | None = None
    scroll: int = 0
    size: tuple[int, int] = (80, 24)  # of the window


def story(steps: Iterable[Step]) -> tuple[Update, ...]:
    """What there is to see in a game: the draw, each deal, every card, the scores; with the events that lead there.

    Raises AuditError when the steps of a file do.
    """
    updates: list[Update] = []
    waiting: list[Event] = []
    table = Table()
    for step in steps:
        table = step.after
        waiting += _seen(tell(step.before, table))
        if any(isinstance(event, WORTH_A_LOOK) for event in waiting) or _begins(step.before, table):
            updates.append(Update(tuple(waiting), _scene(table)))
            waiting = []
    return (*updates, Update(tuple(waiting), _scene(table))) if waiting else tuple(updates)


def open_replay(updates: tuple[Update, ...]) -> Replay:
    """The game at its first picture; there is at least one."""
    screens: list[Screen] = []
    hands: list[int] = []
    screen = Screen()
    for place, news in enumerate(updates):
        if _is_beginning(news.scene) and (not hands or screen.scene is None or not _is_beginning(screen.scene)):
            hands.append(place)
            screen = replace(screen, log=())
        screen = update(replace(screen, overlay=None), news.events, news.scene)
        screens.append(screen)
    return Replay(tuple(screens), tuple(hands))


def press(replay: Replay, key: str) -> Replay | None:
    """The replay after a key; None when the person wants to leave."""
    if replay.overlay is not None:
        return _press_overlay(replay, replay.overlay, key)
    last = len(replay.screens) - 1
    match key:
        case "q" | "escape" | "c-c":
            return None
        case "n":
            at = next((hand for hand in replay.hands if hand > replay.at), last)
        case "p":
            at = next((hand for hand in reversed(replay.hands) if hand < replay.at), 0)
        case "home":
            at = 0
        case "end":
            at = last
        case _ if key in _FORWARD:
            at = min(replay.at + 1, last)
        case _ if key in _BACK:
            at = max(replay.at - 1, 0)
        case _:
            return replace(replay, overlay=_OVERLAYS.get(key), scroll=0)
    return replace(replay, at=at)


def replay_lines(replay: Replay, width: int, height: int) -> list[Line]:
    """The picture for a window of this size."""
    screen = replay.screens[replay.at]
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return render(screen, width, height)
    if replay.overlay is not None:
        screen = replace(screen, overlay=replay.overlay, scroll=replay.scroll)
    room = height - FOOT_LINES
    lines = page(screen, width, room)
    filled = [*lines[:room], *([] for _ in range(room - len(lines)))]
    foot: list[Line] = [[("class:note", f" {_where(replay)}")], key_line(KEYS, width)]
    return [clip(line, width) for line in (*filled, *foot)]


def plain_story(updates: tuple[Update, ...]) -> tuple[str, ...]:
    """The game in lines that can be read aloud."""
    lines: list[str] = []
    for news in updates:
        lines += [text for event in news.events if (text := told(event, news.scene))]
        if any(isinstance(event, Seated) for event in news.events):
            lines.append(seating(news.scene))
        if _is_beginning(news.scene):
            lines.append(_dealt(news.scene))
    return tuple(lines)


def _seen(events: tuple[Event, ...]) -> list[Event]:
    """The events but those that a replay has not seen for itself, or that nobody wants to see again."""
    return [event for event in events if not isinstance(event, DealProgressed | SeatPassed)]


def _begins(before: Table, after: Table) -> bool:
    """Whether the cards of a hand have just been taken up."""
    then, now = before.deal, after.deal
    return now is not None and now.hand is not None and (then is None or then.number != now.number or then.hand is None)


def _is_beginning(scene: Scene) -> bool:
    """Whether a hand has been dealt and nothing of it played."""
    return scene.hand is not None and not scene.hand.table and not scene.hand.tricks


def _dealt(scene: Scene) -> str:
    step = pass_step(scene.options, scene.number)
    if step == "N":
        return _("Hand {number} is dealt, no cards are passed.", number=scene.number)
    return n_(
        "Hand {number} is dealt, {n} card is passed {where}.",
        "Hand {number} is dealt, {n} cards are passed {where}.",
        scene.options.pass_count,
        number=scene.number,
        where=pass_words(step),
    )


def _scene(table: Table) -> Scene:
    """The table as somebody without a seat, a link or a secret sees it."""
    return draw_scene(table, b"", Gossip(), None, {}, None)


def _where(replay: Replay) -> str:
    hand = sum(place <= replay.at for place in replay.hands)
    which = _("hand {number} of {all}", number=hand, all=len(replay.hands)) if hand else _("before the first hand")
    return _("Replay: picture {number} of {all}, {hand}.", number=replay.at + 1, all=len(replay.screens), hand=which)


def _press_overlay(replay: Replay, overlay: Overlay, key: str) -> Replay | None:
    if key == "c-c":
        return None
    if key in SCROLLING:
        seen = replace(replay.screens[replay.at], scroll=replay.scroll, size=replay.size)
        return replace(replay, scroll=scrolled(seen, overlay, key).scroll)
    other = _OVERLAYS.get(key)
    return replace(replay, overlay=None if other is overlay else other, scroll=0)
