"""Who hears whom, and who lacks what: gaps are filled by whoever has what is missing, frames are passed on to those who would
not hear them, and silence is noticed."""

from collections.abc import Callable

import pytest

from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import Tag, open_entry
from p2p_hearts.protocol.events import Away, Back
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.gossip import MAX_ANSWER
from p2p_hearts.protocol.inputs import AddBot, Linked, RemoveBot, Say, Start
from p2p_hearts.protocol.messages import AdmitPeer, Gap, PlayCard, Want
from tests.protocol.hall import Hall, bodies_sent, play, seated


def dropping(hall: Hall, drop: Callable[[str, str, bytes], bool]) -> list[tuple[str, str, bytes]]:
    """From now on such frames are lost; those that were."""
    lost: list[tuple[str, str, bytes]] = []

    def meddle(sender: str, to: str, frame: bytes) -> tuple[bytes, ...]:
        if drop(sender, to, frame):
            lost.append((sender, to, frame))
            return ()
        return (frame,)

    hall.meddle = meddle
    return lost


def is_entry(frame: bytes) -> bool:
    """Whether a frame is an entry."""
    return frame[0] == Tag.ENTRY


def lengths(hall: Hall, author: str) -> list[int]:
    """How many entries of an author everybody holds."""
    who = hall.sessions[author].author
    return [session.logs.length(who) for session in hall.sessions.values()]


def one_result(hall: Hall) -> None:
    """All have one result, and nobody is accused."""
    results = [session.result() for session in hall.sessions.values()]
    assert results[0] is not None
    assert all(result == results[0] for result in results)
    assert not any(hall.blamed().values())


def test_a_lost_entry_is_asked_for() -> None:
    """An entry that was lost on one link is there within two seconds, from its author or from anybody else."""
    hall = seated(4)
    hall.wait(2)
    lost = dropping(hall, lambda sender, to, frame: (sender, to) == ("Ann", "Cem") and is_entry(frame))
    hall.do("Ann", AddBot("uniform"))
    assert lengths(hall, "Ann") == [5, 5, 4, 5]
    hall.wait(2)
    assert lengths(hall, "Ann") == [5, 5, 5, 5]
    assert len(lost) >= 1  # Ann's own link stays bad; another has sent it
    lobby = hall.sessions["Cem"].scene().lobby
    assert lobby is not None
    assert lobby.bots == ("uniform",)


def test_a_hole_in_the_middle() -> None:
    """What came after a lost entry waits for it, and then counts in order."""
    hall = seated(3)
    hall.wait(2)
    lost = dropping(hall, lambda _sender, to, frame: to == "Bob" and is_entry(frame) and not lost)
    hall.do("Ann", AddBot("uniform"))
    hall.meddle = None
    hall.do("Ann", AddBot("cautious"))
    hall.do("Ann", RemoveBot())
    assert lengths(hall, "Ann") == [6, 3, 6]
    hall.wait(2)
    assert lengths(hall, "Ann") == [6, 6, 6]


@pytest.mark.parametrize("every", [3, 5, 7])
def test_every_so_many_entries_are_lost(every: int) -> None:
    """A game goes on whichever entries are lost the first time they are sent."""
    hall = seated(6)
    hall.level = "uniform"
    count = 0

    def nth(_sender: str, _to: str, frame: bytes) -> bool:
        nonlocal count
        count += is_entry(frame)
        return is_entry(frame) and count % every == 0

    dropping(hall, nth)
    hall.do("Ann", Start())
    for _ in range(300):
        hall.wait(1)
        if all(session.settled() for session in hall.sessions.values()):
            break
    one_result(hall)


def test_two_peers_without_a_link() -> None:
    """Two peers that cannot reach each other play through the others, who pass on what the other would not hear, and to
    nobody else."""
    hall = seated(6)
    hall.wait(1)
    pair = {"Bob", "Eli"}
    for one, other in (("Bob", "Eli"), ("Eli", "Bob")):
        hall.sessions[one].post.gossip.linked.discard(hall.sessions[other].me.link)
    lost = dropping(hall, lambda sender, to, _frame: {sender, to} == pair)
    hall.wait(2)
    before = len(hall.frames)
    play(hall)
    one_result(hall)
    assert not lost
    plays = {entry for entry in bodies_sent(hall, "Bob") if isinstance(entry, PlayCard)}
    assert len(plays) == 17
    heard = [
        (by, to) for by, to, frame in hall.frames[before:] if is_entry(frame) and by != "Bob" and by_bob(hall, frame)
    ]
    assert {to for _, to in heard} == {"Eli"}


