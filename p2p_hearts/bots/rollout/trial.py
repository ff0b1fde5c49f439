"""A trial: some choices of a seat, each played to the end of the hand in the same worlds, and the tally of what they cost.

Law: a trial is a pure function of its fields, and tallies are whole numbers, so that a trial can be run anywhere and
tallies added in any order without a difference in the last bit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from p2p_hearts.bots.rollout.chance import chance
from p2p_hearts.bots.rollout.inference import likely_holders
from p2p_hearts.bots.rollout.playouts import Playouts, lay, start
from p2p_hearts.bots.rollout.policy import choose, dump
from p2p_hearts.bots.rollout.tables import Ints, packed_points
from p2p_hearts.bots.rollout.worlds import deal, hands_of, hidden
from p2p_hearts.bots.rollout.worth import costs
from p2p_hearts.cards import Card
from p2p_hearts.hearts.passing import pass_source
from p2p_hearts.hearts.view import View

Choice: TypeAlias = tuple[Card, ...]  # the cards passed, or the one card played

GRAIN: Final = 1024  # a cost is counted in points ÷ this


@dataclass(frozen=True, slots=True)
class Tally:
    """What choices have cost over the same worlds, in grains."""

    worlds: int
    sums: Ints  # per choice
    products: Ints  # (choice, choice): of their costs in the same world

    def only(self, places: Sequence[int]) -> "Tally":
        """The tally of the choices at these places."""
        return Tally(self.worlds, self.sums[places], self.products[np.ix_(places, places)])

    def means(self) -> tuple[float, ...]:
        """What each choice costs on average, in points."""
        return tuple(total / self.worlds / GRAIN for total in self.sums.tolist())

    def cheapest(self) -> int:
        """The place of the choice that costs least, of equals the first."""
        return int(self.sums.argmin())

    def error(self, one: int, other: int) -> float:
        """The standard error of the difference between the mean costs of two choices, in points."""
        square = int(self.products[one, one]) - 2 * int(self.products[one, other]) + int(self.products[other, other])
        total = int(self.sums[one]) - int(self.sums[other])
        variance = max(square / self.worlds - (total / self.worlds) ** 2, 0.0) / max(self.worlds - 1, 1)
        return math.sqrt(variance) / GRAIN


@dataclass(frozen=True, slots=True)
class Trial:
    """So many worlds of a view, with each of the choices."""

    view: View
    passing: bool
    choices: tuple[Choice, ...]
    worlds: int
    seeds: tuple[int, ...]

    def run(self) -> Tally:
        """What the choices cost."""
        view, count = self.view, len(self.choices)
        unseen = hidden(view)
        to = deal(unseen, likely_holders(view), self.worlds, chance(*self.seeds))
        worlds = hands_of(unseen, to, packed_points(view.hand.options))
        held, twins, kitty = (np.repeat(array, count, axis=0) for array in worlds)
        chosen = np.tile(np.array(self.choices, dtype=np.int64), (self.worlds, 1))
        if self.passing:
            _pass(view, held, twins, chosen)
        playouts = start(view.hand, held, twins, kitty)
        if not self.passing:
            lay(playouts, playouts.seat(), chosen[:, 0])
        play_out(playouts)
        cost = np.rint(costs(playouts, view.seat, view.scores) * GRAIN).astype(np.int64).reshape(self.worlds, count)
        return Tally(self.worlds, cost.sum(axis=0), cost.T @ cost)


def add_tallies(tallies: Sequence[Tally]) -> Tally:
    """The tally of the same choices over all these worlds."""
    return Tally(
        sum(tally.worlds for tally in tallies),
        np.sum([tally.sums for tally in tallies], axis=0),
        np.sum([tally.products for tally in tallies], axis=0),
    )


def play_out(playouts: Playouts) -> None:
    """Plays every lane to its end."""
    while not playouts.finished:
        seat = playouts.seat()
        lay(playouts, seat, choose(playouts, seat))


def dump_order(held: Sequence[Card]) -> list[Card]:
    """The cards in the order in which a seat would rather be rid of them."""
    left, order = list(held), list[Card]()
    while left:
        mask = 0
        for card in left:
            mask |= 1 << card
        card = int(dump(np.array([mask], dtype=np.int64))[0])
        order.append(card)
        left.remove(card)
    return order


def _pass(view: View, held: Ints, twins: Ints, own: Ints) -> None:
    """Has everybody pass: the seat the cards of `own` (lane, card), the others what they would rather be rid of."""
    hand, seats = view.hand, view.hand.seats
    given = []
    for turn in range(hand.options.pass_count):
        cards = dump(held.reshape(-1)).reshape(held.shape)
        cards[:, view.seat] = own[:, turn]
        bit = np.left_shift(1, cards)
        twin = twins & bit
        twins ^= twin
        held ^= bit ^ twin
        given.append(bit)
    sources = [pass_source(hand.options, seats, hand.number, seat) or 0 for seat in range(seats)]
    for bits in given:
        arrived = bits[:, sources]
        twins |= held & arrived
        held |= arrived
