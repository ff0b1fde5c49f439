"""Plays, the kitty and the moon: `hand.md`, P77 to P80."""

from dataclasses import replace

from tests.reader import proofs
from tests.reader.curve import L, combine
from tests.reader.entries import Entry
from tests.reader.hand import Hand, elements, proven
from tests.reader.hashing import digest
from tests.reader.refusal import RefusedError, demand
from tests.reader.ristretto import decoded, encoded
from tests.reader.rules import ALL, claimed, laid, points_of


def play(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P77: a card laid, checked in the order of the table there."""
    who, body = entry.identity, entry.body
    demand(hand.play is not None, "OUT_OF_ORDER", "no card may be led yet")
    assert hand.play is not None
    seat, position, card = body["seat"], body["position"], body["card"]
    due = seat == hand.play.turn and not hand.play.over
    seen = body["digest"] in {hand.digest, *hand.told}
    demand(due or seen, "OUT_OF_ORDER", "it is not that seat's turn yet")
    demand(due and body["digest"] not in hand.told, "ILLEGAL_PLAY", "it is not that seat's turn")
    demand(body["digest"] == hand.digest, "WRONG_HEADS", "other plays")
    demand(position < hand.size and (seat, position) not in hand.spent, "BAD_REVEAL", "no card lies there")
    (share,) = elements(body["share"], 1, "BAD_REVEAL")
    there = hand.rows[seat][position]
    context = hand.context(who, "play", 32 * seat + position)
    proven("BAD_REVEAL", proofs.verify_shares, context, hand.keys[part], [there], [share], body["proof"])
    shown = encoded(combine([(1, decoded(there[1])), (L - 1, decoded(share))]))
    demand(shown == encoded(proofs.card_point(card)), "BAD_REVEAL", "it is another card")
    after = laid(hand.play, seat, card)
    _check_void(hand, who, seat, claimed(hand.play, card), body["void"])
    after_it = digest(16, "play", hand.digest, bytes((seat, position, card)))
    taken = hand.play.kitty_seat is None and after.kitty_seat is not None
    kitty_digest = after_it if taken else hand.kitty_digest
    return replace(
        hand,
        play=after,
        spent=hand.spent | {(seat, position)},
        digest=after_it,
        told=hand.told | {hand.digest},
        kitty_digest=kitty_digest,
    )


def kitty(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P78: shares of the kitty for the seat that took it."""
    who, body = entry.identity, entry.body
    demand(part not in hand.kitty, "REPEATED")
    demand(hand.play is not None and hand.play.kitty_seat is not None, "OUT_OF_ORDER", "nobody has taken the kitty")
    assert hand.play is not None
    assert hand.play.kitty_seat is not None
    demand(part != hand.operators[hand.play.kitty_seat], "OUT_OF_PHASE", "the taker itself")
    demand(body["digest"] == hand.kitty_digest, "WRONG_HEADS", "other plays")
    cards = hand.slots[hand.size * hand.seats :]
    shares = elements(body["shares"], len(cards), "BAD_SHARE")
    proven("BAD_SHARE", proofs.verify_shares, hand.context(who, "kitty"), hand.keys[part], cards, shares, body["proof"])
    return replace(hand, kitty=hand.kitty | {part})


def moon(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P80: what the seat that shot the moon chooses."""
    demand(hand.play is not None and hand.play.over, "OUT_OF_ORDER", "the hand is not played")
    due_moon(hand, part)
    assert hand.play is not None
    seat, choice = entry.body["seat"], entry.body["choice"]
    right = seat == points_of(hand.play)[2] and choice in {"subtract", "add"}
    demand(right, "ILLEGAL_PLAY", "no choice of that seat")
    return replace(hand, moon=choice)


def due_moon(hand: Hand, part: bytes) -> None:
    """Whether a part owes the choice of a moon, once a hand is played. Raises RefusedError."""
    demand(part in hand.members, "NOT_A_MEMBER")
    if hand.play is None or not hand.play.over:
        return
    shooter = points_of(hand.play)[2]
    if shooter is None or part != hand.operators[shooter]:
        raise RefusedError("OUT_OF_PHASE", "nobody has shot the moon, or another")
    demand(hand.moon is None, "REPEATED")


def _check_void(hand: Hand, who: bytes, seat: int, claim: int, proof: bytes) -> None:
    """What the play newly claims of the cards that are left is proved, and nothing else is."""
    assert hand.play is not None
    new = claim & ~hand.play.voids[seat] and hand.play.left[seat] > 1
    demand(bool(new) == bool(proof), "BAD_VOID", "a proof that is missing, or of nothing")
    if not new:
        return
    row = hand.rows[seat]
    cards = [row[position] for position in range(hand.size) if (seat, position) not in hand.spent]
    context, key = hand.context(who, "void", 32 * seat + hand.play.trick), hand.keys[hand.operators[seat]]
    proven("BAD_VOID", proofs.verify_void, context, key, cards, ALL & ~claim, proof)
