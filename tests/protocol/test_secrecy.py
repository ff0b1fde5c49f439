"""Nobody sees another's card: every byte that a peer receives in a hand, with all that the peer keeps to itself, opens no
card of another seat before it is played, and the kitty to nobody but who has won it.

The detector is in `watcher.py`; that it is one is shown by giving it a share too many."""

from collections import Counter
from dataclasses import dataclass

import pytest

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.protocol.envelope import seal
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import CardsReceived, Event, KittyRead, Turn
from p2p_hearts.protocol.inputs import Start
from p2p_hearts.protocol.messages import DealShares
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.stages.dealing import shared_slots
from p2p_hearts.protocol.state import Deal
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World
from tests.protocol.hall import NAMES, own_of, seated
from tests.protocol.watcher import Read, readable, unlawful

WATCHER, LEAKY = 1, 3
NO_SUCH_TAG = b"\x63"  # a frame that every Session ignores


@pytest.fixture(autouse=True)
def kept_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody forgets its keys here, so that the detector can be told after the hand what each share would have been."""
    monkeypatch.setattr(Own, "spend", lambda own: own)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A whole hand: the Sessions as they are afterwards, what each received, and what each was told."""

    sessions: list[Session]
    frames: list[list[bytes]]
    heard: list[list[Event]]

    def read_by(self, peer: int) -> list[Read]:
        """All that one peer could read."""
        others = [session for session in self.sessions if session is not self.sessions[peer]]
        return readable(self.sessions[peer], others, 1, self.frames[peer])

    def unlawful(self, peer: int) -> list[Read]:
        """What of it is not for this peer's eyes."""
        return unlawful(self.sessions[peer], 1, self.read_by(peer), self.frames[peer])


def recorded(peers: int, seats: int, group: Group, cycle: str = "L", leak: str | None = None) -> Recorded:
    """A recording of one hand; with `leak`, some peers send the watcher more than they should."""
    overrides = (("pass_cycle", cycle),)
    world = World(Plan(peers, seats, hands=1, seed=peers * seats, group=group, overrides=overrides))
    frames: list[list[bytes]] = [[] for _ in range(peers)]
    heard: list[list[Event]] = [[] for _ in range(peers)]
    world.tap = lambda _sender, to, frame: frames[to].append(frame)
    world.watch = lambda _time, peer, event: heard[peer].append(event)
    if leak is not None:
        told: set[tuple[int, int]] = set()

        def meddle(sender: int, to: int, frame: bytes) -> tuple[bytes, ...]:
            deal = world.sessions[sender].table.deals.get(1)
            leaks = leak == "kitty" or (sender, to) == (LEAKY, WATCHER)
            if not leaks or (sender, to) in told or deal is None or deal.hand is None:
                return (frame,)
            told.add((sender, to))
            return (NO_SUCH_TAG + b"padding" + too_much(world.sessions[sender], deal, leak), frame)

        world.meddle = meddle
    world.run()
    assert all(session.result() for session in world.sessions)
    return Recorded(world.sessions, frames, heard)


def too_much(leaky: Session, deal: Deal, leak: str) -> bytes:
    """Shares that a peer must not give away at the beginning of the play."""
    own = own_of(leaky)
    last = deal.seats_of(leaky.author.identity)[-1]
    free = next(place for place in reversed(range(deal.size)) if place not in deal.laid[last])
    cards = {
        "slot": [deal.slots[last * deal.size + free]],
        "row": [deal.rows[last][free]],
        "hand": list(deal.slots[last * deal.size : (last + 1) * deal.size]),
        "kitty": list(deal.slots[deal.seats * deal.size :]),
    }[leak]
    return b"".join(leaky.group.mult(own.key.secret, card.a) for card in cards)


