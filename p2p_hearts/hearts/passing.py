"""Who passes to whom, which choice of cards is a pass, and the hands after it.

Law: every seat gives and gets the same number of cards, and nothing that arrives can be seen before all have chosen (R7):
`exchange` takes all choices at once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from p2p_hearts.cards import Card
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.reasons import Reason, Why


def pass_step(options: Options, number: int) -> str:
    """The step of the passing cycle in hand `number`: `L`, `R3`, `A`, …, or `N` for no pass (R8, D19)."""
    return options.pass_cycle[(number - 1) % len(options.pass_cycle)] if options.pass_count else "N"


def pass_target(options: Options, seats: int, number: int, seat: int) -> int | None:
    """The seat to which `seat` passes in hand `number`, or None when there is no pass."""
    step = pass_step(options, number)
    return None if step == "N" else (seat + _offset(step, seats)) % seats


def pass_source(options: Options, seats: int, number: int, seat: int) -> int | None:
    """The seat from which `seat` gets cards in hand `number`, or None when there is no pass."""
    step = pass_step(options, number)
    return None if step == "N" else (seat - _offset(step, seats)) % seats


def check_pass(options: Options, held: Iterable[Card], chosen: Sequence[Card]) -> Reason | None:
    """Why these cards may not be passed from the cards `held`, or None when they may."""
    if len(chosen) != options.pass_count:
        return Reason(Why.WRONG_COUNT, count=options.pass_count)
    missing = Counter(chosen) - Counter(held)  # a card named twice needs both copies
    return Reason(Why.HELD_TOO_FEW, card=min(missing)) if missing else None


def exchange(
    options: Options, number: int, hands: Sequence[Sequence[Card]], chosen: Sequence[Sequence[Card]]
) -> tuple[tuple[Card, ...], ...]:
    """The sorted hands of all seats after each has passed the cards it chose."""
    seats = len(hands)
    after = [Counter(held) for held in hands]
    for seat, cards in enumerate(chosen):
        target = pass_target(options, seats, number, seat)
        if target is not None:
            after[seat].subtract(cards)
            after[target].update(cards)
    return tuple(tuple(sorted(cards.elements())) for cards in after)


def _offset(step: str, seats: int) -> int:
    """How many seats to the left the cards go."""
    if step == "A":
        return seats // 2
    distance = int(step[1:] or 1)
    return distance if step[0] == "L" else -distance
