"""The tests of `protocol/vectors/escrow.json`, which `vectors.py` writes: mail keys, boxes, disclosures, pieces."""

from collections.abc import Iterator

from spoils import CONTEXT, Test, add_order, any_proof, flip, invalid, spoilt, valid

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.box import disclose, seal
from p2p_hearts.crypto.escrow import encode_commitments, rebuild, split
from p2p_hearts.crypto.group import RISTRETTO255 as GROUP
from p2p_hearts.crypto.keys import HAND, MAIL, HandKey, make_key, prove_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transcript import Transcript

THRESHOLD, COUNT = 3, 5


def escrows() -> Iterator[Test]:
    """All tests of the file."""
    yield from _mail_keys()
    yield from _boxes()
    yield from _commitments()
    yield from _pieces()


def _mail_keys() -> Iterator[Test]:
    entropy = seeded(b"mail keys")
    key, other = make_key(GROUP, entropy), make_key(GROUP, entropy)
    fields: Test = {"context": CONTEXT, "public": key.public, "proof": prove_key(GROUP, CONTEXT, key, entropy, MAIL)}
    yield valid("a mail key and its proof", "mail key", secret=GROUP.encode_scalar(key.secret), **fields)
    as_hand_key = prove_key(GROUP, CONTEXT, key, entropy, HAND)
    again = HandKey(0, _again(GROUP.identity))
    yield from spoilt(
        "mail key",
        fields,
        ("public", other.public, "another key"),
        ("proof", as_hand_key, "proved as a hand key"),
        *any_proof(fields),
    )
    yield invalid(
        "the identity with its unused bit set, rightly proved",
        "mail key",
        context=CONTEXT,
        public=again.public,
        proof=prove_key(GROUP, CONTEXT, again, entropy, MAIL),
    )


def _boxes() -> Iterator[Test]:
    entropy = seeded(b"boxes")
    key, other = make_key(GROUP, entropy), make_key(GROUP, entropy)
    for comment, message in (("a box", GROUP.random_scalar(entropy)), ("zero", 0), ("L - 1", GROUP.order - 1)):
        sealed = seal(GROUP, CONTEXT, key.public, message, entropy)
        box: Test = {"context": CONTEXT, "public": key.public, "sealed": sealed}
        opened = {"secret": GROUP.encode_scalar(key.secret), "message": GROUP.encode_scalar(message)}
        yield valid(comment, "box", **box, **opened)
    again = seal(GROUP, CONTEXT, key.public, message, entropy)
    elsewhere = seal(GROUP, CONTEXT[::-1], key.public, message, entropy)
    for_another = seal(GROUP, CONTEXT, other.public, message, entropy)
    yield from spoilt(
        "box",
        box,
        ("context", CONTEXT[::-1], "opened in another context, as when another author sends it"),
        ("public", other.public, "opened as a box for another receiver"),
        ("sealed", elsewhere, "sealed in another context"),
        ("sealed", for_another, "sealed for another receiver"),
        ("sealed", flip(sealed), "a flipped bit in R"),
        ("sealed", GROUP.identity + sealed[32:], "the identity as R"),
        ("sealed", _again(GROUP.identity) + sealed[32:], "the identity with its unused bit set as R"),
        ("sealed", b"\xff" * 32 + sealed[32:], "an R that is no element"),
        ("sealed", _again(sealed[:32]) + sealed[32:], "R with its unused bit set"),
        ("sealed", again[:32] + sealed[32:], "with the R of another box"),
        ("sealed", sealed[:32] + flip(sealed[32:]), "a flipped bit in the hidden scalar"),
        ("sealed", sealed[:32] + again[32:64] + sealed[64:], "with the hidden scalar of another box"),
        ("sealed", add_order(sealed[:64]) + sealed[64:], "s + L in the place of the hidden scalar"),
        ("sealed", sealed[:64] + again[64:], "with the proof of another box"),
        ("sealed", sealed[:-1] + bytes((sealed[-1] ^ 1,)), "a flipped bit at the end"),
        ("sealed", add_order(sealed), "s + L in the place of the response"),
        ("sealed", sealed[:-1], "127 bytes"),
        ("sealed", sealed + b"\0", "129 bytes"),
    )
    yield from _proved_as_written(key, sealed)
    shared, proof = disclose(GROUP, CONTEXT, key, sealed, entropy)
    shown: Test = {**box, "shared": shared, "proof": proof}
    yield valid("a disclosure of the last of them", "disclosure", message=GROUP.encode_scalar(message), **shown)
    shifted = GROUP.add(shared, GROUP.generator)
    lying = HandKey(other.secret, key.public)
    yield from spoilt(
        "disclosure",
        shown,
        ("public", other.public, "by another receiver"),
        ("sealed", again, "of another box with the same scalar"),
        ("shared", shifted, "another point"),
        ("shared", GROUP.identity, "the identity as shared point"),
        ("shared", _again(shared), "with its unused bit set"),
        *any_proof(shown),
    )
    false_point, false_proof = disclose(GROUP, CONTEXT, lying, sealed, entropy)
    yield invalid("made with another secret", "disclosure", **shown | {"shared": false_point, "proof": false_proof})


