"""Passing: every member commits to the re-encryptions of its chosen cards to the receivers' keys, then all open, so that
nobody sees what arrives before choosing (R7). Each receiving hand is then shuffled again under its operator's key, one
proof a seat: otherwise all could see which of its later plays came by the pass."""

from collections.abc import Mapping
from dataclasses import replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.commitment import check, commit
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import Masked, decode_masked, encode_masked
from p2p_hearts.crypto.shuffle import mix, verify_mix
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transfer import transfer, verify_transfer
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.passing import pass_target
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.messages import CommitPass, Kind, OpenPass, Remix, SeatPass, SeatRow
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import Check, blaming
from p2p_hearts.protocol.stages.dealing import points_in
from p2p_hearts.protocol.state import Deal, context, put, set_hash


def target(deal: Deal, seat: int) -> int:
    """The seat to which `seat` passes in this hand, which must have a pass."""
    receiver = pass_target(deal.options, deal.seats, deal.number, seat)
    assert receiver is not None
    return receiver


def positions_of(cards: tuple[Card, ...], chosen: tuple[Card, ...]) -> tuple[int, ...]:
    """Where the chosen cards lie in a row; a card named twice means both copies."""
    free = list(range(len(cards)))
    places = []
    for card in chosen:
        place = next(position for position in free if cards[position] == card)
        free.remove(place)
        places.append(place)
    return tuple(sorted(places))


def make_passes(
    group: Group, deal: Deal, me: bytes, own: Own, chosen: Mapping[int, tuple[Card, ...]], seed: bytes
) -> tuple[SeatPass, ...]:
    """The passes of all seats we operate; a job."""
    entropy = seeded(seed)
    passes = []
    for seat in deal.seats_of(own.part):
        places = positions_of(own.cards[seat], chosen[seat]) if own.part == me else forced_positions(deal, seat)
        receiver = deal.key(deal.operators[target(deal, seat)])
        made = [
            transfer(group, _where(deal, me, seat, place), own.key, receiver, deal.rows[seat][place], entropy)
            for place in places
        ]
        cards = encode_masked(group, [masked for masked, _ in made])
        passes.append(SeatPass(seat, places, cards, tuple(proof for _, proof in made)))
    return tuple(passes)


def forced_positions(deal: Deal, seat: int) -> tuple[int, ...]:
    """The positions of the cards that a lost seat passes, which nobody chooses: those with the lowest H(cut, seat, slot)."""
    drawn = sorted(range(deal.size), key=lambda place: digest("lost pass", deal.cut, bytes((seat, place))))
    return tuple(sorted(drawn[: deal.options.pass_count]))


def _where(deal: Deal, author: bytes, seat: int, place: int) -> bytes:
    return context(deal, author, "pass", seat * 32 + place)


def _value(passes: tuple[SeatPass, ...]) -> bytes:
    """What is committed to; a hash, since the passes themselves may be long."""
    return digest("passes", pack(tuple(plain(item) for item in passes)))


def make_commitment(deal: Deal, me: bytes, own: Own) -> CommitPass:
    """Our commitment to the passes in `own`."""
    commitment = commit(b"passes", context(deal, me, "passes"), _value(own.passes), own.pass_salt)
    return CommitPass(deal.number, deal.attempt, deal.decision.number, commitment)


def make_opening(deal: Deal, own: Own) -> OpenPass:
    """Our passes, once all commitments are in."""
    answers = set_hash(deal, Kind.COMMIT_PASS)
    head = (deal.number, deal.attempt, deal.decision.number, deal.members.index(own.part))
    return OpenPass(*head, answers, own.pass_salt or bytes(32), own.passes)


def apply_opening(group: Group, deal: Deal, author: bytes, part: bytes, body: OpenPass) -> Deal:
    """The hand after a member opened its passes, their proofs still to be verified; a delegate passes what is drawn.

    Raises RemoteProtocolError when they are not what was committed to, or not one legal choice for each of its seats.
    """
    if body.answers != set_hash(deal, Kind.COMMIT_PASS):
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it answers other pass commitments")
    if part == author:
        committed = deal.done(Kind.COMMIT_PASS)[author]
        assert isinstance(committed, CommitPass)
        with blaming(author, Fault.BAD_COMMITMENT):
            check(b"passes", context(deal, author, "passes"), _value(body.passes), body.salt, committed.commitment)
    if tuple(item.seat for item in body.passes) != deal.seats_of(part):
        raise RemoteProtocolError(author, Fault.BAD_PASS, "not one pass for each of its seats")
    count = deal.options.pass_count
    for item in body.passes:
        places = item.positions
        if len(places) != count or len(item.proofs) != count or len(set(places)) != count or max(places) >= deal.size:
            raise RemoteProtocolError(author, Fault.BAD_PASS, f"seat {item.seat} must pass {count} different cards")
        if part != author and places != forced_positions(deal, item.seat):
            raise RemoteProtocolError(author, Fault.BAD_PASS, f"it chooses what lost seat {item.seat} passes")
        with blaming(author, Fault.BAD_PASS):
            decode_masked(group, item.cards, count)
    return replace(deal, sent=put(deal.sent, Kind.OPEN_PASS, put(deal.done(Kind.OPEN_PASS), part, body)))


