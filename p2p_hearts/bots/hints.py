"""Hints: the card that `clever` would play, or the cards it would pass, with the reason in one sentence.

A `Reason` carries the fields its sentence names, so that another language can be made from the reason and not from the
English (as in `hearts.reasons`). Law: a hint follows from the seat's `View` alone, and what its reason states is true in it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2p_hearts.bots.clever import Forecast, best_pass, forecasts
from p2p_hearts.bots.moon import shooting, threat
from p2p_hearts.bots.odds import led_suit
from p2p_hearts.bots.outlook import around, look
from p2p_hearts.bots.placing import ends_game
from p2p_hearts.cards import QUEEN_OF_SPADES, Card, Suit, card_name, suit_of
from p2p_hearts.hearts.hand import seat_letter
from p2p_hearts.hearts.score import card_points
from p2p_hearts.hearts.trick import pairs_on, winning_card
from p2p_hearts.hearts.view import View

SAFE: Final = 0.1  # a chance of taking the trick that is called none
SURE: Final = 0.9  # one that is called certain
UNLIKELY: Final = 0.25  # one of a card that is likely to lose
LEFT_STANDING: Final = 0.1  # a chance to win by the cancelling of a higher card that is worth a word


class Because(Enum):
    """Why a card is advised; the value is the sentence with its fields open."""

    ONLY_CARD = "the {card} is the only card you may play"
    ALL_YOURS = "all the points so far are yours: keep taking them"  # R18
    STOP_MOON = "{seat} has all the points so far: take this one yourself"  # R18
    NOT_TO_SHOOTER = "{seat} has all the points so far: give this one to somebody else"  # R18
    NOBODY_WINS = "two pairs lie there, nobody wins this trick: a good moment to be rid of the {card}"  # R15
    TWIN_LIES = "the other {card} lies there: the two cancel, and neither can win"  # R14
    LEFT_STANDING = "the other {other} is still out: the {rival} may be left standing"  # R14
    QUEEN_UNDER = "the {other} is above her: be rid of the Black Maria"
    UNDER = "it stays below the {other}"
    POINTS_WAIT = "whoever takes this trick pays {count}: stay below the {other}"
    CHEAP = "last to play, and nothing in the trick costs points: be rid of the {card}"
    TAKE_HIGH = "every card you may play takes this trick: spend the highest"
    GAME_ENDS = "this brings {seat} to the limit, and the game ends while nobody is better off than you"  # D20
    DUMP_QUEEN = "you cannot follow: be rid of the Black Maria"
    DUMP = "you cannot follow: the {card} would be the most dangerous to keep"
    LEAD_RID = "the {card} would be the most dangerous to keep, and may still lose: {count} higher {suit} are out"
    LEAD_LOW = "the {card} is likely to lose: {count} higher {suit} are still out"
    LEAD_QUEENS_OUT = "a spade below the Black Marias may bring one out, and you hold none"
    LEAD_LAST = "it is your last card of {suit}: without it you may discard when they are led"
    LEAST = "all in all the {card} is likely to cost you least"
    GIVE_QUEEN = "a Black Maria with few other spades is dangerous to keep"
    GIVE_SUIT = "without {suit} you may discard from the first trick on"
    GIVE_HIGH = "high cards with little below them take tricks"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is advised, with what its sentence names."""

    because: Because
    card: Card | None = None  # the one advised
    other: Card | None = None  # one on the table
    rival: Card | None = None  # one that might be played instead
    suit: Suit | None = None
    seat: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """The cards to play or pass, and why."""

    cards: tuple[Card, ...]
    reason: Reason


def hint_play(view: View) -> Hint:
    """The card to play, and why."""
    ways = forecasts(view)
    return Hint((ways[0].card,), _why(view, ways))


def hint_pass(view: View) -> Hint:
    """The cards to pass, and why."""
    cards = best_pass(view)
    if QUEEN_OF_SPADES in cards:
        return Hint(cards, Reason(Because.GIVE_QUEEN))
    for suit in Suit:
        held = [card for card in view.held if suit_of(card) == suit]
        if held and len(held) == sum(suit_of(card) == suit for card in cards):
            return Hint(cards, Reason(Because.GIVE_SUIT, suit=suit))
    return Hint(cards, Reason(Because.GIVE_HIGH))


def sentence(reason: Reason) -> str:
    """The reason as a player reads it."""

    def name(card: Card | None) -> str:
        return "" if card is None else card_name(card)

    text = reason.because.value.format(
        card=name(reason.card),
        other=name(reason.other),
        rival=name(reason.rival),
        suit="" if reason.suit is None else reason.suit.name.lower(),
        seat="" if reason.seat is None else f"seat {seat_letter(reason.seat)}",
        count=reason.count,
    )
    return text[0].upper() + text[1:]


