"""Cheats about decisions: motions that nobody may make, promises that are not kept, choices that do not follow, votes out of
place. Most are told while all is well, in the place of a card; some need a third peer to be lost."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.protocol.envelope import Entry, digest
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import (
    Accept,
    Choice,
    Head,
    Kind,
    Motion,
    PlayCard,
    Statement,
    Value,
    Verdict,
)
from p2p_hearts.protocol.stages import council
from p2p_hearts.protocol.state import Deal
from p2p_hearts.simulation.adversary.cheat import Cheat, LeftOut, Nothing, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways

HASH = bytes(range(32))
MARK = HASH[:16]
MID_HAND = 1.0  # virtual seconds; by then cards are being played
FAR = 200  # decisions or ballots ahead
FLOOD = 200  # motions


def _place(deal: Deal, ballot: int = 1) -> tuple[int, int, int, int]:
    return deal.number, deal.attempt, deal.decision.number, ballot


def _all_stay(deal: Deal) -> Value:
    return Value(Verdict.MEMBERS, deal.present)


def _moved(liar: Liar, body: PlayCard, value: Value, ballot: int = 1) -> Words:
    return (body, Motion(*_place(liar.deal(body.hand), ballot), value))


def motion_of_too_few(liar: Liar, body: PlayCard) -> Words:
    """It moves to go on alone: fewer than a majority."""
    return _moved(liar, body, Value(Verdict.MEMBERS, (liar.me,)))


def motion_of_a_stranger(liar: Liar, body: PlayCard) -> Words:
    """It moves to go on with somebody who is no member of the hand."""
    return _moved(liar, body, Value(Verdict.MEMBERS, (*liar.deal(body.hand).present, HASH)))


def motion_with_one_twice(liar: Liar, body: PlayCard) -> Words:
    """It moves to go on with a list that names a member twice."""
    return _moved(liar, body, Value(Verdict.MEMBERS, (*liar.deal(body.hand).present, liar.me)))


def motion_with_a_horizon(liar: Liar, body: PlayCard) -> Words:
    """Its motion says itself which entries of another count, and draws the delegates."""
    deal = liar.deal(body.hand)
    return _moved(liar, body, Value(Verdict.MEMBERS, _without_victim(liar, deal), lot=HASH, dealt=1))


def motion_at_ballot_0(liar: Liar, body: PlayCard) -> Words:
    """It opens ballot 0, which has no motion."""
    return _moved(liar, body, _all_stay(liar.deal(body.hand)), 0)


def motion_twice(liar: Liar, body: PlayCard) -> Words:
    """It opens the same ballot twice, with two values."""
    deal = liar.deal(body.hand)
    value = Value(Verdict.MEMBERS, _without_victim(liar, deal))
    return (*_moved(liar, body, _all_stay(deal)), Motion(*_place(deal), value))


def motion_to_charge_a_stranger(liar: Liar, body: PlayCard) -> Words:
    """It moves to annul the hand, and to charge somebody who is no member of it."""
    return _moved(liar, body, Value(Verdict.ANNULLED, liar.deal(body.hand).present, charged=(HASH,)))


def motion_with_a_forged_join(liar: Liar, body: PlayCard) -> Words:
    """It moves to annul the hand, and to seat somebody who has not signed for it."""
    members = (*liar.deal(body.hand).present, HASH)
    return _moved(liar, body, Value(Verdict.ANNULLED, members, joins=(b"\x04" + bytes(200),)))


def motion_with_joins_in_a_hand(liar: Liar, body: PlayCard) -> Words:
    """It moves a membership of this very hand that brings somebody in."""
    return _moved(liar, body, replace(_all_stay(liar.deal(body.hand)), joins=(HASH,)))


def _victim(liar: Liar, deal: Deal) -> bytes:
    return next(member for member in deal.members if member != liar.me)


def evict_one(liar: Liar) -> Ways:
    """It moves to go on without a peer whom all see: nobody signs that on its word."""
    return _moving(liar, lambda deal: Value(Verdict.MEMBERS, _without_victim(liar, deal)))


def annul_a_bad_hand(liar: Liar) -> Ways:
    """It moves to have its hand dealt again: nobody agrees while all are there."""
    return _moving(liar, lambda deal: Value(Verdict.ANNULLED, deal.present))


def charge_one(liar: Liar) -> Ways:
    """It moves to annul the hand, and to charge a peer that is there."""
    return _moving(liar, lambda deal: Value(Verdict.ANNULLED, deal.present, charged=(_victim(liar, deal),)))


def end_unplayed(liar: Liar) -> Ways:
    """It moves to end the hand with a result that nobody can compute yet."""
    return _moving(liar, lambda deal: Value(Verdict.END, deal.present, HASH))


def motion_flood(liar: Liar) -> Ways:
    """It opens two hundred ballots at once, each to go on without a peer whom all see."""
    return _moving(liar, lambda deal: Value(Verdict.MEMBERS, _without_victim(liar, deal)), FLOOD)


def _without_victim(liar: Liar, deal: Deal) -> tuple[bytes, ...]:
    return tuple(member for member in deal.present if member != _victim(liar, deal))


def _moving(liar: Liar, value: Callable[[Deal], Value], ballots: int = 1) -> Ways:
    """Motions in the middle of a hand that its program writes itself, so that it goes on from there."""

    def change(entry: Entry) -> Words:
        if not liar.lied and isinstance(entry.body, PlayCard):
            liar.lied = True
            deal = liar.deal(entry.body.hand)
            for ballot in range(1, ballots + 1):
                liar.session._write(Motion(*_place(deal, ballot), value(deal)))  # noqa: SLF001
        return (entry.body,)

    return Ways(change)


def statement_for_others(liar: Liar, body: PlayCard) -> Words:
    """Its promise names the last entry of somebody whom the motion does not leave out."""
    deal = liar.deal(body.hand)
    head = liar.session.table.head(_victim(liar, deal))
    return (*_moved(liar, body, _all_stay(deal)), Statement(*_place(deal), liar.me, (head,), 1))


def statement_twice(liar: Liar, body: PlayCard) -> Words:
    """It promises twice at one ballot."""
    deal = liar.deal(body.hand)
    statement = Statement(*_place(deal), liar.me, (), 1)
    return (*_moved(liar, body, _all_stay(deal)), statement, statement)


def statement_below_its_promise(liar: Liar, body: PlayCard) -> Words:
    """It promises at ballot 2, then at ballot 1."""
    deal, value = liar.deal(body.hand), _all_stay(liar.deal(body.hand))
    moved = (*_moved(liar, body, value), Motion(*_place(deal, 2), value))
    return (*moved, Statement(*_place(deal, 2), liar.me, (), 1), Statement(*_place(deal, 1), liar.me, (), 1))


def statement_for_no_motion(liar: Liar, body: PlayCard) -> Words:
    """It promises at a ballot that nobody has opened, and all it says later has to wait for that."""
    deal = liar.deal(body.hand)
    return (Statement(*_place(deal, FAR), _victim(liar, deal), (), 1), body)


def choice_without_statements(liar: Liar, body: PlayCard) -> Words:
    """It chooses at its ballot before anybody has promised."""
    deal, value = liar.deal(body.hand), _all_stay(liar.deal(body.hand))
    return (*_moved(liar, body, value), Choice(*_place(deal), replace(value, lot=council.lot_of(())), ()))


def choice_with_made_up_marks(liar: Liar, body: PlayCard) -> Words:
    """It chooses on promises that nobody has written, and all it says later has to wait for these."""
    deal, value = liar.deal(body.hand), _all_stay(liar.deal(body.hand))
    return (*_moved(liar, body, value), Choice(*_place(deal), value, (MARK, HASH[16:], bytes(16))))


def vote_for_no_choice(liar: Liar, body: PlayCard) -> Words:
    """It accepts what nobody has chosen, and all it says later has to wait for that."""
    deal = liar.deal(body.hand)
    return (Accept(*_place(deal, FAR), _victim(liar, deal), HASH, b""), body)


def future_vote(liar: Liar, body: PlayCard) -> Words:
    """It votes in a decision that is far away, and all it says later has to wait for it."""
    deal = liar.deal(body.hand)
    number, attempt, decision, ballot = _place(deal)
    return (Motion(number, attempt, decision + FAR, ballot, _all_stay(deal)), body)


def vote_below_its_promise(liar: Liar, body: Accept) -> Words:
    """It promises ballot 1 and then accepts the end of the hand at ballot 0."""
    if body.hand == 0 or body.ballot:
        return (body,)
    deal = liar.deal(body.hand)
    return (Motion(*_place(deal), _all_stay(deal)), Statement(*_place(deal), liar.me, (), 1), body)


def other_lot(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses a value that draws other delegates than the promises do, itself perhaps."""
    return (replace(body, value=replace(body.value, lot=digest("lot", b"mine"))),) if body.ballot else (body,)


