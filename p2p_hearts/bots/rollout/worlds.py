"""Worlds: deals of the hidden cards that agree with everything a seat knows.

How it works. What a `View` says about a hidden card is who cannot hold it: a seat that has claimed a void (R10 and the
claims of `hearts.play`), and everybody but its receiver for a card that was passed on and has not been played since. The
cards that somebody cannot hold are dealt first, the most restricted before the others, each to a holder with room for it,
at the odds that its room and the other cards it might get leave; a holder with no more cards in sight than room gets them
all. The rest is dealt like any deck. A world in which that fails is replaced by one in which it did not; when all fail, one
is built by exchanging cards along paths (Ford and Fulkerson, 1956), which succeeds since the true deal is such a world.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from p2p_hearts.bots.rollout.chance import Chance, orders, units
from p2p_hearts.bots.rollout.tables import Floats, Ints
from p2p_hearts.cards import KINDS, Card
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.passing import pass_target
from p2p_hearts.hearts.view import View

CERTAIN: Final = 1e12  # the odds of a holder that must get a card


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a seat knows about the cards it does not see. Holders are the seats in order, the kitty, and last nobody: where
    a position was set up without its history, some of the cards that were not seen are out of play."""

    cards: tuple[Card, ...]  # hidden, and not known to be with anybody; sorted
    room: tuple[int, ...]  # per holder, how many of them it has
    barred: tuple[int, ...]  # per holder, mask of the kinds it cannot have
    known: tuple[tuple[Card, ...], ...]  # per holder, what it is known to have


def hidden(view: View) -> Hidden:
    """What the view leaves open, and what it settles."""
    hand, seats = view.hand, view.hand.seats
    known: list[tuple[Card, ...]] = [()] * (seats + 2)
    known[view.seat] = view.held
    known[seats] = view.kitty or ()
    target = pass_target(hand.options, seats, hand.number, view.seat)
    if target is not None and view.passed:
        known[target] = tuple(sorted((Counter(view.passed) - Counter(played_by(hand, target))).elements()))
    left = Counter({card: 2 - (hand.once >> card & 1) - (hand.twice >> card & 1) for card in range(KINDS)})
    for cards in known:
        left.subtract(cards)
    unseen = tuple(sorted(left.elements()))
    room = [size - len(cards) for size, cards in zip((*hand.left, hand.kitty_size), known, strict=False)]
    room[view.seat] = 0
    return Hidden(unseen, (*room, len(unseen) - sum(room)), (*hand.voids, 0, 0), tuple(known))


def played_by(hand: Hand, seat: int) -> list[Card]:
    """What a seat has played, in order."""
    cards = [trick.cards[(seat - trick.leader) % hand.seats] for trick in hand.tricks]
    place = (seat - hand.leader) % hand.seats
    return [*cards, hand.table[place]] if place < len(hand.table) else cards


def deal(unseen: Hidden, likely: Floats | None, count: int, source: Chance) -> Ints:
    """So many worlds, one a row: the holder of each card of `unseen.cards`. `likely` weighs holders (kind, holder)."""
    cards, holders = unseen.cards, len(unseen.room)
    odds = (_may_hold(unseen) if likely is None else _may_hold(unseen) * likely)[list(cards)]
    open_to = odds[:, np.array(unseen.room) > 0]
    restricted = (open_to != open_to[:, :1]).any(axis=1)
    order = (odds @ np.array(unseen.room)).argsort(kind="stable").tolist()
    first = [place for place in order if restricted[place]]
    rest = [place for place in order if not restricted[place]]
    room = np.tile(np.array(unseen.room, dtype=np.int64), (count, 1))
    supply = (odds > 0).sum(axis=0)
    to = np.zeros((count, len(cards)), dtype=np.int64)
    alive = np.ones(count, dtype=np.bool_)
    rows = np.arange(count)
    draws = units(source, count * len(first)).reshape(len(first), count)
    for draw, place in zip(draws, first, strict=True):
        spare = supply - room
        chances = np.where(spare > 0, room / np.maximum(spare, 1), CERTAIN * (room > 0)) * odds[place]
        sums = chances.cumsum(axis=1)
        holder = (sums > (draw * sums[:, -1])[:, None]).argmax(axis=1)
        to[:, place] = holder
        alive &= (sums[:, -1] > 0) & (spare >= 0).all(axis=1)
        room[rows, holder] -= 1
        supply = supply - (odds[place] > 0)
    alive &= (room >= 0).all(axis=1) & (room <= supply).all(axis=1)
    if not alive.any():
        return np.tile(np.array(one_deal(unseen), dtype=np.int64), (count, 1))
    kept = np.resize(np.flatnonzero(alive), count)
    kept.sort()
    to, room = to[kept], room[kept]
    if rest:
        owners = np.repeat(np.tile(np.arange(holders), count), room.reshape(-1)).reshape(count, len(rest))
        to[:, rest] = np.take_along_axis(owners, orders(source, count, len(rest)), axis=1)
    return to


def hands_of(unseen: Hidden, to: Ints, worth: Ints) -> tuple[Ints, Ints, Ints]:
    """Of worlds, the masks (world, seat) of the kinds held and of those held twice, and the worth of each kitty."""
    count, holders = len(to), len(unseen.room)
    held, twins = np.zeros(holders, dtype=np.int64), np.zeros(holders, dtype=np.int64)
    for holder, known in enumerate(unseen.known):
        for card in known:
            twins[holder] |= held[holder] & 1 << card
            held[holder] |= 1 << card
    held, twins = np.tile(held, count), np.tile(twins, count)
    rows = np.arange(count, dtype=np.int64) * holders
    for place, card in enumerate(unseen.cards):
        index = rows + to[:, place]
        before = held.take(index)
        twins[index] |= before & 1 << card
        held[index] = before | 1 << card
    seats = holders - 2
    kitty = (to == seats) @ worth[list(unseen.cards)] + sum(int(worth[card]) for card in unseen.known[seats])
    return held.reshape(count, holders)[:, :seats], twins.reshape(count, holders)[:, :seats], kitty


def one_deal(unseen: Hidden) -> list[int]:
    """One world: for each card of `unseen.cards` its holder, found by exchanging cards along paths."""
    to: list[int] = [-1] * len(unseen.cards)
    room = list(unseen.room)
    for place in range(len(to)):
        _settle(unseen, to, room, place, set())
    return to


def _settle(unseen: Hidden, to: list[int], room: list[int], place: int, tried: set[int]) -> bool:
    """Whether a holder was found for the card, moving others on where that is the only way."""
    card = unseen.cards[place]
    for holder, barred in enumerate(unseen.barred):
        if holder in tried or barred >> card & 1 or not unseen.room[holder]:
            continue
        tried.add(holder)
        if room[holder]:
            room[holder] -= 1
            to[place] = holder
            return True
        for other, owner in enumerate(to):
            if owner == holder and _settle(unseen, to, room, other, tried):
                to[place] = holder
                return True
    return False


def _may_hold(unseen: Hidden) -> Floats:
    """1.0 at (kind, holder) where the holder has room and has claimed nothing that bars the kind, else 0.0."""
    kinds = np.arange(KINDS, dtype=np.int64)[:, None]
    barred = np.array(unseen.barred, dtype=np.int64) >> kinds & 1
    may: Floats = ((barred == 0) & (np.array(unseen.room) > 0)).astype(np.float64)
    return may
