"""What follows once a decision has fallen: the hand goes on with fewer, has ended, or is dealt again.

Laws: within a hand memberships only shrink. What a removed peer wrote beyond its horizon has no effect, and what it wrote
up to there is applied before the decision takes effect, so that it does not matter who heard of what first. A hand whose
deck not everybody left out had agreed to is opened again; else delegates drawn by lot, whom nobody could foresee, do the
parts of the lost (`protocol/decisions.md`)."""

from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.protocol.envelope import Author, digest
from p2p_hearts.protocol.messages import Value, Verdict
from p2p_hearts.protocol.names import told_apart
from p2p_hearts.protocol.result import match_after, score_of
from p2p_hearts.protocol.stages.council import left_out
from p2p_hearts.protocol.stages.election import begin_deal
from p2p_hearts.protocol.stages.lobby import read_join
from p2p_hearts.protocol.state import NO_MARK, Annulled, Deal, Decision, Game, Peer, Seat, Table, quorum


def carry_out(version: str, table: Table, game: Game, deal: Deal) -> Table | None:
    """The table once the decision of the current hand that has fallen takes effect; None while entries that count are not
    here yet."""
    value = deal.decision.fallen
    assert value is not None
    match value.verdict:
        case Verdict.END:
            return _end(version, table, game, deal, value)
        case Verdict.ANNULLED:
            table, game = seat_joins(version, table, game, value.joins)
            return annul(version, table, game, deal, value.members, value.charged)
        case _:
            return _leave_out(version, table, game, deal, value)


def given_up(table: Table, deal: Deal) -> bool:
    """Whether so many have left for good that nothing can be decided any more."""
    staying = [voter for voter in deal.voters if voter not in table.left]
    return not deal.ended and 0 < len(staying) < quorum(len(deal.voters))


def give_up(table: Table, game: Game, deal: Deal) -> Table:
    """The table after all but too few have left in the middle of a hand: they are charged, and the game is over."""
    gone = tuple(voter for voter in deal.voters if voter in table.left)
    charged = _charged(game, gone)
    return replace(
        table.with_deal(replace(deal, ended=True)),
        scores=_with_charge(table, game, charged),
        annulled=(*table.annulled, _annulled(table, deal, charged)),
        over=True,
    )


def _next_decision(deal: Deal) -> Decision:
    return Decision(deal.decision.number + 1)


def _leave_out(version: str, table: Table, game: Game, deal: Deal, value: Value) -> Table | None:
    lost = left_out(deal, value)
    if not lost:  # all are back: unchanged
        return table.with_deal(replace(deal, decision=_next_decision(deal)))
    for member, horizon in zip(lost, value.horizons, strict=True):
        if horizon.mark != NO_MARK and _reached(table, member) < horizon.seq:
            return None
    if not value.dealt:
        members = tuple(member for member in table.members if member in value.members)
        fresh = begin_deal(game, version, deal.number, members, table.era + 1, voters=deal.voters)
        return _reopened(table, replace(fresh, decision=_next_decision(deal), moved=deal.moved))
    if not deal.threshold:  # nobody can do the parts of the lost
        return annul(version, table, game, deal, value.members, lost)
    delegates = dict(deal.delegates)
    for part in deal.members:
        if part in lost or delegates.get(part) in lost:
            drawn = digest("delegate", value.lot, part)
            delegates[part] = value.members[int.from_bytes(drawn, "big") % len(value.members)]
    removals = {**table.removals, **{member: table.removals.get(member, 0) + 1 for member in lost}}
    limits, overrun = dict(table.limits), table.overrun
    for member, horizon in zip(lost, value.horizons, strict=True):
        place = (deal.number, deal.attempt, member)
        last = -1 if horizon.mark == NO_MARK else horizon.seq
        overrun = overrun or (place not in limits and _reached(table, member) > last)
        limits[place] = last
    after = replace(deal, delegates=MappingProxyType(delegates), decision=_next_decision(deal))
    table = replace(
        table.with_deal(after),
        era=table.era + 1,
        limits=MappingProxyType(limits),
        overrun=overrun,
        removals=MappingProxyType(removals),
    )
    return _without_next(table)  # what was prepared is for others


