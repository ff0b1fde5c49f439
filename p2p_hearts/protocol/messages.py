"""Every message of the protocol: its kind, its fields, and the bounds of each field.

A body is a frozen value; on the wire it is the msgpack array of its fields in the order written here. `parse` is the
door: it checks every field against its bound, so that no other module needs to. Lengths of group elements and proofs
depend on the group and are checked by `crypto`, which knows exactly one legal length for each."""

from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from p2p_hearts.protocol.errors import MalformedError

HASH_BYTES = 32
MAX_JOIN = 1_024  # bytes of a signed Join


@dataclass(frozen=True, slots=True)
class Bound:
    """Limits of one field: of an int its largest value, of bytes and text their length, of a list its items."""

    most: int
    least: int = 0


U8: TypeAlias = Annotated[int, Bound(2**8 - 1)]
U16: TypeAlias = Annotated[int, Bound(2**16 - 1)]
U32: TypeAlias = Annotated[int, Bound(2**32 - 1)]
SeatNumber: TypeAlias = Annotated[int, Bound(10)]
CardNumber: TypeAlias = Annotated[int, Bound(51)]
Hash: TypeAlias = Annotated[bytes, Bound(HASH_BYTES, HASH_BYTES)]
Identity: TypeAlias = Annotated[bytes, Bound(32, 32)]  # Ed25519 public key
LinkKey: TypeAlias = Annotated[bytes, Bound(32, 32)]  # CURVE public key
Incarnation: TypeAlias = Annotated[bytes, Bound(8, 8)]
Nonce: TypeAlias = Annotated[bytes, Bound(32, 32)]
Mark: TypeAlias = Annotated[bytes, Bound(16, 16)]  # first half of a hash
Element: TypeAlias = Annotated[bytes, Bound(32, 8)]  # one group element; 8 bytes in the tiny group of the simulation
Proof: TypeAlias = Annotated[bytes, Bound(16_384)]
Cards: TypeAlias = Annotated[bytes, Bound(104 * 64)]  # masked cards, or shares, one after another
Signature: TypeAlias = Annotated[bytes, Bound(64, 64)]
Name: TypeAlias = Annotated[str, Bound(16, 1)]  # characters
Word: TypeAlias = Annotated[str, Bound(32, 1)]


class Kind(IntEnum):
    """The kinds of log entries. Gaps are kept for what later versions add (`reserved` in the phase table)."""

    OPEN = 0
    ADMIT = 1
    DISMISS = 2
    BOTS = 3
    RULES = 4
    PROPOSE = 5
    AGREE = 6
    DRAW = 7
    LEAVE = 8
    SUCCEED = 9
    COMMIT_KEYS = 16
    OPEN_KEYS = 17
    ESCROW = 18
    COMPLAINT = 19
    MIX = 20
    AGREEMENT = 21
    DEAL = 22
    COMMIT_PASS = 23
    OPEN_PASS = 24
    REMIX = 25
    PLAY = 26
    KITTY = 27
    MOON = 28
    PROPOSAL = 32
    STATEMENT = 33
    CHOICE = 34
    ACCEPT = 35
    RETURN = 36


@dataclass(frozen=True, slots=True)
class Join:
    """Who somebody is: signed by its identity (label `join`), carried by `Open` and `Admit`, sent alone to ask for a seat."""

    version: Word
    table: Annotated[bytes, Bound(32)]  # empty in the opener's own
    identity: Identity
    incarnation: Incarnation
    name: Name
    link: LinkKey
    addresses: Annotated[tuple[Annotated[str, Bound(45, 2)], ...], Bound(16)]
    port: U16


@dataclass(frozen=True, slots=True)
class Override:
    """One rule option that departs from the preset: a number, a switch, a word, or a list of words."""

    key: Word
    value: Annotated[str, Bound(256)]  # a passing cycle of 64 hands fits


@dataclass(frozen=True, slots=True)
class Open:
    """The opener's first entry, written with an empty table id; its hash is the id of the table in the lobby."""

    title: Name
    seats: Annotated[int, Bound(11, 6)]
    preset: Word
    overrides: Annotated[tuple[Override, ...], Bound(20)]
    hands: U16  # to play; 0: until the limit
    join: Annotated[bytes, Bound(MAX_JOIN)]  # the opener's own signed Join


@dataclass(frozen=True, slots=True)
class AdmitPeer:
    """The host seats the peer that signed this Join."""

    join: Annotated[bytes, Bound(MAX_JOIN)]


@dataclass(frozen=True, slots=True)
class Dismiss:
    """The host takes a peer that left, or does not answer, off the roster."""

    peer: Identity


@dataclass(frozen=True, slots=True)
class Bots:
    """The host's list of bots, by level; replaces the list before."""

    levels: Annotated[tuple[Word, ...], Bound(10)]


