"""Writes `protocol/vectors/game.p2ph`, a whole game of two peers with bots, and `game.json`: what it comes to, and entries
that its players could have signed instead, each with the code of the rule that it breaks (`protocol/errors.md`).

A game of today must hold tomorrow, so the tests read the files and do not make them anew: they are written again only when
the protocol's version changes, or when an entry is added here."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from p2p_hearts.protocol.audit import audit
from p2p_hearts.protocol.envelope import Author, Entry, open_entry, seal
from p2p_hearts.protocol.export import decode_game
from p2p_hearts.protocol.messages import (
    Accept,
    Agree,
    Agreement,
    Body,
    Bots,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    Draw,
    Kitty,
    Moon,
    OpenKeys,
    OpenPass,
    PlayCard,
    Propose,
)
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.world import Plan, World

FOLDER = Path(__file__).resolve().parent.parent / "protocol" / "vectors"
PLAN = Plan(peers=2, seats=6, hands=1, seed=1)
Change = Callable[[Any], dict[str, object]]  # of a body: its new fields

FORGERIES: tuple[
    tuple[str, str, type, int, Change], ...
] = (  # comment, code, kind, which of that kind, what is changed
    ("a bot of no level", "MALFORMED", Bots, 0, lambda _: {"levels": ("grand",)}),
    ("another lobby is proposed", "WRONG_HEADS", Propose, 0, lambda body: {"lobby": turned(body.lobby)}),
    ("a number is left out", "WRONG_HEADS", Propose, 0, lambda _: {"number": 2}),
    ("it agrees to a proposal that is not here", "OUT_OF_ORDER", Agree, 0, lambda _: {"number": 2}),
    ("another nonce than it had committed to", "BAD_COMMITMENT", Draw, 0, lambda body: {"nonce": turned(body.nonce)}),
    ("it answers other commitments", "WRONG_HEADS", Draw, 1, lambda body: {"answers": turned(body.answers)}),
    ("the draw gave something else", "WRONG_RESULT", Choice, 0, lambda body: {"result": turned(body.result)}),
    ("the result is signed by nobody", "BAD_SIGNATURE", Accept, 0, lambda _: {"signature": bytes(64)}),
    ("a hand that has not begun", "OUT_OF_ORDER", CommitKeys, 0, lambda _: {"hand": 2}),
    ("an attempt that has not begun", "OUT_OF_ORDER", CommitKeys, 0, lambda _: {"attempt": 1}),
    ("another key than it had committed to", "BAD_COMMITMENT", OpenKeys, 0, lambda body: {"salt": turned(body.salt)}),
    ("it has seen other mixes", "WRONG_HEADS", Agreement, 0, lambda body: {"heads": body.heads[::-1]}),
    ("another nonce of the cut", "BAD_COMMITMENT", Agreement, 1, lambda body: {"nonce": turned(body.nonce)}),
    ("a share is missing", "MALFORMED", DealShares, 0, lambda body: {"shares": body.shares[32:]}),
    ("a proof that does not hold", "BAD_SHARE", DealShares, 0, lambda body: {"proof": turned(body.proof)}),
    ("a pass that it had not committed to", "BAD_COMMITMENT", OpenPass, 0, lambda body: {"salt": turned(body.salt)}),
    ("another card than the one there", "BAD_REVEAL", PlayCard, 0, lambda body: {"card": (body.card + 1) % 52}),
    (
        "another position than the proof's",
        "BAD_REVEAL",
        PlayCard,
        0,
        lambda body: {"position": (body.position + 1) % 17},
    ),
    ("a share that is the identity", "BAD_REVEAL", PlayCard, 3, lambda _: {"share": bytes(32)}),
    ("another's turn", "ILLEGAL_PLAY", PlayCard, 0, lambda body: {"seat": (body.seat + 1) % 6}),
    ("it has seen other plays", "WRONG_HEADS", PlayCard, 1, lambda body: {"digest": turned(body.digest)}),
    ("a void proof where nothing is claimed", "BAD_VOID", PlayCard, 0, lambda _: {"void": bytes(352)}),
    ("the kitty after other plays", "WRONG_HEADS", Kitty, 0, lambda body: {"digest": turned(body.digest)}),
    ("shares of the kitty without a proof", "BAD_SHARE", Kitty, 0, lambda _: {"proof": b""}),
    ("the last result is another", "WRONG_RESULT", Choice, 1, lambda body: {"result": turned(body.result)}),
    ("another accepts another result", "WRONG_RESULT", Accept, 2, lambda body: {"value": turned(body.value)}),
)
TWICE: tuple[type, ...] = (Agree, Draw, CommitKeys, OpenKeys, Agreement, DealShares, CommitPass, Kitty, Choice, Accept)


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and who can sign in it."""

    sessions: Sequence[Session]
    entries: tuple[Entry, ...]

    def first(self, kind: type, skip: int = 0) -> int:
        """The place of an entry with a body of this kind."""
        return [place for place, entry in enumerate(self.entries) if isinstance(entry.body, kind)][skip]

    def signed(self, before: int, author: Author, body: Body, table: bytes) -> Entry:
        """What an author writes after so many entries of the game."""
        me = next(session for session in self.sessions if session.author == author)
        last = next(entry for entry in reversed(self.entries[:before]) if entry.author == author)
        return seal(me.me.key, me.version, table, author, last.seq + 1, last.hash, body)


