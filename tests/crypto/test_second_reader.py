"""A second reader of `protocol/cryptography.md`: nothing of the package, its own ristretto255, the same answers.

It is the reader of `tests/reader/`, which also reads a whole game. It is slow and leaks everything; it is there so that the
document says enough, and so that one mistake in hash, transcript or rows cannot hide in prover and verifier alike."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.reader import escrow, proofs
from tests.reader.curve import combine
from tests.reader.hashing import commitment, drawn, joint_value, permutation
from tests.reader.refusal import RefusedError, demand
from tests.reader.ristretto import G, decoded, encoded, one_way

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
FILES = ("points", "transcript", "commitments", "proofs", "shuffle", "void", "escrow")
Test: TypeAlias = dict[str, Any]


def _fields(test: Test, *names: str) -> list[bytes]:
    return [bytes.fromhex(test[name]) for name in names]


def _elements(data: bytes) -> list[bytes]:
    """What a peer sends comes through one door, where it is looked at piece by piece."""
    pieces = proofs.split(data)
    for piece in pieces:
        decoded(piece)
    return pieces


def _cards(data: bytes) -> list[proofs.Masked]:
    pieces = _elements(data)
    demand(len(pieces) % 2 == 0, "PROOF")
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def _card(test: Test) -> None:
    demand(encoded(proofs.card_point(test["card"])).hex() == test["element"], "PROOF")


def _generator(test: Test) -> None:
    point = proofs.hash_to_point("shuffle", test["index"].to_bytes(4, "big"))
    demand(encoded(point).hex() == test["element"], "PROOF")


def _challenge(test: Test) -> None:
    label, context = _fields(test, "label", "context")
    said = proofs.Words(label.decode(), context)
    for item in test["items"]:
        name, *parts = map(bytes.fromhex, item)
        said.append(name.decode(), *parts)
    demand(said.challenges(1, 64)[0].to_bytes(32, "little").hex() == test["challenge"], "PROOF")
    demand([weight.to_bytes(16, "little").hex() for weight in said.challenges(2, 16)] == test["weights"], "PROOF")


def _stream(test: Test) -> None:
    (seed,) = _fields(test, "seed")
    calls = enumerate(test["calls"])
    demand(all(drawn(seed, index, len(call) // 2).hex() == call for index, call in calls), "PROOF")


def _commitment(test: Test) -> None:
    label, context, value, salt, sealed = _fields(test, "label", "context", "value", "salt", "commitment")
    demand(len(salt) == 32 and commitment(label.decode(), context, value, salt) == sealed, "PROOF")


def _joint_value(test: Test) -> None:
    label, context, value = _fields(test, "label", "context", "value")
    demand(joint_value(label.decode(), context, map(bytes.fromhex, test["nonces"])) == value, "PROOF")


def _permutation(test: Test) -> None:
    (seed,) = _fields(test, "seed")
    demand(list(permutation(seed, len(test["order"]))) == test["order"], "PROOF")


def _key(test: Test) -> None:
    context, public, proof = _fields(test, "context", "public", "proof")
    proofs.verify_key(context, public, proof)


def _shares(test: Test) -> None:
    context, public, cards, shares, proof = _fields(test, "context", "public", "cards", "shares", "proof")
    proofs.verify_shares(context, public, _cards(cards), _elements(shares), proof)


def _transfer(test: Test) -> None:
    names = ("context", "public", "receiver", "card", "passed", "proof")
    context, public, receiver, card, passed, proof = _fields(test, *names)
    (before,), (after,) = _cards(card), _cards(passed)
    proofs.verify_transfer(context, public, receiver, before, after, proof)


def _shuffle(test: Test) -> None:
    context, public, deck, mixed, proof = _fields(test, "context", "public", "deck", "mixed", "proof")
    proofs.verify_shuffle(context, public, _cards(deck), _cards(mixed), proof)


def _void(test: Test) -> None:
    context, public, cards, allowed, proof = _fields(test, "context", "public", "cards", "allowed", "proof")
    demand(len(allowed) == 7, "PROOF")
    proofs.verify_void(context, public, _cards(cards), int.from_bytes(allowed, "big"), proof)


def _mail_key(test: Test) -> None:
    context, public, proof = _fields(test, "context", "public", "proof")
    proofs.verify_key(context, public, proof, "mail key")


def _box(test: Test) -> None:
    context, public, sealed = _fields(test, "context", "public", "sealed")
    escrow.verify_sealed(context, public, sealed)
    secret, message = (_number(test[name]) for name in ("secret", "message"))
    demand(escrow.opened(context, public, secret, sealed) == message, "PROOF")


def _disclosure(test: Test) -> None:
    fields = _fields(test, "context", "public", "sealed", "shared", "proof")
    demand(escrow.disclosed(*fields) == _number(test["message"]), "PROOF")


def _commitments(test: Test) -> list[bytes]:
    public, data = _fields(test, "public", "commitments")
    return escrow.commitments(public, data, test.get("threshold", len(data) // 32 + 1))


def _piece(test: Test) -> None:
    escrow.check_piece(_commitments(test), test["index"], _number(test["piece"]))


def _rebuild(test: Test) -> None:
    pieces = dict(zip(test["indices"], map(_number, test["pieces"]), strict=True))
    demand(escrow.rebuilt(_commitments(test), pieces) == _number(test["secret"]), "PROOF")


def _number(text: str) -> int:
    (number,) = proofs.scalars(bytes.fromhex(text), 1)
    return number


READERS: dict[str, Callable[[Test], object]] = {
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
    "mail key": _mail_key,
    "box": _box,
    "disclosure": _disclosure,
    "commitments": _commitments,
    "piece": _piece,
    "rebuild": _rebuild,
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
                assert encoded(combine([(test["scalar"], G)])).hex() == test["element"]
            case ["encoding"]:
                with pytest.raises(RefusedError):
                    decoded(bytes.fromhex(test["element"]))
            case ["one-way map"]:
                assert encoded(one_way(bytes.fromhex(test["uniform"]))).hex() == test["element"]
