"""What follows once a decision has fallen (`protocol/decisions.md`, P115–P133), on a hand of five peers written out: opened
again or played on by delegates, annulled and paid for, ended with the members of the next, given up."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.envelope import Author, digest, seal_signed
from p2p_hearts.protocol.messages import Head, Join, Kind, Value, Verdict
from p2p_hearts.protocol.result import result_after, result_digest
from p2p_hearts.protocol.stages.membership import carry_out, give_up, given_up
from p2p_hearts.protocol.state import NO_MARK, Annulled, Deal, Game, Table
from tests.protocol.ballots import ALL, RUN, SCORE, SLOTS, A, B, C, D, E, hand, head, table_of

STAY = Value(Verdict.MEMBERS, (A, B, C, D), horizons=(head(5),), lot=bytes(range(32)))
DEALT = replace(STAY, dealt=1)


def carried(deal: Deal, value: Value, whole: Game | None = None, **fields: Any) -> Table | None:
    """The table once this has fallen."""
    deal = replace(deal, decision=replace(deal.decision, fallen=value))
    table = table_of(deal, whole, **fields)
    assert table.game is not None
    return carry_out("v", table, table.game, deal)


def now(table: Table | None) -> tuple[Table, Deal]:
    """A table that is there, and its current hand."""
    assert table is not None
    assert table.deal is not None
    return table, table.deal


def test_unchanged() -> None:
    """Nobody is left out: the hand goes on as it is, with the next decision."""
    before = hand(slots=SLOTS)
    table, deal = now(carried(before, Value(Verdict.MEMBERS, ALL)))
    assert deal == replace(before, decision=replace(deal.decision, number=1))
    assert (deal.decision.number, deal.decision.motions, deal.decision.fallen) == (1, {}, None)
    assert (table.era, table.removals, table.annulled) == (0, {}, ())


def test_opened_again() -> None:
    """Before shares can have left the hand is opened again without the lost: same number, dealer and voters, fewer members,
    and the attempt is the era that begins; nobody pays, and it counts as no removal."""
    table, deal = now(carried(hand(), STAY))
    assert (deal.number, deal.attempt, deal.dealer, deal.voters) == (3, 1, 2, ALL)
    assert set(deal.members) == {A, B, C, D}
    assert deal.sent == {}
    assert deal.decision.number == 1
    assert (table.era, table.annulled, table.scores, table.removals) == (1, (), (0,) * 6, {})
    assert deal.operators == (A, B, C, D, A, A)  # E's seat goes to the first of those who stay; the bot's is A's anyway


def test_opened_a_second_time() -> None:
    """The era counts the changes of the whole game: two openings never share an attempt."""
    _, deal = now(carried(hand(attempt=4), STAY, era=6))
    assert deal.attempt == 7


def test_delegates() -> None:
    """After that a delegate does the parts of the lost, drawn by H("delegate", lot, part) from those who stay; the keys and
    the order of mixing stay what they are."""
    table, deal = now(carried(hand(slots=SLOTS), DEALT))
    drawn = int.from_bytes(digest("delegate", DEALT.lot, E), "big") % 4
    assert deal.delegates == {E: (A, B, C, D)[drawn]}
    assert (deal.members, deal.attempt, deal.operators) == (ALL, 0, (A, B, C, D, E, A))
    assert deal.present == (A, B, C, D)
    assert (table.era, table.removals, table.limits) == (1, {E: 1}, {(3, 0, E): 5})


def test_the_parts_of_a_lost_delegate() -> None:
    """If a delegate is lost, too, others are drawn for its own part and for all that it did."""
    deal = hand(slots=SLOTS, delegates={E: D})
    value = Value(Verdict.MEMBERS, (A, B, C), horizons=(head(5, D),), lot=bytes(32), dealt=1)
    table, after = now(carried(deal, value, removals={E: 1}))
    assert after.delegates.keys() == {D, E}
    assert set(after.delegates.values()) <= {A, B, C}
    assert after.delegates[E] == (A, B, C)[int.from_bytes(digest("delegate", bytes(32), E), "big") % 3]
    assert table.removals == {D: 1, E: 1}


def test_another_lot_draws_others() -> None:
    """Over a hundred lots every member that stays is drawn: nobody can know beforehand whose cards it will get."""
    drawn = set()
    for number in range(100):
        lot = digest("lot", number.to_bytes(4, "big"))
        drawn.add(now(carried(hand(slots=SLOTS), replace(DEALT, lot=lot)))[1].delegates[E])
    assert drawn == {A, B, C, D}


def test_the_next_hand_is_prepared_anew() -> None:
    """What was mixed for the next hand with the lost one is thrown away."""
    deal = replace(hand(slots=SLOTS), decision=replace(hand().decision, fallen=DEALT))
    following = replace(hand(), number=4)
    table = table_of(deal, deals=MappingProxyType({3: deal, 4: following}))
    assert table.game is not None
    after = carry_out("v", table, table.game, deal)
    assert after is not None
    assert after.deals.keys() == {3}


def test_all_up_to_the_horizon_comes_first() -> None:
    """A decision takes effect once every entry of the lost up to its horizon counts; entry 5 of E does, entry 6 does not."""
    assert carried(hand(slots=SLOTS), DEALT) is not None
    assert carried(hand(slots=SLOTS), replace(DEALT, horizons=(head(6),))) is None
    assert carried(hand(), replace(STAY, horizons=(head(6),))) is None
    nothing = Head(E, RUN, 0, NO_MARK)  # nobody has anything of it
    table, _ = now(carried(hand(slots=SLOTS), replace(DEALT, horizons=(nothing,)), heads=MappingProxyType({})))
    assert table.limits == {(3, 0, E): -1}
    assert not table.overrun


@pytest.mark.parametrize(("horizon", "overrun"), [(3, True), (4, True), (5, False)])
def test_beyond_the_horizon(horizon: int, *, overrun: bool) -> None:
    """Entry 5 of E has been applied: if fewer count, the hand has to be gone through again."""
    table, _ = now(carried(hand(slots=SLOTS), replace(DEALT, horizons=(head(horizon),))))
    assert table.overrun == overrun
    assert table.limits == {(3, 0, E): horizon}


@pytest.mark.parametrize("voters", [ALL, (A, E)])
def test_annulled_without_escrow(voters: tuple[bytes, ...]) -> None:
    """Where nobody keeps pieces of the keys (at a table without escrow, or of two) the hand is dealt again, and who is lost
    pays: 26 for the seat of its own, nothing for those of bots (D23)."""
    deal = hand(slots=SLOTS, escrow=voters != ALL, voters=voters)
    table, fresh = now(carried(deal, DEALT))
    assert table.annulled == (Annulled(3, 0, (4,)),)
    assert table.scores == (0, 0, 0, 0, 26, 0)
    assert (fresh.number, fresh.attempt, fresh.dealer) == (3, 1, 2)
    assert set(fresh.voters) == set(fresh.members) == {A, B, C, D}
    assert fresh.decision.number == 1


def test_annulled() -> None:
    """Nobody scores; those named pay; the hand is dealt again, same number and dealer, with new voters, under a new attempt."""
    value = Value(Verdict.ANNULLED, (A, B, C), charged=(D, E))
    before = Annulled(3, 0, ())
    table, fresh = now(carried(hand(attempt=2), value, era=4, annulled=(before,), scores=(1, 2, 3, 4, 5, 6)))
    assert table.annulled == (before, Annulled(3, 1, (3, 4)))
    assert table.scores == (1, 2, 3, 30, 31, 6)
    assert (fresh.number, fresh.attempt, fresh.dealer, table.era) == (3, 5, 2, 5)
    assert set(fresh.voters) == set(fresh.members) == {A, B, C}
    assert fresh.decision.number == 1
    assert table.members == (A, B, C)
    assert table.sheet == ()


def test_an_annulled_hand_can_bring_people_back() -> None:
    """Its list may name who was left out before."""
    value = Value(Verdict.ANNULLED, (A, B, C, E))
    table, fresh = now(carried(hand(slots=SLOTS, delegates={E: A}), value, returning=frozenset({E})))
    assert E in fresh.members
    assert table.returning == frozenset()


# the end of a hand


def ended(deal: Deal, members: tuple[bytes, ...], joins: tuple[bytes, ...] = ()) -> Value:
    """The end of a scored hand."""
    table = table_of(deal)
    assert table.game is not None
    return Value(Verdict.END, members, result_digest(result_after(table, table.game, deal)), joins=joins)


SCORED = hand(score=SCORE)


def test_the_end() -> None:
    """The points are on the sheet, the next hand is the current one, its dealer is the next seat."""
    table, deal = now(carried(SCORED, ended(SCORED, ALL)))
    assert table.scores == (13, 13, 13, 13, 0, 0)
    assert [row.points for row in table.sheet] == [(13, 13, 13, 13, 0, 0)]
    assert (table.number, deal.number, deal.dealer, deal.attempt) == (4, 4, 3, 1)
    assert (table.deals[3].ended, table.over) == (True, False)
    assert set(deal.voters) == set(ALL)


def test_what_was_prepared_is_used_for_just_these() -> None:
    """If the members of the next hand are those for whom it was mixed, the deck stands; else it is opened anew in a new era."""
    fallen = ended(SCORED, ALL)
    deal = replace(SCORED, decision=replace(SCORED.decision, fallen=fallen))
    prepared = replace(hand(), number=4, sent={Kind.COMMIT_KEYS: {}})
    table = table_of(deal, deals=MappingProxyType({3: deal, 4: prepared}))
    assert table.game is not None
    assert now(carry_out("v", table, table.game, deal))[1] == prepared
    without = replace(deal, decision=replace(deal.decision, fallen=ended(SCORED, (A, B, C, D))))
    after, fresh = now(carry_out("v", table, table.game, without))
    assert (after.era, fresh.attempt, set(fresh.members)) == (1, 1, {A, B, C, D})


def test_limits_are_of_one_opening() -> None:
    """Who comes back writes on in the same log: what it may not say any more in one opening of a hand it may in the next."""
    deal = hand(score=SCORE, delegates={E: A})
    table, fresh = now(carried(deal, ended(deal, ALL), limits={(3, 0, E): 5}, returning=frozenset({E})))
    assert table.returning == frozenset()
    assert (fresh.number, fresh.attempt, E) not in table.limits


def join_of(name: str, incarnation: bytes = b"newcomer") -> tuple[bytes, bytes]:
    """The key of somebody, and its signed request for a place."""
    key = make_signing_key(seeded(name.encode()))
    join = Join("v", bytes(32), key.public, incarnation, name, key.public, (), 1, 0)
    return key.public, seal_signed(key, join)


def test_a_newcomer_takes_the_seat_of_a_bot() -> None:
    """Whoever joins by the list gets the first seat that a bot plays, with its score, under its own name."""
    new, frame = join_of("Zoe")
    members = (*ALL, new)
    table, deal = now(carried(SCORED, ended(SCORED, members, (frame,)), scores=(0, 0, 0, 0, 0, 7)))
    assert table.game is not None
    assert [seat.operator for seat in table.game.seats] == [A, B, C, D, E, new]
    assert (table.game.seats[5].name, table.game.seats[5].bot) == ("Zoe", None)
    assert table.scores[5] == 7
    assert set(deal.members) == set(members)
    assert deal.operators[5] == new
    assert table.lobby is not None
    assert Author(new, b"newcomer") in table.lobby.met


def test_a_name_that_is_taken() -> None:
    """Names stay told apart."""
    new, frame = join_of("A")
    table, _ = now(carried(SCORED, ended(SCORED, (*ALL, new), (frame,))))
    assert table.game is not None
    assert table.game.seats[5].name == "A 2"


def test_a_new_log_of_a_peer() -> None:
    """A peer of the game that comes with a new log keeps its seat, name and score; its old log counts no more."""
    key = make_signing_key(seeded(bytes((4,))))
    assert key.public == E
    join = Join("v", bytes(32), E, b"afterall", "other", bytes(32), ("10.0.0.9",), 9, 0)
    table, deal = now(carried(SCORED, ended(SCORED, ALL, (seal_signed(key, join),))))
    assert table.game is not None
    peer = table.peer(E)
    assert peer is not None
    assert (peer.author, peer.name, peer.addresses) == (Author(E, b"afterall"), "E", ("10.0.0.9",))
    assert [seat.operator for seat in table.game.seats] == [A, B, C, D, E, A]
    assert E in deal.members


# given up


@pytest.mark.parametrize(
    ("left", "over"), [((), False), ((D, E), False), ((C, D, E), True), ((B, C, D, E), True), (ALL, False)]
)
def test_when_a_game_is_given_up(left: tuple[bytes, ...], *, over: bool) -> None:
    """When so many have left for good that the rest can decide nothing; nobody is left to say so if all have."""
    table = table_of(hand(), left=frozenset(left))
    assert given_up(table, hand()) == over


def test_a_game_that_is_given_up() -> None:
    """Who has left pays for the hand, and the game is over with the scores it had."""
    table = table_of(hand(), left=frozenset({C, D, E}), scores=(1, 2, 3, 4, 5, 6))
    assert table.game is not None
    after = give_up(table, table.game, hand())
    assert after.over
    assert after.scores == (1, 2, 29, 30, 31, 6)
    assert after.annulled == (Annulled(3, 0, (2, 3, 4)),)
    assert after.sheet == ()
