"""The vectors of invitations: the script makes the very same, the code agrees, and so does a second reader that knows
nothing but the page `invitations.md`."""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.hello import IdentityCard
from p2p_hearts.node.invitations import InvitationError, password, read_invitation, write_invitation
from p2p_hearts.node.invited import Start, read_question
from p2p_hearts.node.pake import shows_key
from p2p_hearts.node.reception import Desk, receive

PROJECT = Path(__file__).parents[2]
DOCUMENT = json.loads((PROJECT / "protocol" / "vectors" / "invitations.json").read_text("utf-8"))
VERSION = "p2p-hearts/1/ristretto255"


def vectors(flag: str, result: str | None = None) -> list[Any]:
    """The tests with a flag, each by its number and comment."""
    return [
        pytest.param(test, id=f"{test['id']} {test['comment']}")
        for test in DOCUMENT["tests"]
        if flag in test["flags"] and result in (None, test["result"])
    ]


# The second reader.

Q, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"


def digest(label: str, *parts: bytes) -> bytes:
    """P15."""
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in (f"p2p-hearts/1/{label}".encode(), *parts))
    return hashlib.shake_256(framed).digest(32)


def number_of(words: list[str]) -> int:
    """P57 read backwards."""
    number = 0
    for word in words:
        a = CONSONANTS.index(word[0]) * 4 + VOWELS.index(word[1])
        b = CONSONANTS.index(word[2]) * 2 + VOWELS.index(word[3]) // 2
        number = number << 11 | a << 5 | b
    return number


def place_of(form: int, host: str, port: int) -> int:
    """P152."""
    a, b, c, d = map(int, host.split("."))
    address = a << 24 | b << 16 | c << 8 | d
    if form == 4:
        return address & 0xFFFF
    if form == 8:
        return address << 16 | port
    before = 0
    for first, bits in ((10 << 24, 24), (0xAC100000, 20), (0xC0A80000, 16), (0xA9FE0000, 16), (0x64400000, 22)):
        if first <= address < first + 2**bits:
            return (before + address - first) * 16 + (port - 47104) // 2
        before += 2**bits
    raise AssertionError(host)


def hkdf(secret: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256 and an empty salt, 48 bytes."""
    key = hmac.digest(bytes(32), secret, "sha256")
    one = hmac.digest(key, info + b"\x01", "sha256")
    return (one + hmac.digest(key, one + info + b"\x02", "sha256"))[:48]


def add(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of edwards25519 (RFC 8032)."""
    (x1, y1), (x2, y2) = p, q
    cross = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + cross, -1, Q) % Q, (y1 * y2 + x1 * x2) * pow(1 - cross, -1, Q) % Q


def times(n: int, p: tuple[int, int]) -> tuple[int, int]:
    """A point taken so many times."""
    total = (0, 1)
    while n:
        total = add(total, p) if n & 1 else total
        n, p = n >> 1, add(p, p)
    return total


