"""The mouse, for who wants it: a click on a card, a row or the name of a key is that key; the wheel is up and down.

What can be clicked says so in its style (`clickable`), in brackets, which colours nothing. The law: a click does nothing
that a key does not do, so that nobody needs a mouse.
"""

import re
from collections.abc import Callable, Iterable

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from p2p_hearts.console.fragments import SPACE, Fragment

_MARK = re.compile(r"\[key:(\S+)\]")
_WHEEL = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}


def with_mouse(fragments: Iterable[Fragment], press: Callable[[str], None]) -> StyleAndTextTuples:
    """The fragments, each with what a click on it presses."""
    return [(style, text, _handler(clicked(style), press)) for style, text in fragments]


def clicked(style: str) -> str | None:
    """The key that a click on something of this style is, if it can be clicked."""
    found = _MARK.search(style)
    return None if found is None else " " if found[1] == SPACE else found[1]


def _handler(name: str | None, press: Callable[[str], None]) -> Callable[[MouseEvent], None]:
    def handle(event: MouseEvent) -> None:
        if event.event_type in _WHEEL:
            press(_WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP and name is not None:
            press(name)

    return handle
