"""The `Scene` that a screen shows, made from the state of the table and what this peer knows itself."""

from collections.abc import Mapping

from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, OptionError, Options, departures
from p2p_hearts.protocol.commands import view
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.gossip import HERE, Gossip, Neighbour
from p2p_hearts.protocol.hosting import owing
from p2p_hearts.protocol.inputs import MARKS
from p2p_hearts.protocol.messages import Join, Kind, Verdict
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.phases import owed
from p2p_hearts.protocol.scene import Asking, DealLine, Lobby, PeerLine, Scene, SeatLine, SheetRow, Stage
from p2p_hearts.protocol.stages import lobby as lobby_stage
from p2p_hearts.protocol.stages.council import left_out
from p2p_hearts.protocol.state import Deal, Table
from p2p_hearts.protocol.state import Lobby as Room
from p2p_hearts.protocol.words import spoken_words


def key_mark(identity: bytes) -> str:
    """A short, speakable form of a key: two words, for people to compare."""
    return " ".join(spoken_words(digest("key mark", identity), 2))


def stage_of(table: Table, problem: str | None) -> Stage:
    """Where the table is."""
    if problem is not None:
        return Stage.STOPPED
    if table.lobby is None:
        return Stage.JOINING
    if table.game is None:
        return Stage.LOBBY if table.lobby.proposal is None else Stage.ELECTION
    if table.over:
        return Stage.OVER
    deal = table.deal
    assert deal is not None
    if deal.hand is None:
        return Stage.PASSING if deal.rows else Stage.DEALING
    if deal.score is None:
        return Stage.PLAYING
    return Stage.MOON if deal.score.moon is not None and deal.choice is None else Stage.SIGNING


def draw_scene(
    table: Table,
    me: bytes,
    gossip: Gossip,
    own: Own | None,
    asking: Mapping[bytes, Join],
    problem: str | None,
    now: float = 0.0,
) -> Scene:
    """The whole picture; `now` is on the clock by which the gossip knows when it heard from whom."""
    game, room, deal = table.game, table.lobby, table.deal
    host = None if room is None else room.host.identity
    peers = tuple(
        PeerLine(
            key=peer.identity,
            name=peer.name,
            mark=key_mark(peer.identity),
            me=peer.identity == me,
            host=peer.identity == host,
            linked=peer.link in gossip.linked,
            away=(known := gossip.neighbours.get(peer.identity)) is not None and known.away,
            said=MARKS[known.mark] if known is not None and known.mark < len(MARKS) else MARKS[HERE],
            lost=deal is not None and peer.identity not in deal.present,
            left_out_in=_countdown(table, deal, known, peer.identity, now),
        )
        for peer in table.peers
    )
    seats = () if game is None else tuple(SeatLine(seat.name, seat.bot, seat.operator) for seat in game.seats)
    mine = next((i for i, seat in enumerate(seats) if seat.operator == me and seat.bot is None), None)
    options = game.options if game is not None else Options() if room is None else _options(room)
    return Scene(
        stage=stage_of(table, problem),
        table="" if room is None else room.title,
        peers=peers,
        lobby=None if room is None else _lobby(room, options, asking),
        options=options,
        words=() if game is None else game.words,
        seats=seats,
        my_seat=mine,
        number=table.number,
        dealer=None if deal is None else deal.dealer,
        deal=() if deal is None else tuple(_deal_line(deal, member) for member in deal.members),
        hand=None if deal is None else deal.hand,
        view=None if deal is None or own is None or mine is None else view(deal, own, mine, table.scores),
        passed=() if deal is None else tuple(op in deal.done(Kind.COMMIT_PASS) for op in deal.operators),
        received=() if own is None or mine is None else own.received.get(mine, ()),
        waiting_for=_waiting_for(table),
        scores=table.scores,
        sheet=tuple(SheetRow(r.number, r.points, r.kitty, r.unclaimed, r.moon, r.choice) for r in table.sheet),
        winners=table.winners,
        problem=problem,
        deciding=_deciding(table),
        clock=0 if game is None else game.clock,
        annulled=tuple((each.number, each.charged) for each in table.annulled),
    )


def _countdown(table: Table, deal: Deal | None, known: Neighbour | None, peer: bytes, now: float) -> float | None:
    if table.game is None or deal is None or known is None or not known.away or peer not in deal.present:
        return None
    return max(0.0, known.heard_at + table.game.grace - now)


def _deciding(table: Table) -> tuple[str, ...]:
    """The names of those whom the motion under way leaves out."""
    deal = table.deal
    if deal is None or not deal.decision.motions or deal.decision.fallen is not None:
        return ()
    value = deal.decision.motions[max(deal.decision.motions)]
    lost = left_out(deal, value) if value.verdict == Verdict.MEMBERS else value.charged
    return tuple(peer.name for peer in table.peers if peer.identity in lost)


def _options(room: Room) -> Options:
    """The options for the seats now taken, or, while they do not fit, those of the preset."""
    seats = min(max(lobby_stage.taken(room), MIN_SEATS), MAX_SEATS)
    try:
        return lobby_stage.options_of(room, seats)
    except OptionError:
        return Options()


def _lobby(room: Room, options: Options, asking: Mapping[bytes, Join]) -> Lobby:
    seats = min(max(lobby_stage.taken(room), MIN_SEATS), MAX_SEATS)
    return Lobby(
        table=room.table.hex(),
        seats=room.seats,
        bots=room.bots,
        preset=room.preset,
        options=options,
        departures=departures(options, room.preset, seats),
        hands=room.hands or None,
        asking=tuple(Asking(key, join.name, key_mark(key)) for key, join in asking.items()),
        problem=lobby_stage.problem(room),
    )


def _deal_line(deal: Deal, member: bytes) -> DealLine:
    return DealLine(
        peer=member,
        key=member in deal.done(Kind.OPEN_KEYS),
        mixed=member in deal.done(Kind.MIX),
        verified=member in deal.verified.get(Kind.MIX, frozenset()),
        agreed=member in deal.done(Kind.AGREEMENT),
        dealt=member in deal.done(Kind.DEAL),
    )


def _waiting_for(table: Table) -> tuple[str, ...]:
    """The names of those who owe the next step, a seat's own where it is a seat's to act."""
    game, deal, room = table.game, table.deal, table.lobby
    if game is None or deal is None:
        if room is None or room.proposal is None:
            return ()
        ballot = room.proposal.ballot
        voters = (peer.identity for peer in room.peers if peer.identity not in ballot.accepted)
        late = owing(room) or ((room.host.identity,) if ballot.choice is None else tuple(voters))
        return tuple(peer.name for peer in room.peers if peer.identity in late)
    debts = [(member, kind) for member, kind in owed(deal) if kind is not Kind.KITTY]
    if not debts:
        return ()
    first = min(kind for _, kind in debts)  # kinds are numbered in the order of the dialogue
    if first is Kind.PLAY and deal.hand is not None:
        return (game.seats[(deal.hand.leader + len(deal.hand.table)) % deal.seats].name,)
    names = {peer.identity: peer.name for peer in game.peers}
    return tuple(names[member] for member, kind in debts if kind is first)
