"""How we vote ourselves: what we move, promise, choose and accept in the decision of the current hand.

Laws: nobody signs on another's word: we state that a hand goes on without somebody only if we miss it ourselves. We
accept a result only after computing it, and no list that drops a peer that we see. Whatever hangs is moved again, if need
be as "unchanged", by one after the other, so that ballots do not chase each other (`protocol/decisions.md`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.protocol.messages import Accept, Choice, Head, Motion, Statement, Value, Verdict, VoteBody
from p2p_hearts.protocol.phases import next_dealer, scored
from p2p_hearts.protocol.stages import closing, council
from p2p_hearts.protocol.state import NO_BALLOT, BallotId, Deal, Decision, Game, Table, quorum

HANG_SECONDS = 5.0  # a decision that was begun and does not move is moved again
PATIENT_MOTIONS = 8  # of ours in one hand, after which we wait twice as long before the next, and so on
MAX_REMOVALS = 3  # of one peer in one game; then the people decide
RANK_SECONDS = 1.0  # that each waits for those before it to move something


@dataclass(frozen=True, slots=True)
class Sight:
    """What we see of the others now. `missed` are those of whom we say ourselves that a hand must go on without them;
    `there` are heard of just now."""

    missed: frozenset[bytes]
    there: frozenset[bytes]
    out: frozenset[bytes]  # who has left or was convicted, and does not come back
    forked: frozenset[bytes]
    joining: Mapping[bytes, bytes]  # the signed Joins of those who come with a new log
    noticed: float  # seconds since `missed` last changed
    quiet: float  # seconds since the decision began, or went on in a way that we have agreed to
    begun: float  # seconds since the first motion of the decision
    holds: Callable[[Head], bool]  # whether we hold just this entry


def next_vote(table: Table, game: Game, deal: Deal, key: SigningKey, sight: Sight) -> VoteBody | None:
    """The next entry that we owe to the decision of the current hand, if any."""
    if not votes(deal, key.public, sight.missed):
        return None
    voter = _Voter(table, game, deal, key, sight)
    if deal.ended:
        return voter.sign()
    return voter.accept() or voter.choose() or voter.state() or voter.move()


def votes(deal: Deal, me: bytes, missed: frozenset[bytes]) -> bool:
    """Whether we may have to vote on something in a hand: seldom."""
    decision = deal.decision
    return me in deal.voters and bool(decision.motions or decision.choices or missed or scored(deal))


@dataclass(frozen=True, slots=True)
class _Voter:
    """One look at the decision; a value."""

    table: Table
    game: Game
    deal: Deal
    key: SigningKey
    sight: Sight

    @property
    def me(self) -> bytes:
        return self.key.public

    @property
    def decision(self) -> Decision:
        return self.deal.decision

    @property
    def promised(self) -> BallotId:
        return self.decision.promised.get(self.me, NO_BALLOT)

    def sign(self) -> Accept | None:
        """Our signature on a result that others have decided."""
        if self.decision.fallen is None or self.me in self.decision.signatures:
            return None
        return self.accept()

    def accept(self) -> Accept | None:
        """Our vote for the value at the highest ballot, if we can give it."""
        if not self.decision.choices:
            return None
        ballot = max(self.decision.choices)
        choice = self.decision.choices[ballot]
        done = self.decision.accepted.get(self.me)
        if ballot < self.promised or (done is not None and done >= ballot) or not self._acceptable(ballot, choice):
            return None
        return closing.make_acceptance(choice, ballot[1], self.key)

    def choose(self) -> Choice | None:
        """The value at a ballot of ours, once it can be chosen."""
        deal, decision = self.deal, self.decision
        opened = any(ballot[1] == self.me for ballot in decision.motions)
        if (
            self._ends_first()
            and self.promised[0] == 0
            and not opened
            and council.is_plain_end(deal, end := self._end())
        ):
            return self._choice(0, end, ())
        ours = [ballot for ballot in decision.motions if ballot[1] == self.me and ballot not in decision.choices]
        if not ours or max(ours) < self.promised:
            return None
        ballot = max(ours)
        statements = decision.statements.get(ballot, {})
        marks = tuple(statements[voter].mark for voter in deal.voters if voter in statements)
        value = council.chosen(deal, decision.motions[ballot], statements, marks)
        return None if value is None else self._choice(ballot[0], value, marks)

    def state(self) -> Statement | None:
        """Our promise at the highest ballot, if we agree with what is moved."""
        deal = self.deal
        open_ = [ballot for ballot in self._sound_motions() if ballot > self.promised]
        for ballot in sorted(open_, reverse=True):
            value = self.decision.motions[ballot]
            if self._consents(value):
                lost = council.left_out(deal, value) if value.verdict == Verdict.MEMBERS else ()
                heads = tuple(self.table.head(member) for member in lost)
                return Statement(*self._place(ballot[0]), ballot[1], heads, int(bool(deal.slots)))
        return None

    def move(self) -> Motion | None:
        """What we want to have decided, once it is our turn to say so."""
        begun = bool(self.decision.motions or self.decision.choices)
        patience = HANG_SECONDS * 2 ** (self.deal.moved.get(self.me, 0) // PATIENT_MOTIONS)
        hanging = begun and self.sight.quiet > patience
        if self.decision.motions and not hanging:
            return None
        value = self._wanted(hanging=hanging)
        if value is None:
            return None
        movers = value.members or self.deal.present
        if self.me not in movers:
            return None
        if value.verdict == Verdict.END and not hanging:
            movers = tuple(sorted(movers, key=lambda member: member != next_dealer(self.deal)))
        rank = movers.index(self.me)
        waited = self.sight.quiet - patience if hanging else self.sight.noticed
        if waited < rank * RANK_SECONDS or (not begun and self.sight.quiet < patience - HANG_SECONDS):
            return None
        number = 1 + max([self.promised[0], *(ballot[0] for ballot in self._sound_motions())])
        if self.deal.moved.get(self.me, 0) >= council.MOTIONS_HEARD:
            return None
        return Motion(*self._place(number), value)

    def _sound_motions(self) -> list[BallotId]:
        """The ballots that may be answered."""
        return [ballot for ballot in self.decision.motions if council.is_heard(self.deal, ballot)]

    def _wanted(self, *, hanging: bool) -> Value | None:
        deal, missed = self.deal, self.sight.missed
        if self.me in missed:
            return None
        lost = [member for member in deal.present if member in missed]
        staying = tuple(member for member in deal.present if member not in missed)
        forkers = tuple(member for member in deal.members if member in self.sight.forked)
        around = tuple(voter for voter in deal.voters if voter not in missed)
        enough = quorum(len(deal.voters))
        spoilt = bool(set(lost) & set(forkers))
        if self._settled() and self.me in staying and not spoilt and (lost or hanging or self._ends_first()):
            return self._end()
        if lost and (spoilt or len(staying) < enough) and len(around) >= enough:
            return self._annulled() if self.me in around else None
        if (lost or hanging) and len(staying) >= enough and self.me in staying:
            return Value(Verdict.MEMBERS, staying)
        return None

    def _consents(self, value: Value) -> bool:
        match value.verdict:
            case Verdict.MEMBERS:
                lost = set(council.left_out(self.deal, value))
                if self.sight.forked & set(self.deal.members):
                    return False  # two versions of it may have been built on: only a new deal brings all together
                if not lost and self.sight.begun < HANG_SECONDS:
                    return False  # nothing hangs yet, and one voter could have us decide nothing without end
                return self.me not in value.members or lost <= self.sight.missed
            case Verdict.END:
                return self._agrees_to_end(value)
            case _:
                return self._agrees_to_annul(value)

    def _acceptable(self, ballot: BallotId, choice: Choice) -> bool:
        value = choice.value
        if value.verdict == Verdict.MEMBERS:
            return all(map(self.sight.holds, value.horizons))
        if (
            self.deal.ended
        ):  # what a majority has decided, on a result that we have computed ourselves, is only signed now
            return value == self.decision.fallen
        if self._demanded(ballot, choice):
            return value.verdict != Verdict.END or self._settled()
        return self._consents(value)

    def _demanded(self, ballot: BallotId, choice: Choice) -> bool:
        """Whether Paxos demands this value: one of the statements that it builds on tells of a vote before. A vote for the
        choice itself says nothing: its author can always give one."""
        stated = self.decision.statements.get(ballot, {}).values()
        return any(each.accepted is not None for each in stated if each.mark in choice.statements)

    def _ends_first(self) -> bool:
        """Whether it is for us to end this hand, and we have not yet."""
        return self.me == next_dealer(self.deal) and (0, self.me) not in self.decision.choices and self._settled()

    def _agrees_to_end(self, value: Value) -> bool:
        if not self._settled() or value.result != closing.end_result(self.table, self.game, self.deal):
            return False
        if closing.game_over_after(self.table, self.game, self.deal):
            return value.members == ()
        return self._sound_list(value)

    def _agrees_to_annul(self, value: Value) -> bool:
        deal, missed = self.deal, self.sight.missed
        staying = [member for member in deal.present if member not in missed]
        forked = self.sight.forked & set(deal.members)
        if forked:  # who has seen the other version may not know that shares have left
            owing = forked & missed if deal.slots else frozenset()
            return owing <= set(value.charged) <= missed and self._sound_list(value)
        needed = len(staying) < quorum(len(deal.voters))
        return needed and value.charged == self._to_charge() and self._sound_list(value)

    def _to_charge(self) -> tuple[bytes, ...]:
        """Who pays for an annulled hand: every member that we miss, once shares may have left (D23); after a fork others may
        know of it though we do not, and agree to nothing less."""
        forked = bool(self.sight.forked & set(self.deal.members))
        dealt = bool(self.deal.slots) or (forked and bool(self.decision.motions))
        return tuple(member for member in self.deal.members if member in self.sight.missed and dealt)

    def _sound_list(self, value: Value) -> bool:
        """Whether these may play on: it drops nobody that we see, who comes back has asked and is no majority, and who comes
        with a new log asks for it at our door just now: an old request, sent again, would take a peer's log away."""
        members = value.members
        if not set(value.joins) <= set(self.sight.joining.values()):
            return False
        present = set(self.deal.present) - self.sight.missed
        back = set(members) - set(self.deal.present)
        known = all(map(self._may_come, back))
        return (
            present <= set(members) and not self.sight.out & set(members) and known and len(back) < quorum(len(members))
        )

    def _may_come(self, peer: bytes) -> bool:
        """Whether somebody may have a place in the next hand: a peer of the game that was not left out too often, and whoever
        a majority of the people here welcomes."""
        table, deal = self.table, self.deal
        if table.peer(peer) is not None and table.removals.get(peer, 0) < MAX_REMOVALS:
            return peer in table.returning or peer in deal.voters or peer in self.sight.joining
        return len(table.welcomed.get(peer, frozenset()) & set(deal.present)) >= quorum(len(deal.present))

    def _settled(self) -> bool:
        return scored(self.deal) and not self.deal.unproved

    def _end(self) -> Value:
        result = closing.end_result(self.table, self.game, self.deal)
        over = closing.game_over_after(self.table, self.game, self.deal)
        members = () if over else self._next_members()
        return Value(Verdict.END, members, result, joins=self._joins(members))

    def _coming(self) -> Mapping[bytes, bytes]:
        """Who may come with a new log; nobody once a decision hangs, since others may not hear those that we hear."""
        again = any(value.verdict != Verdict.MEMBERS for value in self.decision.motions.values())
        return {} if again else self.sight.joining

    def _joins(self, members: tuple[bytes, ...]) -> tuple[bytes, ...]:
        return tuple(frame for peer, frame in sorted(self._coming().items()) if peer in members)

    def _annulled(self) -> Value:
        members = self._next_members()
        return Value(Verdict.ANNULLED, members, charged=self._to_charge(), joins=self._joins(members))

    def _next_members(self) -> tuple[bytes, ...]:
        """The members that stay, and those that have come back, in joining order; never so many of the latter that they
        could decide alone."""
        staying = {member for member in self.deal.present if member not in self.sight.missed}
        coming = self._coming()
        missed, there = self.sight.missed - coming.keys(), self.sight.there
        back = {peer for peer in self.table.returning if peer in there and peer not in missed}
        free = sum(1 for seat in self.game.seats if seat.bot is not None)
        for peer in sorted(filter(self._may_come, back | coming.keys())):
            free -= self.table.peer(peer) is None
            if free < 0:
                break
            if len({*staying, peer}) - len(staying & set(self.deal.present)) < quorum(len(staying) + 1):
                staying.add(peer)
        known = tuple(peer.identity for peer in self.game.peers if peer.identity in staying)
        return (*known, *sorted(staying - set(known)))

    def _place(self, ballot: int) -> tuple[int, int, int, int]:
        return self.deal.number, self.deal.attempt, self.decision.number, ballot

    def _choice(self, ballot: int, value: Value, marks: tuple[bytes, ...]) -> Choice:
        return Choice(*self._place(ballot), value, marks)
