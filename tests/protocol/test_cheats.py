"""Peers that cheat: every honest peer names the right one and the right fault, stops, and blames nobody else.

A cheat here is an honest program behind a `Forger`, or one whose hand is guided by the test; the signatures are right, what
is signed is not."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_hearts.crypto.commitment import commit
from p2p_hearts.crypto.keys import make_key, prove_key
from p2p_hearts.crypto.masking import card_point, decode_masked, encode_masked
from p2p_hearts.crypto.reveal import make_shares
from p2p_hearts.crypto.signature import sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.hearts.hand import to_play
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import Entry, Tag, open_entry, open_signed, seal, seal_signed
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import Duty, Turn
from p2p_hearts.protocol.inputs import Play
from p2p_hearts.protocol.messages import (
    Accept,
    Agreement,
    Body,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    HandBody,
    Head,
    Heartbeat,
    Kind,
    Mix,
    OpenKeys,
    OpenPass,
    PlayCard,
    Remix,
)
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.stages import passing
from p2p_hearts.protocol.state import Deal, context, put, set_hash
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.forger import Forger
from tests.protocol.hall import NAMES, Hall, play, seated

CHEAT = "Cem"
HONEST = tuple(label for label in NAMES[:6] if label != CHEAT)
SIZE = TINY.element_bytes
Change = Callable[[Session, Deal, Own, Body], Body]


def assert_named(hall: Hall, code: Fault) -> None:
    """Every honest peer accuses the cheat of just this, once, and goes no further."""
    for label in HONEST:
        accused = [(event.peer, event.code) for event in hall.blamed()[label]]
        assert accused == [(hall.key(CHEAT), code)], (label, hall.blamed()[label])
        scene = hall.sessions[label].scene()
        assert scene.stage is Stage.STOPPED
        assert scene.problem == f"Cem {code.value}. The game cannot go on with Cem."


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
    whole = OpenPass(1, 0, bytes(32), own.pass_salt, own.passes)
    where = context(deal, cheat.author.identity, "passes")
    forged = CommitPass(1, 0, commit(b"passes", where, passing._value(change(whole).passes), own.pass_salt))
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
    """A false entry is its author's fault, with the fault's own name; within seconds all have stopped."""
    hall = seated(6)
    cheat = hall.sessions[CHEAT]

    def forge(entry: Entry) -> Body:
        deal, own = cheat.table.deal, cheat._own.get(1)
        return entry.body if deal is None or own is None else change(cheat, deal, own, entry.body)

    forger = Forger(cheat.me.key, cheat.version, forge)
    hall.meddle = lambda sender, _to, frame: (forger(frame) if sender == CHEAT else frame,)
    play(hall)
    hall.wait(4)
    assert_named(hall, code)


def test_another_result() -> None:
    """Who proposes another end of the hand than everybody computes is named, and no hand ends so."""
    hall = seated(6)

    def forge(entry: Entry) -> Body:
        body = entry.body
        return replace(body, result=bytes(32)) if isinstance(body, Choice) and body.hand else body

    forgers = {label: Forger(session.me.key, session.version, forge) for label, session in hall.sessions.items()}
    hall.meddle = lambda sender, _to, frame: (forgers[sender](frame),)
    play(hall)
    hall.wait(4)
    (cheat,) = (
        label
        for label, forger in forgers.items()
        if any(isinstance(e.body, Choice) and e.body.hand for e in forger.chain.values())
    )
    for label in set(NAMES[:6]) - {cheat}:
        accused = [(event.peer, event.code) for event in hall.blamed()[label]]
        assert accused == [(hall.key(cheat), Fault.WRONG_RESULT)], label
        assert hall.sessions[label].result() is None


@pytest.fixture
def turn() -> tuple[Hall, Session, Deal, Turn]:
    """The middle of a hand: the cheat is to follow a suit, holds it and another, and has a choice."""
    hall = seated(6)

    def asked() -> Turn | None:
        turns = [event for event in hall.heard[CHEAT] if isinstance(event, Turn)]
        if not turns or turns[-1].duty is not Duty.PLAY or turns[-1].view.hand.trick < 3:
            return None
        hand, held = turns[-1].view.hand, turns[-1].view.held
        return turns[-1] if hand.table and 1 < len(legal_plays(hand, held)) < len(set(held)) else None

    play(hall, lambda: asked() is not None)
    hall.level = None
    hall._queue = deque(waiting for waiting in hall._queue if not isinstance(waiting[1], Play))
    hall.calm()
    found, deal = asked(), hall.sessions[CHEAT].table.deal
    assert found is not None
    assert deal is not None
    return hall, hall.sessions[CHEAT], deal, found


def signed(cheat: Session, body: Body) -> bytes:
    """The next entry of the cheat's log."""
    log = cheat.logs.log(cheat.author).entries
    assert cheat.table.game is not None
    return seal(cheat.me.key, cheat.version, cheat.table.game.table, cheat.author, len(log), log[-1].hash, body).frame


