"""The state of a table as it follows from the logs: frozen values, alike on every peer that holds the same entries.

Nothing here is secret, no clock is read and nothing is decided: `stages` makes the next value from the last one and an
entry. Identities are 32-byte Ed25519 keys; seats are indexes from 0, clockwise."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from p2p_hearts.crypto.masking import Masked
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.score import HandScore
from p2p_hearts.protocol.envelope import Author, digest
from p2p_hearts.protocol.messages import (
    Choice,
    CommitKeys,
    CommitPass,
    DialogueBody,
    Head,
    Kind,
    OpenKeys,
    Override,
    Value,
)

PROTOCOL = "p2p-hearts/1"
DECK_SIZE = 104
TWO = 2  # peers: neither can be outvoted
BEFORE_KEYS = frozenset({"key", "mail key", "cut nonce"})  # purposes whose context cannot hold the hand keys yet
NO_MARK = bytes(16)  # of no entry
EMPTY: Mapping[Any, Any] = MappingProxyType({})


def _nothing() -> Mapping[Any, Any]:
    return EMPTY


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer on the roster, as its own signed Join says; `name` is already told apart from equal ones."""

    author: Author
    name: str
    link: bytes
    addresses: tuple[str, ...]
    port: int

    @property
    def identity(self) -> bytes:
        """The key that decides who this is."""
        return self.author.identity


@dataclass(frozen=True, slots=True)
class Ballot:
    """The end of hand 0, which has ballot 0 only: its value, once chosen, and the signatures of those who accepted it."""

    choice: Choice | None = None
    accepted: Mapping[bytes, bytes] = field(default_factory=_nothing)  # identity -> signature over the result digest


@dataclass(frozen=True, slots=True)
class Proposal:
    """A start that the host proposed: commitments, then nonces, by identity."""

    number: int
    lobby: bytes
    commitments: Mapping[bytes, bytes] = field(default_factory=_nothing)
    nonces: Mapping[bytes, bytes] = field(default_factory=_nothing)
    ballot: Ballot = field(default_factory=Ballot)