@pytest.mark.parametrize(
    ("peers", "seats", "group", "cycle"),
    [
        (6, 6, TINY, "L"),
        (6, 7, TINY, "R"),
        (6, 7, TINY, "N"),
        (3, 8, TINY, "L"),
        (2, 11, TINY, "L3"),
        (11, 11, TINY, "L"),
        (6, 7, RISTRETTO255, "L"),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_nobody_reads_what_is_not_for_him(peers: int, seats: int, group: Group, cycle: str) -> None:
    """Each peer can read its own cards, every card once it is played, the kitty once it has won it; and nothing else."""
    hand = recorded(peers, seats, group, cycle)
    for peer, session in enumerate(hand.sessions):
        assert hand.unlawful(peer) == []
        read_all_that_it_may(session, hand.read_by(peer))


def read_all_that_it_may(session: Session, read: list[Read]) -> None:
    """The detector is not blind: it reads whatever may be read, and reads it right."""
    deal, own = session.table.deals[1], own_of(session)
    assert deal.hand is not None
    rows = {(one.lying.seat, one.lying.place): one.card for one in read if one.lying.what == "row"}
    mine = deal.seats_of(session.author.identity)
    shown = {(seat, place) for seat, places in enumerate(deal.laid) for place in places}
    assert rows.keys() == shown | {(seat, place) for seat in mine for place in range(deal.size)}
    played = Counter(card for trick in deal.hand.tricks for card in trick.cards) + Counter(deal.hand.table)
    assert Counter(rows[where] for where in shown) == played
    for seat in mine:
        assert tuple(rows[seat, place] for place in range(deal.size)) == own.cards[seat]
    kitty = tuple(sorted(one.card or 0 for one in read if one.lying.seat is None))
    assert kitty == own.kitty.get(-1 if deal.hand.kitty_seat is None else deal.hand.kitty_seat, ())


def test_what_the_player_is_told() -> None:
    """What a Session tells its driver of hidden cards are those of the seats it operates."""
    hand = recorded(3, 7, TINY)
    for session, told in zip(hand.sessions, hand.heard, strict=True):
        mine = set(session.table.deals[1].seats_of(session.author.identity))
        hidden = [event for event in told if isinstance(event, Turn | CardsReceived | KittyRead)]
        assert {event.seat for event in hidden} == mine
        assert {event.view.seat for event in hidden if isinstance(event, Turn)} == mine
        assert own_of(session).cards.keys() == mine
        view = session.scene().view
        assert view is not None
        assert view.seat in mine


@pytest.mark.parametrize("group", [TINY, RISTRETTO255], ids=lambda group: group.name)
@pytest.mark.parametrize("leak", ["slot", "row"])
def test_one_share_too_many_is_found(leak: str, group: Group) -> None:
    """If one peer sends the watcher a single share of one of its own cards, in whatever frame, the same detector reads
    that very card; the other peers, who did not get it, read nothing."""
    hand = recorded(6, 6, group, leak=leak)
    found = hand.unlawful(WATCHER)
    deal = hand.sessions[LEAKY].table.deals[1]
    assert {(one.lying.what, deal.operators[one.lying.seat or 0]) for one in found} == {
        (leak, hand.sessions[LEAKY].author.identity)
    }
    (one,) = found
    assert one.card in range(52)
    if leak == "row":
        assert own_of(hand.sessions[LEAKY]).cards[one.lying.seat or 0][one.lying.place] == one.card
    for peer in (0, 2, 4, 5):
        assert hand.unlawful(peer) == []


def test_a_whole_hand_given_away_is_found() -> None:
    """If a peer sends the shares of all its own slots too, the detector reads the whole hand as it was dealt."""
    hand = recorded(6, 6, TINY, leak="hand")
    found = hand.unlawful(WATCHER)
    assert len(found) == 17
    assert all(one.lying.what == "slot" and one.card is not None for one in found)


def test_kitty_shares_too_early_are_found() -> None:
    """If all send their shares of the kitty at the first card, whoever has not won it can read it."""
    hand = recorded(6, 7, TINY, leak="kitty")
    deal = hand.sessions[0].table.deals[1]
    assert deal.hand is not None
    assert deal.hand.kitty_seat is not None
    for peer, session in enumerate(hand.sessions):
        if session.author.identity != deal.operators[deal.hand.kitty_seat]:
            found = hand.unlawful(peer)
            assert [(one.lying.what, one.lying.seat) for one in found] == [("slot", None)] * 6
            assert all(one.card is not None for one in found)


def test_a_share_too_many_in_its_own_message() -> None:
    """A peer whose deal holds one share more than it owes shows a card to the detector, and is convicted by everybody."""
    hall = seated(6)
    cheat, watcher = hall.sessions["Dia"], hall.sessions["Bob"]

    def is_deal(frame: bytes) -> bool:
        log = cheat.logs.log(cheat.author).entries
        return any(isinstance(entry.body, DealShares) and entry.frame == frame for entry in log)

    hall.meddle = lambda sender, _to, frame: () if sender == "Dia" and is_deal(frame) else (frame,)
    hall.do("Ann", Start())
    others = [session for session in hall.sessions.values() if session is not watcher]

    def seen() -> list[Read]:
        frames = [frame for _, to, frame in hall.frames if to == "Bob"]
        return unlawful(watcher, 1, readable(watcher, others, 1, frames), frames)

    deal, log = watcher.table.deals[1], cheat.logs.log(cheat.author).entries
    honest = log[-1]
    assert isinstance(honest.body, DealShares)
    assert seen() == []
    own_slot = next(slot for slot in range(104) if slot not in shared_slots(deal, cheat.author.identity))
    share = cheat.group.mult(own_of(cheat).key.secret, deal.slots[own_slot].a)
    body = DealShares(1, 0, 0, honest.body.part, honest.body.shares + share, honest.body.proof)
    entry = seal(cheat.me.key, cheat.version, honest.table, cheat.author, honest.seq, honest.prev, body)
    for label in NAMES[:6]:
        if label != "Dia":
            hall.give(label, entry.frame, by="Dia")
            assert [(told.peer, told.code) for told in hall.blamed()[label]] == [(hall.key("Dia"), Fault.MALFORMED)]
    (one,) = seen()
    assert one.lying.place == own_slot
    assert one.card in range(52)
