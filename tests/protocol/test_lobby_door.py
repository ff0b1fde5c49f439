"""The door of a table: who is seated, who is not and is told why; names are for show, keys decide."""

import pytest

from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.events import JoinAsked, JoinRefused, LobbyChanged, Refused
from p2p_hearts.protocol.inputs import Admit, Invited, Leave, Start
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.output import Setup
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import join_table
from tests.protocol.hall import Hall, play, seated, who

NO_BOT = "The game at this table has begun, and no bot has a seat that you could take."


def names(hall: Hall, label: str) -> list[str]:
    """The roster as one program sees it."""
    return [line.name for line in hall.sessions[label].scene().peers]


def refusals(hall: Hall, label: str) -> list[str]:
    """Why somebody was not let in."""
    return [event.reason for event in hall.heard[label] if isinstance(event, JoinRefused)]


@pytest.fixture
def door() -> Hall:
    """Ann's table for six, at which the host decides who sits down; Bob asks."""
    hall = Hall()
    hall.open("Ann", Setup("Table", 6))
    hall.ask("Bob")
    return hall


def test_by_approval(door: Hall) -> None:
    """Who asks is shown to the host, and to it alone, and sits down once it says yes."""
    assert JoinAsked(door.key("Bob"), "Bob") in door.heard["Ann"]
    lobby = door.sessions["Ann"].scene().lobby
    assert lobby is not None
    assert [(line.key, line.name) for line in lobby.asking] == [(door.key("Bob"), "Bob")]
    assert door.sessions["Bob"].scene().stage is Stage.JOINING
    assert LobbyChanged("Bob sits down.") in door.do("Ann", Admit(door.key("Bob")))
    assert names(door, "Ann") == names(door, "Bob") == ["Ann", "Bob"]
    assert door.sessions["Bob"].scene().stage is Stage.LOBBY


def test_the_host_says_no(door: Hall) -> None:
    """Who is not let in reads so, and does not ask again by itself; the host sees at once that it did so."""
    assert LobbyChanged("Bob is not let in.") in door.do("Ann", Admit(door.key("Bob"), yes=False))
    assert refusals(door, "Bob") == ["The host did not let you in."]
    assert names(door, "Ann") == ["Ann"]
    door.wait(10)
    assert sum(isinstance(event, JoinAsked) for event in door.heard["Ann"]) == 1


def test_one_asker_is_one_line(door: Hall) -> None:
    """Asking many times is asking once (FE7); what the host decides twice it is told of."""
    door.wait(10)
    assert sum(isinstance(event, JoinAsked) for event in door.heard["Ann"]) == 1
    door.do("Ann", Admit(door.key("Bob")))
    door.wait(10)
    assert names(door, "Ann") == ["Ann", "Bob"]
    assert isinstance(door.do("Ann", Admit(door.key("Bob")))[0], Refused)


def test_open_admission() -> None:
    """At an open table whoever asks is seated at once, in the order of asking."""
    hall = seated(4)
    for label in ("Ann", "Bob", "Cem", "Dia"):
        assert names(hall, label) == ["Ann", "Bob", "Cem", "Dia"]


def test_a_full_table() -> None:
    """A full table says so."""
    hall = seated(2, bots=4)
    hall.ask("Cem")
    assert refusals(hall, "Cem") == ["All 6 seats at this table are taken."]
    assert names(hall, "Ann") == ["Ann", "Bob"]


def test_full_while_somebody_waits(door: Hall) -> None:
    """Who waited while the last seat was taken is told, and so is the host."""
    for label in ("Cem", "Dia", "Eli", "Fay", "Gus"):
        door.ask(label)
    for label in ("Cem", "Dia", "Eli", "Fay", "Gus"):
        door.do("Ann", Admit(door.key(label)))
    (told,) = door.do("Ann", Admit(door.key("Bob")))
    assert isinstance(told, Refused)
    assert refusals(door, "Bob") == ["All 6 seats at this table are taken."]


def test_a_game_that_has_begun() -> None:
    """Nobody sits down after the start where no bot has a seat to give."""
    hall = seated(6)
    hall.do("Ann", Start())
    hall.ask("Gus")
    assert refusals(hall, "Gus") == [NO_BOT]


