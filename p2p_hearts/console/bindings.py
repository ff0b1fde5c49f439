"""From prompt_toolkit's keys to the names that `press` knows."""

from collections.abc import Callable

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

NAMED_KEYS = (
    "up", "down", "left", "right", "enter", "escape", "backspace", "delete", "home", "end", "pageup", "pagedown", "tab",
    "s-tab", "c-c",
)  # fmt: skip


def make_bindings(press: Callable[[str], None], typing: Callable[[], bool]) -> KeyBindings:
    """Bindings that call `press` with the name of the key; `typing` says whether pasted text has a place to go."""
    bindings = KeyBindings()
    for name in NAMED_KEYS:
        _name(bindings, name, press)

    @bindings.add(Keys.Any)
    def _letter(event: KeyPressEvent) -> None:
        letter = event.key_sequence[0].data
        if len(letter) == 1 and letter.isprintable():
            press(letter)

    @bindings.add(Keys.SIGINT)
    def _interrupt(_: KeyPressEvent) -> None:
        press("c-c")

    @bindings.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        # pasted text is text, never keys: it goes nowhere unless something is being typed
        for letter in event.data if typing() else "":
            press(letter if letter.isprintable() else " ")

    @bindings.add("c-l")
    def _again(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    @bindings.add("c-z")
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    return bindings


def _name(bindings: KeyBindings, name: str, press: Callable[[str], None]) -> None:
    # an eager Escape does not wait for the rest of a sequence that no binding begins with
    @bindings.add(name, eager=name == "escape")
    def _pressed(_: KeyPressEvent) -> None:
        press(name)
