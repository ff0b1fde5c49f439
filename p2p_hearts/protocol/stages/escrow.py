"""Escrow: every hand key lies in pieces with the other members, so that a majority, and nobody less, can give it to the
delegate of a member that was lost (Feldman 1987; `protocol/hand.md`, Escrow).

Laws: a piece is sealed to the receiver's mail key, never to a hand key: a delegate who rebuilds one must not be able to
open that peer's mail. A piece that does not fit is complained about before its receiver agrees to the deck; then all see
it, and either its sender or the complainer is at fault. No piece leaves for a delegate before the decision has fallen."""

from dataclasses import replace

from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal, verify_sealed
from p2p_hearts.crypto.errors import CryptoError, DecodeError
from p2p_hearts.crypto.escrow import decode_commitments, piece_fits, rebuild
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Agreement, Complaint, Escrow, Kind, OpenKeys, Piece
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.agreeing import make_agreement
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.state import Deal, context, put


def make_escrow(group: Group, deal: Deal, me: bytes, own: Own, entropy: Entropy) -> Escrow:
    """The pieces of our key, one for every other member in mixing order."""
    boxes = []
    for index, member in enumerate(deal.members):
        if member != me:
            where = _escrow_where(deal, me, member)
            boxes.append(seal(group, where, _opened(deal, member).mail, own.pieces[index], entropy))
    return Escrow(deal.number, deal.attempt, tuple(boxes))


def apply_escrow(group: Group, deal: Deal, author: bytes, body: Escrow) -> Deal:
    """The hand with the pieces of a member's key.

    Raises RemoteProtocolError when there is not one sound box for every other member.
    """
    others = [member for member in deal.members if member != author]
    with blaming(author, Fault.BAD_ESCROW):
        if len(body.boxes) != len(others):
            raise DecodeError(f"{len(body.boxes)} pieces for {len(others)} members")
        for member, box in zip(others, body.boxes, strict=True):
            verify_sealed(group, _escrow_where(deal, author, member), _opened(deal, member).mail, box)
    return replace(deal, sent=put(deal.sent, Kind.ESCROW, put(deal.done(Kind.ESCROW), author, body)))


def agree_or_complain(group: Group, deal: Deal, me: bytes, own: Own, seed: bytes) -> Agreement | Complaint:
    """Our agreement, if every piece that we were sent fits; else the first that does not, opened to all. A job."""
    for member in deal.members if deal.threshold else ():
        if member != me and not _fits(group, deal, member, me, _piece(group, deal, member, me, own)):
            index = deal.members.index(member)
            where = _escrow_where(deal, member, me)
            opened = disclose(group, where, own.mail, _box(deal, member, me), seeded(seed))
            return Complaint(deal.number, deal.attempt, index, index, *opened)
    return make_agreement(deal, own)


def make_piece(group: Group, deal: Deal, me: bytes, own: Own, lost: bytes, entropy: Entropy) -> Piece:
    """Our piece of a lost member's key, for its delegate."""
    delegate, part = deal.delegates[lost], deal.members.index(lost)
    where = _piece_where(deal, me, lost, delegate)
    box = seal(group, where, _opened(deal, delegate).mail, _piece(group, deal, lost, me, own), entropy)
    return Piece(deal.number, deal.attempt, deal.decision.number, part, box)


def apply_piece(group: Group, deal: Deal, author: bytes, body: Piece) -> Deal:
    """The hand with one more piece for a delegate; one for a delegate before has no effect.

    Raises RemoteProtocolError when nobody needs it, or it is no sound box.
    """
    lost = deal.members[body.part] if body.part < len(deal.members) else b""
    delegate = deal.delegates.get(lost)
    if delegate is None or delegate == author or not deal.threshold:
        if body.decision < deal.decision.number:
            return deal
        raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, "a piece that nobody needs")
    given = deal.pieces.get((lost, delegate), {})
    if author in given:
        raise RemoteProtocolError(author, Fault.REPEATED, "the same piece again")
    try:
        verify_sealed(group, _piece_where(deal, author, lost, delegate), _opened(deal, delegate).mail, body.box)
    except CryptoError as error:
        if body.decision < deal.decision.number:
            return deal
        raise RemoteProtocolError(author, Fault.BAD_ESCROW, str(error)) from error
    return replace(deal, pieces=put(deal.pieces, (lost, delegate), {**given, author: body.box}))


