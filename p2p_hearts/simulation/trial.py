"""A table at which one peer cheats, and whether every honest peer saw of it what it must.

Law: an honest peer is blamed by nobody, whatever the cheat and the network, and the honest come to one signed result. The
trial ends when they have, or when for a while nothing has come of anything."""

from dataclasses import dataclass, replace

from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.adversary.cheat import Awaited, Blamed, Cheat, LeftOut, Nothing, Outside
from p2p_hearts.simulation.adversary.liar import Liar
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.world import Plan, World

CHEATER = 1  # the second peer
LOST = 2  # the third, where a cheat is about somebody lost
LULL = 100.0  # virtual seconds in which no entry but votes counts anywhere; the longest wait is for a person, 70 s
PATIENCE = 600.0  # and at most so many in all
ENOUGH = 5  # peers, so that a majority of them can go on without the lost one and the cheater
GRACE = 5  # seconds, where somebody is lost
THINK = 0.05  # seconds a card, so that heartbeats come, and somebody can be lost, in the middle of a hand
STORMY = 25  # times as long as else it takes to get anywhere when frames are lost
GONE = 10_000.0  # seconds that who is lost stays away


@dataclass(slots=True)
class Trial:
    """A cheat and the world in which it is tried. `liar` is there once a frame has been sent."""

    cheat: Cheat
    world: World
    liar: Liar | None = None
    _counted: tuple[int, ...] = ()
    _progress: tuple[int, ...] = ()
    _progress_at: float = 0.0

    @property
    def honest(self) -> list[Session]:
        """All Sessions but the cheater's, and one that is lost."""
        gone = {CHEATER} | self.world.crashed
        return [session for peer, session in enumerate(self.world.sessions) if peer not in gone]

    @property
    def tried(self) -> bool:
        """Whether the cheater has found an occasion."""
        return self.liar is not None and self.liar.lied

    def over(self) -> bool:
        """Whether nothing more can come of it."""
        honest = self.honest
        if all(session.problem is not None or session.settled() for session in honest):
            blaming = isinstance(self.cheat.seen, Blamed) and self.tried  # who has seen nothing yet may still do so
            if not blaming or all(session.convicted for session in honest):
                return True  # a cheater that has found no occasion until now finds none
        counted = tuple(len(session.logs.accepted) for session in honest)
        if counted != self._counted:
            self._counted = counted
            progress = tuple(map(_steps, honest))
            if progress != self._progress:
                self._progress, self._progress_at = progress, self.world.now
        return self.world.now - self._progress_at > LULL

    def flaws(self) -> list[str]:
        """What any honest peer should have seen otherwise, in sentences; empty when all is as it must be."""
        found = [] if self.tried else ["the cheater found no occasion"]
        for session in self.honest:
            flaw = self._flaw(session)
            found += [] if flaw is None else [f"{session.me.name} {flaw}"]
        digests = {result["digest"] for session in self.honest if (result := session.result()) is not None}
        return found if len(digests) <= 1 else [*found, f"there are {len(digests)} results"]

    def _meddle(self, sender: int, to: int, frame: bytes) -> tuple[bytes, ...]:
        if self.liar is None:
            others = {peer: session for peer, session in enumerate(self.world.sessions) if peer != CHEATER}
            self.liar = Liar(CHEATER, self.world.sessions[CHEATER], others)
            self.liar.begin(self.cheat.ways(self.liar))
        return self.liar.meddle(sender, to, frame)

    def _flaw(self, session: Session) -> str | None:
        """What one honest peer should have seen otherwise."""
        cheater = self.world.sessions[CHEATER].me.key.public
        accused = [event for peer, event in self.world.blamed if self.world.sessions[peer] is session]
        said = ", ".join(f"{event.peer.hex()[:8]} {event.code.name} ({event.detail})" for event in accused) or "nobody"
        named = set(session.scene().waiting_for)
        state = f"blames {said}, waits for {named}, problem: {session.problem}"
        match self.cheat.seen:
            case Blamed(faults, charged):
                right = len(accused) == 1 and accused[0].peer == cheater and accused[0].code in faults
                if session.table.game is None:
                    return None if right and session.problem is not None else state
                fair = charged in {None, _charged(session, cheater)}
                return None if right and fair and _goes_on(session, cheater) else f"{state}, {_charges(session)}"
            case LeftOut():
                fair = not accused and not _charged(session, cheater)
                return None if fair and _goes_on(session, cheater) else f"{state}, {_charges(session)}"
            case Nothing():
                unmoved = not accused and session.problem is None and session.result() is not None
                removed = session.table.removals.get(cheater, 0)
                return None if unmoved and not removed else f"{state}, left it out {removed} times"
            case Outside():
                out = not accused and session.table.peer(cheater) is None
                return None if out else f"blames {said} and has the cheater at the table"
            case Awaited():
                right = not accused and session.problem is None and named == {self.world.sessions[CHEATER].me.name}
                return None if right else state


def try_cheat(plan: Plan, cheat: Cheat) -> Trial:
    """A table made of a plan, at which the second peer cheats in one way, played as far as it goes."""
    trial = arrange(plan, cheat)
    trial.world.run()
    return trial


def arrange(plan: Plan, cheat: Cheat) -> Trial:
    """The same before anything has happened; its world is to be run."""
    hands = plan.hands if plan.hands == 0 else max(plan.hands, cheat.hands)
    patience = min(plan.patience, PATIENCE)
    think = max(plan.think, THINK)
    plan = replace(plan, hands=hands, host=CHEATER if cheat.hosts else 0, patience=patience, think=think)
    if cheat.lost:
        at = cheat.lost * (STORMY if plan.weather.loss else 1)
        loss = Incident(at, GONE, Trouble.CRASH, frozenset({LOST}))
        peers = max(plan.peers, ENOUGH)
        plan = replace(plan, peers=peers, grace=GRACE, incidents=(*plan.incidents, loss))
    world = World(plan, cheater=CHEATER)
    trial = Trial(cheat, world)
    world.meddle, world.until = trial._meddle, trial.over  # noqa: SLF001
    return trial


def _steps(session: Session) -> int:
    """How many entries count, without votes: these go on as long as they come to nothing."""
    return sum(1 for entry in session.logs.accepted if not Kind.PROPOSAL <= entry.kind <= Kind.ACCEPT)


def _goes_on(session: Session, cheater: bytes) -> bool:
    """Whether the game has come to its end, and the cheater had no part in its last hand."""
    deal = session.table.deal
    return session.problem is None and session.result() is not None and deal is not None and cheater not in deal.present


def _charged(session: Session, cheater: bytes) -> bool:
    """Whether the cheater, and nobody else, has paid for a hand."""
    game = session.table.game
    paid = {seat for each in session.table.annulled for seat in each.charged}
    return game is not None and bool(paid) and all(game.seats[seat].operator == cheater for seat in paid)


def _charges(session: Session) -> str:
    return f"{len(session.table.annulled)} hands annulled, charged: {[each.charged for each in session.table.annulled]}"