@dataclass(frozen=True, slots=True)
class Rules:
    """The host's rules; replace those before."""

    preset: Word
    overrides: Annotated[tuple[Override, ...], Bound(20)]


@dataclass(frozen=True, slots=True)
class Propose:
    """The host proposes to start with the lobby whose hash this is."""

    number: U8
    lobby: Hash


@dataclass(frozen=True, slots=True)
class Agree:
    """A peer agrees to a proposal and commits to its nonce for the draw."""

    number: U8
    lobby: Hash
    commitment: Hash


@dataclass(frozen=True, slots=True)
class Draw:
    """A peer opens its nonce; `answers` is the hash of the set of commitments it has seen."""

    number: U8
    answers: Hash
    nonce: Nonce
    salt: Nonce


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The author leaves the table by its own will."""


@dataclass(frozen=True, slots=True)
class Succeed:
    """The next peer in joining order becomes host: it goes on from this entry of the host before."""

    number: U16  # of the lobby, one more with every succession
    former: Identity
    seq: U32
    head: Hash


@dataclass(frozen=True, slots=True)
class CommitKeys:
    """Commitments to the hand key with its proof of knowledge, and to the nonce of the cut."""

    hand: U16
    attempt: U8
    key: Hash
    cut: Hash


@dataclass(frozen=True, slots=True)
class OpenKeys:
    """The hand key and its proof; `answers` is the hash of the set of commitments."""

    hand: U16
    attempt: U8
    answers: Hash
    key: Element
    proof: Proof
    salt: Nonce


@dataclass(frozen=True, slots=True)
class Mix:
    """The deck, re-encrypted and permuted, with the proof of shuffle; `before` names the mix that it goes on from."""

    hand: U16
    attempt: U8
    before: Mark
    deck: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class Agreement:
    """All proofs verified, these heads seen (the mix of every member, in mixing order); opens the nonce of the cut."""

    hand: U16
    attempt: U8
    heads: Annotated[tuple[Mark, ...], Bound(11, 1)]
    nonce: Nonce
    salt: Nonce


@dataclass(frozen=True, slots=True)
class DealShares:
    """Decryption shares for every slot dealt to another peer's seats, in slot order, with one batched proof."""

    hand: U16
    attempt: U8
    shares: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class CommitPass:
    """Commitment to the passes of all seats of this peer."""

    hand: U16
    attempt: U8
    commitment: Hash


@dataclass(frozen=True, slots=True)
class SeatPass:
    """What one seat passes: positions in its row, and the cards re-encrypted to the receiver's key, with proofs."""

    seat: SeatNumber
    positions: Annotated[tuple[Annotated[int, Bound(16)], ...], Bound(5, 1)]
    cards: Cards
    proofs: Annotated[tuple[Proof, ...], Bound(5, 1)]


@dataclass(frozen=True, slots=True)
class OpenPass:
    """Opens the commitment; `answers` is the hash of the set of pass commitments."""

    hand: U16
    attempt: U8
    answers: Hash
    salt: Nonce
    passes: Annotated[tuple[SeatPass, ...], Bound(11, 1)]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The hand of one seat after the pass, shuffled again under its operator's key, with the proof."""

    seat: SeatNumber
    cards: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class Remix:
    """One re-shuffle and one proof for each seat of this peer."""

    hand: U16
    attempt: U8
    rows: Annotated[tuple[SeatRow, ...], Bound(11, 1)]


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card laid: where it lay in the seat's row, its opening and proof, and the digest of the play before it. `void`
    proves what the play newly claims of the seat's hand; empty when it claims nothing new."""

    hand: U16
    attempt: U8
    seat: SeatNumber
    position: Annotated[int, Bound(16)]
    card: CardNumber
    share: Element
    proof: Proof
    digest: Mark
    void: Annotated[bytes, Bound(8_192)]


