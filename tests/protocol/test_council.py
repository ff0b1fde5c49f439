"""The votes of a decision (`protocol/decisions.md`), on written-out hands of five peers: what may be said, what waits, what
falls, and who is at fault. No cards and no clocks: only what the logs say."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest

from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Value, Verdict
from p2p_hearts.protocol.stages.council import lot_of
from tests.protocol.ballots import (
    ALL,
    RESULT_DIGEST,
    SCORE,
    SLOTS,
    STAY,
    UNCHANGED,
    A,
    B,
    C,
    D,
    E,
    accept,
    after,
    choose,
    hand,
    head,
    marks,
    move,
    refused,
    state,
    waits,
)

FOUR = [state(who) for who in (A, B, C, D)]
LEFT_OUT = replace(STAY, horizons=(head(5),), lot=lot_of(marks(*FOUR)))


def test_a_peer_is_left_out() -> None:
    """A motion, the promises of all four that stay, the choice, and three votes of five: it falls with the third."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)), accept(A, LEFT_OUT), accept(B, LEFT_OUT))
    assert deal.decision.fallen is None
    assert after(deal, accept(C, LEFT_OUT)).decision.fallen == LEFT_OUT


def test_the_votes_of_one_ballot_count() -> None:
    """Two votes at one ballot and two at another are no majority of five, though all are for one value."""
    marked = [state(who, ballot=1) for who in (A, B, C, D)]
    first = replace(STAY, horizons=(head(5),), lot=lot_of(marks(*marked)))
    deal = after(hand(), move(A), *marked, choose(A, first, marks(*marked)), accept(A, first), accept(B, first))
    second = [state(who, B, 2) for who in (A, B, C, D)]
    deal = after(deal, move(B, ballot=2), *second, choose(B, first, marks(*second), 2))
    deal = after(deal, accept(C, first, B, 2), accept(D, first, B, 2))
    assert deal.decision.fallen is None
    assert after(deal, accept(A, first, B, 2)).decision.fallen == first


def test_the_highest_entry_named_is_the_horizon() -> None:
    """Of what the members have of the lost peer the furthest counts, whoever of them has it."""
    named = [state(A, heads=(head(5),)), state(B, heads=(head(9),)), state(C, heads=(head(7),)), state(D)]
    deal = after(hand(), move(A), *named)
    right = replace(STAY, horizons=(head(9),), lot=lot_of(marks(*named)))
    assert after(deal, choose(A, right, marks(*named))).decision.choices[1, A].value == right
    for wrong in (head(5), head(7), head(10)):
        refused(deal, *choose(A, replace(right, horizons=(wrong,)), marks(*named)))


def test_all_members_must_have_said_what_they_hold() -> None:
    """A membership is chosen on the promises of all who stay, not of a majority: one of them may hold more."""
    deal = after(hand(), move(A), *FOUR[:3])
    refused(deal, *choose(A, replace(LEFT_OUT, lot=lot_of(marks(*FOUR[:3]))), marks(*FOUR[:3])))


def test_the_promise_of_who_is_left_out() -> None:
    """Who is left out may promise, too, and names itself; it changes the lot, and nothing of the horizon."""
    lost = state(E, heads=(head(30),))
    named = [*FOUR, lost]
    deal = after(hand(), move(A), *named)
    value = replace(STAY, horizons=(head(5),), lot=lot_of(marks(*named)))
    assert after(deal, choose(A, value, marks(*named))).decision.choices[1, A].value == value


def test_dealt_if_one_of_them_held_all_agreements() -> None:
    """Shares may have left as soon as one member holds all agreements: then the hand is not opened again."""
    named = [*FOUR[:3], state(D, dealt=1)]
    deal = after(hand(slots=SLOTS), move(A), *named)
    right = replace(STAY, horizons=(head(5),), lot=lot_of(marks(*named)), dealt=1)
    refused(deal, *choose(A, replace(right, dealt=0), marks(*named)))
    after(deal, choose(A, right, marks(*named)))


