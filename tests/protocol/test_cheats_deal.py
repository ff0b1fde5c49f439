"""Peers that cheat before the first card, or at the end: false keys, mixes, shares, passes, results. Every honest peer names
the right one and the right fault, blames nobody else, and plays on without it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from p2p_hearts.crypto.commitment import commit
from p2p_hearts.crypto.keys import make_key, prove_key
from p2p_hearts.crypto.masking import decode_masked, encode_masked
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import (
    Accept,
    Agreement,
    Body,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    HandBody,
    Kind,
    Mix,
    OpenKeys,
    OpenPass,
    Remix,
)
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.stages import passing
from p2p_hearts.protocol.state import Deal, context, put, set_hash
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.forger import CHEAT, Forger, assert_goes_on, assert_named
from tests.protocol.hall import NAMES, play, seated

SIZE = TINY.element_bytes
Change = Callable[[Session, Deal, Own, Body], Body]


def swapped(data: bytes, size: int) -> bytes:
    """The first two pieces of this size in the other order."""
    return data[size : 2 * size] + data[:size] + data[2 * size :]


def spoiled(data: bytes) -> bytes:
    """The same with its last number one higher, still a number."""
    return data[:-SIZE] + ((int.from_bytes(data[-SIZE:], "little") + 1) % TINY.order).to_bytes(SIZE, "little")


def mix_of_false_cards(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """One card of the deck replaced by a copy of another."""
    if not isinstance(body, Mix):
        return body
    deck = decode_masked(TINY, body.deck, 104)
    return replace(body, deck=encode_masked(TINY, (deck[1], *deck[1:])))


def mix_without_proof(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """An honest mix with a proof that is not its own."""
    return replace(body, proof=spoiled(body.proof)) if isinstance(body, Mix) else body


def mix_unreadable(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """A deck of 103 cards."""
    return replace(body, deck=body.deck[: -2 * SIZE]) if isinstance(body, Mix) else body


def mix_another_deck(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """A mix that claims to go on from a deck nobody has."""
    return replace(body, before=b"no deck anywhere") if isinstance(body, Mix) else body


def answers(deal: Deal, cheat: Session, kind: Kind, forged: HandBody) -> bytes:
    """The hash of a set of commitments in which the cheat's own is the forged one."""
    return set_hash(replace(deal, sent=put(deal.sent, kind, put(deal.done(kind), cheat.author.identity, forged))), kind)


def key_of_another(cheat: Session, deal: Deal, own: Own, body: Body) -> Body:
    """A hand key without its secret: somebody else's, or one that cancels the others."""
    false = cheat.group.base(own.key.secret + 1)
    where = context(deal, cheat.author.identity, "key")
    committed = deal.done(Kind.COMMIT_KEYS)[cheat.author.identity]
    assert isinstance(committed, CommitKeys)
    forged = replace(committed, key=commit(b"hand key", where, false + own.proof, own.key_salt))
    if isinstance(body, CommitKeys):
        return forged
    if isinstance(body, OpenKeys):
        return replace(body, key=false, answers=answers(deal, cheat, Kind.COMMIT_KEYS, forged))
    return body


def key_not_committed(cheat: Session, deal: Deal, _own: Own, body: Body) -> Body:
    """A good key with its proof, but another than the one committed to."""
    if not isinstance(body, OpenKeys):
        return body
    key = make_key(cheat.group, seeded(b"late"))
    proof = prove_key(cheat.group, context(deal, cheat.author.identity, "key"), key, seeded(b"late"))
    return replace(body, key=key.public, proof=proof)


