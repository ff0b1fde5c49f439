"""What the reader takes for signed, against the published signatures and entries, and where RFC 8032 leaves a choice."""

import json
from contextlib import suppress
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.signature import verify
from tests.reader import ed25519
from tests.reader.curve import L, P, combine
from tests.reader.entries import open_entry
from tests.reader.hashing import DOMAIN, framed
from tests.reader.refusal import RefusedError

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
ORDER_TWO = (0, P - 1, 1, 0)  # the point (0, −1)


def published(name: str, *flags: str) -> list[Any]:
    """The tests of a file with one of these flags."""
    found = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["tests"]
    return [pytest.param(test, id=test["comment"]) for test in found if test["flags"][0] in flags]


def holds(test: dict[str, Any]) -> bool:
    """Whether the reader takes the signature, or the identity."""
    public = bytes.fromhex(test["public"])
    with suppress(RefusedError):
        if test["flags"] == ["identity"]:
            ed25519.check_identity(public)
        else:
            label, data, signature = (bytes.fromhex(test[name]) for name in ("label", "data", "signature"))
            ed25519.check_signature(public, label.decode(), data, signature)
        return True
    return False


@pytest.mark.parametrize("test", published("signatures", "signature", "identity"))
def test_signatures_and_identities(test: dict[str, Any]) -> None:
    """The reader takes the published signatures and keys that are valid, and no other."""
    assert holds(test) == (test["result"] == "valid")


@pytest.mark.parametrize("test", published("protocol", "entry"))
def test_entries(test: dict[str, Any]) -> None:
    """The reader opens the published entries that are valid, and no other."""
    if test["result"] == "valid":
        entry = open_entry(bytes.fromhex(test["frame"]))
        assert (entry.hash.hex(), entry.mark.hex()) == (test["hash"], test["mark"])
    else:
        with pytest.raises(RefusedError):
            open_entry(bytes.fromhex(test["frame"]))


def test_no_cofactor() -> None:
    """A signature that holds only if both sides are multiplied by the cofactor is none, for reader and program alike."""
    digest = sha512(bytes(32)).digest()
    secret = (int.from_bytes(digest[:32], "little") & (2**254 - 8)) | 2**254
    public, data = ed25519.encoded(combine([(secret, ed25519.BASE)])), b"what is signed"
    for more, result in (((0, 1, 1, 0), True), (ORDER_TWO, False)):
        nonce = ed25519.encoded(combine([(7, ed25519.BASE), (1, more)]))
        signed = framed(DOMAIN + b"entry", data)
        k = int.from_bytes(sha512(nonce + public + signed).digest(), "little")
        signature = nonce + ((7 + k * secret) % L).to_bytes(32, "little")
        if result:
            ed25519.check_signature(public, "entry", data, signature)
            verify(public, b"entry", data, signature)
        else:
            with pytest.raises(RefusedError):
                ed25519.check_signature(public, "entry", data, signature)
            with pytest.raises(ProofError):
                verify(public, b"entry", data, signature)
