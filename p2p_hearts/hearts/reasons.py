"""Why a card is refused: a closed set of reasons, each with one sentence, the same on every front end.

A `Reason` carries the fields its sentence needs, so that another language can be made from the reason and not from the
English.
"""

from dataclasses import dataclass
from enum import Enum

from p2p_hearts.cards import Card, Suit, card_name


class Why(Enum):
    """What is wrong; the value is the sentence with its fields open."""

    HAND_OVER = "The hand is over"
    NOT_YOUR_TURN = "It is not your turn"
    NOT_HELD = "You do not hold the {card}"
    MUST_FOLLOW = "You must follow {suit}"  # R10
    FIRST_LEAD = "No heart or Black Maria on the first lead while you hold another card"  # R9
    HEARTS_NOT_BROKEN = "Hearts are not broken yet, lead another suit"  # R12
    QUEEN_BEFORE_HEARTS = "Hearts are not broken yet, you must lead the Black Maria"  # D12
    FIRST_TRICK_POINTS = "No heart or Black Maria on the first trick while you hold another card"  # D13
    PLAYED_TWICE = "Both copies of the {card} have been played already"
    REVOKE = "An earlier play claimed that this hand does not hold the {card}"
    NO_EXCHANGE = "No cards are passed in this hand"
    WRONG_COUNT = "Choose exactly {count} to pass"
    HELD_TOO_FEW = "You do not hold that many of the {card}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a card is refused, with what its sentence names."""

    why: Why
    card: Card | None = None
    suit: Suit | None = None
    count: int | None = None


def sentence(reason: Reason) -> str:
    """The reason as a player reads it."""
    return reason.why.value.format(
        card="" if reason.card is None else card_name(reason.card),
        suit="" if reason.suit is None else reason.suit.name.lower(),
        count="" if reason.count is None else f"{reason.count} card{'s' * (reason.count != 1)}",
    )
