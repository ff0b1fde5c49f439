"""Attacks on decisions by one altered program, or by fewer than a majority together (`protocol/decisions.md`): whatever they
sign, nobody who is there is left out, nothing that counts is taken back, and the table goes on."""

from dataclasses import replace

import pytest

from p2p_hearts.protocol.door import MAX_GUESTS
from p2p_hearts.protocol.envelope import Entry, Tag, open_signed, seal_signed
from p2p_hearts.protocol.gossip import PLEASE_WAIT, Gossip
from p2p_hearts.protocol.messages import (
    Accept,
    Body,
    Choice,
    CommitKeys,
    DialogueBody,
    Head,
    Heartbeat,
    Kind,
    Motion,
    Statement,
    Value,
    Verdict,
)
from p2p_hearts.protocol.phases import next_dealer, scored
from p2p_hearts.protocol.session import _course
from p2p_hearts.protocol.stages.council import MOTIONS_HEARD, contested, lot_of, value_hash
from p2p_hearts.protocol.stages.playing import played_on
from p2p_hearts.protocol.state import NO_MARK
from tests.protocol.ballots import (
    ALL,
    RUN,
    SLOTS,
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
    table_of,
)
from tests.protocol.forger import Forger
from tests.protocol.hall import NAMES, Hall, play, seated
from tests.protocol.test_voting import NOBODY, SCORED, after_end, ended, sight, vote
from tests.protocol.test_watch import eyes

FOUR = [state(who) for who in (A, B, C, D)]
COMMITTED = CommitKeys(3, 0, bytes(32), bytes(32))
LOGS = dict.fromkeys(ALL, RUN)
AGREED = dict.fromkeys(ALL, 5)  # everybody's agreement is entry 5


# the end at ballot 0


@pytest.mark.parametrize("members", [(A, B, C, D), (A, B)], ids=["without one", "without many"])
def test_an_end_that_drops_somebody_at_ballot_0(members: tuple[bytes, ...]) -> None:
    """One vote at ballot 0, its author's own, would bind all later ballots: so its author has nothing to choose there (P91)."""
    value = ended(table_of(SCORED), members)
    refused(SCORED, *choose(B, value, ballot=0))
    refused(SCORED, *choose(B, replace(ended(table_of(SCORED), ALL), joins=(b"join",)), ballot=0))


def test_a_vote_for_ones_own_choice_demands_nothing() -> None:
    """Whoever accepts what it has chosen itself has thereby not made it what others must accept (P110)."""
    dropped = ended(table_of(SCORED), (A, B, C, D))
    deal = after(after_end(SCORED, dropped), accept(B, dropped, B, 0))
    assert vote(A, deal, sight(NOBODY)) is None


def test_a_table_is_not_stopped_by_an_end_that_nobody_wants() -> None:
    """A choice that others do not accept hangs like anything else: after five seconds the end is moved again (P112)."""
    dropped = ended(table_of(SCORED), (A, B, C, D))
    deal = after(after_end(SCORED, dropped), accept(B, dropped, B, 0))
    assert vote(A, deal, sight(NOBODY, quiet=4.9)) is None
    assert vote(A, deal, sight(NOBODY, quiet=6.1)) == Motion(3, 0, 0, 1, ended(table_of(SCORED), ALL))


def forge_end(hall: Hall) -> str:
    """Has the next dealer's peer end the hand for everybody but somebody else; returns who that is."""
    deal = hall.sessions["Ann"].table.deal
    assert deal is not None
    cheat = next(label for label in NAMES[:5] if hall.key(label) == next_dealer(deal))
    victim = next(label for label in NAMES[:5] if label != cheat)
    session = hall.sessions[cheat]
    false: list[Value] = []

    def forged(entry: Entry) -> Body:
        body = entry.body
        if isinstance(body, Choice) and body.hand == 1 and body.ballot == 0:
            staying = tuple(each for each in body.value.members if each != hall.key(victim))
            false.append(replace(body.value, members=staying))
            return replace(body, value=false[0])
        if isinstance(body, Accept) and body.hand == 1 and false and body.proposer == hall.key(cheat):
            return replace(body, value=value_hash(false[0]))
        return body

    forger = Forger(session.me.key, session.version, forged)
    hall.meddle = lambda sender, _to, frame: (forger(frame),) if sender == cheat else (frame,)
    return victim


def test_nobody_ends_a_hand_without_somebody_who_is_there() -> None:
    """The next dealer's peer leaves an honest peer off the list of the next hand, and votes for that itself: the others go on
    with whom they see."""
    hall = seated(5, bots=1, hands=2)
    play(hall, lambda: hall.sessions["Ann"].table.deal is not None)
    victim = forge_end(hall)
    hall.calm(lambda: scored_all(hall))
    hall.wait(40)
    for label in {victim} | {"Ann", "Bob", "Cem", "Dia", "Eli"} - {cheat_of(hall)}:
        table = hall.sessions[label].table
        assert hall.sessions[label].problem is None
        assert table.number == 2
        assert hall.key(victim) in table.members


