"""Decisions: what all must agree on is voted on, never inferred. Each decision of a hand is one run of single-decree Paxos
(Lamport 2001) among the peers it began with, in log entries: a motion opens a ballot, statements promise and say what
their authors have accepted of those it leaves out, a choice fixes the value, acceptances make it fall (`protocol/decisions.md`).

Law: a decision falls once, with one value, whatever is lost and in whatever order entries come. What a voter may still say
follows from its own log, so that a vote against the rules is its own evidence. Whether to vote at all is for each voter to
judge (`voting.py`); nothing of that is here."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from p2p_hearts.crypto.signature import verify as verify_signature
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import RESULT, Entry, digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.log import MARK_BYTES
from p2p_hearts.protocol.messages import Accept, Choice, Head, Motion, Statement, Value, Verdict, VoteBody
from p2p_hearts.protocol.phases import next_dealer, scored
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.state import NO_BALLOT, NO_MARK, BallotId, Deal, Decision, Stated, put, quorum

MAX_MOTIONS = 64  # of one voter in one decision; each takes others a promise, and nobody is to keep them busy
MOTIONS_HEARD = 32  # of one voter in all decisions of a hand; those above are promised nothing


def apply_vote(deal: Deal, entry: Entry, body: VoteBody, result: bytes | None) -> Deal | None:
    """The hand after an entry of its current decision; None while the entry has to wait. `result` is the digest that we
    compute ourselves once the hand is scored.

    Raises RemoteProtocolError when its author may not say that.
    """
    author = entry.author.identity
    if author not in deal.voters:
        raise RemoteProtocolError(author, Fault.NOT_A_MEMBER, f"a vote in hand {deal.number}")
    after: Decision | None
    match body:
        case Motion():
            after = _move(deal, author, body)
        case Statement():
            after = _state(deal, author, body, entry.hash[:MARK_BYTES])
        case Choice():
            after = _choose(deal, author, body, result)
        case Accept():
            after = _accept(deal, author, body)
    if after is None:
        return deal if deal.ended else None  # once it has fallen nothing is waited for, but all is judged as before
    deal = replace(deal, decision=after)
    return (
        replace(deal, moved=put(deal.moved, author, deal.moved.get(author, 0) + 1))
        if isinstance(body, Motion)
        else deal
    )


def value_hash(value: Value) -> bytes:
    """What an acceptance names."""
    return digest("decision", pack(plain(value)))


def lot_of(marks: tuple[bytes, ...]) -> bytes:
    """What draws delegates: nobody knows it before the statements are written."""
    return digest("lot", *marks)


def left_out(deal: Deal, value: Value) -> tuple[bytes, ...]:
    """The members, not left out before, that a membership leaves out, in mixing order."""
    return tuple(member for member in deal.present if member not in value.members)


def contested(deal: Deal) -> frozenset[bytes]:
    """Whom an open motion would leave out."""
    moved = () if deal.ended else deal.decision.motions.values()
    return frozenset(lost for value in moved if value.members for lost in left_out(deal, value))


def horizons(deal: Deal, value: Value, statements: Mapping[bytes, Stated]) -> tuple[Head, ...]:
    """For each peer left out, the highest entry that any of the members names."""
    found = []
    for lost in left_out(deal, value):
        named = [head for stated in statements.values() for head in stated.heads if head.author == lost]
        found.append(max(named, key=lambda head: (head.seq, head.mark)))
    return tuple(found)


def repeated(decision: Decision, statements: tuple[Stated, ...]) -> Choice | None:
    """What Paxos demands: the choice at the highest ballot at which any of these voters had accepted one."""
    ballots = [stated.accepted for stated in statements if stated.accepted is not None]
    return decision.choices[max(ballots)] if ballots else None


def is_heard(deal: Deal, ballot: BallotId) -> bool:
    """Whether a ballot may be answered: its number is no higher than there are motions, since one that leaps ahead would
    leave no ballot above it; and its author does not move without end, in one decision after the other."""
    return ballot[0] <= len(deal.decision.motions) and deal.moved.get(ballot[1], 0) <= MOTIONS_HEARD


def is_plain_end(deal: Deal, value: Value) -> bool:
    """Whether a value may end a hand at ballot 0, where nobody has promised anything, so that one vote binds the ballots after
    it: it must leave its author nothing to choose."""
    whole = not value.members or (len(value.members) == len(deal.present) and set(value.members) == set(deal.present))
    return value.verdict == Verdict.END and whole and not value.joins


def _refuse(author: bytes, detail: str) -> RemoteProtocolError:
    return RemoteProtocolError(author, Fault.BAD_VOTE, detail)


def _move(deal: Deal, author: bytes, body: Motion) -> Decision:
    decision, value, ballot = deal.decision, body.value, (body.ballot, author)
    if body.ballot == 0 or ballot in decision.motions or ballot <= decision.promised.get(author, NO_BALLOT):
        raise _refuse(author, f"it opens ballot {body.ballot} again")
    if sum(1 for _, proposer in decision.motions if proposer == author) >= MAX_MOTIONS:
        raise _refuse(author, "it moves without end")
    if value.horizons or value.lot or value.dealt:
        raise _refuse(author, "it names horizons before there are statements")
    check_value(deal, author, value)
    return replace(decision, motions=put(decision.motions, ballot, value))


def check_value(deal: Deal, author: bytes, value: Value) -> None:
    """Checks what every peer can check of a value, whatever it sees of the others.

    Raises RemoteProtocolError.
    """
    members = set(value.members)
    if len(members) < len(value.members):
        raise _refuse(author, "it names a member twice")
    match value.verdict:
        case Verdict.MEMBERS:
            sound = members <= set(deal.present) and len(members) >= quorum(len(deal.voters)) and author in deal.voters
            sound = sound and not (value.result or value.charged or value.joins)
        case Verdict.END:
            sound = len(value.result) == len(digest("")) and not (
                value.charged or value.horizons or value.lot or value.dealt
            )
        case _:
            sound = bool(members) and not (value.result or value.horizons or value.lot or value.dealt)
            sound = sound and set(value.charged) <= set(deal.members)
    if not sound:
        raise _refuse(author, "a value that cannot be decided")


def _state(deal: Deal, author: bytes, body: Statement, mark: bytes) -> Decision | None:
    decision, ballot = deal.decision, (body.ballot, body.proposer)
    value = decision.motions.get(ballot)
    if value is None:
        return None
    if ballot <= decision.promised.get(author, NO_BALLOT):
        raise _refuse(author, f"it has promised more than ballot {body.ballot}")
    lost = left_out(deal, value) if value.verdict == Verdict.MEMBERS else ()
    if tuple(head.author for head in body.heads) != lost:
        raise _refuse(author, "it does not name those, and only those, that are left out")
    for head in body.heads:
        if deal.logs.get(head.author, head.incarnation) != head.incarnation or (head.mark == NO_MARK and head.seq):
            raise _refuse(author, "it names an entry that cannot be")
    if body.dealt and not deal.slots and value.verdict == Verdict.MEMBERS:
        return None  # what it holds is not here yet
    if body.dealt and any(head.mark == NO_MARK or head.seq < deal.agreed.get(head.author, 0) for head in body.heads):
        raise _refuse(author, "it says that all have agreed, and names none of the entries by which they did")
    stated = Stated(mark, body.heads, bool(body.dealt), decision.accepted.get(author))
    others = decision.statements.get(ballot, {})
    return replace(
        decision,
        statements=put(decision.statements, ballot, {**others, author: stated}),
        promised=put(decision.promised, author, ballot),
    )


def _choose(deal: Deal, author: bytes, body: Choice, result: bytes | None) -> Decision | None:
    decision, ballot = deal.decision, (body.ballot, author)
    if ballot in decision.choices:
        raise RemoteProtocolError(author, Fault.REPEATED, f"it chooses again at ballot {body.ballot}")
    check_value(deal, author, body.value)
    if body.ballot == 0:
        if author != next_dealer(deal) or body.statements or body.value.verdict != Verdict.END:
            raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, "only the next dealer's peer ends a hand at ballot 0")
        if not is_plain_end(deal, body.value):
            raise _refuse(author, "at ballot 0 the hand ends for just those who are present, or for good")
    else:
        motion = decision.motions.get(ballot)
        found = {each.mark: who for who, each in decision.statements.get(ballot, {}).items()}
        if motion is None or not set(body.statements) <= found.keys():
            return None
        places = [deal.voters.index(found[mark]) for mark in body.statements]
        if any(place >= following for place, following in pairwise(places)):
            raise _refuse(author, "the order of its statements would steer the lot")
        voters = {found[mark]: decision.statements[ballot][found[mark]] for mark in body.statements}
        if body.value != chosen(deal, motion, voters, body.statements):
            raise _refuse(author, "it does not choose what the statements demand")
    if body.value.verdict == Verdict.END:
        if not scored(deal):
            return None
        if body.value.result != result:
            raise RemoteProtocolError(author, Fault.WRONG_RESULT, f"the end of hand {body.hand}")
    return replace(decision, choices=put(decision.choices, ballot, body))


def chosen(deal: Deal, motion: Value, statements: Mapping[bytes, Stated], marks: tuple[bytes, ...]) -> Value | None:
    """The one value that may be chosen on these statements; None while there are too few."""
    if len(statements) < quorum(len(deal.voters)):
        return None
    before = repeated(deal.decision, tuple(statements.values()))
    if before is not None:
        return before.value
    if motion.verdict != Verdict.MEMBERS:
        return motion
    if not set(motion.members) <= statements.keys():
        return None
    of_members = {member: statements[member] for member in motion.members}
    dealt = int(any(stated.dealt for stated in of_members.values()))
    return replace(motion, horizons=horizons(deal, motion, of_members), lot=lot_of(marks), dealt=dealt)


def _accept(deal: Deal, author: bytes, body: Accept) -> Decision | None:
    decision, ballot = deal.decision, (body.ballot, body.proposer)
    choice = decision.choices.get(ballot)
    if choice is None:
        return None
    if body.value != value_hash(choice.value):
        raise RemoteProtocolError(author, Fault.WRONG_RESULT, f"it accepts another value for hand {body.hand}")
    if ballot < decision.promised.get(author, NO_BALLOT):
        raise _refuse(author, "it accepts what it has promised not to")
    if decision.accepted.get(author, (-1, b"")) >= ballot:
        raise RemoteProtocolError(author, Fault.REPEATED, f"it accepts again at ballot {body.ballot}")
    signatures = decision.signatures
    if choice.value.verdict == Verdict.END:
        with blaming(author, Fault.BAD_SIGNATURE):
            verify_signature(author, RESULT, choice.value.result, body.signature)
        signatures = put(signatures, author, body.signature)
    elif body.signature:
        raise _refuse(author, "it signs a result where there is none")
    votes = decision.votes.get(ballot, frozenset()) | {author}
    fallen = decision.fallen or (choice.value if len(votes) >= quorum(len(deal.voters)) else None)
    return replace(
        decision,
        promised=put(decision.promised, author, max(ballot, decision.promised.get(author, NO_BALLOT))),
        accepted=put(decision.accepted, author, ballot),
        votes=put(decision.votes, ballot, votes),
        signatures=signatures,
        fallen=fallen,
    )
