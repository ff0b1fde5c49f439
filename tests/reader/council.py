"""What a decision is made of: `decisions.md`, P105 to P110. Ballots, values, and what has been said about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.reader import messages as m
from tests.reader.hashing import fingerprint
from tests.reader.values import Value, pack

Ballot: TypeAlias = tuple[int, bytes]  # number and proposer
NO_BALLOT: Ballot = (0, b"")


@dataclass(frozen=True, slots=True)
class Stated:
    """A promise: the mark of its entry, its heads, and the ballot at which its author had accepted a value by then."""

    mark: bytes
    heads: list[m.Body]
    dealt: bool
    accepted: Ballot | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a hand, as far as its votes are in."""

    number: int = 0
    motions: Mapping[Ballot, m.Body] = field(default_factory=dict)
    statements: Mapping[Ballot, Mapping[bytes, Stated]] = field(default_factory=dict)
    choices: Mapping[Ballot, m.Body] = field(default_factory=dict)
    promised: Mapping[bytes, Ballot] = field(default_factory=dict)
    accepted: Mapping[bytes, Ballot] = field(default_factory=dict)
    votes: Mapping[Ballot, frozenset[bytes]] = field(default_factory=dict)
    signatures: Mapping[bytes, bytes] = field(default_factory=dict)
    fallen: m.Body | None = None


def quorum(voters: int) -> int:
    """P90: the smallest majority."""
    return voters // 2 + 1


def value_hash(value: m.Body) -> bytes:
    """P92: what an acceptance names."""
    return fingerprint("decision", pack(_written(value)))


def end_of(result: bytes, members: Sequence[bytes]) -> m.Body:
    """The value that ends a hand, with nobody new."""
    return {**_EMPTY, "verdict": m.END, "members": list(members), "result": result}


def is_motion(value: m.Body) -> bool:
    """Whether a value has nothing that only statements give."""
    return not (value["horizons"] or value["lot"] or value["dealt"])


def is_sound(value: m.Body, present: Sequence[bytes], members: Sequence[bytes], voters: int) -> bool:
    """P106: whether a value can be decided in a hand of these members, of whom some are still present."""
    named = set(value["members"])
    if len(named) < len(value["members"]):
        return False
    match value["verdict"]:
        case m.MEMBERS:
            empty = not (value["result"] or value["charged"] or value["joins"])
            return empty and named <= set(present) and len(named) >= quorum(voters)
        case m.END:
            return len(value["result"]) == 32 and is_motion(value) and not value["charged"]
        case _:
            return len(named) > 0 and is_motion(value) and not value["result"] and set(value["charged"]) <= set(members)


def chosen(
    decision: Decision, value: m.Body, given: Mapping[bytes, Stated], marks: Sequence[bytes], lost: Sequence[bytes]
) -> m.Body | None:
    """P109: the one value that may be chosen on these statements, of a majority; `lost` are left out by the motion."""
    ballots = [stated.accepted for stated in given.values() if stated.accepted is not None]
    if ballots:
        return decision.choices[max(ballots)]
    if value["verdict"] != m.MEMBERS:
        return value
    if not set(value["members"]) <= given.keys():
        return None
    own = [given[member] for member in value["members"]]
    horizons = []
    for peer in lost:
        named = [head for stated in own for head in stated.heads if head["author"] == peer]
        horizons.append(max(named, key=lambda head: (head["seq"], head["mark"])))
    dealt = int(any(stated.dealt for stated in own))
    return {**value, "horizons": horizons, "lot": fingerprint("lot", *marks), "dealt": dealt}


_EMPTY: m.Body = {
    "verdict": 0,
    "members": [],
    "result": b"",
    "horizons": [],
    "lot": b"",
    "dealt": 0,
    "charged": [],
    "joins": [],
}


def _written(value: m.Body) -> Value:
    """The list that a value is on the wire."""
    horizons: Value = [[head[name] for name in ("author", "incarnation", "seq", "mark")] for head in value["horizons"]]
    return [horizons if name == "horizons" else value[name] for name in _EMPTY]
