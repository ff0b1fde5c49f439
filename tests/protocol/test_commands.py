"""What the player at a peer may not do: a wrong click is answered with the rule in words, and nothing leaves the program."""

import pytest

from p2p_hearts.cards import Card, card_name
from p2p_hearts.hearts.play import legal_plays, why_not
from p2p_hearts.hearts.reasons import sentence
from p2p_hearts.protocol.events import Duty, Played, Refused, Said, SeatPassed, Turn
from p2p_hearts.protocol.inputs import AddBot, ChooseMoon, Command, Leave, Pass, Play, Say, Start
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.scene import Stage
from tests.protocol.hall import NAMES, Hall, play, seated


def turn(hall: Hall, duty: Duty) -> tuple[str, Turn] | None:
    """Somebody that has been asked for this, and has not answered; the last one asked."""
    for label in NAMES[:6]:
        asked = [event for event in hall.heard[label] if isinstance(event, Turn)]
        if asked and asked[-1].duty is duty:
            view = hall.sessions[label].scene().view
            if view is not None and (duty is not Duty.PASS or not view.passed):
                return label, asked[-1]
    return None


def refused(hall: Hall, label: str, command: Command) -> str:
    """The sentence that a command is answered with; no frame leaves and nothing is written."""
    session = hall.sessions[label]
    before, written = len(hall.frames), len(session.logs.log(session.author).entries)
    (event,) = hall.do(label, command)
    assert isinstance(event, Refused)
    assert len(hall.frames) == before
    assert len(session.logs.log(session.author).entries) == written
    return event.reason


@pytest.fixture
def passing() -> Hall:
    """Six people have their cards; nobody has passed yet, and no bot answers."""
    hall = seated(6)
    hall.do("Ann", Start())
    return hall


@pytest.fixture
def playing() -> tuple[Hall, str, Turn]:
    """The middle of a hand; somebody who holds cards of the suit led, and others, is to play."""
    hall = seated(6)

    def middle() -> bool:
        found = turn(hall, Duty.PLAY)
        if found is None:
            return False
        hand, held = found[1].view.hand, found[1].view.held
        return bool(hand.trick > 3 and hand.table and 0 < len(legal_plays(hand, held)) < len(set(held)))

    play(hall, middle)
    hall.level = None
    hall._queue.clear()
    found = turn(hall, Duty.PLAY)
    assert found is not None
    return hall, *found


def cards(hall: Hall, label: str) -> tuple[Card, ...]:
    """The cards of a player."""
    view = hall.sessions[label].scene().view
    assert view is not None
    return view.held


def seat_of(hall: Hall, label: str) -> int:
    """The seat of a player."""
    seat = hall.sessions[label].scene().my_seat
    assert seat is not None
    return seat


def test_a_wrong_pass(passing: Hall) -> None:
    """A pass of too few, too many, or of cards not held is refused; a right one is taken, once."""
    seat, held = seat_of(passing, "Bob"), cards(passing, "Bob")
    assert refused(passing, "Bob", Pass(seat, held[:2])) == "Choose exactly 3 cards to pass"
    assert refused(passing, "Bob", Pass(seat, held[:4])) == "Choose exactly 3 cards to pass"
    absent = next(card for card in range(52) if card not in held)
    assert (
        refused(passing, "Bob", Pass(seat, (absent, *held[:2])))
        == f"You do not hold that many of the {card_name(absent)}"
    )
    single = next(card for card in held if held.count(card) == 1)
    other = next(card for card in held if card != single)
    twice = (single, single, other)
    assert refused(passing, "Bob", Pass(seat, twice)) == f"You do not hold that many of the {card_name(single)}"
    told = passing.do("Bob", Pass(seat, held[:3]))
    assert SeatPassed(seat) in told
    assert refused(passing, "Bob", Pass(seat, held[:3])) == "You have passed your cards already."


def test_a_card_held_twice_may_be_passed_twice() -> None:
    """Both copies of a card may be passed together (FA5)."""
    for peers in (6, 7, 8):
        hall = seated(peers)
        hall.do("Ann", Start())
        for label in NAMES[:peers]:
            held = cards(hall, label)
            pair = next((card for card in held if held.count(card) == 2), None)
            if pair is not None:
                rest = next(card for card in held if card != pair)
                seat = seat_of(hall, label)
                assert SeatPassed(seat) in hall.do(label, Pass(seat, (pair, pair, rest)))
                return
    pytest.fail("nobody held a card twice")


def test_another_seat(passing: Hall) -> None:
    """Nobody acts for a seat that is not theirs, or that does not exist."""
    held = cards(passing, "Bob")
    for seat in ((seat_of(passing, "Bob") + 1) % 6, 6, -1, 99):
        assert refused(passing, "Bob", Pass(seat, held[:3])) == "That is not your seat."
        assert refused(passing, "Bob", Play(seat, held[0])) == "That is not your seat."
        assert refused(passing, "Bob", ChooseMoon(seat, "add")) == "That is not your seat."


def test_not_now(passing: Hall) -> None:
    """What is not due is refused: a card before the pass, a moon that nobody shot."""
    seat, held = seat_of(passing, "Bob"), cards(passing, "Bob")
    assert refused(passing, "Bob", Play(seat, held[0])) == "No card can be played now."
    assert refused(passing, "Bob", ChooseMoon(seat, "add")) == "There is no moon to choose for now."
    assert refused(passing, "Ann", Start()) == "The game has begun."
    assert refused(passing, "Ann", AddBot("uniform")) == "The game has begun."


def test_before_the_cards() -> None:
    """Before the start there is nothing to pass or to play."""
    hall = seated(6)
    for command in (Pass(0, (0, 1, 2)), Play(0, 0), ChooseMoon(0, "add")):
        assert refused(hall, "Bob", command) == "The cards are not dealt yet."