@dataclass(frozen=True, slots=True)
class Kitty:
    """Decryption shares of the kitty for the seat that won it."""

    hand: U16
    attempt: U8
    digest: Mark
    shares: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class Moon:
    """The choice of the seat that shot the moon: `subtract` or `add`."""

    hand: U16
    attempt: U8
    seat: SeatNumber
    choice: Word


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of a decision at a ballot. Ballot 0 ends the hand: result digest and the members of the next."""

    hand: U16
    attempt: U8
    decision: U8
    ballot: U8
    result: Hash
    members: Annotated[tuple[Identity, ...], Bound(11)]


@dataclass(frozen=True, slots=True)
class Accept:
    """A voter accepts the value whose hash this is; `signature` is over the result digest alone (label `result`)."""

    hand: U16
    attempt: U8
    decision: U8
    ballot: U8
    value: Hash
    signature: Signature


Body: TypeAlias = (
    Open | AdmitPeer | Dismiss | Bots | Rules | Propose | Agree | Draw | LeaveTable | Succeed | CommitKeys | OpenKeys | Mix
    | Agreement | DealShares | CommitPass | OpenPass | Remix | PlayCard | Kitty | Moon | Choice | Accept
)  # fmt: skip
HandBody: TypeAlias = (
    CommitKeys | OpenKeys | Mix | Agreement | DealShares | CommitPass | OpenPass | Remix | PlayCard | Kitty | Moon
    | Choice | Accept
)  # fmt: skip

BODIES: dict[Kind, type[Any]] = {
    Kind.OPEN: Open,
    Kind.ADMIT: AdmitPeer,
    Kind.DISMISS: Dismiss,
    Kind.BOTS: Bots,
    Kind.RULES: Rules,
    Kind.PROPOSE: Propose,
    Kind.AGREE: Agree,
    Kind.DRAW: Draw,
    Kind.LEAVE: LeaveTable,
    Kind.SUCCEED: Succeed,
    Kind.COMMIT_KEYS: CommitKeys,
    Kind.OPEN_KEYS: OpenKeys,
    Kind.MIX: Mix,
    Kind.AGREEMENT: Agreement,
    Kind.DEAL: DealShares,
    Kind.COMMIT_PASS: CommitPass,
    Kind.OPEN_PASS: OpenPass,
    Kind.REMIX: Remix,
    Kind.PLAY: PlayCard,
    Kind.KITTY: Kitty,
    Kind.MOON: Moon,
    Kind.CHOICE: Choice,
    Kind.ACCEPT: Accept,
}
KINDS: dict[type[Any], Kind] = {body: kind for kind, body in BODIES.items()}
RESERVED = frozenset(Kind) - BODIES.keys()


@dataclass(frozen=True, slots=True)
class Head:
    """How far a log is known: the highest contiguous entry and half of its hash."""

    author: Identity
    incarnation: Incarnation
    seq: U32
    mark: Mark


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Sign of life, outside the log (label `heartbeat`): counter (boot, count), have vector, and whom the author hears
    over a link of its own, so that others relay to it only what it misses."""

    version: Word
    table: Hash
    author: Identity
    incarnation: Incarnation
    boot: U32
    count: U32
    have: Annotated[tuple[Head, ...], Bound(64)]
    hears: Annotated[tuple[Identity, ...], Bound(64)]


@dataclass(frozen=True, slots=True)
class Chat:
    """A line of talk, outside the log (label `chat`)."""

    version: Word
    table: Hash
    author: Identity
    incarnation: Incarnation
    count: U32
    text: Annotated[str, Bound(200, 1)]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The host's no to somebody who asked for a seat, in words."""

    table: Hash
    reason: Annotated[str, Bound(200, 1)]


@dataclass(frozen=True, slots=True)
class Gap:
    """Entries of one log from `seq` on."""

    author: Identity
    incarnation: Incarnation
    seq: U32


@dataclass(frozen=True, slots=True)
class Want:
    """Asks the peer at the other end of a link for entries it has and we lack."""

    gaps: Annotated[tuple[Gap, ...], Bound(64, 1)]


@cache
def _shape(kind: type[Any]) -> tuple[Any, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(hints[field.name] for field in fields(kind))


def plain(body: Any) -> tuple[Any, ...]:
    """The fields of a message as nested tuples, ready for `codec.pack`."""
    return tuple(_plain(getattr(body, field.name)) for field in fields(body))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


def parse(kind: type[Any], value: Any) -> Any:
    """The message of this kind that `value` (as unpacked) stands for.

    Raises MalformedError naming the first field that is missing, of the wrong type, or out of bounds.
    """
    shape: tuple[Any, ...] = _shape(kind)  # type: ignore[arg-type]  # classes are hashable, whatever they are of
    if not isinstance(value, tuple) or len(value) != len(shape):
        raise MalformedError(f"{kind.__name__} must be a list of {len(shape)} fields")
    names = (field.name for field in fields(kind))
    return kind(
        *(_parse(hint, item, f"{kind.__name__}.{name}") for hint, item, name in zip(shape, value, names, strict=True))
    )


def _parse(hint: Any, value: Any, where: str) -> Any:
    if get_origin(hint) is not Annotated:
        return parse(hint, value)
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        if not isinstance(value, tuple) or not bound.least <= len(value) <= bound.most:
            raise MalformedError(f"{where} must be a list of {bound.least} to {bound.most}")
        return tuple(_parse(get_args(base)[0], item, where) for item in value)
    if type(value) is not base:  # type(), not isinstance: True is no number here
        raise MalformedError(f"{where} must be {base.__name__}")
    size = value if base is int else len(value)
    if not bound.least <= size <= bound.most:
        raise MalformedError(f"{where} is {size}, allowed are {bound.least} to {bound.most}")
    return value
