"""What one seat may know: the public hand and its own cards, nothing else.

Law: two deals that differ only in cards hidden from a seat give that seat equal views. Bots choose and screens draw from
a `View`, so neither can look at another hand, nor at a kitty that its seat has not won (D9).
"""

from dataclasses import dataclass

from p2p_hearts.cards import Card
from p2p_hearts.hearts.hand import Hand


@dataclass(frozen=True, slots=True)
class View:
    """A hand as `seat` sees it."""

    seat: int
    hand: Hand
    held: tuple[Card, ...]  # own cards left, sorted
    received: tuple[Card, ...]  # by the pass; empty before it and without one
    passed: tuple[Card, ...]
    kitty: tuple[Card, ...] | None  # only when this seat has won it
    scores: tuple[int, ...]  # totals before this hand
