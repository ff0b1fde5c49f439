"""Every proof of `cryptography.md`, verified: key, shares, transfer, shuffle, void; sections 4 to 11.

A masked card is a pair of encodings that came through `ristretto.decoded` before. A refusal has no code of its own: the
code depends on what the proof was for."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import shake_256
from itertools import chain
from typing import TypeAlias

from tests.reader.curve import L, Point, Term, combine
from tests.reader.hashing import DOMAIN, digest, framed
from tests.reader.refusal import RefusedError, demand
from tests.reader.ristretto import NAME, SIZE, G, decoded, encoded, one_way, point_of

Masked: TypeAlias = tuple[bytes, bytes]
SUIT = 2**13 - 1  # the kinds of a suit, as a mask
STEPS = (4, 8, 12, 1, 2, 3)  # cards whose points less that of card 0 are the steps within a suit
NO = "PROOF"


class Words:
    """A transcript: all that was said, and the challenges that come of it."""

    def __init__(self, label: str, context: bytes) -> None:
        self.said = shake_256(framed(DOMAIN + b"transcript", NAME.encode(), label.encode(), context))

    def append(self, label: str, *items: bytes) -> None:
        """Says a list of items under a label."""
        self.said.update(framed(label.encode(), framed(*items)))

    def challenges(self, count: int, size: int) -> list[int]:
        """Numbers that nobody knew before everything was said."""
        self.said.update(framed(b"challenge", count.to_bytes(4, "big"), size.to_bytes(4, "big")))
        squeezed = self.said.copy().digest(count * size)
        return [int.from_bytes(squeezed[at : at + size], "little") % L for at in range(0, count * size, size)]


def verify_key(context: bytes, public: bytes, proof: bytes, label: str = "key") -> None:
    """Section 6: whoever made this knows the secret of the key. Raises RefusedError."""
    said = Words(label, context)
    said.append("public", public)
    c, s = scalars(proof, 2)
    close(said, c, [[(s, G), (-c, decoded(public))]])


def verify_shares(
    context: bytes, public: bytes, cards: Sequence[Masked], shares: Sequence[bytes], proof: bytes
) -> None:
    """Section 9: each share is x·a of its card. Raises RefusedError."""
    demand(len(cards) == len(shares) > 0, NO, f"{len(shares)} shares of {len(cards)} cards")
    said = Words("shares", context)
    said.append("public", public)
    said.append("cards", *chain(*cards))
    said.append("shares", *shares)
    weights = [1, *said.challenges(len(cards) - 1, 16)]
    c, s = scalars(proof, 2)
    sums = [(s * w, point_of(a)) for w, (a, _) in zip(weights, cards, strict=True)]
    targets = [(-c * w, decoded(share)) for w, share in zip(weights, shares, strict=True)]
    close(said, c, [[(s, G), (-c, decoded(public))], sums + targets])


def verify_transfer(context: bytes, giver: bytes, receiver: bytes, card: Masked, passed: Masked, proof: bytes) -> None:
    """Section 10: the card that the receiver unmasks is the one that the giver unmasked. Raises RefusedError."""
    said = Words("transfer", context)
    said.append("keys", giver, receiver)
    said.append("cards", *card, *passed)
    (a, b), (a2, b2) = map(point_of, card), map(decoded, passed)
    c, x, r = scalars(proof, 3)
    last = [(-x, a), (r, decoded(receiver)), (-c, b2), (c, b)]
    close(said, c, [[(x, G), (-c, decoded(giver))], [(r, G), (-c, a2)], last])


def verify_shuffle(context: bytes, key: bytes, deck: Sequence[Masked], mixed: Sequence[Masked], proof: bytes) -> None:
    """Section 8: these cards are those cards, in an order that nobody is told. Raises RefusedError."""
    n = len(deck)
    demand(len(mixed) == n and len(proof) == SIZE * (4 * n + 5), NO, f"a proof of {len(proof)} bytes for {n} cards")
    said = Words("shuffle", context)
    said.append("key", key)
    said.append("deck", *chain(*deck))
    said.append("mixed", *chain(*mixed))
    sent = split(proof[: 2 * n * SIZE])
    matrix, links = [decoded(item) for item in sent[:n]], [decoded(item) for item in sent[n:]]
    said.append("permutation", *sent[:n])
    u = said.challenges(n, 64)
    said.append("chain", *sent[n:])
    c, one, two, three, four, *rest = scalars(proof[2 * n * SIZE :], 2 * n + 5)
    steps, moved = rest[:n], rest[n:]
    h, *hs = (_generator(index) for index in range(n + 1))
    product = 1
    for factor in u:
        product = product * factor % L
    before = [[point_of(card[side]) for card in deck] for side in (0, 1)]
    after = [[decoded(card[side]) for card in mixed] for side in (0, 1)]
    through = [-c * factor for factor in u]
    rows = [
        [(one, G), *((-c, point) for point in matrix), *((c, point) for point in hs)],
        [(two, G), (-c, links[-1]), (c * product, h)],
        [(three, G), *zip(moved, hs, strict=True), *zip(through, matrix, strict=True)],
        [(four, G), *zip(moved, after[0], strict=True), *zip(through, before[0], strict=True)],
        [(four, decoded(key)), *zip(moved, after[1], strict=True), *zip(through, before[1], strict=True)],
        *(
            [(step, G), (factor, previous), (-c, link)]
            for step, factor, previous, link in zip(steps, moved, [h, *links[:-1]], links, strict=True)
        ),
    ]
    close(said, c, rows)


def verify_void(context: bytes, public: bytes, cards: Sequence[Masked], allowed: int, proof: bytes) -> None:
    """Section 11: every one of these cards is of an allowed kind. Raises RefusedError."""
    demand(0 < allowed < 2**52 - 1 and len(cards) > 0, NO, "nothing is claimed")
    said = Words("void", context)
    said.append("public", public)
    said.append("allowed", allowed.to_bytes(7, "big"))
    said.append("cards", *chain(*cards))
    weights = [1, *said.challenges(len(cards) - 1, 16)]
    spans = _spans(allowed)
    pairs = [(point_of(a), point_of(b)) for a, b in cards]
    if len(spans) == 1:
        a, b = (combine(zip(weights, column, strict=True)) for column in zip(*pairs, strict=True))
        pairs = [(a, b)]
    branches = len(spans) - 1 + sum(1 + len(span) for span in spans)
    c, *said_scalars = scalars(proof, 1 + len(pairs) * branches)
    key, rows, numbers = decoded(public), list[list[Term]](), iter(said_scalars)
    for a, b in pairs:
        parts = [next(numbers) for _ in spans[1:]]
        for d, span in zip([*parts, c - sum(parts)], spans, strict=True):
            s = next(numbers)
            rows.append([(s, G), (-d, key)])
            rows.append([(s, a), *((next(numbers), point) for point in span), (-d, b)])
    close(said, c, rows)


def close(said: Words, challenge: int, rows: Iterable[Iterable[Term]]) -> None:
    """Section 5: the challenge must be the one that the images of the answers give. Raises RefusedError."""
    said.append("sigma", *(encoded(combine(row)) for row in rows))
    if said.challenges(1, 64) != [challenge]:
        raise RefusedError(NO, "the challenge is another")


def split(data: bytes) -> list[bytes]:
    """Bytes in pieces of the size of an element."""
    return [data[at : at + SIZE] for at in range(0, len(data), SIZE)]


def scalars(data: bytes, count: int) -> list[int]:
    """So many scalars and nothing else. Raises RefusedError."""
    demand(len(data) == SIZE * count, NO, f"{len(data)} bytes, not {SIZE * count}")
    numbers = [int.from_bytes(piece, "little") for piece in split(data)]
    demand(max(numbers) < L, NO, "a scalar not below L")
    return numbers


@lru_cache
def card_point(card: int) -> Point:
    """Section 7: the point of a card."""
    suit, rank = divmod(card, 13)
    places = (("card/S", suit), ("card/U", rank // 4), ("card/V", rank % 4))
    return combine((1, hash_to_point(label, bytes((index,)))) for label, index in places)


@lru_cache
def hash_to_point(label: str, data: bytes) -> Point:
    """Section 3: a point of which nobody knows a logarithm."""
    return one_way(digest(64, "point", NAME.encode(), label.encode(), data))


def _generator(index: int) -> Point:
    return hash_to_point("shuffle", index.to_bytes(4, "big"))


def _spans(allowed: int) -> list[list[Point]]:
    whole = [13 * suit for suit in range(4) if allowed >> 13 * suit & SUIT == SUIT]
    rest = allowed - sum(SUIT << two for two in whole)
    single = [[card_point(kind)] for kind in range(52) if rest >> kind & 1]
    steps = [combine([(1, card_point(kind)), (-1, card_point(0))]) for kind in STEPS]
    return [[*map(card_point, whole), *steps], *single] if whole else single
