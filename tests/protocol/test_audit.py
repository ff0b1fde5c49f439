"""The audit of an exported game: what is honest holds; whatever is not, is found, and the right entry is named."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.cards import ALL_KINDS, Card
from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.void import proof_bytes
from p2p_hearts.hearts.hand import seat_in_turn
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.protocol.audit import AuditError, Place, audit, walk
from p2p_hearts.protocol.commands import held
from p2p_hearts.protocol.envelope import open_entry
from p2p_hearts.protocol.errors import Fault, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.export import decode_game
from p2p_hearts.protocol.inputs import Leave
from p2p_hearts.protocol.messages import (
    Accept,
    AdmitPeer,
    Agreement,
    Bots,
    Choice,
    CommitKeys,
    CommitPass,
    DealShares,
    Draw,
    Kitty,
    Mix,
    OpenKeys,
    OpenPass,
    PlayCard,
    Propose,
    Remix,
)
from p2p_hearts.protocol.stages.playing import hidden, make_play, new_claim
from p2p_hearts.protocol.state import Deal
from p2p_hearts.simulation.adversary.registry import find_cheat
from p2p_hearts.simulation.faults import Trouble, draw_incidents
from p2p_hearts.simulation.network import Weather
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.trial import try_cheat
from p2p_hearts.simulation.world import Plan, World
from tests.protocol.files import (
    changed,
    entries_of,
    exported,
    first,
    forged,
    frames_of,
    nudged,
    places_of,
    played,
    put_together,
    session_of,
    signed_on,
    swapped,
    with_header,
)
from tests.protocol.hall import own_of, play, seated


def refused(data: bytes) -> AuditError:
    """What the audit says against a file."""
    with pytest.raises(AuditError) as caught:
        audit(data, TINY)
    return caught.value


def named(error: AuditError) -> Place:
    """The entry that it names."""
    assert error.entry is not None, str(error)
    return error.entry


# honest games


@pytest.mark.parametrize(("peers", "seats", "hands"), [(1, 6, 1), (2, 6, 3), (3, 7, 1), (6, 8, 2), (11, 11, 1)])
def test_an_honest_game_holds(peers: int, seats: int, hands: int) -> None:
    """The file of any peer of a table holds, and says the very result that the peer has signed."""
    world = played(peers, seats, hands)
    for peer in {0, peers - 1}:
        session = world.sessions[peer]
        checked = audit(exported(world, peer), TINY)
        assert checked.result == session.result()
        assert (checked.peers, checked.signed, len(checked.hands)) == (peers, peers, hands)
        assert session.table.game is not None
        assert (checked.table, checked.words) == (session.table.game.table, session.table.game.words)


def test_a_real_game_holds() -> None:
    """A game in the group that is played for real holds, and every proof in it is counted: of each of two peers a key, a
    mix and its shares; of each of six seats three passed cards and a re-shuffle; 102 cards, what they newly claimed, and
    the kitty's one giver."""
    world = played(2, 6, group=RISTRETTO255)
    checked = audit(exported(world))
    assert checked.result == world.sessions[0].result()
    counts = checked.counts
    assert counts.entries == len(entries_of(world))
    assert (counts.plays, counts.shuffles) == (102, 2 + 6)
    voids = sum(isinstance(entry.body, PlayCard) and entry.body.void != b"" for entry in entries_of(world))
    assert voids > 0
    assert counts.proofs == 3 * 2 + 6 * 3 + 6 + 102 + 1 + voids
    assert counts.signatures == counts.entries + 2 + 2 * 2  # and two requests for a seat, and two results of two peers


def test_a_game_file_says_what_it_is() -> None:
    """The file begins with a line to be read and ends with the SHA-256 of all before; the game is not in it twice."""
    world = played(2, 6)
    data = exported(world)
    assert data.startswith(b"p2p-hearts game\n\x00\x01")
    assert data[-32:] == hashlib.sha256(data[:-32]).digest()
    frames = frames_of(data)
    assert len(frames) == len(set(frames)) == len(entries_of(world))


def test_no_file_before_the_end() -> None:
    """A game that has not ended has no file."""
    world = World(played(2, 6).plan)
    world._set_up()
    assert world.sessions[0].export() is None


def test_a_peer_that_left_before_the_start() -> None:
    """Somebody who sat down and left again is in the file, has no effect, and is no reason for doubt."""
    hall = seated(3, bots=4)
    gone = hall.key("Cem")
    hall.do("Cem", Leave())
    hall.wait(1)
    session = play(hall).sessions["Ann"]
    data = session.export()
    assert data is not None
    checked = audit(data, TINY)
    assert checked.result == session.result()
    assert checked.peers == 2
    assert any(open_entry(frame, session.version).author.identity == gone for frame in frames_of(data))


