"""A hand up to the cut, by `hand.md` P60 to P72: its state, contexts, keys, mixes, agreements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.reader import messages as m
from tests.reader import proofs
from tests.reader.curve import ZERO, Point, combine, same
from tests.reader.entries import VERSION, Entry
from tests.reader.hashing import commitment, fingerprint, joint_value, permutation
from tests.reader.options import Options
from tests.reader.proofs import Masked
from tests.reader.refusal import RefusedError, demand
from tests.reader.ristretto import IDENTITY, SIZE, decoded, encoded
from tests.reader.rules import Play

DECK = 104


@dataclass(frozen=True, slots=True)
class Hand:
    """Everything public about one deal."""

    table: bytes  # id of the game
    number: int
    options: Options
    dealer: int
    operators: tuple[bytes, ...]  # of the seats
    names: tuple[str, ...]
    commitments: Mapping[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    keys: Mapping[bytes, bytes] = field(default_factory=dict)
    mixes: tuple[tuple[bytes, tuple[Masked, ...]], ...] = ()  # mark of the entry, deck
    nonces: Mapping[bytes, bytes] = field(default_factory=dict)
    slots: tuple[Masked, ...] = ()  # as cut
    shares: Mapping[bytes, Mapping[int, bytes]] = field(default_factory=dict)  # by author and slot
    pass_commitments: Mapping[bytes, bytes] = field(default_factory=dict)
    passes: Mapping[int, m.Body] = field(default_factory=dict)  # by seat
    remixed: frozenset[bytes] = frozenset()
    rows: tuple[tuple[Masked, ...], ...] = ()
    play: Play | None = None  # from when on the first card may be led
    spent: frozenset[tuple[int, int]] = frozenset()  # seat and position
    digest: bytes = b""  # of the play
    told: frozenset[bytes] = frozenset()  # what it was before each card that has counted
    kitty_digest: bytes = b""  # of the play right after the trick that took the kitty
    kitty: frozenset[bytes] = frozenset()  # who has given its shares of it
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

    def seats_of(self, author: bytes) -> tuple[int, ...]:
        """The seats that a peer operates."""
        return tuple(seat for seat, operator in enumerate(self.operators) if operator == author)

    def context(self, author: bytes, purpose: str, index: int = 0) -> bytes:
        """P62: what a commitment or a proof of this hand is bound to."""
        keyed = purpose not in {"key", "cut nonce"}
        return fingerprint(
            "p2p-hearts context",
            VERSION.encode(),
            self.table,
            self.number.to_bytes(4, "big") + b"\0",
            fingerprint("membership", *self.members),
            author,
            purpose.encode(),
            index.to_bytes(4, "big"),
            *(self.keys[member] for member in self.members if keyed),
        )


def commit_keys(hand: Hand, entry: Entry) -> Hand:
    """P65."""
    who, body = entry.identity, entry.body
    demand(who not in hand.commitments, "REPEATED")
    return replace(hand, commitments={**hand.commitments, who: (body["key"], body["cut"])})


def open_keys(hand: Hand, entry: Entry) -> Hand:
    """P66, P67."""
    who, body = entry.identity, entry.body
    demand(who not in hand.keys, "REPEATED")
    complete(hand, hand.commitments, "key commitments")
    committed = [part for member in hand.members for part in hand.commitments[member]]
    demand(body["answers"] == set_hash(m.COMMIT_KEYS, committed), "WRONG_HEADS", "another set of commitments")
    context = hand.context(who, "key")
    opening = commitment("hand key", context, body["key"] + body["proof"], body["salt"])
    demand(opening == hand.commitments[who][0], "BAD_COMMITMENT", "not the key it had committed to")
    elements(body["key"], 1, "BAD_KEY")
    proven("BAD_KEY", proofs.verify_key, context, body["key"], body["proof"])
    demand(body["key"] not in hand.keys.values(), "BAD_KEY", "another member's key")
    hand = replace(hand, keys={**hand.keys, who: body["key"]})
    if len(hand.keys) == len(hand.members):
        demand(not same(decoded_sum(hand.keys.values()), ZERO), "BAD_KEY", "the keys add up to nothing")
    return hand


def mix(hand: Hand, entry: Entry) -> Hand:
    """P68."""
    who, body, place = entry.identity, entry.body, len(hand.mixes)
    complete(hand, hand.keys, "keys")
    demand(who not in hand.members[:place], "REPEATED")
    demand(who == hand.members[place], "OUT_OF_ORDER", "it is not its turn to mix")
    before, deck = hand.mixes[-1] if hand.mixes else (bytes(16), start_deck())
    demand(body["before"] == before, "WRONG_HEADS", "it goes on from another mix")
    mixed = masked(body["deck"], DECK, "MALFORMED")
    context, joint = hand.context(who, "mix", place), encoded(decoded_sum(hand.keys.values()))
    proven("BAD_MIX", proofs.verify_shuffle, context, joint, deck, mixed, body["proof"])
    return replace(hand, mixes=(*hand.mixes, (entry.mark, mixed)))


def agree(hand: Hand, entry: Entry) -> Hand:
    """P70, and the cut once all agree (P71)."""
    who, body = entry.identity, entry.body
    demand(who not in hand.nonces, "REPEATED")
    demand(len(hand.mixes) == len(hand.members), "OUT_OF_ORDER", "not everybody has mixed")
    demand(body["heads"] == [mark for mark, _ in hand.mixes], "WRONG_HEADS", "other mixes")
    opening = commitment("cut nonce", hand.context(who, "cut nonce"), body["nonce"], body["salt"])
    demand(opening == hand.commitments[who][1], "BAD_COMMITMENT", "not the nonce it had committed to")
    hand = replace(hand, nonces={**hand.nonces, who: body["nonce"]})
    if len(hand.nonces) < len(hand.members):
        return hand
    nonces = [hand.nonces[member] for member in hand.members]
    order = permutation(joint_value("cut", hand.context(b"", "cut"), nonces), DECK)
    return replace(hand, slots=tuple(hand.mixes[-1][1][place] for place in order))


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


def proven(code: str, verify: Callable[..., None], *statement: object) -> None:
    """Refuses with this code what has no proof. Raises RefusedError."""
    try:
        verify(*statement)
    except RefusedError as error:
        raise RefusedError(code, str(error)) from error


def decoded_sum(points: Iterable[bytes]) -> Point:
    """The sum of elements."""
    return combine((1, decoded(point)) for point in points)
