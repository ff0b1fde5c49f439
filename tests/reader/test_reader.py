"""A whole game read a second time: by a reader that was written from `protocol/` alone and has nothing of the package, not
even its arithmetic. It comes to what the program comes to, and refuses what the program refuses, at the same entry."""

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.protocol.audit import AuditError, audit
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.export import MAGIC, summed
from p2p_hearts.protocol.messages import CommitPass, DealShares, Mix, OpenPass, Remix
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.world import Plan, World
from tests.protocol import files
from tests.reader import file
from tests.reader import messages as m
from tests.reader.decided import void_of
from tests.reader.entries import open_entry
from tests.reader.file import BadEntryError, checked, parts_of, signed_result, states
from tests.reader.game import taken
from tests.reader.hashing import commitment, fingerprint
from tests.reader.refusal import RefusedError
from tests.reader.table import Game, hand_of

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
NAMES = ("game", "lost")  # a quiet game; one with a lost peer, a delegate, a returner, a fork and an annulled hand
PUBLISHED = {name: json.loads((VECTORS / f"{name}.json").read_text("utf-8")) for name in NAMES}
GAMES = {name: (VECTORS / f"{name}.p2ph").read_bytes() for name in NAMES}
GAME = GAMES["game"]
IN_A_FILE = {
    "WRONG_HEADS": "builds on other entries than those in the file",
    "WRONG_RESULT": "signed another result than the one that follows from the entries",
}
OTHER_RULES = Plan(
    3,
    7,
    hands=1,
    seed=3,
    level="cautious",
    preset="classic",
    overrides=(
        ("jack_of_diamonds", -10),
        ("last_cancelled", "leader"),
        ("cancelled_lead", "next_left"),
        ("first_trick_points", False),
        ("pass_cycle", ["R2"]),
    ),
)


@cache
def told(data: bytes) -> tuple[Game, ...]:
    """What the reader makes of a game, from nothing to its end."""
    frames = parts_of(data).frames
    return Game(void_of(frames)), *states(frames)


def read(data: bytes, honest: bytes) -> tuple[int | None, str]:
    """Where and why the reader refuses a file: a place from 0, or none; what is as in an honest one is not read again."""
    try:
        parts = parts_of(data)
    except RefusedError as error:
        return None, error.code
    known = parts_of(honest).frames
    pairs = zip(parts.frames, known, strict=False)
    same = next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(parts.frames), len(known)))
    game = told(honest)[same]
    for place, frame in enumerate(parts.frames[same:], same):
        try:
            game = taken(game, frame)
        except RefusedError as error:
            return place, error.code
    holds = parts.whole and game.over and parts.header == file.header_of(game, len(parts.frames))
    holds = holds and game.void == game.confirmed
    return None, "HOLDS" if holds else "FILE"


def judged(data: bytes) -> tuple[int | None, str]:
    """Where and why the program refuses a file, in the same terms."""
    try:
        audit(data)
    except AuditError as error:
        if error.entry is None:
            return None, "FILE"
        said = {IN_A_FILE.get(fault.name, fault.value): fault.name for fault in Fault}
        codes = [code for sentence, code in said.items() if sentence in error.reason]
        return error.entry.place - 1, codes[0] if codes else "OUT_OF_ORDER"
    return None, "HOLDS"


def put_together(frames: Sequence[bytes]) -> bytes:
    """A file of other entries than the published game's, with a right hash."""
    header = parts_of(GAME).header
    assert isinstance(header, list)
    packed = pack(_tuples([*header[:3], len(frames)]))
    sized = (len(frame).to_bytes(4, "big") + frame for frame in frames)
    return summed(MAGIC + b"\0\1" + len(packed).to_bytes(4, "big") + packed + b"".join(sized))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# the reader itself


