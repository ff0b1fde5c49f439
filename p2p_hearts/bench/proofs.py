"""What proofs cost here, and their lower bound: the counted group operations times the bare cost of each kind.

Law: bound and times come from one run, in turns, on one thread's own clock, so that a busy machine slows both alike. The
bare cost is that of the call into libsodium with buffers made before; all else is our overhead."""

from collections import Counter
from collections.abc import Callable, Sequence
from ctypes import c_char
from dataclasses import dataclass
from secrets import token_bytes
from time import get_clock_info, perf_counter_ns, thread_time_ns
from typing import Literal, ParamSpec, TypeVar

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal
from p2p_hearts.crypto.escrow import piece_fits, split
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import HandKey, make_key, prove_key, verify_key
from p2p_hearts.crypto.masking import Masked, remask, start_deck
from p2p_hearts.crypto.reveal import make_shares, verify_shares
from p2p_hearts.crypto.shuffle import Mixing, apply_mixing, draw_mixing, prove_mix, verify_mix
from p2p_hearts.crypto.signature import make_signing_key, sign, verify
from p2p_hearts.crypto.transfer import transfer, verify_transfer
from p2p_hearts.crypto.void import prove_void, verify_void
from p2p_hearts.entropy import Entropy

Operation = Literal["mult", "base", "add", "check"]
"""A multiplication of some point, of the generator; an addition or subtraction; the check of a point from a peer."""

DECK = 104
QUORUM, MEMBERS = 6, 11  # of escrow, at the largest table
HANDS = (17, 9)  # cards each holds at six and at eleven players
NO_SPADES, POINTS = (1 << 39) - 1, 0x1FFF << 26 | 1 << 49  # what a void proof allows: one span, and a choice of two
_CONTEXT = bytes(32)
_now = thread_time_ns if get_clock_info("thread_time").resolution < 1e-5 else perf_counter_ns  # noqa: PLR2004 - seconds
P = ParamSpec("P")
R = TypeVar("R")


class CountingGroup:
    """Another group that counts what it is asked for."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self.counts: Counter[Operation] = Counter()
        self.name, self.order = group.name, group.order
        self.element_bytes, self.scalar_bytes = group.element_bytes, group.scalar_bytes
        self.identity, self.generator = group.identity, group.generator
        self.hash_to_point, self.random_scalar = group.hash_to_point, group.random_scalar
        self.encode_scalar, self.decode_scalar = group.encode_scalar, group.decode_scalar

    def mult(self, scalar: int, point: bytes) -> bytes:
        """One mult."""
        self.counts["mult"] += 1
        return self._group.mult(scalar, point)

    def base(self, scalar: int) -> bytes:
        """One base."""
        self.counts["base"] += 1
        return self._group.base(scalar)

    def add(self, left: bytes, right: bytes) -> bytes:
        """One add."""
        self.counts["add"] += 1
        return self._group.add(left, right)

    def sub(self, left: bytes, right: bytes) -> bytes:
        """One add."""
        self.counts["add"] += 1
        return self._group.sub(left, right)

    def sum(self, points: Sequence[bytes]) -> bytes:
        """An add for every point but the first."""
        self.counts["add"] += max(0, len(points) - 1)
        return self._group.sum(points)

    def multi(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """A mult or base for every point, an add for every point but the first."""
        bases = points.count(self.generator)
        self.counts["mult"] += len(points) - bases
        self.counts["base"] += bases
        self.counts["add"] += max(0, len(points) - 1)
        return self._group.multi(scalars, points)

    def decode_point(self, data: bytes) -> bytes:
        """One check."""
        self.counts["check"] += 1
        return self._group.decode_point(data)


@dataclass(frozen=True, slots=True)
class MixCase:
    """A deck that was mixed once before, to be mixed again."""

    key: bytes
    deck: tuple[Masked, ...]
    mixed: tuple[Masked, ...]
    mixing: Mixing

    def prove(self, group: Group) -> bytes:
        """The proof of the second mix."""
        return prove_mix(group, _CONTEXT, self.key, self.deck, self.mixed, self.mixing, token_bytes)

    def verify(self, group: Group, proof: bytes) -> None:
        """Checks it."""
        verify_mix(group, _CONTEXT, self.key, self.deck, self.mixed, proof)


def bare_costs_us() -> dict[Operation, float]:
    """Microseconds of one call into libsodium, by kind of operation."""
    scalars = [RISTRETTO255.random_scalar(token_bytes) for _ in range(3)]
    scalar, point, other = RISTRETTO255.encode_scalar(scalars[0]), *map(RISTRETTO255.base, scalars[1:])
    out = (c_char * sodium.POINT_BYTES)()
    mult, base, add, valid = sodium._mult, sodium._base, sodium._add, sodium._valid  # noqa: SLF001 - nothing between
    return {
        "mult": best_us(lambda: mult(out, scalar, point)),
        "base": best_us(lambda: base(out, scalar)),
        "add": best_us(lambda: add(out, point, other)),
        "check": best_us(lambda: valid(point)),
    }


def bound_ms(counts: Counter[Operation], costs: dict[Operation, float]) -> float:
    """Milliseconds below which these operations cannot be done on this machine."""
    return sum(costs[kind] * number for kind, number in counts.items()) / 1000


def mix_counts(case: MixCase) -> tuple[Counter[Operation], Counter[Operation]]:
    """The operations of proving a mix and of verifying it."""
    proving, verifying = CountingGroup(RISTRETTO255), CountingGroup(RISTRETTO255)
    for group in (proving, verifying):
        case.verify(group, case.prove(group))  # generators and card points are made once, before the first hand
        group.counts.clear()
    proof = case.prove(proving)
    case.verify(verifying, proof)
    return proving.counts, verifying.counts


def mix_case(size: int, entropy: Entropy) -> MixCase:
    """A deck of this size, fit for timing: its points are no start deck's."""
    group, key = RISTRETTO255, make_key(RISTRETTO255, entropy).public
    once = start_deck(group)[:size]
    deck = apply_mixing(group, key, once, draw_mixing(group, _CONTEXT, key, once, entropy))
    mixing = draw_mixing(group, _CONTEXT, key, deck, entropy)
    return MixCase(key, deck, apply_mixing(group, key, deck, mixing), mixing)


