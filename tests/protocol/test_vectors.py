"""The vectors of the protocol: the script makes the very same, the code agrees with them, and so does a second reader that
knows nothing but the pages `encoding.md`, `lobby.md` and `result.md`."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.signature import verify
from p2p_hearts.protocol.envelope import open_entry, open_signed
from p2p_hearts.protocol.errors import MalformedError, RemoteProtocolError
from p2p_hearts.protocol.fields import parse, plain
from p2p_hearts.protocol.messages import Refusal, Want
from p2p_hearts.protocol.result import result_digest

PROJECT = Path(__file__).parents[2]
DOCUMENT = json.loads((PROJECT / "protocol" / "vectors" / "protocol.json").read_text("utf-8"))
VERSION = "p2p-hearts/1/ristretto255"
BOTS = ("Alba", "Bram", "Cleo", "Dov", "Edda", "Finn", "Gala", "Hugo", "Inga", "Jori")


def vectors(flag: str, result: str | None = None) -> list[Any]:
    """The tests with a flag, each by its number and comment."""
    return [
        pytest.param(test, id=f"{test['id']} {test['comment']}")
        for test in DOCUMENT["tests"]
        if flag in test["flags"] and result in (None, test["result"])
    ]


# The second reader.


def encoded(value: Any) -> bytes:
    """P11: the shortest form."""
    match value:
        case bool():
            return b"\xc3" if value else b"\xc2"  # in the hash of the lobby, and nowhere else
        case int():
            return _sized(value, (2**7, ""), (2**8, "cc"), (2**16, "cd"), (2**32, "ce"))
        case bytes():
            return _sized(len(value), (0, ""), (2**8, "c4"), (2**16, "c5")) + value
        case str():
            text = value.encode()
            short = bytes((0xA0 + len(text),)) if len(text) < 32 else b""
            return (short or _sized(len(text), (0, ""), (2**8, "d9"), (2**16, "da"))) + text
        case _:
            short = bytes((0x90 + len(value),)) if len(value) < 16 else b""
            return (short or _sized(len(value), (0, ""), (0, ""), (2**16, "dc"))) + b"".join(map(encoded, value))


def _sized(number: int, *forms: tuple[int, str]) -> bytes:
    for place, (limit, first) in enumerate(forms):
        if number < limit:
            return bytes.fromhex(first) + number.to_bytes(max(1, 2 ** (place - 1)), "big")
    raise AssertionError(number)


def framed(*parts: bytes) -> bytes:
    """P15."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def digest(label: str, *parts: bytes, size: int = 32) -> bytes:
    """P15."""
    return hashlib.shake_256(framed(b"p2p-hearts/1/" + label.encode(), *parts)).digest(size)


def commitment(label: str, context: bytes, value: bytes, salt: bytes) -> bytes:
    """Commit, of `cryptography.md`."""
    return digest("commitment", label.encode(), context, value, salt)


