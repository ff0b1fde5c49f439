"""Writes `protocol/vectors/invitations.json` from fixed seeds; with `--check` only compares.

A list of tests, each with an `id`, a `comment`, `flags` that say what it is about, and the `result` a right implementation
comes to; bytes are hex."""

import argparse
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.signature import SigningKey, signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.entropy import Entropy
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.hello import IdentityCard
from p2p_hearts.node.invitations import (
    FORMS,
    SCHEME,
    TEXT,
    Invitation,
    invite_in_text,
    invite_in_words,
    password,
    write_invitation,
)
from p2p_hearts.node.invited import (  # fmt: skip
    Guest,
    Refused,
    Show,
    Start,
    encode_answer,
    encode_show,
    encode_start,
    guest_card,
    host_card,
)
from p2p_hearts.node.pake import begin_as_guest, begin_as_host, finish, prove_key
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.state import version_of

FILE = Path(__file__).resolve().parent.parent / "protocol" / "vectors" / "invitations.json"
VERSION = version_of(RISTRETTO255.name)
PLACES = (
    ("192.168.1.20", 47104),
    ("192.168.255.255", 47104),
    ("192.168.1.20", 47106),
    ("10.0.0.1", 47104),
    ("172.16.0.1", 47134),
    ("169.254.1.2", 47104),
    ("100.127.255.254", 47104),
    ("192.168.1.20", 47105),
    ("203.0.113.9", 5340),
)
Test: TypeAlias = dict[str, Any]


