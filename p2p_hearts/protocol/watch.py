"""Who is missed: silent for longer than the table's grace, overdue with what it owes, gone by its own word, or convicted.

Laws: all of it is counted on our own clock, and only while we run ourselves: after a gap between two steps, or a start,
every count begins anew. A duty's time runs only while its debtor gives signs of life; while it gives none the grace
counts instead. A person has as long as the table's clock says, which may be for ever (`protocol/decisions.md`, Missed)."""

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from p2p_hearts.protocol.messages import Head, Kind, Value, Verdict
from p2p_hearts.protocol.phases import ROWS, next_dealer, owes, scored, turn_of
from p2p_hearts.protocol.stages.council import is_heard, left_out
from p2p_hearts.protocol.state import NO_BALLOT, Deal, Game, Table, quorum

DUTY_SECONDS = 10.0  # for a program, where the phase table does not say another time
LOOK_SECONDS = 0.2  # between two looks
ALIVE_SECONDS = 3.0  # since the last sign of life; then the time of a duty stands still
PERSONAL = frozenset({Kind.COMMIT_PASS, Kind.PLAY, Kind.MOON})  # what a player decides, unless its seat has a bot

Debt: TypeAlias = tuple[int, int, int, bytes, Kind, bytes]  # hand, attempt, decision, debtor, kind, and which of it


@dataclass(frozen=True, slots=True)
class Eyes:
    """What we can tell of the logs: whether we hold an entry, and whether they say, to everybody, that all members hold the
    trick that took the kitty: what heartbeats say may differ from one to the other."""

    holds: Callable[[Head], bool]
    kitty_known: Callable[[Deal], bool]


@dataclass(slots=True)
class Watch:
    """The running counts of one peer. Only the Session uses it."""

    running: dict[Debt, float] = field(default_factory=dict)  # seconds
    missed: frozenset[bytes] = frozenset()
    noticed_at: float = 0.0  # when `missed` last changed
    _looked_at: float = 0.0

    def wake(self) -> None:
        """Begins all counts anew."""
        self.running = {}

    def pardon(self, peers: frozenset[bytes]) -> None:
        """Misses these no more, who have just come to their seats."""
        self.missed -= peers

    def slow(self, deal: Deal) -> tuple[bytes, float] | None:
        """The member of this hand whose player has been deciding longest, and for how many seconds; what was counted of the
        hand before it, or before a decision, is over."""
        place = _place(deal)
        found = [
            (seconds, debt[3]) for debt, seconds in self.running.items() if debt[:3] == place and debt[4] in PERSONAL
        ]
        return (max(found)[1], max(found)[0]) if found else None

    def look(
        self,
        table: Table,
        me: bytes,
        out: frozenset[bytes],
        silent: Callable[[bytes], float],
        now: float,
        *,
        paused: bool,
        eyes: Eyes,
    ) -> None:
        """Counts on to `now`; `out` are those that we miss for good. While the table is `paused` people have time."""
        if now - self._looked_at < LOOK_SECONDS and out <= self.missed:
            return
        passed, self._looked_at = now - self._looked_at, now
        game, deal = table.game, table.deal
        if game is None or deal is None or table.over:
            return
        grace = float(game.grace)
        lost = out | {peer.identity for peer in table.peers if peer.identity != me and silent(peer.identity) > grace}
        owing: dict[Debt, float] = {}
        late: set[bytes] = set()
        for debt, seconds in debts(table, deal, lost, eyes):
            debtor = debt[3]
            counts = (debtor == me or silent(debtor) < ALIVE_SECONDS) and not (paused and debt[4] in PERSONAL)
            owing[debt] = self.running.get(debt, 0.0) + (passed if counts and debt in self.running else 0.0)
            if debtor != me and owing[debt] > seconds:
                late.add(debtor)
        self.running = owing
        missed = lost | late
        if missed != self.missed:
            self.missed, self.noticed_at = missed, now


def _place(deal: Deal) -> tuple[int, int, int]:
    return deal.number, deal.attempt, deal.decision.number


