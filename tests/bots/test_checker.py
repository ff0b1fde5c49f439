"""The play checker: every turn looked at again, with what was known then."""

import random

from p2p_hearts.bots import choose_play
from p2p_hearts.bots.checker import Check, by_rollouts, by_rules, check, retrace
from p2p_hearts.cards import DECK, Card, card_text, parse_card
from p2p_hearts.hearts.hand import begin, deal, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import legal_plays, play
from p2p_hearts.hearts.view import View
from tests.bots.positions import view_of


def played_hand(
    seats: int, levels: tuple[str, ...], seed: int, tricks: int = 104
) -> tuple[View, list[tuple[View, Card]]]:
    """The last view of seat A in a hand without a pass, and the views from which it played, with its cards."""
    rng = random.Random(seed)
    options = Options(pass_count=0)
    dealt, kitty = deal(rng.sample(DECK, 104), seats)
    held, hand, turns = [list(cards) for cards in dealt], begin(options, seats, dealer=2, number=1), []
    while (seat := to_play(hand)) is not None and hand.trick <= tricks:
        won = kitty if hand.kitty_seat == seat else None
        view = View(seat, hand, tuple(held[seat]), (), (), won, (0,) * seats)
        card = choose_play(levels[seat], view, rng)
        if seat == 0:
            turns.append((view, card))
        held[seat].remove(card)
        hand = play(hand, seat, card)
    last = View(0, hand, tuple(held[0]), (), (), kitty if hand.kitty_seat == 0 else None, (0,) * seats)
    return last, turns


def test_views_are_made_again() -> None:
    """From the last view follow all the views before it, each as it was: at the end, and in the middle of a trick."""
    for seats in (6, 9):
        last, turns = played_hand(seats, ("uniform",) * seats, seed=seats)
        assert list(retrace(last)) == turns
        for view, _ in turns:
            assert retrace(view) == tuple(turns[: len(retrace(view))])


def test_good_plays_cost_nothing() -> None:
    """Who has played what the judge would have played is told no other card, and no cost."""
    last, turns = played_hand(8, ("clever",) + ("cautious",) * 7, seed=1)
    checks = check(last, by_rules)
    assert 0 < len(checks) <= len(turns)
    assert all(one.advised == one.played and one.cost == 0 for one in checks)


def test_bad_plays_cost() -> None:
    """A random player is told what it should have played, never the card it played, at a cost above nothing."""
    last, _ = played_hand(8, ("uniform",) + ("cautious",) * 7, seed=1)
    wrong = [one for one in check(last, by_rules) if one.advised != one.played]
    assert wrong
    assert all(one.cost > 0 for one in wrong)


def test_the_cost_is_that_of_the_judge() -> None:
    """A judge that charges a card its number charges a turn the difference to the lowest legal one."""
    last, turns = played_hand(11, ("uniform",) * 11, seed=4)
    checks = check(last, lambda view: {card: float(card) for card in legal_plays(view.hand, view.held)})
    chosen = [(view, card) for view, card in turns if len(legal_plays(view.hand, view.held)) > 1]
    lowest = [min(legal_plays(view.hand, view.held)) for view, _ in chosen]
    assert checks == tuple(
        Check(view, card, low, float(card - low)) for (view, card), low in zip(chosen, lowest, strict=True)
    )


def test_the_judgement_of_rollouts() -> None:
    """An expert finds what is wrong with taking a Black Maria that could be left: it costs about her thirteen points."""
    costs = by_rollouts(seed=1, worlds=60)(view_of("3S AS", "4S QS 9S KS TS", trick=16))
    assert {card_text(card) for card in costs} == {"3S", "AS"}
    assert costs[parse_card("AS")] - costs[parse_card("3S")] > 8
