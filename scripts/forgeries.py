"""Entries that a player could sign and nobody may accept, for `game_vector.py`: each is an entry of a game with one field
changed, and the code of the rule that it breaks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from p2p_hearts.protocol.messages import (
    Accept,
    Agree,
    Agreement,
    Bots,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    Draw,
    Escrow,
    Kitty,
    Motion,
    OpenKeys,
    OpenPass,
    Piece,
    PlayCard,
    Propose,
    Return,
    Statement,
)

Change: TypeAlias = Callable[[Any], dict[str, object]]  # of a body: its new fields
Forgery: TypeAlias = tuple[str, str, type, int, Change]  # comment, code, kind, which of that kind, what is changed


def turned(data: bytes) -> bytes:
    """The bytes with one bit of the last turned."""
    return data[:-1] + bytes((data[-1] ^ 1,))


def _valued(**fields: object) -> Change:
    """Other fields of the value in a body."""
    return lambda body: {"value": replace(body.value, **fields)}


IN_A_GAME: tuple[Forgery, ...] = (
    ("a bot of no level", "MALFORMED", Bots, 0, lambda _: {"levels": ("grand",)}),
    ("another lobby is proposed", "WRONG_HEADS", Propose, 0, lambda body: {"lobby": turned(body.lobby)}),
    ("a number is left out", "WRONG_HEADS", Propose, 0, lambda _: {"number": 2}),
    ("it agrees to a proposal that is not here", "OUT_OF_ORDER", Agree, 0, lambda _: {"number": 2}),
    ("another nonce than it had committed to", "BAD_COMMITMENT", Draw, 0, lambda body: {"nonce": turned(body.nonce)}),
    ("it answers other commitments", "WRONG_HEADS", Draw, 1, lambda body: {"answers": turned(body.answers)}),
    ("the draw gave something else", "WRONG_RESULT", Choice, 0, _valued(result=bytes(32))),
    ("the result is signed by nobody", "BAD_SIGNATURE", Accept, 0, lambda _: {"signature": bytes(64)}),
    ("a signature is missing", "BAD_SIGNATURE", Accept, 0, lambda _: {"signature": b""}),
    ("a hand that has not begun", "OUT_OF_ORDER", CommitKeys, 0, lambda _: {"hand": 2}),
    ("an attempt that has not begun", "OUT_OF_ORDER", CommitKeys, 0, lambda _: {"attempt": 1}),
    ("another key than it had committed to", "BAD_COMMITMENT", OpenKeys, 0, lambda body: {"salt": turned(body.salt)}),
    ("a mail key where there is no escrow", "BAD_KEY", OpenKeys, 0, lambda body: {"mail": body.key}),
    ("it has seen other mixes", "WRONG_HEADS", Agreement, 0, lambda body: {"heads": body.heads[::-1]}),
    ("another nonce of the cut", "BAD_COMMITMENT", Agreement, 1, lambda body: {"nonce": turned(body.nonce)}),
    ("a share is missing", "MALFORMED", DealShares, 0, lambda body: {"shares": body.shares[32:]}),
    ("another's shares", "OUT_OF_PHASE", DealShares, 0, lambda body: {"part": 1 - body.part}),
    ("the shares of nobody", "MALFORMED", DealShares, 0, lambda _: {"part": 2}),
    ("a proof that does not hold", "BAD_SHARE", DealShares, 0, lambda body: {"proof": turned(body.proof)}),
    ("a pass that it had not committed to", "BAD_COMMITMENT", OpenPass, 0, lambda body: {"salt": turned(body.salt)}),
    ("another card than the one there", "BAD_REVEAL", PlayCard, 0, lambda body: {"card": (body.card + 1) % 52}),
    (
        "another position than the proof's",
        "BAD_REVEAL",
        PlayCard,
        0,
        lambda body: {"position": (body.position + 1) % 17},
    ),
    ("a share that is the identity", "BAD_REVEAL", PlayCard, 3, lambda _: {"share": bytes(32)}),
    ("another's turn", "ILLEGAL_PLAY", PlayCard, 0, lambda body: {"seat": (body.seat + 1) % 6}),
    ("a decision that nobody has taken", "OUT_OF_ORDER", PlayCard, 0, lambda _: {"decision": 1}),
    ("it has seen other plays", "WRONG_HEADS", PlayCard, 1, lambda body: {"digest": turned(body.digest)}),
    ("a void proof where nothing is claimed", "BAD_VOID", PlayCard, 0, lambda _: {"void": bytes(352)}),
    ("the kitty after other plays", "WRONG_HEADS", Kitty, 0, lambda body: {"digest": turned(body.digest)}),
    ("shares of the kitty without a proof", "BAD_SHARE", Kitty, 0, lambda _: {"proof": b""}),
    ("the last result is another", "WRONG_RESULT", Choice, 1, _valued(result=bytes(32))),
    ("an end that charges somebody", "BAD_VOTE", Choice, 1, _valued(charged=(bytes(32),))),
    ("an end that was drawn by lot", "BAD_VOTE", Choice, 1, _valued(lot=bytes(32))),
    ("another accepts another result", "WRONG_RESULT", Accept, 2, lambda body: {"value": turned(body.value)}),
)
IN_A_LOST_GAME: tuple[Forgery, ...] = (
    ("no mail key", "BAD_KEY", OpenKeys, 0, lambda _: {"mail": b""}),
    ("a mail key that it cannot prove", "BAD_KEY", OpenKeys, 0, lambda body: {"mail_proof": turned(body.mail_proof)}),
    ("a threshold of one", "BAD_KEY", OpenKeys, 0, lambda _: {"pieces": b""}),
    ("a piece is missing", "BAD_ESCROW", Escrow, 0, lambda body: {"boxes": body.boxes[1:]}),
    (
        "pieces for each other's receivers",
        "BAD_ESCROW",
        Escrow,
        0,
        lambda body: {"boxes": body.boxes[::-1]},
    ),
    (
        "a box that is none",
        "BAD_ESCROW",
        Escrow,
        1,
        lambda body: {"boxes": (body.boxes[0], turned(body.boxes[1]))},
    ),
    ("a ballot of number 0", "BAD_VOTE", Motion, 0, lambda _: {"ballot": 0}),
    ("a minority goes on", "BAD_VOTE", Motion, 0, lambda body: _valued(members=body.value.members[:1])(body)),
    ("a member twice", "BAD_VOTE", Motion, 0, lambda body: _valued(members=body.value.members * 2)(body)),
    ("a stranger goes on", "BAD_VOTE", Motion, 0, lambda body: _valued(members=(*body.value.members, bytes(32)))(body)),
    ("a motion that is drawn by lot already", "BAD_VOTE", Motion, 0, _valued(lot=bytes(32))),
    ("a membership with a result", "BAD_VOTE", Motion, 0, _valued(result=bytes(32))),
    ("a membership with newcomers", "BAD_VOTE", Motion, 0, _valued(joins=(b"\4",))),
    ("a motion in a decision to come", "OUT_OF_ORDER", Motion, 0, lambda _: {"decision": 1}),
    ("no head of the one left out", "BAD_VOTE", Statement, 0, lambda _: {"heads": ()}),
    ("a ballot that nobody has opened", "OUT_OF_ORDER", Statement, 0, lambda _: {"ballot": 9}),
    ("another horizon", "BAD_VOTE", Choice, 1, _valued(horizons=())),
    ("another lot", "BAD_VOTE", Choice, 1, _valued(lot=bytes(32))),
    ("as if no cards were dealt", "BAD_VOTE", Choice, 1, _valued(dealt=0)),
    ("a choice on too few statements", "BAD_VOTE", Choice, 1, lambda body: {"statements": body.statements[1:]}),
    ("its statements in another order", "BAD_VOTE", Choice, 1, lambda body: {"statements": body.statements[::-1]}),
    ("a choice on statements that are not here", "OUT_OF_ORDER", Choice, 1, lambda _: {"statements": (bytes(16),)}),
    ("it accepts another membership", "WRONG_RESULT", Accept, 3, lambda body: {"value": turned(body.value)}),
    ("it signs a membership as a result", "BAD_VOTE", Accept, 3, lambda _: {"signature": bytes(64)}),
    ("a piece for who is not lost", "OUT_OF_PHASE", Piece, 0, lambda body: {"part": (body.part + 1) % 3}),
    ("a piece that is no box", "BAD_ESCROW", Piece, 0, lambda body: {"box": turned(body.box)}),
    ("it returns to a hand to come", "OUT_OF_ORDER", Return, 0, lambda _: {"hand": 2}),
    ("the first hand comes to something else", "WRONG_RESULT", Choice, 2, _valued(result=bytes(32))),
    ("it annuls and charges a stranger", "BAD_VOTE", Motion, 1, _valued(charged=(bytes(32),))),
    ("it annuls and nobody plays on", "BAD_VOTE", Motion, 1, _valued(members=())),
    ("it annuls with a result", "BAD_VOTE", Motion, 1, _valued(result=bytes(32))),
    ("another is charged than was moved", "BAD_VOTE", Choice, 3, _valued(charged=())),
)
TWICE: tuple[type, ...] = (Agree, Draw, CommitKeys, OpenKeys, Agreement, DealShares, CommitPass, Kitty, Choice, Accept)
TWICE_WHEN_LOST: tuple[type, ...] = (Escrow, Piece)