# damaged files


def test_any_changed_byte_of_an_entry_is_found_there() -> None:
    """A byte changed anywhere in an entry is found, and this entry is named."""
    data = exported(played(2, 6))
    for place, (start, size) in enumerate(places_of(data)[1:], 1):
        for at in (start + place * 7919 % size, start + size - 1 - place % 2 * 64):
            assert named(refused(nudged(data, at))).place == place


def test_any_changed_byte_at_all_is_found() -> None:
    """A byte changed anywhere, in header, lengths and hash too, is found."""
    data = exported(played(1, 6))
    header_end = sum(places_of(data)[0])
    for at in (
        *range(24),
        *range(24, header_end, 29),
        *range(header_end, len(data), 997),
        len(data) - 32,
        len(data) - 1,
    ):
        error = refused(nudged(data, at))
        assert error.foreign == (at < 18)  # only there is it no game file of this format any more


def test_every_byte_counts() -> None:
    """Every byte of a file is under its hash, and every byte of an entry under its signature: with one of them changed,
    the file is damaged, and the entry cannot be opened."""
    world = played(1, 6)
    data, version = exported(world), world.sessions[0].version
    for at in range(18, len(data)):
        assert decode_game(nudged(data, at)).flaw is not None
    for frame in frames_of(data):
        for at in range(1, len(frame)):
            with pytest.raises((MalformedError, RemoteProtocolError)):
                open_entry(nudged(frame, at), version)


@pytest.mark.parametrize("length", [0, 10, 17, 18, 30, 60, 500, 5_000, -33, -32, -31, -1])
def test_a_truncated_file_is_found(length: int) -> None:
    """A file cut off anywhere is found."""
    data = exported(played(1, 6))
    error = refused(data[:length])
    assert error.foreign == (0 <= length < 18)
    assert refused(data + b"\0").reason.startswith("The file is damaged")


def test_rubbish_is_refused() -> None:
    """What is no game at all is not called a bad game."""
    for data in (b"", b"{}", b"p2p-hearts game", b"p2p-hearts game\n\x00\x02" + bytes(99)):
        assert refused(data).foreign


def test_a_game_of_the_tiny_group_is_none_to_be_checked() -> None:
    """A game of the simulation's group proves nothing, and is refused with a sentence that says what it is."""
    with pytest.raises(AuditError) as caught:
        audit(exported(played(1, 6)))
    assert caught.value.foreign
    assert "group “tiny61”, not in “ristretto255”: it comes from a simulation" in str(caught.value)


# entries in the wrong place


def test_swapped_entries_of_one_author() -> None:
    """Two entries of one log in the wrong order: the one that comes too early is named."""
    world = played(1, 6)
    entries = entries_of(world)
    error = refused(put_together(world, swapped(entries, 5, 6)))
    assert named(error) == Place(6, "Peer 1", 6, entries[6].kind.name)
    assert "the entry before it in the same log, number 5, is not in the file" in error.reason


def test_an_entry_before_its_phase() -> None:
    """An entry that stands before what it builds on is out of its order: nobody deals before all have agreed."""
    world = played(6, 6)
    entries = entries_of(world)
    last = [place for place, entry in enumerate(entries) if isinstance(entry.body, Agreement)][-1]
    deal = next(
        place
        for place, entry in enumerate(entries)
        if isinstance(entry.body, DealShares) and entry.author != entries[last].author
    )
    moved = [*entries[:last], entries[deal], *entries[last:deal], *entries[deal + 1 :]]
    error = refused(put_together(world, moved))
    assert named(error).place == last + 1
    assert (named(error).kind, error.reason) == (
        "DEAL",
        "it comes before entries that it builds on, or these are not in the file.",
    )


@pytest.mark.parametrize("at", [0, 1, 20, 60])
def test_a_dropped_entry(at: int) -> None:
    """Without an entry, the next one that cannot stand without it is named, also if the hash of the file is right."""
    world = played(1, 6)
    entries = entries_of(world)
    error = refused(put_together(world, entries[:at] + entries[at + 1 :]))
    assert named(error).place == at + 1


def test_an_entry_twice() -> None:
    """An entry that stands in the file a second time is named."""
    world = played(1, 6)
    entries = entries_of(world)
    error = refused(put_together(world, [*entries[:30], entries[12], *entries[30:]]))
    assert (named(error).place, error.reason) == (31, "it is in the file twice.")


