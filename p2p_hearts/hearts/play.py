"""What may be played, stated once and without seeing a hand.

To play a card is to claim that the rest of one's hand holds none of a certain set of kinds: none of the suit led, or,
when leading an unbroken heart, nothing but hearts, and so on. That set follows from the public state and the card alone
(`implied_voids`). Everything else follows from it: a card is legal when the claim is true of the hand that holds it
(`legal_plays`), a peer that sees no hand records the claims (`play`), and a later play of a card in a claimed set is a
revoke. Claims stay true, for cards only ever leave a hand.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from p2p_hearts.cards import ALL_KINDS, KINDS, QUEEN_OF_SPADES, SUIT_MASKS, Card, Suit, mask_of, suit_of
from p2p_hearts.hearts.hand import HEARTS, POINT_KINDS, Hand, finished, seat_in_turn, to_play
from p2p_hearts.hearts.reasons import Reason, Why, sentence
from p2p_hearts.hearts.trick import end_trick

Claims: TypeAlias = tuple[int, ...]  # for each of the 52 cards, the mask that playing it claims not to hold


class IllegalPlayError(ValueError):
    """A play that the table can see to be wrong; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(sentence(reason))
        self.reason = reason


def implied_voids(hand: Hand, card: Card) -> int:
    """The kinds that whoever plays `card` now claims not to hold in the rest of the hand."""
    return _claims(hand)[card]


def legal_plays(hand: Hand, held: Iterable[Card]) -> tuple[Card, ...]:
    """The kinds among `held` that may be played now, sorted; there is one as long as any card is held."""
    claims, kinds = _claims(hand), sorted(set(held))
    mask = mask_of(kinds)
    return tuple([card for card in kinds if not claims[card] & mask])


def why_not(hand: Hand, held: Iterable[Card], card: Card) -> Reason | None:
    """Why `card` may not be played now from the cards `held`, or None when it may."""
    mask = mask_of(held)
    if not mask >> card & 1:
        return Reason(Why.NOT_HELD, card=card)
    broken_claim = _claims(hand)[card] & mask
    if not broken_claim:
        return None
    if hand.table:
        led = suit_of(hand.table[0])
        if suit_of(card) != led and broken_claim & SUIT_MASKS[led]:
            return Reason(Why.MUST_FOLLOW, suit=led)
        return Reason(Why.FIRST_TRICK_POINTS)
    if hand.trick == 1:
        return Reason(Why.FIRST_LEAD)
    return Reason(Why.QUEEN_BEFORE_HEARTS if broken_claim == 1 << QUEEN_OF_SPADES else Why.HEARTS_NOT_BROKEN)


def play(hand: Hand, seat: int, card: Card) -> Hand:
    """The hand after `seat` plays `card`, with what the play claims recorded.

    Raises IllegalPlayError when it is wrong for all to see: out of turn, a third copy, or a revoke.
    """
    if seat != to_play(hand):
        raise IllegalPlayError(Reason(Why.HAND_OVER if finished(hand) else Why.NOT_YOUR_TURN))
    if hand.twice >> card & 1:
        raise IllegalPlayError(Reason(Why.PLAYED_TWICE, card=card))
    if hand.voids[seat] >> card & 1:
        raise IllegalPlayError(Reason(Why.REVOKE, card=card))
    return lay(hand, card)


def lay(hand: Hand, card: Card) -> Hand:
    """The hand after the seat in turn lays `card`, whatever the card: `play` without its checks, for referees."""
    options, bit = hand.options, 1 << card
    claim = _claims(hand)[card]
    voids = hand.voids
    if claim:
        seat = seat_in_turn(hand)
        voids = (*voids[:seat], voids[seat] | claim, *voids[seat + 1 :])
    breaking = POINT_KINDS if options.queen_breaks_hearts else HEARTS  # D15
    laid = Hand(
        options,
        hand.seats,
        hand.dealer,
        hand.number,
        hand.size,
        hand.kitty_size,
        hand.leader,
        hand.trick,
        (*hand.table, card),
        hand.broken or bool(bit & breaking),
        hand.once | bit,
        hand.twice | hand.once & bit,
        voids,
        hand.tricks,
        hand.pile,
        hand.captured,
        hand.kitty_seat,
        hand.unwon,
    )
    return end_trick(laid) if len(laid.table) == hand.seats else laid


def _claims(hand: Hand) -> Claims:
    """The claims that the 52 cards make in the present position."""
    options = hand.options
    if hand.table:
        led = suit_of(hand.table[0])
        return _FOLLOW[led] if hand.trick > 1 or options.first_trick_points else _FOLLOW_WITHOUT_POINTS[led]
    if hand.trick == 1:
        return _FIRST_LEAD
    if hand.broken or not options.hearts_must_break:  # D14
        return _ANY_CARD
    return _HEARTS_OVER_QUEEN if options.lead_hearts_over_queen else _HEARTS_LAST


def _when(cards: int, claim: int) -> Claims:
    """Each card of the mask `cards` claims `claim`, the others nothing."""
    return tuple(claim if cards >> card & 1 else 0 for card in range(KINDS))


def _both(first: Claims, second: Claims) -> Claims:
    """Each card claims what it claims in either."""
    return tuple(a | b for a, b in zip(first, second, strict=True))


def _followed_without_points(led: Suit) -> Claims:
    """D13 switched off: following comes first, then points are kept back while another card could be played."""
    suit = SUIT_MASKS[led]
    kept_back = _both(
        _when(POINT_KINDS & suit, suit & ~POINT_KINDS), _when(POINT_KINDS & ~suit, ALL_KINDS & ~POINT_KINDS)
    )
    return _both(_FOLLOW[led], kept_back)


_ANY_CARD: Final = _when(0, 0)
_FOLLOW: Final = tuple(_when(ALL_KINDS & ~suit, suit) for suit in SUIT_MASKS)  # R10
_FOLLOW_WITHOUT_POINTS: Final = tuple(map(_followed_without_points, Suit))
_FIRST_LEAD: Final = _when(POINT_KINDS, ALL_KINDS & ~POINT_KINDS)  # R9, D10
_HEARTS_LAST: Final = _when(HEARTS, ALL_KINDS & ~HEARTS)  # R12, R13, D11, D12
_HEARTS_OVER_QUEEN: Final = _when(HEARTS, ALL_KINDS & ~POINT_KINDS)  # D12 switched
