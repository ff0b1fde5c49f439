"""How seats play in a playout: ducking, dumping and exits by rules of thumb, all lanes at once.

A rollout is worth what its players are: random ones hardly ever take a trick on purpose or throw a Black Maria on one. The
rules are those of a careful player and look at nothing its seat could not see: own cards, the table, what has been played.
While nearly everybody must follow, it gets rid of high cards; later it plays the highest card that does not win. Only who
has all points so far, and most of what there is, goes for the moon; nobody gives himself points to stop another.

The constants were tuned by playing the rules against themselves, both ways in 8,000 deals at 6, 8 and 11 seats.
"""

from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.playouts import Playouts, cancelled, legal, live_led
from p2p_hearts.bots.rollout.tables import COUNT, HIGH, LOW, RANKS, SUIT, Flags, Ints
from p2p_hearts.cards import QUEEN_OF_SPADES, Rank, Suit

QUEEN: Final = Rank.QUEEN - 2
QUEEN_BIT: Final = 1 << QUEEN
HEARTS_LED: Final = RANKS * Suit.HEARTS
SPADES_LED: Final = RANKS * Suit.SPADES
CODE: Final = 16  # a discard is coded as weight × CODE + rank

SAFE_LEAD: Final = 17  # cards of a suit still out, own ones included, with which a high one may be led
SAFE_TAKE: Final = 14  # or played, to a trick without points
LENGTH_COST: Final = 0.1  # of leading from a suit, for each card of it: short suits become voids
HEARTS_LEAD: Final = 0.7  # hearts are led a little more readily than other suits: what falls on them are hearts
QUEEN_LEAD_COST: Final = 3.0
GUARDS: Final = 2  # low spades with which an ace or king lets the queens go by
NEVER: Final = 99.0


def choose(playouts: Playouts, seat: Ints) -> Ints:
    """The card that each lane's seat in turn plays."""
    index = playouts.rows + seat
    held = playouts.held.take(index)
    mask = legal(playouts, held)
    card = _follow(playouts, mask) if playouts.laid else _lead(playouts, held, playouts.twins.take(index), mask)
    shoots = np.flatnonzero(playouts.alone == seat)
    if shoots.size:
        card[shoots] = _shoot(playouts, mask.take(shoots), shoots)
    return card


def dump(mask: Ints) -> Ints:
    """What to throw on another's trick, or to pass: Black Marias, then what is high and in a short suit."""
    best = np.full_like(mask, -1)
    card = np.zeros_like(mask)
    for suit in Suit:
        coded = _DISCARDS[suit].take(mask >> RANKS * suit & SUIT)
        better = coded > best
        best = np.where(better, coded, best)
        card = np.where(better, (coded & CODE - 1) + RANKS * suit, card)
    return card


def _follow(playouts: Playouts, mask: Ints) -> Ints:
    led = playouts.led
    suit = mask >> led & SUIT
    spades = led == SPADES_LED
    queen = suit & QUEEN_BIT * spades
    best = HIGH.take(live_led(playouts))
    on_table = playouts.table >> led & SUIT
    dead = cancelled(playouts)
    # a card below the best one cannot win, nor can the twin of one on the table (R14), nor any when all is cancelled
    safe = np.where(dead, suit, suit & ((1 << (best + 1)) - 1 | on_table))
    drop = np.where(safe & queen != 0, QUEEN, HIGH.take(safe))
    rest = suit & ~queen
    rest = np.where(rest != 0, rest, suit)
    take = HIGH.take(rest)
    cheap = playouts.on_table + playouts.pile == 0
    if playouts.laid == playouts.seats - 1:
        rank = np.where((safe == 0) | cheap & ~dead, take, drop)
    else:
        out = COUNT.take(~playouts.gone >> led & SUIT) + COUNT.take(~playouts.gone_twice >> led & SUIT)
        early = cheap & (out >= SAFE_TAKE) & (led != HEARTS_LED) & (queen == 0)
        early &= ~spades | (take < QUEEN) | _queens_gone(playouts)
        rank = np.where(early, take, np.where(safe == 0, LOW.take(rest), drop))
    card = rank + led
    void = np.flatnonzero(suit == 0)
    if void.size:
        card[void] = dump(mask.take(void))
    return card