def test_who_says_dealt_is_waited_for() -> None:
    """A promise that says that all agreements are in waits until they are here, too."""
    deal = after(hand(), move(A))
    assert waits(deal, *state(B, dealt=1))
    assert not waits(replace(deal, slots=SLOTS), *state(B, dealt=1))


@pytest.mark.parametrize(
    "value",
    [
        Value(Verdict.MEMBERS, (A, B)),
        Value(Verdict.MEMBERS, (A, B, C, C)),
        Value(Verdict.MEMBERS, (A, B, C, bytes(32))),
        replace(STAY, result=RESULT_DIGEST),
        replace(STAY, charged=(E,)),
        replace(STAY, joins=(b"join",)),
        replace(STAY, horizons=(head(5),)),
        replace(STAY, lot=RESULT_DIGEST),
        replace(STAY, dealt=1),
        Value(Verdict.END, ALL),
        Value(Verdict.END, ALL, RESULT_DIGEST[:31]),
        Value(Verdict.END, ALL, RESULT_DIGEST, charged=(E,)),
        Value(Verdict.ANNULLED, ()),
        Value(Verdict.ANNULLED, ALL, RESULT_DIGEST),
        Value(Verdict.ANNULLED, ALL, charged=(bytes(32),)),
    ],
)
def test_values_that_cannot_be_decided(value: Value) -> None:
    """Too few, twice, strangers, and what does not belong to the verdict: the mover is at fault (P106)."""
    refused(hand(), *move(A, value))


def test_members_who_were_left_out_do_not_come_back_in_a_hand() -> None:
    """Within a hand memberships only shrink."""
    refused(hand(delegates={E: A}), *move(A, UNCHANGED))


def test_ballots_are_opened_once_and_upwards() -> None:
    """Ballot 0 has no motion; one ballot has one; and who has promised more opens nothing below."""
    refused(hand(), *move(A, ballot=0))
    refused(after(hand(), move(A)), *move(A, UNCHANGED))
    after(hand(), move(A), move(B))  # of the same number, but not the same ballot
    promised = after(hand(), move(B, ballot=3), state(A, B, 3))
    refused(promised, *move(A, ballot=2))
    after(promised, move(A, ballot=4))


def test_a_promise_holds() -> None:
    """Who has promised a ballot promises none below it, nor the same again, and accepts nothing below."""
    deal = after(hand(), move(A), move(B, ballot=2), state(C, B, 2))
    refused(deal, *state(C, A, 1))
    refused(deal, *state(C, B, 2))


def test_nothing_is_accepted_below_a_promise() -> None:
    """Ballot 1 was chosen; C has promised ballot 2 since: its vote for ballot 1 convicts it."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)), move(B, ballot=2), state(C, B, 2))
    refused(deal, *accept(C, LEFT_OUT))
    after(deal, accept(D, LEFT_OUT))


def test_a_promise_names_those_left_out() -> None:
    """Just those that the motion leaves out, in mixing order."""
    for heads in ((), (head(5, D),), (head(5), head(5)), (head(5), head(5, D))):
        refused(after(hand(), move(A)), *state(B, heads=heads))
    deal = after(hand(), move(A, Value(Verdict.MEMBERS, (A, B, C))))
    after(deal, state(B, heads=(head(1, D), head(2, E))))
    refused(deal, *state(B, heads=(head(2, E), head(1, D))))


def test_what_paxos_demands() -> None:
    """Once somebody among the promising has accepted a value, that is chosen again, whatever was moved, by the promises of
    any majority."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)), accept(A, LEFT_OUT))
    deal = after(deal, move(B, UNCHANGED, 2))
    again = [state(who, B, 2, heads=()) for who in (A, B, E)]
    deal = after(deal, *again)
    refused(deal, *choose(B, replace(UNCHANGED, lot=lot_of(marks(*again))), marks(*again), 2))
    after(deal, choose(B, LEFT_OUT, marks(*again), 2))


