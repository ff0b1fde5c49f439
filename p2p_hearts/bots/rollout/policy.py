"""How seats play in a playout: by the rules of thumb of `clever`, cut down to what arrays do quickly, all lanes at once.

A rollout is worth what its players are: random ones hardly ever take a trick on purpose or throw a Black Maria on one. So
each weighs, for the few cards that come into question, the chance of taking the trick times what it would cost, against
the relief of being rid of the card (`habits`). They look at nothing their seat could not see: own cards, the table, what
has been played and who has shown a void. Of the moon they know only what they have won themselves.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.habits import (
    HEARTS,
    MOST_COPIES,
    PILES,
    PLAIN,
    QUEEN,
    SAFE_SPADES,
    SPADES,
    STAGE,
    STAGES,
    Habits,
    habits,
)
from p2p_hearts.bots.rollout.playouts import VOID_BITS, Playouts, legal, live_led
from p2p_hearts.bots.rollout.tables import COUNT, HIGH, LOW, POINTS, RANKS, SUIT, Flags, Floats, Ints
from p2p_hearts.cards import QUEEN_OF_SPADES, Suit
from p2p_hearts.hearts.score import QUEEN_POINTS

QUEEN_BIT: Final = 1 << QUEEN
VOIDS: Final = (1 << VOID_BITS) - 1
NEVER: Final = 1e9
FINEST: Final = 1e-3  # of equals the highest card is laid

# Weights, in points; those of `clever`.
POINT: Final = 0.8  # of a point that lies there, to whoever takes it
THROWN: Final = 0.73  # of a point that is likely to be thrown
ON_LEAD: Final = 1.0
SET_ASIDE: Final = 0.18
CANCELLED: Final = -0.9
LEAD: Final = (0.0, 0.0, -1.66, -0.46)  # by suit
DISCARD_HEART: Final = 0.31
FOLLOW_QUEEN: Final = 2.77
QUEEN_FALLS: Final = 0.5


def choose(playouts: Playouts, seat: Ints) -> Ints:
    """The card that each lane's seat in turn plays."""
    index = playouts.rows + seat
    held, twins = playouts.held.take(index), playouts.twins.take(index)
    mask = legal(playouts, held)
    once = ~(playouts.gone_twice | playouts.gone & held | twins)  # kinds of which a copy is unseen
    both = ~(playouts.gone | held)
    void_others = playouts.voids_shown - playouts.voids.take(index)
    if playouts.laid:
        card = _follow(playouts, seat, mask, once, both, void_others)
        void = np.flatnonzero(mask >> playouts.led & SUIT == 0)
        if void.size:
            card[void] = throw(playouts.seats, mask.take(void), once.take(void), both.take(void))
    else:
        card = _lead(playouts, mask, once, both, void_others)
    shoots = np.flatnonzero(playouts.alone == seat)
    if shoots.size:
        card[shoots] = _shoot(playouts, mask.take(shoots), shoots)
    return card


