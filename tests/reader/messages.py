"""The messages of `messages.md`, field by field: lists become records whose fields have names, each within its bound."""

from collections.abc import Callable
from typing import Any, TypeAlias

from tests.reader.refusal import RefusedError, demand
from tests.reader.values import Value

Shape: TypeAlias = Callable[[Value], Any]  # raises RefusedError
Body: TypeAlias = dict[str, Any]


def number(low: int, high: int) -> Shape:
    """A number from low to high."""

    def read(value: Value) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise RefusedError("MALFORMED", f"{value!r:.40} is no number from {low} to {high}")
        return value

    return read


def data(low: int, high: int | None = None) -> Shape:
    """Bytes, from low to high of them."""

    def read(value: Value) -> bytes:
        if not isinstance(value, bytes) or not low <= len(value) <= (low if high is None else high):
            raise RefusedError("MALFORMED", f"{value!r:.40} is not {low} to {high} bytes")
        return value

    return read


def text(low: int, high: int) -> Shape:
    """Text of low to high characters."""

    def read(value: Value) -> str:
        if not isinstance(value, str) or not low <= len(value) <= high:
            raise RefusedError("MALFORMED", f"{value!r:.40} is not {low} to {high} characters")
        return value

    return read


def many(low: int, high: int, shape: Shape) -> Shape:
    """A list of low to high items of one shape."""

    def read(value: Value) -> list[Any]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise RefusedError("MALFORMED", f"{value!r:.40} is no list of {low} to {high}")
        return [shape(item) for item in value]

    return read


def record(**fields: Shape) -> Shape:
    """The list of all these fields, in this order."""

    def read(value: Value) -> Body:
        if not isinstance(value, list) or len(value) != len(fields):
            raise RefusedError("MALFORMED", f"{value!r:.40} is no list of {len(fields)} fields")
        return {name: shape(item) for (name, shape), item in zip(fields.items(), value, strict=True)}

    return read


U8, U16, U32 = number(0, 2**8 - 1), number(0, 2**16 - 1), number(0, 2**32 - 1)
SEAT, PART, POSITION, CARD = number(0, 10), number(0, 10), number(0, 16), number(0, 51)
FLAG = number(0, 1)
HASH = IDENTITY = LINK = NONCE = data(32)
INCARNATION, MARK = data(8), data(16)
ELEMENT, PROOF, CARDS, BOX = data(8, 32), data(0, 16_384), data(0, 6_656), data(0, 256)
NAME, WORD = text(1, 16), text(1, 32)
OVERRIDE = record(key=WORD, value=text(0, 256))
SEAT_PASS = record(seat=SEAT, positions=many(1, 5, POSITION), cards=CARDS, proofs=many(1, 5, PROOF))
SEAT_ROW = record(seat=SEAT, cards=CARDS, proof=PROOF)
HEAD = record(author=IDENTITY, incarnation=INCARNATION, seq=U32, mark=MARK)
VALUE = record(
    verdict=number(0, 2),
    members=many(0, 11, IDENTITY),
    result=data(0, 32),
    horizons=many(0, 11, HEAD),
    lot=data(0, 32),
    dealt=FLAG,
    charged=many(0, 11, IDENTITY),
    joins=many(0, 11, data(0, 1024)),
)
MEMBERS, END, ANNULLED = range(3)  # verdicts
OPEN, ADMIT, DISMISS, BOTS, RULES, PROPOSE, AGREE, DRAW, LEAVE, SUCCEED = range(10)
COMMIT_KEYS, OPEN_KEYS, ESCROW, COMPLAINT, MIX, AGREEMENT, DEAL, COMMIT_PASS = range(16, 24)
OPEN_PASS, REMIX, PLAY, KITTY, MOON, PIECE, URGE, WELCOME = range(24, 32)
MOTION, STATEMENT, CHOICE, ACCEPT, RETURN = range(32, 37)
VOTES = {MOTION, STATEMENT, CHOICE, ACCEPT}

