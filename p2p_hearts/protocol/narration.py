"""What has happened between two states of the table, told as events. Pure: the story follows from the two states."""

from p2p_hearts.cards import Card
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.score import trick_points
from p2p_hearts.protocol.events import (
    DealProgressed,
    ElectionBegan,
    Event,
    GameEnded,
    HandAnnulled,
    HandOpened,
    HandReopened,
    HandScored,
    LobbyChanged,
    MoonShot,
    PeerLeft,
    PeerLost,
    Played,
    ResultSigned,
    Seated,
    SeatPassed,
    TrickEnded,
)
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.state import Deal, Lobby, Table

_STEPS = {
    Kind.OPEN_KEYS: "key",
    Kind.MIX: "mixed",
    Kind.AGREEMENT: "agreed",
    Kind.DEAL: "dealt",
}


def tell(before: Table, after: Table) -> tuple[Event, ...]:
    """The events that lead from one state to the next, in order."""
    gone = after.left - before.left
    if after.game is not None or after.lobby is None:
        events: list[Event] = [PeerLeft(peer) for peer in sorted(gone)]
    else:  # by name, since it is off the roster as soon as the host has heard of it
        events = [LobbyChanged(f"{peer.name} has left the table.") for peer in after.peers if peer.identity in gone]
        events += _lobby(before.lobby, after.lobby, before.left)
    if before.game is None and after.game is not None:
        events += [Seated(after.game.words), HandOpened(1, after.game.first_dealer)]
    for number in sorted(before.deals.keys() & after.deals.keys()):
        if before.deals[number] is not after.deals[number] and number == before.number:
            events += _deal(before.deals[number], after.deals[number])
    if before.game is not None and after.game is not None and before.peers != after.peers:
        known = {peer.identity for peer in before.peers}
        events += [LobbyChanged(f"{peer.name} sits down.") for peer in after.peers if peer.identity not in known]
    events += _membership(before.deal, after.deal)
    for each in after.annulled[len(before.annulled) :]:
        events.append(HandAnnulled(each.number, each.charged, after.scores))
    for row in after.sheet[len(before.sheet) :]:
        events.append(HandScored(row.number, row.points, after.scores, row.unclaimed, row.moon, row.choice))
        following = after.deals.get(row.number + 1)
        if after.over:
            events.append(GameEnded(after.winners))
        elif following is not None:
            events.append(HandOpened(following.number, following.dealer))
    if signed(after) and not signed(before):
        events.append(ResultSigned())
    return tuple(events)


def _membership(before: Deal | None, after: Deal | None) -> list[Event]:
    """Who the current hand goes on without, and whether its deck is made again."""
    if before is None or after is None or before.number != after.number:
        return []
    events: list[Event] = [PeerLost(peer) for peer in before.present if peer not in after.present]
    return [*events, HandReopened(after.number)] if before.attempt != after.attempt else events


def signed(table: Table) -> bool:
    """Whether the game is over and every peer has signed its result."""
    deal = table.deal
    if not table.over or deal is None:
        return False
    waited_for = frozenset(deal.present) - table.left
    given_up = deal.decision.fallen is None
    return given_up or waited_for <= deal.decision.signatures.keys()


def _lobby(before: Lobby | None, after: Lobby, told: frozenset[bytes]) -> list[Event]:
    """What has changed before the start; of whom it is `told` already that they have left, it is not told again."""
    if before is None:
        return [LobbyChanged(f"This is the table “{after.title}”.")]
    old = {peer.identity: peer.name for peer in before.peers}
    new = {peer.identity: peer.name for peer in after.peers}
    texts = [f"{name} sits down." for key, name in new.items() if key not in old]
    texts += [f"{name} has left the table." for key, name in old.items() if key not in new and key not in told]
    if before.host != after.host:
        texts.append(f"{new[after.host.identity]} is the host now.")
    if before.bots != after.bots:
        count = len(after.bots)
        texts.append(f"{count} {'seat is' if count == 1 else 'seats are'} given to bots.")
    if (before.preset, before.overrides) != (after.preset, after.overrides):
        texts.append("The host has changed the rules.")
    events: list[Event] = [LobbyChanged(text) for text in texts]
    if after.proposal is not None and (before.proposal is None or before.proposal.number != after.proposal.number):
        events.append(ElectionBegan())
    return events


def _deal(before: Deal, after: Deal) -> list[Event]:
    events: list[Event] = []
    if before.sent is not after.sent:
        for kind, step in _STEPS.items():
            events += [DealProgressed(peer, step) for peer in _new(before, after, kind)]
    if before.verified is not after.verified:
        checked = after.verified.get(Kind.MIX, frozenset()) - before.verified.get(Kind.MIX, frozenset())
        events += [DealProgressed(peer, "verified") for peer in sorted(checked)]
    if before.sent is not after.sent:
        for peer in _new(before, after, Kind.COMMIT_PASS):
            events += [SeatPassed(seat) for seat in after.seats_of(peer)]
    if before.hand is not None and after.hand is not None and before.hand is not after.hand:
        events += _play(before.hand, after.hand)
    if before.score is None and after.score is not None and after.score.moon is not None:
        events.append(MoonShot(after.score.moon))
    return events


def _new(before: Deal, after: Deal, kind: Kind) -> list[bytes]:
    """Whose entries of a kind have come."""
    known, now = before.done(kind), after.done(kind)
    return [] if known is now else [peer for peer in now if peer not in known]


def _laid(hand: Hand) -> int:
    return len(hand.tricks) * hand.seats + len(hand.table)


def _play(before: Hand, after: Hand) -> list[Event]:
    """One card was laid; it may have ended the trick. A hand that was gone through again tells nothing of its cards."""
    if _laid(after) != _laid(before) + 1:
        return []
    seat = (before.leader + len(before.table)) % before.seats
    if len(after.tricks) == len(before.tricks):
        return [Played(seat, after.table[-1], after.trick)]
    trick = after.tricks[-1]
    card: Card = trick.cards[-1]
    points = trick_points(after.options, trick)
    number = len(after.tricks)
    return [
        Played(seat, card, number),
        TrickEnded(number, trick.leader, trick.cards, trick.winner, trick.cancelled, points, trick.kitty),
    ]
