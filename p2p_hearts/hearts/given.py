"""Reading the fields of a written-down case: whatever is not as the schema says is an error that names the field.

Law: from any JSON value these functions return a checked value or raise `MalformedError`; nothing else escapes them.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

from p2p_hearts.cards import Card, card_name, parse_card
from p2p_hearts.hearts.hand import parse_seat, seat_letter

Object: TypeAlias = Mapping[str, Any]
Play: TypeAlias = tuple[int, Card]  # seat and card

MAX_TOTAL: Final = 1_000_000  # points; far beyond any game, and a result can always be printed
MAX_TEXT: Final = 40  # characters of a wrong value that an error repeats


class MalformedError(ValueError):
    """A field that is missing or not as the schema says; the message begins with its name."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"{name}: {sentence}")


def read_field(source: Object, name: str) -> Any:
    """The field, of whatever type."""
    if name not in source:
        raise MalformedError(name, "is missing")
    return source[name]


def read_object(source: Object, name: str) -> Object:
    """The field, which is an object."""
    value = read_field(source, name)
    if not isinstance(value, dict):
        raise MalformedError(name, f"must be an object, not {_shown(value)}")
    return value


def read_text(source: Object, name: str, choices: Collection[str] | None = None) -> str:
    """The field, which is a text, and one of the choices if there are any."""
    value = read_field(source, name)
    if not isinstance(value, str):
        raise MalformedError(name, f"must be a text, not {_shown(value)}")
    if choices is not None and value not in choices:
        raise MalformedError(name, f"must be one of {', '.join(choices)}, not {_shown(value)}")
    return value


def read_list(source: Object, name: str) -> list[Any]:
    """The field, which is a list."""
    return _as_list(read_field(source, name), name)


def read_int(source: Object, name: str, low: int, high: int) -> int:
    """The field, which is a whole number in this range."""
    return _as_int(read_field(source, name), name, low, high)


def read_bool(source: Object, name: str) -> bool:
    """The field, which is true or false."""
    value = read_field(source, name)
    if not isinstance(value, bool):
        raise MalformedError(name, f"must be true or false, not {_shown(value)}")
    return value


def read_seat(source: Object, name: str, seats: int) -> int:
    """The field, which is the letter of a seat."""
    return _as_seat(read_field(source, name), name, seats)


def read_cards(source: Object, name: str) -> tuple[Card, ...]:
    """The field, which is a list of cards."""
    return _as_cards(read_field(source, name), name)


def read_hands(source: Object, name: str, seats: int) -> tuple[tuple[Card, ...], ...]:
    """The field, which has a list of cards for every seat."""
    by_seat = read_per_seat(source, name, seats)
    return tuple(_as_cards(by_seat[seat], f"{name}.{seat_letter(seat)}") for seat in range(seats))


def read_totals(source: Object, name: str, seats: int) -> tuple[int, ...]:
    """The field, which has a whole number for every seat."""
    by_seat = read_per_seat(source, name, seats)
    return tuple(_as_int(by_seat[seat], f"{name}.{seat_letter(seat)}", -MAX_TOTAL, MAX_TOTAL) for seat in range(seats))


def read_counts(source: Object, name: str, seats: int, most: int) -> tuple[int, ...]:
    """The field, which says how many of the `most` there are each seat won; a seat left out won none."""
    counts = [0] * seats
    for letter, value in read_object(source, name).items():
        counts[_as_seat(letter, name, seats)] = _as_int(value, f"{name}.{letter}", 0, most)
    return tuple(counts)


def read_per_seat(source: Object, name: str, seats: int) -> dict[int, Any]:
    """The field, which has something for every seat."""
    by_seat = {_as_seat(letter, name, seats): value for letter, value in read_object(source, name).items()}
    for seat in range(seats):
        if seat not in by_seat:
            raise MalformedError(f"{name}.{seat_letter(seat)}", "is missing")
    return by_seat


def read_plays(value: Any, name: str, seats: int) -> tuple[Play, ...]:
    """A list of plays, each written as seat and card, `A:QS`."""
    plays = []
    for text in _as_list(value, name):
        letter, colon, card = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise MalformedError(name, f"{_shown(text)} is not a play: write it as A:QS")
        plays.append((_as_seat(letter, name, seats), _as_card(card, name)))
    return tuple(plays)


def check_copies(cards: Sequence[Card], name: str) -> None:
    """Refuse more copies of a card than the two there are (R2)."""
    for card, copies in Counter(cards).items():
        if copies > 2:  # noqa: PLR2004 - two decks
            raise MalformedError(name, f"the {card_name(card)} is there {copies} times, the deck has two")


def _as_list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise MalformedError(name, f"must be a list, not {_shown(value)}")
    return value


def _as_int(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int:  # `True` is an int in Python, but not in JSON
        raise MalformedError(name, f"must be a whole number, not {_shown(value)}")
    if not low <= value <= high:
        raise MalformedError(name, f"must be from {low} to {high}, not {_shown(value)}")
    return value


def _as_seat(value: Any, name: str, seats: int) -> int:
    if not isinstance(value, str):
        raise MalformedError(name, f"must be the letter of a seat, not {_shown(value)}")
    try:
        return parse_seat(value[:MAX_TEXT], seats)
    except ValueError as error:
        raise MalformedError(name, str(error)) from error


def _as_card(value: Any, name: str) -> Card:
    if not isinstance(value, str):
        raise MalformedError(name, f"must be a card as in QS, not {_shown(value)}")
    try:
        return parse_card(value[:MAX_TEXT])
    except ValueError as error:
        raise MalformedError(name, str(error)) from error


def _as_cards(value: Any, name: str) -> tuple[Card, ...]:
    cards = tuple(_as_card(text, name) for text in _as_list(value, name))
    check_copies(cards, name)
    return cards


def _shown(value: Any) -> str:
    """The value as an error repeats it."""
    text = repr(value) if not isinstance(value, dict | list) else f"a {type(value).__name__}"
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