def measure(rounds: int = 5) -> dict[str, float]:
    """The rows of `bench --json` about group operations and proofs, each the best of some rounds: the shuffle of 104 cards,
    and the void proof of a hand of 17 and of 9."""
    case = mix_case(DECK, token_bytes)
    proving, verifying = mix_counts(case)
    runs = []
    for _ in range(rounds):
        costs = bare_costs_us()
        proof, prove_ms = _timed_ms(case.prove, RISTRETTO255)
        _, verify_ms = _timed_ms(case.verify, RISTRETTO255, proof)
        runs.append((costs, prove_ms, verify_ms))
    best = {kind: min(costs[kind] for costs, _, _ in runs) for kind in runs[0][0]}
    (void, short) = (_void_ms(void_case(count, NO_SPADES)) for count in HANDS)
    return {
        "scalar_mult_us": best["mult"],
        "base_mult_us": best["base"],
        "add_us": best["add"],
        "check_us": best["check"],
        "shuffle_prove_ms": min(prove_ms for _, prove_ms, _ in runs),
        "shuffle_verify_ms": min(verify_ms for _, _, verify_ms in runs),
        "shuffle_bound_ms": bound_ms(proving + verifying, best),
        "void_prove_ms": void[0],
        "void_verify_ms": void[1],
        "void_9_prove_ms": short[0],
        "void_9_verify_ms": short[1],
    }


def small_proofs_ms() -> dict[str, tuple[float, float]]:
    """Milliseconds to make and to check everything but a shuffle, by name."""
    group, case = RISTRETTO255, mix_case(DECK, token_bytes)
    key, receiver, identity = make_key(group, token_bytes), make_key(group, token_bytes), make_signing_key(token_bytes)
    card, entry = case.deck[0], token_bytes(200)
    proof = prove_key(group, _CONTEXT, key, token_bytes)
    shares, all_shares = (make_shares(group, _CONTEXT, key, cards, token_bytes) for cards in ((card,), case.deck))
    passed = transfer(group, _CONTEXT, key, receiver.public, card, token_bytes)
    signature = sign(identity, b"entry", entry)
    return {
        "signature": _pair(
            lambda: sign(identity, b"entry", entry), lambda: verify(identity.public, b"entry", entry, signature)
        ),
        "key": _pair(
            lambda: prove_key(group, _CONTEXT, key, token_bytes),
            lambda: verify_key(group, _CONTEXT, key.public, proof),
        ),
        "one share": _pair(
            lambda: make_shares(group, _CONTEXT, key, (card,), token_bytes),
            lambda: verify_shares(group, _CONTEXT, key.public, (card,), *shares),
        ),
        "104 shares": _pair(
            lambda: make_shares(group, _CONTEXT, key, case.deck, token_bytes),
            lambda: verify_shares(group, _CONTEXT, key.public, case.deck, *all_shares),
        ),
        "transfer": _pair(
            lambda: transfer(group, _CONTEXT, key, receiver.public, card, token_bytes),
            lambda: verify_transfer(group, _CONTEXT, key.public, receiver.public, card, *passed),
        ),
        **_escrow_ms(key, receiver),
        **{f"void, {count} cards": _void_ms(void_case(count, NO_SPADES)) for count in HANDS},
        **{f"points, {count} cards": _void_ms(void_case(count, POINTS)) for count in HANDS},
    }


