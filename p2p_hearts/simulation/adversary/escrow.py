"""Cheats about the pieces of hand keys: mail keys that are not its own, pieces that do not fit, complaints that are not true,
and, once somebody is lost, pieces and complaints for the delegate."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2p_hearts.crypto.box import disclose, seal
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Agreement, Complaint, Escrow, Kind, OpenKeys, Piece
from p2p_hearts.protocol.state import Deal, context
from p2p_hearts.simulation.adversary.cheat import LeftOut, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways

SEED = bytes(32)
NOBODY = 10  # no member at a table of fewer than eleven peers
MID_HAND = 1.0  # virtual seconds; by then cards are being played


def unproved_mail_key(liar: Liar, body: OpenKeys) -> Words:
    """Its mail key is one whose secret it does not know, with the proof of another."""
    return (replace(body, mail=liar.group.hash_to_point(b"no secret", body.mail)),)


def copied_mail_key(liar: Liar, body: OpenKeys) -> Words | None:
    """Its mail key and the proof of it are another's, so that what it is sent can be read by that one."""
    others = (member for member in liar.deal(body.hand).members if member != liar.me)
    seen = next((said for other in others if (said := liar.said(other, Kind.OPEN_KEYS, body.hand))), None)
    return None if seen is None else (replace(body, mail=seen.mail, mail_proof=seen.mail_proof),)


def no_commitments(_liar: Liar, body: OpenKeys) -> Words:
    """It gives nothing that the pieces of its key can be checked against."""
    return (replace(body, pieces=b""),)


def other_commitments(liar: Liar, body: OpenKeys) -> Words:
    """What the pieces are checked against is of another key, so that none of its pieces fits."""
    size = liar.group.element_bytes
    first = liar.group.add(body.pieces[:size], liar.group.generator)
    return (replace(body, pieces=first + body.pieces[size:]),)


def _boxes(body: Escrow, change: Callable[[int, bytes], bytes]) -> Words:
    """The pieces, those that are changed sealed anew: `change` has the place of a box and what is in it now."""
    return (replace(body, boxes=tuple(change(place, box) for place, box in enumerate(body.boxes))),)


def _receivers(liar: Liar, deal: Deal) -> list[bytes]:
    return [member for member in deal.members if member != liar.me]


def _sealed(liar: Liar, deal: Deal, receiver: bytes, piece: int) -> bytes:
    """Any number, rightly sealed to a member as its piece of the cheater's key."""
    where = context(deal, liar.me, "escrow", deal.members.index(receiver))
    opened: Any = deal.done(Kind.OPEN_KEYS)[receiver]
    return seal(liar.group, where, opened.mail, piece, seeded(SEED))


def unfit_piece(liar: Liar, body: Escrow) -> Words:
    """One of its pieces, rightly sealed, is no piece of its key: without a complaint that one could not help later."""
    deal = liar.deal(body.hand)
    receivers = _receivers(liar, deal)
    piece = liar.own(body.hand).pieces[deal.members.index(receivers[0])] + 1
    return _boxes(body, lambda place, box: box if place else _sealed(liar, deal, receivers[0], piece))


def unfit_pieces(liar: Liar, body: Escrow) -> Words:
    """None of its pieces fits."""
    deal = liar.deal(body.hand)
    receivers = _receivers(liar, deal)
    return _boxes(body, lambda place, _box: _sealed(liar, deal, receivers[place], 7))


def unproved_box(_liar: Liar, body: Escrow) -> Words:
    """One of its boxes is spoiled, so that nobody could show what is in it."""
    return _boxes(body, lambda place, box: box if place else box[:-1] + bytes((box[-1] ^ 1,)))


def borrowed_box(_liar: Liar, body: Escrow) -> Words:
    """The box for one member is the one made for another."""
    return _boxes(body, lambda place, box: box if place else body.boxes[-1])


def escrow_for_fewer(_liar: Liar, body: Escrow) -> Words:
    """It gives one member no piece."""
    return (replace(body, boxes=body.boxes[:-1]),)


def escrow_twice(_liar: Liar, body: Escrow) -> Words:
    """It gives its pieces twice."""
    return (body, body)


def _complained(liar: Liar, deal: Deal, sender: int) -> Complaint:
    """The box that a member has sent, rightly opened to all."""
    other, mine = deal.members[sender], deal.members.index(liar.me)
    sent: Any = deal.done(Kind.ESCROW)[other]
    receivers = [member for member in deal.members if member != other]
    box = sent.boxes[receivers.index(liar.me)]
    opened = disclose(liar.group, context(deal, other, "escrow", mine), liar.own(deal.number).mail, box, seeded(SEED))
    return Complaint(deal.number, deal.attempt, sender, sender, *opened)


def _another(liar: Liar, deal: Deal) -> int:
    return next(place for place, member in enumerate(deal.members) if member != liar.me)


def false_complaint(liar: Liar, body: Agreement) -> Words:
    """It complains about a piece that fits."""
    deal = liar.deal(body.hand)
    return (_complained(liar, deal, _another(liar, deal)),)


