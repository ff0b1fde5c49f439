"""Many continuations of one hand, played in step: the rules once more, over arrays.

How it works. Every lane is a possible world: the public hand, with cards dealt to the seats that hide theirs. All lanes
are at the same card of the same trick, so that one sweep over the arrays plays one card in each. A seat's cards are two
masks of kinds, those it holds and those it holds twice.

Law: a lane is what `hearts.play` and `hearts.trick` would make of the same cards; the tests play both side by side, over
all sizes and options. Where those engines stop early because no scoring card is left, a lane plays on, to the same points.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.tables import (
    COUNT,
    HIGH,
    JACK_SHIFT,
    POINTS,
    RANKS,
    SELECT,
    SUIT,
    Flags,
    Ints,
    packed_points,
)
from p2p_hearts.cards import SUIT_MASKS, Card, suit_of
from p2p_hearts.hearts.hand import HEARTS, POINT_KINDS, Hand
from p2p_hearts.hearts.options import Options

ALL_POINTS: Final = 52  # R17
VOID_BITS: Final = 8  # room for a count of seats
MOST_POINTS: Final = 40  # from which on the moon is in sight


@dataclass(slots=True)
class Playouts:
    """The lanes: one entry per lane, or per lane and seat (`lane × seats + seat`) where it says so."""

    options: Options
    seats: int
    size: int
    trick: int  # of the hand, from 1
    laid: int  # cards on the table
    worth: Ints  # packed points of each kind
    rows: Ints  # lane × seats
    held: Ints  # per seat: mask of the kinds held
    twins: Ints  # per seat: mask of the kinds held twice
    voids: Ints  # per seat: 1 << VOID_BITS × suit for each suit that it has shown not to hold
    voids_shown: Ints  # their sum over the seats: in the VOID_BITS of a suit, how many are void in it
    won: Ints  # per seat: packed points
    gone: Ints  # mask of the kinds played
    gone_twice: Ints
    leader: Ints
    led: Ints  # 13 × the suit led
    table: Ints  # mask of the kinds on the table
    pairs: Ints  # mask of the kinds that lie there twice
    order: Ints  # (cards of a trick, lanes): the cards in the order of play
    pile: Ints  # packed points that wait for the next winner, those of a waiting kitty among them (R15, D5)
    on_table: Ints  # packed points
    broken: Flags
    alone: Ints  # the seat that has won all points so far, and most of what there is; −1: there is none

    @property
    def lanes(self) -> int:
        """How many worlds are played."""
        return len(self.leader)

    @property
    def finished(self) -> bool:
        """Whether the last trick has been taken or set aside."""
        return self.trick > self.size

    def seat(self) -> Ints:
        """The seat in turn."""
        return (self.leader + self.laid) % self.seats


def start(hand: Hand, held: Ints, twins: Ints, kitty: Ints) -> Playouts:
    """Lanes at the public position `hand`, with the cards of each (lane, seat) and the packed points of each lane's kitty."""
    lanes, seats = held.shape
    worth = packed_points(hand.options)
    table = [_mask(hand.table), _twice(hand.table)]
    won = np.array([sum(int(worth[card]) for card in cards) for cards in hand.captured], dtype=np.int64)
    pile = sum(int(worth[card]) for card in hand.pile)
    voids = [_void_suits(void) for void in hand.voids]
    playouts = Playouts(
        options=hand.options,
        seats=seats,
        size=hand.size,
        trick=hand.trick,
        laid=len(hand.table),
        worth=worth,
        rows=np.arange(lanes, dtype=np.int64) * seats,
        held=held.reshape(-1).copy(),
        twins=twins.reshape(-1).copy(),
        voids=np.tile(np.array(voids, dtype=np.int64), lanes),
        voids_shown=_all(lanes, sum(voids)),
        won=np.tile(won, lanes),
        gone=_all(lanes, hand.once),
        gone_twice=_all(lanes, hand.twice),
        leader=_all(lanes, hand.leader),
        led=_all(lanes, RANKS * suit_of(hand.table[0]) if hand.table else 0),
        table=_all(lanes, table[0]),
        pairs=_all(lanes, table[1]),
        order=np.zeros((seats, lanes), dtype=np.int64),
        pile=_all(lanes, pile),
        on_table=_all(lanes, sum(int(worth[card]) for card in hand.table)),
        broken=np.full(lanes, hand.broken),
        alone=_all(lanes, -1),
    )
    for turn, card in enumerate(hand.table):
        playouts.order[turn] = card
    if hand.kitty_seat is None:
        playouts.pile += kitty
    else:
        playouts.won[playouts.rows + hand.kitty_seat] += kitty
    playouts.alone = _alone(playouts)
    return playouts


def legal(playouts: Playouts, held: Ints) -> Ints:
    """Mask of the kinds that may be played now, by seats that hold these kinds."""
    options = playouts.options
    if playouts.laid:
        follow = held & (SUIT << playouts.led)
        mask = np.where(follow != 0, follow, held)  # R10
        return mask if playouts.trick > 1 or options.first_trick_points else _but(mask, POINT_KINDS)  # D13
    if playouts.trick == 1:
        return _but(held, POINT_KINDS)  # R9, D10
    if not options.hearts_must_break:  # D14
        return held
    if options.lead_hearts_over_queen:
        mask = np.where(held & ~POINT_KINDS != 0, held & ~HEARTS, held)  # D12 switched
    else:
        mask = _but(held, HEARTS)  # R12, R13, D11, D12
    return np.where(playouts.broken, held, mask)


