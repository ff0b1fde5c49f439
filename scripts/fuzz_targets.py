"""The doors that `fuzz.py` knocks at: for each a function that takes any bytes, and inputs to begin with.

Law: a function raises only what is a finding; what its door documents (`MalformedError`, `HelloError`, …) is an answer.
Where a door looks behind a signature, the input is signed here first: else no mutation would ever get past it."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fuzz_session import session_target

from p2p_hearts.crypto.signature import SigningKey, make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.hearts.record import adjudicate as judge
from p2p_hearts.node.adverts import Advert, AdvertError, decode_txt, encode_txt
from p2p_hearts.node.hello import HelloError, IdentityCard, answer_question, encode_question, read_answer
from p2p_hearts.node.invitations import (
    InvitationError,
    invite_in_text,
    invite_in_words,
    password,
    read_invitation,
    write_invitation,
)
from p2p_hearts.node.invited import Guest, Show, Start, encode_show, encode_start, guest_card, host_card
from p2p_hearts.node.invited import read_answer as read_invited
from p2p_hearts.node.pake import begin_as_guest, finish, prove_key
from p2p_hearts.node.reception import Desk, receive, renew
from p2p_hearts.protocol.audit import AuditError
from p2p_hearts.protocol.audit import audit as check_game
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.envelope import LABELS, Entry, Tag, open_entry, open_signed, peek, seal
from p2p_hearts.protocol.errors import MalformedError, RemoteProtocolError
from p2p_hearts.protocol.export import FORMAT, MAGIC, SUM_BYTES, decode_game, encode_game, summed
from p2p_hearts.protocol.fields import parse, plain
from p2p_hearts.protocol.messages import BODIES, Chat, Heartbeat, Join, Refusal, Want
from p2p_hearts.protocol.state import version_of
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World

CASES = Path(__file__).resolve().parent.parent / "protocol" / "vectors" / "rule_cases.json"
VERSION = version_of(TINY.name)
KEY = make_signing_key(seeded(b"fuzz"))
MESSAGES = (*BODIES.values(), Heartbeat, Chat, Join, Refusal, Want)
SIGNED = {Tag.HEARTBEAT: Heartbeat, Tag.CHAT: Chat, Tag.JOIN: Join}
SIGNATURE = 64
GUEST = make_signing_key(seeded(b"guest"))
HELLO_BYTES, MOST_QUESTIONS = 512, 4


@dataclass(frozen=True)
class Target:
    """`run` returns how many steps of a Session an input made; 1 for all other doors."""

    run: Callable[[bytes], int]
    seeds: list[bytes]


def codec() -> Target:
    """A first byte that chooses a message, then its encoding."""

    def run(data: bytes) -> int:
        with contextlib.suppress(MalformedError):
            value = unpack(data[1:])
            message = parse(MESSAGES[data[0] % len(MESSAGES)], value)
            if pack(plain(message)) != data[1:]:
                raise AssertionError("a message has two encodings")
        return 1

    kinds = {body: at for at, body in enumerate(MESSAGES)}
    bodies = [entry.body for entry in _entries(_played())]
    return Target(lambda data: run(data) if data else 1, [bytes((kinds[type(b)],)) + pack(plain(b)) for b in bodies])


def envelope() -> Target:
    """A first byte that says whether the rest is signed here; then a frame, without its signature if so."""

    def run(data: bytes) -> int:
        frame = data[1:]
        if data[0] % 2 and frame:
            label = LABELS.get(frame[0])  # type: ignore[call-overload]  # a Tag is a number
            frame += sign(KEY, label or b"entry", frame[1:])
        peek(frame)
        with contextlib.suppress(MalformedError):
            if frame and frame[0] in SIGNED:
                open_signed(frame)
            try:
                entry = open_entry(frame, VERSION)
            except RemoteProtocolError as error:
                if error.peer != KEY.public:
                    raise AssertionError("somebody is blamed who has not signed") from error
                return 1
            again = seal(KEY, VERSION, entry.table, entry.author, entry.seq, entry.prev, entry.body)
            if again.hash != entry.hash:
                raise AssertionError("an entry has two encodings")
        return 1

    seeds = []
    for entry in _entries(_played()):
        fields = list(unpack(entry.frame[1:-SIGNATURE]))
        fields[2] = KEY.public
        seeds += [b"\0" + entry.frame, b"\1\1" + pack(tuple(fields))]
    return Target(lambda data: run(data) if data else 1, seeds)


def audit() -> Target:
    """A first byte that says whether the hash is put right and each entry signed anew; then a file after its magic."""
    keys = {session.me.key.public: session.me.key for session in _played().sessions}

    def run(data: bytes) -> int:
        content = MAGIC + FORMAT.to_bytes(2, "big") + data[1:]
        if data[0] & 2:
            content = _signed_anew(content, keys)
        with contextlib.suppress(AuditError):
            check_game(summed(content) if data[0] & 1 else content, TINY)
        return 1

    session = _played().sessions[0]
    if session.table.game is None:
        raise AssertionError
    start = len(MAGIC) + 2
    entries = _entries(_played())
    files = [encode_game(VERSION, session.table.game, entries[:count]) for count in (8, 14, 20, 26, len(entries))]
    return Target(
        lambda data: run(data) if data else 1,
        [bytes((flags,)) + file[start:-SUM_BYTES] for file in files for flags in (1, 3)],
    )


def _signed_anew(content: bytes, keys: "dict[bytes, SigningKey]") -> bytes:
    """The file with every entry signed by whom it names, as far as that is one of the players."""
    try:
        frames = decode_game(summed(content)).frames
    except MalformedError:
        return content
    for frame in frames:
        claim = peek(frame)
        key = None if claim is None else keys.get(claim[0].identity)
        if key is not None:
            signed = frame[1:-SIGNATURE]
            content = content.replace(frame, frame[:-SIGNATURE] + sign(key, b"entry", signed), 1)
    return content


def adjudicate() -> Target:
    """A JSON text."""

    def run(data: bytes) -> int:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return 1
        json.dumps(judge(document))
        return 1

    cases = json.loads(CASES.read_text("utf-8"))
    defaults = cases.get("default_options", {})
    seeds = [json.dumps({"default_options": defaults, "cases": [case]}).encode() for case in cases["cases"]]
    return Target(run, seeds)


def hello() -> Target:
    """A first byte: a question, an answer as it comes, or an answer signed here; then the message."""
    card = IdentityCard(bytes(32), KEY.public, bytes(range(32)), "Ann")
    nonce = bytes(32)

    def run(data: bytes) -> int:
        mode, message = data[0] % 3, data[1:]
        if mode == 0:
            answer_question(message, VERSION, card, KEY)
            return 1
        if mode == 2:  # noqa: PLR2004 - see the docstring
            with contextlib.suppress(MalformedError):
                fields = unpack(message)
                if isinstance(fields, tuple):
                    message = pack((*fields, sign(KEY, b"hello", pack((*fields, nonce)))))
        with contextlib.suppress(HelloError):
            read_answer(message, VERSION, nonce)
        return 1

    question = encode_question(VERSION, nonce)
    answer = answer_question(question, VERSION, card, KEY) or b""
    return Target(
        lambda data: run(data) if data else 1,
        [b"\0" + question, b"\1" + answer, b"\2" + pack(unpack(answer)[:-1])],
    )


def adverts() -> Target:
    """TXT data as it travels: each item behind its length in one byte."""

    def run(data: bytes) -> int:
        properties, at = {}, 0
        while at < len(data):
            item = data[at + 1 : at + 1 + data[at]]
            key, equals, value = item.partition(b"=")
            properties[key] = value if equals else None
            at += 1 + data[at]
        with contextlib.suppress(AdvertError):
            advert = decode_txt(properties)
            again = decode_txt({key.encode(): value.encode() for key, value in encode_txt(advert).items()})
            if again != advert:
                raise AssertionError("an advert changes when it is passed on")
        return 1

    advert = Advert(VERSION, "0" * 32, "f" * 32, "Tuesday", "Ann", 8, 3, "lobby", "as_written", "0123abcd")
    items = [f"{key}={value}".encode() for key, value in encode_txt(advert).items()]
    return Target(run, [b"".join(bytes((len(item),)) + item for item in items)])


def invitation() -> Target:
    """What somebody typed, in UTF-8."""

    def run(data: bytes) -> int:
        with contextlib.suppress(InvitationError):
            found = read_invitation(data.decode("utf-8", "replace"))
            if found is not None and read_invitation(write_invitation(found)) != found:
                raise AssertionError("an invitation changes when it is passed on")
        return 1

    hosts = ("192.168.1.7", "10.0.0.1", "8.8.8.8", "fe80::1")
    made = [invite_in_text(KEY.public, hosts, 47104, seeded(b"text"))]
    made += [one for host in hosts for one in [invite_in_words((host,), 47104, seeded(host.encode()))] if one]
    return Target(run, [write_invitation(one).encode() for one in made])


def reception() -> Target:
    """Questions about an open invitation, each behind its length in two bytes; its first byte says whether it is signed here."""
    table, me = bytes(range(32)), IdentityCard(bytes(range(32)), KEY.public, bytes(32), "Ann")
    opened = invite_in_text(KEY.public, ("10.0.0.1",), 47104, seeded(b"invitation"))
    guest = Guest(GUEST.public, bytes(32), "Bob")
    cards = guest_card(VERSION, guest), host_card(VERSION, me)
    exchange = begin_as_guest(password(opened), *cards, seeded(b"guest"))
    start = encode_start(VERSION, Start(guest, opened.form, exchange.message), table, GUEST)

    def run(data: bytes) -> int:
        desk, at = renew(Desk(), (opened,)), 0
        for second in range(MOST_QUESTIONS):
            size = int.from_bytes(data[at : at + 2], "big")
            question = data[at + 3 : at + 3 + size]
            if data[at + 2 : at + 3] == b"\1":
                with contextlib.suppress(MalformedError, TypeError):
                    fields = unpack(question)
                    question = pack((*fields, sign(GUEST, b"invitation", pack((*fields, table)))))
            reply = receive(desk, question, VERSION, me, float(second), seeded(b"host"))
            desk, at = reply.desk, at + 3 + size
            if reply.answer is not None and len(reply.answer) > HELLO_BYTES:
                raise AssertionError("an answer that does not fit")
        return 1

    began = receive(renew(Desk(), (opened,)), start, VERSION, me, 0.0, seeded(b"host"))
    theirs = read_invited(began.answer, VERSION, 33)
    show = encode_show(VERSION, Show(theirs, prove_key("guest", finish(exchange, theirs))))
    unsigned = pack(unpack(start)[:-1])
    pieces = (b"\0", start), (b"\1", unsigned), (b"\0", show)
    whole = [len(content).to_bytes(2, "big") + mode + content for mode, content in pieces]
    return Target(run, [*whole, whole[0] + whole[2], whole[1] + whole[2] + whole[2]])


def session() -> Target:
    """A peer at a table; see `fuzz_session`."""
    return Target(*session_target())


def _played() -> World:
    if not _WORLDS:
        world = World(Plan(2, 6, 1, 4, TINY))
        world.run()
        _WORLDS.append(world)
    return _WORLDS[0]


def _entries(world: World) -> "list[Entry]":
    data = world.sessions[0].export()
    if data is None:
        raise AssertionError
    return [open_entry(frame, VERSION) for frame in decode_game(data).frames]


_WORLDS: list[World] = []  # the game from which the seeds are taken, played once
TARGETS = {
    "adjudicate": adjudicate,
    "adverts": adverts,
    "audit": audit,
    "codec": codec,
    "envelope": envelope,
    "hello": hello,
    "invitation": invitation,
    "reception": reception,
    "session": session,
}