@dataclass(frozen=True, slots=True)
class Lobby:
    """Hand 0: the roster in joining order and what the host has set."""

    table: bytes
    number: int
    host: Author
    title: str
    seats: int
    preset: str
    overrides: tuple[Override, ...]
    hands: int
    grace: int
    clock: int
    watch: bool
    escrow: bool
    peers: tuple[Peer, ...]
    bots: tuple[str, ...] = ()
    proposal: Proposal | None = None
    proposed: int = 0  # number of the last proposal
    seq: int = 0  # of the host's entry that made this value, and its hash
    head: bytes = b""
    before: "Lobby | None" = None  # what a succession may have to go back to
    seatings: tuple[bytes, ...] = ()  # identities in the order in which they were seated, as often as they were
    met: frozenset[Author] = frozenset()  # everybody that ever was on the roster, under whatever host


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: who sits there, and which peer operates it."""

    name: str
    bot: str | None
    operator: bytes


@dataclass(frozen=True, slots=True)
class Game:
    """What the signed start has fixed for good."""

    table: bytes
    title: str
    peers: tuple[Peer, ...]
    seats: tuple[Seat, ...]
    options: Options
    hands: int
    grace: int  # seconds without a sign of life until a hand goes on without a peer
    clock: int  # seconds that a person has for a turn; 0: as long as it takes
    watch: bool
    escrow: bool
    first_dealer: int
    words: tuple[str, ...]


BallotId: TypeAlias = tuple[int, bytes]  # number and proposer: no two peers share one
NO_BALLOT: BallotId = (0, b"")


@dataclass(frozen=True, slots=True)
class Stated:
    """A promise that counts: the mark of its entry, its heads, and at which ballot its author had accepted a value then."""

    mark: bytes
    heads: tuple[Head, ...]
    dealt: bool
    accepted: BallotId | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One run of single-decree Paxos among the voters of a hand, as far as its entries are in (`protocol/decisions.md`)."""

    number: int = 0
    motions: Mapping[BallotId, Value] = field(default_factory=_nothing)
    statements: Mapping[BallotId, Mapping[bytes, Stated]] = field(default_factory=_nothing)
    choices: Mapping[BallotId, Choice] = field(default_factory=_nothing)
    promised: Mapping[bytes, BallotId] = field(default_factory=_nothing)  # the highest ballot of each voter
    accepted: Mapping[bytes, BallotId] = field(default_factory=_nothing)  # and the one at which it has accepted last
    signatures: Mapping[bytes, bytes] = field(
        default_factory=_nothing
    )  # of voters over the result that has been chosen
    votes: Mapping[BallotId, frozenset[bytes]] = field(default_factory=_nothing)
    fallen: Value | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand from its keys to its signed end. `sent` holds every entry's body by kind and author."""

    version: str
    table: bytes
    number: int
    attempt: int
    voters: tuple[bytes, ...]  # whom the hand began with
    members: tuple[bytes, ...]  # whose keys open the deck, in mixing order, the dealer's peer first
    dealer: int
    operators: tuple[bytes, ...]  # the member under whose key each seat's cards lie
    options: Options
    escrow: bool
    logs: Mapping[bytes, bytes] = field(default_factory=_nothing)  # the incarnation under which each peer writes in it
    agreed: Mapping[bytes, int] = field(default_factory=_nothing)  # the number of each member's AGREEMENT in its log
    moved: Mapping[bytes, int] = field(default_factory=_nothing)  # motions of each voter in all decisions of this hand
    delegates: Mapping[bytes, bytes] = field(default_factory=_nothing)  # who acts for each member that was left out
    decision: Decision = field(default_factory=Decision)
    sent: Mapping[Kind, Mapping[bytes, DialogueBody]] = field(default_factory=_nothing)
    verified: Mapping[Kind, frozenset[bytes]] = field(default_factory=_nothing)
    heads: Mapping[bytes, bytes] = field(default_factory=_nothing)  # of each mixer: mark of its mix entry
    keys: tuple[bytes, ...] = ()  # hand keys in mixing order, once all are open
    joint: bytes = b""
    decks: tuple[tuple[Masked, ...], ...] = ()  # one for every mix so far
    cut: bytes = b""  # the joint value that cuts the deck
    slots: tuple[Masked, ...] = ()  # the last deck, cut
    urged: Mapping[tuple[bytes, int], frozenset[bytes]] = field(
        default_factory=_nothing
    )  # who waits no longer, by part and turn
    pieces: Mapping[tuple[bytes, bytes], Mapping[bytes, bytes]] = field(
        default_factory=_nothing
    )  # by lost and delegate
    open_slots: tuple[Masked, ...] = ()  # the same with the shares that came taken off
    rows: tuple[tuple[Masked, ...], ...] = ()  # each seat's hidden cards under its operator's key alone
    passed: tuple[tuple[Masked, ...], ...] = ()  # the same after the pass, before the re-shuffles
    hand: Hand | None = None
    laid: tuple[frozenset[int], ...] = ()  # positions of each seat's row already played
    unproved: frozenset[bytes] = frozenset()  # marks of plays whose void proof we have not verified yet
    digest: bytes = b""  # of the play so far
    digests: tuple[bytes, ...] = ()  # of the play before each card so far
    kitty_digest: bytes = b""  # of the play when the kitty was taken
    score: HandScore | None = None
    choice: str | None = None  # of the moon
    ended: bool = False

    @property
    def present(self) -> tuple[bytes, ...]:
        """The members that have not been left out, in mixing order."""
        if not self.delegates:
            return self.members
        return tuple(member for member in self.members if member not in self.delegates)

    def actor(self, part: bytes) -> bytes:
        """Who does a member's part: itself, or its delegate."""
        return self.delegates.get(part, part)

    @property
    def threshold(self) -> int:
        """How many pieces rebuild a hand key; 0 where keys are in no pieces: two peers would each hold the other's."""
        return quorum(len(self.voters)) if self.escrow and len(self.voters) > TWO else 0

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.operators)

    @property
    def size(self) -> int:
        """Cards dealt to each seat (R4)."""
        return DECK_SIZE // self.seats

    def done(self, kind: Kind) -> Mapping[bytes, DialogueBody]:
        """The bodies of a kind that came, by the member whose part they are."""
        return self.sent.get(kind, EMPTY)

    def all_in(self, kind: Kind) -> bool:
        """Whether every member's part of this kind is in; who was left out need not commit to what its seats pass."""
        done = self.done(kind)
        if not self.delegates:
            return len(done) == len(self.members)
        excused = self.delegates if kind is Kind.COMMIT_PASS else EMPTY
        return all(member in done or member in excused for member in self.members)

    def all_verified(self, kind: Kind) -> bool:
        """Whether every member has sent this kind and we have checked each proof."""
        return len(self.verified.get(kind, frozenset())) == len(self.members)

    def key(self, member: bytes) -> bytes:
        """The hand key that a member has opened."""
        body = self.done(Kind.OPEN_KEYS)[member]
        assert isinstance(body, OpenKeys)
        return body.key

    def seats_of(self, member: bytes) -> tuple[int, ...]:
        """The seats whose cards lie under a member's key, in order."""
        return tuple(seat for seat, operator in enumerate(self.operators) if operator == member)


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand in the books: points per seat after the moon."""

    number: int
    points: tuple[int, ...]
    kitty: int | None
    unclaimed: int
    moon: int | None
    choice: str | None


@dataclass(frozen=True, slots=True)
class Annulled:
    """A hand that was not scored: how often it had been annulled before, and the seats that pay for it."""

    number: int
    before: int
    charged: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that is public about a table. `deals` holds the hand before, the current and the one prepared."""

    lobby: Lobby | None = None
    game: Game | None = None
    number: int = 0
    deals: Mapping[int, Deal] = field(default_factory=_nothing)
    scores: tuple[int, ...] = ()
    sheet: tuple[Scored, ...] = ()
    winners: tuple[int, ...] = ()
    over: bool = False
    left: frozenset[bytes] = frozenset()  # peers that said they leave
    era: int = 0  # changes of membership so far; the attempt of a hand is the era in which it was opened
    annulled: tuple[Annulled, ...] = ()
    members: tuple[bytes, ...] = ()  # of the current hand when it began, in joining order
    removals: Mapping[bytes, int] = field(default_factory=_nothing)  # how often a hand went on without each peer
    welcomed: Mapping[bytes, frozenset[bytes]] = field(default_factory=_nothing)  # who agrees to whom
    returning: frozenset[bytes] = frozenset()  # left out, and asking for a place in the next hand
    heads: Mapping[Author, Head] = field(
        default_factory=_nothing
    )  # the last entry of each author that has been applied
    limits: Mapping[tuple[int, int, bytes], int] = field(
        default_factory=_nothing
    )  # hand and peer: its last number that counts
    overrun: bool = False  # entries beyond such a limit have been applied: the hand has to be gone through again

    @property
    def deal(self) -> Deal | None:
        """The current hand."""
        return self.deals.get(self.number)

    @property
    def peers(self) -> tuple[Peer, ...]:
        """The roster."""
        if self.game is not None:
            return self.game.peers
        return self.lobby.peers if self.lobby is not None else ()

    def peer(self, identity: bytes) -> Peer | None:
        """The peer with this identity, if it is on the roster."""
        for peer in self.peers:
            if peer.author.identity == identity:
                return peer
        return None

    def author(self, identity: bytes) -> Author:
        """Who writes for a peer of the roster now: its identity and the incarnation of its log."""
        peer = self.peer(identity)
        assert peer is not None
        return peer.author

    def head(self, identity: bytes) -> Head:
        """The last entry of a peer's log that has been applied; number 0 with an empty mark if there is none yet."""
        author = self.author(identity)
        return self.heads.get(author) or Head(identity, author.incarnation, 0, NO_MARK)

    def with_deal(self, deal: Deal) -> "Table":
        """The table with one hand replaced."""
        return replace(self, deals=MappingProxyType({**self.deals, deal.number: deal}))


