"""Keys in pieces, and what is done for a member that was lost: `hand.md`, P82, P83, P86 and P88."""

from dataclasses import replace

from tests.reader.entries import Entry
from tests.reader.escrow import check_piece, disclosed, verify_sealed
from tests.reader.hand import Hand, complete, proven
from tests.reader.refusal import RefusedError, demand


def escrow(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P82: the pieces of a key, one box for every other member."""
    demand(part not in hand.boxes, "REPEATED")
    complete(hand, hand.keys, "keys")
    demand(hand.threshold > 0, "OUT_OF_ORDER", "no escrow at this table")
    others = [member for member in hand.members if member != part]
    boxes: list[bytes] = entry.body["boxes"]
    demand(len(boxes) == len(others), "BAD_ESCROW", "not one box for every other member")
    for member, box in zip(others, boxes, strict=True):
        proven("BAD_ESCROW", verify_sealed, _at_opening(hand, part, member), hand.mail[member], box)
    return replace(hand, boxes={**hand.boxes, part: boxes})


def complain(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P83: somebody is at fault, whatever comes of it."""
    body = entry.body
    demand(hand.threshold > 0, "OUT_OF_ORDER", "no escrow at this table")
    complete(hand, hand.boxes, "pieces")
    demand(max(body["sender"], body["part"]) < len(hand.members), "MALFORMED", "nobody in this hand")
    sender, lost = hand.members[body["sender"]], hand.members[body["part"]]
    if sender == lost:
        others = [member for member in hand.members if member != sender]
        box = hand.boxes[sender][others.index(who)] if who in others else b""
        where, holder = _at_opening(hand, sender, who), who
    else:
        box = hand.pieces.get((lost, who), {}).get(sender, b"")
        where, holder = _when_lost(hand, sender, lost, who), sender
    try:
        piece = disclosed(where, hand.mail[who], box, body["shared"], body["proof"])
    except RefusedError as error:
        raise RefusedError("BAD_COMPLAINT", str(error)) from error
    try:
        check_piece(hand.promised[lost], hand.members.index(holder) + 1, piece)
    except RefusedError as error:
        raise RefusedError("BAD_ESCROW", str(error)) from error
    raise RefusedError("BAD_COMPLAINT", "the piece fits")


def piece(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P86: a piece of a lost member's key for its delegate."""
    body = entry.body
    demand(len(hand.delegates) > 0, "OUT_OF_ORDER", "nobody was left out")
    demand(who in hand.present, "OUT_OF_PHASE", "it was left out itself")
    late = body["decision"] < hand.council.number
    lost = hand.members[body["part"]] if body["part"] < len(hand.members) else b""
    delegate = hand.delegates.get(lost)
    if delegate is None or delegate == who or not hand.threshold:
        demand(late, "OUT_OF_PHASE", "a piece that nobody needs")
        return hand
    given = hand.pieces.get((lost, delegate), {})
    demand(who not in given, "REPEATED")
    try:
        where = _when_lost(hand, who, lost, delegate)
        proven("BAD_ESCROW", verify_sealed, where, hand.mail[delegate], body["box"])
    except RefusedError:
        if late:
            return hand
        raise
    return replace(hand, pieces={**hand.pieces, (lost, delegate): {**given, who: body["box"]}})


def urge(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P88: somebody waits no longer."""
    part, turn = entry.body["part"], entry.body["turn"]
    demand(len(hand.slots) > 0, "OUT_OF_ORDER", "not everybody has agreed")
    demand(who in hand.present, "OUT_OF_PHASE", "it was left out")
    now = 0 if hand.play is None else len(hand.told) + 1
    demand(part < len(hand.members) and turn <= now, "OUT_OF_PHASE", "nobody has that turn")
    demand((who, part, turn) not in hand.urged, "REPEATED")
    return replace(hand, urged=hand.urged | {(who, part, turn)})


def _at_opening(hand: Hand, sender: bytes, receiver: bytes) -> bytes:
    return hand.context(sender, "escrow", hand.members.index(receiver))


def _when_lost(hand: Hand, sender: bytes, lost: bytes, delegate: bytes) -> bytes:
    return hand.context(sender, "piece", 16 * hand.members.index(lost) + hand.members.index(delegate))