def lower_horizon(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses a value that takes back the last entry of that peer."""
    if not body.ballot or not body.value.horizons:
        return (body,)
    (head, *rest) = body.value.horizons
    before = replace(head, seq=head.seq - 1, mark=MARK)
    return (replace(body, value=replace(body.value, horizons=(before, *rest))),)


def not_dealt(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses a value that says no cards had been dealt, to have them dealt again."""
    return (replace(body, value=replace(body.value, dealt=0)),) if body.ballot and body.value.dealt else (body,)


def another_choice(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses to annul the hand instead of what it has moved itself."""
    if not body.ballot or body.value.verdict != Verdict.MEMBERS:
        return (body,)
    return (replace(body, value=Value(Verdict.ANNULLED, body.value.members)),)


def choice_on_fewer(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses on fewer promises than there must be."""
    return (replace(body, statements=body.statements[:-1]),) if body.ballot else (body,)


def choice_twice(_liar: Liar, body: Choice) -> Words:
    """When a peer is lost, it chooses twice at one ballot."""
    return (body, body) if body.ballot else (body,)


def made_up_head(_liar: Liar, body: Statement) -> Words:
    """When a peer is lost, it names an entry of that peer which nobody has, and then says no more."""
    if not body.heads:
        return (body,)
    heads = tuple(Head(head.author, head.incarnation, head.seq + 5, MARK) for head in body.heads)
    return (replace(body, heads=heads),)


def _withheld(kind: Kind, name: str) -> Cheat:
    """The cheat that keeps its part in a decision back, and all that it would write after that."""

    def ways(liar: Liar) -> Ways:
        def change(entry: Entry) -> Words | None:
            if entry.kind is not kind or not getattr(entry.body, "ballot", 0):
                return (entry.body,)
            liar.lied = True
            return None

        return Ways(change)

    what = f"When a peer is lost, it keeps its `{kind.name}` back from all."
    return Cheat(f"withhold-{name}", what, "P111", LeftOut(), ways, lost=MID_HAND)


CHEATS = (
    *(
        lying(motion, Kind.PLAY, "P106", by(Fault.BAD_VOTE))
        for motion in (
            motion_of_too_few,
            motion_of_a_stranger,
            motion_with_one_twice,
            motion_with_a_horizon,
            motion_to_charge_a_stranger,
            motion_with_a_forged_join,
            motion_with_joins_in_a_hand,
        )
    ),
    lying(motion_at_ballot_0, Kind.PLAY, "P107", by(Fault.BAD_VOTE)),
    lying(motion_twice, Kind.PLAY, "P107", by(Fault.BAD_VOTE)),
    acting(evict_one, "P110", Nothing()),
    acting(annul_a_bad_hand, "P110", Nothing()),
    acting(charge_one, "P110", Nothing()),
    acting(end_unplayed, "P110", Nothing()),
    acting(motion_flood, "P107", by(Fault.BAD_VOTE)),
    lying(statement_for_others, Kind.PLAY, "P108", by(Fault.BAD_VOTE)),
    lying(statement_twice, Kind.PLAY, "P108", by(Fault.BAD_VOTE)),
    lying(statement_below_its_promise, Kind.PLAY, "P108", by(Fault.BAD_VOTE)),
    lying(statement_for_no_motion, Kind.PLAY, "P108", LeftOut()),
    lying(choice_without_statements, Kind.PLAY, "P109", by(Fault.BAD_VOTE)),
    lying(choice_with_made_up_marks, Kind.PLAY, "P109", LeftOut()),
    lying(vote_for_no_choice, Kind.PLAY, "P92", LeftOut()),
    lying(future_vote, Kind.PLAY, "P105", LeftOut()),
    lying(vote_below_its_promise, Kind.ACCEPT, "P92", by(Fault.BAD_VOTE), hands=2),
    lying(other_lot, Kind.CHOICE, "P109", by(Fault.BAD_VOTE), lost=MID_HAND),
    lying(lower_horizon, Kind.CHOICE, "P109", by(Fault.BAD_VOTE), lost=MID_HAND),
    lying(not_dealt, Kind.CHOICE, "P109", by(Fault.BAD_VOTE), lost=MID_HAND),
    lying(another_choice, Kind.CHOICE, "P109", by(Fault.BAD_VOTE), lost=MID_HAND),
    lying(choice_on_fewer, Kind.CHOICE, "P109", by(Fault.BAD_VOTE), lost=MID_HAND),
    lying(choice_twice, Kind.CHOICE, "P109", by(Fault.REPEATED), lost=MID_HAND),
    lying(made_up_head, Kind.STATEMENT, "P110", LeftOut(), lost=MID_HAND),
    _withheld(Kind.STATEMENT, "promise"),
    _withheld(Kind.CHOICE, "choice"),
    _withheld(Kind.ACCEPT, "assent"),
)