def permutation(seed: bytes, size: int) -> list[int]:
    """Fisher–Yates with rejection, of `cryptography.md`."""
    places, call = list(range(size)), 0
    for last in range(size - 1, 0, -1):
        word = 2**32
        while word >= 2**32 - 2**32 % (last + 1):
            word = int.from_bytes(digest("stream", seed, call.to_bytes(8, "big"), size=4), "big")
            call += 1
        other = word % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def spoken(value: bytes, count: int) -> list[str]:
    """P57."""
    consonants, vowels = "bdfghjklmnprstvz", "aiou"
    bits = "".join(f"{byte:08b}" for byte in value)
    words = []
    for place in range(count):
        a, b = divmod(int(bits[11 * place : 11 * place + 11], 2), 32)
        words.append(consonants[a // 4] + vowels[a % 4] + consonants[b // 2] + vowels[2 * (b % 2) + 1])
    return words


def unhex(value: Any) -> Any:
    """Hex in a list of fields back to bytes; no text in the vectors is long and hex (“Edda” is hex, and a bot)."""
    if isinstance(value, list):
        return [unhex(item) for item in value]
    return bytes.fromhex(value) if isinstance(value, str) and re.fullmatch("([0-9a-f]{16,})?", value) else value


@pytest.mark.parametrize("test", vectors("digest"))
def test_digest(test: dict[str, Any]) -> None:
    """A hash is over the label and the parts, each behind its length."""
    assert digest(test["label"], *map(bytes.fromhex, test["parts"])).hex() == test["digest"]


@pytest.mark.parametrize("test", vectors("entry", "valid"))
def test_entry(test: dict[str, Any]) -> None:
    """An entry is the list of its eight fields behind the tag, its signature at the end, its hash without both."""
    names = ("table", "author", "incarnation", "seq", "prev", "kind", "body")
    signed = encoded([VERSION, *(unhex(test[name]) for name in names)])
    frame = bytes.fromhex(test["frame"])
    assert frame[:-64] == b"\1" + signed
    assert digest("entry", signed).hex() == test["hash"]
    assert test["hash"].startswith(test["mark"])
    entry = open_entry(frame, VERSION)
    assert entry.hash.hex() == test["hash"]
    assert (entry.seq, int(entry.kind)) == (test["seq"], test["kind"])


@pytest.mark.parametrize("test", vectors("entry", "invalid"))
def test_no_entry(test: dict[str, Any]) -> None:
    """What is not in the one right form, or not rightly signed, is no entry."""
    with pytest.raises((MalformedError, RemoteProtocolError)):
        open_entry(bytes.fromhex(test["frame"]), VERSION)


@pytest.mark.parametrize("test", vectors("outside"))
def test_message_outside_the_log(test: dict[str, Any]) -> None:
    """A message outside the log is the list of its fields behind its tag, signed under its own label if it is signed."""
    tags = {"Heartbeat": 2, "Chat": 3, "Join": 4, "Refusal": 5, "Want": 6}
    frame, content = bytes.fromhex(test["frame"]), encoded(unhex(test["fields"]))
    assert frame[:1] + content == bytes((tags[test["message"]],)) + frame[1 : 1 + len(content)]
    if "seed" in test:
        assert plain(open_signed(frame)) == _tuples(unhex(test["fields"]))
        assert len(frame) == 1 + len(content) + 64
    else:
        kind = {"Refusal": Refusal, "Want": Want}[test["message"]]
        assert plain(parse(kind, _tuples(unhex(test["fields"])))) == _tuples(unhex(test["fields"]))
        assert len(frame) == 1 + len(content)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("test", vectors("words"))
def test_words(test: dict[str, Any]) -> None:
    """Words are spelt from eleven bits each."""
    assert spoken(bytes.fromhex(test["value"]), 3) == test["words"]


@pytest.mark.parametrize("test", vectors("key_mark"))
def test_key_mark(test: dict[str, Any]) -> None:
    """The mark of a key is two words of its hash."""
    assert spoken(digest("key mark", bytes.fromhex(test["identity"])), 2) == test["words"]


@pytest.mark.parametrize("test", vectors("start"))
def test_start(test: dict[str, Any]) -> None:
    """Everything that a draw gives follows from the lobby and the nonces, by P49 to P57."""
    given = {name: unhex(value) for name, value in test.items()}
    roster, nonces = given["roster"], given["nonces"]
    ways = [test["grace"], test["clock"], test["watch"], test["escrow"]]
    fields = [given["table"], 0, test["title"], test["seats"], test["preset"], [], test["hands"]]
    lobby = digest("lobby", encoded([*fields, *ways, roster, test["bots"]]))
    assert lobby == given["lobby_hash"]
    where = [digest("start", given["table"], lobby, b"\0\1", who) for who in (*(peer[0] for peer in roster), b"")]
    commitments = [
        commitment("start nonce", place, nonce, salt)
        for place, nonce, salt in zip(where, nonces, given["salts"], strict=False)
    ]
    assert commitments == given["commitments"]
    assert digest("commitments", *commitments) == given["answers"]
    joint = digest("joint value", b"start", where[-1], framed(*nonces))
    assert joint == given["joint"]
    assert digest("table", lobby, joint) == given["game"]
    assert spoken(joint, 3) == test["words"]
    everybody = [(name, who) for who, _, name, _ in roster] + [(name, b"") for name in BOTS[: len(test["bots"])]]
    seats = [everybody[place] for place in permutation(digest("seats", joint), len(everybody))]
    people = [who for _, who in seats if who]
    turns = iter(people * len(everybody))
    assert [[name, (who or next(turns))] for name, who in seats] == given["seating"]
    assert permutation(digest("dealer", joint), len(everybody))[0] == test["first_dealer"]
    value = [1, [peer[0] for peer in roster], digest("draw", joint), [], b"", 0, [], []]
    assert given["choice"] == [0, 1, 0, 0, value, []]
    assert digest("decision", encoded(value)) == given["value"]


@pytest.mark.parametrize("test", vectors("result", "valid"))
def test_result(test: dict[str, Any]) -> None:
    """The digest of a result is SHA-256 of its JSON, sorted, without blanks, in ASCII; its signature is over the digest."""
    written = (
        r'{"annulled":[],"game_over":false,"kitty":[null],"names":{"A":"Ada \ud83d\ude00","B":"Zo\u00eb \"Z\""},'
        r'"points":[{"A":4,"B":-10}],"seats":2,"table":'
        r'"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}'
    )
    assert test["text"] == written
    assert hashlib.sha256(written.encode("ascii")).hexdigest() == test["digest"]
    assert result_digest(test["object"]).hex() == test["digest"]
    verify(bytes.fromhex(test["public"]), b"result", bytes.fromhex(test["digest"]), bytes.fromhex(test["signature"]))


@pytest.mark.parametrize("test", vectors("result", "invalid"))
def test_no_result(test: dict[str, Any]) -> None:
    """A signature under another label does not sign a result."""
    signature = bytes.fromhex(test["signature"])
    with pytest.raises(CryptoError):
        verify(bytes.fromhex(test["public"]), b"result", bytes.fromhex(test["digest"]), signature)


def test_the_script_makes_the_same() -> None:
    """The vectors are those that the script makes from its seeds."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, str(PROJECT / "scripts" / "protocol_vectors.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT, env=environment)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
