"""What a voter does in a decision (`protocol/decisions.md`), by what it sees itself: when it moves, whom it lets go, what it
accepts. Five peers, written out; E is the one that is lost."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from p2p_hearts.protocol.messages import Accept, Choice, Head, Motion, Statement, Value, Verdict, VoteBody
from p2p_hearts.protocol.result import result_after, result_digest
from p2p_hearts.protocol.stages.council import lot_of, value_hash
from p2p_hearts.protocol.state import Deal, Table, frozen
from p2p_hearts.protocol.voting import Sight, next_vote
from tests.protocol.ballots import (
    ALL,
    KEYS,
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
    game,
    hand,
    head,
    marks,
    move,
    refused,
    state,
    table_of,
)

FOUR = [state(who) for who in (A, B, C, D)]
LEFT_OUT = replace(STAY, horizons=(head(5),), lot=lot_of(marks(*FOUR)))
NOBODY: frozenset[bytes] = frozenset()
LOST = frozenset({E})


def sight(missed: frozenset[bytes] = LOST, **fields: Any) -> Sight:
    """What one sees: who is missed, and that nothing has moved for long unless said otherwise."""
    there = frozenset(ALL) - missed
    whole = Sight(missed, there, NOBODY, NOBODY, {}, noticed=60.0, quiet=0.0, begun=60.0, holds=lambda _head: True)
    return replace(whole, **fields)


def vote(who: bytes, deal: Deal, seen: Sight, **table: Any) -> VoteBody | None:
    """What one writes next."""
    whole = table_of(deal, **table)
    assert whole.game is not None
    return next_vote(whole, whole.game, deal, KEYS[ALL.index(who)], seen)


def test_nothing_to_decide() -> None:
    """While nobody is missed and nothing is moved nobody votes."""
    assert all(vote(who, hand(), sight(NOBODY)) is None for who in ALL)


def test_one_after_the_other_moves() -> None:
    """The first of those who stay moves at once, each next a second later, so that ballots do not chase each other."""
    for rank, who in enumerate((A, B, C, D)):
        assert vote(who, hand(), sight(noticed=rank - 0.1)) is None
        assert vote(who, hand(), sight(noticed=float(rank))) == Motion(3, 0, 0, 1, STAY)


def test_who_misses_the_first_moves_first() -> None:
    """If A is lost, B is the first in order."""
    without_a = Value(Verdict.MEMBERS, (B, C, D, E))
    assert vote(B, hand(), sight(frozenset({A}), noticed=0.0)) == Motion(3, 0, 0, 1, without_a)


def test_too_few_decide_nothing() -> None:
    """Who sees fewer than a majority waits: perhaps it is itself that is cut off."""
    for slots in ((), SLOTS):
        assert vote(A, hand(slots=slots), sight(frozenset({C, D, E}))) is None


def test_consent() -> None:
    """One promises only to leave out whom one misses oneself; the one to be left out need not agree."""
    deal = after(hand(), move(A))
    assert vote(B, deal, sight()) == Statement(3, 0, 0, 1, A, (head(5),), 0)
    assert vote(B, deal, sight(NOBODY)) is None
    assert vote(C, deal, sight(frozenset({D}))) is None
    assert vote(E, deal, sight(NOBODY)) == Statement(3, 0, 0, 1, A, (head(5),), 0)


def test_a_promise_says_how_far_one_is() -> None:
    """The last entry of the lost that one has applied, and whether one holds all agreements."""
    deal = after(hand(slots=SLOTS), move(A))
    heads = {table_of(deal).author(E): head(12)}
    assert vote(B, deal, sight(), heads=MappingProxyType(heads)) == Statement(3, 0, 0, 1, A, (head(12),), 1)
    none = vote(B, deal, sight(), heads=MappingProxyType({}))
    assert isinstance(none, Statement)
    assert [(named.seq, named.mark) for named in none.heads] == [(0, bytes(16))]


def test_one_promises_the_highest_ballot_that_one_agrees_to() -> None:
    """Two motions are open: to leave out E, whom one misses, and above it D, whom one sees."""
    deal = after(hand(), move(A), move(B, Value(Verdict.MEMBERS, (A, B, C, E)), 2))
    assert vote(C, deal, sight()) == Statement(3, 0, 0, 1, A, (head(5),), 0)


def test_who_has_promised_writes_nothing_else() -> None:
    """From the promise to the fall one builds on nothing new."""
    deal = after(hand(), move(A), *FOUR[1:2])
    assert frozen(deal, B)
    assert not frozen(deal, C)
    assert not frozen(replace(deal, ended=True), B)


def test_what_hangs_is_moved_again() -> None:
    """A decision that was begun and does not move for five seconds is moved again: if all are back, as unchanged (one after
    the other, from the first)."""
    deal = after(hand(), move(A), *FOUR[:2])
    assert vote(A, deal, sight(NOBODY, quiet=5.0)) is None
    assert vote(A, deal, sight(NOBODY, quiet=5.1)) == Motion(3, 0, 0, 2, UNCHANGED)
    assert vote(B, deal, sight(NOBODY, quiet=5.1)) is None
    assert vote(B, deal, sight(NOBODY, quiet=6.1)) == Motion(3, 0, 0, 2, UNCHANGED)
    assert vote(A, deal, sight(quiet=5.1)) == Motion(3, 0, 0, 2, STAY)


def test_a_new_ballot_is_above_all_that_one_knows() -> None:
    """Above every motion and every promise of one's own."""
    deal = after(hand(), move(B, ballot=7), state(A, B, 7))
    assert vote(A, deal, sight(quiet=5.1)) == Motion(3, 0, 0, 8, STAY)


