"""The draw that begins a game: seats, dealer, words and operators, alike everywhere, and steered by nobody."""

from collections import Counter
from dataclasses import replace

import pytest

from p2p_hearts.protocol.envelope import Entry, seal
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import Seated
from p2p_hearts.protocol.inputs import Start
from p2p_hearts.protocol.messages import Agree, Body, Draw
from p2p_hearts.protocol.stages import election
from p2p_hearts.protocol.state import Game, put
from p2p_hearts.protocol.words import spoken_words
from tests.protocol.forger import Forger
from tests.protocol.hall import NAMES, Hall, bodies_sent, seated


def game(hall: Hall, label: str = "Ann") -> Game:
    """What the draw has fixed, as one program holds it."""
    drawn = hall.sessions[label].table.game
    assert drawn is not None
    return drawn


@pytest.mark.parametrize(("peers", "bots"), [(1, 5), (3, 5), (6, 0), (11, 0)])
def test_alike_everywhere(peers: int, bots: int) -> None:
    """Seats, first dealer, table id and the three words are the same on every peer, and everybody is told."""
    hall = seated(peers, bots=bots)
    hall.do("Ann", Start())
    drawn = game(hall)
    for label in NAMES[:peers]:
        assert game(hall, label) == drawn
        assert Seated(drawn.words) in hall.heard[label]
        assert hall.sessions[label].scene().words == drawn.words
    assert len(drawn.seats) == peers + bots
    assert 0 <= drawn.first_dealer < peers + bots
    assert sorted(seat.name for seat in drawn.seats if seat.bot is None) == sorted(NAMES[:peers])
    assert drawn.table not in {bytes(32), hall.sessions["Ann"].lobby_id}


@pytest.mark.parametrize(("peers", "bots"), [(1, 9), (2, 9), (3, 5), (4, 7), (5, 1), (6, 5)])
def test_bots_are_dealt_out(peers: int, bots: int) -> None:
    """Bots go to the peers in seating order, one each in turn, so that nobody operates two more than another."""
    hall = seated(peers, bots=bots)
    hall.do("Ann", Start())
    seats = game(hall).seats
    people = [seat.operator for seat in seats if seat.bot is None]
    assert [seat.operator for seat in seats if seat.bot] == [people[turn % peers] for turn in range(bots)]
    counts = Counter(seat.operator for seat in seats)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_draws_differ() -> None:
    """Another draw gives other seats, another dealer and other words: over 20 games most values come up."""
    dealers, words, first = set(), set(), set()
    for number in range(20):
        hall = seated(6)
        session = hall.sessions["Ann"]
        for _ in range(number):
            session.entropy(1)  # her stream goes on from another place
        hall.do("Ann", Start())
        drawn = game(hall)
        dealers.add(drawn.first_dealer)
        words.add(drawn.words)
        first.add(drawn.seats[0].name)
    assert len(words) == 20
    assert len(dealers) >= 4
    assert len(first) >= 4


def test_words_are_spoken_and_hold_33_bits() -> None:
    """Three words of eleven bits: every value has its own, of four letters, consonant and vowel in turn."""
    words = [spoken_words((number << 53).to_bytes(8, "big"), 1)[0] for number in range(2_048)]
    assert len(set(words)) == 2_048
    assert all(word[0::2].isalpha() and not set(word[0::2]) & set("aeiou") for word in words)
    assert all(set(word[1::2]) <= set("aeiou") and len(word) == 4 for word in words)
    value = (0b00000000001_11111111111_10000000000 << 31).to_bytes(8, "big")
    assert spoken_words(value) == (words[1], words[2_047], words[1_024])
    assert spoken_words(value + b"more") == spoken_words(value)


def without_draw_of(hall: Hall, label: str) -> None:
    """The start, up to where all others have revealed and one holds its nonce back."""
    session = hall.sessions[label]

    def hold(sender: str, _to: str, frame: bytes) -> tuple[bytes, ...]:
        log = session.logs.log(session.author).entries
        held = {entry.frame for entry in log if isinstance(entry.body, Draw)}
        return () if sender == label and frame in held else (frame,)

    hall.meddle = hold
    hall.do("Ann", Start())


