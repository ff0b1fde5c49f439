"""Hands and tables of five peers written out, and the votes of a decision about them; no cards, no sessions."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from p2p_hearts.crypto.masking import Masked
from p2p_hearts.crypto.signature import make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.hearts.options import resolve
from p2p_hearts.hearts.score import HandScore
from p2p_hearts.protocol.envelope import RESULT, Author, Entry
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import KINDS, Accept, Choice, Head, Motion, Statement, Value, Verdict, VoteBody
from p2p_hearts.protocol.stages.council import apply_vote, value_hash
from p2p_hearts.protocol.state import Deal, Game, Lobby, Peer, Seat, Table

KEYS = [make_signing_key(seeded(bytes((number,)))) for number in range(5)]
A, B, C, D, E = (key.public for key in KEYS)
ALL = (A, B, C, D, E)
RUN = b"incarnat"
RESULT_DIGEST = bytes(range(32))
SCORE = HandScore((13, 13, 13, 13, 0, 0), unclaimed=0, moon=None, kitty_seat=None, kitty=())
SLOTS = (Masked(b"a", b"b"),)  # the cut deck: all agreements are in
STAY = Value(Verdict.MEMBERS, (A, B, C, D))  # without E
UNCHANGED = Value(Verdict.MEMBERS, ALL)


def hand(**fields: Any) -> Deal:
    """A hand of five peers and six seats, A's the dealer; the next dealer is B's seat."""
    options = resolve("as_written", {}, 6)
    deal = Deal("v", bytes(32), 3, 0, ALL, ALL, 0, (A, B, C, D, E, A), options, escrow=True)
    return replace(deal, **fields)


def mark_of(author: bytes, body: VoteBody) -> bytes:
    """The mark of the entry that carries a vote here."""
    return (author[:4] + body.ballot.to_bytes(2, "big") + type(body).__name__.encode()).ljust(32, b".")[:16]


def entry(author: bytes, body: VoteBody) -> Entry:
    """The entry of a vote."""
    whole = mark_of(author, body) + bytes(16)
    return Entry(bytes(32), Author(author, RUN), 7, bytes(32), KINDS[type(body)], body, whole, b"")


def after(deal: Deal, *votes: tuple[bytes, VoteBody]) -> Deal:
    """The hand after these votes, each of which counts at once."""
    for author, body in votes:
        then = apply_vote(deal, entry(author, body), body, RESULT_DIGEST)
        assert then is not None, (author, body)
        deal = then
    return deal


def refused(deal: Deal, author: bytes, body: VoteBody, code: Fault = Fault.BAD_VOTE) -> None:
    """A vote that its author may not cast."""
    with pytest.raises(RemoteProtocolError) as error:
        apply_vote(deal, entry(author, body), body, RESULT_DIGEST)
    assert (error.value.peer, error.value.code) == (author, code)


def waits(deal: Deal, author: bytes, body: VoteBody) -> bool:
    """Whether a vote has to wait for others."""
    return apply_vote(deal, entry(author, body), body, RESULT_DIGEST) is None


def move(who: bytes, value: Value = STAY, ballot: int = 1) -> tuple[bytes, Motion]:
    """A motion."""
    return who, Motion(3, 0, 0, ballot, value)


def head(seq: int, of: bytes = E) -> Head:
    """The entry number `seq` of a peer."""
    return Head(of, RUN, seq, bytes((seq,)) * 16)


def state(
    who: bytes, proposer: bytes = A, ballot: int = 1, heads: tuple[Head, ...] = (head(5),), dealt: int = 0
) -> tuple[bytes, Statement]:
    """A promise."""
    return who, Statement(3, 0, 0, ballot, proposer, heads, dealt)


def choose(who: bytes, value: Value, marks: tuple[bytes, ...] = (), ballot: int = 1) -> tuple[bytes, Choice]:
    """A choice."""
    return who, Choice(3, 0, 0, ballot, value, marks)


def accept(who: bytes, value: Value, proposer: bytes = A, ballot: int = 1) -> tuple[bytes, Accept]:
    """A vote for what was chosen, with a signature if it is an end."""
    key = KEYS[ALL.index(who)]
    signature = sign(key, RESULT, value.result) if value.verdict == Verdict.END else b""
    return who, Accept(3, 0, 0, ballot, proposer, value_hash(value), signature)


def marks(*statements: tuple[bytes, Statement]) -> tuple[bytes, ...]:
    """What a choice names of these promises."""
    return tuple(mark_of(who, body) for who, body in statements)


def game(*, hands: int = 0, escrow: bool = True, clock: int = 0) -> Game:
    """The game that the hand is of: the five, in order, and a bot that A operates at the sixth seat."""
    peers = tuple(Peer(Author(key, RUN), name, key, (), 0) for key, name in zip(ALL, "ABCDE", strict=True))
    seats = (*(Seat(peer.name, None, peer.identity) for peer in peers), Seat("Bot", "uniform", A))
    options = resolve("as_written", {}, 6)
    return Game(
        bytes(32), "Table", peers, seats, options, hands, 30, clock, watch=True, escrow=escrow, first_dealer=0, words=()
    )


def table_of(deal: Deal, whole: Game | None = None, **fields: Any) -> Table:
    """The table in this hand, whose logs have got to entry 5 of everybody."""
    whole = whole or game()
    room = Lobby(
        bytes(32), 0, whole.peers[0].author, "Table", 6, "as_written", (), 0, 30, 0, watch=True, escrow=True,
        peers=whole.peers, met=frozenset(peer.author for peer in whole.peers),
    )  # fmt: skip
    heads = {peer.author: head(5, peer.identity) for peer in whole.peers}
    table = Table(room, whole, deal.number, MappingProxyType({deal.number: deal}), scores=(0,) * 6, members=ALL)
    return replace(table, **{"heads": MappingProxyType(heads), **fields})