def test_a_hand_has_an_end_of_ballots() -> None:
    """After 64 motions of its own in one decision nobody moves any more; one more would be a violation."""
    deal = after(hand(), *(move(A, ballot=number) for number in range(1, 65)))
    assert not isinstance(vote(A, after(deal, state(A, A, 64)), sight(quiet=5.1)), Motion)
    refused(deal, *move(A, ballot=65))


def test_a_ballot_that_leaps_ahead() -> None:
    """A ballot numbered higher than there are motions is promised nothing: none could be above the last one. The next motion
    is numbered as if it were not there."""
    deal = after(hand(), move(A, ballot=700))
    assert vote(B, deal, sight()) is None
    assert vote(A, deal, sight(quiet=5.1)) == Motion(3, 0, 0, 1, STAY)


def test_the_choice() -> None:
    """Whose ballot it is chooses once all who stay have promised, with the lot of all promises that are in."""
    deal = after(hand(), move(A), *FOUR[:3])
    assert vote(A, deal, sight()) is None
    assert vote(A, after(deal, FOUR[3]), sight()) == Choice(3, 0, 0, 1, LEFT_OUT, marks(*FOUR))
    assert vote(B, after(deal, FOUR[3]), sight()) is None


def test_nothing_is_chosen_below_a_promise() -> None:
    """Who has promised a higher ballot since lets its own go."""
    deal = after(hand(), move(A), *FOUR, move(B, ballot=2), state(A, B, 2))
    assert vote(A, deal, sight()) is None


