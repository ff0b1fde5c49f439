"""The rules of `rules.md`: deal, pass, tricks, what a play claims, points, the match."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tests.reader.options import Options
from tests.reader.refusal import demand

QUEEN, JACK = 49, 22  # of spades, of diamonds
ALL, SUIT = 2**52 - 1, 2**13 - 1
HEARTS = SUIT << 26
POINTS = HEARTS | 1 << QUEEN
T = TypeVar("T")


def hand_size(seats: int) -> int:
    """R4: cards for each seat; what is left is the kitty."""
    return 104 // seats


def pass_to(options: Options, seats: int, number: int, seat: int) -> int | None:
    """D19: who gets what a seat passes in hand `number`, if anybody passes."""
    step = options["pass_cycle"][(number - 1) % len(options["pass_cycle"])]
    if step == "N" or options["pass_count"] == 0:
        return None
    if step == "A":
        return (seat + seats // 2) % seats
    distance = int(step[1:] or 1)
    return (seat + (distance if step[0] == "L" else -distance)) % seats


def suit_of(card: int) -> int:
    """Clubs, diamonds, hearts, spades."""
    return card // 13


def worth(options: Options, cards: Sequence[int]) -> int:
    """R17, D22: what cards cost their winner."""
    value = {QUEEN: 13, JACK: options["jack_of_diamonds"]}
    return sum(1 if suit_of(card) == 2 else value.get(card, 0) for card in cards)


@dataclass(frozen=True, slots=True)
class Play:
    """The public part of a hand that is being played."""

    options: Options
    seats: int
    leader: int
    table: tuple[int, ...] = ()  # the trick so far, the leader's card first
    trick: int = 1
    broken: bool = False
    left: tuple[int, ...] = ()  # cards that each seat holds
    voids: tuple[int, ...] = ()  # kinds that each seat has claimed not to hold, as masks
    pile: tuple[int, ...] = ()  # set aside
    captured: tuple[tuple[int, ...], ...] = ()  # face up, by seat
    kitty_seat: int | None = None
    played: tuple[int, ...] = field(default=())

    @property
    def turn(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.table)) % self.seats

    @property
    def over(self) -> bool:
        """P79: all cards are played, or all points won face up."""
        won = [card for cards in self.captured for card in cards]
        points = sum(POINTS >> card & 1 for card in won) == 28
        jacks = self.options["jack_of_diamonds"] == 0 or won.count(JACK) == 2
        return not any(self.left) or (points and jacks and not self.table)


def begun(options: Options, seats: int, leader: int) -> Play:
    """A hand before its first card."""
    size = hand_size(seats)
    return Play(options, seats, leader, left=(size,) * seats, voids=(0,) * seats, captured=((),) * seats)


def claimed(play: Play, card: int) -> int:
    """What the rest of the hand holds none of, if this card may be laid: a mask, by the table of legality."""
    options, first = play.options, play.trick == 1
    if play.table:
        led = SUIT << 13 * suit_of(play.table[0])
        if first and not options["first_trick_points"] and POINTS >> card & 1:
            return led & ~POINTS if led >> card & 1 else led | ALL & ~POINTS
        return 0 if led >> card & 1 else led
    if first:
        return ALL & ~POINTS if POINTS >> card & 1 else 0
    if suit_of(card) == 2 and options["hearts_must_break"] and not play.broken:
        return ALL & ~(POINTS if options["lead_hearts_over_queen"] else HEARTS)
    return 0


def laid(play: Play, seat: int, card: int) -> Play:
    """The hand after a seat has laid a card. Raises RefusedError."""
    demand(not play.over and seat == play.turn, "ILLEGAL_PLAY", "it is not that seat's turn")
    demand(play.played.count(card) < 2, "ILLEGAL_PLAY", f"a third {card}")
    demand(not play.voids[seat] >> card & 1, "REVOKE", f"{card} by a seat that has none")
    breaks = POINTS if play.options["queen_breaks_hearts"] else HEARTS
    voids = _with(play.voids, seat, play.voids[seat] | claimed(play, card))
    play = replace(
        play,
        table=(*play.table, card),
        broken=play.broken or bool(breaks >> card & 1),
        left=_with(play.left, seat, play.left[seat] - 1),
        voids=voids,
        played=(*play.played, card),
    )
    return _collected(play) if len(play.table) == play.seats else play


def trick_winner(options: Options, table: Sequence[int]) -> int | None:
    """R11, R14, D1: the place in the trick of the card that wins it."""
    live = [card for card in table if table.count(card) == 1 and suit_of(card) == suit_of(table[0])]
    pairs = (len(table) - len(set(table))) if options["cancel_rule"] == "two_pairs" else 0
    return table.index(max(live)) if live and pairs < 2 else None


def kitty_of(play: Play) -> tuple[int, ...]:
    """What is missing from the 104 when everything has been played."""
    rest = [*range(52), *range(52)]
    for card in play.played:
        rest.remove(card)
    return tuple(rest) if not any(play.left) else ()


def points_of(play: Play) -> tuple[tuple[int, ...], int, int | None]:
    """Points of each seat before a moon is chosen, points that nobody took, and who has shot the moon."""
    kitty = kitty_of(play)
    won = [(*cards, *(kitty if seat == play.kitty_seat else ())) for seat, cards in enumerate(play.captured)]
    nobody = (*play.pile, *(kitty if play.kitty_seat is None else ()))
    moon = [seat for seat, cards in enumerate(won) if sum(POINTS >> card & 1 for card in cards) == 28]
    points = tuple(worth(play.options, cards) for cards in won)
    unclaimed = sum(13 if card == QUEEN else 1 for card in nobody if POINTS >> card & 1)  # no jacks: D22
    return points, unclaimed, moon[0] if moon else None


def after_moon(options: Options, seats: int, shooter: int, choice: str) -> tuple[int, ...]:
    """R18, D17: the points of a moon hand."""
    value = options["moon_value"]
    own, other = (-value, 0) if choice == "subtract" else (0, value)
    return tuple(own if seat == shooter else other for seat in range(seats))


def match_over(options: Options, before: Sequence[int], after: Sequence[int]) -> tuple[bool, tuple[int, ...]]:
    """R19, D20, D21: whether the game is over after a hand, and who has won it."""
    lowest = tuple(seat for seat, total in enumerate(after) if total == min(after))
    reached = max(after) >= options["limit"]
    if options["tie"] == "play_on":
        reached = (reached or max(before) >= options["limit"]) and len(lowest) == 1
    return reached, lowest if reached else ()


def _collected(play: Play) -> Play:
    place = trick_winner(play.options, play.table)
    last = not any(play.left)
    taker = None if place is None else (play.leader + place) % play.seats
    leader = play.leader if taker is None else taker
    if taker is None and play.options["cancelled_lead"] == "next_left":
        leader = (play.leader + 1) % play.seats
    if taker is None and last and play.options["last_cancelled"] == "leader":
        taker = play.leader
    cards = (*play.pile, *play.table)
    after = replace(play, leader=leader, table=(), trick=play.trick + 1, pile=cards)
    if taker is None:
        return after
    captured = _with(play.captured, taker, (*play.captured[taker], *cards))
    has_kitty = 104 % play.seats > 0
    kitty_seat = taker if play.kitty_seat is None and has_kitty else play.kitty_seat
    return replace(after, captured=captured, pile=(), kitty_seat=kitty_seat)


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