def _patience(game: Game | None, deal: Deal, part: bytes) -> float:
    """How long a person may take: until the clock has run out and its program has had time to play for it; without a clock
    until a majority of the people will not wait any longer."""
    if game is not None and game.clock:
        return game.clock + DUTY_SECONDS
    urging = deal.urged.get((part, turn_of(deal)), frozenset()) & set(deal.present)
    return 0.0 if len(urging) >= quorum(len(deal.present)) else math.inf


def debts(table: Table, deal: Deal, lost: frozenset[bytes], eyes: Eyes) -> Iterator[tuple[Debt, float]]:
    """Everything that somebody owes to the current hand, and in how many seconds from when it is first owed."""
    place = _place(deal)
    for part in deal.members:
        for kind in owes(deal, part):
            actor = deal.actor(part)
            if _held(deal, actor) or (kind is Kind.KITTY and not eyes.kitty_known(deal)):
                continue  # it may not act before a decision falls, or all have said what they hold
            turn = bytes((turn_of(deal),)) if kind is Kind.PLAY else part
            seconds = float(ROWS[kind].seconds)
            if kind in PERSONAL and actor == part and _a_persons(table, deal, part, kind):
                seconds = _patience(table.game, deal, part)
            yield (*place, actor, kind, turn), seconds
    for gone, delegate in deal.delegates.items():
        given = deal.pieces.get((gone, delegate), {})
        if deal.threshold and not deal.ended:
            yield from (
                ((*place, member, Kind.PIECE, gone), DUTY_SECONDS)
                for member in deal.present
                if member != delegate and member not in given and not _held(deal, member)
            )
    yield from (((*place, debtor, kind, b""), DUTY_SECONDS) for debtor, kind in _votes(deal, lost))
    for voter, ballot in deal.decision.promised.items():  # whoever names an entry has to deliver it
        stated = deal.decision.statements.get(ballot, {}).get(voter)
        if stated is not None and not deal.ended and not all(map(eyes.holds, stated.heads)):
            yield (*place, voter, Kind.STATEMENT, b"heads"), DUTY_SECONDS


def _votes(deal: Deal, lost: frozenset[bytes]) -> Iterator[tuple[bytes, Kind]]:
    """What voters owe: the end of a scored hand, and an answer to a motion that leaves out only whom we miss, too."""
    decision = deal.decision
    if deal.ended:
        return
    if scored(deal) and not decision.choices and not decision.motions:
        yield next_dealer(deal), Kind.CHOICE
    if decision.motions and decision.fallen is None:
        ballot = max(decision.motions, key=lambda each: (is_heard(deal, each), each))
        value = decision.motions[ballot]
        if value.verdict == Verdict.MEMBERS and lost.issuperset(left_out(deal, value)):
            stated = decision.statements.get(ballot, {})
            yield from ((member, Kind.STATEMENT) for member in value.members if member not in stated)
    for ballot, statements in decision.statements.items():
        free = decision.promised.get(ballot[1], NO_BALLOT) <= ballot  # its proposer has promised nobody else more
        if free and ballot not in decision.choices and _can_choose(deal, decision.motions[ballot], statements):
            yield ballot[1], Kind.CHOICE


def _held(deal: Deal, member: bytes) -> bool:
    """Whether a promise keeps a member from doing anything else now; one at a ballot that nobody answers does not count."""
    ballot = deal.decision.promised.get(member, NO_BALLOT)
    return ballot[0] > 0 and is_heard(deal, ballot)


def _can_choose(deal: Deal, value: Value, statements: Collection[bytes]) -> bool:
    """Whether those have promised without whom nothing can be chosen."""
    whole = value.verdict != Verdict.MEMBERS or set(value.members) <= set(statements)
    return whole and len(statements) >= quorum(len(deal.voters))


def _a_persons(table: Table, deal: Deal, part: bytes, kind: Kind) -> bool:
    """Whether it is a person that has to decide: at a turn, the one at the seat; at the pass every member has a player."""
    assert table.game is not None
    seat = None
    if kind is Kind.PLAY and deal.hand is not None:
        seat = (deal.hand.leader + len(deal.hand.table)) % deal.seats
    elif kind is Kind.MOON and deal.score is not None:
        seat = deal.score.moon
    if seat is None:
        return True
    place = table.game.seats[seat]
    return place.bot is None and place.operator == part
