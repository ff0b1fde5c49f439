"""Dealing: slot i of the cut deck belongs to seat i ÷ size, the slots left over are the kitty (R4, R5). Every member
sends one decryption share for every slot dealt to a seat that another member operates, with one batched proof; then each
hand is a row of cards masked under its operator's key alone (Barnett and Smart 2003). Kitty slots wait."""

from dataclasses import replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import Masked
from p2p_hearts.crypto.reveal import apply_shares, make_shares, open_card, verify_shares
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import DealShares, Kind
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import Check, blaming
from p2p_hearts.protocol.state import Deal, context, put


def shared_slots(deal: Deal, member: bytes) -> tuple[int, ...]:
    """The slots for which a member owes a share: all that are dealt, but not to its own seats."""
    return tuple(slot for slot in range(deal.seats * deal.size) if deal.operators[slot // deal.size] != member)


def kitty_slots(deal: Deal) -> tuple[Masked, ...]:
    """The masked cards left over."""
    return deal.slots[deal.seats * deal.size :]


def make_deal(group: Group, deal: Deal, me: bytes, own: Own, seed: bytes) -> DealShares:
    """Our shares; a job. A peer that operates every seat owes none."""
    cards = [deal.slots[slot] for slot in shared_slots(deal, own.part)]
    head = (deal.number, deal.attempt, deal.decision.number, deal.members.index(own.part))
    if not cards:
        return DealShares(*head, b"", b"")
    shares, proof = make_shares(group, context(deal, me, "deal"), own.key, cards, seeded(seed))
    return DealShares(*head, b"".join(shares), proof)


def split_shares(group: Group, data: bytes, count: int) -> tuple[bytes, ...]:
    """So many shares from their bytes, each a checked group element.

    Raises CryptoError.
    """
    size = group.element_bytes
    if len(data) != count * size:
        raise DecodeError(f"{len(data)} bytes for {count} shares of {size}")
    return tuple(group.decode_point(data[start : start + size]) for start in range(0, len(data), size))


def points_in(group: Group, data: bytes) -> tuple[bytes, ...]:
    """The group elements in bytes of which each was checked when they came: a check takes longer than an addition."""
    size = group.element_bytes
    return tuple(data[start : start + size] for start in range(0, len(data), size))


def apply_deal(group: Group, deal: Deal, author: bytes, part: bytes, body: DealShares) -> Deal:
    """The hand with a member's shares taken off its slots, still to be verified.

    Raises RemoteProtocolError when the shares cannot be read.
    """
    owed = shared_slots(deal, part)
    with blaming(author, Fault.MALFORMED):
        shares = split_shares(group, body.shares, len(owed))
        if not owed and body.proof:
            raise DecodeError("a proof for no shares")
    open_slots = list(deal.open_slots)
    for slot, share in zip(owed, shares, strict=True):
        open_slots[slot] = apply_shares(group, open_slots[slot], (share,))
    sent = put(deal.sent, Kind.DEAL, put(deal.done(Kind.DEAL), part, body))
    return replace(deal, sent=sent, open_slots=tuple(open_slots))


def deal_checks(group: Group, deal: Deal, author: bytes, body: DealShares) -> tuple[Check, ...]:
    """What there is to verify of a member's shares."""
    part = deal.members[body.part]
    cards = [deal.slots[slot] for slot in shared_slots(deal, part)]
    if not cards:
        return ()
    shares = points_in(group, body.shares)
    where = context(deal, author, "deal")
    return (Check(verify_shares, (group, where, deal.key(part), cards, shares, body.proof)),)


def deal_rows(deal: Deal) -> Deal:
    """The hand with every seat's row, once all shares are verified."""
    size = deal.size
    return replace(
        deal, rows=tuple(deal.open_slots[seat * size : (seat + 1) * size] for seat in range(deal.seats)), open_slots=()
    )


def read_row(group: Group, own: Own, row: tuple[Masked, ...]) -> tuple[Card, ...]:
    """The cards of a row under our own key, by position."""
    cards = tuple(open_card(group, own.key, masked) for masked in row)
    assert all(card is not None for card in cards)  # every mix and share has been proved: nothing else can be there
    return tuple(card for card in cards if card is not None)
