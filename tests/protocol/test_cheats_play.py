"""Peers that cheat in play, with entries that are rightly signed and rightly numbered: every honest peer names the right one
and the right fault, blames nobody else, and plays on without it."""

from collections import deque
from dataclasses import replace

import pytest

from p2p_hearts.crypto.masking import card_point
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
    Body,
    CommitKeys,
    Head,
    Heartbeat,
    PlayCard,
)
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.state import Deal, context
from tests.protocol.forger import CHEAT, HONEST, assert_goes_on, assert_named
from tests.protocol.hall import Hall, own_of, play, seated


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
    own, me = own_of(cheat), cheat.author.identity
    place = next(at for at, held in enumerate(own.cards[seat]) if held == card and at not in deal.laid[seat])
    where = context(deal, me, "play", seat * 32 + place)
    (share,), proof = make_shares(cheat.group, where, own.key, (deal.rows[seat][place],), seeded(b"play"))
    return PlayCard(1, 0, 0, seat, place, card, share, proof, deal.digest, void)


Moment = tuple[Hall, Session, Deal, Turn]


def test_a_card_not_held(turn: Moment) -> None:
    """Whoever names another card than the one that lies there is named."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    shown(hall, cheat, replace(body, card=(body.card + 13) % 52))
    assert_named(hall, Fault.BAD_REVEAL)
    assert_goes_on(hall)


def test_a_false_opening(turn: Moment) -> None:
    """A share that makes another card of it does not fit the key."""
    hall, cheat, deal, asked = turn
    first, second = legal_plays(asked.view.hand, asked.view.held)[:2]
    body = laid(cheat, deal, asked.seat, first)
    shift = cheat.group.sub(card_point(cheat.group, first), card_point(cheat.group, second))
    shown(hall, cheat, replace(body, card=second, share=cheat.group.add(body.share, shift)))
    assert_named(hall, Fault.BAD_REVEAL)
    assert_goes_on(hall)


def test_a_card_played_before(turn: Moment) -> None:
    """A card is laid once."""
    hall, cheat, _deal, _asked = turn
    plays = [entry.body for entry in cheat.logs.log(cheat.author).entries if isinstance(entry.body, PlayCard)]
    deal = cheat.table.deals[1]
    shown(hall, cheat, replace(plays[0], digest=deal.digest))
    assert_named(hall, Fault.BAD_REVEAL)
    assert_goes_on(hall)


def test_not_following_suit(turn: Moment) -> None:
    """Whoever can follow suit and does not cannot prove the opposite: neither without a proof nor with one of another."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    off_suit = next(card for card in asked.view.held if card // 13 != led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, off_suit))
    assert_named(hall, Fault.BAD_VOID)
    assert_goes_on(hall)


def test_a_false_void_proof(turn: Moment) -> None:
    """A void proof that does not hold is found once it is verified."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    off_suit = next(card for card in asked.view.held if card // 13 != led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, off_suit, void=bytes(800)))
    assert_named(hall, Fault.BAD_VOID)
    assert_goes_on(hall)


def test_a_proof_of_nothing(turn: Moment) -> None:
    """A void proof where nothing new is claimed is refused: it could carry anything."""
    hall, cheat, deal, asked = turn
    led = asked.view.hand.table[0] // 13
    follow = next(card for card in asked.view.held if card // 13 == led)
    shown(hall, cheat, laid(cheat, deal, asked.seat, follow, void=bytes(8)))
    assert_named(hall, Fault.BAD_VOID)
    assert_goes_on(hall)


def test_out_of_turn(turn: Moment) -> None:
    """Who lays a card in another's turn, knowing all that was laid, is named."""
    hall, cheat, deal, asked = turn
    hall.do(CHEAT, Play(asked.seat, legal_plays(asked.view.hand, asked.view.held)[0]))
    now = cheat.table.deals[1]
    if now.hand is not None and to_play(now.hand) == asked.seat:
        pytest.fail("it is the cheat's turn again")
    held = [card for at, card in enumerate(own_of(cheat).cards[asked.seat]) if at not in now.laid[asked.seat]]
    shown(hall, cheat, laid(cheat, now, asked.seat, held[0]))
    assert deal.digest != now.digest
    assert_named(hall, Fault.ILLEGAL_PLAY)
    assert_goes_on(hall)


def test_a_seat_of_another(turn: Moment) -> None:
    """Nobody plays for a seat that another peer operates."""
    hall, cheat, deal, asked = turn
    body = laid(cheat, deal, asked.seat, legal_plays(asked.view.hand, asked.view.held)[0])
    shown(hall, cheat, replace(body, seat=(asked.seat + 1) % 6))
    assert_named(hall, Fault.ILLEGAL_PLAY)
    assert_goes_on(hall)


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
    assert_goes_on(hall)


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
    assert_goes_on(hall)


def test_signed_nonsense(turn: Moment) -> None:
    """Who signs what is no message is named: it is no accident of the network."""
    hall, cheat, _deal, asked = turn
    log = cheat.logs.log(cheat.author).entries
    fields = [cheat.version, log[-1].table, *_who(cheat), len(log), log[-1].hash, 26, (1, 0, 0, asked.seat)]
    content = pack(tuple(fields))
    frame = bytes((Tag.ENTRY,)) + content + sign(cheat.me.key, b"entry", content)
    for label in HONEST:
        hall.give(label, frame, by=CHEAT)
    assert_named(hall, Fault.MALFORMED)
    assert_goes_on(hall)


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
