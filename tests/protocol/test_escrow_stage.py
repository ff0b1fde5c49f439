"""Pieces of hand keys (`protocol/hand.md`, Escrow), in the tiny group, five members: what is sent at the opening, complaints
and whom they convict, and the key that a delegate rebuilds."""

from dataclasses import dataclass, replace
from types import MappingProxyType

import pytest

from p2p_hearts.crypto.box import disclose, seal
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Agreement, Complaint, Escrow, Kind, OpenKeys, Piece
from p2p_hearts.protocol.own import Own, read_record
from p2p_hearts.protocol.stages import escrow, opening
from p2p_hearts.protocol.state import Deal, context, put
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.ballots import A, B, C, D, E, hand

SEED = bytes(32)


@dataclass
class Opened:
    """A hand whose keys are open and whose pieces are in, and what each member keeps to itself."""

    deal: Deal
    own: dict[bytes, Own]

    def complaint(self, by: bytes, about: bytes) -> Complaint:
        """The box that `about` has sent `by`, rightly opened to all."""
        place = self.deal.members.index(about)
        where = context(self.deal, about, "escrow", self.deal.members.index(by))
        box = escrow._box(self.deal, about, by)
        opened = disclose(TINY, where, self.own[by].mail, box, seeded(SEED))
        return Complaint(3, 0, place, place, *opened)

    def given(self, *givers: bytes, lost: bytes = E, delegate: bytes = A) -> Deal:
        """The hand after `lost` was left out and these gave their pieces to its delegate."""
        deal = replace(self.deal, delegates={lost: delegate})
        for giver in givers:
            piece = escrow.make_piece(TINY, deal, giver, self.own[giver], lost, seeded(giver))
            deal = escrow.apply_piece(TINY, deal, giver, piece)
        return deal


def opened(deal: Deal | None = None) -> Opened:
    """All members commit, open, and send their pieces."""
    deal, own = deal or hand(), {}
    for member in deal.members:
        own[member], body = opening.make_commitment(TINY, deal, member, seeded(member))
        sent = put(deal.done(Kind.COMMIT_KEYS), member, body)
        deal = replace(deal, sent=put(deal.sent, Kind.COMMIT_KEYS, sent))
    for member in deal.members:
        deal = opening.apply_opening(TINY, deal, member, opening.make_opening(deal, own[member]))
    if deal.threshold:
        for member in deal.members:
            deal = escrow.apply_escrow(
                TINY, deal, member, escrow.make_escrow(TINY, deal, member, own[member], seeded(member))
            )
    heads = {member: member[:16] for member in deal.members}
    return Opened(replace(deal, heads=MappingProxyType(heads)), own)


def refused(code: Fault, by: bytes, call: object, *arguments: object) -> None:
    """What is somebody's fault."""
    assert callable(call)
    with pytest.raises(RemoteProtocolError) as error:
        call(*arguments)
    assert (error.value.code, error.value.peer) == (code, by)


@pytest.mark.parametrize(
    ("voters", "kept", "threshold"), [(5, True, 3), (4, True, 3), (3, True, 2), (2, True, 0), (5, False, 0)]
)
def test_how_many_pieces(voters: int, threshold: int, *, kept: bool) -> None:
    """A majority of those whom the hand began with; none where two play, since each would hold the other's key, and none at
    a table without escrow."""
    assert hand(voters=(A, B, C, D, E)[:voters], escrow=kept).threshold == threshold


def test_all_pieces_fit() -> None:
    """Whoever keeps to the rules gives every other member a piece that fits, and all agree."""
    table = opened()
    for member in table.deal.members:
        body = escrow.agree_or_complain(TINY, table.deal, member, table.own[member], SEED)
        assert isinstance(body, Agreement)
        assert body.heads == tuple(other[:16] for other in table.deal.members)


def test_a_table_without_escrow() -> None:
    """There are no mail keys, no commitments and no pieces; whoever sends some is at fault; all agree without."""
    table = opened(hand(escrow=False))
    bodies = table.deal.done(Kind.OPEN_KEYS).values()
    assert all(
        isinstance(body, OpenKeys) and (body.mail, body.mail_proof, body.pieces) == (b"",) * 3 for body in bodies
    )
    assert isinstance(escrow.agree_or_complain(TINY, table.deal, A, table.own[A], SEED), Agreement)
    deal = replace(table.deal, sent=put(table.deal.sent, Kind.OPEN_KEYS, {}))
    body = opening.make_opening(deal, table.own[A])
    refused(Fault.BAD_KEY, A, opening.apply_opening, TINY, deal, A, replace(body, mail=bytes(8)))
    refused(Fault.BAD_KEY, A, opening.apply_opening, TINY, deal, A, replace(body, pieces=bytes(16)))


