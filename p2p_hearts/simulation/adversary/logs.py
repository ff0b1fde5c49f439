"""Cheats about the logs themselves: two versions of one entry, broken chains, gaps, and entries that are no entries."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.protocol.envelope import seal
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import (
    Accept,
    Agree,
    Agreement,
    Body,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    Draw,
    Kind,
    LeaveTable,
    Mix,
    OpenPass,
    PlayCard,
    Remix,
)
from p2p_hearts.protocol.stages import dealing, mixing, passing, playing
from p2p_hearts.simulation.adversary.cheat import Cheat, LeftOut, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Odd, Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways, to_some
from p2p_hearts.simulation.adversary.playing import before

SEED = bytes(32)
HASH = bytes(range(32))
FLOOD = 600  # entries; 512 of one author may wait


def _other_version(liar: Liar, body: Body) -> Words:
    """Another version of an entry, good by itself wherever it can be."""
    match body:
        case Agree() | CommitPass():
            return (replace(body, commitment=SEED),)
        case CommitKeys():
            return (replace(body, cut=SEED),)
        case Draw() | Agreement():
            return (replace(body, nonce=SEED),)
        case Accept() if body.hand:
            return (replace(body, signature=bytes(64)),)
        case Mix():
            return (mixing.make_mix(liar.group, liar.deal(body.hand), liar.me, SEED),)
        case DealShares():
            return (dealing.make_deal(liar.group, liar.deal(body.hand), liar.me, liar.own(body.hand), SEED),)
        case OpenPass():
            return (replace(body, salt=SEED),)
        case Remix():
            return (passing.make_remix(liar.group, liar.deal(body.hand), liar.me, liar.own(body.hand), SEED),)
        case Choice() if body.hand == 0:
            return (replace(body, value=replace(body.value, result=HASH)),)
        case _:
            return (body,)


def _two_tricks(liar: Liar, body: PlayCard) -> Words:
    """Another legal card that needs no proof."""
    deal, own = before(liar.deal(body.hand), body), liar.own(body.hand)
    hand = deal.hand
    assert hand is not None
    held = [own.cards[body.seat][place] for place in playing.hidden(deal, body.seat)]
    free = [
        card for card in legal_plays(hand, held) if card != body.card and not playing.new_claim(hand, body.seat, card)
    ]
    if not free:
        return (body,)
    return (playing.make_play(liar.group, deal, liar.me, own, body.seat, free[0], seeded(SEED)),)


def _forked(
    name: str, kind: Kind, what: str, *faults: Fault, hosts: bool = False, charged: bool | None = False, hands: int = 1
) -> Cheat:
    """A cheat that shows two versions of one entry, one to some and one to others."""
    lie = _two_tricks if kind is Kind.PLAY else _other_version
    sentence = f"It shows {what} to some and another to others."
    return Cheat(name, sentence, "P23", by(Fault.FORK, *faults, charged=charged), to_some(kind, lie), hosts, hands)


def fork_to_one(liar: Liar) -> Ways:
    """It shows a second version of an old entry, but to one peer alone, which then could say no more."""
    return _one_frame(liar, lambda: _rewritten(liar), everybody=False)


def rewritten_log(liar: Liar) -> Ways:
    """It cuts its log off at an old entry and goes on otherwise from there."""
    return _one_frame(liar, lambda: _rewritten(liar), everybody=True)


def nonsense_to_one(liar: Liar) -> Ways:
    """It signs what is no message, and shows it to one peer alone, which then could say no more."""

    def nonsense() -> bytes:
        forger = liar.faces[0]
        forger.follow(liar.entries)
        author, table = liar.session.author, liar.entries[-1].table
        made = seal(forger.key, forger.version, table, author, len(forger.chain), forger.chain[-1].hash, LeaveTable())
        odd = Odd(made.body, kind=99)
        forger._sign(made, odd)  # noqa: SLF001
        return forger.chain.pop().frame

    return _one_frame(liar, nonsense, everybody=False)


def _rewritten(liar: Liar) -> bytes:
    """Another version of its entry number 2, in whose place it leaves."""
    old, author = liar.entries[2], liar.session.author
    return seal(liar.session.me.key, liar.session.version, old.table, author, 2, old.prev, LeaveTable()).frame


def _one_frame(liar: Liar, frame: Callable[[], bytes], *, everybody: bool) -> Ways:
    """A frame sent besides, while the cards are played."""
    sent: set[int] = set()

    def more(to: int) -> tuple[bytes, ...]:
        deal = liar.session.table.deal
        if deal is None or deal.hand is None or to in sent or (sent and not everybody):
            return ()
        sent.add(to)
        liar.lied = True
        return (frame(),)

    return Ways(more=more)


def endless_log(_liar: Liar, body: CommitKeys) -> Words:
    """It writes entries that have to wait for the hand after next, more than anybody keeps."""
    return (*(replace(body, hand=body.hand + 2) for _ in range(FLOOD)), body)


def gap(_liar: Liar, body: Agreement) -> Words:
    """It leaves one number out of its log: that entry is shown to nobody, the later ones to all."""
    return (Odd(body, hidden=True),)


def broken_chain(_liar: Liar, body: Agreement) -> Words:
    """It signs an entry that does not follow from the one before."""
    return (Odd(body, prev=HASH),)


def from_another_table(_liar: Liar, body: Mix) -> Words:
    """It signs an entry for another table than this."""
    return (Odd(body, table=HASH),)


def unknown_kind(_liar: Liar, body: Mix) -> Words:
    """It signs an entry of a kind that does not exist."""
    return (Odd(body, kind=99),)


def no_fields(_liar: Liar, body: Mix) -> Words:
    """It signs an entry without any of its fields."""
    return (Odd(body, fields=()),)


def future_hand(_liar: Liar, body: Mix) -> Words:
    """It signs an entry of a hand that is far away, and all it says later has to wait for it."""
    return (replace(body, hand=60_000), body)


def another_attempt(_liar: Liar, body: Mix) -> Words:
    """It signs an entry of an attempt at the hand that is far away, and all it says later has to wait for it."""
    return (replace(body, attempt=999), body)


def next_attempt(_liar: Liar, body: Mix) -> Words:
    """It signs an entry of the next attempt at the hand, in which it will have no part."""
    return (replace(body, attempt=body.attempt + 1), body)


def future_decision(_liar: Liar, body: PlayCard) -> Words:
    """Its play builds on a decision that has not been taken, and all it says later has to wait for it."""
    return (replace(body, decision=body.decision + 9),)


CHEATS = (
    _forked("two-agrees", Kind.AGREE, "one commitment for the draw", Fault.BAD_COMMITMENT),
    _forked("two-draws", Kind.DRAW, "one nonce of the draw", Fault.BAD_COMMITMENT),
    _forked("two-starts", Kind.CHOICE, "one end of hand 0", Fault.WRONG_RESULT, hosts=True),
    _forked("two-commitments", Kind.COMMIT_KEYS, "one commitment to its key and cut", Fault.BAD_COMMITMENT),
    _forked("two-decks", Kind.MIX, "one deck"),
    _forked("two-cuts", Kind.AGREEMENT, "one nonce for the cut", Fault.BAD_COMMITMENT, charged=None),
    _forked("two-deals", Kind.DEAL, "one proof of its shares", charged=True),
    _forked(
        "two-pass-commitments", Kind.COMMIT_PASS, "one commitment to its passes", Fault.BAD_COMMITMENT, charged=True
    ),
    _forked("two-passes", Kind.OPEN_PASS, "one opening of its passes", Fault.BAD_COMMITMENT, charged=True),
    _forked("two-rows", Kind.REMIX, "one re-shuffle", charged=True),
    _forked("two-tricks", Kind.PLAY, "one card of a trick", charged=True),
    _forked("two-ends", Kind.ACCEPT, "one signature on the result", Fault.BAD_SIGNATURE, charged=True, hands=2),
    acting(fork_to_one, "P23", by(Fault.FORK, charged=True)),
    acting(rewritten_log, "P23", by(Fault.FORK, charged=True)),
    lying(endless_log, Kind.COMMIT_KEYS, "P26", LeftOut()),
    lying(broken_chain, Kind.AGREEMENT, "P23", by(Fault.FORK)),
    lying(gap, Kind.AGREEMENT, "P26", LeftOut()),
    lying(from_another_table, Kind.MIX, "P28", by(Fault.MALFORMED)),
    lying(unknown_kind, Kind.MIX, "P14", by(Fault.MALFORMED)),
    lying(no_fields, Kind.MIX, "P11", by(Fault.MALFORMED)),
    acting(nonsense_to_one, "P101", by(Fault.MALFORMED)),
    lying(future_hand, Kind.MIX, "P61", LeftOut()),
    lying(another_attempt, Kind.MIX, "P61", LeftOut()),
    lying(next_attempt, Kind.MIX, "P61", by(Fault.NOT_A_MEMBER)),
    lying(future_decision, Kind.PLAY, "P61", LeftOut()),
)
