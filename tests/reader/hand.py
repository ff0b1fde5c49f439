"""A hand up to the cut, by `hand.md` P60 to P72: its state, contexts, keys, mixes, agreements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tests.reader import messages as m
from tests.reader import proofs
from tests.reader.council import Decision, quorum
from tests.reader.curve import ZERO, Point, combine, same
from tests.reader.entries import VERSION, Entry
from tests.reader.escrow import commitments
from tests.reader.hashing import commitment, fingerprint, joint_value, permutation
from tests.reader.options import Options
from tests.reader.proofs import Masked
from tests.reader.refusal import RefusedError, demand
from tests.reader.ristretto import IDENTITY, SIZE, decoded, encoded
from tests.reader.rules import Play, points_of

DECK = 104


@dataclass(frozen=True, slots=True)
class Hand:
    """Everything public about one deal."""

    table: bytes  # id of the game
    number: int
    attempt: int  # the era in which it was opened
    options: Options
    escrow: bool
    dealer: int
    operators: tuple[bytes, ...]  # of the seats: under whose key its cards lie
    voters: tuple[bytes, ...]
    council: Decision
    delegates: Mapping[bytes, bytes] = field(default_factory=dict)  # by lost member
    ended: bool = False
    commitments: Mapping[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    keys: Mapping[bytes, bytes] = field(default_factory=dict)
    mail: Mapping[bytes, bytes] = field(default_factory=dict)
    promised: Mapping[bytes, list[bytes]] = field(default_factory=dict)  # commitments to the pieces of a key
    boxes: Mapping[bytes, list[bytes]] = field(default_factory=dict)  # as sent, in mixing order without the sender
    pieces: Mapping[tuple[bytes, bytes], Mapping[bytes, bytes]] = field(default_factory=dict)  # by lost and delegate
    urged: frozenset[tuple[bytes, int, int]] = frozenset()
    mixes: tuple[tuple[bytes, tuple[Masked, ...]], ...] = ()  # mark of the entry, deck
    nonces: Mapping[bytes, bytes] = field(default_factory=dict)
    agreed: Mapping[bytes, int] = field(default_factory=dict)  # number of each member's agreement in its log
    logs: Mapping[bytes, bytes] = field(default_factory=dict)  # under which incarnation each peer writes in it
    cut: bytes = b""
    slots: tuple[Masked, ...] = ()  # as cut
    shares: Mapping[bytes, Mapping[int, bytes]] = field(default_factory=dict)  # by part and slot
    pass_commitments: Mapping[bytes, bytes] = field(default_factory=dict)
    passes: Mapping[int, m.Body] = field(default_factory=dict)  # by seat
    remixed: frozenset[bytes] = frozenset()
    rows: tuple[tuple[Masked, ...], ...] = ()
    play: Play | None = None  # from when on the first card may be led
    spent: frozenset[tuple[int, int]] = frozenset()  # seat and position
    digest: bytes = b""  # of the play
    told: frozenset[bytes] = frozenset()  # what it was before each card that has counted
    kitty_digest: bytes = b""  # of the play right after the trick that took the kitty
    kitty: frozenset[bytes] = frozenset()  # whose shares of it are in
    moon: str | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.operators)

    @property
    def size(self) -> int:
        """Cards of each seat."""
        return DECK // self.seats

    @property
    def members(self) -> tuple[bytes, ...]:
        """P60: the operators in mixing order."""
        return tuple(dict.fromkeys(self.operators[(self.dealer + step) % self.seats] for step in range(self.seats)))

    @property
    def present(self) -> tuple[bytes, ...]:
        """The members that have not been left out."""
        return tuple(member for member in self.members if member not in self.delegates)

    @property
    def threshold(self) -> int:
        """P82: how many pieces rebuild a key, 0 where keys are in none."""
        return quorum(len(self.voters)) if self.escrow and len(self.voters) > 2 else 0

    @property
    def settled(self) -> bool:
        """Whether the hand is played and its moon, if any, chosen: it can end (P91)."""
        if self.play is None or not self.play.over:
            return False
        return self.moon is not None or points_of(self.play)[2] is None

    @property
    def chooser(self) -> bytes:
        """P91: who ends it at ballot 0."""
        return self.actor(self.operators[(self.dealer + 1) % self.seats])

    def actor(self, part: bytes) -> bytes:
        """P84: who does a member's part."""
        return self.delegates.get(part, part)

    def seats_of(self, part: bytes) -> tuple[int, ...]:
        """The seats whose cards lie under a member's key."""
        return tuple(seat for seat, operator in enumerate(self.operators) if operator == part)

    def context(self, author: bytes, purpose: str, index: int = 0) -> bytes:
        """P62: what a commitment or a proof of this hand is bound to."""
        keyed = purpose not in {"key", "mail key", "cut nonce"}
        return fingerprint(
            "p2p-hearts context",
            VERSION.encode(),
            self.table,
            self.number.to_bytes(4, "big") + self.attempt.to_bytes(2, "big"),
            fingerprint("membership", *self.members),
            author,
            purpose.encode(),
            index.to_bytes(4, "big"),
            *(self.keys[member] for member in self.members if keyed),
        )