def test_a_wrong_card(playing: tuple[Hall, str, Turn]) -> None:
    """A card against the rules is refused with the rule's own sentence; a card not held says so; a right one is played."""
    hall, label, asked = playing
    hand, held = asked.view.hand, asked.view.held
    right = legal_plays(hand, held)
    for card in sorted(set(held) - set(right)):
        reason = why_not(hand, held, card)
        assert reason is not None
        assert refused(hall, label, Play(asked.seat, card)) == sentence(reason)
    led = hand.table[0] // 13
    suit = ("clubs", "diamonds", "hearts", "spades")[led]
    off_suit = next(card for card in held if card // 13 != led)
    assert refused(hall, label, Play(asked.seat, off_suit)) == f"You must follow {suit}"
    absent = next(card for card in range(52) if card not in held)
    assert refused(hall, label, Play(asked.seat, absent)) == f"You do not hold the {card_name(absent)}"
    told = hall.do(label, Play(asked.seat, right[0]))
    assert Played(asked.seat, right[0], hand.trick) in told


def test_out_of_turn(playing: tuple[Hall, str, Turn]) -> None:
    """Whoever is not to play is told so; and a second press of the same key plays nothing (FF10)."""
    hall, label, asked = playing
    for other in NAMES[:6]:
        if other != label:
            assert refused(hall, other, Play(seat_of(hall, other), cards(hall, other)[0])) == "It is not your turn."
    right = legal_plays(asked.view.hand, asked.view.held)
    hall.do(label, Play(asked.seat, right[0]))
    assert refused(hall, label, Play(asked.seat, right[0])) == "It is not your turn."
    view = hall.sessions[label].scene().view
    assert view is not None
    assert refused(hall, label, Pass(asked.seat, view.held[:3])) == "No cards are passed now."


def test_talk() -> None:
    """A line of talk reaches everybody once, cleaned of what could harm a screen; an empty one is refused."""
    hall = seated(3)
    hall.do("Bob", Say("well\tplayed\x1b[2J\u202e!"))
    for label in NAMES[:3]:
        assert [event for event in hall.heard[label] if isinstance(event, Said)] == [
            Said(hall.key("Bob"), "well played[2J!")
        ]
    assert refused(hall, "Bob", Say("\u200b \n")) == "There is nothing to say, or nobody to say it to."


def test_talk_is_bounded() -> None:
    """More than five lines a second of one peer are dropped by everybody, and a false signature uses up nobody's."""
    hall = seated(3)
    hall.wait(2)
    hall.do("Bob", Say("one"))
    chat = next(frame for sender, to, frame in hall.frames if frame[0] == 3 and to == "Cem")
    for number in range(20):
        forged = chat[:-1] + bytes((number,))
        hall.give("Cem", forged.replace(b"\x00\xa3one", b"\x09\xa3one"), by="Ann")
    for word in ("two", "three", "four", "five", "six", "seven"):
        hall.do("Bob", Say(word))
    heard = [event.text for event in hall.heard["Cem"] if isinstance(event, Said)]
    assert heard == ["one", "two", "three", "four", "five"]
    assert [event.text for event in hall.heard["Bob"] if isinstance(event, Said)] == heard
    assert hall.heard["Bob"][-1] == Refused("Not so fast: nobody would hear that.")
    hall.wait(1.5)
    hall.do("Bob", Say("later"))
    assert Said(hall.key("Bob"), "later") in hall.heard["Cem"]


def test_leaving_while_the_game_begins() -> None:
    """Who leaves after the host has ended hand 0, and before hearing of it, is in the game all the same; then the first hand
    is opened again without it, at once, and nobody waits in silence for somebody who is known to have left."""
    hall = seated(6)
    ann = hall.sessions["Ann"]
    late: list[tuple[str, bytes]] = []

    def hold(sender: str, to: str, frame: bytes) -> tuple[bytes, ...]:
        if sender == "Ann" and Kind.CHOICE in [entry.kind for entry in ann.logs.log(ann.author).entries]:
            late.append((to, frame))
            return ()
        return (frame,)

    hall.meddle = hold
    hall.do("Ann", Start())
    hall.do("Cem", Leave())
    for label in ("Ann", "Bob", "Dia", "Eli", "Fay"):
        assert hall.key("Cem") in hall.sessions[label].table.left
        assert hall.sessions[label].table.game is None
    hall.meddle = None
    for to, frame in late:
        hall.give(to, frame, by="Ann")
    hall.calm()
    for label in ("Ann", "Bob", "Dia", "Eli", "Fay"):
        assert hall.sessions[label].table.game is not None
    hall.wait(3)
    plays_without(hall, "Cem")


def test_after_leaving() -> None:
    """Who has left can do nothing more at this table; the others go on within three seconds, and its seat is played."""
    hall = seated(6)
    hall.do("Ann", Start())
    hall.do("Cem", Leave())
    assert refused(hall, "Cem", Say("hello")) == "You have left the table."
    assert hall.sessions["Cem"].scene().stage is Stage.STOPPED
    hall.wait(3)
    plays_without(hall, "Cem")


def plays_without(hall: Hall, gone: str) -> None:
    """All others have gone on without one, and play to one result that none but they have signed."""
    others = [session for label, session in hall.sessions.items() if label != gone]
    for session in others:
        deal = session.table.deal
        assert deal is not None
        assert len(deal.present) == len(others)
        assert hall.key(gone) not in deal.present
    hall.wake("uniform")
    hall.wait(12)
    results = [session.result() for session in others]
    assert results[0] is not None
    assert all(result == results[0] for result in results)
    assert sorted(results[0]["signatures"]) == sorted(session.author.identity.hex() for session in others)
    assert not any(hall.blamed().values())