def _why(view: View, ways: tuple[Forecast, ...]) -> Reason:
    """Why the first of these is the best."""
    best = ways[0]
    if len(ways) == 1:
        return Reason(Because.ONLY_CARD, card=best.card)
    moon = _moon(view, best)
    if moon is not None:
        return moon
    if not view.hand.table:
        return _lead(view, ways)
    if suit_of(best.card) == led_suit(view.hand, best.card):
        return _follow(view, ways)
    if _nobody_wins(view):
        return Reason(Because.NOBODY_WINS, card=best.card)
    ended = ends_game(view, best.card, best.points)
    if ended is not None:
        return Reason(Because.GAME_ENDS, seat=ended)
    if best.card == QUEEN_OF_SPADES:
        return Reason(Because.DUMP_QUEEN, card=best.card)
    heaviest = best.relief == max(way.relief for way in ways)
    return Reason(Because.DUMP if heaviest else Because.LEAST, card=best.card)


def _moon(view: View, best: Forecast) -> Reason | None:
    """What the moon, one's own or another's, has to do with it."""
    if shooting(view):
        return Reason(Because.ALL_YOURS)
    shooter, table = threat(view), view.hand.table
    if shooter is None or not table:
        return None
    if best.takes > SURE and best.points > 0:
        return Reason(Because.STOP_MOON, seat=shooter)
    if card_points(view.hand.options, (best.card,)) > 0 and best.takes < SAFE:
        top = winning_card(view.hand.options, table)
        if top is not None and (view.hand.leader + table.index(top)) % view.hand.seats != shooter:
            return Reason(Because.NOT_TO_SHOOTER, seat=shooter)
    return None


def _nobody_wins(view: View) -> bool:
    """Whether two pairs already cancel the trick (R15)."""
    return view.hand.options.cancel_rule == "two_pairs" and pairs_on(view.hand.table).bit_count() > 1


def _follow(view: View, ways: tuple[Forecast, ...]) -> Reason:
    """Why a card of the suit led is the best."""
    best, table = ways[0], view.hand.table
    if _nobody_wins(view):
        return Reason(Because.NOBODY_WINS, card=best.card)
    if best.card in table:
        return Reason(Because.TWIN_LIES, card=best.card)
    if best.takes > SURE:
        if all(way.takes > SURE for way in ways):
            highest = best.card == max(way.card for way in ways)
            return Reason(Because.TAKE_HIGH if highest else Because.LEAST, card=best.card)
        cheap = best.points <= 0 and len(table) == view.hand.seats - 1
        return Reason(Because.CHEAP if cheap else Because.LEAST, card=best.card)
    top = winning_card(view.hand.options, table)
    if top is None or top < best.card:
        return Reason(Because.LEAST, card=best.card)
    if best.takes > SAFE:
        return Reason(Because.LEAST, card=best.card)
    rival = _left_standing(view, ways, top)
    if rival is not None:
        return Reason(Because.LEFT_STANDING, card=best.card, other=top, rival=rival)
    if best.card == QUEEN_OF_SPADES:
        return Reason(Because.QUEEN_UNDER, card=best.card, other=top)
    if best.points > 0:
        return Reason(Because.POINTS_WAIT, card=best.card, other=top, count=best.points)
    return Reason(Because.UNDER, card=best.card, other=top)


def _left_standing(view: View, ways: tuple[Forecast, ...], top: Card) -> Card | None:
    """The highest card that might be laid under `top` and would win if the twin of `top` came (R14)."""
    if not look(view).unseen[top]:
        return None
    rivals = [
        way.card
        for way in ways[1:]
        if ways[0].card < way.card < top and way.card not in view.hand.table and way.takes > LEFT_STANDING
    ]
    return max(rivals) if rivals else None


def _lead(view: View, ways: tuple[Forecast, ...]) -> Reason:
    """Why this is the card to lead."""
    best, outlook = ways[0], look(view)
    suit = suit_of(best.card)
    below, above = around(outlook.unseen, best.card)
    hunts = outlook.unseen[QUEEN_OF_SPADES] > 0 and QUEEN_OF_SPADES not in view.held
    if hunts and suit == Suit.SPADES and best.card < QUEEN_OF_SPADES:
        return Reason(Because.LEAD_QUEENS_OUT, card=best.card)
    if above > 1 and best.takes < UNLIKELY:
        return Reason(Because.LEAD_LOW, card=best.card, suit=suit, count=above)
    if above > 1 and best.relief == max(way.relief for way in ways):
        return Reason(Because.LEAD_RID, card=best.card, suit=suit, count=above)
    if sum(suit_of(card) == suit for card in view.held) == 1 and below + above:
        return Reason(Because.LEAD_LAST, card=best.card, suit=suit)
    return Reason(Because.LEAST, card=best.card)