def apply_complaint(group: Group, deal: Deal, author: bytes, body: Complaint) -> Deal:
    """Judges a complaint: it always ends with somebody at fault.

    Raises RemoteProtocolError that blames the sender of a bad piece, or the complainer.
    """
    if max(body.sender, body.part) >= len(deal.members):
        raise RemoteProtocolError(author, Fault.MALFORMED, "it complains about nobody in this hand")
    sender, lost = deal.members[body.sender], deal.members[body.part]
    if sender == lost:
        box, where, holder = _box(deal, sender, author), _escrow_where(deal, sender, author), author
    else:
        box = deal.pieces.get((lost, author), {}).get(sender, b"")
        where, holder = _piece_where(deal, sender, lost, author), sender
    with blaming(author, Fault.BAD_COMPLAINT):
        if not box:
            raise DecodeError("it complains about what it was not sent")
        piece = open_disclosed(group, where, _opened(deal, author).mail, box, body.shared, body.proof)
        if _fits(group, deal, lost, holder, piece):
            raise DecodeError("the piece fits")
    raise RemoteProtocolError(sender, Fault.BAD_ESCROW, "as the one who got it has shown")


def rebuilt(
    group: Group,
    deal: Deal,
    me: bytes,
    own: Own,
    lost: bytes,
    entropy: Entropy,
    reported: frozenset[bytes] = frozenset(),
) -> Own | Complaint | None:
    """The secrets of a lost member whose delegate we are; a complaint about a piece that does not fit, unless its sender is
    `reported` already; None while the pieces are too few."""
    pieces = {deal.members.index(me) + 1: _piece(group, deal, lost, me, own)}
    for sender, box in deal.pieces.get((lost, me), {}).items():
        where = _piece_where(deal, sender, lost, me)
        piece = open_sealed(group, where, own.mail, box)
        if sender in reported:
            continue
        if not _fits(group, deal, lost, sender, piece):
            opened = disclose(group, where, own.mail, box, entropy)
            indexes = (deal.members.index(sender), deal.members.index(lost))
            return Complaint(deal.number, deal.attempt, *indexes, *opened)
        pieces[deal.members.index(sender) + 1] = piece
    if len(pieces) < deal.threshold:
        return None
    return Own(lost, rebuild(group, _commitments(group, deal, lost), pieces), deal.attempt)


def _opened(deal: Deal, member: bytes) -> OpenKeys:
    body = deal.done(Kind.OPEN_KEYS)[member]
    assert isinstance(body, OpenKeys)
    return body


def _commitments(group: Group, deal: Deal, member: bytes) -> tuple[bytes, ...]:
    return decode_commitments(group, deal.key(member), _opened(deal, member).pieces, deal.threshold)


def _fits(group: Group, deal: Deal, member: bytes, holder: bytes, piece: int) -> bool:
    return piece_fits(group, _commitments(group, deal, member), deal.members.index(holder) + 1, piece)


def _box(deal: Deal, sender: bytes, receiver: bytes) -> bytes:
    """What a member was sent at the opening; empty if nothing, as to itself."""
    body = deal.done(Kind.ESCROW).get(sender)
    others = [member for member in deal.members if member != sender]
    if not isinstance(body, Escrow) or receiver not in others:
        return b""
    return body.boxes[others.index(receiver)]


def _piece(group: Group, deal: Deal, member: bytes, me: bytes, own: Own) -> int:
    """Our piece of a member's key, as it was sent."""
    return open_sealed(group, _escrow_where(deal, member, me), own.mail, _box(deal, member, me))


def _escrow_where(deal: Deal, sender: bytes, receiver: bytes) -> bytes:
    return context(deal, sender, "escrow", deal.members.index(receiver))


def _piece_where(deal: Deal, sender: bytes, lost: bytes, delegate: bytes) -> bytes:
    return context(deal, sender, "piece", deal.members.index(lost) * 16 + deal.members.index(delegate))
