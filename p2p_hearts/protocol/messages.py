"""Every message of the protocol: its kind and its fields (`fields` has their bounds)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, TypeAlias

from p2p_hearts.protocol.fields import (
    U8,
    U16,
    U32,
    Bound,
    Box,
    CardNumber,
    Cards,
    Element,
    Hash,
    Identity,
    Incarnation,
    LinkKey,
    Mark,
    Name,
    Nonce,
    PartNumber,
    Proof,
    SeatNumber,
    Word,
)

MAX_JOIN = 1_024  # bytes of a signed Join


class Kind(IntEnum):
    """The kinds of log entries; the gaps between the groups are kept for what later versions add."""

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
    PIECE = 29
    URGE = 30
    WELCOME = 31
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
    role: Annotated[int, Bound(1)]  # 0: to play, 1: to watch


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
    grace: Annotated[int, Bound(3_600, 5)]  # seconds without a sign of life until a hand goes on without a peer
    clock: Annotated[int, Bound(600)]  # seconds that a person has for a turn; 0: as long as it takes
    watch: Annotated[int, Bound(1)]  # 1: whoever asks may watch, which shows it nothing but the logs
    escrow: Annotated[int, Bound(1)]  # 1: hand keys are kept in pieces, so that a hand survives the loss of a peer
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
    attempt: U16
    key: Hash
    cut: Hash


@dataclass(frozen=True, slots=True)
class OpenKeys:
    """The hand key and its proof; `answers` is the hash of the set of commitments."""

    hand: U16
    attempt: U16
    answers: Hash
    key: Element
    proof: Proof
    salt: Nonce
    mail: Annotated[
        bytes, Bound(32)
    ]  # the mail key, its proof, and what the pieces of the hand key are checked against;
    mail_proof: Annotated[bytes, Bound(128)]  # all three empty at a table without escrow
    pieces: Annotated[bytes, Bound(5 * 32)]


@dataclass(frozen=True, slots=True)
class Escrow:
    """The pieces of the author's hand key for the other members, in mixing order, each sealed to its receiver's mail key."""

    hand: U16
    attempt: U16
    boxes: Annotated[tuple[Box, ...], Bound(10)]


@dataclass(frozen=True, slots=True)
class Complaint:
    """A box that this author got holds no piece that fits: it opens it to all. `sender` is the member that sealed it, `part`
    the one whose key it should be a piece of; both are the same before the agreement."""

    hand: U16
    attempt: U16
    sender: PartNumber
    part: PartNumber
    shared: Element
    proof: Proof


@dataclass(frozen=True, slots=True)
class Piece:
    """The author's piece of a lost member's hand key, sealed to the mail key of the delegate."""

    hand: U16
    attempt: U16
    decision: U16
    part: PartNumber
    box: Box


@dataclass(frozen=True, slots=True)
class Mix:
    """The deck, re-encrypted and permuted, with the proof of shuffle; `before` names the mix that it goes on from."""

    hand: U16
    attempt: U16
    before: Mark
    deck: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class Agreement:
    """All proofs verified, these heads seen (the mix of every member, in mixing order); opens the nonce of the cut."""

    hand: U16
    attempt: U16
    heads: Annotated[tuple[Mark, ...], Bound(11, 1)]
    nonce: Nonce
    salt: Nonce


@dataclass(frozen=True, slots=True)
class DealShares:
    """Decryption shares for every slot dealt to another peer's seats, in slot order, with one batched proof."""

    hand: U16
    attempt: U16
    decision: U16
    part: PartNumber
    shares: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class CommitPass:
    """Commitment to the passes of all seats of this peer."""

    hand: U16
    attempt: U16
    decision: U16
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
    attempt: U16
    decision: U16
    part: PartNumber
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
    attempt: U16
    decision: U16
    part: PartNumber
    rows: Annotated[tuple[SeatRow, ...], Bound(11, 1)]


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card laid: where it lay in the seat's row, its opening and proof, and the digest of the play before it. `void`
    proves what the play newly claims of the seat's hand; empty when it claims nothing new."""

    hand: U16
    attempt: U16
    decision: U16
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
    attempt: U16
    decision: U16
    part: PartNumber
    digest: Mark
    shares: Cards
    proof: Proof


@dataclass(frozen=True, slots=True)
class Moon:
    """The choice of the seat that shot the moon: `subtract` or `add`."""

    hand: U16
    attempt: U16
    decision: U16
    seat: SeatNumber
    choice: Word


@dataclass(frozen=True, slots=True)
class Head:
    """How far a log is known: the highest contiguous entry and half of its hash."""

    author: Identity
    incarnation: Incarnation
    seq: U32
    mark: Mark


