"""What plays make likely about the cards still hidden.

How it works. Nobody keeps a Black Maria who can be rid of it, and whoever ducks does so with the highest card that ducks.
So each play tells of cards that its seat would rather have played, had it held them, and each such kind becomes less
likely to be there by a factor. These are no certainties: a claim of a void bars a kind (`worlds`), a habit makes it rare.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.tables import RANKS, SUIT, Floats
from p2p_hearts.cards import KINDS, QUEEN_OF_SPADES, Card, suit_of
from p2p_hearts.hearts.hand import POINT_KINDS, Hand
from p2p_hearts.hearts.view import View

# How much rarer a kind is with a seat that has not played it when it would have been the natural card.
QUEEN_KEPT: Final = 0.1  # could have thrown a Black Maria on another's trick
HIGHER_KEPT: Final = 0.5  # could have ducked, or discarded from this suit, with a higher card
LOWER_KEPT: Final = 0.5  # went over the best card of a trick that cost points, and could have ducked
RAREST: Final = 0.05  # habits are no proof, however often they are seen

_QUEEN: Final = 1 << QUEEN_OF_SPADES


@dataclass(frozen=True, slots=True)
class Clue:
    """A seat has shown a habit in the light of which it rarely holds these kinds."""

    seat: int
    kinds: int  # a mask
    factor: float


def likely_holders(view: View) -> Floats:
    """For each (kind, holder) how much rarer its plays make it that it holds the kind; holders are the seats and the kitty."""
    hand = view.hand
    found = [clue for clue in clues(hand) if clue.seat != view.seat]
    logs = np.zeros((KINDS, hand.seats + 1))
    if found:
        masks = np.array([clue.kinds for clue in found], dtype=np.int64)
        bits = masks >> np.arange(KINDS, dtype=np.int64)[:, None] & 1
        weights = bits * np.log(np.array([clue.factor for clue in found]))
        for place, clue in enumerate(found):
            logs[:, clue.seat] += weights[:, place]
    likely: Floats = np.maximum(np.exp(logs), RAREST)
    return likely


def clues(hand: Hand) -> list[Clue]:
    """What the plays of a hand, the table's among them, give away."""
    found: list[Clue] = []
    for number, trick in enumerate(hand.tricks, start=1):
        _read(found, hand, number, trick.leader, trick.cards)
    _read(found, hand, hand.trick, hand.leader, hand.table)
    return found


def _read(found: list[Clue], hand: Hand, number: int, leader: int, cards: tuple[Card, ...]) -> None:
    """Adds the clues of one trick, or of what lies of it."""
    two_pairs = hand.options.cancel_rule == "two_pairs"
    free = number > 1 or hand.options.first_trick_points
    once = twice = 0
    points = 0
    for turn, card in enumerate(cards):
        bit = 1 << card
        if turn:
            led = suit_of(cards[0])
            base = RANKS * led
            suit = SUIT << base
            live = once & ~twice & suit
            best = live.bit_length() - 1  # the card that would win; −1: none
            dead = two_pairs and twice & (twice - 1)
            seat = (leader + turn) % hand.seats
            below = suit if dead else ((1 << best) - 1 & suit if live else 0)
            if suit_of(card) != led:
                if free and card != QUEEN_OF_SPADES:
                    found.append(Clue(seat, _QUEEN, QUEEN_KEPT))
                higher = (SUIT << RANKS * suit_of(card)) & -(bit << 1)
                if higher & ~_QUEEN:
                    found.append(Clue(seat, higher & ~_QUEEN, HIGHER_KEPT))
            elif bit & below:
                if below & _QUEEN and card != QUEEN_OF_SPADES:
                    found.append(Clue(seat, _QUEEN, QUEEN_KEPT))
                between = below & -(bit << 1) & ~_QUEEN
                if between and card != QUEEN_OF_SPADES:
                    found.append(Clue(seat, between, HIGHER_KEPT))
            elif points and below and not bit & once:
                found.append(Clue(seat, below & ~_QUEEN, LOWER_KEPT))
        points += bool(bit & POINT_KINDS)
        twice |= once & bit
        once |= bit
