"""How much trouble the cards of one suit are likely to make if they stay in the hand.

A card is *sticky* when whoever lays it is likely to win: the others have nothing lower left to duck with, or nothing
higher. A low card beside it *guards* it: it is laid instead. Law: the danger of a suit depends on the cards held in it and
on what is unseen; what a discard is worth is how much less danger it leaves, less than nothing for a card that guards.
Weights are in points, rounded from a least-squares fit to what 65,000 choices of cautious bots came to when the rest
of the hand was played out after each legal card; for the pass, to 3,000 hands played with five other passes each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p_hearts.bots.outlook import Outlook, around, void_chance
from p2p_hearts.cards import KINDS, QUEEN_OF_SPADES, Card, Suit, rank_of, suit_of

GUARD: Final = 0.5  # what a card that is sure to lose leaves of the danger of a higher one of its suit
QUEEN_GUARD: Final = 0.75  # the same for a queen of spades: every other spade guards her


@dataclass(frozen=True, slots=True)
class SuitWeights:
    """What a holding of one suit costs."""

    sticky: float  # of a sticky card in a suit that nobody else may hold: it is dangerous on lead alone
    alive: float  # of one in a suit that all may hold and lead
    single: float  # of the only card of its suit: without it one may discard
    void: float  # of no card at all


@dataclass(frozen=True, slots=True)
class PassWeights:
    """What a holding of one suit costs before the first trick, when nothing has been seen."""

    height: float  # of an unguarded ace
    card: float  # of each card
    void: float
    single: float
    double: float


PLAIN: Final = SuitWeights(0.0, 2.0, -0.3, -0.6)
HEARTS: Final = SuitWeights(0.0, 4.0, -0.4, -0.9)
SPADES: Final = SuitWeights(1.1, 0.0, -0.3, -0.4)
WEIGHTS: Final = (PLAIN, PLAIN, HEARTS, SPADES)
OVER_QUEEN: Final = 0.85  # of a sticky king or ace of spades, for each queen that may still fall on it
QUEEN: Final = 7.2  # of a queen of spades without guards

PASS_PLAIN: Final = PassWeights(2.2, 0.5, -2.5, -2.0, -1.2)
PASS_HEARTS: Final = PassWeights(5.5, -0.4, -2.5, -1.4, -0.3)
PASS_SPADES: Final = PassWeights(2.2, -0.1, -2.3, -1.3, -0.7)
PASS_WEIGHTS: Final = (PASS_PLAIN, PASS_PLAIN, PASS_HEARTS, PASS_SPADES)
PASS_QUEEN: Final = 0.3
PASS_QUEEN_BARE: Final = 0.9  # more, without guards
PASS_OVER_QUEEN: Final = 0.8  # king or ace of spades


@dataclass(frozen=True, slots=True)
class Peril:
    """What danger is made of in a view, worked out once."""

    sticky: tuple[float, ...]  # per kind held, 0 to 1
    alive: tuple[float, ...]  # per suit, the share of the other seats that are likely to hold it
    queens: int  # unseen


def weigh(outlook: Outlook) -> Peril:
    """The peril of the cards held in this view."""
    sticky = [0.0] * KINDS
    for card in set(outlook.view.held):
        sticky[card] = stickiness(outlook, card)
    seat, others = outlook.view.seat, outlook.view.hand.seats - 1
    alive = [
        sum(1.0 - void_chance(outlook, other, suit) for other in range(others + 1) if other != seat) / others
        for suit in Suit
    ]
    return Peril(tuple(sticky), tuple(alive), outlook.unseen[QUEEN_OF_SPADES])


def stickiness(outlook: Outlook, card: Card) -> float:
    """The chance that laying `card` on a trick of its suit wins it, if all others duck when they can."""
    below, above = around(outlook.roaming, card)
    sticky = 1.0
    for share in outlook.shares[suit_of(card)]:
        if share:
            apart = 1.0 - share
            sticky *= 1.0 - apart**below * (1.0 - apart**above)
    return sticky


def suit_danger(peril: Peril, suit: Suit, held: Sequence[Card]) -> float:
    """The danger of these cards, lowest first, all of one suit."""
    weights = WEIGHTS[suit]
    if not held:
        return weights.void
    danger, guarded = weights.single if len(held) == 1 else 0.0, 1.0
    each = weights.sticky + weights.alive * peril.alive[suit]
    for card in held:
        sticky = peril.sticky[card]
        if card == QUEEN_OF_SPADES:
            danger += QUEEN * QUEEN_GUARD ** (len(held) - held.count(QUEEN_OF_SPADES))
        else:
            cost = each + OVER_QUEEN * peril.queens if card > QUEEN_OF_SPADES else each
            danger += cost * sticky * guarded
        guarded *= 1.0 - (1.0 - GUARD) * (1.0 - sticky)
    return danger


def burden(peril: Peril, held: Sequence[Card], card: Card) -> float:
    """By how much the hand is better off without one copy of `card`; less than nothing for a card that guards others."""
    suit = suit_of(card)
    cards = [other for other in held if suit_of(other) == suit]
    without = list(cards)
    without.remove(card)
    return suit_danger(peril, suit, cards) - suit_danger(peril, suit, without)


def pass_danger(suit: Suit, held: Sequence[Card]) -> float:
    """The danger of these cards, lowest first, all of one suit, at the beginning of a hand."""
    weights, length = PASS_WEIGHTS[suit], len(held)
    short = (weights.void, weights.single, weights.double)
    danger, guarded = short[length] if length < len(short) else 0.0, 1.0
    for card in held:
        height = (rank_of(card) - 2) / 12
        danger += weights.height * guarded * height * height + weights.card
        guarded *= 1.0 - (1.0 - GUARD) * (1.0 - height)
    queens = held.count(QUEEN_OF_SPADES)
    if queens:
        danger += queens * (PASS_QUEEN + PASS_QUEEN_BARE * QUEEN_GUARD ** (length - queens))
    return danger + PASS_OVER_QUEEN * sum(card > QUEEN_OF_SPADES for card in held)
