"""The `cautious` level: it ducks, dumps what is dangerous, keeps a low card to get off lead, and knows that twins cancel.

How it thinks: for each legal card it weighs the chance of winning the trick times what the trick would cost, against
the burden of keeping the card. Chances are rough estimates from the cards not seen yet and from the voids that plays have
claimed; nothing is sampled and nothing is left to chance.
"""

import math
from dataclasses import dataclass
from typing import Final

from p2p_hearts.bots.rng import Rng
from p2p_hearts.cards import KINDS, QUEEN_OF_SPADES, SUIT_MASKS, Card, Rank, Suit, rank_of, suit_of
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.hearts.score import QUEEN_POINTS, card_points
from p2p_hearts.hearts.trick import pairs_on
from p2p_hearts.hearts.view import View

# Weights, in points. Rough on purpose: the order of what to get rid of matters, the second decimal does not.
KITTY_CARD_COST: Final = 0.5  # 52 points over 104 cards
DISCARD_COST: Final = 2.5  # what a seat that cannot follow is likely to throw on a trick
FOLLOW_COST: Final = 0.3  # what a seat is likely to add that probably follows
LEAD_COST: Final = 0.4  # winning means having to lead
TWIN_SHOWS: Final = 0.5  # how often the holder of a twin plays it while it can
HEIGHT_BURDEN: Final = 1.5  # of the top card of a suit
QUEEN_BURDEN: Final = 9.0
OVER_QUEEN_BURDEN: Final = 4.0  # king or ace of spades while a Black Maria may still fall on it
SHORT_SUIT_BURDEN: Final = 1.5  # of a suit's only card: without it, one may discard
GUARDS: Final = 4  # low spades with which a Black Maria or what beats it is safe to keep


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What the view says about the cards not seen: per kind, how many copies other seats or the kitty may hold."""

    view: View
    unseen: tuple[int, ...]
    others: int  # seats but this one
    later: tuple[int, ...]  # seats that play to this trick after this one


def choose_pass(view: View, _rng: Rng, _effort: int) -> tuple[Card, ...]:
    """The heaviest cards, weighed anew after each, so that short suits become voids."""
    held, chosen = view.held, list[Card]()
    outlook = _look(view)
    for _ in range(view.hand.options.pass_count):
        card = max(held, key=lambda card: (_burden(outlook, held, card), card))
        chosen.append(card)
        held = _without(held, card)
    return tuple(sorted(chosen))


def choose_play(view: View, _rng: Rng, _effort: int) -> Card:
    """The legal card with the least to lose; of equals the highest."""
    outlook = _look(view)

    def cost(card: Card) -> tuple[float, int]:
        return _win_chance(outlook, card) * _stake(outlook, card) - _burden(outlook, view.held, card), -card

    return min(legal_plays(view.hand, view.held), key=cost)


def _look(view: View) -> _Outlook:
    hand = view.hand
    unseen = [2 - (hand.once >> card & 1) - (hand.twice >> card & 1) for card in range(KINDS)]
    for card in view.held + (view.kitty or ()):
        unseen[card] -= 1
    later = tuple((hand.leader + turn) % hand.seats for turn in range(len(hand.table) + 1, hand.seats))
    return _Outlook(view, tuple(unseen), hand.seats - 1, later)


def _win_chance(outlook: _Outlook, card: Card) -> float:
    """The chance that `card` wins this trick, if the seats after it duck when they can."""
    hand = outlook.view.hand
    led = suit_of(hand.table[0]) if hand.table else suit_of(card)
    if suit_of(card) != led or card in hand.table:  # discarded, or cancelled by its twin (R14)
        return 0.0
    pairs = pairs_on(hand.table)
    if hand.options.cancel_rule == "two_pairs" and pairs.bit_count() > 1:  # R15: nobody wins it any more
        return 0.0
    chance = 1.0 - _twin_chance(outlook, card)
    for other in hand.table:
        if suit_of(other) == led and other > card and not pairs >> other & 1:
            chance *= _twin_chance(outlook, other)  # it beats us unless its twin comes
    for seat in outlook.later:
        chance *= 1.0 - _beaten_chance(outlook, card, seat)
    return chance


def _twin_chance(outlook: _Outlook, card: Card) -> float:
    """The chance that a seat still to play lays the twin of `card`, a card on the table or about to be."""
    return outlook.unseen[card] * TWIN_SHOWS * len(outlook.later) / outlook.others


def _beaten_chance(outlook: _Outlook, card: Card, seat: int) -> float:
    """The chance that `seat` has nothing but higher cards of the suit of `card`."""
    below, above = _around(outlook, card)
    if not above or outlook.view.hand.voids[seat] & SUIT_MASKS[suit_of(card)]:
        return 0.0
    share = (below + above) / outlook.others  # cards of the suit that a seat is likely to hold
    return min(share, 1.0) * math.pow(above / (below + above), max(share, 1.0))


def _stake(outlook: _Outlook, card: Card) -> float:
    """What winning this trick with `card` is likely to cost."""
    hand = outlook.view.hand
    led = suit_of(hand.table[0]) if hand.table else suit_of(card)
    cost = LEAD_COST + card_points(hand.options, (*hand.table, card, *hand.pile))
    if hand.kitty_seat is None:
        cost += KITTY_CARD_COST * hand.kitty_size
    if hand.unwon:
        suit = SUIT_MASKS[led]
        exhausted = not any(outlook.unseen[13 * led : 13 * led + 13])
        follow_cost = 1.0 if led == Suit.HEARTS else FOLLOW_COST
        for seat in outlook.later:
            cost += DISCARD_COST if exhausted or hand.voids[seat] & suit else follow_cost
        if led == Suit.SPADES:
            cost += QUEEN_POINTS * outlook.unseen[QUEEN_OF_SPADES] * len(outlook.later) / outlook.others / 2
    return cost


def _burden(outlook: _Outlook, held: tuple[Card, ...], card: Card) -> float:
    """How much trouble `card` is likely to make if it stays in the hand."""
    suit = suit_of(card)
    below, above = _around(outlook, card)
    height = below / (below + above) if below + above else 1.0  # 0: an exit, 1: certain to win
    burden = HEIGHT_BURDEN * height
    length = sum(suit_of(other) == suit for other in held)
    if suit != Suit.SPADES:
        return burden + SHORT_SUIT_BURDEN / length * height
    guarded = sum(suit_of(other) == suit and rank_of(other) < Rank.QUEEN for other in held) >= GUARDS
    if card == QUEEN_OF_SPADES:
        burden += QUEEN_BURDEN / (2 if guarded else 1)
    elif card > QUEEN_OF_SPADES and outlook.unseen[QUEEN_OF_SPADES]:
        burden += OVER_QUEEN_BURDEN / (2 if guarded else 1)
    return burden


def _around(outlook: _Outlook, card: Card) -> tuple[int, int]:
    """How many unseen cards of its suit are lower than `card`, and how many are higher."""
    first = 13 * suit_of(card)
    return sum(outlook.unseen[first:card]), sum(outlook.unseen[card + 1 : first + 13])


def _without(held: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards left when one copy of `card` is gone."""
    index = held.index(card)
    return held[:index] + held[index + 1 :]
