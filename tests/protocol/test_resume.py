"""A program that ends in the middle of a game and starts again (`protocol/log.md`, P141): with its journal it goes on in the
same hand; with less than others hold of its log it comes back under a new one; and it never signs two entries of one number."""

import pytest

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.envelope import Tag, open_entry
from p2p_hearts.protocol.events import Duty, Refused, Turn
from p2p_hearts.protocol.inputs import JobDone, Play, Start
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.output import Record
from p2p_hearts.protocol.resume import ResumeError, resume_table
from p2p_hearts.protocol.session import Session
from tests.protocol.hall import NAMES, Hall, play, seated

KINDS = (
    Kind.COMMIT_KEYS,
    Kind.OPEN_KEYS,
    Kind.ESCROW,
    Kind.MIX,
    Kind.AGREEMENT,
    Kind.DEAL,
    Kind.COMMIT_PASS,
    Kind.OPEN_PASS,
    Kind.REMIX,
    Kind.PLAY,
    Kind.KITTY,
    Kind.ACCEPT,
)


def wrote(hall: Hall, kind: Kind, label: str = "Bob") -> bool:
    """Whether a program has just written an entry of this kind in a hand."""
    session = hall.sessions[label]
    log = session.logs.log(session.author).entries
    return bool(log) and log[-1].kind is kind and getattr(log[-1].body, "hand", 0) > 0


def until_written(kind: Kind, *, hands: int = 1) -> Hall:
    """A table of six and a bot, at the moment when Bob has written its first entry of this kind in a hand."""
    hall = seated(6, bots=1, hands=hands)
    play(hall, lambda: wrote(hall, kind))
    assert wrote(hall, kind)
    return hall


def goes_on(hall: Hall, seconds: float = 20, *, signed: int = 6) -> None:
    """All come to one signed result, nobody is blamed, and nobody has signed two entries of one number."""
    hall.wake("uniform")
    for _ in range(round(seconds)):
        hall.wait(1)
        if all(session.settled() for session in hall.sessions.values()):
            break
    results = [session.result() for session in hall.sessions.values()]
    assert results[0] is not None
    assert all(result == results[0] for result in results)
    assert len(results[0]["signatures"]) == signed
    assert not any(hall.blamed().values())
    one_entry_a_number(hall)


def one_entry_a_number(hall: Hall) -> None:
    """Of all that was ever sent no two entries have the same author, incarnation and number."""
    signed: dict[object, bytes] = {}
    for _, _, frame in hall.frames:
        if frame[0] == Tag.ENTRY:
            entry = open_entry(frame, hall.sessions["Ann"].version)
            assert signed.setdefault((entry.author, entry.seq), entry.hash) == entry.hash
    assert not any(session.logs.forks for session in hall.sessions.values())