def test_of_several_accepted_the_highest_ballot() -> None:
    """A has accepted at ballot 1, B at ballot 2: with both promises the value of ballot 2 is demanded."""
    first = Value(Verdict.ANNULLED, ALL)
    second = Value(Verdict.ANNULLED, ALL, charged=(E,))
    deal = after(hand(), move(A, first), *[state(who, heads=()) for who in (A, B, C)])
    deal = after(deal, choose(A, first, marks(*[state(who) for who in (A, B, C)])), accept(A, first))
    named = [state(who, B, 2, heads=()) for who in (C, D, E)]  # none of whom has accepted anything
    deal = after(deal, move(B, second, 2), *named, choose(B, second, marks(*named), 2), accept(C, second, B, 2))
    third = [state(who, C, 3, heads=()) for who in (A, C, D)]
    deal = after(deal, move(C, first, 3), *third)
    refused(deal, *choose(C, first, marks(*third), 3))
    after(deal, choose(C, second, marks(*third), 3))


def test_the_promises_that_are_named_decide() -> None:
    """A majority without the one who had accepted may choose what was moved: nothing can have fallen that it does not know."""
    first = Value(Verdict.ANNULLED, ALL)
    second = Value(Verdict.ANNULLED, ALL, charged=(E,))
    named = [state(who, heads=()) for who in (A, B, C)]
    deal = after(hand(), move(A, first), *named, choose(A, first, marks(*named)), accept(A, first))
    others = [state(who, B, 2, heads=()) for who in (B, C, D)]
    after(deal, move(B, second, 2), *others, choose(B, second, marks(*others), 2))


def test_a_choice_waits_for_the_promises_it_names() -> None:
    """It is judged once they are here, not before."""
    deal = after(hand(), move(A), *FOUR[:3])
    assert waits(deal, *choose(A, LEFT_OUT, marks(*FOUR)))
    assert waits(hand(), *choose(A, LEFT_OUT, marks(*FOUR)))  # no motion yet either
    assert not waits(after(deal, FOUR[3]), *choose(A, LEFT_OUT, marks(*FOUR)))


def test_one_choice_a_ballot() -> None:
    """A second one is its author's fault."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)))
    refused(deal, *choose(A, LEFT_OUT, marks(*FOUR)), Fault.REPEATED)


def test_a_vote_waits_for_its_choice_and_is_given_once() -> None:
    """What it names must be what was chosen."""
    deal = after(hand(), move(A), *FOUR)
    assert waits(deal, *accept(B, LEFT_OUT))
    deal = after(deal, choose(A, LEFT_OUT, marks(*FOUR)), accept(B, LEFT_OUT))
    refused(deal, *accept(B, LEFT_OUT), Fault.REPEATED)
    refused(deal, *accept(C, STAY), Fault.WRONG_RESULT)
    who, vote = accept(C, LEFT_OUT)
    refused(deal, who, replace(vote, signature=bytes(64)))  # there is no result to sign


ENDED = Value(Verdict.END, ALL, RESULT_DIGEST)


def test_the_end_at_ballot_0() -> None:
    """The peer of the next dealer's seat ends a scored hand without promises, and three of five make it fall (P91)."""
    deal = after(hand(score=SCORE), choose(B, ENDED, ballot=0))
    deal = after(deal, accept(B, ENDED, B, 0), accept(C, ENDED, B, 0))
    assert deal.decision.fallen is None
    deal = after(deal, accept(E, ENDED, B, 0))
    assert deal.decision.fallen == ENDED
    assert set(after(deal, accept(A, ENDED, B, 0)).decision.signatures) == {A, B, C, E}


def test_ballot_0_is_the_next_dealers() -> None:
    """Another ends no hand there; nobody decides anything else there; nobody before the hand is scored."""
    scored = hand(score=SCORE)
    for who in (A, C, D, E):
        refused(scored, *choose(who, ENDED, ballot=0), Fault.OUT_OF_PHASE)
    refused(scored, *choose(B, Value(Verdict.ANNULLED, ALL), ballot=0), Fault.OUT_OF_PHASE)
    refused(scored, *choose(B, ENDED, (bytes(16),), 0), Fault.OUT_OF_PHASE)
    assert waits(hand(), *choose(B, ENDED, ballot=0))
    shot = replace(SCORE, moon=2)
    assert waits(hand(score=shot), *choose(B, ENDED, ballot=0))
    assert not waits(hand(score=shot, choice="add"), *choose(B, ENDED, ballot=0))