JOIN = record(
    version=WORD,
    table=data(0, 32),
    identity=IDENTITY,
    incarnation=INCARNATION,
    name=NAME,
    link=LINK,
    addresses=many(0, 16, text(2, 45)),
    port=U16,
    role=FLAG,
)


def _of_a_hand(**fields: Shape) -> Shape:
    return record(hand=U16, attempt=U16, **fields)


def _decided(**fields: Shape) -> Shape:
    """A message that builds on so many decisions of its hand."""
    return _of_a_hand(decision=U16, **fields)


_BODIES: dict[int, Shape] = {
    OPEN: record(
        title=NAME,
        seats=number(6, 11),
        preset=WORD,
        overrides=many(0, 20, OVERRIDE),
        hands=U16,
        grace=number(5, 3_600),
        clock=number(0, 600),
        watch=FLAG,
        escrow=FLAG,
        join=data(0, 1024),
    ),
    ADMIT: record(join=data(0, 1024)),
    DISMISS: record(peer=IDENTITY),
    BOTS: record(levels=many(0, 10, WORD)),
    RULES: record(preset=WORD, overrides=many(0, 20, OVERRIDE)),
    PROPOSE: record(number=U8, lobby=HASH),
    AGREE: record(number=U8, lobby=HASH, commitment=HASH),
    DRAW: record(number=U8, answers=HASH, nonce=NONCE, salt=NONCE),
    LEAVE: record(),
    SUCCEED: record(number=U16, former=IDENTITY, seq=U32, head=HASH),
    COMMIT_KEYS: _of_a_hand(key=HASH, cut=HASH),
    OPEN_KEYS: _of_a_hand(
        answers=HASH,
        key=ELEMENT,
        proof=PROOF,
        salt=NONCE,
        mail=data(0, 32),
        mail_proof=data(0, 128),
        pieces=data(0, 160),
    ),
    ESCROW: _of_a_hand(boxes=many(0, 10, BOX)),
    COMPLAINT: _of_a_hand(sender=PART, part=PART, shared=ELEMENT, proof=PROOF),
    MIX: _of_a_hand(before=MARK, deck=CARDS, proof=PROOF),
    AGREEMENT: _of_a_hand(heads=many(1, 11, MARK), nonce=NONCE, salt=NONCE),
    DEAL: _decided(part=PART, shares=CARDS, proof=PROOF),
    COMMIT_PASS: _decided(commitment=HASH),
    OPEN_PASS: _decided(part=PART, answers=HASH, salt=NONCE, passes=many(1, 11, SEAT_PASS)),
    REMIX: _decided(part=PART, rows=many(1, 11, SEAT_ROW)),
    PLAY: _decided(
        seat=SEAT,
        position=POSITION,
        card=CARD,
        share=ELEMENT,
        proof=PROOF,
        digest=MARK,
        void=data(0, 8_192),
    ),
    KITTY: _decided(part=PART, digest=MARK, shares=CARDS, proof=PROOF),
    MOON: _decided(seat=SEAT, choice=WORD),
    PIECE: _decided(part=PART, box=BOX),
    URGE: _decided(part=PART, turn=U8),
    WELCOME: record(peer=IDENTITY),
    MOTION: _decided(ballot=U16, value=VALUE),
    STATEMENT: _decided(ballot=U16, proposer=IDENTITY, heads=many(0, 11, HEAD), dealt=FLAG),
    CHOICE: _decided(ballot=U16, value=VALUE, statements=many(0, 11, MARK)),
    ACCEPT: _decided(ballot=U16, proposer=IDENTITY, value=HASH, signature=data(0, 64)),
    RETURN: record(hand=U16),
}


def read_body(kind: int, value: Value) -> Body:
    """The message of a kind. Raises RefusedError."""
    demand(kind in _BODIES, "MALFORMED", f"kind {kind}")
    body: Body = _BODIES[kind](value)
    return body