def lay(playouts: Playouts, seat: Ints, card: Ints) -> None:
    """Has the seat in turn of every lane lay this card, and ends the trick if it was the last."""
    index = playouts.rows + seat
    bit = np.left_shift(1, card)
    twin = playouts.twins.take(index) & bit
    playouts.twins[index] ^= twin
    playouts.held[index] ^= bit ^ twin
    playouts.gone_twice |= playouts.gone & bit
    playouts.gone |= bit
    if playouts.laid:
        shown = np.left_shift(bit & SUIT << playouts.led == 0, VOID_BITS * (playouts.led // RANKS))
        shown &= ~playouts.voids.take(index)
        playouts.voids[index] |= shown
        playouts.voids_shown += shown
        playouts.pairs |= playouts.table & bit
        playouts.table |= bit
    else:
        playouts.led = card // RANKS * RANKS
        playouts.table, playouts.pairs = bit, np.zeros_like(bit)
    playouts.on_table += playouts.worth.take(card)
    playouts.broken |= (bit & (POINT_KINDS if playouts.options.queen_breaks_hearts else HEARTS)) != 0  # D15
    playouts.order[playouts.laid] = card
    playouts.laid += 1
    if playouts.laid == playouts.seats:
        _end_trick(playouts)


def live_led(playouts: Playouts) -> Ints:
    """Of the suit led, the ranks on the table that can win, as a mask at the bottom."""
    return (playouts.table & ~playouts.pairs) >> playouts.led & SUIT


def cancelled(playouts: Playouts) -> Flags:
    """Whether the cards on the table cancel the trick whatever still comes (R15, D1)."""
    if playouts.options.cancel_rule == "two_pairs":
        two: Flags = (playouts.pairs & (playouts.pairs - 1)) != 0
        return two
    return np.zeros(playouts.lanes, dtype=np.bool_)


def uniform(mask: Ints, raw: Ints) -> Ints:
    """One of the kinds in each mask, all equally likely, by random numbers below 2³²."""
    clubs, diamonds, hearts, spades = (COUNT.take(mask >> shift & SUIT) for shift in range(0, 4 * RANKS, RANKS))
    diamonds += clubs
    hearts += diamonds
    spades += hearts
    chosen = raw * spades >> 32
    past_clubs, past_diamonds, past_hearts = chosen >= clubs, chosen >= diamonds, chosen >= hearts
    before = np.where(past_hearts, hearts, np.where(past_diamonds, diamonds, clubs * past_clubs))
    shift = (past_clubs.astype(np.int64) + past_diamonds + past_hearts) * RANKS
    return SELECT.take((mask >> shift & SUIT) * RANKS + (chosen - before)) + shift


def points(playouts: Playouts) -> tuple[Ints, Ints]:
    """What each seat (lane, seat) has taken, before any moon choice, and the seat that shot the moon or −1."""
    won = playouts.won.reshape(playouts.lanes, playouts.seats)
    taken = won & POINTS
    moon = np.where((taken == ALL_POINTS).any(axis=1), (taken == ALL_POINTS).argmax(axis=1), -1)
    return taken + playouts.options.jack_of_diamonds * (won >> JACK_SHIFT), moon


def _end_trick(playouts: Playouts) -> None:
    options, seats = playouts.options, playouts.seats
    live = live_led(playouts)
    won = (live != 0) & ~cancelled(playouts)
    card = HIGH.take(live) + playouts.led  # R11
    place = (playouts.order == card).argmax(axis=0)  # a live card lies there once
    winner = (playouts.leader + place) % seats
    haul = playouts.pile + playouts.on_table
    if playouts.trick == playouts.size and options.last_cancelled == "leader":  # D4
        playouts.won[playouts.rows + np.where(won, winner, playouts.leader)] += haul
        playouts.pile = np.zeros_like(haul)
    else:
        playouts.won[playouts.rows + winner] += haul * won
        playouts.pile = haul * ~won  # D3; after the last trick unclaimed (R16)
    stays = (playouts.leader + 1) % seats if options.cancelled_lead == "next_left" else playouts.leader  # D2
    playouts.leader = np.where(won, winner, stays)
    playouts.on_table = np.zeros_like(haul)
    playouts.laid = 0
    playouts.trick += 1
    playouts.alone = _alone(playouts)


def _alone(playouts: Playouts) -> Ints:
    taken = playouts.won.reshape(playouts.lanes, playouts.seats) & POINTS
    most = taken.max(axis=1)
    alone = (most >= MOST_POINTS) & (most == taken.sum(axis=1))
    return np.where(alone, taken.argmax(axis=1), -1)


def _but(mask: Ints, barred: int) -> Ints:
    """The mask without the barred kinds, unless they are all there is."""
    rest = mask & ~barred
    return np.where(rest != 0, rest, mask)


def _all(lanes: int, value: int) -> Ints:
    return np.full(lanes, value, dtype=np.int64)


def _mask(cards: tuple[Card, ...]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _void_suits(void: int) -> int:
    return sum((void & suit == suit) << VOID_BITS * number for number, suit in enumerate(SUIT_MASKS))


def _twice(cards: tuple[Card, ...]) -> int:
    return _mask(tuple(card for card in cards if cards.count(card) > 1))
