"""The keys that are named are the keys that work: at the bottom, on the help page, on every screen."""

from dataclasses import replace

import pytest

from p2p_hearts.console.keys import keys_now, page_keys
from p2p_hearts.console.screen import press
from p2p_hearts.console.state import Overlay, Screen
from tests.console.stages import every_screen

ALL_KEYS = (
    "up", "down", "left", "right", "enter", "escape", "backspace", "delete", "home", "end", "pageup", "pagedown", "tab",
    "s-tab", "c-c", *" ?abcdefghijklmnopqrstuvwxyz0123456789+-=,",
)  # fmt: skip


def watching(screen: Screen) -> Screen:
    """The same screen for somebody who only looks on."""
    scene = screen.scene
    if scene is None or not scene.seats:
        return screen
    peers = tuple(replace(peer, me=False, host=False) for peer in scene.peers)
    seen = replace(scene, my_seat=None, view=None, received=(), peers=peers)
    return replace(screen, scene=seen, cursor=None, chosen=(), plan=None, fresh=(), pick=None)


SCREENS = {name: screen for name, screen in every_screen().items() if screen.typing is None}
SCREENS |= {f"{name}, watched": watching(screen) for name, screen in SCREENS.items() if screen.scene is not None}


def works(screen: Screen, key: str) -> bool:
    """Whether a key does more than say a sentence."""
    after, action = press(screen, key)
    return action is not None or silent(after) != silent(screen)


def silent(screen: Screen) -> Screen:
    """The screen but for what only the next key needs to know."""
    return replace(screen, note="", digits="")


@pytest.mark.parametrize("name", SCREENS)
def test_every_key_that_works_is_named(name: str) -> None:
    """A key that changes something, or acts, is found among the keys named on that very screen."""
    screen = SCREENS[name]
    named = {key for entry in keys_now(screen) for key in entry.pressed}
    if screen.overlay is Overlay.HELP:
        named |= {key for entry in page_keys(screen) for key in entry.pressed}
    if screen.overlay is Overlay.QUIT:
        named |= set(ALL_KEYS)  # any key stays, as is said there
    assert [key for key in ALL_KEYS if key not in named and works(screen, key)] == []


@pytest.mark.parametrize("name", SCREENS)
def test_every_key_that_is_named_works(name: str) -> None:
    """Each entry of the help names a key that does something there, if only by saying why not."""
    screen = SCREENS[name]
    base = replace(screen, note="")
    dead = [
        entry.label
        for entry in keys_now(screen)
        if entry.short != "scroll" and all(press(screen, key) == (base, None) for key in entry.pressed)
    ]
    assert dead == []


def test_help_does_what_it_says() -> None:
    """A letter that the help page names works on the help page, too: it goes away and the letter does what it says."""
    screen = SCREENS["help"]
    for entry in page_keys(screen):
        if entry.label in "tslpywcvoa":
            below = press(replace(screen, overlay=None), entry.pressed[0])
            assert press(screen, entry.pressed[0]) == below, entry.label


def test_no_function_key_is_needed() -> None:
    """FF6: whatever can be done is done by letters, digits, arrows, Enter, Escape and the like; terminals keep F1."""
    named = {
        key for screen in SCREENS.values() for entry in (*keys_now(screen), *page_keys(screen)) for key in entry.pressed
    }
    assert named <= {*ALL_KEYS, ","}