@pytest.mark.parametrize("unsent", [False, True], ids=["sent", "unsent"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name.lower())
def test_killed_after_an_entry(kind: Kind, *, unsent: bool) -> None:
    """Killed right after any entry of its own was written to disk, whether or not it left, a program that is back within the
    grace goes on with its log in the same hand, and takes part to the end."""
    hall = until_written(kind)
    before = hall.sessions["Bob"]
    attempt = before.table.deals[1].attempt
    hall.crash("Bob", unsent=unsent)
    hall.wait(2)
    again = hall.restart("Bob")
    assert again.author == before.author
    goes_on(hall)
    assert again.author == before.author
    assert again.table.deals[1].attempt == attempt
    assert not again.table.removals


def test_nothing_is_signed_before_others_were_heard() -> None:
    """After the start nothing is written, and no command taken, before enough of the others have said how far they know our
    log; then everything goes on."""
    hall = until_written(Kind.PLAY)
    hall.crash("Bob")
    hall.meddle = lambda _by, to, frame: () if to == "Bob" else (frame,)
    again = hall.restart("Bob")
    held = again.logs.length(again.author)
    hall.wait(5)
    assert again.waking
    assert again.logs.length(again.author) == held
    told = hall.do("Bob", Play(0, 0))
    assert told == [Refused("The others are being asked where the game stands: try again in a moment.")]
    hall.meddle = None
    goes_on(hall)
    assert not again.waking


def test_the_same_cards() -> None:
    """The hand that comes back is the hand that was dealt: same cards, same places, asked anew for what is owed."""
    hall = until_written(Kind.PLAY)
    before = hall.sessions["Bob"].scene().view
    hall.crash("Bob")
    hall.level = None
    hall.restart("Bob")
    hall.wait(3)
    after = hall.sessions["Bob"].scene().view
    assert before is not None
    assert after is not None
    assert after.held == before.held
    assert len(after.held) == 13


@pytest.mark.parametrize("lost", [1, 3])
def test_a_journal_that_has_lost_its_end(lost: int) -> None:
    """If others hold more of its log than its journal, a program signs nothing more in that log: it comes back under a new
    one, in the next hand, with its seat; nobody is blamed."""
    hall = until_written(Kind.PLAY, hands=2)
    before = hall.sessions["Bob"].author
    records = hall.disk["Bob"]
    own = [place for place, record in enumerate(records) if record.own]
    hall.crash("Bob")
    hall.wait(2)
    again = hall.restart("Bob", [record for place, record in enumerate(records) if place not in own[-lost:]])
    hall.wait(1.5)
    assert again.author.identity == before.identity
    assert again.author.incarnation != before.incarnation
    goes_on(hall, 60)
    assert again.table.peer(before.identity) is not None
    assert again.table.author(before.identity) == again.author
    assert hall.key("Bob") in again.table.deals[2].present


def test_a_copied_journal() -> None:
    """Two programs with one key and one journal: the second sees that the first goes on, and does not sign in its log. Nobody
    is blamed, least of all the owner."""
    hall = until_written(Kind.PLAY, hands=2)
    records = list(hall.disk["Bob"])
    hall.calm(
        lambda: hall.sessions["Bob"].logs.length(hall.sessions["Bob"].author) > len([r for r in records if r.own])
    )
    hall.restart("Bob", records)  # the first one's links go to the second, as after a change of address
    for _ in range(60):
        hall.wait(1)
    assert not any(hall.blamed().values())
    one_entry_a_number(hall)


def test_all_are_killed_and_come_back() -> None:
    """With all programs gone the hand waits on their disks; any majority of them goes on with it, the same cards and all."""
    hall = until_written(Kind.PLAY)
    digest = hall.sessions["Ann"].table.deals[1].cut
    for label in NAMES[:6]:
        hall.crash(label)
    hall.now += 3_600.0
    for label in NAMES[:6]:
        hall.restart(label)
    goes_on(hall, 40)
    assert all(session.table.deals[1].cut == digest for session in hall.sessions.values())


def test_two_at_once() -> None:
    """Two of six are killed together, in the middle of a trick."""
    hall = until_written(Kind.PLAY)
    for label in ("Bob", "Dia"):
        hall.crash(label)
    hall.wait(4)
    for label in ("Bob", "Dia"):
        hall.restart(label)
    goes_on(hall, 40)


def test_back_after_the_grace() -> None:
    """Who comes back later than the grace finds its hand played by a delegate, keeps its log, asks for its place with RETURN,
    and has its seat in the next hand."""
    hall = until_written(Kind.PLAY, hands=2)
    before = hall.sessions["Bob"].author
    hall.crash("Bob")
    hall.level = None  # the others think about their cards
    hall.wait(34)
    delegate = hall.sessions["Ann"].table.deals[1].delegates[before.identity]
    assert delegate in {hall.key(label) for label in NAMES[:6] if label != "Bob"}
    again = hall.restart("Bob")
    hall.wait(3)
    assert before.identity in hall.sessions["Ann"].table.returning
    assert not [event for event in hall.heard["Bob"][-5:] if isinstance(event, Refused)]
    goes_on(hall, 60)
    assert again.author == before
    assert again.table.removals == {before.identity: 1}
    assert before.identity in again.table.deals[2].present


# what cannot be gone on with


def resumed(hall: Hall, records: list[Record]) -> Session:
    """What a program makes of these records."""
    return resume_table(records, hall.sessions["Bob"].me, seeded(b"again"), hall.now, hall.group)[0]


def test_before_the_start() -> None:
    """There is nothing to go on with at a table that had not begun."""
    hall = seated(6)
    with pytest.raises(ResumeError, match="had not begun"):
        resumed(hall, hall.disk["Bob"])
    with pytest.raises(ResumeError, match="had not begun"):
        resumed(hall, [])


def test_after_the_end() -> None:
    """What a journal says of the last hand is checked again; then the game is over, with the same result."""
    hall = seated(6)
    play(hall)
    before = hall.sessions["Bob"].result()
    again, output = resume_table(hall.disk["Bob"], hall.sessions["Bob"].me, seeded(b"again"), hall.now, hall.group)
    jobs = list(output.jobs)
    while jobs:
        job = jobs.pop(0)
        jobs += again.step(JobDone(job.number, job.run()), hall.now).jobs
    assert again.table.over
    assert before is not None
    assert (again.result() or {})["digest"] == before["digest"]


@pytest.mark.parametrize("spoil", [lambda frame: frame[:-1], lambda frame: frame[:-1] + bytes((frame[-1] ^ 1,))])
def test_a_spoiled_journal(spoil: object) -> None:
    """One sentence, whatever is wrong with it."""
    assert callable(spoil)
    hall = until_written(Kind.PLAY)
    records = list(hall.disk["Bob"])
    old = records[20]
    changed = Record(
        old.author, old.incarnation, old.seq, spoil(old.frame), own=old.own, secret=old.secret, hand=old.hand
    )
    with pytest.raises(ResumeError, match="cannot be read"):
        resumed(hall, [*records[:20], changed, *records[21:]])


def test_asked_again() -> None:
    """After a restart on its own turn a player is asked again."""
    hall = seated(6)

    def my_turn() -> bool:
        asked = [event for event in hall.heard["Bob"] if isinstance(event, Turn)]
        return bool(asked) and asked[-1].duty is Duty.PLAY

    hall.level = "uniform"
    hall._step("Ann", Start())
    hall.calm(my_turn)
    hall.crash("Bob")
    hall.heard["Bob"].clear()
    hall.level = None
    hall.restart("Bob")
    hall.wait(2)
    assert [event.duty for event in hall.heard["Bob"] if isinstance(event, Turn)] == [Duty.PLAY]
