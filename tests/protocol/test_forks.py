"""Two-faced peers: who signs two versions of one entry, and shows one to some and one to others, is found by all, and
nobody honest is blamed for having built on the one it saw (`agreement`: a mismatch is nobody's fault by itself)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_hearts.cards import Card
from p2p_hearts.crypto.signature import sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import Entry, Tag, seal
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import Duty, Turn
from p2p_hearts.protocol.inputs import Leave, Start
from p2p_hearts.protocol.messages import (
    Accept,
    Agree,
    Agreement,
    Body,
    Bots,
    CommitKeys,
    CommitPass,
    DealShares,
    Draw,
    Kind,
    Mix,
    Remix,
)
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.stages import dealing, mixing, passing, playing
from tests.protocol.forger import CHEAT, HONEST, Forger, assert_goes_on
from tests.protocol.hall import NAMES, Hall, own_of, play, seated

SOME = {"Ann", "Eli"}  # who are shown the other version
SEED = bytes(32)


def another(cheat: Session, kind: Kind) -> Callable[[Entry], Body]:
    """A change that gives another version of the entry of one kind, valid by itself wherever it can be."""
    me = cheat.author.identity

    def change(entry: Entry) -> Body:
        body = entry.body
        if entry.kind is not kind or (isinstance(body, Accept) and not body.hand):
            return body
        deal = cheat.table.deal
        match body:
            case Agree() | CommitPass():
                return replace(body, commitment=SEED)
            case CommitKeys():
                return replace(body, cut=SEED)
            case Draw() | Agreement():
                return replace(body, nonce=SEED)
            case Accept() if body.hand:
                return replace(body, signature=bytes(64))
        assert deal is not None
        own = own_of(cheat, deal.number)
        match body:
            case Mix():
                return mixing.make_mix(cheat.group, deal, me, SEED)
            case DealShares():
                return dealing.make_deal(cheat.group, deal, me, own, SEED)
            case Remix():
                return passing.make_remix(cheat.group, deal, me, own, SEED)
            case _:
                raise AssertionError(kind)

    return change


def assert_found(hall: Hall) -> None:
    """Every honest peer has convicted the cheat, and nobody else."""
    for label in HONEST:
        accused = hall.blamed()[label]
        assert [event.peer for event in accused] == [hall.key(CHEAT)], (label, accused)


KINDS = [
    Kind.AGREE,
    Kind.DRAW,
    Kind.COMMIT_KEYS,
    Kind.MIX,
    Kind.AGREEMENT,
    Kind.DEAL,
    Kind.COMMIT_PASS,
    Kind.REMIX,
    Kind.ACCEPT,
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name.lower())
def test_two_versions(kind: Kind) -> None:
    """Whatever entry it is that has two versions, its author is found by every honest peer within seconds; the others play
    on without it, and it pays for the hand if cards had been dealt."""
    hall = seated(6, hands=1 + (kind is Kind.ACCEPT))
    cheat = hall.sessions[CHEAT]
    forger = Forger(cheat.me.key, cheat.version, another(cheat, kind))

    def meddle(sender: str, to: str, frame: bytes) -> tuple[bytes, ...]:
        return (forger(frame) if sender == CHEAT and to in SOME else frame,)

    hall.meddle = meddle
    hall.level = "uniform"
    hall.do("Ann", Start())
    hall.wait(6)
    assert_found(hall)
    if kind in {Kind.AGREE, Kind.DRAW}:  # there is no game yet
        for label in HONEST:
            assert hall.sessions[label].scene().stage is Stage.STOPPED
    else:
        paid = None if kind is Kind.AGREEMENT else kind in {Kind.DEAL, Kind.COMMIT_PASS, Kind.REMIX, Kind.ACCEPT}
        assert_goes_on(hall, charged=paid)


def my_turn(hall: Hall) -> Turn | None:
    """The last thing the cheat was asked, if it is a card to a trick that others go on with."""
    asked = [event for event in hall.heard[CHEAT] if isinstance(event, Turn)]
    hand = asked[-1].view.hand if asked else None
    early = hand is not None and len(hand.table) < 3 and hand.trick > 1
    return asked[-1] if early and asked[-1].duty is Duty.PLAY and len(legal(asked[-1])) > 1 else None


def legal(turn: Turn) -> tuple[Card, ...]:
    """The cards that may be played."""
    return legal_plays(turn.view.hand, turn.view.held)


def test_two_cards() -> None:
    """Two cards played to one trick, one shown to some and one to others: those who play on after either are honest."""
    hall = seated(6)
    play(hall, lambda: my_turn(hall) is not None)
    cheat, turn = hall.sessions[CHEAT], my_turn(hall)
    deal = cheat.table.deal
    assert turn is not None
    assert deal is not None
    log = cheat.logs.log(cheat.author).entries
    first, *_, last = sorted(legal(turn), key=lambda card: card % 13)
    versions = []
    for card in (first, last):
        body = playing.make_play(
            cheat.group, deal, cheat.author.identity, own_of(cheat), turn.seat, card, seeded(bytes((card,)))
        )
        table = log[-1].table
        versions.append(seal(cheat.me.key, cheat.version, table, cheat.author, len(log), log[-1].hash, body))

    hall.meddle = lambda sender, _to, frame: () if sender == CHEAT and frame[0] == 1 else (frame,)
    for label in HONEST:
        hall.give(label, versions[label in SOME].frame, by=CHEAT)
    hall.wait(6)
    for label in HONEST:
        accused = hall.blamed()[label]
        assert [(event.peer, event.code) for event in accused] == [(hall.key(CHEAT), Fault.FORK)], (label, accused)
    assert_goes_on(hall, charged=True)


def test_who_has_left_can_stop_nobody() -> None:
    """A peer that left the lobby and then signs two versions of an old entry, or nonsense, stops no table."""
    hall = seated(7)
    gone = hall.sessions["Gus"]
    hall.do("Gus", Leave())
    log = gone.logs.log(gone.author).entries
    assert [entry.kind for entry in log] == [Kind.LEAVE]
    assert hall.sessions["Ann"].table.peer(gone.author.identity) is None
    hall.do("Ann", Start())
    assert hall.sessions["Ann"].table.game is not None
    second = seal(gone.me.key, gone.version, log[0].table, gone.author, 0, log[0].prev, Bots(()))
    fields = (gone.version, log[0].table, gone.author.identity, gone.author.incarnation, 1, log[0].hash, 99, ())
    nonsense = pack(fields)
    for frame in (second.frame, bytes((Tag.ENTRY,)) + nonsense + sign(gone.me.key, b"entry", nonsense)):
        for label in NAMES[:6]:
            hall.give(label, frame, by="Bob" if label != "Bob" else "Ann")
    hall.wait(2)
    assert not any(hall.blamed().values())
    assert all(hall.sessions[label].problem is None for label in NAMES[:6])