def main() -> int:
    """Writes or compares the file; 1 if it differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the file differs")
    if not parser.parse_args().check:
        FILE.write_text(document(), "utf-8", newline="\n")
    elif FILE.read_text("utf-8") != document():
        print(f"{FILE.name} differs")
        return 1
    return 0


def document() -> str:
    """The whole file."""
    tests = (*words(), *bad_words(), *texts(), *bad_texts(), *proofs())
    numbered = [{"id": number, **test} for number, test in enumerate(tests, 1)]
    return (
        json.dumps({"source": "scripts/invitation_vectors.py", "version": VERSION, "tests": numbered}, indent=1) + "\n"
    )


def words() -> Iterator[Test]:
    """Words for every kind of place, with the smallest, the largest and a common secret."""
    for number, (host, port) in enumerate(PLACES):
        made = invite_in_words([host], port, _filling((0, 255, number + 37)[number % 3]))
        if made is not None:
            yield _valid(f"{made.form} words", "words", **_fields(made))


def bad_words() -> Iterator[Test]:
    """Words that belong to no invitation."""
    good = write_invitation(_words())
    for comment, text in (
        ("another order", " ".join(reversed(good.split()))),
        ("a word too many", f"{good} babi"),
        ("a word that is none", f"{good[:-1]}a"),
        ("a port that is none", _eight(Endpoint("203.0.113.9", 0))),
        ("an address that is none", _eight(Endpoint("0.0.0.0", 5340))),  # noqa: S104 - refused
        ("an address of many", _eight(Endpoint("224.0.0.251", 5340))),
    ):
        yield _invalid(comment, "words", text=text)


def texts() -> Iterator[Test]:
    """Texts with one address, with several, and with IPv6 alone."""
    for hosts in (["192.168.1.20"], ["192.168.1.20", "10.0.0.1", "2001:db8::1", "172.16.0.1"], ["2001:db8::1"]):
        made = invite_in_text(_key(1).public, hosts, 47104, seeded(b"vector text"))
        yield _valid(f"a text with {len(hosts)} address(es)", "text", **_fields(made))


def bad_texts() -> Iterator[Test]:
    """Texts that are damaged, or say what cannot be."""
    made = invite_in_text(_key(1).public, ["192.168.1.20"], 47104, seeded(b"vector text"))
    good = write_invitation(made)
    yield _invalid("a letter missing", "text", text=good[:-1])
    yield _invalid("a letter changed", "text", text=good[:20] + ("a" if good[20] != "a" else "b") + good[21:])
    yield _invalid("a letter that is none", "text", text=good[:20] + "1" + good[21:])
    head = _key(1).public + made.secret
    for comment, body in (
        ("another version", b"\2" + head + b"\xb8\x00\x04\xc0\xa8\x01\x14"),
        ("no address", b"\1" + head + b"\xb8\x00"),
        ("five addresses", b"\1" + head + b"\xb8\x00" + b"\x04\xc0\xa8\x01\x14" * 5),
        ("half an address", b"\1" + head + b"\xb8\x00\x04\xc0\xa8"),
        ("an address of five bytes", b"\1" + head + b"\xb8\x00\x05\xc0\xa8\x01\x14\x00"),
        ("port 0", b"\1" + head + b"\x00\x00\x04\xc0\xa8\x01\x14"),
    ):
        whole = body + digest("invitation text", body)[:4]
        yield _invalid(comment, "text", text=SCHEME + base64.b32encode(whole).decode().rstrip("=").lower())


def proofs() -> Iterator[Test]:
    """Whole proofs, with the randomness of both sides, by words and by text; and one with wrong words."""
    text = invite_in_text(_key(1).public, ["192.168.1.20"], 47104, seeded(b"vector text"))
    for number, (mine, theirs) in enumerate(((_words(), _words()), (text, text), (_words(b"other"), _words()))):
        yield _proof(number, mine, theirs)


def _proof(number: int, mine: Invitation, theirs: Invitation) -> Test:
    host, me = _key(1), _key(2)
    card = IdentityCard(b"\x07" * 32, host.public, b"\x08" * 32, "Ada")
    guest = Guest(me.public, b"\x09" * 32, "Zoë")
    x, y = (bytes((number * 2 + side,)) * 64 for side in (1, 2))
    cards = guest_card(VERSION, guest), host_card(VERSION, card)
    one = begin_as_guest(password(mine), *cards, lambda size: x[:size])
    two = begin_as_host(password(theirs), *cards, lambda size: y[:size])
    key, other = finish(one, two.message), finish(two, one.message)
    shown = prove_key("guest", key)
    right = key == other
    answer = encode_answer(VERSION, prove_key("host", other) if right else Refused.WRONG)
    return _test(
        "a proof" if right else "wrong words",
        "proof",
        result="valid" if right else "invalid",
        form=mine.form,
        guest_password=password(mine),
        host_password=password(theirs),
        guest_seed=me.seed,
        table=card.table,
        host=[card.identity, card.link, card.name],
        guest=[guest.identity, guest.link, guest.name],
        guest_card=cards[0],
        host_card=cards[1],
        x=x,
        y=y,
        X=one.message,
        Y=two.message,
        guest_key=key,
        host_key=other,
        start=encode_start(VERSION, Start(guest, mine.form, one.message), card.table, me),
        first_answer=encode_answer(VERSION, two.message),
        show=encode_show(VERSION, Show(two.message, shown)),
        second_answer=answer,
    )


def _words(secret: bytes = b"vector words") -> Invitation:
    made = invite_in_words(["192.168.1.20"], 47104, seeded(secret))
    if made is None:
        raise ValueError(secret)
    return made


def _filling(value: int) -> Entropy:
    return lambda size: bytes((value,)) * size


def _eight(endpoint: Endpoint) -> str:
    return write_invitation(Invitation(8, (endpoint,), bytes(5)))


def _fields(made: Invitation) -> Test:
    named = {"identity": made.identity} if made.form == TEXT else {"secret_bits": FORMS[made.form].secret}
    return {
        "form": made.form,
        "hosts": [endpoint.host for endpoint in made.endpoints],
        "port": made.endpoints[0].port,
        "secret": made.secret,
        "password": password(made),
        **named,
        "text": write_invitation(made),
    }


def _key(number: int) -> SigningKey:
    return signing_key(bytes((number,)) * 32)


def _valid(comment: str, flag: str, **fields: object) -> Test:
    return _test(comment, flag, result="valid", **fields)


def _invalid(comment: str, flag: str, **fields: object) -> Test:
    return _test(comment, flag, result="invalid", **fields)


def _test(comment: str, flag: str, *, result: str, **fields: object) -> Test:
    return {"comment": comment, "flags": [flag], "result": result, **{name: _hex(it) for name, it in fields.items()}}


def _hex(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    return [_hex(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    raise SystemExit(main())
