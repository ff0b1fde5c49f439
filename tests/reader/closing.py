"""The end of a hand and of the game: `decisions.md`, `result.md`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from tests.reader import ed25519
from tests.reader.entries import Entry
from tests.reader.hand import Hand
from tests.reader.hashing import fingerprint
from tests.reader.refusal import demand
from tests.reader.rules import after_moon, match_over, points_of
from tests.reader.values import Value, pack


@dataclass(frozen=True, slots=True)
class Decision:
    """The end of one hand: what the choice has to say, and who has accepted it."""

    hand: int
    attempt: int
    chooser: bytes
    result: bytes  # digest
    members: tuple[bytes, ...]  # of the next hand
    voters: frozenset[bytes]
    chosen: bool = False
    signatures: Mapping[bytes, bytes] = field(default_factory=dict)

    @property
    def choice(self) -> list[Value]:
        """The fields of the one right choice."""
        members: Value = list(self.members)
        return [self.hand, self.attempt, 0, 0, self.result, members]

    @property
    def fallen(self) -> bool:
        """P93."""
        return len(self.signatures) >= len(self.voters) // 2 + 1


@dataclass(frozen=True, slots=True)
class Scored:
    """The points of one hand."""

    points: tuple[int, ...]  # after the moon
    kitty: int | None
    unclaimed: int
    moon: tuple[int, str] | None


def choose(decision: Decision, entry: Entry) -> Decision:
    """P91, P56. Raises RefusedError."""
    demand(entry.identity == decision.chooser, "OUT_OF_PHASE", "another proposes the end")
    demand(not decision.chosen, "REPEATED")
    demand(entry.fields == decision.choice, "WRONG_RESULT", "another result")
    return replace(decision, chosen=True)


def accept(decision: Decision, entry: Entry) -> Decision:
    """P92. Raises RefusedError."""
    who, body = entry.identity, entry.body
    if body["decision"] != 0 or body["ballot"] != 0:
        return decision
    demand(decision.chosen, "OUT_OF_ORDER", "no end is proposed")
    demand(who not in decision.signatures, "REPEATED")
    demand(body["value"] == fingerprint("decision", pack(decision.choice)), "WRONG_RESULT", "another result")
    ed25519.check_signature(who, "result", decision.result, body["signature"])
    return replace(decision, signatures={**decision.signatures, who: body["signature"]})


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


def result_of(hand: Hand, hands: tuple[Scored, ...]) -> dict[str, Any]:
    """The result after these hands, of which the last is this one; without digest and signatures."""
    options, seats = hand.options, range(hand.seats)
    totals = [[sum(one.points[seat] for one in hands[:end]) for seat in seats] for end in (-1, len(hands))]
    over, winners = match_over(options, *totals)
    return {
        "table": hand.table.hex(),
        "options": options,
        "seats": hand.seats,
        "hands": len(hands),
        "names": _by_seat(hand.names),
        "operators": _by_seat(tuple(operator.hex() for operator in hand.operators)),
        "annulled": [],
        "points": [_by_seat(one.points) for one in hands],
        "kitty": [None if one.kitty is None else letter(one.kitty) for one in hands],
        "unclaimed": [one.unclaimed for one in hands],
        "moon": [None if one.moon is None else {"seat": letter(one.moon[0]), "choice": one.moon[1]} for one in hands],
        "scores": _by_seat(tuple(totals[1])),
        "game_over": over,
        "winners": [letter(seat) for seat in winners],
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