def following(hall: Hall, label: str, *bodies: Body) -> list[Entry]:
    """Entries that a program signs after its agreement, in the place of its draw."""
    session = hall.sessions[label]
    entries = [session.logs.log(session.author).entries[0]]
    for body in bodies:
        last = entries[-1]
        entries.append(
            seal(session.me.key, session.version, session.lobby_id, session.author, last.seq + 1, last.hash, body)
        )
    return entries[1:]


def test_the_last_to_reveal_cannot_choose() -> None:
    """Who has seen all nonces cannot reveal another than the one it committed to: everybody names it."""
    hall = seated(6)
    without_draw_of(hall, "Fay")
    room = hall.sessions["Fay"].table.lobby
    assert room is not None
    assert room.proposal is not None
    assert len(room.proposal.nonces) == 6
    draw = election.make_draw(room, room.proposal, b"chosen nonce".ljust(32), bytes(32))
    (entry,) = following(hall, "Fay", draw)
    for label in NAMES[:5]:
        (event,) = hall.give(label, entry.frame, by="Fay")[:1]
        assert (event.peer, event.code) == (hall.key("Fay"), Fault.BAD_COMMITMENT)  # type: ignore[union-attr]
        assert hall.sessions[label].table.game is None


def test_the_last_to_reveal_cannot_commit_again() -> None:
    """Nor can it commit anew once it has seen them: a second agreement to one proposal is a fault."""
    hall = seated(6)
    without_draw_of(hall, "Fay")
    fay = hall.sessions["Fay"]
    room = fay.table.lobby
    assert room is not None
    assert room.proposal is not None
    proposal, nonce, salt = room.proposal, b"chosen nonce".ljust(32), bytes(32)
    again = election.make_agreement(room, proposal, fay.author.identity, nonce, salt)
    changed = replace(proposal, commitments=put(proposal.commitments, fay.author.identity, again.commitment))
    second, draw = following(hall, "Fay", again, election.make_draw(room, changed, nonce, salt))
    for label in NAMES[:5]:
        told = hall.give(label, second.frame, by="Fay") + hall.give(label, draw.frame, by="Fay")
        accused = hall.blamed()[label]
        assert [(event.peer, event.code) for event in accused] == [(hall.key("Fay"), Fault.REPEATED)], told
        assert hall.sessions[label].table.game is None


def test_a_copied_commitment_is_worthless() -> None:
    """A commitment names its author: who copies another's cannot open it with the other's nonce."""
    hall = seated(6)
    fay, eli = hall.sessions["Fay"], hall.sessions["Eli"]

    def copy(entry: Entry) -> Body:
        return eli.logs.log(eli.author).entries[0].body if isinstance(entry.body, Agree) else entry.body

    forger = Forger(fay.me.key, fay.version, copy)

    def meddle(sender: str, _to: str, frame: bytes) -> tuple[bytes, ...]:
        changed = forger(frame) if sender == "Fay" else frame
        return () if len(forger.chain) > 1 and changed == forger.chain[1].frame else (changed,)

    hall.meddle = meddle
    hall.do("Ann", Start())
    room = hall.sessions["Ann"].table.lobby
    assert room is not None
    assert room.proposal is not None
    assert room.proposal.commitments[hall.key("Fay")] == room.proposal.commitments[hall.key("Eli")]
    _, draw = bodies_sent(hall, "Eli")[:2]
    assert isinstance(draw, Draw)
    first = forger.chain[0]
    entry = seal(fay.me.key, fay.version, first.table, fay.author, 1, first.hash, draw)
    for label in NAMES[:5]:
        hall.give(label, entry.frame, by="Fay")
        assert [(told.peer, told.code) for told in hall.blamed()[label]] == [(hall.key("Fay"), Fault.BAD_COMMITMENT)]
