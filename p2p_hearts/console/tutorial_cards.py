"""The two hands of the tutorial: who is dealt what, who passes what, and what the others play while the person learns.

They are real hands: all that is written here is given to the rules engine, which would refuse a card that may not be
played. Seat A is the person's; cards are in text, and a trick is in the order of play.
"""

from dataclasses import dataclass

from p2p_hearts.cards import DECK, Card, parse_card
from p2p_hearts.hearts.hand import Hand, begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.passing import exchange
from p2p_hearts.hearts.play import play

SEATS = 6
NAMES = ("Ann", "Bea", "Cem", "Dace", "Eero", "Farah")
ME = 0
BEFORE_PASS = (
    "4C 8C AC 6D KD KH 2S 4S 5S 7S 8S 9S TS JS QS KS AS",
    "5C 6C 8C TC JC 5D 8D 9D AD 2H 3H 4H 8H 9H JH AH KS",
    "2C 3C 4C 5C 6C 9C 5D 8D TD KD AD 7H 9H QH QH 4S 9S",
    "QC KC AC 3D 3D 4D 9D TD JD JD 2H 5H 6H 6H 7S 8S QS",
    "2C 9C JC KC 2D 4D 7D QD QD 7H 8H TH JH KH 3S 5S AS",
    "3C 7C TC QC 2D 6D 7D 3H 5H TH AH 2S 3S 6S 6S TS JS",
)
PASSES = ("QS KS AS", "JH AH KS", "TD QH QH", "QC KC AC", "KC QD AS", "3S 6S TS")  # to the left
MOON_DEALER = 1
MOON = (
    "4C 3C 2C 5C AC 7C",  # Cem leads; from here on the person does, and wins every trick
    "AC 2C 7C 4C 8C 5C",
    "KC 3C 8C 6C 9C TC",
    "KC JC TC 9C JC 6C",
    "QC 7D 2D 4D 5D 3D",
    "QC 9D 6D 5D 2D 7D",
    "AS 5S 6S 4S 2S 3S",
    "AS 9S 7S 6S 8S 3S",
    "KS TS 7S 8S 9S 4S",
    "KS QS JS JS TS 5S",
    "AD TD JD 8D 4D 6D",
    "KD TD QD JD 9D 8D",
    "AH 2H 7H 5H 3H 8H",
    "AH 4H 9H 5H 6H 2H",
    "AD 7H JH 8H QS KH",  # the person plays these three, in whatever order
    "KD KH TH 9H QH 3H",
    "QD 4H QH 6H TH JH",
)
OWN_TRICKS = 3  # at the end of that hand


@dataclass(frozen=True, slots=True)
class Cards:
    """A hand somewhere in its course, with every card that is still held."""

    hand: Hand
    held: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(parse_card(word) for word in text.split())


def dealt() -> tuple[tuple[Card, ...], ...]:
    """What everybody holds at the beginning of the first hand."""
    return tuple(cards(line) for line in BEFORE_PASS)


def after_pass(options: Options) -> Cards:
    """The first hand, when all have passed."""
    held = exchange(options, 1, dealt(), [cards(line) for line in PASSES])
    return Cards(begin(options, SEATS, ME, 1), held, _rest(held))


def before_moon(options: Options) -> Cards:
    """The second hand, with its last three tricks to go."""
    hand = begin(options, SEATS, MOON_DEALER, 2)
    held: list[list[Card]] = [[] for _ in range(SEATS)]
    leader = hand.leader
    for trick in MOON:
        for turn, card in enumerate(cards(trick)):
            held[(leader + turn) % SEATS].append(card)
        leader = ME
    kitty = _rest(tuple(tuple(seat) for seat in held))
    for trick in MOON[:-OWN_TRICKS]:
        for card in cards(trick):
            seat = (hand.leader + len(hand.table)) % SEATS
            held[seat].remove(card)
            hand = play(hand, seat, card)
    return Cards(hand, tuple(tuple(sorted(seat)) for seat in held), kitty)


def without(held: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards left when one copy of `card` is gone."""
    at = held.index(card)
    return held[:at] + held[at + 1 :]


def _rest(held: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """What nobody holds: the kitty."""
    left = list(DECK)
    for seat in held:
        for card in seat:
            left.remove(card)
    return tuple(left)