class Verdict(IntEnum):
    """What a decision is about."""

    MEMBERS = 0  # the hand goes on with these members
    END = 1  # the hand has ended with this result, and these are the members of the next
    ANNULLED = 2  # the hand is dealt again, among these members


@dataclass(frozen=True, slots=True)
class Value:
    """What can be decided. `horizons` are the last entries that count of those left out; `lot` draws their delegates;
    `dealt` says that shares may have left, so that the hand goes on without them instead of being opened again; `charged` pay for an annulled hand; `joins` are the signed Joins of who is new, or comes with a new log."""

    verdict: Annotated[int, Bound(2)]
    members: Annotated[tuple[Identity, ...], Bound(11)]
    result: Annotated[bytes, Bound(32)] = b""
    horizons: Annotated[tuple[Head, ...], Bound(11)] = ()
    lot: Annotated[bytes, Bound(32)] = b""
    dealt: Annotated[int, Bound(1)] = 0
    charged: Annotated[tuple[Identity, ...], Bound(11)] = ()
    joins: Annotated[tuple[Annotated[bytes, Bound(MAX_JOIN)], ...], Bound(11)] = ()


@dataclass(frozen=True, slots=True)
class Urge:
    """A person will not wait any longer for a person: once a majority has said so, the part is overdue for all. `turn` is 0 while
    cards are passed, then one more than cards have been played."""

    hand: U16
    attempt: U16
    decision: U16
    part: PartNumber
    turn: U8


@dataclass(frozen=True, slots=True)
class WelcomePeer:
    """A person agrees that somebody gets a place in the game from the next hand on: a newcomer, or one often left out."""

    peer: Identity


@dataclass(frozen=True, slots=True)
class Motion:
    """A voter opens a ballot: what it would have decided. The promises that answer it are `STATEMENT`s."""

    hand: U16
    attempt: U16
    decision: U16
    ballot: U16
    value: Value


@dataclass(frozen=True, slots=True)
class Statement:
    """The author promises to accept nothing below this ballot; `heads` are, for each peer that the proposal leaves out, the
    last entry that the author has accepted."""

    hand: U16
    attempt: U16
    decision: U16
    ballot: U16
    proposer: Identity
    heads: Annotated[tuple[Head, ...], Bound(11)]
    dealt: Annotated[int, Bound(1)]  # whether the author holds all agreements


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of a decision at a ballot of this author; `statements` are marks of those it builds on, none at ballot 0."""

    hand: U16
    attempt: U16
    decision: U16
    ballot: U16
    value: Value
    statements: Annotated[tuple[Mark, ...], Bound(11)]


@dataclass(frozen=True, slots=True)
class Accept:
    """A voter accepts the value, whose hash this is, at the ballot of a proposer; `signature` is over the result digest alone
    (label `result`), and empty where there is no result."""

    hand: U16
    attempt: U16
    decision: U16
    ballot: U16
    proposer: Identity
    value: Hash
    signature: Annotated[bytes, Bound(64)]


@dataclass(frozen=True, slots=True)
class Return:
    """A peer that was left out of this hand knows it, and asks for a place in the next."""

    hand: U16


DialogueBody: TypeAlias = (
    CommitKeys | OpenKeys | Escrow | Complaint | Mix | Agreement | DealShares | CommitPass | OpenPass | Remix | PlayCard
    | Kitty | Moon | Piece | Urge
)  # fmt: skip
VoteBody: TypeAlias = Motion | Statement | Choice | Accept
HandBody: TypeAlias = DialogueBody | VoteBody
LobbyBody: TypeAlias = Open | AdmitPeer | Dismiss | Bots | Rules | Propose | Agree | Draw | LeaveTable | Succeed
Body: TypeAlias = LobbyBody | HandBody | WelcomePeer | Return

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
    Kind.ESCROW: Escrow,
    Kind.COMPLAINT: Complaint,
    Kind.MIX: Mix,
    Kind.AGREEMENT: Agreement,
    Kind.DEAL: DealShares,
    Kind.COMMIT_PASS: CommitPass,
    Kind.OPEN_PASS: OpenPass,
    Kind.REMIX: Remix,
    Kind.PLAY: PlayCard,
    Kind.KITTY: Kitty,
    Kind.MOON: Moon,
    Kind.PIECE: Piece,
    Kind.URGE: Urge,
    Kind.WELCOME: WelcomePeer,
    Kind.PROPOSAL: Motion,
    Kind.STATEMENT: Statement,
    Kind.CHOICE: Choice,
    Kind.ACCEPT: Accept,
    Kind.RETURN: Return,
}
KINDS: dict[type[Any], Kind] = {body: kind for kind, body in BODIES.items()}


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
    mark: Annotated[int, Bound(2)]  # what its player has said: 0 here, 1 away for a moment, 2 please wait


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