def test_one_key_one_seat() -> None:
    """A second program with the key of somebody who sits there takes the place of the first, at once: one key never has two
    seats (FE7), and who starts its program anew need not wait until the old one is missed. The host's own seat is not taken."""
    hall = seated(3)
    for number in range(3):
        copy = hall.ask(f"Bob's copy {number}", key="Bob", name="Bob")
        assert names(hall, "Cem") == ["Ann", "Cem", "Bob"]
        assert hall.sessions["Ann"].table.author(hall.key("Bob")) == copy.author
        former = hall.sessions["Bob" if number == 0 else f"Bob's copy {number - 1}"]
        assert former.problem is not None
        assert former.problem.startswith("The table has gone on without you")
    hall.ask("Ann's copy", key="Ann")
    assert refusals(hall, "Ann's copy") == ["Your key has a seat at this table already."]
    assert names(hall, "Cem") == ["Ann", "Cem", "Bob"]


def test_another_version() -> None:
    """Who speaks another version, or plays in another group, is told both versions before joining (FD15)."""
    hall = seated(2)
    ann = hall.sessions["Ann"]
    session = join_table(ann.lobby_id, ann.me.link, who("Real"), seeded(b"Real"), RISTRETTO255)
    hall._enter("Real", session)
    hall._link("Real", "Ann")
    hall.calm()
    (reason,) = refusals(hall, "Real")
    assert "'p2p-hearts/1/ristretto255'" in reason
    assert "'p2p-hearts/1/tiny61'" in reason


def test_two_people_of_one_name() -> None:
    """Two people called Ann both sit; the second is shown with a number, the same on every screen (FE1)."""
    hall = seated(2)
    hall.ask("another", name="Ann")
    hall.ask("a third", name="ann")  # looks the same
    for label in hall.sessions:
        assert names(hall, label) == ["Ann", "Bob", "Ann 2", "ann 3"]


def test_two_people_of_one_name_play() -> None:
    """And both play a hand, under their own keys."""
    hall = seated(5)
    hall.ask("another", name="Ann")
    play(hall)
    results = [session.result() for session in hall.sessions.values()]
    assert results[0] is not None
    assert all(result == results[0] for result in results)
    assert sorted(results[0]["names"].values()) == ["Ann", "Ann 2", "Bob", "Cem", "Dia", "Eli"]
    seat = {name: letter for letter, name in results[0]["names"].items()}
    assert results[0]["operators"][seat["Ann"]] == hall.key("Ann").hex()
    assert results[0]["operators"][seat["Ann 2"]] == hall.key("another").hex()


def test_a_taken_name_shows_no_card() -> None:
    """Who asks during a hand under another's name sees nothing of the game, and the seat stays whose it is (FE3)."""
    hall = seated(6)
    play(hall, lambda: bool(hall.sessions["Ann"].scene().hand))
    before = len(hall.frames)
    hall.ask("thief", name="Bob")
    hall.wait(3)
    scene = hall.sessions["thief"].scene()
    assert (scene.hand, scene.view, scene.seats, scene.peers) == (None, None, (), ())
    assert set(refusals(hall, "thief")) == {NO_BOT}
    assert {frame[0] for _, to, frame in hall.frames[before:] if to == "thief"} == {5}  # a refusal, nothing else
    assert hall.sessions["Ann"].result() is not None


def test_leave_and_join_again_twice() -> None:
    """Who leaves a lobby may come back, and again, and plays; nothing of the times before is held against anybody (FD16)."""
    hall = seated(6)
    for time in ("once", "twice"):
        last = "Fay" if time == "once" else "Fay once"
        hall.do(last, Leave())
        assert names(hall, "Ann") == ["Ann", "Bob", "Cem", "Dia", "Eli"]
        hall.kill(last)
        hall.ask(f"Fay {time}", key="Fay", name="Fay")
        assert names(hall, "Bob") == ["Ann", "Bob", "Cem", "Dia", "Eli", "Fay"]
    hall.wait(2)
    play(hall)
    assert all(hall.sessions[label].result() for label in ("Ann", "Bob", "Cem", "Dia", "Eli", "Fay twice"))


