"""What must not leave before its time: nothing is opened before all have committed, no share leaves before all have agreed on
the deck, no kitty before all are known to hold the trick that took it; and nothing at all before it is in the journal."""

import pytest

from p2p_hearts.protocol.envelope import Tag, open_entry
from p2p_hearts.protocol.inputs import Start
from p2p_hearts.protocol.messages import Kind
from tests.protocol.hall import NAMES, Hall, play, seated


def kind_of(hall: Hall, frame: bytes) -> Kind | None:
    """The kind of an entry, or None."""
    return open_entry(frame, hall.sessions["Ann"].version).kind if frame[0] == Tag.ENTRY else None


def written(hall: Hall) -> dict[str, set[Kind]]:
    """Which kinds of entries everybody has written."""
    logs = {label: session.logs.log(session.author) for label, session in hall.sessions.items()}
    return {label: {entry.kind for entry in log.entries} for label, log in logs.items()}


@pytest.mark.parametrize(
    ("withheld", "barred"),
    [
        (Kind.AGREE, Kind.DRAW),
        (Kind.DRAW, Kind.CHOICE),
        (Kind.COMMIT_KEYS, Kind.OPEN_KEYS),
        (Kind.OPEN_KEYS, Kind.MIX),
        (Kind.AGREEMENT, Kind.DEAL),
        (Kind.DEAL, Kind.COMMIT_PASS),
        (Kind.COMMIT_PASS, Kind.OPEN_PASS),
        (Kind.OPEN_PASS, Kind.REMIX),
        (Kind.REMIX, Kind.PLAY),
    ],
    ids=lambda kind: kind.name.lower(),
)
def test_nothing_before_all_are_in(withheld: Kind, barred: Kind) -> None:
    """As long as one entry of one peer is missing at somebody, that somebody does not go on: what the others would then see
    of it is what a cheat that speaks last is after."""
    hall = seated(6)
    hall.meddle = lambda by, to, frame: (
        () if to == "Bob" and by == "Fay" and kind_of(hall, frame) is withheld else (frame,)
    )
    hall.level = "uniform"
    hall._step("Ann", Start())
    hall.calm()
    assert barred not in written(hall)["Bob"]
    assert withheld in written(hall)["Bob"] or withheld in {Kind.DRAW, Kind.AGREE}
    hall.meddle = None
    hall.wait(6)
    assert barred in set().union(*written(hall).values())
    assert not any(hall.blamed().values())


def test_no_share_at_all_before_all_agreements() -> None:
    """If nobody hears the agreement of one, nobody but that one sends a share."""
    hall = seated(6)
    hall.meddle = lambda by, _to, frame: () if by == "Fay" and kind_of(hall, frame) is Kind.AGREEMENT else (frame,)
    hall.do("Ann", Start())
    assert [label for label, kinds in written(hall).items() if Kind.DEAL in kinds] == ["Fay"]
    assert all(label == "Fay" or Kind.AGREEMENT in kinds for label, kinds in written(hall).items())


def test_the_kitty_waits_for_all() -> None:
    """Nobody sends its shares of the kitty before it has heard of every member that it holds the trick which took it."""
    hall = seated(6, bots=1)
    silent = "Dia"
    hall.meddle = lambda by, _to, frame: () if by == silent and frame[0] == Tag.HEARTBEAT else (frame,)
    play(
        hall,
        lambda: any(d.kitty_digest for s in hall.sessions.values() for d in s.table.deals.values()),
    )
    senders = {label for label, kinds in written(hall).items() if Kind.KITTY in kinds}
    assert senders <= {silent}
    hall.meddle, hall.level = None, None  # the hand rests
    hall._queue.clear()
    hall.wait(4)
    deal = hall.sessions["Ann"].table.deal
    assert deal is not None
    assert deal.hand is not None
    assert deal.hand.kitty_seat is not None
    winner = deal.operators[deal.hand.kitty_seat]
    senders = {label for label, kinds in written(hall).items() if Kind.KITTY in kinds}
    assert senders == {label for label in NAMES[:6] if hall.key(label) != winner}


def test_the_journal_comes_first() -> None:
    """Every entry of ours that leaves is in the journal of that step or of one before; so is every entry that we accept, once,
    in the order of its log."""
    hall = play(seated(6, hands=2))
    for label, story in hall.story.items():
        kept: set[bytes] = set()
        for frames, journal in story:
            kept |= {record.frame for record in journal}
            mine = {frame for frame in frames if frame[0] == Tag.ENTRY}
            assert mine <= kept
        records = [record for _, journal in story for record in journal]
        assert len(kept) == len(records)
        for session in hall.sessions.values():
            of = [record for record in records if record.author == session.author.identity]
            assert [record.seq for record in of] == list(range(len(of)))
            assert all(record.own == (session is hall.sessions[label]) for record in of)
        assert any(record.secret for record in records)
        assert not any(record.secret for record in records if not record.own)
