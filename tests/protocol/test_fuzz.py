"""Law 4 of the Session: whatever a peer sends, `step` raises nothing. Frames of any bytes, frames of a real game spoiled,
and messages of every kind that somebody at the table has rightly signed."""

import random
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.crypto.signature import sign
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import LABELS, Tag, seal, seal_signed
from p2p_hearts.protocol.fields import parse
from p2p_hearts.protocol.inputs import JobDone, Received, Start, Tick
from p2p_hearts.protocol.messages import BODIES, Chat, Heartbeat, Join, Kind, Refusal, Want
from p2p_hearts.protocol.session import Session
from tests.protocol.bodies import plain_bodies
from tests.protocol.hall import Hall, play, seated

VICTIM, ATTACKER = "Bob", "Cem"
FEW = settings(max_examples=max(3, settings().max_examples // 12))  # of each kind at each stage


STAGES = ("joining", "lobby", "drawing", "opening", "mixing", "dealing", "passing", "playing", "over")
FIRST = {"opening": Kind.OPEN_KEYS, "mixing": Kind.MIX, "dealing": Kind.DEAL, "passing": Kind.COMMIT_PASS}


@cache
def table(stage: str) -> Hall:
    """A table stopped in the middle of a stage."""
    hall = seated(6)
    victim = hall.sessions[VICTIM]
    if stage == "joining":
        hall = seated(1)
        hall.meddle = lambda sender, _to, _frame: () if sender == "Ann" else (_frame,)
        hall.ask(VICTIM)
        hall.ask(ATTACKER)
    elif stage == "drawing":
        hall.meddle = lambda sender, _to, frame: () if sender == "Fay" else (frame,)
        hall.do("Ann", Start())
    elif stage in FIRST:
        play(hall, lambda: victim.table.deal is not None and bool(victim.table.deal.done(FIRST[stage])))
    elif stage == "playing":
        play(hall, lambda: victim.table.deal is not None and victim.table.deal.kitty_digest != b"")
    elif stage == "over":
        play(hall)
    return hall


@cache
def recorded() -> tuple[bytes, ...]:
    """Every frame that one peer got in a game of one hand, each once."""
    hall = play(seated(6))
    return tuple(dict.fromkeys(frame for _, to, frame in hall.frames if to == VICTIM))


def fresh(stage: str) -> Session:
    """The victim at this stage, as often as needed."""
    session = table(stage).sessions[VICTIM]
    kept: list[Any] = [session.table, session.me, session.group, session.setup, session.entropy]
    kept += [entry for log in session.logs.by_author.values() for entry in (*log.entries, *log.early.values())]
    kept += [*session.logs.forks, *session.hands.own.values(), session.ledger._mark]
    return deepcopy(session, {id(value): value for value in kept})


def survives(stage: str, *frames: bytes, known: bool = True) -> Session:
    """The victim after these frames, from a peer at the table or from a link it has never seen, and some time."""
    session, hall = fresh(stage), table(stage)
    link = hall.sessions[ATTACKER].me.link if known else bytes(32)
    if stage == "joining" and known:
        link = hall.sessions["Ann"].me.link
    for frame in frames:
        output = session.step(Received(link, frame), hall.now)
        for job in output.jobs:
            session.step(JobDone(job.number, job.run()), hall.now)
    session.step(Tick(), hall.now + 1)
    session.scene()
    session.contacts()
    session.result()
    return session


@pytest.mark.parametrize("stage", STAGES)
@given(data=st.binary(max_size=400), tag=st.integers(0, 7), known=st.booleans())
def test_any_bytes(stage: str, data: bytes, tag: int, known: bool) -> None:  # noqa: FBT001 - drawn
    """Bytes that are no message do nothing, and are held against nobody."""
    session = survives(stage, data, bytes((tag,)) + data, known=known)
    assert session.problem == table(stage).sessions[VICTIM].problem


@pytest.mark.parametrize("stage", STAGES)
@given(seed=st.integers(0, 2**32))
def test_spoiled_frames(stage: str, seed: int) -> None:
    """Frames of a real game, cut, joined, changed in some bytes, in any order: nothing that breaks anything, and unless the
    frame is whole nobody is accused."""
    rng = random.Random(seed)
    frames = []
    for frame in rng.sample(recorded(), 6):
        place, cut = rng.randrange(len(frame)), rng.randrange(len(frame))
        changed = frame[:place] + bytes((rng.randrange(256),)) + frame[place + 1 :]
        frames += [
            changed,
            frame[:cut],
            frame + changed,
            frame[:cut] + changed[cut:],
            bytes((rng.randrange(8),)) + frame[1:],
        ]
    rng.shuffle(frames)
    survives(stage, *[frame for frame in frames if frame not in recorded()], known=rng.random() < 0.8)


@pytest.mark.parametrize("stage", STAGES)
@given(seed=st.integers(0, 2**32))
def test_frames_of_another_game(stage: str, seed: int) -> None:
    """Whole frames of another game of the same people, in any order."""
    rng = random.Random(seed)
    survives(stage, *rng.sample(recorded(), 8), known=rng.random() < 0.8)


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "joining"])
@pytest.mark.parametrize("kind", sorted(BODIES), ids=lambda kind: kind.name)
@FEW
@given(data=st.data())
def test_signed_entries(stage: str, kind: Kind, data: st.DataObject) -> None:
    """An entry of any kind with any content that fits its bounds, rightly signed and next in its author's log, at any stage:
    it counts, waits, or is its author's fault; nobody else is accused and nothing breaks."""
    hall = table(stage)
    attacker = hall.sessions[ATTACKER]
    body = parse(BODIES[kind], here(hall, kind, data.draw(plain_bodies(BODIES[kind]))))
    log = hall.sessions[VICTIM].logs.log(attacker.author).entries
    prev = log[-1].hash if log else bytes(32)
    game = hall.sessions[VICTIM].table.game
    of = hall.sessions[VICTIM].lobby_id if game is None or kind < Kind.COMMIT_KEYS else game.table
    entry = seal(attacker.me.key, attacker.version, of, attacker.author, len(log), prev, body)
    session = survives(stage, entry.frame)
    if session.problem is not None and hall.sessions[VICTIM].problem is None:
        assert session.problem.startswith("Cem ") or kind is Kind.LEAVE


