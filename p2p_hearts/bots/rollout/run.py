"""Runs a trial: deals its worlds, plays every choice to the end of the hand in each, and tallies what that cost."""

import numpy as np

from p2p_hearts.bots.rollout.chance import chance
from p2p_hearts.bots.rollout.inference import likely_holders
from p2p_hearts.bots.rollout.playouts import Playouts, lay, start
from p2p_hearts.bots.rollout.policy import choose, throw
from p2p_hearts.bots.rollout.tables import Ints, packed_points
from p2p_hearts.bots.rollout.worlds import deal, hands_of, hidden
from p2p_hearts.bots.rollout.worth import costs
from p2p_hearts.bots.trials import GRAIN, Tally, Trial
from p2p_hearts.hearts.passing import pass_source
from p2p_hearts.hearts.view import View


def run_trial(trial: Trial) -> Tally:
    """What the choices of a trial cost."""
    view, count = trial.view, len(trial.choices)
    unseen = hidden(view)
    to = deal(unseen, likely_holders(view), trial.worlds, chance(*trial.seeds))
    worlds = hands_of(unseen, to, packed_points(view.hand.options))
    held, twins, kitty = (np.repeat(array, count, axis=0) for array in worlds)
    chosen = np.tile(np.array(trial.choices, dtype=np.int64), (trial.worlds, 1))
    if trial.passing:
        _pass(view, held, twins, chosen)
    playouts = start(view.hand, held, twins, kitty)
    if not trial.passing:
        lay(playouts, playouts.seat(), chosen[:, 0])
    play_out(playouts)
    cost = np.rint(costs(playouts, view.seat, view.scores) * GRAIN).astype(np.int64).reshape(trial.worlds, count)
    products = tuple(tuple(row) for row in (cost.T @ cost).tolist())
    return Tally(trial.worlds, tuple(cost.sum(axis=0).tolist()), products)


def play_out(playouts: Playouts) -> None:
    """Plays every lane to its end."""
    while not playouts.finished:
        seat = playouts.seat()
        lay(playouts, seat, choose(playouts, seat))


def _pass(view: View, held: Ints, twins: Ints, own: Ints) -> None:
    """Has everybody pass: the seat the cards of `own` (lane, card), the others what they would rather be rid of."""
    hand, seats = view.hand, view.hand.seats
    given = []
    for turn in range(hand.options.pass_count):
        mine = held.reshape(-1)
        cards = throw(seats, mine, ~mine, ~mine).reshape(held.shape)
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