def _lead(playouts: Playouts, held: Ints, twins: Ints, mask: Ints) -> Ints:
    """A high card while everybody follows and nothing waits, else the low card that is least likely to win."""
    unseen = ~(playouts.gone_twice | playouts.gone & held | twins)
    least = np.full(playouts.lanes, np.inf)
    card = np.zeros_like(mask)
    for suit in Suit:
        shift = RANKS * suit
        mine, others = mask >> shift & SUIT, unseen >> shift & SUIT
        rank = LOW.take(mine)
        higher = COUNT.take(others >> (rank + 1))
        all_others = COUNT.take(others)
        cost = (all_others - higher + 1.0) / (all_others + 1.0)
        if suit == Suit.HEARTS:
            cost *= HEARTS_LEAD
        elif suit == Suit.SPADES:
            cost += QUEEN_LEAD_COST * (rank == QUEEN)
        cost += LENGTH_COST * COUNT.take(mine)
        if suit != Suit.HEARTS:
            high = HIGH.take(mine)
            out = COUNT.take(~playouts.gone >> shift & SUIT) + COUNT.take(~playouts.gone_twice >> shift & SUIT)
            bold = (out >= SAFE_LEAD) & (playouts.pile == 0)
            if suit == Suit.SPADES:
                bold &= (high < QUEEN) | _queens_gone(playouts)
            rank, cost = np.where(bold, high, rank), np.where(bold, -high, cost)
        cost = np.where(mine != 0, cost, NEVER)
        better = cost < least
        least = np.where(better, cost, least)
        card = np.where(better, rank + shift, card)
    return card


def _shoot(playouts: Playouts, mask: Ints, lanes: Ints) -> Ints:
    """What a seat lays that has nearly shot the moon, in these lanes: whatever wins, else the lowest."""
    if not playouts.laid:
        return _highest(mask)
    led = playouts.led.take(lanes)
    suit = mask >> led & SUIT
    high = HIGH.take(suit)
    rank = np.where(high > HIGH.take(live_led(playouts).take(lanes)), high, LOW.take(suit))
    return np.where(suit != 0, rank + led, _lowest(mask))


def _highest(mask: Ints) -> Ints:
    """The card of the highest rank, of any suit."""
    ranks = np.stack([HIGH.take(mask >> RANKS * suit & SUIT) for suit in Suit])
    suit = ranks.argmax(axis=0)
    highest: Ints = np.take_along_axis(ranks, suit[None], axis=0)[0] + RANKS * suit
    return highest


def _lowest(mask: Ints) -> Ints:
    """The card of the lowest rank, of any suit, points last."""
    ranks = np.stack([LOW.take(mask >> RANKS * suit & SUIT) for suit in Suit])
    ranks = np.where(ranks < 0, 2 * RANKS, ranks)
    ranks[Suit.HEARTS] += RANKS * (ranks[Suit.HEARTS] < RANKS)
    suit = ranks.argmin(axis=0)
    lowest: Ints = np.take_along_axis(ranks, suit[None], axis=0)[0] % RANKS + RANKS * suit
    return lowest


def _queens_gone(playouts: Playouts) -> Flags:
    gone: Flags = (playouts.gone_twice & 1 << QUEEN_OF_SPADES) != 0
    return gone


def _discards(suit: Suit) -> Ints:
    """For each mask of a suit the best discard from it, coded with its weight; −1 when there is none."""
    table = np.full(SUIT + 1, -1, dtype=np.int64)
    for mask in range(1, SUIT + 1):
        rank, lowest = mask.bit_length() - 1, (mask & -mask).bit_length() - 1
        weight = 4 * rank + 2 * lowest + 40 // mask.bit_count()
        if suit == Suit.HEARTS:
            weight += 8
        elif suit == Suit.SPADES:
            if mask & QUEEN_BIT:
                rank, weight = QUEEN, 300
            elif rank > QUEEN and (mask & QUEEN_BIT - 1).bit_count() < GUARDS:
                weight += 30
        table[mask] = weight * CODE + rank
    return table


_DISCARDS: Final = tuple(_discards(suit) for suit in Suit)
