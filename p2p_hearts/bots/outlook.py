"""What a view says about the cards it does not show: which copies are still out, and with whom they may be.

Law: nothing is ruled out but what a play has claimed (`Hand.voids`), what has been played twice, and what one holds or has
seen in one's own kitty; a card one passed is with its receiver until that seat plays one like it. Whatever else is out
may be with any seat that can hold it, in proportion to the cards it has left, or in a kitty that nobody has shown us.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from p2p_hearts.cards import KINDS, QUEEN_OF_SPADES, Card, Suit, suit_of
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.passing import pass_target
from p2p_hearts.hearts.view import View

QUEEN_ROW: Final = 4  # after the four suits: of the queen of spades some plays say more than of her suit
FIRST_OF_SUIT: Final = tuple(13 * suit for suit in Suit)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The cards not seen, as far as a view tells."""

    view: View
    unseen: tuple[int, ...]  # per kind, copies that others hold or that lie in a kitty we have not seen
    roaming: tuple[int, ...]  # the same without those known to be with the receiver of our pass
    receiver: int  # of our pass; -1 without one
    theirs: tuple[Card, ...]  # what we passed and the receiver still holds
    later: tuple[int, ...]  # seats that play to this trick after this one
    shares: tuple[tuple[float, ...], ...]  # per suit and for the queen: the chance that a roaming copy is with a seat


def look(view: View) -> Outlook:
    """The outlook of a seat."""
    hand = view.hand
    unseen = [2 - (hand.once >> card & 1) - (hand.twice >> card & 1) for card in range(KINDS)]
    for card in view.held + (view.kitty or ()):
        unseen[card] -= 1
    receiver = pass_target(hand.options, hand.seats, hand.number, view.seat) if view.passed else None
    theirs: tuple[Card, ...] = ()
    roaming = unseen
    if receiver is not None:
        theirs = _not_played(hand, receiver, view.passed)
        roaming = list(unseen)
        for card in theirs:
            roaming[card] -= 1
    later = tuple((hand.leader + turn) % hand.seats for turn in range(len(hand.table) + 1, hand.seats))
    places = list(map(float, hand.left))
    places[view.seat] = 0.0
    if receiver is not None:
        places[receiver] -= len(theirs)
    hidden = hand.kitty_size if view.kitty is None else 0
    kinds = (*FIRST_OF_SUIT, QUEEN_OF_SPADES)
    shares = tuple(_shares(hand, places, hidden, kind) for kind in kinds)
    return Outlook(view, tuple(unseen), tuple(roaming), -1 if receiver is None else receiver, theirs, later, shares)


def around(counts: tuple[int, ...], card: Card) -> tuple[int, int]:
    """How many copies of its suit are lower than `card`, and how many are higher."""
    first = FIRST_OF_SUIT[suit_of(card)]
    return sum(counts[first:card]), sum(counts[card + 1 : first + 13])


def count_of(counts: tuple[int, ...], suit: Suit) -> int:
    """How many copies there are of a suit."""
    return sum(counts[13 * suit : 13 * suit + 13])


def holds_chance(outlook: Outlook, seat: int, card: Card) -> float:
    """The chance that `seat` holds at least one copy of `card`."""
    if seat == outlook.receiver and card in outlook.theirs:
        return 1.0
    share = outlook.shares[QUEEN_ROW if card == QUEEN_OF_SPADES else suit_of(card)][seat]
    return 1.0 - (1.0 - share) ** outlook.roaming[card]


def void_chance(outlook: Outlook, seat: int, suit: Suit) -> float:
    """The chance that `seat` holds nothing of a suit."""
    if seat == outlook.receiver and any(suit_of(card) == suit for card in outlook.theirs):
        return 0.0
    return float((1.0 - outlook.shares[suit][seat]) ** count_of(outlook.roaming, suit))


def _not_played(hand: Hand, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Those of these cards, once with `seat`, that it has not played since; a copy is as good as another."""
    played = Counter(trick.cards[(seat - trick.leader) % hand.seats] for trick in hand.tricks)
    place = (seat - hand.leader) % hand.seats
    if place < len(hand.table):
        played[hand.table[place]] += 1
    return tuple(sorted((Counter(cards) - played).elements()))


def _shares(hand: Hand, places: list[float], hidden: int, kind: Card) -> tuple[float, ...]:
    """For each seat the chance that a roaming copy of `kind` is with it."""
    room = [0.0 if hand.voids[seat] >> kind & 1 else place for seat, place in enumerate(places)]
    total = sum(room) + hidden
    return tuple([place / total for place in room]) if total else (0.0,) * hand.seats
