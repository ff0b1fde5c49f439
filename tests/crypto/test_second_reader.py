"""A second reader of `protocol/cryptography.md`: nothing of the package, its own ristretto255, the same answers.

It is slow and leaks everything; it is there so that the document says enough, and so that one mistake in hash, transcript
or rows cannot hide in prover and verifier alike."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import shake_256
from pathlib import Path
from typing import Any, TypeAlias

import pytest

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
FILES = ("points", "transcript", "commitments", "proofs", "shuffle", "void")
Test: TypeAlias = dict[str, Any]
Point: TypeAlias = tuple[int, int, int, int]  # X, Y, Z, T of edwards25519
Row: TypeAlias = Sequence[tuple[int, Point]]

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
I = pow(2, (P - 1) // 4, P)  # noqa: E741 - √−1
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ZERO: Point = (0, 1, 1, 0)


class RefusedError(Exception):
    """This reader does not accept."""


# ristretto255, RFC 9496 section 4


def _absolute(x: int) -> int:
    return P - x % P if x % P & 1 else x % P


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in {-u % P, -u * I % P}:
        r = r * I % P
    return check in {u % P, -u % P}, _absolute(r)


def _decode(data: bytes) -> Point:
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1 or s == 0:
        raise RefusedError
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = _sqrt_ratio(1, v * u2 * u2 % P)
    x = _absolute(2 * s * inverse * u2)
    y = u1 * inverse * inverse * u2 * v % P
    if not square or x * y % P & 1 or y == 0:
        raise RefusedError
    return x, y, 1, x * y % P


def _encode(point: Point) -> bytes:
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = _sqrt_ratio(1, u1 * u2 * u2 % P)
    d1, d2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = d1 * d2 * t % P
    if t * z_inverse % P & 1:
        x, y, d2 = y * I % P, x * I % P, d1 * INVSQRT_A_MINUS_D % P
    y = -y if x * z_inverse % P & 1 else y
    return _absolute(d2 * (z - y)).to_bytes(32, "little")


def _half_map(data: bytes) -> Point:
    t = int.from_bytes(data, "little") % 2**255
    r = I * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio(u, v)
    s, c = (s, -1) if square else (-_absolute(s * t), r)
    w0, w1 = 2 * s * v, (c * (r - 1) * (D - 1) ** 2 - v) * SQRT_AD_MINUS_ONE
    w2, w3 = 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def _add(left: Point, right: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = left, right
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _combine(terms: Iterable[tuple[int, Point]]) -> Point:
    """Σ scalar · point, all doublings shared (Straus 1964)."""
    known = [(scalar % L, point) for scalar, point in terms]
    total = ZERO
    for bit in reversed(range(L.bit_length())):
        total = _add(total, total)
        for scalar, point in known:
            if scalar >> bit & 1:
                total = _add(total, point)
    return total


G = _decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


# Sections 3 to 5: hash, transcript, sigma


def _framed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _digest(size: int, label: bytes, *parts: bytes) -> bytes:
    return shake_256(_framed(b"p2p-hearts/1/" + label, *parts)).digest(size)


def _hash_to_point(label: bytes, data: bytes) -> Point:
    uniform = _digest(64, b"point", b"ristretto255", label, data)
    return _add(_half_map(uniform[:32]), _half_map(uniform[32:]))


class _Words:
    """A transcript that keeps all that was said."""

    def __init__(self, label: bytes, context: bytes) -> None:
        self.said = _framed(b"p2p-hearts/1/transcript", b"ristretto255", label, context)

    def append(self, label: bytes, *items: bytes) -> None:
        self.said += _framed(label, _framed(*items))

    def challenges(self, count: int, size: int) -> list[int]:
        self.said += _framed(b"challenge", count.to_bytes(4, "big"), size.to_bytes(4, "big"))
        drawn = shake_256(self.said).digest(count * size)
        return [int.from_bytes(drawn[at : at + size], "little") % L for at in range(0, count * size, size)]


def _verify(words: _Words, rows: Sequence[Row], targets: Sequence[Point], proof: bytes, secrets: int) -> None:
    c, *s = (int.from_bytes(proof[at : at + 32], "little") for at in range(0, len(proof) or 32, 32))
    if len(proof) != 32 * (secrets + 1) or max(c, *s) >= L:
        raise RefusedError
    images = (_combine([*((s[i], point) for i, point in row), (-c, t)]) for row, t in zip(rows, targets, strict=True))
    words.append(b"sigma", *map(_encode, images))
    if words.challenges(1, 64) != [c]:
        raise RefusedError


# Sections 6 to 12


def _fields(test: Test, *names: str) -> list[bytes]:
    return [bytes.fromhex(test[name]) for name in names]


def _split(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def _demand(condition: bool) -> None:  # noqa: FBT001 - it reads as a sentence
    if not condition:
        raise RefusedError


def _key(test: Test) -> None:
    context, x, proof = _fields(test, "context", "public", "proof")
    words = _Words(b"key", context)
    words.append(b"public", x)
    _verify(words, [[(0, G)]], [_decode(x)], proof, 1)


def _shares(test: Test) -> None:
    context, x, cards, shares, proof = _fields(test, "context", "public", "cards", "shares", "proof")
    a, d = [_decode(point) for point in _split(cards)[::2]], [_decode(point) for point in _split(shares)]
    _demand(len(a) == len(d))
    words = _Words(b"shares", context)
    words.append(b"public", x)
    words.append(b"cards", *_split(cards))
    words.append(b"shares", *_split(shares))
    weights = [1, *words.challenges(len(a) - 1, 16)]
    sums = [_combine(zip(weights, points, strict=True)) for points in (a, d)]
    _verify(words, [[(0, G)], [(0, sums[0])]], [_decode(x), sums[1]], proof, 1)


def _transfer(test: Test) -> None:
    names = ("context", "public", "receiver", "card", "passed", "proof")
    context, x, z, card, passed, proof = _fields(test, *names)
    (a, b), (a2, b2) = (map(_decode, _split(cards)) for cards in (card, passed))
    words = _Words(b"transfer", context)
    words.append(b"keys", x, z)
    words.append(b"cards", *_split(card), *_split(passed))
    rows = [[(0, G)], [(1, G)], [(0, _combine([(-1, a)])), (1, _decode(z))]]
    _verify(words, rows, [_decode(x), a2, _combine([(1, b2), (-1, b)])], proof, 2)


def _shuffle(test: Test) -> None:
    context, y, deck, mixed, proof = _fields(test, "context", "public", "deck", "mixed", "proof")
    n = len(deck) // 64
    _demand(len(mixed) == len(deck) and len(proof) == 32 * (4 * n + 5))
    words = _Words(b"shuffle", context)
    words.append(b"key", y)
    words.append(b"deck", *_split(deck))
    words.append(b"mixed", *_split(mixed))
    before, after = ([_decode(point) for point in _split(cards)] for cards in (deck, mixed))
    sent = _split(proof)[: 2 * n]
    c, chain = [_decode(point) for point in sent[:n]], [_decode(point) for point in sent[n:]]
    words.append(b"permutation", *sent[:n])
    u = words.challenges(n, 64)
    words.append(b"chain", *sent[n:])
    h, *hs = (_hash_to_point(b"shuffle", index.to_bytes(4, "big")) for index in range(n + 1))
    product = 1
    for factor in u:
        product = product * factor % L
    targets = [
        _combine([*((1, point) for point in c), *((-1, point) for point in hs)]),
        _combine([(1, chain[-1]), (-product, h)]),
        *(_combine(zip(u, points, strict=True)) for points in (c, before[::2], before[1::2])),
        *chain,
    ]
    u_prime = range(4 + n, 4 + 2 * n)
    rows = [
        [(0, G)],
        [(1, G)],
        [(2, G), *zip(u_prime, hs, strict=True)],
        [(3, G), *zip(u_prime, after[::2], strict=True)],
        [(3, _decode(y)), *zip(u_prime, after[1::2], strict=True)],
        *([(4 + i, G), (4 + n + i, previous)] for i, previous in enumerate([h, *chain[:-1]])),
    ]
    _verify(words, rows, targets, proof[64 * n :], 2 * n + 4)


def _kind(card: int) -> Point:
    suit, rank = divmod(card, 13)
    places = ((b"card/S", suit), (b"card/U", rank // 4), (b"card/V", rank % 4))
    return _combine((1, _hash_to_point(label, bytes((index,)))) for label, index in places)


def _void(test: Test) -> None:
    context, x, cards, allowed, proof = _fields(test, "context", "public", "cards", "allowed", "proof")
    mask, suit = int.from_bytes(allowed, "big"), 2**13 - 1
    _demand(len(allowed) == 7 and 0 < mask < 2**52 - 1 and len(cards) > 0)
    whole = [13 * s for s in range(4) if mask >> 13 * s & suit == suit]
    rest = mask - sum(suit << two for two in whole)
    spans = [[_kind(kind)] for kind in range(52) if rest >> kind & 1]
    if whole:
        steps = [_combine([(1, _kind(rank)), (-1, _kind(0))]) for rank in (4, 8, 12, 1, 2, 3)]
        spans.insert(0, [*map(_kind, whole), *steps])
    words = _Words(b"void", context)
    words.append(b"public", x)
    words.append(b"allowed", allowed)
    words.append(b"cards", *_split(cards))
    points = [_decode(point) for point in _split(cards)]
    pairs = list(zip(points[::2], points[1::2], strict=True))
    weights = [1, *words.challenges(len(pairs) - 1, 16)]
    if len(spans) == 1:
        a, b = (_combine(zip(weights, column, strict=True)) for column in zip(*pairs, strict=True))
        pairs = [(a, b)]
    _demand(len(proof) == 32 * (1 + len(pairs) * sum(2 + len(span) for span in spans) - len(pairs)))
    c, *scalars = (int.from_bytes(scalar, "little") for scalar in _split(proof))
    _demand(max(c, *scalars) < L)
    images = []
    for a, b in pairs:
        split, scalars = scalars[: len(spans) - 1], scalars[len(spans) - 1 :]
        for d, span in zip([*split, c - sum(split)], spans, strict=True):
            (s, *k), scalars = scalars[: 1 + len(span)], scalars[1 + len(span) :]
            images.append(_combine([(s, G), (-d, _decode(x))]))
            images.append(_combine([(s, a), *zip(k, span, strict=True), (-d, b)]))
    words.append(b"sigma", *map(_encode, images))
    _demand(words.challenges(1, 64) == [c])


def _card(test: Test) -> None:
    _demand(_encode(_kind(test["card"])).hex() == test["element"])


def _generator(test: Test) -> None:
    point = _hash_to_point(b"shuffle", test["index"].to_bytes(4, "big"))
    _demand(_encode(point).hex() == test["element"])


def _challenge(test: Test) -> None:
    words = _Words(*_fields(test, "label", "context"))
    for item in test["items"]:
        words.append(*map(bytes.fromhex, item))
    _demand(words.challenges(1, 64)[0].to_bytes(32, "little").hex() == test["challenge"])
    _demand([weight.to_bytes(16, "little").hex() for weight in words.challenges(2, 16)] == test["weights"])


def _drawn(seed: bytes, call: int, size: int) -> bytes:
    return _digest(size, b"stream", seed, call.to_bytes(8, "big"))


def _stream(test: Test) -> None:
    (seed,) = _fields(test, "seed")
    _demand(all(_drawn(seed, i, len(call) // 2).hex() == call for i, call in enumerate(test["calls"])))


def _commitment(test: Test) -> None:
    *opening, commitment = _fields(test, "label", "context", "value", "salt", "commitment")
    _demand(len(opening[3]) == 32 and _digest(32, b"commitment", *opening) == commitment)


def _joint_value(test: Test) -> None:
    label, context, value = _fields(test, "label", "context", "value")
    nonces = _framed(*map(bytes.fromhex, test["nonces"]))
    _demand(_digest(32, b"joint value", label, context, nonces) == value)


def _permutation(test: Test) -> None:
    (seed,), call = _fields(test, "seed"), 0
    places = list(range(len(test["order"])))
    for last in range(len(places) - 1, 0, -1):
        word = 2**32
        while word >= 2**32 - 2**32 % (last + 1):
            word, call = int.from_bytes(_drawn(seed, call, 4), "big"), call + 1
        places[last], places[word % (last + 1)] = places[word % (last + 1)], places[last]
    _demand(places == test["order"])


READERS: dict[str, Callable[[Test], None]] = {
    "card": _card,
    "generator": _generator,
    "challenge": _challenge,
    "stream": _stream,
    "commitment": _commitment,
    "joint value": _joint_value,
    "permutation": _permutation,
    "key": _key,
    "shares": _shares,
    "transfer": _transfer,
    "shuffle": _shuffle,
    "void": _void,
}


def _tests() -> list[Any]:
    documents = {name: json.loads((VECTORS / f"{name}.json").read_text("utf-8")) for name in FILES}
    return [
        pytest.param(test, id=f"{name} {test['id']} {test['comment']}")
        for name, document in documents.items()
        for test in document["tests"]
    ]


@pytest.mark.parametrize("test", _tests())
def test_the_document_says_enough(test: Test) -> None:
    """A reader of the document alone comes to the published result."""
    try:
        READERS[test["flags"][0]](test)
    except RefusedError:
        assert test["result"] == "invalid"
    else:
        assert test["result"] == "valid"


def test_the_reader_has_the_group_right() -> None:
    """Its ristretto255 is that of RFC 9496 too."""
    for test in json.loads((VECTORS / "ristretto255.json").read_text("utf-8"))["tests"]:
        match test["flags"]:
            case ["multiple"]:
                assert _encode(_combine([(test["scalar"], G)])).hex() == test["element"]
            case ["encoding"]:
                with pytest.raises(RefusedError):
                    _decode(bytes.fromhex(test["element"]))
            case ["one-way map"]:
                uniform = bytes.fromhex(test["uniform"])
                assert _encode(_add(_half_map(uniform[:32]), _half_map(uniform[32:]))).hex() == test["element"]