def commit_keys(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P65."""
    body = entry.body
    demand(part not in hand.commitments, "REPEATED")
    return replace(hand, commitments={**hand.commitments, part: (body["key"], body["cut"])})


def open_keys(hand: Hand, entry: Entry, part: bytes) -> Hand:
    """P66, P67, P82."""
    body = entry.body
    demand(part not in hand.keys, "REPEATED")
    complete(hand, hand.commitments, "key commitments")
    committed = [part for member in hand.members for part in hand.commitments[member]]
    demand(body["answers"] == set_hash(m.COMMIT_KEYS, committed), "WRONG_HEADS", "another set of commitments")
    context = hand.context(part, "key")
    opening = commitment("hand key", context, body["key"] + body["proof"], body["salt"])
    demand(opening == hand.commitments[part][0], "BAD_COMMITMENT", "not the key it had committed to")
    elements(body["key"], 1, "BAD_KEY")
    proven("BAD_KEY", proofs.verify_key, context, body["key"], body["proof"])
    promised = _mail(hand, part, body)
    demand(body["key"] not in hand.keys.values(), "BAD_KEY", "another member's key")
    hand = replace(
        hand,
        keys={**hand.keys, part: body["key"]},
        mail={**hand.mail, part: body["mail"]},
        promised={**hand.promised, part: promised},
    )
    if len(hand.keys) == len(hand.members):
        demand(not same(decoded_sum(hand.keys.values()), ZERO), "BAD_KEY", "the keys add up to nothing")
    return hand


def _mail(hand: Hand, part: bytes, body: m.Body) -> list[bytes]:
    """P82: the commitments to the pieces of a key, and a mail key; nothing where there is no escrow."""
    if not hand.threshold:
        demand(not (body["mail"] or body["mail_proof"] or body["pieces"]), "BAD_KEY", "a mail key without escrow")
        return []
    elements(body["mail"], 1, "BAD_KEY")
    where = hand.context(part, "mail key")
    proven("BAD_KEY", proofs.verify_key, where, body["mail"], body["mail_proof"], "mail key")
    try:
        return commitments(body["key"], body["pieces"], hand.threshold)
    except RefusedError as error:
        raise RefusedError("BAD_KEY", str(error)) from error


def mix(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P68."""
    body, place = entry.body, len(hand.mixes)
    demand(who not in hand.members[:place], "REPEATED")
    complete(hand, hand.keys, "keys")
    demand(who == hand.members[place], "OUT_OF_ORDER", "it is not its turn to mix")
    before, deck = hand.mixes[-1] if hand.mixes else (bytes(16), start_deck())
    demand(body["before"] == before, "WRONG_HEADS", "it goes on from another mix")
    mixed = masked(body["deck"], DECK, "MALFORMED")
    context, joint = hand.context(who, "mix", place), encoded(decoded_sum(hand.keys.values()))
    proven("BAD_MIX", proofs.verify_shuffle, context, joint, deck, mixed, body["proof"])
    return replace(hand, mixes=(*hand.mixes, (entry.mark, mixed)))


def agree(hand: Hand, entry: Entry, who: bytes) -> Hand:
    """P70, and the cut once all agree (P71)."""
    body = entry.body
    demand(who not in hand.nonces, "REPEATED")
    demand(len(hand.mixes) == len(hand.members), "OUT_OF_ORDER", "not everybody has mixed")
    if hand.threshold:
        complete(hand, hand.boxes, "pieces")
    demand(body["heads"] == [mark for mark, _ in hand.mixes], "WRONG_HEADS", "other mixes")
    opening = commitment("cut nonce", hand.context(who, "cut nonce"), body["nonce"], body["salt"])
    demand(opening == hand.commitments[who][1], "BAD_COMMITMENT", "not the nonce it had committed to")
    hand = replace(hand, nonces={**hand.nonces, who: body["nonce"]}, agreed={**hand.agreed, who: entry.seq})
    if len(hand.nonces) < len(hand.members):
        return hand
    nonces = [hand.nonces[member] for member in hand.members]
    cut = joint_value("cut", hand.context(b"", "cut"), nonces)
    return replace(hand, cut=cut, slots=tuple(hand.mixes[-1][1][place] for place in permutation(cut, DECK)))


def complete(hand: Hand, given: Mapping[bytes, object], what: str) -> None:
    """Refuses what builds on something that not every member has given. Raises RefusedError."""
    demand(len(given) == len(hand.members), "OUT_OF_ORDER", f"not all {what} are in")


def set_hash(kind: int, commitments: Sequence[bytes]) -> bytes:
    """P63: the set of commitments that an opening answers."""
    return fingerprint("commitments", bytes((kind,)), *commitments)


def start_deck() -> tuple[Masked, ...]:
    """Deck 0: every card twice, without a mask."""
    return tuple((IDENTITY, encoded(proofs.card_point(card))) for card in (*range(52), *range(52)))


def elements(data: bytes, count: int, code: str) -> tuple[bytes, ...]:
    """So many encodings of elements. Raises RefusedError."""
    demand(len(data) == SIZE * count, code, f"{len(data)} bytes in the place of {count} elements")
    pieces = proofs.split(data)
    try:
        for piece in pieces:
            decoded(piece)
    except RefusedError as error:
        raise RefusedError(code, str(error)) from error
    return tuple(pieces)


def masked(data: bytes, count: int, code: str) -> tuple[Masked, ...]:
    """So many masked cards. Raises RefusedError."""
    pieces = elements(data, 2 * count, code)
    return tuple(zip(pieces[::2], pieces[1::2], strict=True))


_HELD: set[bytes] = set()  # what has been verified: a hand that is gone through again is not proved again


def proven(code: str, verify: Callable[..., object], *statement: object) -> None:
    """Refuses with this code what has no proof. Raises RefusedError."""
    said = sha256(repr((verify.__name__, statement)).encode()).digest()
    try:
        if said not in _HELD:
            verify(*statement)
    except RefusedError as error:
        raise RefusedError(code, str(error)) from error
    _HELD.add(said)


def decoded_sum(points: Iterable[bytes]) -> Point:
    """The sum of elements."""
    return combine((1, decoded(point)) for point in points)