def test_a_file_without_its_end() -> None:
    """A file that ends before the result is signed by a majority is none of a finished game."""
    world = played(3, 7)
    entries = entries_of(world)
    accepts = [place for place, entry in enumerate(entries) if isinstance(entry.body, Accept)]
    assert refused(put_together(world, entries[: accepts[-2]])).reason.startswith("The game in this file has not")
    checked = audit(put_together(world, entries[: accepts[-1]]), TINY)
    assert (checked.signed, checked.peers) == (2, 3)


def test_an_entry_of_a_stranger() -> None:
    """An entry by somebody who never had a seat is named, by its key."""
    world, other = played(1, 6), played(2, 6, seed=5)
    stranger = next(entry for entry in entries_of(other)[1:] if entry.seq == 0)
    error = refused(put_together(world, [*entries_of(world), stranger]))
    assert named(error).author == f"the key {stranger.author.identity.hex()[:8]}"
    assert error.reason == "its author has no seat at this table."


# the header


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.__setitem__(1, ((header[1][0][0], "Mallory"), *header[1][1:])),
        lambda header: header.__setitem__(1, header[1][:-1]),
        lambda header: header.__setitem__(2, (("cancel_rule", "no_live_led_card"), *header[2][1:])),
        lambda header: header.__setitem__(3, header[3] - 1),
        lambda header: header.__setitem__(1, 7),
        lambda header: header.append(0),
    ],
)
def test_a_header_that_says_something_else(change: Callable[[list[Any]], None]) -> None:
    """Nothing is believed because the header says it: another name, another rule or another number is found."""
    error = refused(with_header(exported(played(2, 6)), change))
    assert error.entry is None
    assert not error.foreign


def test_another_version() -> None:
    """A game of another version of the protocol is none that could be checked here."""
    data = with_header(exported(played(1, 6)), lambda header: header.__setitem__(0, "p2p-hearts/2/tiny61"))
    error = refused(data)
    assert error.foreign
    assert str(error) == "This game speaks “p2p-hearts/2/tiny61”, this program “p2p-hearts/1/tiny61”."


# forgers among the players


FORGERIES: list[tuple[type, dict[str, Callable[[Any], object]], Fault, str]] = [
    (PlayCard, {"card": lambda b: (b.card + 1) % 52}, Fault.BAD_REVEAL, "it opens to another card"),
    (PlayCard, {"proof": lambda b: nudged(b.proof)}, Fault.BAD_REVEAL, ""),
    (PlayCard, {"position": lambda b: (b.position + 1) % 14}, Fault.BAD_REVEAL, ""),
    (PlayCard, {"seat": lambda b: (b.seat + 1) % 7}, Fault.ILLEGAL_PLAY, "it is another seat's turn"),
    (Choice, {"value": lambda b: replace(b.value, result=nudged(b.value.result))}, Fault.WRONG_RESULT, ""),
    (Accept, {"signature": lambda b: nudged(b.signature)}, Fault.BAD_SIGNATURE, ""),
    (Accept, {"value": lambda b: nudged(b.value)}, Fault.WRONG_RESULT, ""),
    (Mix, {"proof": lambda b: nudged(b.proof)}, Fault.BAD_MIX, ""),
    (Mix, {"deck": lambda b: b.deck[16:] + b.deck[:16]}, Fault.BAD_MIX, ""),
    (DealShares, {"proof": lambda b: nudged(b.proof)}, Fault.BAD_SHARE, ""),
    (DealShares, {"shares": lambda b: b.shares[8:] + b.shares[:8]}, Fault.BAD_SHARE, ""),
    (OpenPass, {"salt": lambda b: nudged(b.salt)}, Fault.BAD_COMMITMENT, ""),
    (Remix, {"rows": lambda b: (replace(b.rows[0], proof=nudged(b.rows[0].proof)), *b.rows[1:])}, Fault.BAD_MIX, ""),
    (Kitty, {"proof": lambda b: nudged(b.proof)}, Fault.BAD_SHARE, ""),
    (Kitty, {"digest": lambda b: nudged(b.digest)}, Fault.WRONG_HEADS, ""),
    (OpenKeys, {"proof": lambda b: nudged(b.proof)}, Fault.BAD_COMMITMENT, ""),
    (OpenKeys, {"answers": lambda b: nudged(b.answers)}, Fault.WRONG_HEADS, ""),
    (Agreement, {"heads": lambda b: b.heads[::-1]}, Fault.WRONG_HEADS, "it agrees to another deck"),
    (Agreement, {"nonce": lambda b: nudged(b.nonce)}, Fault.BAD_COMMITMENT, ""),
    (Draw, {"nonce": lambda b: nudged(b.nonce)}, Fault.BAD_COMMITMENT, ""),
    (Draw, {"answers": lambda b: nudged(b.answers)}, Fault.WRONG_HEADS, ""),
    (Propose, {"lobby": lambda b: nudged(b.lobby)}, Fault.WRONG_HEADS, ""),
    (AdmitPeer, {"join": lambda b: nudged(b.join)}, Fault.MALFORMED, ""),
    (Bots, {"levels": lambda b: (*b.levels[:-1], "grand")}, Fault.MALFORMED, "bots that this table cannot have"),
]
WORDS = {
    Fault.WRONG_HEADS: "builds on other entries than those in the file",
    Fault.WRONG_RESULT: "signed another result than the one that follows from the entries",
}