@pytest.mark.parametrize(
    "change",
    [
        lambda body: replace(body, mail=body.key),
        lambda body: replace(body, mail_proof=body.proof),
        lambda body: replace(body, mail=b""),
        lambda body: replace(body, pieces=b""),
        lambda body: replace(body, pieces=body.pieces[:8]),
        lambda body: replace(body, pieces=body.pieces + body.pieces[:8]),
    ],
)
def test_false_mail_keys_and_commitments(change: object) -> None:
    """A mail key needs its own proof, for which that of the hand key does not do; and there are just q − 1 commitments."""
    table = opened()
    deal = replace(table.deal, sent=put(table.deal.sent, Kind.OPEN_KEYS, {}))
    assert callable(change)
    body = change(opening.make_opening(deal, table.own[A]))
    refused(Fault.BAD_KEY, A, opening.apply_opening, TINY, deal, A, body)


def test_a_copied_mail_key() -> None:
    """Another's mail key with its proof is not one's own: the proof names its author."""
    table = opened()
    deal = replace(table.deal, sent=put(table.deal.sent, Kind.OPEN_KEYS, {}))
    theirs = table.own[B]
    body = replace(opening.make_opening(deal, table.own[A]), mail=theirs.mail.public, mail_proof=theirs.mail_proof)
    refused(Fault.BAD_KEY, A, opening.apply_opening, TINY, deal, A, body)


def sent_again(table: Opened, boxes: tuple[bytes, ...]) -> None:
    """E sends these boxes instead of its own."""
    refused(Fault.BAD_ESCROW, E, escrow.apply_escrow, TINY, table.deal, E, Escrow(3, 0, boxes))


def test_boxes() -> None:
    """One for each other member, each sealed to just that one and proved to be a box at all."""
    table = opened()
    body = table.deal.done(Kind.ESCROW)[E]
    assert isinstance(body, Escrow)
    assert len(body.boxes) == 4
    sent_again(table, body.boxes[:-1])
    sent_again(table, (*body.boxes, body.boxes[0]))
    sent_again(table, (body.boxes[1], body.boxes[0], *body.boxes[2:]))
    sent_again(table, (body.boxes[0][:-1] + bytes((body.boxes[0][-1] ^ 1,)), *body.boxes[1:]))
    sent_again(table, (b"", *body.boxes[1:]))


def with_false_piece(table: Opened, receiver: bytes = B, piece: int = 7) -> Opened:
    """E has sealed something else than a piece of its key for one member."""
    body = table.deal.done(Kind.ESCROW)[E]
    assert isinstance(body, Escrow)
    receivers = [member for member in table.deal.members if member != E]
    place = receivers.index(receiver)
    where = context(table.deal, E, "escrow", table.deal.members.index(receiver))
    box = seal(TINY, where, table.own[receiver].mail.public, piece, seeded(SEED))
    boxes = (*body.boxes[:place], box, *body.boxes[place + 1 :])
    sent = put(table.deal.done(Kind.ESCROW), E, Escrow(3, 0, boxes))
    return Opened(replace(table.deal, sent=put(table.deal.sent, Kind.ESCROW, sent)), table.own)


def test_a_piece_that_does_not_fit() -> None:
    """Its receiver does not agree but opens the box to all, who see that it does not fit: its sender is at fault."""
    table = with_false_piece(opened())
    body = escrow.agree_or_complain(TINY, table.deal, B, table.own[B], SEED)
    assert isinstance(body, Complaint)
    assert (body.sender, body.part) == (table.deal.members.index(E),) * 2
    refused(Fault.BAD_ESCROW, E, escrow.apply_complaint, TINY, table.deal, B, body)
    for other in (A, C, D):
        assert isinstance(escrow.agree_or_complain(TINY, table.deal, other, table.own[other], SEED), Agreement)


def test_a_false_complaint() -> None:
    """Who complains about a piece that fits is at fault, also if it opens the box to something else, or another's."""
    table = opened()
    body = table.complaint(B, E)
    refused(Fault.BAD_COMPLAINT, B, escrow.apply_complaint, TINY, table.deal, B, body)
    forged = replace(body, shared=TINY.add(body.shared, TINY.generator))
    refused(Fault.BAD_COMPLAINT, B, escrow.apply_complaint, TINY, table.deal, B, forged)
    refused(Fault.BAD_COMPLAINT, C, escrow.apply_complaint, TINY, table.deal, C, body)


def test_complaints_about_nothing() -> None:
    """About oneself, about a piece for a delegate that was never sent, about nobody."""
    table = opened()
    mine = table.deal.members.index(B)
    body = replace(table.complaint(B, E), sender=mine, part=mine)
    refused(Fault.BAD_COMPLAINT, B, escrow.apply_complaint, TINY, table.deal, B, body)
    other = table.deal.members.index(C)
    body = replace(table.complaint(B, E), part=other)
    refused(Fault.BAD_COMPLAINT, B, escrow.apply_complaint, TINY, table.deal, B, body)
    body = replace(table.complaint(B, E), sender=5)
    refused(Fault.MALFORMED, B, escrow.apply_complaint, TINY, table.deal, B, body)