def _reached(table: Table, member: bytes) -> int:
    """The number of the last entry of a member that has been applied, or -1."""
    head = table.head(member)
    return -1 if head.mark == NO_MARK else head.seq


def _reopened(table: Table, fresh: Deal) -> Table:
    return _without_next(replace(table.with_deal(fresh), era=fresh.attempt))


def _without_next(table: Table) -> Table:
    kept = {number: deal for number, deal in table.deals.items() if number <= table.number}
    return replace(table, deals=MappingProxyType(kept))


def annul(
    version: str, table: Table, game: Game, deal: Deal, members: tuple[bytes, ...], gone: tuple[bytes, ...]
) -> Table:
    """The table with the current hand dealt again among these members; those gone pay for it if cards had been dealt (D23)."""
    charged = _charged(game, gone)
    ordered = tuple(peer.identity for peer in game.peers if peer.identity in members)
    fresh = begin_deal(game, version, deal.number, ordered, table.era + 1)
    table = _reopened(table, replace(fresh, decision=_next_decision(deal), moved=deal.moved))
    return replace(
        table,
        scores=_with_charge(table, game, charged),
        annulled=(*table.annulled, _annulled(table, deal, charged)),
        members=ordered,
        returning=frozenset(),
    )


def _charged(game: Game, gone: tuple[bytes, ...]) -> tuple[int, ...]:
    """The seats of these peers' own players."""
    return tuple(i for i, seat in enumerate(game.seats) if seat.bot is None and seat.operator in gone)


def _with_charge(table: Table, game: Game, charged: tuple[int, ...]) -> tuple[int, ...]:
    charge = game.options.annulled_charge
    return tuple(total + charge * (seat in charged) for seat, total in enumerate(table.scores))


def _annulled(table: Table, deal: Deal, charged: tuple[int, ...]) -> Annulled:
    return Annulled(deal.number, sum(1 for each in table.annulled if each.number == deal.number), charged)


def seat_joins(version: str, table: Table, game: Game, joins: tuple[bytes, ...]) -> tuple[Table, Game]:
    """The table with those who come with a new log, and newcomers, who take the first seats that bots play."""
    peers, seats = list(game.peers), list(game.seats)
    for frame in joins:
        join = read_join(frame, version)
        author = Author(join.identity, join.incarnation)
        old = next((place for place, peer in enumerate(peers) if peer.identity == join.identity), None)
        if old is not None:
            peers[old] = Peer(author, peers[old].name, join.link, join.addresses, join.port)
            continue
        free = next((place for place, seat in enumerate(seats) if seat.bot is not None), None)
        if free is not None:
            name = told_apart(join.name, [*(peer.name for peer in peers), *(seat.name for seat in seats)])
            peers.append(Peer(author, name, join.link, join.addresses, join.port))
            seats[free] = Seat(name, None, join.identity)
    game = replace(game, peers=tuple(peers), seats=tuple(seats))
    assert table.lobby is not None
    met = table.lobby.met | {peer.author for peer in peers}
    return replace(table, game=game, lobby=replace(table.lobby, met=met)), game


def _end(version: str, table: Table, game: Game, deal: Deal, value: Value) -> Table:
    """The table after the decision that ends the current hand; what was prepared is used if it is for just these members."""
    match = match_after(table, deal)
    over = not value.members
    table = replace(
        table.with_deal(replace(deal, ended=True)),
        scores=match.scores,
        sheet=(*table.sheet, score_of(deal)),
        winners=match.winners,
        over=over,
    )
    if over:
        return table
    table, game = seat_joins(version, table, game, value.joins)
    members = tuple(peer.identity for peer in game.peers if peer.identity in value.members)
    following = table.deals.get(deal.number + 1)
    if following is None or set(following.members) != set(members) or value.joins:  # a new log knows no old secrets
        table = replace(table, era=table.era + 1)
        following = begin_deal(game, version, deal.number + 1, members, table.era)
    kept = {deal.number: table.deals[deal.number], following.number: following}
    return replace(
        table,
        number=following.number,
        deals=MappingProxyType(kept),
        members=members,
        returning=frozenset(),
    )
