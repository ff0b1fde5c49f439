"""Bodies of votes, and of what keeps a hand key in pieces, for `protocol_vectors.py`: one of each kind, and their variants."""

from collections.abc import Iterator
from dataclasses import replace

from p2p_hearts.crypto.signature import SigningKey, sign, signing_key
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.messages import (
    Accept,
    Body,
    Choice,
    Complaint,
    Escrow,
    Head,
    Motion,
    OpenKeys,
    Piece,
    Return,
    Statement,
    Urge,
    Value,
    Verdict,
    WelcomePeer,
)
from p2p_hearts.protocol.stages.council import value_hash

INCARNATION = b"8 bytes!"


def key(number: int) -> SigningKey:
    """The key of a seed of one repeated byte."""
    return signing_key(bytes((number,)) * 32)


def votes() -> Iterator[tuple[str, Body]]:
    """One of each kind of vote, and what belongs to them: on a membership, and on the end of a hand with a newcomer."""
    peers = tuple(key(number).public for number in (1, 2, 3))
    head, nobody = Head(peers[2], INCARNATION, 40, b"\5" * 16), Head(peers[2], INCARNATION, 0, bytes(16))
    moved = Value(Verdict.MEMBERS, peers[:2])
    chosen = replace(moved, horizons=(head,), lot=digest("lot", b"\6" * 16, b"\7" * 16), dealt=1)
    end = Value(Verdict.END, peers, bytes(range(32)), joins=(b"\4a signed Join",))
    place = (300, 2, 1, 3)
    yield "a motion to go on without somebody", Motion(*place, moved)
    yield "a motion to annul", Motion(*place, Value(Verdict.ANNULLED, peers[:2], charged=peers[2:]))
    yield "a statement with a head", Statement(*place, peers[0], (head,), 1)
    yield "a statement by who holds nothing of that log", Statement(*place, peers[0], (nobody,), 0)
    yield "a choice with its horizon and lot", Choice(*place, chosen, (b"\6" * 16, b"\7" * 16))
    yield "an acceptance without a result", Accept(*place, peers[0], value_hash(chosen), b"")
    yield "the end of a hand at ballot 0", Choice(300, 2, 1, 0, end, ())
    signature = sign(key(1), b"result", end.result)
    yield "an acceptance with its signature", Accept(300, 2, 1, 0, peers[0], value_hash(end), signature)
    yield "a return", Return(300)
    yield "a welcome", WelcomePeer(peers[2])


def pieces() -> Iterator[tuple[str, Body]]:
    """What keeps a hand key in pieces, and what is done with them."""
    element, proof, box = b"\2" * 32, b"\3" * 64, b"\4" * 128
    opened = (b"\5" * 32, element, proof, b"\6" * 32)
    yield "a key with its mail key", OpenKeys(1, 0, *opened, element, proof, b"\7" * 64)
    yield "a key without escrow", OpenKeys(1, 0, *opened, b"", b"", b"")
    yield "boxes for two others", Escrow(1, 0, (box, box))
    yield "a complaint", Complaint(1, 0, 2, 2, element, b"\3" * 96)
    yield "a piece for a delegate", Piece(1, 0, 1, 2, box)
    yield "an urge", Urge(1, 0, 0, 2, 104)
