"""Cheats about the pass: the wrong number of cards, others' cards, other cards than chosen, and about the re-shuffle."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.crypto.masking import decode_masked, encode_masked
from p2p_hearts.crypto.shuffle import mix
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transfer import transfer
from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import CommitPass, Kind, OpenPass, Remix, SeatPass
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages import passing
from p2p_hearts.protocol.state import Deal, context, put
from p2p_hearts.simulation.adversary.cheat import acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways

SEED = bytes(32)


def _passing(liar: Liar, change: Callable[[Deal, SeatPass], SeatPass]) -> Ways:
    """Commits to passes of which the first is changed, and opens them."""

    def forged(deal: Deal, own: Own) -> Own:
        liar.lied = True
        return replace(own, passes=(change(deal, own.passes[0]), *own.passes[1:]))

    def change_entry(entry: Entry) -> Words | None:
        body = entry.body
        if not isinstance(body, CommitPass | OpenPass):
            return (body,)
        deal = liar.deal(body.hand)
        own = forged(deal, liar.own(body.hand))
        commitment = passing.make_commitment(deal, liar.me, own)
        if isinstance(body, CommitPass):
            return (commitment,)
        sent = put(deal.sent, Kind.COMMIT_PASS, put(deal.done(Kind.COMMIT_PASS), liar.me, commitment))
        return (passing.make_opening(replace(deal, sent=sent), own),)

    return Ways(change_entry)


def _card(liar: Liar, deal: Deal, item: SeatPass, seat: int, place: int, *, claimed: int) -> tuple[bytes, bytes]:
    """The card at some place of some row, re-encrypted for the receiver, with a proof for the place that is claimed."""
    receiver = deal.key(deal.operators[passing.target(deal, item.seat)])
    where = context(deal, liar.me, "pass", 32 * item.seat + claimed)
    key = liar.own(deal.number).key
    masked, proof = transfer(liar.group, where, key, receiver, deal.rows[seat][place], seeded(SEED))
    return encode_masked(liar.group, (masked,)), proof


def _first(liar: Liar, item: SeatPass, card: bytes, proof: bytes) -> SeatPass:
    size = 2 * liar.group.element_bytes
    return replace(item, cards=card + item.cards[size:], proofs=(proof, *item.proofs[1:]))


def _free(deal: Deal, item: SeatPass) -> int:
    """A place of the row that is not passed."""
    return next(place for place in range(deal.size) if place not in item.positions)


def pass_four(liar: Liar) -> Ways:
    """It passes one card more than it may."""

    def change(deal: Deal, item: SeatPass) -> SeatPass:
        place = _free(deal, item)
        card, proof = _card(liar, deal, item, item.seat, place, claimed=place)
        places, proofs = (*item.positions, place), (*item.proofs, proof)
        return SeatPass(item.seat, places, item.cards + card, proofs)

    return _passing(liar, change)


def pass_one_twice(liar: Liar) -> Ways:
    """It passes one card twice and keeps another."""

    def change(deal: Deal, item: SeatPass) -> SeatPass:
        place = item.positions[1]
        card, proof = _card(liar, deal, item, item.seat, place, claimed=place)
        return _first(liar, replace(item, positions=(place, *item.positions[1:])), card, proof)

    return _passing(liar, change)


def pass_anothers_card(liar: Liar) -> Ways:
    """It passes a card that lies in another seat’s row."""

    def change(deal: Deal, item: SeatPass) -> SeatPass:
        other = (item.seat + 1) % deal.seats
        card, proof = _card(liar, deal, item, other, 0, claimed=item.positions[0])
        return _first(liar, item, card, proof)

    return _passing(liar, change)


def pass_another_card(liar: Liar) -> Ways:
    """It passes another card than the one at the place that it names, which it keeps as well."""

    def change(deal: Deal, item: SeatPass) -> SeatPass:
        card, proof = _card(liar, deal, item, item.seat, _free(deal, item), claimed=item.positions[0])
        return _first(liar, item, card, proof)

    return _passing(liar, change)


def pass_for_another_seat(liar: Liar) -> Ways:
    """It passes the cards of a seat that is not its own."""

    def change(deal: Deal, item: SeatPass) -> SeatPass:
        other = next(seat for seat, operator in enumerate(deal.operators) if operator != liar.me)
        return replace(item, seat=other)

    return _passing(liar, change)


def pass_after_looking(liar: Liar, body: OpenPass) -> Words | None:
    """Once it sees what the others pass, it opens another pass than the one it has committed to."""
    deal = liar.deal(body.hand)
    if not deal.all_in(Kind.OPEN_PASS):
        return None
    item = body.passes[0]
    place = _free(deal, item)
    card, proof = _card(liar, deal, item, item.seat, place, claimed=place)
    changed = _first(liar, replace(item, positions=(place, *item.positions[1:])), card, proof)
    return (replace(body, passes=(changed, *body.passes[1:])),)


def copied_pass(liar: Liar) -> Ways:
    """It copies another's commitment to its passes, and once they are open, the opening."""

    def change(entry: Entry) -> Words | None:
        body = entry.body
        if not isinstance(body, CommitPass | OpenPass):
            return (body,)
        deal = liar.deal(body.hand)
        other = next(member for member in deal.members if member != liar.me)
        seen, copied = (liar.said(other, kind, body.hand) for kind in (entry.kind, Kind.COMMIT_PASS))
        if seen is None:
            return None
        liar.lied = True
        if isinstance(body, CommitPass):
            return (seen,)
        sent = put(deal.sent, Kind.COMMIT_PASS, put(deal.done(Kind.COMMIT_PASS), liar.me, copied))
        own = replace(liar.own(body.hand), passes=seen.passes, pass_salt=seen.salt)
        return (passing.make_opening(replace(deal, sent=sent), own),)

    return Ways(change)


