"""What a peer does in the lobby without being asked, and what its host may be told to do.

Law: only the host's log changes the lobby; everybody else agrees, draws and votes as soon as it is its turn. Who is away
longer than `LOBBY_GRACE`, or holds up the draw, is taken off the roster; a host that is away is succeeded, but not by who
hears nobody at all."""

from collections.abc import Callable
from dataclasses import dataclass, field

from p2p_hearts.bots import LEVELS
from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.entropy import Entropy
from p2p_hearts.hearts.options import MAX_SEATS, OptionError
from p2p_hearts.protocol.envelope import Author
from p2p_hearts.protocol.errors import LocalProtocolError
from p2p_hearts.protocol.inputs import AddBot, ChangeRules, RemoveBot, Start
from p2p_hearts.protocol.messages import Body, Bots, Dismiss, Propose, Rules, Succeed
from p2p_hearts.protocol.stages import closing, election, lobby
from p2p_hearts.protocol.state import Lobby, Peer, Table

LOBBY_GRACE = 10.0  # seconds without a sign of life
DRAW_SECONDS = 10.0  # for all to agree to a start, and again to reveal; who has not by then is left out
MAX_PROPOSALS = 255


@dataclass(frozen=True, slots=True)
class Nonce:
    """Our part of the draw for one proposal."""

    number: int
    nonce: bytes = field(repr=False)
    salt: bytes = field(repr=False)


def order(room: Lobby, command: AddBot | RemoveBot | ChangeRules | Start) -> Body:
    """The entry by which the host carries out a command.

    Raises LocalProtocolError with a sentence when the lobby does not allow it.
    """
    match command:
        case AddBot(level):
            if level not in LEVELS:
                raise LocalProtocolError(f"There is no bot of level “{level}”: choose {' or '.join(LEVELS)}.")
            if lobby.taken(room) >= min(room.seats, MAX_SEATS):
                raise LocalProtocolError(f"All {room.seats} seats are taken.")
            return Bots((*room.bots, level))
        case RemoveBot():
            if not room.bots:
                raise LocalProtocolError("There is no bot at this table.")
            return Bots(room.bots[:-1])
        case ChangeRules(preset, overrides):
            written = tuple(lobby.written_override(key, value) for key, value in overrides)
            try:
                lobby.check_rules(preset, written)
            except OptionError as error:
                raise LocalProtocolError(f"{error.field}: {error.sentence}.") from error
            return Rules(preset, written)
        case Start():
            trouble = lobby.problem(room)
            if trouble is not None:
                raise LocalProtocolError(trouble)
            if room.proposed == MAX_PROPOSALS:
                raise LocalProtocolError("This table has tried to start too often: open a new one.")
            return Propose(room.proposed + 1, lobby.lobby_hash(room))


def step(
    table: Table,
    key: SigningKey,
    nonce: Nonce | None,
    silent: Callable[[bytes], float],
    waited: float,
    entropy: Entropy,
) -> tuple[Body, Nonce | None] | None:
    """The next entry that we owe in the lobby, with our part of the draw if it is new; None when there is none.

    `silent` says for how many seconds a peer has given no sign of life, `waited` since when all owe the present step of the start.
    """
    me, room = key.public, table.lobby
    if room is None:
        return None
    if room.host.identity == me and not _ended(room):
        overdue = owing(room) if waited > DRAW_SECONDS else ()
        for peer in room.peers:
            if peer.identity != me and (_gone(table, peer.identity, silent) or peer.identity in overdue):
                return Dismiss(peer.identity), None
    elif room.host.identity != me and _gone(table, room.host.identity, silent):
        gone = sum(1 for peer in _before(room, key.public) if _gone(table, peer.identity, silent))
        if gone == len(_before(room, me)) and not _cut_off(
            table, room, me, silent
        ):  # numbers leave room for those skipped, should they have succeeded unseen
            return Succeed(room.number + 1 + gone, room.host.identity, room.seq, room.head), None
    return _vote(room, key, nonce, entropy)


def may_succeed(table: Table, me: Author, heir: Author, silent: Callable[[bytes], float]) -> bool:
    """Whether we take a peer for the new host: nobody becomes it on its own word alone. The host before has left, or is
    silent for us too, or we are new here and know no better. If it is ourselves, we give way once nobody speaks to us any
    more: one guest alone could otherwise turn the host out."""
    room = table.lobby
    if room is None or not lobby.is_seated(table, me) or heir in (me, room.host):
        return True
    former = room.host.identity
    if former == me.identity:
        return all(_gone(table, peer.identity, silent, LOBBY_GRACE / 2) for peer in table.peers if peer.author != me)
    ahead = [former, *(peer.identity for peer in _before(room, heir.identity))]
    return all(_gone(table, identity, silent, LOBBY_GRACE / 2) for identity in ahead)


def _cut_off(table: Table, room: Lobby, me: bytes, silent: Callable[[bytes], float]) -> bool:
    """Whether nobody at all is heard, and the host has not said that it leaves: then it is more likely we that cannot be
    heard. As the host of an empty table we would be found in place of the table that goes on without us."""
    others = [peer.identity for peer in room.peers if peer.identity not in {me, room.host.identity}]
    return room.host.identity not in table.left and all(_gone(table, key, silent, LOBBY_GRACE / 2) for key in others)


def _before(room: Lobby, heir: bytes) -> tuple[Peer, ...]:
    """The peers that would be host before `heir`, were the present one gone."""
    order = [peer for peer in room.peers if peer.author != room.host]
    return tuple(order[: [peer.identity for peer in order].index(heir)])


def _gone(table: Table, identity: bytes, silent: Callable[[bytes], float], grace: float = LOBBY_GRACE) -> bool:
    return identity in table.left or silent(identity) > grace


def duty(table: Table) -> tuple[int, bool] | None:
    """Which step of the start is due: the number of the proposal, and whether all have committed; None when none is."""
    room = table.lobby
    if room is None or room.proposal is None:
        return None
    return room.proposed, len(room.proposal.commitments) == len(room.peers)


def _ended(room: Lobby) -> bool:
    """Whether the host has written the end of hand 0: a majority may have accepted it, whatever we have heard of that."""
    return room.proposal is not None and room.proposal.ballot.choice is not None


def owing(room: Lobby) -> tuple[bytes, ...]:
    """Who has not committed to a proposed start, or once all have, not revealed."""
    proposal = room.proposal
    if proposal is None:
        return ()
    done = proposal.commitments if len(proposal.commitments) < len(room.peers) else proposal.nonces
    return tuple(peer.identity for peer in room.peers if peer.identity not in done)


def _vote(room: Lobby, key: SigningKey, nonce: Nonce | None, entropy: Entropy) -> tuple[Body, Nonce | None] | None:
    me, proposal = key.public, room.proposal
    if proposal is None:
        return None
    if me not in proposal.commitments:
        fresh = Nonce(proposal.number, entropy(32), entropy(32))
        return election.make_agreement(room, proposal, me, fresh.nonce, fresh.salt), fresh
    if nonce is None or nonce.number != proposal.number:
        return None
    if me not in proposal.nonces:
        if len(proposal.commitments) < len(room.peers):
            return None
        return election.make_draw(room, proposal, nonce.nonce, nonce.salt), None
    if not election.drawn(room, proposal):
        return None
    if proposal.ballot.choice is None:
        return (election.end_value(room, proposal), None) if room.host.identity == me else None
    if me not in proposal.ballot.accepted:
        return closing.make_acceptance(proposal.ballot.choice, room.host.identity, key), None
    return None