def here(hall: Hall, kind: Kind, value: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same fields, but for the current hand and attempt: else most entries would only wait."""
    number = hall.sessions[VICTIM].table.number
    if kind is Kind.RETURN:
        return (number,)
    return (number, 0, *value[2:]) if kind >= Kind.COMMIT_KEYS and kind is not Kind.WELCOME else value


@pytest.mark.parametrize("stage", STAGES)
@given(data=st.data())
def test_signed_anything(stage: str, data: st.DataObject) -> None:
    """Messages outside the log, and signed content of any shape."""
    hall = table(stage)
    attacker = hall.sessions[ATTACKER]
    outside = data.draw(st.sampled_from([Heartbeat, Chat, Join]))
    fields = list(data.draw(plain_bodies(outside)))
    fields[:4] = [
        attacker.version,
        hall.sessions[VICTIM].lobby_id,
        attacker.author.identity,
        attacker.author.incarnation,
    ]
    if outside is Join:
        fields[5] = attacker.me.link
    frames = [seal_signed(attacker.me.key, parse(outside, tuple(fields)))]
    for tag, kind in ((Tag.REFUSAL, Refusal), (Tag.WANT, Want)):
        frames.append(bytes((tag,)) + pack(data.draw(plain_bodies(kind))))
    leaves = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=40) | st.text(max_size=4)
    content = pack(data.draw(st.recursive(leaves, lambda inner: st.lists(inner, max_size=9).map(tuple), max_leaves=9)))
    frames += [bytes((tag,)) + content + sign(attacker.me.key, label, content) for tag, label in LABELS.items()]
    log = hall.sessions[VICTIM].logs.log(attacker.author).entries
    eight = [*fields[:4], data.draw(st.integers(-3, len(log) + 3)), bytes(32), data.draw(st.integers(-1, 40)), content]
    signed = pack(tuple(eight))
    frames.append(bytes((Tag.ENTRY,)) + signed + sign(attacker.me.key, b"entry", signed))
    survives(stage, *frames)
