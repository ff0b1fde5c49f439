"""What a hand and a game come to: `hand.md`, P79 and P80, and `result.md`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.reader.hand import Hand
from tests.reader.refusal import demand
from tests.reader.rules import after_moon, match_over, points_of


@dataclass(frozen=True, slots=True)
class Scored:
    """The points of one hand."""

    points: tuple[int, ...]  # after the moon
    kitty: int | None
    unclaimed: int
    moon: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class Annulled:
    """A hand that was not scored: how often it had been annulled before, and the seats that pay."""

    number: int
    before: int
    charged: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet: all that a result tells beside who plays."""

    scored: tuple[Scored, ...]
    annulled: tuple[Annulled, ...]
    scores: tuple[int, ...]
    over: bool  # by the limit
    winners: tuple[int, ...]


def scored(hand: Hand) -> Scored:
    """The points of a hand that is played, and whose moon is chosen if there is one. Raises RefusedError."""
    play = hand.play
    demand(play is not None and play.over, "OUT_OF_ORDER", "the hand is not played")
    assert play is not None
    points, unclaimed, shooter = points_of(play)
    if shooter is None:
        return Scored(points, play.kitty_seat, unclaimed, None)
    demand(hand.moon is not None, "OUT_OF_ORDER", "the moon is not chosen")
    assert hand.moon is not None
    chosen = after_moon(hand.options, hand.seats, shooter, hand.moon)
    return Scored(chosen, play.kitty_seat, unclaimed, (shooter, hand.moon))


def sheet_after(hand: Hand, scores: Sequence[int], before: tuple[Scored, ...], annulled: tuple[Annulled, ...]) -> Sheet:
    """The sheet with this hand on it. Raises RefusedError: it is not over."""
    row = scored(hand)
    totals = tuple(total + more for total, more in zip(scores, row.points, strict=True))
    over, winners = match_over(hand.options, scores, totals)
    return Sheet((*before, row), annulled, totals, over, winners)


def result_of(hand: Hand, names: tuple[str, ...], owners: tuple[bytes, ...], sheet: Sheet) -> dict[str, Any]:
    """The result that a sheet comes to; without digest and signatures."""
    return {
        "table": hand.table.hex(),
        "options": hand.options,
        "seats": hand.seats,
        "hands": len(sheet.scored),
        "names": _by_seat(names),
        "operators": _by_seat(tuple(owner.hex() for owner in owners)),
        "annulled": [
            {"hand": one.number, "attempt": one.before, "charged": [letter(seat) for seat in one.charged]}
            for one in sheet.annulled
        ],
        "points": [_by_seat(one.points) for one in sheet.scored],
        "kitty": [None if one.kitty is None else letter(one.kitty) for one in sheet.scored],
        "unclaimed": [one.unclaimed for one in sheet.scored],
        "moon": [
            None if one.moon is None else {"seat": letter(one.moon[0]), "choice": one.moon[1]} for one in sheet.scored
        ],
        "scores": _by_seat(sheet.scores),
        "game_over": sheet.over,
        "winners": [letter(seat) for seat in sheet.winners],
    }


def digest_of(result: Mapping[str, Any]) -> bytes:
    """P96."""
    text = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode("ascii")).digest()


def letter(seat: int) -> str:
    """A seat as people write it."""
    return "ABCDEFGHIJK"[seat]


def _by_seat(values: tuple[Any, ...]) -> dict[str, Any]:
    return {letter(seat): value for seat, value in enumerate(values)}