def main() -> None:
    """Writes both files."""
    world = World(PLAN)
    world.run()
    data = world.sessions[0].export()
    if data is None:
        raise SystemExit("the game has not come to its end")
    version = world.sessions[0].version
    played = Played(world.sessions, tuple(open_entry(frame, version) for frame in decode_game(data).frames))
    tests = [{"id": number, **test} for number, test in enumerate(forged(played), 1)]
    (FOLDER / "game.p2ph").write_bytes(data)
    document = {"source": "scripts/game_vector.py", "version": version, **outcome(data), "tests": tests}
    (FOLDER / "game.json").write_text(json.dumps(document, indent=1, sort_keys=False) + "\n", "utf-8", newline="\n")


def outcome(data: bytes) -> dict[str, object]:
    """What the game in a file comes to."""
    checked = audit(data)
    return {
        "entries": checked.counts.entries,
        "words": checked.words,
        "signed": checked.signed,
        "result": checked.result,
    }


def forged(played: Played) -> Iterator[dict[str, object]]:
    """Entries that could stand behind so many of the game's, by its players' own hands, and must be refused there."""
    for comment, code, kind, skip, change in FORGERIES:
        at = played.first(kind, skip)
        old = played.entries[at]
        body: Any = replace(old.body, **change(old.body))  # type: ignore[arg-type]  # the table names fields that are there
        yield _test(comment, code, at, played.signed(at, old.author, body, old.table))
    for kind in TWICE:
        at = played.first(kind)
        old = played.entries[at]
        entry = played.signed(at + 1, old.author, old.body, old.table)
        yield _test(f"{old.kind.name} a second time", "REPEATED", at + 1, entry)
    play = played.entries[played.first(PlayCard)]
    wrong = played.signed(played.first(PlayCard), play.author, play.body, played.entries[1].table)
    yield _test("an entry of the hand that names the table of the lobby", "MALFORMED", played.first(PlayCard), wrong)
    end = played.first(Choice, 1)
    moon = played.signed(end, play.author, Moon(1, 0, 0, "add"), play.table)
    yield _test("a moon that nobody has shot", "OUT_OF_PHASE", end, moon)
    claims = played.first(PlayCard)
    while not getattr(played.entries[claims].body, "void", b""):
        claims += 1
    void: Any = played.entries[claims].body
    for comment, proof in (("left out", b""), ("with a bit turned", turned(void.void)), ("cut short", void.void[:-32])):
        entry = played.signed(claims, played.entries[claims].author, replace(void, void=proof), play.table)
        yield _test(f"a void proof {comment}", "BAD_VOID", claims, entry)


def turned(data: bytes) -> bytes:
    """The bytes with one bit of the last turned."""
    return data[:-1] + bytes((data[-1] ^ 1,))


def _test(comment: str, code: str, after: int, entry: Entry) -> dict[str, object]:
    flags = [entry.kind.name]
    frame = entry.frame.hex()
    return {"comment": comment, "flags": flags, "result": "invalid", "after": after, "code": code, "frame": frame}


if __name__ == "__main__":
    main()