@dataclass(frozen=True, slots=True)
class VoidCase:
    """A hand and what all its cards are among."""

    key: HandKey
    plain: tuple[int, ...]
    cards: tuple[Masked, ...]
    allowed: int

    def prove(self, group: Group) -> bytes:
        """Its void proof."""
        return prove_void(group, _CONTEXT, self.key, self.cards, self.plain, self.allowed, token_bytes)

    def verify(self, group: Group, proof: bytes) -> None:
        """The check of that proof."""
        verify_void(group, _CONTEXT, self.key.public, self.cards, self.allowed, proof)


def void_case(count: int, allowed: int) -> VoidCase:
    """So many cards, as many as there are of the kinds allowed."""
    group, key = RISTRETTO255, make_key(RISTRETTO255, token_bytes)
    kinds = [kind for kind in range(DECK // 2) if allowed >> kind & 1]
    plain = tuple(kinds[number % len(kinds)] for number in range(count))
    deck = start_deck(group)
    cards = tuple(remask(group, key.public, deck[card], group.random_scalar(token_bytes)) for card in plain)
    return VoidCase(key, plain, cards, allowed)


def void_counts(case: VoidCase) -> tuple[Counter[Operation], Counter[Operation]]:
    """The operations of proving a void and of verifying it."""
    proving, verifying = CountingGroup(RISTRETTO255), CountingGroup(RISTRETTO255)
    for group in (proving, verifying):
        case.verify(group, case.prove(group))  # the points of the spans are made once
        group.counts.clear()
    case.verify(verifying, case.prove(proving))
    return proving.counts, verifying.counts


def _escrow_ms(key: HandKey, mail: HandKey) -> dict[str, tuple[float, float]]:
    """A key in pieces and the check of one, a piece sealed and opened, a box disclosed and opened by all."""
    group = RISTRETTO255
    commitments, pieces = split(group, key, QUORUM, MEMBERS, token_bytes)
    sealed = seal(group, _CONTEXT, mail.public, pieces[-1], token_bytes)
    shown = disclose(group, _CONTEXT, mail, sealed, token_bytes)
    return {
        f"pieces, {QUORUM} of {MEMBERS}": _pair(
            lambda: split(group, key, QUORUM, MEMBERS, token_bytes),
            lambda: piece_fits(group, commitments, MEMBERS, pieces[-1]),
        ),
        "piece in a box": _pair(
            lambda: seal(group, _CONTEXT, mail.public, pieces[-1], token_bytes),
            lambda: open_sealed(group, _CONTEXT, mail, sealed),
        ),
        "disclosed box": _pair(
            lambda: disclose(group, _CONTEXT, mail, sealed, token_bytes),
            lambda: open_disclosed(group, _CONTEXT, mail.public, sealed, *shown),
        ),
    }


def _void_ms(case: VoidCase) -> tuple[float, float]:
    proof = case.prove(RISTRETTO255)
    return _pair(lambda: case.prove(RISTRETTO255), lambda: case.verify(RISTRETTO255, proof))


def _pair(make: Callable[[], object], check: Callable[[], object]) -> tuple[float, float]:
    return best_us(make, 10) / 1000, best_us(check, 10) / 1000


def best_us(call: Callable[[], object], calls: int = 400) -> float:
    """Microseconds of one call, from the fastest of five batches."""
    batches = []
    for _ in range(5):
        start = _now()
        for _ in range(calls):
            call()
        batches.append(_now() - start)
    return min(batches) / calls / 1000


def _timed_ms(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, float]:
    start = _now()
    result = call(*args, **kwargs)
    return result, (_now() - start) / 1e6