def scored_all(hall: Hall) -> bool:
    """Whether everybody has seen the end of the play."""
    deals = [session.table.deals.get(1) for session in hall.sessions.values()]
    return all(deal is not None and scored(deal) for deal in deals)


def cheat_of(hall: Hall) -> str:
    """The next dealer's peer of hand 1."""
    deal = hall.sessions["Ann"].table.deals[1]
    return next(label for label in NAMES[:5] if hall.key(label) == deal.operators[(deal.dealer + 1) % deal.seats])


def test_an_old_request_does_not_take_a_log_away() -> None:
    """A request for a place that a peer had signed once, and that is not at our door now, is no reason to end its log."""
    joins = (b"an old request of E",)
    deal = after(SCORED, move(B, replace(ended(table_of(SCORED), ALL), joins=joins)))
    assert vote(A, deal, sight(NOBODY)) is None
    assert isinstance(vote(A, deal, sight(NOBODY, joining={E: joins[0]})), Statement)


def test_who_knocks_at_one_door_only_stops_nobody() -> None:
    """The next dealer's peer hears somebody whom the others do not hear; once that hangs it moves the end without it."""
    seen = sight(frozenset({E}), joining={E: b"join"}, there=frozenset(ALL))
    first = vote(B, SCORED, seen)
    assert isinstance(first, Motion)
    assert first.value.joins == (b"join",)
    again = vote(B, after(SCORED, (B, first)), replace(seen, quiet=5.1))
    assert isinstance(again, Statement | Motion)
    again = vote(B, after(SCORED, (B, first), state(B, B, heads=())), replace(seen, quiet=6.1))
    assert again == Motion(3, 0, 0, 2, ended(table_of(SCORED), (A, B, C, D)))


# horizons and lots


def test_no_entry_with_a_high_number() -> None:
    """A head that names no entry, but a high number, would be the highest horizon and make all that the lost peer wrote void:
    who names it is at fault (P108)."""
    deal = after(hand(slots=SLOTS, logs=LOGS, agreed=AGREED), move(A))
    refused(deal, *state(D, heads=(Head(E, RUN, 2**32 - 1, NO_MARK),), dealt=1))
    refused(after(hand(logs=LOGS), move(A)), *state(D, heads=(Head(E, RUN, 1, NO_MARK),)))
    after(hand(logs=LOGS), move(A), state(D, heads=(Head(E, RUN, 0, NO_MARK),)))


def test_an_entry_of_an_earlier_log() -> None:
    """Everybody holds the old log of a peer that came back under a new one; a horizon in it would never be reached (P108)."""
    deal = after(hand(logs=LOGS), move(A))
    refused(deal, *state(D, heads=(replace(head(200), incarnation=b"earlier "),)))


@pytest.mark.parametrize("named", [head(4), Head(E, RUN, 0, NO_MARK)], ids=["before", "none"])
def test_all_have_agreed_but_for_the_horizon(named: Head) -> None:
    """Who says that all agreements are in names, of everybody left out, that one or a later entry: else the horizon could make
    an agreement void on which the hand goes on, and nothing would ever be dealt (P108)."""
    deal = after(hand(slots=SLOTS, logs=LOGS, agreed=AGREED), move(A))
    refused(deal, *state(D, heads=(named,), dealt=1))
    after(deal, state(D, heads=(head(5),), dealt=1))


def test_no_statement_twice_in_a_lot() -> None:
    """To name a statement more than once would be to draw the lot again and again (P109)."""
    deal = after(hand(), move(A), *FOUR)
    named = (*marks(FOUR[0]), *marks(*FOUR))
    value = Value(Verdict.MEMBERS, (A, B, C, D), horizons=(head(5),), lot=lot_of(named))
    refused(deal, *choose(A, value, named))


# votes without end


def test_who_moves_in_every_decision_is_not_followed_for_ever() -> None:
    """A peer that has "unchanged" decided again and again would have all write votes until their logs of this hand are full:
    after so many motions in one hand nobody promises it anything (P110)."""
    deal = after(hand(moved={D: MOTIONS_HEARD - 1}), move(D, UNCHANGED))
    assert isinstance(vote(A, deal, sight(NOBODY)), Statement)
    deal = after(hand(moved={D: MOTIONS_HEARD}), move(D, UNCHANGED))
    assert deal.moved == {D: MOTIONS_HEARD + 1}
    assert vote(A, deal, sight(NOBODY)) is None
    assert vote(D, hand(moved={D: MOTIONS_HEARD}), sight()) is None


