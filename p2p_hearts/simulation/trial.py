"""A table at which one peer cheats, and whether every honest peer saw of it what it must.

Law: an honest peer is blamed by nobody, whatever the cheat and the network. The trial ends when the honest have nothing
left to do, or when for a while nothing has come of anything: then somebody is waited for."""

from dataclasses import dataclass, replace

from p2p_hearts.protocol.session import Session
from p2p_hearts.simulation.adversary.cheat import Awaited, Blamed, Cheat, Nothing, Outside
from p2p_hearts.simulation.adversary.liar import Liar
from p2p_hearts.simulation.world import Plan, World

CHEATER = 1  # the second peer
LULL = 20.0  # virtual seconds in which no entry counts anywhere; all that is lost comes again within a few


@dataclass(slots=True)
class Trial:
    """A cheat and the world in which it is tried. `liar` is there once a frame has been sent."""

    cheat: Cheat
    world: World
    liar: Liar | None = None
    _progress: int = 0
    _progress_at: float = 0.0

    @property
    def honest(self) -> list[Session]:
        """All Sessions but the cheater's."""
        return [session for peer, session in enumerate(self.world.sessions) if peer != CHEATER]

    @property
    def tried(self) -> bool:
        """Whether the cheater has found an occasion."""
        return self.liar is not None and self.liar.lied

    def over(self) -> bool:
        """Whether nothing more can come of it."""
        blaming = isinstance(self.cheat.seen, Blamed)  # then whoever has seen nothing yet may still do so
        if all(session.problem is not None or (session.settled() and not blaming) for session in self.honest):
            return True
        progress = sum(len(session.logs.accepted) for session in self.honest)
        if progress != self._progress:
            self._progress, self._progress_at = progress, self.world.now
        return self.world.now - self._progress_at > LULL

    def flaws(self) -> list[str]:
        """What any honest peer should have seen otherwise, in sentences; empty when all is as it must be."""
        found = [] if self.tried else ["the cheater found no occasion"]
        for session in self.honest:
            flaw = self._flaw(session)
            found += [] if flaw is None else [f"{session.me.name} {flaw}"]
        return found

    def _meddle(self, sender: int, to: int, frame: bytes) -> tuple[bytes, ...]:
        if self.liar is None:
            others = {peer: session for peer, session in enumerate(self.world.sessions) if peer != CHEATER}
            self.liar = Liar(CHEATER, self.world.sessions[CHEATER], others)
            self.liar.begin(self.cheat.ways(self.liar))
        return self.liar.meddle(sender, to, frame)

    def _flaw(self, session: Session) -> str | None:
        """What one honest peer should have seen otherwise."""
        cheater = self.world.sessions[CHEATER].author.identity
        accused = [event for peer, event in self.world.blamed if self.world.sessions[peer] is session]
        said = ", ".join(f"{event.peer.hex()[:8]} {event.code.name} ({event.detail})" for event in accused) or "nobody"
        match self.cheat.seen:
            case Blamed(faults):
                right = len(accused) == 1 and accused[0].peer == cheater and accused[0].code in faults
                return None if right else f"blames {said}"
            case Nothing():
                unmoved = not accused and session.problem is None and session.result() is not None
                return None if unmoved else f"blames {said}, problem: {session.problem}, waits for {_awaited(session)}"
            case Outside():
                out = not accused and session.table.peer(cheater) is None
                return None if out else f"blames {said} and has the cheater at the table"
            case Awaited():
                named = _awaited(session)
                right = not accused and session.problem is None and bool(named) and named <= self._names()
                return None if right else f"blames {said}, waits for {named}, problem: {session.problem}"

    def _names(self) -> set[str]:
        """The names of the cheater and of the seats that it operates."""
        cheater = self.world.sessions[CHEATER].author.identity
        seats = (session.table.game.seats for session in self.honest if session.table.game is not None)
        return {self.world.sessions[CHEATER].me.name} | {
            seat.name for each in seats for seat in each if seat.operator == cheater
        }


def try_cheat(plan: Plan, cheat: Cheat) -> Trial:
    """A table made of a plan, at which the second peer cheats in one way, played as far as it goes."""
    trial = arrange(plan, cheat)
    trial.world.run()
    return trial


def arrange(plan: Plan, cheat: Cheat) -> Trial:
    """The same before anything has happened; its world is to be run."""
    hands = plan.hands if plan.hands == 0 else max(plan.hands, cheat.hands)
    world = World(replace(plan, hands=hands, host=CHEATER if cheat.hosts else 0), cheater=CHEATER)
    trial = Trial(cheat, world)
    world.meddle, world.until = trial._meddle, trial.over  # noqa: SLF001
    return trial


def _awaited(session: Session) -> set[str]:
    return set(session.scene().waiting_for)
