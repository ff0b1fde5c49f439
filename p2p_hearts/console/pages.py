"""Keys on the pages that lie over the table: scrolling, closing, going from one to another, and muting somebody.

The law: a page is scrolled no further than its last line, so that the first key back always moves it.
"""

from dataclasses import replace

from p2p_hearts.console.draw_over import page_length
from p2p_hearts.console.keys import PAGES, page_keys, pages_now
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Overlay, Screen, noted
from p2p_hearts.console.words import peer_name
from p2p_hearts.protocol.scene import Scene

CLOSING = {"escape", "enter", "q", " ", "backspace"}
EDGES = 3  # lines of a window that no page scrolls: its title, a sentence, and the keys
SCROLLING = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -10, "pagedown": 10, "home": -10_000, "end": 10_000}


def press_page(screen: Screen, overlay: Overlay, key: str) -> Screen:
    """The page after a key."""
    if key in CLOSING or PAGES.get(key) is overlay:
        return replace(screen, overlay=None, scroll=0)
    if overlay is Overlay.PEOPLE and screen.scene is not None and (key in SCROLLING or key == "m"):
        return _muted(screen, screen.scene) if key == "m" else _person(screen, screen.scene, SCROLLING[key])
    if key in SCROLLING:
        return scrolled(screen, overlay, key)
    return opened(screen, PAGES[key]) if can_open(screen, key) else screen


def opened(screen: Screen, overlay: Overlay) -> Screen:
    """The page over the table."""
    return replace(screen, overlay=overlay, scroll=0, unread=0)


def can_open(screen: Screen, key: str) -> bool:
    """Whether the page of this key has something on it now."""
    if key not in PAGES or key == "?":
        return key == "?"
    return screen.scene is not None and any(entry.label == key for entry in pages_now(screen.scene))


def works_below(screen: Screen, key: str) -> bool:
    """Whether the help page names this key as one of the page below it."""
    return key not in CLOSING | SCROLLING.keys() and any(key in entry.pressed for entry in page_keys(screen))


def scrolled(screen: Screen, overlay: Overlay, key: str) -> Screen:
    """The page scrolled; the log and the sheet are counted back from their newest line."""
    width, height = screen.size
    room = max(1, height - EDGES)
    step = -SCROLLING[key] if overlay in {Overlay.LOG, Overlay.SHEET} else SCROLLING[key]
    last = max(0, page_length(screen, overlay, width, room) - room)
    return replace(screen, scroll=min(last, max(0, screen.scroll + step)))


def _person(screen: Screen, scene: Scene, step: int) -> Screen:
    return replace(screen, person=min(max(0, screen.person + step), max(0, len(scene.peers) - 1)))


def _muted(screen: Screen, scene: Scene) -> Screen:
    if screen.person >= len(scene.peers) or scene.peers[screen.person].me:
        return screen
    key = scene.peers[screen.person].key
    if key in screen.muted:
        return noted(
            replace(screen, muted=screen.muted - {key}), _("{name} is heard again.", name=peer_name(scene, key))
        )
    return noted(
        replace(screen, muted=screen.muted | {key}), _("{name} is muted: only you notice.", name=peer_name(scene, key))
    )