def test_a_promise_excuses_from_the_rest() -> None:
    """Whoever has promised writes nothing else (P113), so it owes nothing else meanwhile: else one that keeps a decision open
    would have everybody miss everybody."""
    sent: dict[Kind, dict[bytes, DialogueBody]] = {Kind.COMMIT_KEYS: dict.fromkeys(ALL, COMMITTED)}
    deal = after(hand(sent=sent), move(E, UNCHANGED), *(state(who, E, heads=()) for who in ALL))
    assert eyes().look(deal, 30) == {E}  # who owes the choice
    unheard = replace(deal, moved={E: MOTIONS_HEARD + 1})
    assert {B, C, D, E} <= eyes().look(unheard, 30)


def test_who_has_moved_an_end_owes_no_choice_before_a_majority_has_promised() -> None:
    """One statement is no majority of five: nobody is overdue for what it cannot write yet (P111)."""
    over = Value(Verdict.END, (), bytes(32))
    deal = after(hand(), move(B, over), state(C, B, heads=()))
    sent: dict[Kind, dict[bytes, DialogueBody]] = {Kind.COMMIT_KEYS: dict.fromkeys(ALL, COMMITTED)}
    quiet = replace(deal, sent={**sent, Kind.OPEN_KEYS: sent[Kind.COMMIT_KEYS]})
    assert eyes().look(quiet, 30) == set()
    three = after(quiet, state(D, B, heads=()), state(E, B, heads=()))
    assert eyes().look(three, 30) == {B}


# heartbeats that say different things to different peers


def beat(mark: int, count: int) -> Heartbeat:
    """A sign of life of E."""
    return Heartbeat("v", bytes(32), E, RUN, 1, count, (), (), mark)


def test_to_ask_again_for_time_gives_no_more_of_it() -> None:
    """Ten minutes in one hand, in however many pieces (P146)."""
    gossip = Gossip()
    gossip.meet([E], 0.0)
    for count in range(1, 1_300):
        gossip.hear(beat(PLEASE_WAIT if count % 2 else 0, count), float(count))
    assert gossip.paused([E], 1_299.5) is False
    gossip.new_hand(1_300.0)
    assert gossip.paused([E], 1_300.5) is True


def test_who_is_heard_by_one_is_heard_by_all_that_would_leave_it_out() -> None:
    """A link proves no sign of life: who is about to be left out, though we hear it, is passed on to everybody."""
    gossip = Gossip()
    gossip.meet([C, D, E], 0.0)
    gossip.linked |= {C, D, E}
    for peer in (C, D):
        gossip.hear(replace(beat(0, 1), author=peer, hears=(E,)), 1.0)
    links = {peer: peer for peer in (C, D, E)}
    assert gossip.missing(E, E, links) == ()
    assert gossip.missing(E, E, links, vouch=True) == (C, D)
    assert contested(after(hand(), move(A))) == {E}
    assert contested(after(hand(), move(A, UNCHANGED))) == set()


def test_a_word_about_our_log_does_not_take_it_from_us() -> None:
    """After a start one liar says that it holds more of our log. It is asked for it, cannot send it, and we go on: only an
    entry that we have signed shows that our journal has lost something (P141)."""
    hall = seated(5, bots=1, hands=1)
    play(hall, lambda: hall.sessions["Bob"].table.number == 1 and hall.sessions["Bob"].hands.own != {})
    hall.level = None
    hall.wait(3)
    author, liar = hall.sessions["Bob"].author, hall.sessions["Cem"]
    hall.crash("Bob")

    def lie(sender: str, to: str, frame: bytes) -> tuple[bytes, ...]:
        if sender != "Cem" or to != "Bob" or frame[0] != Tag.HEARTBEAT:
            return (frame,)
        told = open_signed(frame)
        assert isinstance(told, Heartbeat)
        heads = (each for each in told.have if each.author != author.identity)
        false = Head(author.identity, author.incarnation, 999, bytes((7,)) * 16)
        return (seal_signed(liar.me.key, replace(told, have=(*heads, false))),)

    hall.meddle = lie
    session = hall.restart("Bob")
    hall.wait(4)
    assert session.waking
    hall.wait(3)
    assert not session.waking
    assert session.author == author


# who stands at the door


