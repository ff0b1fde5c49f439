"""The play checker: what a level would have played at each of a seat's turns in a hand, and what the other card cost.

Law: each turn is judged by what the seat could know then and by nothing that came later: its views are made again from its
last one, which holds the whole public hand. Cost is the judge's own estimate at that turn, in points, not how it turned out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from p2p_hearts.bots.clever import forecasts
from p2p_hearts.bots.expert import Run, one_by_one
from p2p_hearts.bots.trials import GRAIN, Trial
from p2p_hearts.cards import Card
from p2p_hearts.hearts.hand import begin, seat_in_turn
from p2p_hearts.hearts.play import lay, legal_plays
from p2p_hearts.hearts.view import View

WORLDS: Final = 200  # for each legal card, when an expert judges

Judge: TypeAlias = Callable[[View], Mapping[Card, float]]
"""What each legal card of a view is likely to cost, in points."""


@dataclass(frozen=True, slots=True)
class Check:
    """One turn of a hand, looked at again."""

    view: View  # as it was at that turn
    played: Card
    advised: Card
    cost: float  # by how much the card played was likely to cost more, at least 0


def retrace(last: View) -> tuple[tuple[View, Card], ...]:
    """The views from which the seat of this view has played, first to last, each with the card that it played."""
    hand, seat = last.hand, last.seat
    tricks = [(trick.leader, trick.cards) for trick in hand.tricks]
    if hand.table:
        tricks.append((hand.leader, hand.table))
    own = [cards[(seat - leader) % hand.seats] for leader, cards in tricks if (seat - leader) % hand.seats < len(cards)]
    held, turns = sorted(last.held + tuple(own)), []
    now = begin(hand.options, hand.seats, hand.dealer, hand.number)
    for _, cards in tricks:
        for card in cards:
            if seat_in_turn(now) == seat:
                kitty = last.kitty if now.kitty_seat == seat else None
                turns.append((replace(last, hand=now, held=tuple(held), kitty=kitty), card))
                held.remove(card)
            now = lay(now, card)
    return tuple(turns)


def check(last: View, judge: Judge) -> tuple[Check, ...]:
    """Every turn at which the seat had a choice, in the eyes of this judge; of equal cards the one played is advised."""
    checks = []
    for view, played in retrace(last):
        if len(legal_plays(view.hand, view.held)) > 1:
            costs = judge(view)
            advised = min(costs, key=lambda card: (costs[card], card != played, card))
            checks.append(Check(view, played, advised, costs[played] - costs[advised]))
    return tuple(checks)


def by_rules(view: View) -> dict[Card, float]:
    """How `clever` judges."""
    return {forecast.card: forecast.cost for forecast in forecasts(view)}


def by_rollouts(seed: int, worlds: int = WORLDS, run: Run = one_by_one) -> Judge:
    """How `expert` judges: by the mean over so many worlds, the same for all cards of a turn."""

    def judge(view: View) -> dict[Card, float]:
        choices = tuple((card,) for card in legal_plays(view.hand, view.held))
        turn = view.hand.trick * view.hand.seats + len(view.hand.table)
        tally = run([Trial(view, False, choices, worlds, (seed, turn))])[0]  # noqa: FBT003 - a play, not a pass
        return {card: total / (tally.worlds * GRAIN) for (card,), total in zip(choices, tally.sums, strict=True)}

    return judge