def test_the_assent() -> None:
    """One accepts a membership if one holds what it says of the lost, and no sooner; also if one does not miss anybody now."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)))
    assert vote(B, deal, sight(NOBODY)) == Accept(3, 0, 0, 1, A, value_hash(LEFT_OUT), b"")
    asked: list[Head] = []

    def lacks(named: Head) -> bool:
        asked.append(named)
        return False

    assert vote(B, deal, sight(holds=lacks)) is None
    assert asked == [head(5)]


def test_nothing_is_accepted_twice() -> None:
    """Nor below what one has promised."""
    deal = after(hand(), move(A), *FOUR, choose(A, LEFT_OUT, marks(*FOUR)))
    assert vote(B, after(deal, accept(B, LEFT_OUT)), sight()) is None
    promised = after(deal, move(C, ballot=2), state(B, C, 2))
    assert vote(B, promised, sight()) is None


# annulled


def test_annulled_if_too_few_of_the_members_are_left() -> None:
    """D and E were lost and have come back; now C is lost, too: two members are left, but four voters are there. Cards had been
    dealt, so C is charged, but not those who are only delegated."""
    deal = hand(slots=SLOTS, delegates={D: A, E: B})
    seen = sight(frozenset({C}))
    expected = Value(Verdict.ANNULLED, (A, B), charged=(C,))
    assert vote(A, deal, seen) == Motion(3, 0, 0, 1, expected)
    back = frozenset({D, E})
    both = replace(expected, members=(A, B, D, E))
    assert vote(A, deal, seen, returning=back) == Motion(3, 0, 0, 1, both)
    assert vote(A, hand(delegates={D: A, E: B}), seen) == Motion(3, 0, 0, 1, replace(expected, charged=()))


def test_annulled_for_a_fork() -> None:
    """Who has signed two versions of an entry after the agreement spoils the hand, and pays for it; before the agreement it
    is dealt again as well, and nobody pays: some may have built on either version."""
    seen = sight(forked=LOST)
    assert vote(A, hand(slots=SLOTS), seen) == Motion(3, 0, 0, 1, Value(Verdict.ANNULLED, (A, B, C, D), charged=(E,)))
    assert vote(A, hand(), seen) == Motion(3, 0, 0, 1, Value(Verdict.ANNULLED, (A, B, C, D)))


@pytest.mark.parametrize(
    ("value", "agreed"),
    [
        (Value(Verdict.ANNULLED, (A, B, C, D), charged=(E,)), True),
        (Value(Verdict.ANNULLED, (A, B, C, D)), False),  # lets the forker off
        (Value(Verdict.ANNULLED, (A, B, C, D), charged=(D,)), False),  # whom we see
        (Value(Verdict.ANNULLED, (A, B, C), charged=(E,)), False),  # drops D, whom we see
        (Value(Verdict.ANNULLED, ALL, charged=(E,)), False),  # takes the forker in again
    ],
)
def test_which_annulment_one_agrees_to(value: Value, *, agreed: bool) -> None:
    """After a fork: one that charges all whom one misses and nobody else, drops nobody whom one sees, and takes in nobody
    who is out."""
    deal = after(hand(slots=SLOTS), move(A, value))
    assert (vote(B, deal, sight(forked=LOST, out=LOST)) is not None) == agreed


def test_no_annulment_without_need() -> None:
    """As long as a majority of the members is there and nobody has forked, nobody agrees to deal again."""
    deal = after(hand(slots=SLOTS), move(A, Value(Verdict.ANNULLED, (A, B, C, D), charged=(E,))))
    assert vote(B, deal, sight()) is None


# the end of a hand


def ended(table: Table, members: tuple[bytes, ...], joins: tuple[bytes, ...] = ()) -> Value:
    """The end of the hand with its right result."""
    deal = table.deal
    assert table.game is not None
    assert deal is not None
    return Value(Verdict.END, members, result_digest(result_after(table, table.game, deal)), joins=joins)


SCORED = hand(score=SCORE)
END = ended(table_of(SCORED), ALL)


def test_the_next_dealer_ends_the_hand() -> None:
    """B, whose seat deals next, and nobody else; not while a void proof is still to be verified, nor before a moon is chosen."""
    seen = sight(NOBODY)
    assert vote(B, SCORED, seen) == Choice(3, 0, 0, 0, END, ())
    assert all(vote(who, SCORED, seen) is None for who in (A, C, D, E))
    assert vote(B, replace(SCORED, unproved=frozenset({bytes(16)})), seen) is None
    assert vote(B, hand(score=replace(SCORE, moon=0)), seen) is None


def test_the_last_hand_has_no_next() -> None:
    """When the agreed number of hands is played, the list of the next is empty, and no other is agreed to."""
    last = table_of(SCORED, game(hands=3))
    assert last.game is not None
    over = ended(last, ())
    assert next_vote(last, last.game, SCORED, KEYS[1], sight(NOBODY)) == Choice(3, 0, 0, 0, over, ())
    deal = after_end(SCORED, END)
    assert next_vote(replace(last, deals={3: deal}), last.game, deal, KEYS[0], sight(NOBODY)) is None


def after_end(deal: Deal, value: Value) -> Deal:
    """The hand with its end written by B."""
    ballot = (0, B)
    decision = replace(deal.decision, choices={ballot: choose(B, value, ballot=0)[1]})
    return replace(deal, decision=decision)


def test_the_result_is_computed_before_it_is_accepted() -> None:
    """Our own result, and our signature over it."""
    assert vote(A, after_end(SCORED, END), sight(NOBODY)) == accept(A, END, B, 0)[1]
    assert vote(A, after_end(SCORED, replace(END, result=bytes(32))), sight(NOBODY)) is None


def test_no_list_that_drops_a_peer_that_one_sees() -> None:
    """A list for the next hand without E is accepted only by who misses E."""
    dropped = after_end(SCORED, ended(table_of(SCORED), (A, B, C, D)))
    assert vote(A, dropped, sight(NOBODY)) is None
    assert isinstance(vote(A, dropped, sight()), Accept)
    assert isinstance(vote(A, after_end(SCORED, END), sight()), Accept)  # with E, whom others may see


def test_an_end_that_nobody_accepts_hangs() -> None:
    """A list at ballot 0 that drops a peer whom the others see is moved again after five seconds, rightly, by the first."""
    dropped = after_end(SCORED, ended(table_of(SCORED), (A, B, C, D)))
    assert vote(A, dropped, sight(NOBODY, quiet=5.0)) is None
    assert vote(A, dropped, sight(NOBODY, quiet=5.1)) == Motion(3, 0, 0, 1, END)
    assert vote(C, dropped, sight(NOBODY, quiet=5.1)) is None


def test_who_comes_back_has_asked() -> None:
    """A peer that was left out is in the next list if it has asked for that and is there; the next dealer's peer moves that,
    since at ballot 0 there is nothing to choose (P91)."""
    deal = hand(score=SCORE, delegates={E: A})
    without = ended(table_of(deal), (A, B, C, D))
    assert vote(B, deal, sight(NOBODY)) == Choice(3, 0, 0, 0, without, ())
    with_it = ended(table_of(deal), ALL)
    asked = {"returning": frozenset({E})}
    assert vote(B, deal, sight(NOBODY), **asked) == Motion(3, 0, 0, 1, with_it)
    assert vote(A, deal, sight(NOBODY), **asked) is None
    assert vote(B, deal, sight(NOBODY, there=frozenset({A, B, C, D})), **asked) == Choice(3, 0, 0, 0, without, ())
    assert vote(B, deal, sight(), **asked) == Choice(3, 0, 0, 0, without, ())


def test_returners_alone_are_never_a_quorum() -> None:
    """Three of five were left out and come back: two of them find a place beside the two that stayed, since two of four are
    no majority; all three of five would be."""
    deal = hand(score=SCORE, delegates={C: A, D: A, E: A})
    chosen = vote(B, deal, sight(NOBODY), returning=frozenset({C, D, E}))
    assert isinstance(chosen, Motion)
    assert {A, B} < set(chosen.value.members)
    assert len(chosen.value.members) == 4
    too_many = after(deal, move(B, ended(table_of(deal), ALL)))
    assert vote(A, too_many, sight(NOBODY), returning=frozenset({C, D, E})) is None
    moved = after(deal, move(B, chosen.value))
    assert isinstance(vote(A, moved, sight(NOBODY), returning=frozenset({C, D, E})), Statement)


@pytest.mark.parametrize(("welcomes", "place"), [((), False), ((A, B), False), ((A, B, C), True)])
def test_left_out_three_times(welcomes: tuple[bytes, ...], *, place: bool) -> None:
    """Who was left out three times comes back only if a majority of the members that are there says so."""
    deal = hand(score=SCORE, delegates={E: A})
    welcomed: Mapping[bytes, frozenset[bytes]] = {E: frozenset(welcomes)}
    removals: Mapping[bytes, int] = {E: 3}
    chosen = vote(B, deal, sight(NOBODY), returning=frozenset({E}), welcomed=welcomed, removals=removals)
    assert isinstance(chosen, Choice | Motion)
    assert (E in chosen.value.members) == place
    twice = vote(B, deal, sight(NOBODY), returning=frozenset({E}), removals={E: 2})
    assert isinstance(twice, Motion)
    assert E in twice.value.members


def test_a_signature_after_the_fall() -> None:
    """Who has not signed the result when it has fallen signs it then, and nothing else any more."""
    deal = after_end(SCORED, END)
    over = replace(deal, ended=True, decision=replace(deal.decision, fallen=END))
    assert vote(E, over, sight(NOBODY)) == accept(E, END, B, 0)[1]
    assert vote(E, over, sight(NOBODY), scores=(13, 13, 13, 13, 0, 0)) == accept(E, END, B, 0)[1]  # they count by then
    signed = replace(over, decision=replace(over.decision, signatures={E: bytes(64)}))
    assert vote(E, signed, sight(NOBODY)) is None


def test_who_has_no_vote() -> None:
    """Who did not begin the hand writes nothing, whatever it sees."""
    assert vote(E, hand(voters=(A, B, C, D)), sight(frozenset({D}))) is None
