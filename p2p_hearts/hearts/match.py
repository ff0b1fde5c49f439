"""The score sheet: totals after each hand, the choice of the moon, and when the game is over.

Law: whether the game is over depends on nothing but the options and the totals before and after a scored hand (D20).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from p2p_hearts.hearts.options import Options

MoonChoice: TypeAlias = Literal["subtract", "add"]
MOON_CHOICES: Final[tuple[MoonChoice, ...]] = ("subtract", "add")


@dataclass(frozen=True, slots=True)
class Match:
    """The totals after a hand, and who has won (nobody while the game goes on)."""

    scores: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]


def settle(
    options: Options, scores: Sequence[int], points: Sequence[int], moon: int | None, choice: MoonChoice | None
) -> Match:
    """The match after a hand of these points has been written down; a moon replaces all points of the hand (D17).

    Raises ValueError when a seat shot the moon and there is no choice.
    """
    costs = hand_points(options, points, moon, choice)
    after = tuple(before + cost for before, cost in zip(scores, costs, strict=True))
    lowest = min(after)
    winners = tuple(seat for seat, total in enumerate(after) if total == lowest)  # R6, R19
    if options.tie == "shared":
        over = max(after) >= options.limit
    else:  # D21: once the limit has been reached, only a tie keeps the game going
        over = max(*scores, *after) >= options.limit and len(winners) == 1
    return Match(after, over, winners if over else ())


def hand_points(
    options: Options, points: Sequence[int], moon: int | None, choice: MoonChoice | None
) -> tuple[int, ...]:
    """The points that a hand puts on the sheet, after the moon choice if there was one."""
    return tuple(points) if moon is None else _moon_points(options, len(points), moon, choice)


def bot_moon_choice(options: Options, scores: Sequence[int], moon: int) -> MoonChoice:
    """The choice of a bot or an absent player: *add* if that ends the game with the shooter lowest, else *subtract*."""
    added = _after_adding(options, scores, moon)
    return "add" if moon in added.winners else "subtract"  # D17; nobody has won a game that goes on


def add_ends_badly(options: Options, scores: Sequence[int], moon: int) -> bool:
    """Whether *add* would end the game with another winner, which the shooter should be told (D17)."""
    added = _after_adding(options, scores, moon)
    return added.over and moon not in added.winners


def _after_adding(options: Options, scores: Sequence[int], moon: int) -> Match:
    """The match if the shooter chooses *add*."""
    return settle(options, scores, (0,) * len(scores), moon, "add")


def _moon_points(options: Options, seats: int, moon: int, choice: MoonChoice | None) -> tuple[int, ...]:
    """What a moon puts on the sheet (R18, D16)."""
    match choice:
        case "subtract":
            return tuple(-options.moon_value if seat == moon else 0 for seat in range(seats))
        case "add":
            return tuple(0 if seat == moon else options.moon_value for seat in range(seats))
        case _:
            message = f"a moon needs a choice, subtract or add, not {choice!r}"
            raise ValueError(message)
