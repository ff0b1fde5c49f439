"""The public state of one hand: all that anybody at the table knows, and no hidden card.

Law: a `Hand` follows from the options, the dealer and the plays alone. It never holds a card that has not been played,
so that a peer that knows no hand can check every play, and a screen that shows a `Hand` cannot give one away. The kitty
is here only as a number of cards and the seat that took it (D9).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p_hearts.cards import DECK, QUEEN_OF_SPADES, SUIT_MASKS, Card, Suit
from p2p_hearts.hearts.options import Options

HEARTS: Final = SUIT_MASKS[Suit.HEARTS]
POINT_KINDS: Final = HEARTS | 1 << QUEEN_OF_SPADES  # R6
POINT_CARDS: Final = 28  # 26 hearts and two Black Marias


@dataclass(frozen=True, slots=True)
class Trick:
    """A completed trick."""

    leader: int
    cards: tuple[Card, ...]  # in the order of play
    cancelled: tuple[Card, ...]  # both copies of every pair, also when the trick was won (R14)
    winner: int | None
    taker: int | None  # who collected it: the winner, or by D4 the leader of a cancelled last trick
    carried: tuple[Card, ...]  # what had been set aside and went with it (R15)
    kitty: bool  # the kitty went with it (R5)


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, as far as it is public. `trick` counts from 1 and is `size` + 1 when all is played."""

    options: Options
    seats: int
    dealer: int
    number: int  # of the hand, from 1
    size: int  # cards dealt to each
    kitty_size: int
    leader: int  # of the trick on the table
    trick: int
    table: tuple[Card, ...]  # in the order of play, the leader's first
    broken: bool  # R12
    once: int  # mask of the kinds played at least once
    twice: int  # mask of the kinds played twice
    voids: tuple[int, ...]  # per seat, mask of the kinds it has claimed not to hold
    tricks: tuple[Trick, ...]
    pile: tuple[Card, ...]  # set aside in cancelled tricks, waiting for a winner (R15, D3)
    captured: tuple[tuple[Card, ...], ...]  # per seat, what it won face up
    kitty_seat: int | None  # who took the kitty
    unwon: int  # scoring cards that nobody has won face up yet

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each seat still holds."""
        each, laid = self.size - self.trick + 1, len(self.table)
        return tuple(each - ((seat - self.leader) % self.seats < laid) for seat in range(self.seats))


def begin(options: Options, seats: int, dealer: int, number: int) -> Hand:
    """Hand `number` before its first lead, which belongs to the dealer's left (R4, R9)."""
    size, kitty_size = divmod(len(DECK), seats)
    jacks = 2 if options.jack_of_diamonds else 0  # D22
    return Hand(
        options=options,
        seats=seats,
        dealer=dealer,
        number=number,
        size=size,
        kitty_size=kitty_size,
        leader=(dealer + 1) % seats,
        trick=1,
        table=(),
        broken=False,
        once=0,
        twice=0,
        voids=(0,) * seats,
        tricks=(),
        pile=(),
        captured=((),) * seats,
        kitty_seat=None,
        unwon=POINT_CARDS + jacks,
    )


def deal(deck: Sequence[Card], seats: int) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """The sorted hands of all seats, card by card in turn, and the kitty that is left over (R4, R5)."""
    dealt = len(deck) - len(deck) % seats
    return tuple(tuple(sorted(deck[seat:dealt:seats])) for seat in range(seats)), tuple(sorted(deck[dealt:]))


def dealer_of(first_dealer: int, seats: int, number: int) -> int:
    """The dealer of hand `number` (D18)."""
    return (first_dealer + number - 1) % seats


def finished(hand: Hand) -> bool:
    """Whether the hand can be scored: all cards are played, or no card still to come is worth anything."""
    return hand.trick > hand.size or hand.unwon == 0


def to_play(hand: Hand) -> int | None:
    """The seat whose turn it is, or None when the hand is finished."""
    return None if finished(hand) else seat_in_turn(hand)


def seat_in_turn(hand: Hand) -> int:
    """The seat that would lay the next card, also when the hand could end here."""
    return (hand.leader + len(hand.table)) % hand.seats


def seat_letter(seat: int) -> str:
    """A seat as people write it: A, B, … clockwise."""
    return "ABCDEFGHIJK"[seat]


def parse_seat(letter: str, seats: int) -> int:
    """The seat of a letter.

    Raises ValueError with a sentence when no seat of the table has it.
    """
    letters = "ABCDEFGHIJK"[:seats]
    if len(letter) != 1 or letter not in letters:
        message = f"{letter!r} is not a seat: this table has {letters[0]} to {letters[-1]}"
        raise ValueError(message)
    return letters.index(letter)