def by_bob(hall: Hall, frame: bytes) -> bool:
    """Whether an entry is Bob's."""
    bob = hall.sessions["Bob"]
    return open_entry(frame, bob.version).author == bob.author


def test_the_host_out_of_reach_of_half() -> None:
    """Once they sit, the host is no more than a peer: some may hear it through others only."""
    hall = seated(6)
    hall.wait(1)
    far = {"Dia", "Eli", "Fay"}
    for label in far:
        hall.sessions[label].post.gossip.linked.discard(hall.sessions["Ann"].me.link)
        hall.sessions["Ann"].post.gossip.linked.discard(hall.sessions[label].me.link)
    dropping(hall, lambda sender, to, _frame: "Ann" in (sender, to) and bool({sender, to} & far))
    hall.wait(2)
    play(hall)
    hall.wait(10)
    one_result(hall)


def test_silence_is_noticed_and_ends() -> None:
    """Nobody is away before six seconds without a sign of life; who is, and is heard again, is back. Told once each."""
    hall = seated(3)
    hall.wait(2)
    away, back = Away(hall.key("Cem")), Back(hall.key("Cem"))
    dropping(hall, lambda sender, to, _frame: "Cem" in (sender, to))
    hall.wait(5)
    assert away not in hall.heard["Ann"]
    hall.wait(2.5)
    assert hall.heard["Ann"].count(away) == hall.heard["Bob"].count(away) == 1
    assert [line.name for line in hall.sessions["Ann"].scene().peers if line.away] == ["Cem"]
    hall.meddle = None
    hall.wait(1.5)
    assert hall.heard["Ann"].count(back) == hall.heard["Bob"].count(back) == 1
    assert not any(line.away for line in hall.sessions["Ann"].scene().peers)


def test_a_replayed_heartbeat_is_no_sign_of_life() -> None:
    """Only a counter that moves on is: old heartbeats of somebody who is gone keep nobody there."""
    hall = seated(3)
    hall.wait(3)
    beats = [frame for sender, to, frame in hall.frames if (sender, to) == ("Cem", "Ann") and frame[0] == Tag.HEARTBEAT]
    hall.kill("Cem")
    for _ in range(8):
        hall.wait(1)
        for beat in beats:
            hall.give("Ann", beat, by="Bob")
    assert Away(hall.key("Cem")) in hall.heard["Ann"]


def test_strangers_get_nothing() -> None:
    """Who does not sit at the table is sent no entry, whatever it asks for."""
    hall = seated(6)
    hall.ask("thief", host="Ann")  # is refused: all seats are taken
    ann = hall.sessions["Ann"]
    want = bytes((Tag.WANT,)) + pack(plain(Want((Gap(ann.author.identity, ann.author.incarnation, 0),))))
    hall._step("Ann", Linked(hall.sessions["thief"].me.link))
    hall.give("Ann", want, by="thief")
    hall.wait(3)
    assert not [frame for _, to, frame in hall.frames if to == "thief" and is_entry(frame)]
    hall.give("Ann", want, by="Bob")
    hall.calm()
    assert [frame for by, to, frame in hall.frames[-3:] if (by, to) == ("Ann", "Bob") and is_entry(frame)]


def test_answers_are_bounded() -> None:
    """Nobody can make a peer send more than so many bytes for one small question."""
    hall = play(seated(6, hands=2))
    ann = hall.sessions["Ann"]
    gaps = [Gap(s.author.identity, s.author.incarnation, 0) for s in hall.sessions.values()] * 10
    want = bytes((Tag.WANT,)) + pack(plain(Want(tuple(gaps[:60]))))
    before = len(hall.frames)
    for _ in range(5):
        hall.give("Ann", want, by="Bob")
    hall.calm()
    sent = sum(len(frame) for by, to, frame in hall.frames[before:] if (by, to) == ("Ann", "Bob"))
    assert 0 < sent <= 2 * MAX_ANSWER
    assert ann.problem is None


def test_what_is_said_outside_the_logs_is_not_kept() -> None:
    """Talk and heartbeats enter no log."""
    hall = seated(3)
    hall.wait(3)
    before = lengths(hall, "Bob")
    hall.do("Bob", Say("hello"))
    hall.wait(3)
    assert lengths(hall, "Bob") == before
    assert all(isinstance(body, AdmitPeer) for body in bodies_sent(hall, "Ann")[1:])