@pytest.mark.parametrize(("kind", "change", "code", "detail"), FORGERIES)
def test_a_forged_entry_is_named(
    kind: type, change: dict[str, Callable[[Any], object]], code: Fault, detail: str
) -> None:
    """What an author signed instead of what it played is found where it stands, with its author's name and the reason,
    although every signature, chain and hash fits."""
    world = played(3, 7)
    entries = entries_of(world)
    at = first(entries, kind, 1 if kind in {PlayCard, Accept, Mix} else 0)
    old = entries[at]
    error = refused(forged(world, at, changed(old, **{name: value(old.body) for name, value in change.items()})))
    name = session_of(world, old.author).me.name
    assert named(error) == Place(at + 1, name, old.seq, old.kind.name)
    assert error.reason.startswith(f"{name} {WORDS.get(code, code.value)}")
    assert detail in error.reason
    assert str(error).startswith(
        f"Entry {at + 1} of the file, {old.kind.name}, number {old.seq} in the log of {name}: "
    )


def test_a_forged_void_proof_is_named() -> None:
    """A proof of what a play claims of a hand is checked like any other."""
    world = played(3, 7)
    entries = entries_of(world)
    for at in [at for at, entry in enumerate(entries) if isinstance(entry.body, PlayCard) and entry.body.void][::5]:
        body = entries[at].body
        assert isinstance(body, PlayCard)
        for void in (b"", nudged(body.void), body.void[:-8]):
            error = refused(forged(world, at, replace(body, void=void)))
            assert named(error).place == at + 1
            assert Fault.BAD_VOID.value in error.reason


@pytest.mark.parametrize("kind", [CommitKeys, CommitPass])
def test_a_forged_commitment_is_found_by_whoever_answers_it(kind: type) -> None:
    """A commitment changed afterwards is found at the first opening, which names the set of commitments it answers."""
    world = played(3, 7)
    entries = entries_of(world)
    at = first(entries, kind)
    field = "key" if kind is CommitKeys else "commitment"
    error = refused(forged(world, at, changed(entries[at], **{field: bytes(32)})))
    assert named(error).kind == ("OPEN_KEYS" if kind is CommitKeys else "OPEN_PASS")
    assert "builds on other entries than those in the file" in error.reason


@pytest.mark.parametrize("length", [0, 1])
def test_a_revoke(length: int) -> None:
    """A seat that lays off although it could follow is found at that play: it has no proof that it holds none of the suit,
    and one made up does not hold."""
    world = played(1, 6)
    session = world.sessions[0]
    me, own = session.author.identity, own_of(session)
    before, deal, card = _could_revoke(world)
    assert deal.hand is not None
    seat = seat_in_turn(deal.hand)
    claim = new_claim(deal.hand, seat, card)
    made_up = bytes(length * proof_bytes(TINY, len(hidden(deal, seat)), ALL_KINDS & ~claim))
    liar = replace(own, voids={(seat, deal.hand.trick, claim): made_up})
    body = make_play(TINY, deal, me, liar, seat, card, seeded(b"revoke"))
    error = refused(put_together(world, signed_on(world, entries_of(world)[:before], session.author, [body])))
    assert named(error).place == before + 1
    assert error.reason.startswith(f"Peer 1 {Fault.BAD_VOID.value}")


def _could_revoke(world: World) -> tuple[int, Deal, Card]:
    """The first time that a seat had to follow suit and held another one: entries before, the hand, and such a card."""
    own = own_of(world.sessions[0])
    for before, step in enumerate(walk(exported(world), TINY)):
        deal = step.before.deal
        if deal is not None and deal.hand is not None and isinstance(step.entry.body, PlayCard) and deal.hand.table:
            cards = held(deal, own, step.entry.body.seat)
            barred = [card for card in cards if card not in legal_plays(deal.hand, cards)]
            if barred:
                return before, deal, barred[0]
    raise AssertionError


