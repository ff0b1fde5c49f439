"""A line being typed: letters go in at the cursor, and nothing but Enter, Escape and the editing keys means more."""

from dataclasses import replace

from p2p_hearts.console.fragments import clean
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.state import Typing

MAX_LETTERS = 200  # of one line of chat; what peers accept is the protocol's business

PROMPTS = {
    "chat": N_("Say"),
    "address": N_("Address or invitation"),
    "invitation": N_("Invitation (words, or p2ph:…)"),
    "name": N_("Name"),
}


PHRASES = (
    N_("Well played!"),
    N_("Thank you!"),
    N_("Sorry!"),
    N_("Ouch!"),
    N_("It is your turn."),
    N_("One moment, please."),
    N_("Good game!"),
    N_("Another game?"),
)
"""Ready to be said: up and down go through them, in the language of whoever says them."""


def phrases() -> tuple[str, ...]:
    """The ready phrases in the language spoken."""
    return tuple(_(phrase) for phrase in PHRASES)


def type_key(typing: Typing, key: str) -> Typing:
    """The line after a key; keys that edit nothing leave it as it is."""
    text, at = typing.text, typing.cursor
    match key:
        case "backspace":
            return replace(typing, text=text[: max(0, at - 1)] + text[at:], cursor=max(0, at - 1))
        case "delete":
            return replace(typing, text=text[:at] + text[at + 1 :])
        case "left":
            return replace(typing, cursor=max(0, at - 1))
        case "right":
            return replace(typing, cursor=min(len(text), at + 1))
        case "home":
            return replace(typing, cursor=0)
        case "end":
            return replace(typing, cursor=len(text))
        case "up" | "down" if typing.purpose == "chat":
            return _phrase(typing, 1 if key == "down" else -1)
        case _:
            return _insert(typing, key)


def _phrase(typing: Typing, step: int) -> Typing:
    """The next ready phrase in place of what is typed; before the first and after the last there is none."""
    ready = ("", *phrases())
    at = ready.index(typing.text) if typing.text in ready else 0
    text = ready[(at + step) % len(ready)]
    return replace(typing, text=text, cursor=len(text))


def _insert(typing: Typing, key: str) -> Typing:
    letter = key if key == " " else clean(key)
    if len(key) != 1 or not letter or len(typing.text) >= MAX_LETTERS:
        return typing
    text = typing.text[: typing.cursor] + letter + typing.text[typing.cursor :]
    return replace(typing, text=text, cursor=typing.cursor + 1)