def test_who_has_gone_takes_up_no_place() -> None:
    """Sixteen people who watched and went keep nobody from watching; who asks for a place counts, too."""
    hall = seated(5, bots=1, hands=1, watch=True)
    play(hall, lambda: hall.sessions["Ann"].table.number == 1)
    hall.level = None
    ann = hall.sessions["Ann"]
    for number in range(MAX_GUESTS):
        hall.ask(f"Guest{number}", watching=number % 2 == 0)
    assert len(ann.post.guests) == MAX_GUESTS
    hall.ask("Late")
    hall.ask("Later", watching=True)
    assert len(ann.post.guests) == len(ann.post.guests.keys() | ann.doorway.comers.keys()) == MAX_GUESTS
    for number in range(MAX_GUESTS):
        hall.crash(f"Guest{number}")
    assert not ann.post.guests.keys() - {hall.key("Late"), hall.key("Later")}
    assert not ann.doorway.comers.keys() - {hall.key("Late")}


# motions that nobody wants


def test_motions_that_we_do_not_agree_to_are_no_progress() -> None:
    """A peer that moves nonsense every few seconds would have all others wait for ever before they move what is needed."""
    nonsense = Value(Verdict.MEMBERS, (B, C, D, E))
    first, second = after(hand(), move(E, nonsense)), after(hand(), move(E, nonsense), move(E, nonsense, 2))
    more = after(second, state(E, E, 2, (head(5, A),)))
    assert _course(table_of(hand()), A) != _course(table_of(first), A) == _course(table_of(more), A)
    promised = after(first, move(B), state(A, B))
    assert _course(table_of(promised), A) != _course(table_of(first), A)
    assert _course(table_of(after(promised, state(C, B))), A) != _course(table_of(promised), A)


def test_a_motion_that_nobody_wants_does_not_keep_the_hand_from_its_end() -> None:
    """The next dealer's peer ends the hand at ballot 0 though somebody has moved something before."""
    deal = after(SCORED, move(E, Value(Verdict.MEMBERS, (B, C, D, E))))
    assert vote(B, deal, sight(NOBODY)) == Choice(3, 0, 0, 0, ended(table_of(SCORED), ALL), ())


def test_who_has_moved_often_waits_longer() -> None:
    """Nobody uses up all its motions in one spell of bad connections: after eight in a hand it waits twice as long."""
    deal = after(hand(moved={A: 8}), move(E, Value(Verdict.MEMBERS, (A, B, C, D))))
    assert vote(A, deal, sight(NOBODY, quiet=9.9)) is None or isinstance(
        vote(A, deal, sight(NOBODY, quiet=9.9)), Statement
    )
    assert vote(A, hand(moved={A: 8}), sight(quiet=4.9)) is None
    assert isinstance(vote(A, hand(moved={A: 8}), sight(quiet=5.0)), Motion)


def test_a_forker_does_not_get_off_by_an_early_motion() -> None:
    """An annulment that charges nobody, moved at once by a friend of the forker, is agreed to by nobody who knows that cards
    had been dealt; who does not know it charges the forker when that hangs."""
    seen = sight(frozenset({E}), forked=frozenset({E}), out=frozenset({E}))
    free = Value(Verdict.ANNULLED, (A, B, C, D))
    paid = replace(free, charged=(E,))
    assert vote(A, after(hand(slots=SLOTS), move(D, free)), seen) is None
    assert isinstance(vote(A, after(hand(slots=SLOTS), move(D, paid)), seen), Statement)
    assert isinstance(vote(A, after(hand(), move(D, free)), seen), Statement)
    assert isinstance(vote(A, after(hand(), move(D, paid)), seen), Statement)
    deal = after(hand(), move(D, free), state(A, D, heads=()))
    assert vote(A, deal, replace(seen, quiet=5.1)) == Motion(3, 0, 0, 2, paid)


def test_nobody_keeps_the_kitty_back_by_its_heartbeats() -> None:
    """Dia's signs of life never say that it holds the trick which took the kitty. One whole trick later it has said so in its
    log; the others send their shares, and until then owe none (P78, P111)."""
    hall = seated(5, bots=2)
    dia = hall.sessions["Dia"]

    def shorten(by: str, _to: str, frame: bytes) -> tuple[bytes, ...]:
        if by != "Dia" or frame[0] != Tag.HEARTBEAT:
            return (frame,)
        told = open_signed(frame)
        assert isinstance(told, Heartbeat)
        return (seal_signed(dia.me.key, replace(told, have=())),)

    hall.meddle = shorten
    play(hall, lambda: any(played_on(deal) for deal in dia.table.deals.values()))
    hall.level = None
    hall.wait(1)
    deal = dia.table.deals[1]
    assert deal.hand is not None
    assert deal.hand.kitty_seat is not None
    winner = deal.operators[deal.hand.kitty_seat]
    assert set(deal.done(Kind.KITTY)) | {winner} == set(deal.members)
    assert not any(hall.sessions[label]._watch.missed for label in NAMES[:5])
