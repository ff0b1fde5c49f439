"""Worlds agree with everything a seat knows, and with nothing else."""

import random
from collections import Counter
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from p2p_hearts.bots.rollout.chance import chance
from p2p_hearts.bots.rollout.inference import Clue, clues, likely_holders
from p2p_hearts.bots.rollout.tables import packed_points
from p2p_hearts.bots.rollout.worlds import Hidden, deal, hands_of, hidden, one_deal
from p2p_hearts.cards import DECK, Card, mask_of, parse_card
from p2p_hearts.hearts.hand import begin, to_play
from p2p_hearts.hearts.hand import deal as deal_hands
from p2p_hearts.hearts.options import Options, resolve
from p2p_hearts.hearts.passing import exchange
from p2p_hearts.hearts.play import lay, legal_plays, play
from p2p_hearts.hearts.view import View

SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, sorted."""
    return tuple(sorted(map(parse_card, text.split())))


def views_of(seats: int, preset: str, seed: int) -> list[tuple[View, list[list[Card]], tuple[Card, ...]]]:
    """Every view of a random hand with its passes, beside the true hands and the kitty at that moment."""
    rng, options = random.Random(seed), resolve(preset, {}, seats)
    deck = list(DECK)
    rng.shuffle(deck)
    dealt, kitty = deal_hands(deck, seats)
    passed = [tuple(sorted(rng.sample(held, 3))) for held in dealt]
    held = [list(mine) for mine in exchange(options, 1, dealt, passed)]
    hand = begin(options, seats, seed % seats, 1)
    seen = []
    while (seat := to_play(hand)) is not None:
        won = kitty if hand.kitty_seat == seat else None
        view = View(seat, hand, tuple(held[seat]), (), passed[seat], won, (0,) * seats)
        seen.append((view, [list(mine) for mine in held], kitty))
        card = rng.choice(legal_plays(hand, held[seat]))
        held[seat].remove(card)
        hand = play(hand, seat, card)
    return seen


@pytest.mark.parametrize("preset", ["as_written", "classic"])
@pytest.mark.parametrize("seats", range(6, 12))
def test_worlds_are_possible(seats: int, preset: str) -> None:
    """In every world each seat holds as many cards as it must, none that it has claimed not to hold, and all 104 are there."""
    for view, true_hands, kitty in views_of(seats, preset, seed=seats)[::5]:
        unseen = hidden(view)
        for to in deal(unseen, likely_holders(view), 5, chance(1)).tolist():
            holdings = [list(known) for known in unseen.known]
            for card, holder in zip(unseen.cards, to, strict=True):
                holdings[holder].append(card)
            assert list(map(len, holdings)) == [*map(len, true_hands), len(kitty), 0]
            assert sorted(chain(*holdings)) == sorted(chain(*true_hands, kitty))
            assert Counter(holdings[view.seat]) == Counter(view.held)
            assert not any(mask_of(mine) & void for mine, void in zip(holdings, view.hand.voids, strict=False))
            if view.kitty is not None:
                assert Counter(holdings[seats]) == Counter(kitty)


@pytest.mark.parametrize("seats", [6, 9, 11])
def test_true_deal_is_never_ruled_out(seats: int) -> None:
    """What a view settles is so in the true deal: nobody holds what is barred, and everybody what is known."""
    for view, true_hands, kitty in views_of(seats, "as_written", seed=2 * seats):
        unseen = hidden(view)
        for mine, known, barred in zip([*true_hands, list(kitty), []], unseen.known, unseen.barred, strict=True):
            assert not Counter(known) - Counter(mine)
            assert not mask_of(mine) & barred


def test_passed_cards_stay_where_they_went() -> None:
    """A card that was passed on and has not been played is with its receiver; once played, nothing is known of its twin."""
    hand = begin(Options(), 6, dealer=5, number=1)
    view = View(0, hand, cards("2C 3C"), (), cards("QS QS 9D"), None, (0,) * 6)
    assert hidden(view).known[1] == cards("9D QS QS")
    later = replace(lay(lay(hand, parse_card("2C")), parse_card("QS")), trick=1)
    assert hidden(replace(view, hand=later, held=cards("3C"))).known[1] == cards("9D QS")


def test_second_copy_stays_possible() -> None:
    """FC8: a discard rules out the suit led and no other; one copy seen, the other may still be anywhere but there."""
    hand = replace(begin(Options(), 6, dealer=5, number=1), trick=3, kitty_size=0)
    hand = lay(lay(hand, parse_card("7C")), parse_card("KD"))
    unseen = hidden(View(2, hand, cards("2S 3S"), (), (), None, (0,) * 6))
    assert unseen.barred[1] == mask_of(cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"))
    assert unseen.cards.count(parse_card("7C")) == 1
    assert unseen.cards.count(parse_card("KD")) == 1
    holders = {row[unseen.cards.index(parse_card("KD"))] for row in deal(unseen, None, 200, chance(3)).tolist()}
    assert 1 in holders


def test_tight_deals_are_found() -> None:
    """Where all but one deal are impossible, that one is dealt in every world, and found by exchange alone as well."""
    low = cards("2S 3S 4S")
    barred = (mask_of(cards("3S 4S")), mask_of(cards("4S")), 0, 0)
    unseen = Hidden(low, (1, 1, 1, 0), barred, ((), (), (), ()))
    assert deal(unseen, None, 20, chance(1)).tolist() == [[0, 1, 2]] * 20
    assert one_deal(unseen) == [0, 1, 2]


def test_exchange_moves_cards_on() -> None:
    """A card that only a full seat may hold finds its place by moving another: it would be stuck without."""
    # the first holder takes 2S, but 3S can go nowhere else than to it
    unseen = Hidden(cards("2S 3S"), (1, 1), (0, mask_of(cards("3S"))), ((), ()))
    assert one_deal(unseen) == [1, 0]


def test_deals_are_even() -> None:
    """Without claims a hidden card is with each holder as often as its room says."""
    unseen = Hidden(cards(SPADES), (3, 6, 4), (0, 0, 0), ((), (), ()))
    to = deal(unseen, None, 4_000, chance(7))
    shares = [(to == holder).mean() for holder in range(3)]
    assert np.allclose(shares, [3 / 13, 6 / 13, 4 / 13])
    queen = to[:, 10]
    assert np.allclose([(queen == holder).mean() for holder in range(3)], [3 / 13, 6 / 13, 4 / 13], atol=0.03)


def test_masks_of_worlds() -> None:
    """Two copies with one holder are a twin there; the kitty is counted in points."""
    unseen = Hidden(cards("QS QS 2H"), (2, 0, 1, 0), (0, 0, 0, 0), ((), cards("AC"), (), ()))
    to = np.array([[2, 0, 0], [0, 0, 2]], dtype=np.int64)  # 2H QS QS
    held, twins, kitty = hands_of(unseen, to, packed_points(Options()))
    assert held.tolist() == [
        [mask_of(cards("QS")), mask_of(cards("AC"))],
        [mask_of(cards("2H QS")), mask_of(cards("AC"))],
    ]
    assert twins.tolist() == [[mask_of(cards("QS")), 0], [0, 0]]
    assert kitty.tolist() == [1, 13]


def test_whoever_keeps_no_queen_has_none() -> None:
    """A seat that discards a club where it could have thrown a Black Maria is less likely to hold one, as is one that ducks
    an ace of spades with the nine, and that one rarely holds the ten, jack or king."""
    hand = replace(begin(Options(), 6, dealer=5, number=1), trick=4, broken=True)
    for card in ["7D", "9C", "AD"]:
        hand = lay(hand, parse_card(card))
    queen = mask_of(cards("QS"))
    found = clues(hand)
    assert Clue(1, queen, 0.6) in found
    assert not any(clue.kinds & queen for clue in found if clue.seat != 1)
    hand = replace(begin(Options(), 6, dealer=5, number=1), trick=4, broken=True)
    for card in ["AS", "9S"]:
        hand = lay(hand, parse_card(card))
    assert Clue(1, queen, 0.6) in clues(hand)
    assert Clue(1, mask_of(cards("TS JS KS")), 0.3) in clues(hand)
    view = View(2, hand, cards("2S"), (), (), None, (0,) * 6)
    likely = likely_holders(view)
    assert likely[parse_card("QS")].tolist() == pytest.approx([1, 0.6, 1, 1, 1, 1, 1, 1])
    assert likely[parse_card("8S")].tolist() == [1] * 8
