"""The players of a playout: careful, and blind to what their seats cannot see."""

import random
from dataclasses import replace

import numpy as np
import pytest

from p2p_hearts.bots.rollout.habits import HEARTS, PLAIN, SAFE_SPADES, SPADES, STAGES, habits
from p2p_hearts.bots.rollout.playouts import Playouts, start
from p2p_hearts.bots.rollout.policy import choose
from p2p_hearts.cards import Card, card_text, mask_of, parse_card
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text."""
    return tuple(map(parse_card, text.split()))


def lanes(held: list[str], table: str = "", *, trick: int = 9, alone: bool = False) -> Playouts:
    """A lane for each of these hands of the seat in turn at a table of six, where A has led; `alone` has it won nearly all points."""
    hand = replace(begin(Options(), 6, dealer=5, number=1), trick=trick, broken=True, kitty_size=0)
    for card in cards(table):
        hand = lay(hand, card)
    masks = np.zeros((len(held), 6), dtype=np.int64)
    twins = np.zeros_like(masks)
    for lane, text in enumerate(held):
        mine = cards(text)
        masks[lane, len(hand.table)] = mask_of(mine)
        twins[lane, len(hand.table)] = mask_of(card for card in mine if mine.count(card) == 2)
    playouts = start(hand, masks, twins, np.zeros(len(held), dtype=np.int64))
    if alone:
        playouts.alone = playouts.seat()
    return playouts


def played(held: str, table: str = "", *, trick: int = 9, alone: bool = False) -> str:
    """What the seat in turn lays."""
    playouts = lanes([held], table, trick=trick, alone=alone)
    return card_text(int(choose(playouts, playouts.seat())[0]))


def test_ducks_the_queen_when_last() -> None:
    """FC3: last to play and able to duck, it leaves the Black Maria to another."""
    assert played("3S KS 2D", "4S QS 9S 5S TS") == "3S"


def test_takes_a_trick_that_costs_nothing() -> None:
    """Last to a trick without points, it gets rid of its high card."""
    assert played("3C AC", "4C 6C 9C JC TC") == "AC"


def test_drops_the_queen_under_an_ace() -> None:
    """Last to play under an ace that stands, it drops the queen."""
    assert played("QS 3S", "4S AS 9S 5S TS") == "QS"


def test_throws_the_queen() -> None:
    """Void in the suit led, it throws a bare Black Maria."""
    assert played("QS AH 2C", "9D KD 4D") == "QS"


def test_keeps_a_low_card() -> None:
    """Free to discard, it throws the ace and keeps the two."""
    assert played("AC 2C", "9D KD 4D") == "AC"


def test_goes_for_the_moon() -> None:
    """R18: who has nearly all the points wins what it can, where another would duck."""
    assert played("2D AD 3C", "3D QS", alone=True) == "AD"
    assert played("2D AD 3C", "3D QS") == "2D"


def test_plays_what_its_seat_can_see() -> None:
    """FC1: the cards of the others change nothing, and each lane is played for itself."""
    rng = random.Random(3)
    held = ["2S AS KH 4C", "QS 3D 4D", "7H 8H 9H", "2C 3C 4C AC"]
    alone = [choose(lanes([text]), np.zeros(1, dtype=np.int64))[0] for text in held]
    together = lanes(held)
    together.held.reshape(4, 6)[:, 1:] = [[rng.randrange(1 << 52) for _ in range(5)] for _ in range(4)]
    assert choose(together, together.seat()).tolist() == alone


def test_relief_of_single_cards() -> None:
    """The tables say what a card on its own is worth being rid of: the ace of a suit that all hold is dangerous, its two is
    hardly so; hearts more than clubs, and over a queen more than when both are gone."""
    tables = habits(6)

    def relief(kind: int, text: str) -> float:
        rank = parse_card(text) % 13
        return float(tables.relief[((kind * STAGES + STAGES - 1) * 8192 + (1 << rank)) * 13 + rank])

    assert relief(PLAIN, "AC") == pytest.approx(2.0 + 0.3, abs=0.05)  # sticky for certain; and its void is worth 0.3
    assert relief(PLAIN, "2C") < 0.6
    assert relief(HEARTS, "AH") > relief(PLAIN, "AC") + 1
    assert relief(SPADES, "AS") - relief(SAFE_SPADES, "AS") == pytest.approx(0.85 * 1.5)
    assert relief(SPADES, "QS") == pytest.approx(7.2 - 0.3 + 0.4)