def test_the_delegate_of_the_next_dealer_ends_the_hand() -> None:
    """If the next dealer's peer was left out, its delegate writes the end."""
    deal = hand(score=SCORE, delegates={B: D})
    staying = replace(ENDED, members=(A, C, D, E))
    refused(deal, *choose(B, staying, ballot=0), Fault.OUT_OF_PHASE)
    after(deal, choose(D, staying, ballot=0))


def test_another_result() -> None:
    """A result that we do not compute ourselves is not chosen, and a signature that does not hold is no vote."""
    other = replace(ENDED, result=bytes(32))
    refused(hand(score=SCORE), *choose(B, other, ballot=0), Fault.WRONG_RESULT)
    deal = after(hand(score=SCORE), choose(B, ENDED, ballot=0))
    who, vote = accept(C, ENDED, B, 0)
    refused(deal, who, replace(vote, signature=bytes(64)), Fault.BAD_SIGNATURE)
    stolen = accept(D, ENDED, B, 0)[1].signature
    refused(deal, who, replace(vote, signature=stolen), Fault.BAD_SIGNATURE)


def test_who_has_accepted_ballot_0_is_heard_at_the_next() -> None:
    """An end that one has accepted at ballot 0 is what the next ballot has to choose if that one promises."""
    deal = after(hand(score=SCORE), choose(B, ENDED, ballot=0), accept(C, ENDED, B, 0), move(A, UNCHANGED))
    named = [state(who, heads=()) for who in (A, C, D)]
    deal = after(deal, *named)
    refused(deal, *choose(A, replace(UNCHANGED, lot=lot_of(marks(*named))), marks(*named)))
    after(deal, choose(A, ENDED, marks(*named)))


def test_only_voters_vote() -> None:
    """Who did not begin the hand has no vote in it; who was left out of it since has."""
    stranger = bytes(32)
    refused(hand(), stranger, move(A)[1], Fault.NOT_A_MEMBER)
    refused(hand(voters=(A, B, C, D)), *move(E), Fault.NOT_A_MEMBER)
    after(hand(delegates={E: A}), move(E, Value(Verdict.MEMBERS, (A, B, C, D))))


def test_after_the_fall() -> None:
    """A vote that comes too late decides nothing and waits for nothing; but it is judged as it would have been before, so that
    all come to the same verdict, whenever they hear of it. Signatures still count."""
    deal = after(hand(score=SCORE), choose(B, ENDED, ballot=0), *[accept(who, ENDED, B, 0) for who in (A, B, C)])
    over = replace(deal, ended=True)
    assert after(over, move(D)).decision.fallen == ENDED
    assert after(over, state(D, ballot=9)) == over
    assert after(over, choose(D, LEFT_OUT, marks(*FOUR), 7)) == over
    refused(over, *move(D, ballot=0))
    refused(over, *choose(D, ENDED, ballot=0), Fault.OUT_OF_PHASE)
    promised = after(over, move(D), state(E, D, heads=(head(5),)))
    refused(promised, *accept(E, ENDED, B, 0))
    assert D in after(over, accept(D, ENDED, B, 0)).decision.signatures


def test_the_order_does_not_matter() -> None:
    """Three votes of three peers in any order lead to the same decision."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)))
    votes = [accept(who, LEFT_OUT) for who in (B, C, D)]
    ends: list[Mapping[bytes, tuple[int, bytes]]] = []
    for order in permutations(votes):
        decision = after(deal, *order).decision
        assert decision.fallen == LEFT_OUT
        ends.append(dict(decision.accepted))
    assert all(end == ends[0] for end in ends)
