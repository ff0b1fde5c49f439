"""What the cards of a hand cost whom, and who has shot the moon.

Law: the points taken and the points unclaimed are 52 together (R17, D4); jacks of diamonds are counted beside them (D22).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p_hearts.cards import DECK, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, Suit, suit_of
from p2p_hearts.hearts.hand import Hand, Trick, finished
from p2p_hearts.hearts.options import Options

ALL_HEARTS: Final = 26
ALL_QUEENS: Final = 2
QUEEN_POINTS: Final = 13  # R17


@dataclass(frozen=True, slots=True)
class HandScore:
    """What a hand counts, before any moon choice."""

    points: tuple[int, ...]
    unclaimed: int  # points that nobody took (D4)
    moon: int | None  # the seat that shot the moon
    kitty_seat: int | None
    kitty: tuple[Card, ...]  # sorted; empty when there is none, or when the hand ended early and it stays hidden


def card_points(options: Options, cards: Sequence[Card]) -> int:
    """What these cards cost whoever takes them."""
    hearts = sum(suit_of(card) == Suit.HEARTS for card in cards)
    jacks = options.jack_of_diamonds * cards.count(JACK_OF_DIAMONDS)
    return hearts + QUEEN_POINTS * cards.count(QUEEN_OF_SPADES) + jacks


def trick_points(options: Options, trick: Trick) -> int:
    """What a trick costs with all that was set aside before it; the kitty is left out (D9)."""
    return card_points(options, trick.cards + trick.carried)


def running_points(hand: Hand) -> tuple[int, ...]:
    """What each seat has won face up so far; the kitty is left out, only its winner knows it (D9)."""
    return tuple(card_points(hand.options, cards) for cards in hand.captured)


def score_hand(hand: Hand) -> HandScore:
    """The score of a finished hand, the kitty included: it is what is missing from the 104.

    Raises ValueError when the hand is not finished.
    """
    if not finished(hand):
        message = f"hand {hand.number} is not finished: trick {hand.trick} of {hand.size}"
        raise ValueError(message)
    # a hand that ended early has no points outside the captured cards: its kitty is worth nothing and stays hidden
    kitty = _missing_cards(hand) if hand.trick > hand.size else ()
    hauls = [cards + kitty if seat == hand.kitty_seat else cards for seat, cards in enumerate(hand.captured)]
    points, moon = tally(
        hand.options,
        hearts=[sum(suit_of(card) == Suit.HEARTS for card in haul) for haul in hauls],
        queens=[haul.count(QUEEN_OF_SPADES) for haul in hauls],
        jacks=[haul.count(JACK_OF_DIAMONDS) for haul in hauls],
    )
    nobodys = hand.pile + (kitty if hand.kitty_seat is None else ())
    unclaimed = card_points(Options(), nobodys)  # the default options: jacks are no part of the 52
    return HandScore(points, unclaimed, moon, hand.kitty_seat, kitty)


def tally(
    options: Options, hearts: Sequence[int], queens: Sequence[int], jacks: Sequence[int]
) -> tuple[tuple[int, ...], int | None]:
    """The points of seats that won so many of each (R17, D22), and the seat that won all there is (R18, D16)."""
    counts = list(zip(hearts, queens, jacks, strict=True))
    points = tuple(h + QUEEN_POINTS * q + options.jack_of_diamonds * j for h, q, j in counts)
    shooters = [seat for seat, (h, q, _) in enumerate(counts) if h == ALL_HEARTS and q == ALL_QUEENS]
    return points, shooters[0] if shooters else None


def _missing_cards(hand: Hand) -> tuple[Card, ...]:
    """The cards of the deck that were not played, sorted."""
    played = Counter(card for trick in hand.tricks for card in trick.cards)
    return tuple(sorted((Counter(DECK) - played).elements()))
