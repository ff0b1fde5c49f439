"""What the votes of a whole game decide, read before anything else (`export.md`, P124): which entries have never counted.

The votes of a decision need no more than the list of its voters to be counted. So this is a first reading; the second
checks every vote, and that these decisions, and no others, have fallen."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tests.reader import messages as m
from tests.reader.council import quorum, value_hash
from tests.reader.entries import Entry, open_entry
from tests.reader.refusal import RefusedError
from tests.reader.table import Void, hand_of


@dataclass(slots=True)
class _Place:
    """Where the game stands, as its votes tell."""

    hand: int
    decision: int
    era: int
    attempt: int
    voters: list[bytes]
    present: set[bytes]


def void_of(frames: Iterable[bytes]) -> Void:
    """Of each peer that a hand went on without, the number of its last entry that counts in that deal."""
    entries = []
    for frame in frames:
        with suppress(RefusedError):  # the second reading says which, and why
            entries.append(open_entry(frame))
    choices = [entry for entry in entries if entry.kind == m.CHOICE]
    accepts = [entry for entry in entries if entry.kind == m.ACCEPT]
    escrow = any(entry.kind == m.OPEN and entry.body["escrow"] for entry in entries)
    place = _Place(0, 0, 0, 0, [], set())
    void: dict[tuple[int, int, bytes], int] = {}
    while (value := _fallen(place, choices, accepts)) is not None:
        _step(place, value, void, escrow=escrow)
    return void


def _fallen(place: _Place, choices: Sequence[Entry], accepts: Sequence[Entry]) -> m.Body | None:
    """The value that the voters of this place have decided on, if they have."""
    for choice in choices:
        body, who = choice.body, choice.identity
        if (hand_of(choice), body["decision"]) != (place.hand, place.decision):
            continue
        ballot = (place.hand, place.decision, body["ballot"], who, value_hash(body["value"]))
        named = {vote.identity for vote in accepts if _ballot(vote) == ballot}
        voters = place.voters or body["value"]["members"]  # of hand 0: the roster
        if len(named & set(voters)) >= quorum(len(voters)):
            value: m.Body = body["value"]
            return value
    return None


def _ballot(vote: Entry) -> tuple[object, ...]:
    body = vote.body
    return hand_of(vote), body["decision"], body["ballot"], body["proposer"], body["value"]


def _step(place: _Place, value: m.Body, void: dict[tuple[int, int, bytes], int], *, escrow: bool) -> None:
    """Goes on to the next decision."""
    members = set(value["members"])
    place.decision += 1
    if value["verdict"] == m.END:
        place.era += place.hand > 0 and members != place.present
        place.hand, place.decision, place.attempt = place.hand + 1, 0, place.era
        place.voters, place.present = list(value["members"]), members
        if not members:
            place.hand = -1
        return
    lost = place.present - members
    if value["verdict"] == m.MEMBERS and not lost:
        return
    place.era += 1
    if value["verdict"] == m.MEMBERS and value["dealt"] and escrow and len(place.voters) > 2:
        for head in value["horizons"]:
            void[place.hand, place.attempt, head["author"]] = -1 if head["mark"] == bytes(16) else head["seq"]
        place.present &= members
        return
    place.attempt, place.present = place.era, members
    if value["verdict"] == m.ANNULLED or value["dealt"]:
        place.voters = list(value["members"])