def test_a_complaint_opens_one_box_only() -> None:
    """What is opened to all opens no other box: neither the mail key nor another piece follows from it."""
    table = with_false_piece(opened())
    body = escrow.agree_or_complain(TINY, table.deal, B, table.own[B], SEED)
    assert isinstance(body, Complaint)
    for sender in (A, C, D):
        forged = replace(body, sender=table.deal.members.index(sender), part=table.deal.members.index(sender))
        refused(Fault.BAD_COMPLAINT, B, escrow.apply_complaint, TINY, table.deal, B, forged)


# the delegate


def test_the_key_is_rebuilt_from_just_a_majority() -> None:
    """A holds a piece of its own and needs two more of four; with one it has nothing."""
    table = opened()
    entropy = seeded(b"rebuild")
    assert escrow.rebuilt(TINY, table.given(), A, table.own[A], E, entropy) is None
    assert escrow.rebuilt(TINY, table.given(B), A, table.own[A], E, entropy) is None
    for givers in ((B, C), (C, D), (D, B), (B, C, D)):
        got = escrow.rebuilt(TINY, table.given(*givers), A, table.own[A], E, entropy)
        assert isinstance(got, Own)
        assert (got.part, got.key, got.attempt) == (E, table.own[E].key, 0)
        assert not got.mail.secret  # the mail key was in no pieces: what others sent E stays closed


def test_pieces_go_to_the_delegate_alone() -> None:
    """Another member cannot open them: the boxes are none of its own."""
    table = opened()
    boxes = table.given(C, D).pieces[E, A]
    deal = replace(table.given(C, D), delegates={E: B}, pieces={(E, B): boxes})
    with pytest.raises(CryptoError):
        escrow.rebuilt(TINY, deal, B, table.own[B], E, seeded(SEED))


def test_a_false_piece_for_the_delegate() -> None:
    """The delegate opens it to all: its sender is at fault; for one that fits the delegate is."""
    table = opened()
    deal = table.given(B)
    place = deal.members.index
    where = context(deal, C, "piece", place(E) * 16 + place(A))
    false = Piece(3, 0, 0, place(E), seal(TINY, where, table.own[A].mail.public, 7, seeded(SEED)))
    deal = escrow.apply_piece(TINY, deal, C, false)
    body = escrow.rebuilt(TINY, deal, A, table.own[A], E, seeded(SEED))
    assert isinstance(body, Complaint)
    assert (body.sender, body.part) == (place(C), place(E))
    refused(Fault.BAD_ESCROW, C, escrow.apply_complaint, TINY, deal, A, body)
    where = context(deal, B, "piece", place(E) * 16 + place(A))
    box = deal.pieces[E, A][B]
    told = Complaint(3, 0, place(B), place(E), *disclose(TINY, where, table.own[A].mail, box, seeded(SEED)))
    refused(Fault.BAD_COMPLAINT, A, escrow.apply_complaint, TINY, deal, A, told)


def test_pieces_that_nobody_needs() -> None:
    """Before anybody is lost, from the delegate itself, twice, or in no box: each is its author's fault. For a delegate
    before, who was lost, too, they have no effect."""
    table = opened()
    deal = table.given(B)
    piece = escrow.make_piece(TINY, deal, C, table.own[C], E, seeded(SEED))
    refused(Fault.OUT_OF_PHASE, C, escrow.apply_piece, TINY, table.deal, C, piece)
    refused(Fault.OUT_OF_PHASE, A, escrow.apply_piece, TINY, deal, A, piece)
    refused(Fault.OUT_OF_PHASE, C, escrow.apply_piece, TINY, deal, C, replace(piece, part=0))
    refused(Fault.OUT_OF_PHASE, C, escrow.apply_piece, TINY, deal, C, replace(piece, part=9))
    refused(Fault.BAD_ESCROW, C, escrow.apply_piece, TINY, deal, C, replace(piece, box=piece.box[:-1]))
    refused(Fault.REPEATED, C, escrow.apply_piece, TINY, escrow.apply_piece(TINY, deal, C, piece), C, piece)
    later = replace(deal, delegates={E: D}, decision=replace(deal.decision, number=1))
    assert escrow.apply_piece(TINY, later, C, piece) == later


def test_the_journal_holds_the_pieces() -> None:
    """What was sealed to others, and the mail key, come back from the record, so that a restart loses nothing."""
    own = opened().own[A]
    again = read_record(own.record())
    assert (again.mail, again.pieces, again.checks, again.mail_proof) == (
        own.mail,
        own.pieces,
        own.checks,
        own.mail_proof,
    )
