"""Who comes once a game has begun (`protocol/decisions.md`, P132): people vote a newcomer onto the seat of a bot, a watcher
sees the table and no card, and who broke the rules does not come back under another log."""

from collections import deque
from dataclasses import replace
from typing import Any

import pytest

from p2p_hearts.protocol.envelope import Entry, seal_signed
from p2p_hearts.protocol.events import JoinAsked, JoinRefused, Slow
from p2p_hearts.protocol.inputs import Admit, GoOn, Pass, Play, Received
from p2p_hearts.protocol.messages import Body, Join, PlayCard, Urge, WelcomePeer
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session
from tests.protocol.forger import CHEAT, Forger
from tests.protocol.hall import Hall, bodies_sent, play, seated, who
from tests.protocol.watcher import readable, unlawful


def playing(hall: Hall, hand: int = 1) -> bool:
    """Whether cards are being played in this hand."""
    table = hall.sessions["Ann"].table
    return table.number == hand and table.deal is not None and table.deal.hand is not None


def rests(hall: Hall) -> None:
    """From now on everybody thinks."""
    hall.level = None
    hall._queue = deque(waiting for waiting in hall._queue if not isinstance(waiting[1], Pass | Play))
    hall.calm()


def asked(hall: Hall, label: str) -> list[str]:
    """Who has knocked at a program's door, by name."""
    return [event.name for event in hall.heard[label] if isinstance(event, JoinAsked)]


def at_the_door(peers: int = 5, bots: int = 1, hands: int = 2) -> Hall:
    """A table in the middle of its first hand, at whose door Zoe stands."""
    hall = seated(peers, bots=bots, hands=hands)
    play(hall, lambda: playing(hall))
    rests(hall)
    hall.ask("Zoe")
    hall.wait(2)
    return hall


def result_without(hall: Hall, *gone: str) -> dict[str, Any]:
    """The one result of all others."""
    hall.wake("uniform")
    hall.wait(20)
    results = [session.result() for label, session in hall.sessions.items() if label not in gone]
    assert results[0] is not None
    assert all(result == results[0] for result in results)
    assert not any(hall.blamed().values())
    return results[0]


def test_a_late_arrival_takes_the_seat_of_a_bot() -> None:
    """Every person is asked; once a majority says yes, the newcomer has the bot's seat, and its score, from the next hand on."""
    hall = at_the_door()
    for label in ("Ann", "Bob", "Cem", "Dia", "Eli"):
        assert asked(hall, label) == ["Zoe"]
    for label in ("Ann", "Cem", "Eli"):
        hall.do(label, Admit(hall.key("Zoe"), yes=True))
    assert [entry for entry in bodies_sent(hall, "Cem") if isinstance(entry, WelcomePeer)]
    result = result_without(hall)
    assert sorted(result["names"].values()) == ["Ann", "Bob", "Cem", "Dia", "Eli", "Zoe"]
    assert set(result["signatures"]) == {session.author.identity.hex() for session in hall.sessions.values()}
    seat = hall.sessions["Zoe"].scene().my_seat
    assert seat is not None
    assert hall.sessions["Zoe"].table.deals[2].operators[seat] == hall.key("Zoe")
    assert hall.key("Zoe") not in hall.sessions["Ann"].table.deals[1].operators


@pytest.mark.parametrize("yes", [(), ("Ann", "Bob")])
def test_no_majority_no_seat(yes: tuple[str, ...]) -> None:
    """With two of five for it the newcomer gets nothing; the game goes on as it was."""
    hall = at_the_door()
    for label in yes:
        hall.do(label, Admit(hall.key("Zoe"), yes=True))
    result = result_without(hall, "Zoe")
    assert "Zoe" not in result["names"].values()
    assert hall.sessions["Zoe"].scene().my_seat is None


def test_two_newcomers_and_one_bot() -> None:
    """Two are welcome, and there is one seat: one of them gets it."""
    hall = at_the_door()
    hall.ask("Yan")
    hall.wait(2)
    for label in ("Ann", "Bob", "Cem"):
        for guest in ("Zoe", "Yan"):
            hall.do(label, Admit(hall.key(guest), yes=True))
    result = result_without(hall, "Zoe", "Yan")
    names = set(result["names"].values())
    assert len(names & {"Zoe", "Yan"}) == 1