def version_of(group: str) -> str:
    """The protocol version; it names the group, so that a table of the simulation is refused by a real peer."""
    return f"{PROTOCOL}/{group}"


def put(mapping: Mapping[Any, Any], key: Any, value: Any) -> Mapping[Any, Any]:
    """A copy of the mapping with one more entry."""
    return MappingProxyType({**mapping, key: value})


def quorum(voters: int) -> int:
    """The smallest majority (`protocol/decisions.md`)."""
    return voters // 2 + 1


def frozen(deal: Deal, me: bytes) -> bool:
    """Whether we have promised something in a decision that has not fallen: until it has, we build on nothing new."""
    return not deal.ended and deal.decision.promised.get(me, NO_BALLOT)[0] > 0


def context(deal: Deal, author: bytes, purpose: str, index: int = 0) -> bytes:
    """The context of a proof (32 bytes): version, table, hand, attempt, membership, author, purpose with its index, and
    all hand keys but for what is made before they are open (`protocol/cryptography.md`, Contexts)."""
    opened = () if purpose in BEFORE_KEYS else deal.keys
    return digest(
        "p2p-hearts context",
        deal.version.encode(),
        deal.table,
        deal.number.to_bytes(4, "big") + deal.attempt.to_bytes(2, "big"),
        digest("membership", *deal.members),
        author,
        purpose.encode(),
        index.to_bytes(4, "big"),
        *opened,
    )


def set_hash(deal: Deal, kind: Kind) -> bytes:
    """Hash of the set of commitments of this kind, in mixing order: what an opening answers."""
    parts: list[bytes] = []
    for member in deal.members:
        body = deal.done(kind).get(member)  # who was left out may have committed to no pass
        if isinstance(body, CommitKeys):
            parts += [body.key, body.cut]
        elif isinstance(body, CommitPass):
            parts.append(body.commitment)
    return digest("commitments", bytes([kind]), *parts)
