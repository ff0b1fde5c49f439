"""An event as one line for a trace or a log: its name and fields, peers by name.

The law: no line shows a card that is not public. Logs are sent to strangers with bug reports.
"""

from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any

from p2p_hearts.cards import card_text
from p2p_hearts.hearts.hand import seat_letter
from p2p_hearts.protocol.events import CardsReceived, Event, KittyRead

SEATS = {"seat", "source", "dealer", "leader", "winner"}
CARDS = {"cards", "cancelled"}


def describe(event: Event, name: Callable[[bytes], str]) -> str:
    """The line; what only the seat itself may know is left out."""
    hidden = {"view", "cards"} if isinstance(event, CardsReceived | KittyRead) else {"view"}
    words = [
        f"{field.name}={_word(field.name, getattr(event, field.name), name)}"
        for field in fields(event)
        if field.name not in hidden
    ]
    return " ".join([type(event).__name__, *words])


def _word(field: str, value: Any, name: Callable[[bytes], str]) -> str:
    if field in CARDS or field == "card":
        return ",".join(card_text(card) for card in ([value] if field == "card" else value)) or "-"
    if field in SEATS and value is not None:
        return seat_letter(value)
    if isinstance(value, bytes):
        return name(value).replace(" ", "")
    if isinstance(value, Enum):
        return str(value.value)
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
