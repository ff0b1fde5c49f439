"""Writes `protocol/vectors/protocol.json` from fixed seeds; with `--check` only compares. The cryptography has `vectors.py`.

A list of tests, each with an `id`, a `comment`, `flags` that say what it is about, and the `result` a right implementation
comes to; bytes are hex, a message is the list of its fields."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from vote_bodies import pieces, votes

from p2p_hearts.crypto.commitment import joint_value
from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.signature import SigningKey, sign, signing_key
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import (
    LABELS,
    NO_ENTRY,
    SIGNATURE_BYTES,
    Author,
    Entry,
    Tag,
    digest,
    seal,
    seal_signed,
)
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.messages import (
    Body,
    Chat,
    Gap,
    Head,
    Heartbeat,
    Join,
    LeaveTable,
    PlayCard,
    Propose,
    Refusal,
    Want,
)
from p2p_hearts.protocol.picture import key_mark
from p2p_hearts.protocol.result import result_digest
from p2p_hearts.protocol.stages import election
from p2p_hearts.protocol.stages.council import value_hash
from p2p_hearts.protocol.stages.election import begin_game
from p2p_hearts.protocol.stages.lobby import lobby_hash
from p2p_hearts.protocol.state import Lobby, Peer, Proposal, version_of
from p2p_hearts.protocol.words import spoken_words

FILE = Path(__file__).resolve().parent.parent / "protocol" / "vectors" / "protocol.json"
VERSION = version_of(RISTRETTO255.name)
TABLE = bytes(range(32))
INCARNATION = b"8 bytes!"
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
    tests = (*digests(), *entries(), *bad_entries(), *outside(), *words(), *starts(), *results())
    numbered = [{"id": number, **test} for number, test in enumerate(tests, 1)]
    return json.dumps({"source": "scripts/protocol_vectors.py", "version": VERSION, "tests": numbered}, indent=1) + "\n"


def digests() -> Iterator[Test]:
    """The hash of the protocol."""
    for parts in ([], [b""], [b"ab", b"c"], [b"a", b"bc"]):
        yield _valid("a hash of labelled parts", "digest", label="entry", parts=parts, digest=digest("entry", *parts))


def entries() -> Iterator[Test]:
    """Entries of every shape: no field, numbers and bytes, a long field; the first of a log and a later one."""
    play = PlayCard(1, 0, 0, 5, 16, 49, b"\2" * 32, b"\3" * 64, b"\4" * 16, b"")
    bodies: list[tuple[str, int, Body]] = [
        ("the first entry of a log, without a field", 0, LeaveTable()),
        ("a later entry", 7, Propose(3, TABLE[::-1])),
        ("a seq of two bytes, an empty field", 200, play),
        *((comment, seq, vote) for seq, (comment, vote) in enumerate(votes(), 90)),
        *((comment, seq, piece) for seq, (comment, piece) in enumerate(pieces(), 50)),
    ]
    for comment, seq, body in bodies:
        key = _key(1)
        prev = digest("entry", b"the one before") if seq else NO_ENTRY
        entry = seal(key, VERSION, TABLE, Author(key.public, INCARNATION), seq, prev, body)
        yield _entry("valid", comment, entry)


def _entry(result: str, comment: str, entry: Entry) -> Test:
    return _test(
        result,
        comment,
        "entry",
        seed=bytes((1,)) * 32,
        table=entry.table,
        author=entry.author.identity,
        incarnation=entry.author.incarnation,
        seq=entry.seq,
        prev=entry.prev,
        kind=int(entry.kind),
        body=plain(entry.body),
        frame=entry.frame,
        hash=entry.hash,
        mark=entry.hash[:16],
    )


def bad_entries() -> Iterator[Test]:
    """Frames that are no entry; all but those that say so are rightly signed."""
    key = _key(1)
    good = (VERSION, TABLE, key.public, INCARNATION, 7, NO_ENTRY, 5, (300, TABLE))
    signed = pack(good)
    frame = _framed(key, signed)
    yield _invalid("a flipped bit in the signature", "entry", frame=_flip(frame, -1))
    yield _invalid("a flipped bit in what is signed", "entry", frame=_flip(frame, -SIGNATURE_BYTES - 1))
    yield _invalid("no signature", "entry", frame=frame[: 1 - SIGNATURE_BYTES])
    other = sign(key, LABELS[Tag.CHAT], signed)
    yield _invalid("signed under the label chat", "entry", frame=frame[:1] + signed + other)
    yield _invalid("signed by another key", "entry", frame=frame[:1] + signed + sign(_key(2), b"entry", signed))
    long_seq = signed.replace(b"8 bytes!\x07", b"8 bytes!\xcc\x07")
    yield _invalid("seq 7 in two bytes", "entry", frame=_framed(key, long_seq))
    yield _invalid("a byte after the list", "entry", frame=_framed(key, signed + b"\x00"))
    for comment, at, value in (
        ("another version", 0, "p2p-hearts/0/ristretto255"),
        ("the version of the simulation", 0, "p2p-hearts/1/tiny61"),
        ("a table id of 31 bytes", 1, TABLE[1:]),
        ("an incarnation of 9 bytes", 3, INCARNATION + b"!"),
        ("a negative seq", 4, -1),
        ("a seq of 2**32", 4, 2**32),
        ("true as seq", 4, True),
        ("a prev of 16 bytes", 5, bytes(16)),
        ("an unknown kind", 6, 99),
        ("a number between the kinds", 6, 15),
        ("true as kind", 6, True),
        ("a field missing", 7, (300,)),
        ("a field too many", 7, (300, TABLE, 0)),
        ("a number above its bound", 7, (65_536, TABLE)),
        ("true in the place of a number", 7, (True, TABLE)),
        ("text in the place of bytes", 7, (300, "x" * 32)),
        ("a float in the place of a number", 7, (300.0, TABLE)),
        ("nothing in the place of bytes", 7, (300, None)),
    ):
        yield _invalid(comment, "entry", frame=_framed(key, pack((*good[:at], value, *good[at + 1 :]))))
    yield _invalid("a field of the entry missing", "entry", frame=_framed(key, pack(good[:7])))


def outside() -> Iterator[Test]:
    """One of each message outside the log."""
    key = _key(1)
    author = (key.public, INCARNATION)
    head = Head(*author, 9, b"\5" * 16)
    addresses = ("192.168.1.20", "fe80::1")
    for message in (
        Join(VERSION, TABLE, *author, "Ada", b"\6" * 32, addresses, 47104, 0),
        Heartbeat(VERSION, TABLE, *author, 3, 1000, (head,), (_key(2).public,), 2),
        Chat(VERSION, TABLE, *author, 0, "Grüß Gott!"),
    ):
        name = type(message).__name__
        frame = seal_signed(key, message)
        yield _valid(f"a {name}", "outside", seed=key.seed, message=name, fields=plain(message), frame=frame)
    for tag, unsigned in ((Tag.REFUSAL, Refusal(TABLE, "Full.")), (Tag.WANT, Want((Gap(*author, 4),)))):
        fields = plain(unsigned)
        frame = bytes((tag,)) + pack(fields)
        yield _valid(
            f"a {type(unsigned).__name__}", "outside", message=type(unsigned).__name__, fields=fields, frame=frame
        )


def words() -> Iterator[Test]:
    """Words for people."""
    for value in (bytes(8), b"\xff" * 8, bytes.fromhex("0123456789abcdef")):
        yield _valid("three words of a value", "words", value=value, words=list(spoken_words(value)))
    for number in (1, 2):
        key = _key(number).public
        yield _valid("the mark of a key", "key_mark", identity=key, words=key_mark(key).split())


def starts() -> Iterator[Test]:
    """A draw from its commitments to the seats: three people and five bots, then six people."""
    for people, bots in ((3, ("cautious",) * 5), (6, ())):
        yield _start(people, bots)


def _start(people: int, bots: tuple[str, ...]) -> Test:
    keys = [_key(number + 1) for number in range(people)]
    peers = tuple(
        Peer(Author(key.public, INCARNATION), f"Peer {number}", bytes((number + 100,)) * 32, (), 0)
        for number, key in enumerate(keys)
    )
    ways = (30, 60, True, True)  # grace, clock, watch, escrow
    room = Lobby(TABLE, 0, peers[0].author, "Table", 8, "as_written", (), 2, *ways, peers, bots)
    proposal = Proposal(1, lobby_hash(room))
    nonces = {key.public: bytes((number + 10,)) * 32 for number, key in enumerate(keys)}
    salts = {key.public: bytes((number + 30,)) * 32 for number, key in enumerate(keys)}
    commitments = {
        who: election.make_agreement(room, proposal, who, nonce, salts[who]).commitment for who, nonce in nonces.items()
    }
    proposal = replace(proposal, commitments=commitments, nonces=nonces)
    game = begin_game(room, proposal)
    where = digest("start", TABLE, proposal.lobby, (1).to_bytes(2, "big"), b"")
    choice = election.end_value(room, proposal)
    return _valid(
        f"{people} people and {len(bots)} bots, proposal 1",
        "start",
        table=TABLE,
        title=room.title,
        seats=room.seats,
        preset=room.preset,
        hands=room.hands,
        grace=room.grace,
        clock=room.clock,
        watch=room.watch,
        escrow=room.escrow,
        roster=[[peer.identity, peer.author.incarnation, peer.name, peer.link] for peer in peers],
        bots=list(bots),
        lobby_hash=proposal.lobby,
        nonces=list(nonces.values()),
        salts=list(salts.values()),
        commitments=list(commitments.values()),
        answers=election.answers(room, proposal),
        joint=joint_value(b"start", where, list(nonces.values())),
        game=game.table,
        words=list(game.words),
        seating=[[seat.name, seat.operator] for seat in game.seats],
        first_dealer=game.first_dealer,
        choice=plain(choice),
        value=value_hash(choice.value),
    )


def results() -> Iterator[Test]:
    """The digest of a result; names need not be ASCII."""
    result = {
        "table": TABLE.hex(),
        "seats": 2,
        "names": {"B": 'Zoë "Z"', "A": "Ada 😀"},
        "annulled": [],
        "points": [{"A": 4, "B": -10}],
        "kitty": [None],
        "game_over": False,
    }
    key, value = _key(1), result_digest(result)
    signature = sign(key, b"result", value)
    text = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    yield _valid(
        "the digest of an object, and its signature",
        "result",
        object=result,
        text=text,
        digest=value,
        public=key.public,
        signature=signature,
    )
    yield _invalid(
        "signed under the label entry", "result", digest=value, public=key.public, signature=sign(key, b"entry", value)
    )


def _key(number: int) -> SigningKey:
    return signing_key(bytes((number,)) * 32)


def _framed(key: SigningKey, signed: bytes) -> bytes:
    return bytes((Tag.ENTRY,)) + signed + sign(key, LABELS[Tag.ENTRY], signed)


def _flip(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def _valid(comment: str, flag: str, **fields: Any) -> Test:
    return _test("valid", comment, flag, **fields)


def _invalid(comment: str, flag: str, **fields: Any) -> Test:
    return _test("invalid", comment, flag, **fields)


def _test(result: str, comment: str, flag: str, **fields: Any) -> Test:
    described = {"comment": comment, "flags": [flag], "result": result}
    return {**described, **{name: _plain(field) for name, field in fields.items()}}


def _plain(field: Any) -> Any:
    if isinstance(field, bytes):
        return field.hex()
    return [_plain(each) for each in field] if isinstance(field, (list, tuple)) else field


if __name__ == "__main__":
    raise SystemExit(main())