def shown(hall: Hall, cheat: Session, body: Body) -> None:
    """All honest peers get the entry."""
    frame = signed(cheat, body)
    hall.meddle = lambda sender, _to, sent: () if sender == CHEAT and sent[0] == 1 else (sent,)
    for label in HONEST:
        hall.give(label, frame, by=CHEAT)
    hall.wait(4)


def laid(cheat: Session, deal: Deal, seat: int, card: int, void: bytes = b"") -> PlayCard:
    """A play of a card as it lies in the row: right, but for what the rules may say."""
    own, me = cheat._own[1], cheat.author.identity
    place = next(at for at, held in enumerate(own.cards[seat]) if held == card and at not in deal.laid[seat])
    where = context(deal, me, "play", seat * 32 + place)
    (share,), proof = make_shares(cheat.group, where, own.key, (deal.rows[seat][place],), seeded(b"play"))
    return PlayCard(1, 0, seat, place, card, share, proof, deal.digest, void)


Moment = tuple[Hall, Session, Deal, Turn]


def test_a_card_not_held(turn: Moment) -> None:
    """Whoever names another card than the one that lies there is named."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    shown(hall, cheat, replace(body, card=(body.card + 13) % 52))
    assert_named(hall, Fault.BAD_REVEAL)


def test_a_false_opening(turn: Moment) -> None:
    """A share that makes another card of it does not fit the key."""
    hall, cheat, deal, asked = turn
    first, second = legal_plays(asked.view.hand, asked.view.held)[:2]
    body = laid(cheat, deal, asked.seat, first)
    shift = cheat.group.sub(card_point(cheat.group, first), card_point(cheat.group, second))
    shown(hall, cheat, replace(body, card=second, share=cheat.group.add(body.share, shift)))
    assert_named(hall, Fault.BAD_REVEAL)


def test_a_card_played_before(turn: Moment) -> None:
    """A card is laid once."""
    hall, cheat, _deal, _asked = turn
    plays = [entry.body for entry in cheat.logs.log(cheat.author).entries if isinstance(entry.body, PlayCard)]
    deal = cheat.table.deals[1]
    shown(hall, cheat, replace(plays[0], digest=deal.digest))
    assert_named(hall, Fault.BAD_REVEAL)


def test_not_following_suit(turn: Moment) -> None:
    """Whoever can follow suit and does not cannot prove the opposite: neither without a proof nor with one of another."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    off_suit = next(card for card in asked.view.held if card // 13 != led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, off_suit))
    assert_named(hall, Fault.BAD_VOID)


def test_a_false_void_proof(turn: Moment) -> None:
    """A void proof that does not hold is found once it is verified."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    off_suit = next(card for card in asked.view.held if card // 13 != led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, off_suit, void=bytes(800)))
    assert_named(hall, Fault.BAD_VOID)


def test_a_proof_of_nothing(turn: Moment) -> None:
    """A void proof where nothing new is claimed is refused: it could carry anything."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    follow = next(card for card in asked.view.held if card // 13 == led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, follow, void=bytes(8)))
    assert_named(hall, Fault.BAD_VOID)


