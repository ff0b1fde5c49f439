"""Votes on how a hand goes on or ends: `decisions.md`, P91, P92 and P105 to P110, as far as they follow from entries."""

from dataclasses import replace

from tests.reader import ed25519
from tests.reader import messages as m
from tests.reader.council import NO_BALLOT, Ballot, Decision, Stated, chosen, is_motion, is_sound, quorum, value_hash
from tests.reader.entries import Entry
from tests.reader.hand import Hand
from tests.reader.refusal import RefusedError, demand

MAX_MOTIONS = 64  # of one voter in one decision


def voted(hand: Hand, entry: Entry, result: bytes | None) -> Hand:
    """The hand after a vote in its current decision; `result` is the digest that follows once it can end.
    Raises RefusedError."""
    demand(entry.identity in hand.voters, "NOT_A_MEMBER", "it has no vote in this hand")
    try:
        return replace(hand, council=_after(hand, entry, result))
    except RefusedError as error:
        if hand.ended and error.code == "OUT_OF_ORDER":  # nothing is waited for any more
            return hand
        raise


def _after(hand: Hand, entry: Entry, result: bytes | None) -> Decision:
    match entry.kind:
        case m.MOTION:
            return _moved(hand, entry)
        case m.STATEMENT:
            return _stated(hand, entry)
        case m.CHOICE:
            return _chosen(hand, entry, result)
        case _:
            return _accepted(hand, entry)


def left_out(hand: Hand, value: m.Body) -> list[bytes]:
    """The members that a membership leaves out, in mixing order."""
    return [member for member in hand.present if member not in value["members"]]


def _moved(hand: Hand, entry: Entry) -> Decision:
    """P107."""
    decision, value, who = hand.council, entry.body["value"], entry.identity
    ballot = (entry.body["ballot"], who)
    fresh = ballot[0] > 0 and ballot not in decision.motions
    demand(fresh and ballot > _promise(decision, who), "BAD_VOTE", "not a new ballot")
    moved = sum(proposer == who for _, proposer in decision.motions)
    demand(moved < MAX_MOTIONS, "BAD_VOTE", "it moves without end")
    demand(is_motion(value) and _sound(hand, value), "BAD_VOTE", "a value that cannot be moved")
    return replace(decision, motions={**decision.motions, ballot: value})


def _stated(hand: Hand, entry: Entry) -> Decision:
    """P108."""
    decision, body, who = hand.council, entry.body, entry.identity
    ballot = (body["ballot"], body["proposer"])
    if ballot not in decision.motions:
        raise RefusedError("OUT_OF_ORDER", "a ballot that is not here")
    demand(ballot > _promise(decision, who), "BAD_VOTE", "it has promised more")
    value = decision.motions[ballot]
    lost = left_out(hand, value) if value["verdict"] == m.MEMBERS else []
    demand([head["author"] for head in body["heads"]] == lost, "BAD_VOTE", "the heads of others")
    for head in body["heads"]:
        real = head["mark"] != bytes(16) or head["seq"] == 0
        demand(real and head["incarnation"] == hand.logs[head["author"]], "BAD_VOTE", "no entry that can be")
    if body["dealt"] and value["verdict"] == m.MEMBERS:
        demand(len(hand.slots) > 0, "OUT_OF_ORDER", "not everybody has agreed")
        for head in body["heads"]:
            late = head["mark"] != bytes(16) and head["seq"] >= hand.agreed[head["author"]]
            demand(late, "BAD_VOTE", "all have agreed, but not by these entries")
    stated = Stated(entry.mark, body["heads"], body["dealt"] == 1, decision.accepted.get(who))
    given = {**decision.statements.get(ballot, {}), who: stated}
    return replace(
        decision,
        statements={**decision.statements, ballot: given},
        promised={**decision.promised, who: ballot},
    )


def _chosen(hand: Hand, entry: Entry, result: bytes | None) -> Decision:
    """P91, P109."""
    decision, body, value = hand.council, entry.body, entry.body["value"]
    ballot = (body["ballot"], entry.identity)
    demand(ballot not in decision.choices, "REPEATED")
    demand(_sound(hand, value), "BAD_VOTE", "a value that cannot be decided")
    if body["ballot"] == 0:
        right = entry.identity == hand.chooser and not body["statements"] and value["verdict"] == m.END
        demand(right, "OUT_OF_PHASE", "another ends the hand")
        whole = not value["members"] or set(value["members"]) == set(hand.present)
        demand(whole and not value["joins"], "BAD_VOTE", "who plays next is not for one to choose")
    else:
        _on_statements(hand, ballot, body)
    if value["verdict"] == m.END:
        demand(result is not None, "OUT_OF_ORDER", "the hand is not played, or its moon not chosen")
        demand(value["result"] == result, "WRONG_RESULT", "another result")
    return replace(decision, choices={**decision.choices, ballot: value})


def _on_statements(hand: Hand, ballot: Ballot, body: m.Body) -> None:
    decision = hand.council
    given = decision.statements.get(ballot, {})
    by_mark = {stated.mark: who for who, stated in given.items()}
    here = ballot in decision.motions and set(body["statements"]) <= by_mark.keys()
    demand(here, "OUT_OF_ORDER", "statements that are not here")
    places = [hand.voters.index(by_mark[mark]) for mark in body["statements"]]
    demand(places == sorted(set(places)), "BAD_VOTE", "its statements in another order")
    named = {by_mark[mark]: given[by_mark[mark]] for mark in body["statements"]}
    demand(len(named) >= quorum(len(hand.voters)), "BAD_VOTE", "too few statements")
    motion = decision.motions[ballot]
    lost = left_out(hand, motion) if motion["verdict"] == m.MEMBERS else []
    right = chosen(decision, motion, named, body["statements"], lost)
    demand(body["value"] == right, "BAD_VOTE", "not what the statements demand")


def _accepted(hand: Hand, entry: Entry) -> Decision:
    """P92."""
    decision, body, who = hand.council, entry.body, entry.identity
    ballot = (body["ballot"], body["proposer"])
    if ballot not in decision.choices:
        raise RefusedError("OUT_OF_ORDER", "a choice that is not here")
    value = decision.choices[ballot]
    demand(body["value"] == value_hash(value), "WRONG_RESULT", "another value")
    demand(ballot >= _promise(decision, who), "BAD_VOTE", "it has promised more")
    demand(decision.accepted.get(who, (-1, b"")) < ballot, "REPEATED")
    signatures = decision.signatures
    if value["verdict"] == m.END:
        demand(len(body["signature"]) == ed25519.SIZE, "BAD_SIGNATURE", "no signature")
        ed25519.check_signature(who, "result", value["result"], body["signature"])
        signatures = {**signatures, who: body["signature"]}
    else:
        demand(not body["signature"], "BAD_VOTE", "it signs a result where there is none")
    votes = decision.votes.get(ballot, frozenset()) | {who}
    fallen = value if len(votes) >= quorum(len(hand.voters)) else None
    return replace(
        decision,
        promised={**decision.promised, who: max(ballot, _promise(decision, who))},
        accepted={**decision.accepted, who: ballot},
        votes={**decision.votes, ballot: votes},
        signatures=signatures,
        fallen=decision.fallen or fallen,
    )


def _promise(decision: Decision, who: bytes) -> Ballot:
    return decision.promised.get(who, NO_BALLOT)


def _sound(hand: Hand, value: m.Body) -> bool:
    return is_sound(value, hand.present, hand.members, len(hand.voters))
