"""Whole hands of random legal plays: what the speed of rollouts is measured with, as that of the rules engine is."""

import numpy as np

from p2p_hearts.bots.rollout.chance import chance, orders, words
from p2p_hearts.bots.rollout.playouts import lay, legal, start, uniform
from p2p_hearts.bots.rollout.tables import packed_points
from p2p_hearts.cards import DECK
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import Options


def play_random_hands(seats: int, lanes: int, seed: int) -> int:
    """Deals so many hands and plays them with every seat choosing any legal card; the number of plays."""
    source, options = chance(seed), Options()
    hand = begin(options, seats, dealer=0, number=1)
    decks = np.array(DECK, dtype=np.int64)[orders(source, lanes, len(DECK))]
    held = np.zeros((lanes, seats), dtype=np.int64)
    twins = np.zeros_like(held)
    for turn in range(hand.size):
        bits = np.left_shift(1, decks[:, turn * seats : (turn + 1) * seats])
        twins |= held & bits
        held |= bits
    kitty = packed_points(options)[decks[:, hand.size * seats :]].sum(axis=1)
    playouts = start(hand, held, twins, kitty)
    plays = 0
    while not playouts.finished:
        seat = playouts.seat()
        mask = legal(playouts, playouts.held.take(playouts.rows + seat))
        lay(playouts, seat, uniform(mask, words(source, lanes)))
        plays += lanes
    return plays
