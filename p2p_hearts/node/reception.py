"""The host's side of an invitation: which one is open, who is proving it just now, and how often anybody may try.

The law: one run at a time, a new one takes the place of the last, so that nobody can hold the door by standing in it; ten
runs a minute from everybody together, however many invitations there were; and no number of wrong tries closes it. A guess
costs a run, and the host hears of it: who joins shows the key first. Source: `protocol/invitations.md`, P156 to P161.
"""

from dataclasses import dataclass, replace

from p2p_hearts.entropy import Entropy
from p2p_hearts.node.hello import IdentityCard
from p2p_hearts.node.invitations import Invitation, password
from p2p_hearts.node.invited import (
    Guest,
    Refused,
    Show,
    Start,
    encode_answer,
    guest_card,
    host_card,
    read_question,
)
from p2p_hearts.node.pake import Exchange, PakeError, begin_as_host, finish, prove_key, shows_key

RUNS, MINUTE_S = 10, 60.0
RUN_S = 10.0  # for the second question


@dataclass(frozen=True, slots=True)
class Run:
    """One exchange under way: `start` is the question that began it; `shown` the second one, once it came, and its answer."""

    start: Start
    exchange: Exchange
    began_at: float
    shown: tuple[Show, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """The open invitations, one a form; when the last runs began; the run that was begun last."""

    invitations: tuple[Invitation, ...] = ()
    runs: tuple[float, ...] = ()
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What comes of a question: the desk after it, the answer to send, and who has proved an invitation, or failed to."""

    desk: Desk
    answer: bytes | None = None
    proved: Guest | None = None
    failed: Guest | None = None


def renew(desk: Desk, invitations: tuple[Invitation, ...]) -> Desk:
    """The desk with these invitations in place of those before; none closes it. The tries of the last minute still count."""
    return Desk(invitations, desk.runs)


def receive(desk: Desk, question: bytes, version: str, card: IdentityCard, now: float, entropy: Entropy) -> Reply:
    """What the host with this card answers to a question at `now`."""
    match read_question(question, version, card.table):
        case Start() as start:
            return _begin(desk, start, version, card, now, entropy)
        case Show() as show:
            return _end(desk, show, version, now)
    return Reply(desk)


def _begin(desk: Desk, start: Start, version: str, card: IdentityCard, now: float, entropy: Entropy) -> Reply:
    if desk.run is not None and desk.run.start == start:  # asked again, since the answer was lost
        return Reply(desk, encode_answer(version, desk.run.exchange.message))
    if not desk.invitations:
        return Reply(desk, encode_answer(version, Refused.CLOSED))
    recent = tuple(at for at in desk.runs if now - at < MINUTE_S)
    if len(recent) >= RUNS:
        return Reply(replace(desk, runs=recent), encode_answer(version, Refused.BUSY))
    desk = replace(desk, runs=(*recent, now), run=None)
    open_one = next((one for one in desk.invitations if one.form == start.form), None)
    if open_one is None:
        return Reply(desk, encode_answer(version, Refused.WRONG), failed=start.guest)
    cards = guest_card(version, start.guest), host_card(version, card)
    exchange = begin_as_host(password(open_one), *cards, entropy)
    return Reply(replace(desk, run=Run(start, exchange, now)), encode_answer(version, exchange.message))


def _end(desk: Desk, show: Show, version: str, now: float) -> Reply:
    run = desk.run
    if run is None or run.exchange.message != show.run or now - run.began_at > RUN_S:
        return Reply(desk, encode_answer(version, Refused.AGAIN if desk.invitations else Refused.CLOSED))
    if run.shown is not None:
        again = run.shown[1] if run.shown[0] == show else encode_answer(version, Refused.WRONG)
        return Reply(desk, again)
    try:
        key = finish(run.exchange, run.start.message)
        right = shows_key("guest", key, show.proof)
    except PakeError:
        key, right = b"", False
    answer = encode_answer(version, prove_key("host", key) if right else Refused.WRONG)
    desk = replace(desk, run=replace(run, shown=(show, answer)))
    guest = run.start.guest
    return Reply(desk, answer, proved=guest if right else None, failed=None if right else guest)