def test_out_of_turn(turn: Moment) -> None:
    """Who lays a card in another's turn, knowing all that was laid, is named."""
    hall, cheat, deal, asked = turn
    hall.do(CHEAT, Play(asked.seat, legal_plays(asked.view.hand, asked.view.held)[0]))
    now = cheat.table.deals[1]
    if now.hand is not None and to_play(now.hand) == asked.seat:
        pytest.fail("it is the cheat's turn again")
    held = [card for at, card in enumerate(cheat._own[1].cards[asked.seat]) if at not in now.laid[asked.seat]]
    shown(hall, cheat, laid(cheat, now, asked.seat, held[0]))
    assert deal.digest != now.digest
    assert_named(hall, Fault.ILLEGAL_PLAY)


def test_a_seat_of_another(turn: Moment) -> None:
    """Nobody plays for a seat that another peer operates."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    shown(hall, cheat, replace(body, seat=(asked.seat + 1) % 6))
    assert_named(hall, Fault.ILLEGAL_PLAY)


def test_other_cards_on_the_table(turn: Moment) -> None:
    """Who signs a play on other cards than all hold, itself included, is named."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    frame = signed(cheat, replace(body, digest=bytes(16)))
    forged = open_entry(frame, cheat.version)

    def meddle(sender: str, _to: str, sent: bytes) -> tuple[bytes, ...]:
        return (told(cheat, forged, sent),) if sender == CHEAT and sent[0] == Tag.HEARTBEAT else (sent,)

    hall.meddle = meddle
    for label in HONEST:
        hall.give(label, frame, by=CHEAT)
    hall.wait(4)
    assert_named(hall, Fault.WRONG_HEADS)


def told(cheat: Session, last: Entry, frame: bytes) -> bytes:
    """A heartbeat that admits to one more entry of its author."""
    beat = open_signed(frame)
    assert isinstance(beat, Heartbeat)
    mine = Head(cheat.author.identity, cheat.author.incarnation, last.seq, last.hash[:16])
    have = tuple(mine if head.author == cheat.author.identity else head for head in beat.have)
    return seal_signed(cheat.me.key, replace(beat, have=have))


def test_twice_the_same(turn: Moment) -> None:
    """One more entry of a kind than the phase table allows is its own evidence."""
    hall, cheat, _deal, _asked = turn
    commits = [entry.body for entry in cheat.logs.log(cheat.author).entries if isinstance(entry.body, CommitKeys)]
    shown(hall, cheat, commits[0])
    assert_named(hall, Fault.REPEATED)


def test_signed_nonsense(turn: Moment) -> None:
    """Who signs what is no message is named: it is no accident of the network."""
    hall, cheat, _deal, asked = turn
    log = cheat.logs.log(cheat.author).entries
    fields = [cheat.version, log[-1].table, *_who(cheat), len(log), log[-1].hash, 26, (1, 0, asked.seat)]
    content = pack(tuple(fields))
    frame = bytes((Tag.ENTRY,)) + content + sign(cheat.me.key, b"entry", content)
    for label in HONEST:
        hall.give(label, frame, by=CHEAT)
    assert_named(hall, Fault.MALFORMED)


def _who(session: Session) -> tuple[bytes, bytes]:
    return session.author.identity, session.author.incarnation


def test_a_relay_is_not_to_blame(turn: Moment) -> None:
    """What comes by another's link is its author's fault, not the messenger's; and what is not rightly signed is nobody's."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    frame = signed(cheat, replace(body, card=(body.card + 13) % 52))
    for label in HONEST[1:]:
        assert not hall.give(label, frame[:-1] + bytes((frame[-1] ^ 1,)), by=HONEST[0])
        assert not hall.blamed()[label]
        hall.give(label, frame, by=HONEST[0])
        assert [event.peer for event in hall.blamed()[label]] == [hall.key(CHEAT)]
