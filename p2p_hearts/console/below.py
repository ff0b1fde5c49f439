"""Sentences of the layers below, in the language of the person: the core, the network and other peers speak English.

They arrive as finished text: a refusal that a host sent from its own computer, why a table cannot start, what is wrong
with an address. `locale/below.txt` lists every such sentence with its fields open, as `scripts/languages.py` finds them in
the source, and the one that fits gives back the fields for the translation.

The law: no sentence of the list, no translation: what nobody of us wrote is shown as it came, never guessed at. A name
is a name, also when it reads like a word of ours.
"""

import re
from functools import lru_cache
from string import Formatter

from p2p_hearts.cards import DECK, Suit, card_name
from p2p_hearts.console.language import FOLDER, N_, _, n_, speaking, spoken_language
from p2p_hearts.console.words import spoken, suit_name

WORDS = {
    "APART", "NEW", "blocked", "card", "count", "cure", "finding", "half", "known", "left_over", "reason", "reasons",
    "sentence", "share", "steps", "suit", "value", "what",
}  # fmt: skip
"""The fields that hold words of ours, to be translated in their turn."""
FREE = {
    "LEVELS", "adapter", "adapter2", "category", "chain", "day_words", "directory", "error", "gone", "listed", "map", "mebibytes",
    "name", "name2", "names", "network", "new", "now", "path", "preset", "release", "strange", "strerror", "system", "text",
    "there", "title", "unusable", "wanted", "where", "words", "written",
}  # fmt: skip
"""Those that hold what somebody typed or a system said. All others hold one word: a number, a key, an address."""
_CARDS = {card_name(card): card for card in DECK}
_SUITS = {suit.name.lower(): suit for suit in Suit}
_MONTHS = {
    "January": N_("{day} January"), "February": N_("{day} February"), "March": N_("{day} March"), "April": N_("{day} April"),
    "May": N_("{day} May"), "June": N_("{day} June"), "July": N_("{day} July"), "August": N_("{day} August"),
    "September": N_("{day} September"), "October": N_("{day} October"), "November": N_("{day} November"),
    "December": N_("{day} December"),
}  # fmt: skip
_ENDS = re.compile(r"(?<=[.!?”]) (?=[“A-Z0-9])")


def below(text: str) -> str:
    """A text from below, which may be several sentences, as the person reads it."""
    return text if spoken_language() == "en" or not text else _translated(text, spoken_language())


@lru_cache(maxsize=1024)
def _translated(text: str, language: str) -> str:
    with speaking(language):
        whole = _one(text) or _without_stop(text) or _headed(text)
        return whole or " ".join(_one(part) or _without_stop(part) or _headed(part) or part for part in _parts(text))


def _parts(text: str) -> list[str]:
    return _ENDS.split(text)


def _without_stop(text: str) -> str:
    """The same, where whoever shows it has put a full stop behind it, or taken one away."""
    if text.endswith("."):
        said = _one(text[:-1])
        return f"{said}." if said else ""
    said = _one(f"{text}.")
    return said.removesuffix(".")


def _headed(text: str) -> str:
    """Something of the person's behind words of ours and a colon: `An invitation: bahi patu`."""
    head, colon, rest = text.partition(": ")
    said = _one(head) if colon else ""
    return f"{said}: {_one(rest) or _without_stop(rest) or rest}" if said else ""


def _one(text: str) -> str:
    """One sentence, or nothing when it is none of ours."""
    for template, literals in _templates():
        if not literals:
            if template == text:
                return _(template)
        elif text.startswith(literals[0]) and text.endswith(literals[-1]):
            found = _pattern(template).fullmatch(text)
            if found is not None:
                fields = {name: _field(name, value) for name, value in found.groupdict().items()}
                return _(template, **fields)
    return ""


def _field(name: str, value: str) -> str:
    if name == "day_words":
        return _day(value)
    if name not in WORDS:
        return value
    if name in {"card", "suit", "count"} and (said := _thing(value)):
        return said
    return _one(value) or _without_stop(value) or _listed(value)


def _day(value: str) -> str:
    """A day, with or without its year, as one says it."""
    day, _blank, rest = value.partition(" ")
    month, *year = rest.split(" ")
    if month not in _MONTHS:
        return value
    said = _(_MONTHS[month], day=day)
    return _("{day} {year}", day=said, year=year[0]) if year else said


def _thing(value: str) -> str:
    """A card, a suit, or so many cards, from the English of the rules; or nothing."""
    if value in _CARDS:
        return spoken(_CARDS[value])
    if value in _SUITS:
        return suit_name(_SUITS[value])
    count, _blank, cards = value.partition(" ")
    return n_("{n} card", "{n} cards", int(count)) if cards.startswith("card") and count.isdecimal() else ""


def _listed(value: str) -> str:
    """Several words or sentences one after the other."""
    if len(_parts(value)) > 1:
        return " ".join(_one(part) or _without_stop(part) or part for part in _parts(value))
    return ", ".join(_one(part) or part for part in value.split(", "))


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every sentence with the pieces around its fields, no pieces where it has no field; the most telling first."""
    lines = (FOLDER / "below.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        pieces, last = [], ""
        for literal, field, _form, _conversion in Formatter().parse(line):
            last = literal if field is None else ""
            if field is not None:
                pieces.append(literal)
        found.append((line, (*pieces, last) if pieces else ()))
    return tuple(sorted(found, key=lambda pair: (bool(pair[1]), -sum(map(len, pair[1])))))


@lru_cache(maxsize=512)
def _pattern(template: str) -> re.Pattern[str]:
    written = ""
    for literal, field, _form, _conversion in Formatter().parse(template):
        one = r".+?" if field in WORDS | FREE else r"\S+?"
        written += re.escape(literal) + (f"(?P<{field}>{one})" if field else "")
    return re.compile(written, re.DOTALL)