def test_what_was_left_behind_has_no_effect() -> None:
    """An old log that ends with a farewell says nothing about its author's next one, in whatever order they are heard of:
    a newcomer holds nobody for gone who is there."""
    hall = seated(3)
    hall.do("Cem", Leave())
    hall.kill("Cem")
    hall.ask("Cem again", key="Cem", name="Cem")
    for label in ("Dia", "Eli", "Fay"):
        hall.ask(label)
    hall.wait(3)
    for label in ("Ann", "Bob", "Cem again", "Dia", "Eli", "Fay"):
        assert hall.sessions[label].table.left == frozenset(), label
        assert names(hall, label) == ["Ann", "Bob", "Cem", "Dia", "Eli", "Fay"]
    hall.do("Ann", Leave())
    hall.do("Bob", Leave())
    hall.wait(3)
    for label in ("Cem again", "Dia", "Eli", "Fay"):
        assert names(hall, label) == ["Cem", "Dia", "Eli", "Fay"]
        assert [line.name for line in hall.sessions[label].scene().peers if line.host] == ["Cem"]


def test_a_request_too_long_for_the_table() -> None:
    """A request that fits no entry is refused; the table goes on."""
    hall = seated(2)
    ann = hall.sessions["Ann"]
    me = who("Long")
    addresses = ("é" * 45,) * 16
    session = join_table(ann.lobby_id, ann.me.link, me.__class__(me.key, "L" * 16, me.link, addresses), seeded(b"Long"))
    session.ledger.group, session.post.version = ann.group, ann.version
    hall._enter("Long", session)
    hall._link("Long", "Ann")
    hall.calm()
    hall.ask("Cem")
    assert len(refusals(hall, "Long")) == 1
    assert names(hall, "Bob") == names(hall, "Cem") == ["Ann", "Bob", "Cem"]


def test_only_the_host_hears_of_askers(door: Hall) -> None:
    """The rest of the table learns of a newcomer when it is seated, by one entry of the host."""
    door.do("Ann", Admit(door.key("Bob")))
    door.ask("Cem")
    assert not any(isinstance(event, JoinAsked) for event in door.heard["Bob"])
    assert isinstance(door.do("Bob", Admit(door.key("Cem")))[0], Refused)
    assert names(door, "Bob") == ["Ann", "Bob"]
    door.do("Ann", Admit(door.key("Cem")))
    entries = door.sessions["Bob"].logs.log(door.sessions["Ann"].author).entries
    assert [entry.kind for entry in entries] == [Kind.OPEN, Kind.ADMIT, Kind.ADMIT]


@pytest.fixture
def private() -> Hall:
    """Ann's table for six, to which one must be invited."""
    hall = Hall()
    hall.open("Ann", Setup("Table", 6, admit="private"))
    return hall


def test_a_private_table_refuses_who_is_not_invited(private: Hall) -> None:
    """Whoever asks without an invitation is told what is missing, and the host is not bothered."""
    private.ask("Bob")
    assert refusals(private, "Bob") == ["This table is private: ask its host for an invitation."]
    assert not [event for event in private.heard["Ann"] if isinstance(event, JoinAsked)]
    assert names(private, "Ann") == ["Ann"]


def test_who_is_invited_sits_down_at_once(private: Hall) -> None:
    """Who has proved an invitation is seated when it asks, it alone, and without a word of the host."""
    private.do("Ann", Invited(who("Bob").key.public))
    private.ask("Cem")
    private.ask("Bob")
    assert names(private, "Ann") == names(private, "Bob") == ["Ann", "Bob"]
    assert len(refusals(private, "Cem")) == 1


def test_an_invitation_is_for_a_key(private: Hall) -> None:
    """FE3: an invited name under another key is nobody that was invited."""
    private.do("Ann", Invited(who("Bob").key.public))
    private.ask("Eve", name="Bob")
    assert names(private, "Ann") == ["Ann"]


def test_an_invitation_spares_the_host_the_question(door: Hall) -> None:
    """At a table by approval, who waits at the door and then proves an invitation is let in."""
    door.do("Ann", Invited(door.key("Bob")))
    assert names(door, "Ann") == ["Ann", "Bob"]


def test_an_invitation_makes_no_room() -> None:
    """Invited people find a full table full, and the host is told why somebody could not sit down."""
    hall = Hall()
    hall.open("Ann", Setup("Table", 6, ("uniform",) * 5, admit="private"))
    hall.do("Ann", Invited(who("Bob").key.public))
    hall.ask("Bob")
    assert refusals(hall, "Bob") == ["All 6 seats at this table are taken."]