def _proved_as_written(key: HandKey, sealed: bytes) -> Iterator[Test]:
    """What is right but for its encoding, by a prover who proves the very bytes it sends."""
    entropy = seeded(b"as written")
    r = GROUP.random_scalar(entropy)
    point = GROUP.base(r)
    fields: Test = {"context": CONTEXT, "public": key.public}
    for comment, body in (
        ("R with its unused bit set, proved as it is written", _again(point) + sealed[32:64]),
        ("s + L in the place of the hidden scalar, proved as it is written", point + add_order(sealed[32:64])),
    ):
        proof = _prove(b"box", key.public, [(b"body", body)], [GROUP.generator], r)
        yield invalid(comment, "box", **fields, sealed=body + proof)
    shared = _again(GROUP.mult(key.secret, sealed[:32]))
    items = [(b"sealed", sealed), (b"shared", shared)]
    proof = _prove(b"disclosure", key.public, items, [GROUP.generator, sealed[:32]], key.secret)
    comment = "with its unused bit set, proved as it is written"
    yield invalid(comment, "disclosure", **fields, sealed=sealed, shared=shared, proof=proof)


def _prove(label: bytes, public: bytes, items: list[tuple[bytes, bytes]], bases: list[bytes], secret: int) -> bytes:
    transcript = Transcript(GROUP, label, CONTEXT)
    for item in [(b"public", public), *items]:
        transcript.append(*item)
    return sigma.prove(transcript, [sigma.Row((0,), (base,)) for base in bases], (secret,), seeded(b"proof"))


def _again(point: bytes) -> bytes:
    """The second encoding that libsodium 1.0.18 reads an element from."""
    return point[:-1] + bytes((point[-1] | 0x80,))


def _commitments() -> Iterator[Test]:
    key = make_key(GROUP, seeded(b"escrow"))
    commitments, _ = split(GROUP, key, THRESHOLD, COUNT, seeded(b"coefficients"))
    data = encode_commitments(commitments)
    fields: Test = {"public": key.public, "threshold": THRESHOLD, "commitments": data}
    yield valid("commitments to a key, threshold 3", "commitments", **fields)
    yield from spoilt(
        "commitments",
        fields,
        ("commitments", GROUP.identity + data[32:], "the identity first"),
        ("commitments", data[:32] + GROUP.identity, "the identity last"),
        ("commitments", data[:32] + _again(GROUP.identity), "the identity with its unused bit set"),
        ("commitments", data[:32] + b"\xff" * 32, "no element"),
        ("commitments", data[:32], "one too few"),
        ("commitments", data + data[:32], "one too many"),
        ("commitments", data[:-1], "63 bytes"),
    )


def _pieces() -> Iterator[Test]:
    entropy = seeded(b"pieces")
    key, another = make_key(GROUP, entropy), make_key(GROUP, entropy)
    for threshold, count in ((2, 3), (THRESHOLD, COUNT), (6, 11)):
        commitments, pieces = split(GROUP, key, threshold, count, entropy)
        others = split(GROUP, another, threshold, count, entropy)[1]
        escrow: Test = {"public": key.public, "commitments": encode_commitments(commitments)}
        for index in (1, count):
            piece = {"index": index, "piece": GROUP.encode_scalar(pieces[index - 1])}
            yield valid(f"piece {index} of {count}, threshold {threshold}", "piece", **escrow, **piece)
        for comment, index, value in (
            ("one too large", 1, pieces[0] + 1),
            ("its negative", 1, -pieces[0]),
            ("the piece of the next", 1, pieces[1]),
            ("of another key", 1, others[0]),
            ("the secret, as piece 0", 0, key.secret),
        ):
            yield invalid(comment, "piece", **escrow, index=index, piece=GROUP.encode_scalar(value))
        yield from _rebuilding(key, commitments, pieces, others)


def _rebuilding(
    key: HandKey, commitments: tuple[bytes, ...], pieces: tuple[int, ...], others: tuple[int, ...]
) -> Iterator[Test]:
    escrow: Test = {"public": key.public, "commitments": encode_commitments(commitments)}
    q, n = len(commitments), len(pieces)
    encoded = dict(enumerate(map(GROUP.encode_scalar, pieces), 1))
    for comment, indices in (("the first", range(1, q + 1)), ("the last", range(n - q + 1, n + 1))):
        chosen: Test = {"indices": list(indices), "pieces": [encoded[index] for index in indices]}
        secret = rebuild(GROUP, commitments, {index: pieces[index - 1] for index in indices}).secret
        yield valid(f"{comment} {q} of {n}", "rebuild", secret=GROUP.encode_scalar(secret), **escrow, **chosen)
    *indices, last = chosen["indices"]
    *rest, piece = chosen["pieces"]
    foreign = GROUP.encode_scalar(others[last - 1])
    yield invalid("one piece too few", "rebuild", **escrow, indices=indices, pieces=rest)
    yield invalid("one of another key", "rebuild", **escrow, indices=[*indices, last], pieces=[*rest, foreign])
    yield invalid("two exchanged", "rebuild", **escrow, indices=[*indices, last], pieces=[piece, *rest[1:], rest[0]])
