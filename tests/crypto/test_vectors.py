"""The vectors in `protocol/vectors`: the script makes the very same, and a reader of them alone gets the same answers."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.box import open_disclosed, open_sealed, verify_sealed
from p2p_hearts.crypto.commitment import check, joint_value, permutation
from p2p_hearts.crypto.errors import CryptoError, ProofError
from p2p_hearts.crypto.escrow import decode_commitments, piece_fits, rebuild
from p2p_hearts.crypto.group import RISTRETTO255 as GROUP
from p2p_hearts.crypto.keys import MAIL, HandKey, verify_key
from p2p_hearts.crypto.masking import card_point, decode_masked
from p2p_hearts.crypto.reveal import open_card, verify_shares
from p2p_hearts.crypto.shuffle import generators, verify_mix
from p2p_hearts.crypto.signature import check_public, verify
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.crypto.transfer import verify_transfer
from p2p_hearts.crypto.void import verify_void

PROJECT = Path(__file__).parents[2]
FILES = ("points", "transcript", "commitments", "signatures", "proofs", "shuffle", "void", "escrow")
Test = dict[str, Any]


def _tests() -> list[Any]:
    tests = []
    for name in FILES:
        document = json.loads((PROJECT / "protocol" / "vectors" / f"{name}.json").read_text("utf-8"))
        tests += [pytest.param(test, id=f"{name} {test['id']} {test['comment']}") for test in document["tests"]]
    return tests


def _bytes(test: Test, *names: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(test[name]) for name in names)


def _shares(test: Test) -> None:
    context, public, cards, shares, proof = _bytes(test, "context", "public", "cards", "shares", "proof")
    deck = decode_masked(GROUP, cards, len(cards) // 64)
    verify_shares(GROUP, context, public, deck, [shares[at : at + 32] for at in range(0, len(shares), 32)], proof)


def _transfer(test: Test) -> None:
    context, public, receiver, card, passed, proof = _bytes(
        test, "context", "public", "receiver", "card", "passed", "proof"
    )
    before, after = (decode_masked(GROUP, data, 1)[0] for data in (card, passed))
    verify_transfer(GROUP, context, public, receiver, before, after, proof)


def _shuffle(test: Test) -> None:
    context, public, before, after, proof = _bytes(test, "context", "public", "deck", "mixed", "proof")
    deck, mixed = (decode_masked(GROUP, data, len(before) // 64) for data in (before, after))
    verify_mix(GROUP, context, public, deck, mixed, proof)


def _void(test: Test) -> None:
    context, public, cards, allowed, proof = _bytes(test, "context", "public", "cards", "allowed", "proof")
    deck = decode_masked(GROUP, cards, len(cards) // 64)
    verify_void(GROUP, context, public, deck, int.from_bytes(allowed, "big"), proof)


def _mail_key(test: Test) -> None:
    context, public, proof = _bytes(test, "context", "public", "proof")
    verify_key(GROUP, context, public, proof, MAIL)


def _box(test: Test) -> None:
    context, public, sealed = _bytes(test, "context", "public", "sealed")
    verify_sealed(GROUP, context, public, sealed)
    key = HandKey(GROUP.decode_scalar(bytes.fromhex(test["secret"])), public)
    assert GROUP.encode_scalar(open_sealed(GROUP, context, key, sealed)).hex() == test["message"]


def _disclosure(test: Test) -> None:
    context, public, sealed, shared, proof = _bytes(test, "context", "public", "sealed", "shared", "proof")
    message = open_disclosed(GROUP, context, public, sealed, shared, proof)
    assert GROUP.encode_scalar(message).hex() == test["message"]


def _commitments(test: Test) -> tuple[bytes, ...]:
    public, data = _bytes(test, "public", "commitments")
    return decode_commitments(GROUP, public, data, test.get("threshold", len(data) // 32 + 1))


def _piece(test: Test) -> None:
    if not piece_fits(GROUP, _commitments(test), test["index"], GROUP.decode_scalar(bytes.fromhex(test["piece"]))):
        raise ProofError("it does not fit")


def _rebuild(test: Test) -> None:
    pieces = (GROUP.decode_scalar(bytes.fromhex(piece)) for piece in test["pieces"])
    key = rebuild(GROUP, _commitments(test), dict(zip(test["indices"], pieces, strict=True)))
    assert GROUP.encode_scalar(key.secret).hex() == test["secret"]


def _challenge(test: Test) -> None:
    transcript = Transcript(GROUP, *_bytes(test, "label", "context"))
    for item in test["items"]:
        transcript.append(*map(bytes.fromhex, item))
    assert GROUP.encode_scalar(transcript.challenge()).hex() == test["challenge"]
    weights = [weight.to_bytes(16, "little").hex() for weight in transcript.challenges(2, 16)]
    assert weights == test["weights"]


def _stream(test: Test) -> None:
    stream = seeded(bytes.fromhex(test["seed"]))
    assert [stream(len(call) // 2).hex() for call in test["calls"]] == test["calls"]


def _joint_value(test: Test) -> None:
    nonces = [bytes.fromhex(nonce) for nonce in test["nonces"]]
    label, context = _bytes(test, "label", "context")
    assert joint_value(label, context, nonces).hex() == test["value"]


def _permutation(test: Test) -> None:
    assert list(permutation(bytes.fromhex(test["seed"]), len(test["order"]))) == test["order"]


def _card(test: Test) -> None:
    assert card_point(GROUP, test["card"]).hex() == test["element"]


def _generator(test: Test) -> None:
    h, hs, _ = generators(GROUP, 104)
    assert (h, *hs)[test["index"]].hex() == test["element"]


READERS: dict[str, Callable[[Test], object]] = {
    "card": _card,
    "generator": _generator,
    "stream": _stream,
    "challenge": _challenge,
    "commitment": lambda test: check(*_bytes(test, "label", "context", "value", "salt", "commitment")),
    "joint value": _joint_value,
    "permutation": _permutation,
    "signature": lambda test: verify(*_bytes(test, "public", "label", "data", "signature")),
    "identity": lambda test: check_public(*_bytes(test, "public")),
    "key": lambda test: verify_key(GROUP, *_bytes(test, "context", "public", "proof")),
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


@pytest.mark.parametrize("test", _tests())
def test_vector(test: Test) -> None:
    """A valid vector is accepted, an invalid one refused with an error of this layer."""
    read = READERS[test["flags"][0]]
    if test["result"] == "valid":
        read(test)
    else:
        with pytest.raises(CryptoError):
            read(test)


def test_the_script_makes_the_same() -> None:
    """From the fixed seeds come the very bytes that are published."""
    script = [sys.executable, str(PROJECT / "scripts" / "vectors.py"), "--check"]
    run = subprocess.run(
        script, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(PROJECT)}
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_secrets_of_vectors_fit() -> None:
    """Where a vector gives a secret, its public half is the one given."""
    for parameter in _tests():
        test: Test = parameter.values[0]
        if "secret" in test:
            assert GROUP.base(GROUP.decode_scalar(bytes.fromhex(test["secret"]))).hex() == test["public"]
        if "plain" in test:
            key = HandKey(GROUP.decode_scalar(bytes.fromhex(test["secret"])), bytes.fromhex(test["public"]))
            cards = decode_masked(GROUP, bytes.fromhex(test["cards"]), len(test["plain"]))
            assert [open_card(GROUP, key, card) for card in cards] == test["plain"]
        if "seed" in test and "public" in test:
            assert sodium.sign_public(bytes.fromhex(test["seed"])).hex() == test["public"]