def decoded(data: bytes) -> tuple[int, int]:
    """RFC 8032, 5.1.3."""
    value = int.from_bytes(data, "little")
    y, sign = value & 2**255 - 1, value >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    x = x if x * x % Q == square else x * pow(2, (Q - 1) // 4, Q) % Q
    assert x * x % Q == square
    return (x if x & 1 == sign else Q - x), y


def encoded(p: tuple[int, int]) -> bytes:
    """RFC 8032, 5.1.2."""
    return (p[1] | (p[0] & 1) << 255).to_bytes(32, "little")


BASE = decoded((4 * pow(5, -1, Q) % Q).to_bytes(32, "little"))
M = bytes.fromhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312")
N = bytes.fromhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3")


@pytest.mark.parametrize(("seed", "point"), [(b"M", M), (b"N", N)])
def test_where_the_points_come_from(seed: bytes, point: bytes) -> None:
    """P156: M and N come from hashing, as the page says."""
    y = int.from_bytes(hkdf(seed, b"SPAKE2 arbitrary element"), "big") % Q
    while True:
        square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
        if pow(square, (Q - 1) // 2, Q) == 1:
            break
        y += 1
    assert encoded(times(8, decoded(y.to_bytes(32, "little")))) == point


@pytest.mark.parametrize("test", vectors("words", "valid"))
def test_words(test: dict[str, Any]) -> None:
    """P151 to P153, P155: place, check, secret; and the code reads and writes the same."""
    form, secret = test["form"], bytes.fromhex(test["secret"])
    bits = {4: (6, 22), 6: (4, 33), 8: (7, 33)}[form]
    place = place_of(form, test["hosts"][0], test["port"])
    assert int.from_bytes(secret, "big") < 2 ** bits[1]
    check = int.from_bytes(digest("invitation words", bytes([form]), place.to_bytes(8, "big"), int.from_bytes(secret, "big").to_bytes(8, "big")), "big") >> (256 - bits[0])  # fmt: skip
    assert number_of(test["text"].split()) == (place << bits[0] | check) << bits[1] | int.from_bytes(secret, "big")
    assert test["password"] == bytes([form]).hex() + test["secret"]
    made = read_invitation(test["text"])
    assert made is not None
    assert (made.secret, [e.host for e in made.endpoints], made.endpoints[0].port) == (
        secret,
        test["hosts"],
        test["port"],
    )
    assert write_invitation(made) == test["text"]
    assert password(made).hex() == test["password"]


@pytest.mark.parametrize("test", vectors("text", "valid"))
def test_texts(test: dict[str, Any]) -> None:
    """P154: every byte of a text is where the page says; and the code reads and writes the same."""
    letters = test["text"].removeprefix("p2ph:").upper()
    body = base64.b32decode(letters + "=" * (-len(letters) % 8))
    assert body[:51].hex() == "01" + test["identity"] + test["secret"] + test["port"].to_bytes(2, "big").hex()
    assert digest("invitation text", body[:-4])[:4] == body[-4:]
    assert len(body) - 55 <= 38
    made = read_invitation(test["text"].upper())
    assert made is not None
    assert ([e.host for e in made.endpoints], made.identity.hex()) == (test["hosts"], test["identity"])
    assert write_invitation(made) == test["text"]
    assert password(made).hex() == "00" + test["secret"] == test["password"]


@pytest.mark.parametrize("test", [*vectors("words", "invalid"), *vectors("text", "invalid")])
def test_what_is_none(test: dict[str, Any]) -> None:
    """What is damaged, or says what cannot be, is refused in words."""
    with pytest.raises(InvitationError):
        read_invitation(test["text"])


@pytest.mark.parametrize("test", vectors("proof"))
def test_proofs(test: dict[str, Any]) -> None:
    """P156 to P159: the second reader computes both keys, and finds them alike only where the passwords are."""
    raw = {name: bytes.fromhex(value) for name, value in test.items() if name not in {"id", "comment", "flags", "result", "form", "guest", "host"}}  # fmt: skip
    m, n = decoded(M), decoded(N)
    x, y = (int.from_bytes(raw[name], "big") % L for name in ("x", "y"))
    w, v = (int.from_bytes(hkdf(raw[name], b"SPAKE2 pw"), "big") % L for name in ("guest_password", "host_password"))
    assert raw["X"] == b"A" + encoded(add(times(x, BASE), times(w, m)))
    assert raw["Y"] == b"B" + encoded(add(times(y, BASE), times(v, n)))
    shared = {
        "guest": times(x, add(decoded(raw["Y"][1:]), times(L - w, n))),
        "host": times(y, add(decoded(raw["X"][1:]), times(L - v, m))),
    }
    for side, point in shared.items():
        parts = (raw[f"{side}_password"], raw["guest_card"], raw["host_card"])
        whole = b"".join(hashlib.sha256(part).digest() for part in parts)
        key = hashlib.sha256(whole + raw["X"][1:] + raw["Y"][1:] + encoded(point)).digest()
        assert key == raw[f"{side}_key"]
    right = raw["guest_key"] == raw["host_key"]
    assert right == (test["result"] == "valid")
    assert raw["show"].endswith(digest("invitation guest", raw["guest_key"]))
    assert raw["second_answer"].endswith(digest("invitation host", raw["host_key"]) if right else b"\x01")
    assert shows_key("guest", raw["host_key"], raw["show"][-32:]) == right


@pytest.mark.parametrize("test", vectors("proof"))
def test_a_host_answers_like_the_vectors(test: dict[str, Any]) -> None:
    """The code of the host takes both questions, and gives both answers, byte for byte."""
    text = next(given for given in DOCUMENT["tests"] if given["flags"] == ["text"])["text"]
    form = {0: text, 4: ""}[test["form"]]
    invitation = read_invitation(form) if form else None
    host = [bytes.fromhex(value) for value in test["host"][:2]]
    card = IdentityCard(bytes.fromhex(test["table"]), host[0], host[1], test["host"][2])
    start = bytes.fromhex(test["start"])
    read = read_question(start, VERSION, card.table)
    assert isinstance(read, Start)
    assert (read.guest.name, read.form, read.message.hex()) == (test["guest"][2], test["form"], test["X"])
    if invitation is None:
        return
    reply = receive(Desk((invitation,)), start, VERSION, card, 0.0, lambda size: bytes.fromhex(test["y"])[:size])
    assert reply.answer == bytes.fromhex(test["first_answer"])
    reply = receive(reply.desk, bytes.fromhex(test["show"]), VERSION, card, 1.0, seeded(b"none is needed"))
    assert reply.answer == bytes.fromhex(test["second_answer"])
    assert reply.proved is not None


def test_the_script_makes_the_same() -> None:
    """The vectors are those that the script makes from its seeds."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, str(PROJECT / "scripts" / "invitation_vectors.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT, env=environment)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