def pass_checks(group: Group, deal: Deal, author: bytes, body: OpenPass) -> tuple[Check, ...]:
    """What there is to verify of a member's passes."""
    checks = []
    for item in body.passes:
        receiver = deal.key(deal.operators[target(deal, item.seat)])
        cards = _cards_in(group, item.cards)
        for place, masked, proof in zip(item.positions, cards, item.proofs, strict=True):
            before = deal.rows[item.seat][place]
            where = _where(deal, author, item.seat, place)
            arguments = (group, where, deal.key(deal.members[body.part]), receiver, before, masked, proof)
            checks.append(Check(verify_transfer, arguments))
    return tuple(checks)


def exchange_rows(group: Group, deal: Deal) -> Deal:
    """The hand with the passed cards in their receivers' rows, once all passes are verified."""
    given: dict[int, tuple[Masked, ...]] = {}
    kept: dict[int, tuple[Masked, ...]] = {}
    for member in deal.members:
        body = deal.done(Kind.OPEN_PASS)[member]
        assert isinstance(body, OpenPass)
        for item in body.passes:
            given[target(deal, item.seat)] = _cards_in(group, item.cards)
            row = deal.rows[item.seat]
            kept[item.seat] = tuple(card for place, card in enumerate(row) if place not in item.positions)
    return replace(deal, passed=tuple(kept[seat] + given[seat] for seat in range(deal.seats)))


def _cards_in(group: Group, data: bytes) -> tuple[Masked, ...]:
    """Masked cards that were checked when they came."""
    points = points_in(group, data)
    return tuple(map(Masked, points[::2], points[1::2]))


def make_remix(group: Group, deal: Deal, me: bytes, own: Own, seed: bytes) -> Remix:
    """Our re-shuffles, one for each seat we operate; a job."""
    entropy = seeded(seed)
    rows = []
    for seat in deal.seats_of(own.part):
        cards, proof = mix(group, context(deal, me, "remix", seat), own.key.public, deal.passed[seat], entropy)
        rows.append(SeatRow(seat, encode_masked(group, cards), proof))
    return Remix(deal.number, deal.attempt, deal.decision.number, deal.members.index(own.part), tuple(rows))


def apply_remix(group: Group, deal: Deal, author: bytes, part: bytes, body: Remix) -> Deal:
    """The hand after a member shuffled its rows again, their proofs still to be verified.

    Raises RemoteProtocolError when the rows are not those of its seats.
    """
    if tuple(row.seat for row in body.rows) != deal.seats_of(part):
        raise RemoteProtocolError(author, Fault.BAD_MIX, "not one row for each of its seats")
    for row in body.rows:
        with blaming(author, Fault.BAD_MIX):
            decode_masked(group, row.cards, deal.size)
    return replace(deal, sent=put(deal.sent, Kind.REMIX, put(deal.done(Kind.REMIX), part, body)))


def remix_checks(group: Group, deal: Deal, author: bytes, body: Remix) -> tuple[Check, ...]:
    """What there is to verify of a member's re-shuffles."""
    key = deal.key(deal.members[body.part])
    return tuple(
        Check(
            verify_mix,
            (
                group,
                context(deal, author, "remix", row.seat),
                key,
                deal.passed[row.seat],
                _cards_in(group, row.cards),
                row.proof,
            ),
        )
        for row in body.rows
    )


def take_up(group: Group, deal: Deal) -> Deal:
    """The hand with its final rows, ready for the first lead."""
    rows = list(deal.rows)
    for body in deal.done(Kind.REMIX).values():
        assert isinstance(body, Remix)
        for row in body.rows:
            rows[row.seat] = _cards_in(group, row.cards)
    return replace(
        deal,
        rows=tuple(rows),
        hand=begin(deal.options, deal.seats, deal.dealer, deal.number),
        laid=(frozenset(),) * deal.seats,
        digest=context(deal, b"", "play")[:16],
    )
