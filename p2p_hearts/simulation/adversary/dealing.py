"""Cheats about the shares of the deal: of the wrong cards, too many, too few, made up, copied, or no elements."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import DealShares, Kind
from p2p_hearts.protocol.stages.dealing import kitty_slots, shared_slots
from p2p_hearts.simulation.adversary.cheat import by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar


def _shares(liar: Liar, body: DealShares, change: Callable[[list[bytes]], list[bytes]]) -> Words:
    size = liar.group.element_bytes
    pieces = [body.shares[at : at + size] for at in range(0, len(body.shares), size)]
    return (replace(body, shares=b"".join(change(pieces))),)


def _own_slot(liar: Liar, body: DealShares) -> bytes:
    """The share of a card that was dealt to the cheater itself."""
    deal = liar.deal(body.hand)
    owed = shared_slots(deal, liar.me)
    slot = next(slot for slot in range(deal.seats * deal.size) if slot not in owed)
    return liar.group.mult(liar.own(body.hand).key.secret, deal.slots[slot].a)


def share_of_its_own_slot(liar: Liar, body: DealShares) -> Words:
    """It adds the share of a card of its own, so that all can read that card."""
    return _shares(liar, body, lambda shares: [*shares, _own_slot(liar, body)])


def own_slot_for_anothers(liar: Liar, body: DealShares) -> Words:
    """It gives the share of a card of its own in the place of another's."""
    return _shares(liar, body, lambda shares: [_own_slot(liar, body), *shares[1:]])


def share_of_the_kitty(liar: Liar, body: DealShares) -> Words:
    """It adds the share of a kitty card, so that the kitty may be read before it is won."""
    secret, kitty = liar.own(body.hand).key.secret, kitty_slots(liar.deal(body.hand))
    if not kitty:
        return (body,)
    return _shares(liar, body, lambda shares: [*shares, liar.group.mult(secret, kitty[0].a)])


def too_few_shares(liar: Liar, body: DealShares) -> Words:
    """It keeps one share back."""
    return _shares(liar, body, lambda shares: shares[:-1])


def wrong_slot_share(liar: Liar, body: DealShares) -> Words:
    """It swaps two shares: two cards would read as others."""
    return _shares(liar, body, lambda shares: [shares[1], shares[0], *shares[2:]])


def shares_that_add_up(liar: Liar, body: DealShares) -> Words:
    """One share is too great by what the next is too small: a plain sum of all would not show it."""
    group = liar.group
    add, take = group.add, group.sub
    return _shares(
        liar, body, lambda shares: [add(shares[0], group.generator), take(shares[1], group.generator), *shares[2:]]
    )


def identity_share(liar: Liar, body: DealShares) -> Words:
    """One share is the identity."""
    return _shares(liar, body, lambda shares: [liar.group.identity, *shares[1:]])


def no_element_share(liar: Liar, body: DealShares) -> Words:
    """One share is no canonical encoding of an element."""
    return _shares(liar, body, lambda shares: [bytes((0xFF,)) * len(shares[0]), *shares[1:]])


def copied_proof(liar: Liar, body: DealShares) -> Words | None:
    """It gives the proof of another for its shares."""
    others = (sent for member, sent in liar.deal(body.hand).done(Kind.DEAL).items() if member != liar.me)
    seen = next(others, None)
    return (replace(body, proof=seen.proof),) if isinstance(seen, DealShares) else None


def deal_twice(_liar: Liar, body: DealShares) -> Words:
    """It gives its shares twice."""
    return (body, body)


def shares_of_another_hand(liar: Liar, body: DealShares) -> Words:
    """In the second hand it replays its shares of the first."""
    old = liar.deal(1).done(Kind.DEAL)[liar.me]
    assert isinstance(old, DealShares)
    size = len(body.shares)
    return (replace(body, shares=(old.shares * 2)[:size], proof=old.proof),)


CHEATS = (
    lying(share_of_its_own_slot, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(own_slot_for_anothers, Kind.DEAL, "P73", by(Fault.BAD_SHARE)),
    lying(share_of_the_kitty, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(too_few_shares, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(wrong_slot_share, Kind.DEAL, "P73", by(Fault.BAD_SHARE)),
    lying(shares_that_add_up, Kind.DEAL, "P73", by(Fault.BAD_SHARE)),
    lying(identity_share, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(no_element_share, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(copied_proof, Kind.DEAL, "P62", by(Fault.BAD_SHARE)),
    lying(deal_twice, Kind.DEAL, "P73", by(Fault.REPEATED)),
    lying(shares_of_another_hand, Kind.DEAL, "P62", by(Fault.BAD_SHARE), hands=2, hand=2),
)