def pass_for_others(_liar: Liar, body: OpenPass) -> Words:
    """Its pass answers other commitments than those that all hold."""
    return (replace(body, answers=SEED),)


def remix_a_swap(liar: Liar, body: Remix) -> Words:
    """In its re-shuffle one card becomes another that lies in no row of its own."""
    deal, row = liar.deal(body.hand), body.rows[0]
    swapped = (deal.slots[-1], *deal.passed[row.seat][1:])
    where = context(deal, liar.me, "remix", row.seat)
    cards, proof = mix(liar.group, where, liar.own(body.hand).key.public, swapped, seeded(SEED))
    return (replace(body, rows=(replace(row, cards=encode_masked(liar.group, cards), proof=proof), *body.rows[1:])),)


def remix_a_double(liar: Liar, body: Remix) -> Words:
    """In its re-shuffle one card of the row takes the place of another."""
    row = body.rows[0]
    cards = decode_masked(liar.group, row.cards, liar.deal(body.hand).size)
    doubled = encode_masked(liar.group, (cards[1], *cards[1:]))
    return (replace(body, rows=(replace(row, cards=doubled), *body.rows[1:])),)


def remix_anothers_row(liar: Liar, body: Remix) -> Words:
    """It shuffles the row of a seat that is not its own."""
    operators = liar.deal(body.hand).operators
    other = next(seat for seat, operator in enumerate(operators) if operator != liar.me)
    return (replace(body, rows=(replace(body.rows[0], seat=other), *body.rows[1:])),)


CHEATS = (
    acting(pass_four, "P75", by(Fault.BAD_PASS)),
    acting(pass_one_twice, "P75", by(Fault.BAD_PASS)),
    acting(pass_anothers_card, "P75", by(Fault.BAD_PASS)),
    acting(pass_another_card, "P75", by(Fault.BAD_PASS)),
    acting(pass_for_another_seat, "P75", by(Fault.BAD_PASS)),
    lying(pass_after_looking, Kind.OPEN_PASS, "P75", by(Fault.BAD_COMMITMENT)),
    acting(copied_pass, "P62", by(Fault.BAD_COMMITMENT)),
    lying(pass_for_others, Kind.OPEN_PASS, "P63", by(Fault.WRONG_HEADS)),
    lying(remix_a_swap, Kind.REMIX, "P76", by(Fault.BAD_MIX)),
    lying(remix_a_double, Kind.REMIX, "P76", by(Fault.BAD_MIX)),
    lying(remix_anothers_row, Kind.REMIX, "P76", by(Fault.BAD_MIX)),
)