def cut_not_committed(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """Another nonce for the cut, chosen once all others are open."""
    return replace(body, nonce=bytes(32)) if isinstance(body, Agreement) else body


def agreement_to_another_deck(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """Other heads than everybody holds."""
    return replace(body, heads=(bytes(16), *body.heads[1:])) if isinstance(body, Agreement) else body


def shares_swapped(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """Two shares in the wrong order: two seats would get each other's card."""
    return replace(body, shares=swapped(body.shares, SIZE)) if isinstance(body, DealShares) else body


def shares_missing(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """One share less than owed."""
    return replace(body, shares=body.shares[:-SIZE]) if isinstance(body, DealShares) else body


def changed_pass(cheat: Session, deal: Deal, own: Own, body: Body, change: Callable[[OpenPass], OpenPass]) -> Body:
    """A pass that is false from the commitment on."""
    if not own.passes:
        return body
    whole = OpenPass(1, 0, 0, deal.members.index(cheat.author.identity), bytes(32), own.pass_salt, own.passes)
    where = context(deal, cheat.author.identity, "passes")
    forged = CommitPass(1, 0, 0, commit(b"passes", where, passing._value(change(whole).passes), own.pass_salt))
    if isinstance(body, CommitPass):
        return forged
    if isinstance(body, OpenPass):
        return replace(change(body), answers=answers(deal, cheat, Kind.COMMIT_PASS, forged))
    return body


def pass_of_another_card(cheat: Session, deal: Deal, own: Own, body: Body) -> Body:
    """A card for the receiver that is not the one in the row."""

    def change(whole: OpenPass) -> OpenPass:
        first = whole.passes[0]
        return replace(whole, passes=(replace(first, cards=swapped(first.cards, 2 * SIZE)),))

    return changed_pass(cheat, deal, own, body, change)


def pass_of_too_few(cheat: Session, deal: Deal, own: Own, body: Body) -> Body:
    """Two cards where three are passed."""

    def change(whole: OpenPass) -> OpenPass:
        first = whole.passes[0]
        two = replace(first, positions=first.positions[:2], cards=first.cards[: 4 * SIZE], proofs=first.proofs[:2])
        return replace(whole, passes=(two,))

    return changed_pass(cheat, deal, own, body, change)


def pass_of_one_card_twice(cheat: Session, deal: Deal, own: Own, body: Body) -> Body:
    """One place of the row named twice."""

    def change(whole: OpenPass) -> OpenPass:
        first = whole.passes[0]
        return replace(whole, passes=(replace(first, positions=(first.positions[0],) * 3),))

    return changed_pass(cheat, deal, own, body, change)


def pass_not_committed(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """Another choice than the one committed to, made once the others are open."""
    if not isinstance(body, OpenPass):
        return body
    first = body.passes[0]
    return replace(body, passes=(replace(first, positions=first.positions[::-1]),))


def row_with_a_false_card(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """A hand that is shuffled again into another one."""
    if not isinstance(body, Remix):
        return body
    (row,) = body.rows
    cards = decode_masked(TINY, row.cards, 17)
    return replace(body, rows=(replace(row, cards=encode_masked(TINY, (cards[1], *cards[1:]))),))


def row_of_another_seat(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """The row of a seat that is not its own."""
    if not isinstance(body, Remix):
        return body
    return replace(body, rows=(replace(body.rows[0], seat=(body.rows[0].seat + 1) % 6),))


def vote_for_another_result(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """A vote for another end of the hand than the one proposed."""
    return replace(body, value=bytes(32)) if isinstance(body, Accept) and body.hand else body


def unsigned_result(_cheat: Session, _deal: Deal, _own: Own, body: Body) -> Body:
    """A vote whose signature on the result does not hold."""
    return replace(body, signature=bytes(64)) if isinstance(body, Accept) and body.hand else body


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (mix_of_false_cards, Fault.BAD_MIX),
        (mix_without_proof, Fault.BAD_MIX),
        (mix_unreadable, Fault.MALFORMED),
        (mix_another_deck, Fault.WRONG_HEADS),
        (key_of_another, Fault.BAD_KEY),
        (key_not_committed, Fault.BAD_COMMITMENT),
        (cut_not_committed, Fault.BAD_COMMITMENT),
        (agreement_to_another_deck, Fault.WRONG_HEADS),
        (shares_swapped, Fault.BAD_SHARE),
        (shares_missing, Fault.MALFORMED),
        (pass_of_another_card, Fault.BAD_PASS),
        (pass_of_too_few, Fault.BAD_PASS),
        (pass_of_one_card_twice, Fault.BAD_PASS),
        (pass_not_committed, Fault.BAD_COMMITMENT),
        (row_with_a_false_card, Fault.BAD_MIX),
        (row_of_another_seat, Fault.BAD_MIX),
        (vote_for_another_result, Fault.WRONG_RESULT),
        (unsigned_result, Fault.BAD_SIGNATURE),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_false_entry(change: Change, code: Fault) -> None:
    """A false entry is its author's fault, with the fault's own name; all others end the hand without it."""
    at_the_end = code in {Fault.WRONG_RESULT, Fault.BAD_SIGNATURE}
    hall = seated(6, hands=1 + at_the_end)  # who cheats at the end of a hand is not in the next
    cheat = hall.sessions[CHEAT]

    def forge(entry: Entry) -> Body:
        deal, own = cheat.table.deal, cheat.hands.own.get((1, cheat.author.identity))
        if deal is None or own is None or (deal.number, deal.attempt) != (1, own.attempt):
            return entry.body  # it has been left out for its cheat
        return change(cheat, deal, own, entry.body)

    forger = Forger(cheat.me.key, cheat.version, forge)
    hall.meddle = lambda sender, _to, frame: (forger(frame) if sender == CHEAT else frame,)
    play(hall)
    hall.wait(4)
    assert_named(hall, code)
    assert_goes_on(hall)


def test_another_result() -> None:
    """Who proposes another end of the hand than everybody computes is named, and the next one ends the hand rightly."""
    hall = seated(6)
    culprit: list[str] = []

    def forge(label: str, entry: Entry) -> Body:
        body = entry.body
        if not isinstance(body, Choice) or not body.hand or culprit not in ([], [label]):
            return body
        culprit[:] = [label]
        return replace(body, value=replace(body.value, result=bytes(32)))

    forgers = {
        label: Forger(session.me.key, session.version, partial(forge, label))
        for label, session in hall.sessions.items()
    }
    hall.meddle = lambda sender, _to, frame: (forgers[sender](frame),)
    play(hall)
    (cheat,) = culprit
    hall.level = "uniform"
    hall.wait(20)
    assert_named(hall, Fault.WRONG_RESULT, cheat=cheat)
    honest = [hall.sessions[label] for label in set(NAMES[:6]) - {cheat}]
    results = [session.result() for session in honest]
    assert results == results[:1] * 5
    assert results[0] is not None
    assert len(results[0]["signatures"]) == 5
