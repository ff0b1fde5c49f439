"""What plays make likely about the cards still hidden.

How it works. Hardly anybody keeps a Black Maria who can be rid of it, whoever ducks does so with the highest card that
ducks, and whoever discards throws the highest of a suit. So each play tells of cards that its seat would rather have played, had it held them, and each such kind becomes less
likely to be there by a factor. These are no certainties: a claim of a void bars a kind (`worlds`), a habit makes it rare.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.tables import Floats
from p2p_hearts.cards import KINDS, QUEEN_OF_SPADES, SUIT_MASKS, Card, Suit, suit_of
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.view import View

# How much rarer a kind is with a seat that has played another when this would have been the natural one. Tuned by how
# often the sampled worlds have the cards where they are, in hands of `cautious` and of `clever`, which differ over queens.
QUEEN_KEPT: Final = 0.6
HIGHER_KEPT: Final = 0.3
RAREST: Final = 0.05  # habits are no proof, however often they are seen

_QUEEN: Final = 1 << QUEEN_OF_SPADES


@dataclass(frozen=True, slots=True)
class Clue:
    """A seat has shown a habit in the light of which it rarely holds these kinds."""

    seat: int
    kinds: int  # a mask
    factor: float


def likely_holders(view: View) -> Floats:
    """For each (kind, holder) how much rarer its plays make it that it holds the kind; the holders are those of `worlds`."""
    hand = view.hand
    found = [clue for clue in clues(hand) if clue.seat != view.seat]
    logs = np.zeros((KINDS, hand.seats + 2))
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
    free = number > 1 or hand.options.first_trick_points
    once = twice = 0
    for turn, card in enumerate(cards):
        bit = 1 << card
        if turn:
            rather = _rather(hand, suit_of(cards[0]), once, twice, card)
            seat = (leader + turn) % hand.seats
            if rather & _QUEEN and free:
                found.append(Clue(seat, _QUEEN, QUEEN_KEPT))
            if rather & ~_QUEEN:
                found.append(Clue(seat, rather & ~_QUEEN, HIGHER_KEPT))
        twice |= once & bit
        once |= bit


def _rather(hand: Hand, led: Suit, once: int, twice: int, card: Card) -> int:
    """The kinds that whoever lays `card` on these would rather have laid: a Black Maria that cannot win, a higher card that
    ducks, a higher one of the suit that is thrown away."""
    if card == QUEEN_OF_SPADES:
        return 0
    higher = -2 << card
    if suit_of(card) != led:
        return SUIT_MASKS[suit_of(card)] & higher | _QUEEN
    suit = SUIT_MASKS[led]
    live = once & ~twice & suit
    dead = hand.options.cancel_rule == "two_pairs" and twice & (twice - 1)
    ducking = suit if dead else suit & (1 << max(live.bit_length() - 1, 0)) - 1
    return ducking & (higher | _QUEEN) if ducking >> card & 1 else 0
