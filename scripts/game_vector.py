"""Writes whole games of the protocol, and `NAME.json` for each: what it comes to, and entries that its players could have
signed instead, each with the code of the rule that it breaks (`protocol/errors.md`).

`game.p2ph` is a game of two peers with bots. In `lost.p2ph` three peers play two hands: a program stops in the first and a
delegate plays for it until the hand is over; it comes back for the second, in which another forks; that hand is annulled
and dealt again without it. A game of today must hold tomorrow, so the tests read the files and do not make them anew: they
are written again only when the protocol's version changes, or when an entry is added here."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgeries import IN_A_GAME, IN_A_LOST_GAME, TWICE, TWICE_WHEN_LOST, Forgery, turned

from p2p_hearts.protocol.audit import audit
from p2p_hearts.protocol.envelope import Author, Entry, Tag, open_entry, seal
from p2p_hearts.protocol.export import decode_game
from p2p_hearts.protocol.messages import Body, Choice, Complaint, Moon, PlayCard, WelcomePeer
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.world import Plan, World

FOLDER = Path(__file__).resolve().parent.parent / "protocol" / "vectors"
STOPS = Incident(8.0, 20.0, Trouble.RESTART, frozenset({0}))
FORKER, FORKED_HAND = 2, 2
PLAN = Plan(peers=2, seats=6, hands=1, seed=1)
LOST_PLAN = Plan(peers=3, seats=6, hands=2, seed=1, grace=10, think=0.3, patience=600.0, incidents=(STOPS,))


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


@dataclass(slots=True)
class Fork:
    """A peer that signs two entries with one number; all others get the second a little later than the first."""

    world: World
    frame: bytes = b""
    at: float = 0.0
    told: set[int] = field(default_factory=set)

    def meddle(self, sender: int, to: int, frame: bytes) -> tuple[bytes, ...]:
        """What a frame is on its way turned into."""
        if sender != FORKER:
            return (frame,)
        session = self.world.sessions[sender]
        if not self.frame and frame.startswith(bytes((Tag.ENTRY,))):
            old = open_entry(frame, session.version)
            if isinstance(old.body, PlayCard) and old.body.hand == FORKED_HAND:
                body = WelcomePeer(old.author.identity)
                other = seal(session.me.key, session.version, old.table, old.author, old.seq, old.prev, body)
                self.frame, self.at = other.frame, self.world.now
        if self.frame and self.world.now > self.at + LOST_PLAN.think and to not in self.told:
            self.told.add(to)
            return (self.frame, frame)
        return (frame,)


def main() -> None:
    """Writes all files."""
    world = World(PLAN)
    world.run()
    write("game", world, 0, IN_A_GAME, TWICE)
    world = World(LOST_PLAN)
    world.meddle = Fork(world).meddle
    world.until = lambda: all(world.sessions[peer].settled() for peer in range(LOST_PLAN.peers) if peer != FORKER)
    world.run()
    write("lost", world, 1, IN_A_LOST_GAME, TWICE_WHEN_LOST)


def write(name: str, world: World, peer: int, forgeries: Sequence[Forgery], twice: Sequence[type]) -> None:
    """Writes the game as this peer exports it, and what there is to say of it."""
    data = world.sessions[peer].export()
    if data is None:
        raise SystemExit(f"the game {name} has not come to its end")
    version = world.sessions[peer].version
    played = Played(world.sessions, tuple(open_entry(frame, version) for frame in decode_game(data).frames))
    found = [*forged(played, forgeries, twice), *(of_claims(played) if name == "game" else of_the_lost(played))]
    tests = [{"id": number, **test} for number, test in enumerate(found, 1)]
    (FOLDER / f"{name}.p2ph").write_bytes(data)
    document = {"source": "scripts/game_vector.py", "version": version, **outcome(data), "tests": tests}
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=1, sort_keys=False) + "\n", "utf-8", newline="\n")


def outcome(data: bytes) -> dict[str, object]:
    """What the game in a file comes to."""
    checked = audit(data)
    return {
        "entries": checked.counts.entries,
        "words": checked.words,
        "signed": checked.signed,
        "result": checked.result,
    }


def forged(played: Played, forgeries: Sequence[Forgery], twice: Sequence[type]) -> Iterator[dict[str, object]]:
    """Entries that could stand behind so many of the game's, by its players' own hands, and must be refused there."""
    for comment, code, kind, skip, change in forgeries:
        at = played.first(kind, skip)
        old = played.entries[at]
        body: Any = replace(old.body, **change(old.body))  # type: ignore[arg-type]  # the table names fields that are there
        yield _test(comment, code, at, played.signed(at, old.author, body, old.table))
    for kind in twice:
        at = played.first(kind)
        old = played.entries[at]
        entry = played.signed(at + 1, old.author, old.body, old.table)
        yield _test(f"{old.kind.name} a second time", "REPEATED", at + 1, entry)


def of_claims(played: Played) -> Iterator[dict[str, object]]:
    """Another table, a moon, and void proofs."""
    play = played.entries[played.first(PlayCard)]
    wrong = played.signed(played.first(PlayCard), play.author, play.body, played.entries[1].table)
    yield _test("an entry of the hand that names the table of the lobby", "MALFORMED", played.first(PlayCard), wrong)
    end = played.first(Choice, 1)
    moon = played.signed(end, play.author, Moon(1, 0, 0, getattr(play.body, "seat", 0), "add"), play.table)
    yield _test("a moon that nobody has shot", "OUT_OF_PHASE", end, moon)
    claims = played.first(PlayCard)
    while not getattr(played.entries[claims].body, "void", b""):
        claims += 1
    void: Any = played.entries[claims].body
    for comment, proof in (("left out", b""), ("with a bit turned", turned(void.void)), ("cut short", void.void[:-32])):
        entry = played.signed(claims, played.entries[claims].author, replace(void, void=proof), play.table)
        yield _test(f"a void proof {comment}", "BAD_VOID", claims, entry)


def of_the_lost(played: Played) -> Iterator[dict[str, object]]:
    """A delegate's play in another's name, complaints about nothing, an end by somebody else."""
    plays = [entry for entry in played.entries if isinstance(entry.body, PlayCard)]
    owners = {getattr(entry.body, "seat", 0): entry.author for entry in reversed(plays)}  # who plays first for it
    for at, entry in enumerate(played.entries):
        body = entry.body
        if isinstance(body, PlayCard) and body.decision and owners[body.seat] != entry.author:
            other = next(a for a in owners.values() if a not in {entry.author, owners[body.seat]})
            by_other = played.signed(at, other, body, entry.table)
            yield _test("somebody who is not the delegate plays for a lost seat", "ILLEGAL_PLAY", at, by_other)
            break
    key = getattr(played.entries[played.first(PlayCard)].body, "share", b"")  # some element
    agreed = next(at for at, entry in enumerate(played.entries) if entry.kind.name == "AGREEMENT")
    author, table = played.entries[agreed].author, played.entries[agreed].table
    for sender in range(LOST_PLAN.peers):
        entry = played.signed(agreed, author, Complaint(1, 0, sender, sender, key, bytes(96)), table)
        yield _test(f"a complaint about member {sender} that shows nothing", "BAD_COMPLAINT", agreed, entry)
    end = played.first(Choice, 2)
    other = next(e.author for e in played.entries if e.author != played.entries[end].author and e.seq == 0)
    entry = played.signed(end, other, played.entries[end].body, played.entries[end].table)
    yield _test("another ends the hand at ballot 0", "OUT_OF_PHASE", end, entry)


def _test(comment: str, code: str, after: int, entry: Entry) -> dict[str, object]:
    flags = [entry.kind.name]
    frame = entry.frame.hex()
    return {"comment": comment, "flags": flags, "result": "invalid", "after": after, "code": code, "frame": frame}


if __name__ == "__main__":
    main()