@pytest.fixture
def kept_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody forgets its keys, so that the detector can be told what each share would have been."""
    monkeypatch.setattr(Own, "spend", lambda own: own)


@pytest.mark.usefixtures("kept_keys")
def test_a_watcher_sees_no_card() -> None:
    """Who watches follows the game to its result, is asked nothing, has no keys, and can read no card that was not played."""
    hall = seated(6, watch=True)
    hall.ask("Eve", watching=True)
    assert hall.sessions["Eve"].table.peer(hall.key("Eve")) is None
    play(hall)
    hall.wait(5)
    eve = hall.sessions["Eve"]
    assert (eve.result() or {})["digest"] == (hall.sessions["Ann"].result() or {})["digest"]
    assert (eve.hands.own, eve.scene().view, eve.scene().my_seat) == ({}, None, None)
    assert bodies_sent(hall, "Eve") == []
    others = [session for label, session in hall.sessions.items() if label != "Eve"]
    frames = [frame for _, to, frame in hall.frames if to == "Eve"]
    read = readable(eve, others, 1, frames)
    assert len({(one.lying.seat, one.lying.place) for one in read if one.lying.what == "row"}) == 102
    assert unlawful(eve, 1, read, frames) == []


def test_a_table_that_does_not_want_to_be_watched() -> None:
    """The option is off unless the opener says so; then nobody is sent the logs."""
    hall = seated(6)
    play(hall, lambda: playing(hall))
    rests(hall)
    hall.ask("Eve", watching=True)
    hall.wait(1)
    told = [event.reason for event in hall.heard["Eve"] if isinstance(event, JoinRefused)]
    assert set(told) == {"This table does not want to be watched."}
    assert hall.sessions["Eve"].table.lobby is None


def test_a_convicted_peer_does_not_come_back() -> None:
    """Who broke the rules and asks for its seat under a new log gets it in no hand."""
    hall = seated(6, hands=3)
    cheat = hall.sessions[CHEAT]

    def change(entry: Entry) -> Body:
        body = entry.body
        return replace(body, card=(body.card + 1) % 52) if isinstance(body, PlayCard) else body

    forger = Forger(cheat.me.key, cheat.version, change)
    hall.meddle = lambda sender, _to, frame: (forger(frame) if sender == CHEAT else frame,)
    play(hall, lambda: any(hall.blamed()["Ann"]))
    rests(hall)
    hall.kill(CHEAT)
    again = hall.ask("Cem again", key=CHEAT, name=CHEAT)
    for label in ("Bob", "Dia", "Eli", "Fay"):
        hall._link("Cem again", label)
    hall.wait(3)
    hall.wake("uniform")
    hall.wait(30)
    honest = [hall.sessions[label] for label in ("Ann", "Bob", "Dia", "Eli", "Fay")]
    for session in honest:
        assert session.result() is not None
        assert session.table.author(cheat.author.identity) == cheat.author
        assert all(again.author.identity not in deal.present for deal in session.table.deals.values())


def test_a_crowd_is_not_kept() -> None:
    """However many keys ask for a place in a game that has begun, no more than so many are remembered."""
    hall = seated(5, bots=1)
    play(hall, lambda: playing(hall))
    rests(hall)
    ann = hall.sessions["Ann"]
    for number in range(200):
        stranger(hall, ann, number)
    assert len(ann.doorway.comers) <= 64
    assert len(ann.post.guests) <= 64


def stranger(hall: Hall, ann: Session, number: int) -> None:
    """One more key asks at Ann's."""
    guest = who(f"guest {number}")
    join = Join(ann.version, ann.lobby_id, guest.key.public, bytes(8), f"Guest {number}", guest.link, (), 0, 0)
    ann.step(Received(guest.link, seal_signed(guest.key, join)), hall.now)


def test_people_who_wait_no_longer() -> None:
    """At a table without a clock a person may think; after a minute everybody is told, and once a majority says that it goes on
    without, the hand does."""
    hall = seated(6)
    play(hall, lambda: playing(hall))
    hall.calm(lambda: hall.sessions["Ann"].scene().waiting_for == ("Cem",))
    rests(hall)
    assert hall.sessions["Ann"].scene().waiting_for == ("Cem",)
    hall.wait(59)
    assert not [event for event in hall.heard["Ann"] if isinstance(event, Slow)]
    hall.wait(3)
    assert [event for event in hall.heard["Ann"] if isinstance(event, Slow)] == [Slow(hall.key("Cem"))]
    for label in ("Ann", "Bob", "Dia"):
        hall.do(label, GoOn())
    hall.wait(3)
    assert hall.key("Cem") in hall.sessions["Ann"].table.deals[1].present
    hall.do("Eli", GoOn())
    hall.wait(4)
    deal = hall.sessions["Ann"].table.deals[1]
    assert hall.key("Cem") not in deal.present
    urges = [entry for label in hall.sessions for entry in bodies_sent(hall, label) if isinstance(entry, Urge)]
    assert len(urges) == 4
