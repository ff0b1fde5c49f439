"""What may become of the trick on the table if a card is laid on it: who takes it, whether it is cancelled, what comes to it.

Law: all chances are estimates from an `Outlook`. Seats after us are taken to duck when they can, to play a high card now
and then where it costs nothing, and to throw points on a trick they cannot follow.
"""

import math
from typing import Final

from p2p_hearts.bots.outlook import Outlook, around, count_of, holds_chance, void_chance
from p2p_hearts.cards import QUEEN_OF_SPADES, SUIT_MASKS, Card, Suit, suit_of
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.score import QUEEN_POINTS, card_points
from p2p_hearts.hearts.trick import pairs_on

TWIN_SHOWS: Final = 0.5  # how often a seat that holds the twin of a card on the table plays it: it cannot win
WILLING: Final = 0.3  # how often a seat takes a trick without points that it could duck, to be rid of a high card
WILLING_POINTS: Final = 0.05  # the same where there are points
QUEEN_FALLS: Final = 0.5  # how often a queen of spades falls on a higher spade, if her seat is still to play


def led_suit(hand: Hand, card: Card) -> Suit:
    """The suit led in the trick to which `card` is laid."""
    return suit_of(hand.table[0] if hand.table else card)


def points_on(hand: Hand, card: Card) -> int:
    """What the trick costs so far whoever takes it, with `card` and all that was set aside before."""
    return card_points(hand.options, (*hand.table, card, *hand.pile))


def win_chance(outlook: Outlook, card: Card) -> float:
    """The chance that `card` takes this trick, unless two pairs cancel it."""
    hand = outlook.view.hand
    table = hand.table
    led = led_suit(hand, card)
    if suit_of(card) != led or card in table:  # discarded, or cancelled by its twin (R14)
        return 0.0
    pairs = pairs_on(table)
    chance = 1.0 - twin_chance(outlook, card)
    for other in table:
        if suit_of(other) == led and other > card and not pairs >> other & 1:
            chance *= twin_chance(outlook, other)  # it beats us unless its twin comes
    if chance:
        below, above = around(outlook.roaming, card)
        willing = WILLING_POINTS if points_on(hand, card) > 0 else WILLING
        for seat in outlook.later:
            chance *= 1.0 - _beats(outlook, card, seat, below, above, willing)
    return chance


def cancel_chance(outlook: Outlook, card: Card) -> float:
    """The chance that two pairs cancel this trick once `card` lies on it (R15)."""
    hand = outlook.view.hand
    if hand.options.cancel_rule != "two_pairs":
        return 0.0
    table = (*hand.table, card)
    pairs = pairs_on(table)
    there = pairs.bit_count()
    if there > 1:
        return 1.0
    expected = sum(twin_chance(outlook, other) for other in table if not pairs >> other & 1)
    followers = len(outlook.later)
    out = max(1, count_of(outlook.unseen, led_suit(hand, card)))
    expected += followers * (followers - 1) / 4 / out  # pairs among the cards still to come
    none = math.exp(-expected)
    return 1.0 - none if there else 1.0 - none * (1.0 + expected)


def twin_chance(outlook: Outlook, card: Card) -> float:
    """The chance that a seat still to play lays the twin of `card`, a card on the table or about to be."""
    if not outlook.unseen[card]:
        return 0.0
    missing = 1.0
    for seat in outlook.later:
        missing *= 1.0 - TWIN_SHOWS * holds_chance(outlook, seat, card)
    return 1.0 - missing


def thrown(outlook: Outlook, card: Card) -> float:
    """The points that the seats still to play are likely to add once `card` lies there."""
    hand = outlook.view.hand
    if not hand.unwon:
        return 0.0
    led = led_suit(hand, card)
    over_queen = led == Suit.SPADES and card > QUEEN_OF_SPADES
    return sum(_adds(outlook, seat, led, over_queen=over_queen) for seat in outlook.later)


def _adds(outlook: Outlook, seat: int, led: Suit, *, over_queen: bool) -> float:
    """The points that `seat` is likely to lay on a trick of this suit."""
    void = void_chance(outlook, seat, led)
    queen = holds_chance(outlook, seat, QUEEN_OF_SPADES)
    if led == Suit.SPADES:
        return void + (QUEEN_POINTS * QUEEN_FALLS * queen if over_queen else 0.0)
    if led == Suit.HEARTS:
        return 1.0 - void + void * QUEEN_POINTS * queen
    hearts = 1.0 - void_chance(outlook, seat, Suit.HEARTS)
    return void * (QUEEN_POINTS * queen + hearts * (1.0 - queen))


def _beats(outlook: Outlook, card: Card, seat: int, below: int, above: int, willing: float) -> float:
    """The chance that `seat` lays a higher card of the suit of `card`, with so many roaming below and above it."""
    suit = suit_of(card)
    if outlook.view.hand.voids[seat] & SUIT_MASKS[suit] == SUIT_MASKS[suit]:
        return 0.0
    apart = 1.0 - outlook.shares[suit][seat]  # the chance that a roaming copy is elsewhere
    none_below, none_above = apart**below, apart**above
    if seat == outlook.receiver:
        for other in outlook.theirs:
            if suit_of(other) == suit:
                none_below = 0.0 if other < card else none_below
                none_above = 0.0 if other > card else none_above
    forced = none_below * (1.0 - none_above)
    return forced + willing * (1.0 - none_above - forced)