def false_disclosure(liar: Liar, body: Agreement) -> Words:
    """It complains about a piece that fits, and opens the box to something else."""
    deal = liar.deal(body.hand)
    complaint = _complained(liar, deal, _another(liar, deal))
    return (replace(complaint, shared=liar.group.add(complaint.shared, liar.group.generator)),)


def complaint_about_itself(liar: Liar, body: Agreement) -> Words:
    """It complains about a piece that nobody has sent it: of its own key."""
    deal = liar.deal(body.hand)
    mine = deal.members.index(liar.me)
    return (replace(_complained(liar, deal, _another(liar, deal)), sender=mine, part=mine),)


def complaint_about_nobody(liar: Liar, body: Agreement) -> Words:
    """It complains about a member that the hand does not have."""
    deal = liar.deal(body.hand)
    return (replace(_complained(liar, deal, _another(liar, deal)), sender=NOBODY, part=NOBODY),)


def complaint_about_no_piece(liar: Liar, body: Agreement) -> Words:
    """It complains about a piece for a delegate, but it is nobody's delegate."""
    deal = liar.deal(body.hand)
    other = _another(liar, deal)
    return (replace(_complained(liar, deal, other), part=(other + 1) % len(deal.members)),)


def piece_unasked(liar: Liar, body: Agreement) -> Words:
    """It gives its piece of another's key away although nobody is lost."""
    deal = liar.deal(body.hand)
    sent: Any = deal.done(Kind.ESCROW)[liar.me]
    return (body, Piece(deal.number, deal.attempt, 0, _another(liar, deal), sent.boxes[0]))


def spoiled_piece(_liar: Liar, body: Piece) -> Words:
    """The piece that it gives the delegate of a lost member is in no sound box."""
    return (replace(body, box=body.box[:-1] + bytes((body.box[-1] ^ 1,))),)


def piece_twice(_liar: Liar, body: Piece) -> Words:
    """It gives the delegate its piece twice."""
    return (body, body)


def complaint_of_the_delegate(liar: Liar) -> Ways:
    """As delegate it complains about a piece that fits, so as to be rid of another."""

    def change(entry: Entry) -> Words:
        deal = liar.session.table.deal
        lost = None if deal is None else next((at for at, by in deal.delegates.items() if by == liar.me), None)
        given = {} if deal is None or lost is None else deal.pieces.get((lost, liar.me), {})
        if liar.lied or deal is None or lost is None or not given or not hasattr(entry.body, "hand"):
            return (entry.body,)
        liar.lied = True
        sender, box = next(iter(given.items()))
        part = deal.members.index(lost)
        where = context(deal, sender, "piece", part * 16 + deal.members.index(liar.me))
        opened = disclose(liar.group, where, liar.own(deal.number).mail, box, seeded(SEED))
        return (Complaint(deal.number, deal.attempt, deal.members.index(sender), part, *opened), entry.body)

    return Ways(change)


CHEATS = (
    lying(unproved_mail_key, Kind.OPEN_KEYS, "P66", by(Fault.BAD_KEY)),
    lying(copied_mail_key, Kind.OPEN_KEYS, "P66", by(Fault.BAD_KEY)),
    lying(no_commitments, Kind.OPEN_KEYS, "P66", by(Fault.BAD_KEY)),
    lying(other_commitments, Kind.OPEN_KEYS, "P67", by(Fault.BAD_ESCROW), goes_on=True),
    lying(unfit_piece, Kind.ESCROW, "P67", by(Fault.BAD_ESCROW), goes_on=True),
    lying(unfit_pieces, Kind.ESCROW, "P67", by(Fault.BAD_ESCROW), goes_on=True),
    lying(unproved_box, Kind.ESCROW, "P67", by(Fault.BAD_ESCROW)),
    lying(borrowed_box, Kind.ESCROW, "P67", by(Fault.BAD_ESCROW)),
    lying(escrow_for_fewer, Kind.ESCROW, "P67", by(Fault.BAD_ESCROW)),
    lying(escrow_twice, Kind.ESCROW, "P67", by(Fault.REPEATED)),
    lying(false_complaint, Kind.AGREEMENT, "P67", by(Fault.BAD_COMPLAINT)),
    lying(false_disclosure, Kind.AGREEMENT, "P67", by(Fault.BAD_COMPLAINT)),
    lying(complaint_about_itself, Kind.AGREEMENT, "P67", by(Fault.BAD_COMPLAINT)),
    lying(complaint_about_no_piece, Kind.AGREEMENT, "P67", by(Fault.BAD_COMPLAINT)),
    lying(complaint_about_nobody, Kind.AGREEMENT, "P67", by(Fault.MALFORMED)),
    lying(piece_unasked, Kind.AGREEMENT, "P67", LeftOut()),
    lying(spoiled_piece, Kind.PIECE, "P67", by(Fault.BAD_ESCROW), lost=MID_HAND),
    lying(piece_twice, Kind.PIECE, "P67", by(Fault.REPEATED), lost=MID_HAND),
    acting(complaint_of_the_delegate, "P67", by(Fault.BAD_COMPLAINT), lost=MID_HAND),
)