def test_the_reader_has_nothing_of_the_program() -> None:
    """Nothing that the reader is made of imports the package, nor anything but itself and Python's own."""
    for path in Path(__file__).parent.glob("*.py"):
        if path.name.startswith("test_"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.startswith("tests.reader") or name.split(".")[0] in _STANDARD, (path.name, name)


_STANDARD = {"collections", "contextlib", "dataclasses", "functools", "hashlib", "itertools", "json", "re", "typing"}


# the published game


@pytest.mark.parametrize("name", NAMES)
def test_the_published_games(name: str) -> None:
    """The reader comes to the published table id, words, names, points, kitty, scores, digest and signatures."""
    data, published = GAMES[name], PUBLISHED[name]
    game = told(data)[-1]
    assert read(data, data) == (None, "HOLDS")
    assert game.drawn is not None
    result = signed_result(game)
    assert result == published["result"]
    assert list(game.drawn.words) == published["words"]
    assert len(told(data)) - 1 == published["entries"]
    assert len(result["signatures"]) == published["signed"] == 2


def test_the_lost_and_found() -> None:
    """In the published game of a loss a hand goes on by a delegate, is annulled and charged, and who was lost plays again."""
    game = told(GAMES["lost"])[-1]
    assert game.drawn is not None
    (lost,) = {identity for _, _, identity in game.void}
    delegates = [state.hand.delegates for state in told(GAMES["lost"]) if state.hand is not None]
    assert {who for each in delegates for who in each} == {lost}
    assert [(one.number, one.before) for one in game.annulled] == [(2, 0)]
    (charged,) = game.annulled[0].charged
    forker = game.drawn.places[charged].owner
    assert game.hand is not None
    assert lost in game.hand.members
    assert set(game.drawn.identities) - set(game.hand.members) == {forker}
    points = [sum(one.points[charged] for one in game.scored), game.scores[charged]]
    assert points[1] - points[0] == 26


@pytest.mark.parametrize("name", NAMES)
def test_the_program_agrees(name: str) -> None:
    """The program comes to the same: a game once played holds in every later program of this version."""
    done, published = audit(GAMES[name]), PUBLISHED[name]
    assert done.result == published["result"]
    assert (list(done.words), done.counts.entries, done.signed) == tuple(
        published[key] for key in ("words", "entries", "signed")
    )


FORBIDDEN = [
    pytest.param(name, test, id=f"{name} {test['id']} {test['comment']}")
    for name, published in PUBLISHED.items()
    for test in published["tests"]
]


# Votes about a hand in which somebody was lost: the file is cut short behind them, and both refuse it, but where one names
# the vote the other may name what then stands out of its order, or the file as a whole.
CUT_SHORT = frozenset(
    {
        "the first hand comes to something else",
        "it annuls and nobody plays on",
        "it annuls with a result",
        "another ends the hand at ballot 0",
    }
)


@pytest.mark.parametrize(("name", "test"), FORBIDDEN)
def test_what_a_player_must_not_sign(name: str, test: dict[str, Any]) -> None:
    """An entry that breaks a rule is refused by both with the published code, although its signature and its place in the
    log are right."""
    honest = GAMES[name]
    frames = [*parts_of(honest).frames[: test["after"]], bytes.fromhex(test["frame"])]
    data = put_together(frames)
    if name == "lost" and test["comment"] in CUT_SHORT:
        assert all(code for _, code in (read(data, honest), judged(data)))
        return
    assert read(data, honest) == judged(data) == (test["after"], test["code"])


# damaged files


def test_changed_bytes() -> None:
    """With one bit changed anywhere neither accepts the file, and both name the same entry."""
    places = files.places_of(GAME)
    inside = [start + size * 7 // 11 for start, size in places[::14]]
    for at in (0, 16, 17, 20, places[0][0], places[3][0] - 1, *inside, len(GAME) - 1):
        data = files.nudged(GAME, at)
        place, code = read(data, GAME)
        assert code != "HOLDS"
        assert judged(data)[0] == place


def _rearranged(frames: Sequence[bytes]) -> Iterator[list[bytes]]:
    for at in (0, 1, 13, 40, len(frames) - 1):
        yield [*frames[:at], *frames[at + 1 :]]
        yield [*frames[: at + 2], frames[at], *frames[at + 2 :]]
    for at in (5, 22, 60):
        yield [*frames[:at], frames[at + 1], frames[at], *frames[at + 2 :]]


def test_missing_repeated_and_swapped_entries() -> None:
    """Entries left out, put in twice or in another order are refused by both at the same place, or by neither."""
    for frames in _rearranged(parts_of(GAME).frames):
        data = put_together(frames)
        assert read(data, GAME)[0] == judged(data)[0]


def test_cut_off_files() -> None:
    """A file without its end, or with something behind it, is refused by both."""
    for data in (b"", GAME[:17], GAME[:5_000], GAME[:-1], GAME[:-32], GAME + b"\0"):
        assert "HOLDS" not in {read(data, GAME)[1], judged(data)[1]}


# other games


@cache
def _other() -> tuple[World, bytes]:
    world = World(OTHER_RULES)
    world.run()
    return world, files.exported(world)


def test_a_game_by_other_rules() -> None:
    """Three peers at seven seats, the classic preset and five options that depart from it: the same result."""
    world, data = _other()
    game = checked(data)
    result = world.sessions[0].result()
    assert result is not None
    assert signed_result(game) == result


@pytest.mark.parametrize(("kind", "code"), [(Mix, "BAD_MIX"), (Remix, "BAD_MIX"), (DealShares, "BAD_SHARE")])
def test_a_forged_proof(kind: type, code: str) -> None:
    """A false mix, re-shuffle or set of shares is refused by both where it stands."""
    world, data = _other()
    entries = files.entries_of(world)
    at = files.first(entries, kind, 1)
    body: Any = entries[at].body
    change: dict[str, object] = {}
    match body:
        case Mix():
            change = {"proof": files.nudged(body.proof, 7_000)}
        case Remix():
            change = {"rows": (replace(body.rows[0], proof=files.nudged(body.rows[0].proof)), *body.rows[1:])}
        case DealShares():
            change = {"shares": body.shares[32:] + body.shares[:32]}
    other = files.forged(world, at, files.changed(entries[at], **change))
    assert read(other, data) == judged(other) == (at, code)


def test_a_pass_of_another_card() -> None:
    """A pass that its giver has committed to, but whose proof is of another position, is refused by both."""
    world, data = _other()
    entries = files.entries_of(world)
    at = files.first(entries, OpenPass)
    author, body = entries[at].author, entries[at].body
    assert isinstance(body, OpenPass)
    first = body.passes[0]
    free = next(position for position in range(14) if position not in first.positions)
    passes = (replace(first, positions=(free, *first.positions[1:])), *body.passes[1:])
    committing = next(
        place for place, entry in enumerate(entries) if entry.author == author and isinstance(entry.body, CommitPass)
    )
    hand = told(data)[committing].hands[1]
    packed = fingerprint("passes", pack(tuple(_plain(one) for one in passes)))
    sealed = commitment("passes", hand.context(author.identity, "passes"), packed, body.salt)
    before = files.entries_of(world)[:committing]
    lie = files.signed_on(world, before, author, [files.changed(entries[committing], commitment=sealed)])[-1]
    game, frames = told(data)[committing], [lie.frame]
    others = [entry for entry in entries[committing + 1 : at] if entry.author != author]
    for entry in (lie, *others):
        game = taken(game, entry.frame)
    hand = game.hands[1]
    answers = fingerprint("commitments", b"\x17", *(hand.pass_commitments[member] for member in hand.members))
    opening = files.signed_on(world, [*before, lie], author, [replace(body, answers=answers, passes=passes)])[-1]
    frames = [entry.frame for entry in (*before, lie, *others, opening)]
    assert read(put_together(frames), data) == judged(put_together(frames)) == (len(frames) - 1, "BAD_PASS")


def _plain(value: Any) -> Any:
    return tuple(getattr(value, field.name) for field in fields(value))


TWO_LOSSES = (
    Incident(8.0, 20.0, Trouble.RESTART, frozenset({0})),
    Incident(32.0, 40.0, Trouble.RESTART, frozenset({1})),
)


@pytest.mark.long
def test_entries_beyond_a_horizon() -> None:
    """What a lost peer wrote and nobody built on has no effect, wherever in the file it stands; and who was lost plays in the
    hand that is dealt again because another was lost, too. All files of this game come to the same result."""
    world = World(Plan(3, 6, 2, seed=7, grace=10, think=0.3, patience=600.0, incidents=TWO_LOSSES))
    world.run()
    beyond = 0
    for peer, session in enumerate(world.sessions):
        game = checked(files.exported(world, peer))
        assert signed_result(game) == session.result()
        assert [(one.number, one.before) for one in game.annulled] == [(1, 0)]
        for entry in map(open_entry, parts_of(files.exported(world, peer)).frames):
            deal = hand_of(entry), entry.body.get("attempt", 0), entry.identity
            beyond += entry.kind <= m.URGE and entry.seq > game.void.get(deal, entry.seq)
    assert beyond > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_longer_games(seed: int) -> None:
    """Several hands, up to eleven seats, to a limit: the same results."""
    plan = Plan(1 + seed, 6 + 5 * (seed % 2), hands=2 * (seed % 2), seed=seed, overrides=(("limit", 60),))
    world = World(plan)
    world.run()
    game = checked(files.exported(world))
    result = world.sessions[0].result()
    assert result is not None
    assert signed_result(game)["digest"] == result["digest"]


def test_a_bad_entry_is_named() -> None:
    """A file that does not hold says which entry it is, and by which code."""
    frames = list(parts_of(GAME).frames)
    with pytest.raises(BadEntryError) as caught:
        checked(put_together([*frames[:2], frames[0]]))
    assert (caught.value.place, caught.value.code) == (2, "OUT_OF_ORDER")