def test_a_left_out_entry_of_a_whole_chain() -> None:
    """An author that signs its log anew without one of its plays is found at the next play."""
    world = played(3, 7)
    entries = entries_of(world)
    at = first(entries, PlayCard, 5)
    error = refused(forged(world, at, None))
    assert named(error).place == at + 1
    assert named(error).kind == "PLAY"


def test_walking_checks_all_but_long_proofs() -> None:
    """Whoever only watches is shown no card that was not played: all is checked but the proofs of shuffles and shares."""
    world = played(3, 7)
    entries = entries_of(world)
    at = first(entries, PlayCard, 9)
    with pytest.raises(AuditError):
        list(walk(forged(world, at, changed(entries[at], card=51)), TINY))
    assert len(list(walk(exported(world), TINY))) == len(entries)


# nothing else leaves it


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes(rubbish: bytes, whole: bool) -> None:  # noqa: FBT001 - Hypothesis draws it
    """Whatever the bytes, only an AuditError leaves."""
    data = exported(played(1, 6))
    with pytest.raises(AuditError):
        audit(data[:18] + rubbish if whole else rubbish, TINY)


@given(st.data())
def test_any_signed_entry(data: st.DataObject) -> None:
    """Whatever a player signs into its log, the audit says whether it holds, and fails in no other way."""
    world = played(2, 6)
    entries = entries_of(world)
    kind = data.draw(st.sampled_from(sorted({entry.kind for entry in entries})))
    at = data.draw(st.sampled_from([place for place, entry in enumerate(entries) if entry.kind is kind]))
    body = entries[at].body
    shape = [field.name for field in fields(body)]
    if shape:
        name = data.draw(st.sampled_from(shape))
        body = changed(entries[at], **{name: _other(data, getattr(body, name))})
    with suppress(AuditError):
        audit(forged(world, at, body), TINY)


def _other(data: st.DataObject, value: Any) -> object:
    """Another value of the same type."""
    if isinstance(value, int):
        return data.draw(st.sampled_from([0, 1, value + 1, abs(value - 1), 2**16, 255]))
    if isinstance(value, str):
        return data.draw(st.sampled_from(["", value + "x", "\x1b[2J", "add", "subtract"]))
    if isinstance(value, bytes):
        at = data.draw(st.integers(0, max(0, len(value) - 1)))
        return data.draw(
            st.sampled_from([b"", bytes(len(value)), value[:-8], nudged(value or b"x", at), value + bytes(8)])
        )
    assert isinstance(value, tuple)
    return data.draw(st.sampled_from([(), value[:-1], value[::-1], (*value, *value[:1])]))


CHEATED = (
    "duplicated-card",
    "unfit-piece",
    "two-decks",
    "two-tricks",
    "revoke",
    "withhold-play",
    "complaint-of-the-delegate",
)


@pytest.mark.parametrize("name", CHEATED)
def test_a_game_in_which_somebody_cheated(name: str) -> None:
    """What a cheat has left in the logs (of deals that were given up, or void), spoils no file of the honest: each checks out, with the one
    result that they have signed."""
    plan = Plan(4, 6, 1, 1, group=TINY)
    tries = (try_cheat(replace(plan, seed=seed), find_cheat(name)) for seed in range(1, 17))
    done = next(each for each in tries if each.tried)
    for session in done.honest:
        data = session.export()
        assert data is not None
        checked = audit(data, TINY)
        assert checked.result == session.result()


@pytest.mark.parametrize("seed", [2, 7])
def test_a_game_of_who_came_back(seed: int) -> None:
    """Who went on without the others, was left out and came back has entries in its file, from before that decision, which do
    not count; its file checks out all the same."""
    counts = {Trouble.PARTITION: 1, Trouble.ONEWAY: 1, Trouble.JUMP: 2, Trouble.RESTART: 1}
    troubles = draw_incidents(seed, 5, counts, (1, 25), 5)
    weather = Weather(loss=0.02, delay=0.02)
    world = World(Plan(5, 6, 2, seed, TINY, weather, think=0.3, grace=5, incidents=troubles, patience=600))
    world.run()
    results = [session.result() for session in world.sessions]
    assert results[0] is not None
    for session, result in zip(world.sessions, results, strict=True):
        data = session.export()
        assert data is not None
        assert (result or {})["digest"] == results[0]["digest"]
        assert audit(data, TINY).result == result
