"""What a peer can make us hold, repeat or send is bounded (`protocol/limits.md`): each bound is tried by somebody who would
rather it were not."""

from collections.abc import Callable, Sequence

import pytest

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.door import MAX_ASKING, TurnedAway, answer
from p2p_hearts.protocol.envelope import Author, Entry, Tag, seal, seal_signed
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import Accused, JoinAsked, Said
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.gossip import MAX_ANSWER, MAX_BEATS, MAX_RATE, MAX_TALK
from p2p_hearts.protocol.inputs import Leave, Linked, Received, Tick, Unlinked
from p2p_hearts.protocol.log import (
    MAX_AUTHORS,
    MAX_EARLY_BYTES,
    MAX_HAND,
    MAX_HAND_BYTES,
    MAX_LOBBY,
    Arrival,
    Logs,
)
from p2p_hearts.protocol.messages import (
    AdmitPeer,
    Body,
    Bots,
    Chat,
    CommitKeys,
    Dismiss,
    Gap,
    Head,
    Heartbeat,
    Join,
    LeaveTable,
    Mix,
    Want,
)
from p2p_hearts.protocol.output import Output, Setup
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import MAX_WAITING, MAX_WAITING_BYTES, Session
from p2p_hearts.protocol.stages.lobby import MAX_SEATINGS, MAX_STAYS, heard_of
from tests.protocol.hall import NAMES, Hall, play, seated, who

KEY = make_signing_key(seeded(b"limits"))
AUTHOR = Author(KEY.public, bytes(8))
LARGE = Mix(1, 0, bytes(16), bytes(6_000), bytes(16_000))


def written(bodies: Sequence[Body], table: bytes = bytes(32), author: Author = AUTHOR, start: int = 0) -> list[Entry]:
    """A chain of entries of one author."""
    entries: list[Entry] = []
    for seq, body in enumerate(bodies, start):
        prev = entries[-1].hash if entries else bytes(32)
        entries.append(seal(KEY, "v", table, author, seq, prev, body))
    return entries


def sign_next(hall: Hall, label: str, *bodies: Body, at: str) -> list[bytes]:
    """Entries of a peer, next in its log as another peer holds it."""
    cheat, session = hall.sessions[label], hall.sessions[at]
    log = session.logs.log(cheat.author).entries
    prev, frames = log[-1].hash if log else bytes(32), []
    for seq, body in enumerate(bodies, len(log)):
        game = session.table.game
        of = game.table if game is not None and hasattr(body, "hand") else session.lobby_id
        entry = seal(cheat.me.key, cheat.version, of, cheat.author, seq, prev, body)
        prev = entry.hash
        frames.append(entry.frame)
    return frames


def test_leaving_a_table_that_has_stopped() -> None:
    """The entry that caused an accusation stays where it is; whoever then leaves the table does so without an error."""
    hall = seated(2)
    bob: Session = hall.sessions["Bob"]
    hall.give("Bob", *sign_next(hall, "Ann", Bots(("uniform",) * 10), at="Bob"), by="Ann")
    assert bob.problem is not None
    hall.do("Bob", Leave())
    assert bob.scene().stage is Stage.STOPPED


def test_few_large_entries_that_come_early() -> None:
    """Entries before their time are bounded in bytes as well as in number."""
    logs = Logs()
    for entry in written([LARGE] * 200)[1:]:
        assert logs.add(entry)[0] is Arrival.EARLY
    early = logs.log(AUTHOR).early
    assert MAX_EARLY_BYTES == 2**20
    assert MAX_EARLY_BYTES - 23_000 < sum(len(entry.frame) for entry in early.values()) <= MAX_EARLY_BYTES
    assert min(early) == 1  # the first that come are kept: they are those that are needed first