def throw(seats: int, mask: Ints, once: Ints, both: Ints) -> Ints:
    """What to throw on another's trick, or to pass: the card without which the hand is best off."""
    tables = habits(seats)
    queens = once >> QUEEN_OF_SPADES & 1
    most = np.full(len(mask), -NEVER)
    card = np.zeros_like(mask)
    for suit in Suit:
        shift = RANKS * suit
        mine = mask >> shift & SUIT
        out = COUNT.take(once >> shift & SUIT) + COUNT.take(both >> shift & SUIT)
        place = (_kind(suit, queens) * STAGES + out // STAGE) * (SUIT + 1) + mine
        rank = tables.thrown.take(place)
        relief = tables.relief.take(place * RANKS + rank) + FINEST * rank
        if suit == Suit.HEARTS:
            relief -= DISCARD_HEART
        elif suit == Suit.SPADES:
            relief -= rank == QUEEN
        relief = np.where(mine != 0, relief, -NEVER)
        better = relief > most
        most = np.where(better, relief, most)
        card = np.where(better, rank + shift, card)
    return card


def _follow(playouts: Playouts, seat: Ints, mask: Ints, once: Ints, both: Ints, void_others: Ints) -> Ints:
    """The highest card that ducks, else the lowest; the highest of all; or the lowest of all: whichever costs least."""
    seats, led = playouts.seats, playouts.led
    later = seats - 1 - playouts.laid
    alive = seats - 1 - (void_others >> VOID_BITS * (led // RANKS) & VOIDS)
    follow = np.zeros_like(led)  # seats still to play that may hold the suit
    for turn in range(1, later + 1):
        next_seat = (seat + turn) % seats
        follow += ~(playouts.voids.take(playouts.rows + next_seat) >> VOID_BITS * (led // RANKS)) & 1
    mine, ones, twos = mask >> led & SUIT, once >> led & SUIT, both >> led & SUIT
    spades, hearts = led == RANKS * Suit.SPADES, led == RANKS * Suit.HEARTS
    live = live_led(playouts)
    best = HIGH.take(live)
    second = HIGH.take(live & ~(1 << np.maximum(best, 0)))
    on_table = playouts.table >> led & SUIT
    queen = mine & QUEEN_BIT * spades
    rest = mine & ~queen
    rest = np.where(rest != 0, rest, mine)
    safe = mine & ((1 << (best + 1)) - 1 | on_table)
    duck = np.where(safe & queen != 0, QUEEN, HIGH.take(safe))
    rank = np.stack([HIGH.take(rest), np.where(safe != 0, duck, LOW.take(rest)), LOW.take(rest)])
    rank = np.maximum(rank, 0)  # void: somebody else decides
    is_queen = (rank == QUEEN) & spades
    points = ((playouts.on_table + playouts.pile) & POINTS) + hearts + QUEEN_POINTS * is_queen
    suit = _suit(habits(seats), alive, follow, ones, twos)
    queens = once >> QUEEN_OF_SPADES & 1
    relief = suit.relief(_KINDS.take(led // RANKS) + (spades & (queens == 0)), mine, rank)
    takes = suit.unbeaten(rank, points > 0)
    beats_second = takes * suit.twin(np.maximum(best, 0))
    takes = np.where(rank > best, takes, np.where(rank > second, beats_second, 0.0))
    lies_there = on_table >> rank & 1
    takes = np.where(lies_there, 0.0, takes)  # R14
    void = later - suit.followers
    chance = _queen_chance(playouts, once, both, void_others)
    thrown = np.where(
        spades,
        void + QUEEN_POINTS * QUEEN_FALLS * chance * follow * (rank > QUEEN),
        np.where(hearts, later - void + void * QUEEN_POINTS * chance, void * (1.0 + (QUEEN_POINTS - 1) * chance)),
    )
    cost = _cost(playouts, suit, lies_there, takes, points, thrown) - relief + FOLLOW_QUEEN * is_queen
    card: Ints = np.take_along_axis(rank, cost.argmin(axis=0)[None], axis=0)[0] + led
    return card


def _lead(playouts: Playouts, mask: Ints, once: Ints, both: Ints, void_others: Ints) -> Ints:
    """The highest or the lowest card of a suit, whichever costs least."""
    others = playouts.seats - 1
    tables = habits(playouts.seats)
    queens = once >> QUEEN_OF_SPADES & 1
    chance = _queen_chance(playouts, once, both, void_others)
    least = np.full(playouts.lanes, NEVER)
    card = np.zeros_like(mask)
    for number in Suit:
        shift = RANKS * number
        mine = mask >> shift & SUIT
        alive = others - (void_others >> VOID_BITS * number & VOIDS)
        suit = _suit(tables, alive, alive, once >> shift & SUIT, both >> shift & SUIT)
        rank = np.maximum(np.stack([HIGH.take(mine), LOW.take(mine)]), 0)
        void = others - suit.followers
        points = playouts.pile & POINTS
        if number == Suit.HEARTS:
            points = points + 1
            thrown = suit.followers + void * QUEEN_POINTS * chance
        elif number == Suit.SPADES:
            points = points + QUEEN_POINTS * (rank == QUEEN)
            thrown = void + QUEEN_POINTS * QUEEN_FALLS * chance * alive * (rank > QUEEN)
        else:
            thrown = void * (1.0 + (QUEEN_POINTS - 1) * chance)
        takes = suit.unbeaten(rank, points > 0)
        cost = _cost(playouts, suit, np.zeros_like(rank), takes, points, thrown)
        cost += LEAD[number] - suit.relief(_kind(number, queens), mine, rank) - FINEST * rank
        cost = np.where(mine != 0, cost, NEVER)
        for place in (0, 1):
            better = cost[place] < least
            least = np.where(better, cost[place], least)
            card = np.where(better, rank[place] + shift, card)
    return card


@dataclass(frozen=True, slots=True)
class _Suit:
    """A suit led, or about to be, as each lane's seat in turn sees it."""

    tables: Habits
    alive: Ints  # other seats that may hold it
    follow: Ints  # those of them that are still to play
    ones: Ints  # mask of the ranks of which a copy is unseen
    twos: Ints  # of which both are
    out: Ints  # how many copies are unseen

    @property
    def followers(self) -> Floats:
        """How many of the seats still to play are likely to hold the suit."""
        followers: Floats = self.follow * (1.0 - self.tables.missing.take(self.alive * PILES + self.out))
        return followers

    def relief(self, kind: Ints, mine: Ints, rank: Ints) -> Floats:
        """By how much the hand is better off without a card."""
        return self.tables.relief.take(((kind * STAGES + self.out // STAGE) * (SUIT + 1) + mine) * RANKS + rank)

    def twin(self, rank: Ints) -> Floats:
        """The chance that a seat still to play lays a card of this rank."""
        copies = (self.ones >> rank & 1) + (self.twos >> rank & 1)
        return self.tables.twin.take((self.alive * self.tables.seats + self.follow) * MOST_COPIES + copies)

    def unbeaten(self, rank: Ints, costs: Flags) -> Floats:
        """The chance that no seat still to play beats or meets a card, where points come with the trick or not."""
        lower = (1 << rank) - 1
        below = COUNT.take(self.ones & lower) + COUNT.take(self.twos & lower)
        copies = (self.ones >> rank & 1) + (self.twos >> rank & 1)
        tables, seats = self.tables, self.tables.seats
        place = self.alive * seats + self.follow
        alone = 1.0 - tables.twin.take(place * MOST_COPIES + copies)
        place = (costs * (seats * seats) + place) * (PILES * PILES) + below * PILES + self.out - below - copies
        unbeaten: Floats = tables.unbeaten.take(place) * alone
        return unbeaten


def _suit(tables: Habits, alive: Ints, follow: Ints, ones: Ints, twos: Ints) -> _Suit:
    return _Suit(tables, alive, follow, ones, twos, COUNT.take(ones) + COUNT.take(twos))


def _cost(playouts: Playouts, suit: _Suit, lies_there: Ints, takes: Floats, points: Ints, thrown: Floats) -> Floats:
    """What laying a card costs, but for the relief: if it takes the trick, or if the trick is cancelled."""
    price = POINT * points + THROWN * thrown + ON_LEAD
    if playouts.options.cancel_rule != "two_pairs":
        cost: Floats = takes * price
        return cost
    pairs = playouts.pairs * (playouts.laid > 0)
    there = (pairs != 0).astype(np.int64) + (pairs & (pairs - 1) != 0) + lies_there
    alone = playouts.laid + 1 - 2 * there
    twin = suit.tables.twin.take((suit.alive * suit.tables.seats + suit.follow) * MOST_COPIES + 1)
    expected = alone * twin + suit.follow * (suit.follow - 1) / 4 / np.maximum(suit.out, 1)
    none = np.exp(-expected)
    cancelled = np.where(there > 1, 1.0, np.where(there == 1, 1.0 - none, 1.0 - none * (1.0 + expected)))
    both: Floats = takes * (1.0 - cancelled) * price + cancelled * (SET_ASIDE * (points + thrown) + CANCELLED)
    return both


def _queen_chance(playouts: Playouts, once: Ints, both: Ints, void_others: Ints) -> Floats:
    """The chance that a seat that may hold spades holds a Black Maria."""
    alive = playouts.seats - 1 - (void_others >> VOID_BITS * Suit.SPADES & VOIDS)
    copies = (once >> QUEEN_OF_SPADES & 1) + (both >> QUEEN_OF_SPADES & 1)
    chance: Floats = 1.0 - habits(playouts.seats).missing.take(alive * PILES + copies)
    return chance


def _kind(suit: Suit, queens: Ints) -> Ints:
    """The kind of suit in the tables; of spades it depends on whether queens are out."""
    if suit == Suit.SPADES:
        return np.where(queens != 0, SPADES, SAFE_SPADES)
    return np.full_like(queens, HEARTS if suit == Suit.HEARTS else PLAIN)


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
    """The card of the lowest rank, of any suit, hearts last."""
    ranks = np.stack([LOW.take(mask >> RANKS * suit & SUIT) for suit in Suit])
    ranks = np.where(ranks < 0, 2 * RANKS, ranks)
    ranks[Suit.HEARTS] += RANKS * (ranks[Suit.HEARTS] < RANKS)
    suit = ranks.argmin(axis=0)
    lowest: Ints = np.take_along_axis(ranks, suit[None], axis=0)[0] % RANKS + RANKS * suit
    return lowest


_KINDS: Final[Ints] = np.array([PLAIN, PLAIN, HEARTS, SPADES], dtype=np.int64)
