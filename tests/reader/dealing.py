"""Shares of the deal, passes and re-shuffles: `hand.md`, P73 to P76."""

from collections.abc import Mapping
from dataclasses import replace

from tests.reader import messages as m
from tests.reader import proofs
from tests.reader.curve import L, combine
from tests.reader.entries import Entry
from tests.reader.hand import Hand, elements, masked, proven, set_hash
from tests.reader.hashing import commitment, fingerprint
from tests.reader.proofs import Masked
from tests.reader.refusal import demand
from tests.reader.ristretto import decoded, encoded
from tests.reader.rules import begun, pass_to
from tests.reader.values import Value, pack


def deal(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P73, and the rows once all shares are in (P74)."""
    body = entry.body
    demand(part not in hand.shares, "REPEATED")
    demand(len(hand.slots) > 0, "OUT_OF_ORDER", "not everybody has agreed")
    owed = [slot for slot in range(hand.size * hand.seats) if hand.operators[slot // hand.size] != part]
    shares = elements(body["shares"], len(owed), "MALFORMED")
    if owed:
        cards = [hand.slots[slot] for slot in owed]
        where = hand.context(entry.identity, "deal")
        proven("BAD_SHARE", proofs.verify_shares, where, hand.keys[part], cards, shares, body["proof"])
    else:
        demand(body["proof"] == b"", "MALFORMED", "a proof of nothing")
    hand = replace(hand, shares={**hand.shares, part: dict(zip(owed, shares, strict=True))})
    if len(hand.shares) < len(hand.members):
        return hand
    cards = [_opened(card, slot, hand.shares) for slot, card in enumerate(hand.slots[: hand.size * hand.seats])]
    rows = tuple(tuple(cards[hand.size * seat : hand.size * (seat + 1)]) for seat in range(hand.seats))
    hand = replace(hand, rows=rows)
    return hand if passing(hand) else led(hand)


def passing(hand: Hand) -> bool:
    """Whether this hand has a pass."""
    return pass_to(hand.options, hand.seats, hand.number, 0) is not None


def led(hand: Hand) -> Hand:
    """The hand when its first card may be led: by the seat on the dealer's left (R9)."""
    play = begun(hand.options, hand.seats, (hand.dealer + 1) % hand.seats)
    return replace(hand, play=play, digest=hand.context(b"", "play")[:16])


def commit_pass(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P75."""
    demand(who not in hand.pass_commitments, "REPEATED")
    _due(hand)
    demand(who in hand.present, "OUT_OF_PHASE", "it was left out")
    return replace(hand, pass_commitments={**hand.pass_commitments, who: entry.body["commitment"]})


def open_pass(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P75, and what each seat then has, once all passes are open (P76); of a lost member what is drawn (P85)."""
    who, body = entry.identity, entry.body
    seats = hand.seats_of(part)
    demand(not hand.passes.keys() & seats, "REPEATED")
    _due(hand)
    given = all(member in hand.pass_commitments or member in hand.delegates for member in hand.members)
    demand(given, "OUT_OF_ORDER", "not all pass commitments are in")
    committed = [hand.pass_commitments[member] for member in hand.members if member in hand.pass_commitments]
    demand(body["answers"] == set_hash(m.COMMIT_PASS, committed), "WRONG_HEADS", "another set of commitments")
    if part == who:
        passes: Value = entry.fields[6]
        context, packed = hand.context(who, "passes"), fingerprint("passes", pack(passes))
        opening = commitment("passes", context, packed, body["salt"])
        demand(opening == hand.pass_commitments.get(who), "BAD_COMMITMENT", "not the passes it had committed to")
    demand(tuple(given["seat"] for given in body["passes"]) == seats, "BAD_PASS", "not its seats in order")
    for given in body["passes"]:
        _check_pass(hand, who, part, given)
    hand = replace(hand, passes={**hand.passes, **{given["seat"]: given for given in body["passes"]}})
    return _exchanged(hand) if len(hand.passes) == hand.seats else hand


def remix(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P76."""
    who, body = entry.identity, entry.body
    demand(part not in hand.remixed, "REPEATED")
    _due(hand)
    demand(len(hand.passes) == hand.seats, "OUT_OF_ORDER", "not all passes are open")
    seats, rows = hand.seats_of(part), list(hand.rows)
    demand(tuple(row["seat"] for row in body["rows"]) == seats, "BAD_MIX", "not its seats in order")
    for row in body["rows"]:
        seat = row["seat"]
        mixed = masked(row["cards"], hand.size, "BAD_MIX")
        context, key = hand.context(who, "remix", seat), hand.keys[part]
        proven("BAD_MIX", proofs.verify_shuffle, context, key, rows[seat], mixed, row["proof"])
        rows[seat] = mixed
    hand = replace(hand, rows=tuple(rows), remixed=hand.remixed | {part})
    return led(hand) if len(hand.remixed) == len(hand.members) else hand


def _due(hand: Hand) -> None:
    demand(len(hand.rows) > 0, "OUT_OF_ORDER", "the cards are not dealt")
    demand(passing(hand), "OUT_OF_ORDER", "nobody passes in this hand")


def _check_pass(hand: Hand, who: bytes, part: bytes, given: m.Body) -> None:
    seat, positions = given["seat"], given["positions"]
    count = hand.options["pass_count"]
    right = len(positions) == len(set(positions)) == len(given["proofs"]) == count and max(positions) < hand.size
    demand(right, "BAD_PASS", "not as many positions as are passed")
    demand(part == who or positions == _drawn(hand, seat), "BAD_PASS", "it chooses what a lost seat passes")
    cards = masked(given["cards"], count, "BAD_PASS")
    receiver = pass_to(hand.options, hand.seats, hand.number, seat)
    assert receiver is not None
    keys = hand.keys[part], hand.keys[hand.operators[receiver]]
    for position, card, proof in zip(positions, cards, given["proofs"], strict=True):
        context = hand.context(who, "pass", 32 * seat + position)
        proven("BAD_PASS", proofs.verify_transfer, context, *keys, hand.rows[seat][position], card, proof)


def _drawn(hand: Hand, seat: int) -> list[int]:
    """P85: the positions that a lost seat passes."""
    order = sorted(range(hand.size), key=lambda place: fingerprint("lost pass", hand.cut, bytes((seat, place))))
    return sorted(order[: hand.options["pass_count"]])


def _exchanged(hand: Hand) -> Hand:
    rows = []
    for seat, row in enumerate(hand.rows):
        kept = [card for position, card in enumerate(row) if position not in hand.passes[seat]["positions"]]
        giver = next(g for g in range(hand.seats) if pass_to(hand.options, hand.seats, hand.number, g) == seat)
        got = masked(hand.passes[giver]["cards"], hand.options["pass_count"], "BAD_PASS")
        rows.append((*kept, *got))
    return replace(hand, rows=tuple(rows))


def _opened(card: Masked, slot: int, shares: Mapping[bytes, Mapping[int, bytes]]) -> Masked:
    """The card with the shares of everybody but its operator taken off."""
    given = [(L - 1, decoded(by_slot[slot])) for by_slot in shares.values() if slot in by_slot]
    return card[0], encoded(combine([(1, decoded(card[1])), *given]))