@pytest.mark.parametrize(
    ("body", "most"),
    [
        (Bots(()), MAX_LOBBY),
        (CommitKeys(1, 0, bytes(32), bytes(32)), MAX_HAND),
        (LARGE, MAX_HAND_BYTES // len(written([LARGE])[0].frame)),
    ],
    ids=["lobby", "hand", "bytes"],
)
def test_a_log_is_not_longer_than_a_game(body: Body, most: int) -> None:
    """Of one hand a log holds so many entries and so many bytes; one more is its author's fault."""
    logs, entries = Logs(), written([body] * (most + 1))
    assert {logs.add(entry)[0] for entry in entries[:most]} == {Arrival.NEW}
    assert logs.add(entries[most])[0] is Arrival.SURPLUS
    assert logs.length(AUTHOR) == most


@pytest.mark.parametrize(("size", "least"), [("small", 512), ("large", 128)])
def test_what_waits_without_end(size: str, least: int) -> None:
    """Entries that follow one that will never count are kept up to a bound; the peer plays on with the others."""
    hall = seated(6)
    play(hall, lambda: hall_dealt(hall))
    bob = hall.sessions["Bob"]
    cem = hall.sessions["Cem"].author
    held = bob.logs.length(cem)
    make: Callable[[int], Body] = small if size == "small" else large
    many = [make(hand) for hand in range(9, 800)]
    for frame in sign_next(hall, "Cem", *many, at="Bob"):
        hall.give("Bob", frame, by="Cem")
    more = bob.logs.length(cem) - held
    assert MAX_WAITING == 512
    assert MAX_WAITING_BYTES == 2**22
    waiting = sum(len(entry.frame) for entry in bob.logs.log(cem).entries[held:])
    assert waiting <= MAX_WAITING_BYTES + 65_536
    assert least <= more <= MAX_WAITING
    assert bob.problem is None


def small(hand: int) -> CommitKeys:
    """A small entry of a hand that never comes."""
    return CommitKeys(hand, 0, bytes(32), bytes(32))


def large(hand: int) -> Mix:
    """A large entry of a hand that never comes."""
    return Mix(hand, 0, LARGE.before, LARGE.deck, LARGE.proof)


def hall_dealt(hall: Hall) -> bool:
    """Whether the cards lie before Bob."""
    deal = hall.sessions["Bob"].table.deal
    return deal is not None and deal.rows != ()


def test_a_host_shows_a_newcomer_no_end_of_logs() -> None:
    """Whoever reads a table for the first time takes in at most 64 logs, whatever its host sends."""
    hall = seated(1)
    hall.meddle = lambda sender, _to, frame: () if sender == "Ann" else (frame,)
    bob = hall.ask("Bob")
    for number in range(100):
        author = Author(KEY.public, number.to_bytes(8, "big"))
        frame = seal(KEY, bob.version, bob.lobby_id, author, 0, bytes(32), Bots(())).frame
        hall.give("Bob", frame, by="Ann")
    assert len(bob.logs.by_author) == MAX_AUTHORS == 64


def test_who_comes_and_goes_without_end() -> None:
    """The ninth stay of one key, and the 49th seating of all, are refused at the door; a host that grants them is at fault."""
    hall = seated(1)
    ann = hall.sessions["Ann"]
    for stay in range(MAX_STAYS):
        label = f"{NAMES[1]} {stay}"
        hall.ask(label, name="Bob", key="Bob")
        hall.do(label, Leave())
        assert len(ann.table.peers) == 1
    assert MAX_STAYS == 8
    again = hall.ask("Bob again", name="Bob", key="Bob")
    assert again.problem == "People have come and gone too often at this table: ask for a new one."
    room = ann.table.lobby
    assert room is not None
    assert room.seatings.count(again.author.identity) == MAX_STAYS
    for guest in range(MAX_SEATINGS - MAX_STAYS - 1):
        hall.ask(f"guest {guest}", name="Guest")
        hall.do(f"guest {guest}", Leave())
    late = hall.ask("Cem")
    assert late.problem == again.problem
    assert len(ann.logs.by_author) == MAX_SEATINGS == 48
    assert all(
        heard_of(ann.table, session.author)
        for session in hall.sessions.values()
        if session is not late and session is not again
    )


def test_a_host_that_seats_people_without_end() -> None:
    """An ADMIT beyond the bound is held against the host by everybody."""
    hall = seated(2)
    ann, bob = hall.sessions["Ann"], hall.sessions["Bob"]
    guests = [who(f"guest {number}") for number in range(MAX_SEATINGS)]
    bodies: list[Body] = []
    for guest in guests:
        join = Join(ann.version, ann.lobby_id, guest.key.public, bytes(8), guest.name, guest.link, (), 0, 0)
        bodies += [AdmitPeer(seal_signed(guest.key, join)), Dismiss(guest.key.public)]
    frames = sign_next(hall, "Ann", *bodies, at="Bob")
    for frame in frames[: 2 * (MAX_SEATINGS - 2)]:
        bob.step(Received(ann.me.link, frame), hall.now)
    assert bob.problem is None
    output = bob.step(Received(ann.me.link, frames[2 * (MAX_SEATINGS - 2)]), hall.now)
    (accused,) = [event for event in output.events if isinstance(event, Accused)]
    assert (accused.peer, accused.code) == (hall.key("Ann"), Fault.MALFORMED)


def test_leaving_again_and_again() -> None:
    """A peer leaves once; a second LEAVE is its fault, so that its log has an end."""
    hall = seated(3)
    hall.meddle = lambda sender, _to, frame: () if sender == "Ann" else (frame,)
    for frame in sign_next(hall, "Cem", LeaveTable(), LeaveTable(), at="Bob"):
        hall.give("Bob", frame, by="Cem")
    (accused,) = hall.blamed()["Bob"]
    assert (accused.peer, accused.code) == (hall.key("Cem"), Fault.REPEATED)


def test_somebody_else_with_our_key() -> None:
    """An entry under our own author that this program has not written ends its log: it may be by an earlier run that the
    journal does not know of, so nothing of ours follows on it, nobody is blamed, and we ask for our seat under a new one."""
    hall = seated(6)
    play(hall, lambda: hall_dealt(hall))
    bob = hall.sessions["Bob"]
    before, held = bob.author, bob.logs.length(bob.author)
    (frame,) = sign_next(hall, "Bob", CommitKeys(2, 0, bytes(32), bytes(32)), at="Bob")
    hall.give("Bob", frame, by="Cem")
    assert bob.author.identity == before.identity
    assert bob.author.incarnation != before.incarnation
    assert (bob.logs.length(before), bob.logs.length(bob.author)) == (held + 1, 0)
    hall.meddle = lambda sender, _to, frame: (frame,) if sender != "Cem" or frame[0] != Tag.ENTRY else ()
    hall.wait(3)
    assert not any(hall.blamed().values())


def test_asking_for_a_seat_that_one_has() -> None:
    """Who has its seat and asks for it again and again is not sent the logs each time."""
    hall = seated(2)
    ann, bob = hall.sessions["Ann"], hall.sessions["Bob"]
    knock = bob.post.join_frame(ann.lobby_id)
    sent = 0
    for _ in range(1_000):
        hall.now += 0.001
        output = ann.step(Received(bob.me.link, knock), hall.now)
        sent += sum(len(send.frame) for send in output.frames if send.frame[0] == Tag.ENTRY)
    everything = sum(len(entry.frame) for log in ann.logs.by_author.values() for entry in log.entries)
    assert everything <= sent <= MAX_RATE + everything
    assert MAX_ANSWER == MAX_RATE // 2 == 524_288


def test_what_is_sent_at_once() -> None:
    """A newcomer is sent at most half a megabyte at once; what is left it asks for."""
    logs, hall = Logs(), seated(1)
    for entry in written([LARGE] * 60):
        logs.add(entry)
    post = hall.sessions["Ann"].post
    for moment, fresh in ((0.0, True), (0.1, False), (2.0, True)):
        post.sent.clear()
        post.welcome(b"newcomer", logs, 10.0 + moment)
        size = sum(len(send.frame) for send in post.sent)
        assert size <= MAX_ANSWER
        assert (size > MAX_ANSWER - 23_000) == fresh


def beat(session: Session, count: int, have: tuple[Head, ...] = ()) -> bytes:
    """A heartbeat of a peer, signed."""
    who_it_is = (session.version, session.lobby_id, session.author.identity, session.author.incarnation)
    return seal_signed(session.me.key, Heartbeat(*who_it_is, 1, count, have, (), 0))


def frames_to(output: Output, link: bytes) -> list[bytes]:
    """What a step sends over a link."""
    return [send.frame for send in output.frames if link in send.to]


def test_heartbeats_without_end() -> None:
    """A peer is repeated at most 20 times a second, however often its heart beats."""
    hall = seated(3)
    bob, cem, ann = (hall.sessions[name] for name in ("Bob", "Cem", "Ann"))
    hall.now += 1.5
    hall.give("Bob", beat(ann, 9_000), by="Ann")  # she does not hear Cem
    repeated = 0
    for count in range(10_000, 10_200):
        output = bob.step(Received(cem.me.link, beat(cem, count)), hall.now)
        repeated += len([frame for frame in frames_to(output, ann.me.link) if frame == beat(cem, count)])
    assert repeated == MAX_BEATS == 20
    assert bob.post.gossip.neighbours[cem.author.identity].counter == (1, 10_199)


def test_have_vectors_of_logs_that_nobody_knows() -> None:
    """Logs of which a peer claims to know, by authors that never had a seat, are neither asked for nor remembered."""
    hall = seated(2)
    ann, bob = hall.sessions["Ann"], hall.sessions["Bob"]
    for second in range(5):
        heads = tuple(Head(bytes((second,)) * 32, number.to_bytes(8, "big"), 7, bytes(16)) for number in range(64))
        for count in range(3):
            hall.now += 0.5
            hall.give("Bob", beat(ann, 9_000 + second * 3 + count, heads), by="Ann")
            output = bob.step(Tick(), hall.now)
            assert [frame for frame in frames_to(output, ann.me.link) if frame[0] == Tag.WANT] == []
    assert not bob.post.gossip.lacking
    assert not bob.post.gossip.asked


def test_chat_without_end() -> None:
    """Five lines a second of one author are shown; the counts of authors that are gone are forgotten."""
    hall = seated(3)
    cem = hall.sessions["Cem"]
    where = (cem.version, cem.lobby_id, cem.author.identity, cem.author.incarnation)
    for count in range(1, 50):
        hall.give("Bob", seal_signed(cem.me.key, Chat(*where, count, "again")), by="Cem")
    assert len([event for event in hall.heard["Bob"] if isinstance(event, Said)]) == MAX_TALK == 5


def test_who_asked_and_went_away() -> None:
    """Who waits at the door and closes the link waits no longer; coming back it asks anew."""
    hall = Hall()
    ann = hall.open("Ann", Setup("Table", admit="approve"))
    bob = hall.ask("Bob")
    assert list(ann.doorway.asking) == [hall.key("Bob")]
    ann.step(Unlinked(bob.me.link), hall.now)
    assert not ann.doorway.asking
    ann.step(Linked(bob.me.link), hall.now)
    hall.wait(3)
    assert list(ann.doorway.asking) == [hall.key("Bob")]
    assert len([event for event in hall.heard["Ann"] if isinstance(event, JoinAsked)]) == 2


def test_wants_are_answered_to_those_at_the_table() -> None:
    """A Want with many gaps for one log is answered once with what one answer may hold, and not at all to a stranger."""
    hall = seated(2)
    ann, bob = hall.sessions["Ann"], hall.sessions["Bob"]
    gap = Gap(ann.author.identity, ann.author.incarnation, 0)
    want = bytes((Tag.WANT,)) + pack(plain(Want((gap,) * 64)))
    hall.now += 5
    answered = frames_to(ann.step(Received(bob.me.link, want), hall.now), bob.me.link)
    assert sum(len(frame) for frame in answered if frame[0] == Tag.ENTRY) <= MAX_ANSWER
    assert ann.step(Received(bytes(32), want), hall.now).frames == ()


def test_people_at_the_door() -> None:
    """The 33rd who waits at the door is told to come later."""
    hall = seated(1)
    ann = hall.sessions["Ann"]
    guest = who("guest")
    join = Join(ann.version, ann.lobby_id, guest.key.public, bytes(8), "Guest", guest.link, (), 0, 0)
    assert not isinstance(answer(ann.table, join, MAX_ASKING - 1), TurnedAway)
    assert isinstance(answer(ann.table, join, MAX_ASKING), TurnedAway)
    assert MAX_ASKING == 32
