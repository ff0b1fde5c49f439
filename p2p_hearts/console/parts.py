"""Small pieces of the picture that several screens share: cards, the title, rules, the line of keys."""

from collections.abc import Sequence

from p2p_hearts.cards import Card, suit_of
from p2p_hearts.console.below import below
from p2p_hearts.console.facts import duty
from p2p_hearts.console.fragments import Fragment, Line, clickable, clip, columns, ends, fit, width_of, wrap
from p2p_hearts.console.keys import Key, keys_now
from p2p_hearts.console.language import _, n_, p_
from p2p_hearts.console.state import Overlay, Screen
from p2p_hearts.console.typed import PROMPTS
from p2p_hearts.console.words import symbol, teaching_words

MIN_WIDTH, MIN_HEIGHT = 40, 12
"""The smallest window in which a game can be played; below it, a message says so."""
NOTE_LINES = 4  # of a sentence at the bottom; the longest, an invitation as text, takes as many at 60 columns

_SUIT_STYLES = ("class:suit.c", "class:suit.d", "class:suit.h", "class:suit.s")
_SIGNS = {"♣": _SUIT_STYLES[0], "♦": _SUIT_STYLES[1], "♥": _SUIT_STYLES[2], "♠": _SUIT_STYLES[3]}


def card_style(card: Card, more: str = "") -> str:
    """The style of a card: the colour of its suit, and what else is said of it."""
    return f"{_SUIT_STYLES[suit_of(card)]} {more}".strip()


def card(one: Card, more: str = "", width: int = 0) -> Fragment:
    """A card as a piece of text, filled to `width`."""
    text = symbol(one)
    return card_style(one, more), fit(text, width) if width else text


def cards(several: Sequence[Card]) -> Line:
    """Cards one after the other."""
    line: Line = []
    for one in several:
        line += [card(one), ("", " ")]
    return line[:-1]


def coloured(text: str, style: str = "") -> Line:
    """A sentence in which every card has the colour of its suit."""
    line: Line = []
    plain = ""  # what has been read since the last card
    for number, word in enumerate(text.split(" ")):
        plain += " " if number else ""
        sign = next((sign for sign in _SIGNS if sign in word), None)
        if sign is None:
            plain += word
            continue
        head, tail = word[: word.index(sign) + 1], word[word.index(sign) + 1 :]
        line += [(style, plain)] if plain else []
        line.append((f"{style} {_SIGNS[sign]}".strip(), head))
        plain = tail
    return [*line, (style, plain)] if plain or not line else line


def paragraph(text: str, width: int, style: str = "", indent: str = "") -> list[Line]:
    """A sentence over several lines, its cards in colour."""
    return [coloured(line, style) for line in wrap(text, width, indent)]


def title(left: str, right_end: str, width: int) -> Line:
    """The line at the top."""
    style = "class:title"
    return ends([(style, f" {left}")], [(style, f"{right_end} ")], width, style)


def rule(width: int) -> Line:
    """A line across."""
    return [("class:rule", "─" * width)]


def key_line(keys: Sequence[Key], width: int) -> Line:
    """The keys that work now, as many as fit; help and quit always."""
    always = [key for key in keys if key.label in {"?", "q"}]
    rest = [key for key in keys if key not in always]
    while True:
        line: Line = [("", " ")]
        for key in (*rest, *always):
            click = clickable(key.pressed[0])
            line += [(f"class:foot.key {click}", key.label), (f"class:foot.word {click}", f" {p_('key', key.short)}")]
            line.append(("", "  "))
        if width_of(line) - 2 <= width or not rest:
            return clip(line[:-1], width)
        rest.pop()


def foot(screen: Screen, width: int, height: int) -> list[Line]:
    """The last lines, mostly two: what is being typed or has to be said, and the keys."""
    if screen.typing is not None:
        return [typing_line(screen, width), key_line(keys_now(screen), width)]
    taught = "" if screen.aside.teaching is None else teaching_words(screen.aside.teaching, symbol)
    note = below(screen.note) or (f"{screen.busy} …" if screen.busy else taught) or _missed(screen)
    room = 1 + max(0, min(NOTE_LINES - 1, (height - MIN_HEIGHT) // 2))
    said = [[("", " "), *line] for line in paragraph(note, width - 2, "class:note")]
    if len(said) > room:
        said = [*said[: room - 1], clip([*said[room - 1], ("class:note", " …")], width)]
    return [*said, key_line(keys_now(screen), width)]


def _missed(screen: Screen) -> str:
    """What a page hides: that it is one's turn, that somebody has said something."""
    if screen.overlay is None or screen.scene is None:
        return ""
    if duty(screen.scene) is not None and screen.overlay is not Overlay.SHEET:  # which says it itself
        return _("It is your turn.")
    if not screen.unread or screen.overlay is Overlay.LOG:
        return ""
    return n_("{n} new line in the chat: l shows it.", "{n} new lines in the chat: l shows them.", screen.unread)


def typing_line(screen: Screen, width: int) -> Line:
    """The line being typed, scrolled so that the cursor is seen."""
    typing = screen.typing
    if typing is None:
        return []
    prompt = f" {_(PROMPTS[typing.purpose])}: "
    room = max(1, width - columns(prompt) - 1)
    before, at, after = (
        typing.text[: typing.cursor],
        typing.text[typing.cursor : typing.cursor + 1],
        typing.text[typing.cursor + 1 :],
    )
    while before and columns(before) + max(1, columns(at)) > room:
        before = before[1:]
    return clip([("class:strong", prompt), ("", before), ("class:cursor", at or " "), ("", after)], width)
