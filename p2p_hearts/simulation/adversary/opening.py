"""Cheats about the hand keys: keys that cancel the others, are another's, cannot be proved, or are no keys."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2p_hearts.crypto.commitment import commit
from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import CommitKeys, Kind, OpenKeys
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.state import Deal, context, put, set_hash
from p2p_hearts.simulation.adversary.cheat import acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways


def rogue_key(liar: Liar, body: OpenKeys) -> Words | None:
    """Once all other keys are open, it opens the key that cancels them, so that all cards lie under its own key alone."""
    deal = liar.deal(body.hand)
    if not deal.all_in(Kind.OPEN_KEYS):
        return None
    others = [deal.key(member) for member in deal.members if member != liar.me]
    group = liar.group
    return (replace(body, key=group.sub(body.key, group.sum(others))),)


def copied_key(liar: Liar, body: OpenKeys) -> Words | None:
    """It opens the key and the proof of another, as soon as they are to be seen."""
    seen = _others(liar, liar.deal(body.hand), Kind.OPEN_KEYS)
    return (replace(seen, answers=body.answers),) if isinstance(seen, OpenKeys) else None


def copied_commitment(liar: Liar) -> Ways:
    """It copies another's commitments to key and cut, and once the key is open, the opening."""

    def change(entry: Entry) -> Words | None:
        body = entry.body
        if not isinstance(body, CommitKeys | OpenKeys):
            return (body,)
        deal = liar.deal(body.hand)
        seen = _others(liar, deal, entry.kind)
        if seen is None:
            return None
        liar.lied = True
        if isinstance(seen, OpenKeys):
            copied = _others(liar, deal, Kind.COMMIT_KEYS)
            assert isinstance(copied, CommitKeys)
            return (replace(seen, answers=_answers(liar, deal, copied)),)
        return (seen,)

    return Ways(change)


def key_for_others(_liar: Liar, body: OpenKeys) -> Words:
    """Its key answers other commitments than those that all hold."""
    return (replace(body, answers=bytes(32)),)


def commit_twice(_liar: Liar, body: CommitKeys) -> Words:
    """It commits to two keys, so as to choose later which one to open."""
    return (body, replace(body, key=bytes(32)))


def unproved_key(liar: Liar) -> Ways:
    """It commits to a key whose secret it does not know, with a proof of another."""
    return _claiming(liar, lambda deal, own: (liar.group.hash_to_point(b"no secret", deal.table), own.proof))


def identity_key(liar: Liar) -> Ways:
    """Its key is the identity, so that its masks mask nothing."""
    return _claiming(liar, lambda _deal, own: (liar.group.identity, own.proof))


def no_key(liar: Liar) -> Ways:
    """Its key is no canonical encoding of an element."""
    return _claiming(liar, lambda _deal, own: (bytes((0xFF,)) * liar.group.element_bytes, own.proof))


def no_scalar(liar: Liar) -> Ways:
    """The scalar in the proof of its key is too large by the order: the same number in a second form."""

    def proved(_deal: Deal, own: Own) -> tuple[bytes, bytes]:
        size = liar.group.scalar_bytes
        scalar = int.from_bytes(own.proof[-size:], "little") + liar.group.order
        return own.key.public, own.proof[:-size] + scalar.to_bytes(size, "little")

    return _claiming(liar, proved)


def borrowed_key(liar: Liar) -> Ways:
    """A partner tells it its key and proof beforehand: it commits to them rightly and opens them as its own."""
    partner = next(iter(liar.others.values()))

    def borrowed(deal: Deal, _own: Own) -> tuple[bytes, bytes] | None:
        if partner.author.identity not in deal.done(Kind.COMMIT_KEYS):
            return None
        theirs = liar.own(deal.number, partner)
        return theirs.key.public, theirs.proof

    return _claiming(liar, borrowed)


def key_of_another_hand(liar: Liar) -> Ways:
    """In the second hand it commits to the key that another had in the first, and replays the proof."""

    def replayed(deal: Deal, own: Own) -> tuple[bytes, bytes]:
        if deal.number == 1:
            return own.key.public, own.proof
        seen = _others(liar, liar.deal(1), Kind.OPEN_KEYS)
        assert isinstance(seen, OpenKeys)
        return seen.key, seen.proof

    return _claiming(liar, replayed)


def _claiming(liar: Liar, claim: Callable[[Deal, Own], tuple[bytes, bytes] | None]) -> Ways:
    """Commits to a key and a proof that are not its own, and opens them."""
    made: dict[int, tuple[bytes, bytes, CommitKeys]] = {}

    def change(entry: Entry) -> Words | None:
        body = entry.body
        if not isinstance(body, CommitKeys | OpenKeys):
            return (body,)
        deal, own = liar.deal(body.hand), liar.own(body.hand)
        if isinstance(body, CommitKeys):
            claimed = claim(deal, own)
            if claimed is None:
                return None
            liar.lied = liar.lied or claimed != (own.key.public, own.proof)
            where = context(deal, liar.me, "key")
            forged = replace(body, key=commit(b"hand key", where, b"".join(claimed), own.key_salt))
            made[body.hand] = (*claimed, forged)
            return (forged,)
        key, proof, forged = made[body.hand]
        return (replace(body, key=key, proof=proof, answers=_answers(liar, deal, forged)),)

    return Ways(change)


def _answers(liar: Liar, deal: Deal, forged: CommitKeys) -> bytes:
    """The hash of the set of commitments in which the cheater's is the forged one."""
    sent = put(deal.sent, Kind.COMMIT_KEYS, put(deal.done(Kind.COMMIT_KEYS), liar.me, forged))
    return set_hash(replace(deal, sent=sent), Kind.COMMIT_KEYS)


def _others(liar: Liar, deal: Deal, kind: Kind) -> Any:
    """The entry of a kind by the first other member, or None while it is not here."""
    return liar.said(next(member for member in deal.members if member != liar.me), kind, deal.number)


CHEATS = (
    lying(rogue_key, Kind.OPEN_KEYS, "P66", by(Fault.BAD_COMMITMENT)),
    lying(copied_key, Kind.OPEN_KEYS, "P66", by(Fault.BAD_COMMITMENT)),
    acting(copied_commitment, "P62", by(Fault.BAD_COMMITMENT)),
    acting(borrowed_key, "P66", by(Fault.BAD_KEY)),
    acting(unproved_key, "P66", by(Fault.BAD_KEY)),
    acting(key_of_another_hand, "P62", by(Fault.BAD_KEY), hands=2),
    acting(identity_key, "P66", by(Fault.BAD_KEY)),
    acting(no_key, "P66", by(Fault.BAD_KEY)),
    acting(no_scalar, "P66", by(Fault.BAD_KEY)),
    lying(key_for_others, Kind.OPEN_KEYS, "P66", by(Fault.WRONG_HEADS)),
    lying(commit_twice, Kind.COMMIT_KEYS, "P65", by(Fault.REPEATED)),
)
