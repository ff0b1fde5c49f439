"""The start: every peer agrees to the host's proposal with a commitment to a nonce, then all reveal; the joint value seats
the players, elects the first dealer (D18) and names the table. Nobody can steer it, the last to reveal included (commit
first), and its three words, alike on every screen, say that everybody sits at one table."""

from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.crypto.commitment import check, commit, joint_value, permutation
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Agree, Choice, Draw, Value, Verdict
from p2p_hearts.protocol.names import told_apart
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.stages.lobby import options_of, taken
from p2p_hearts.protocol.state import Deal, Game, Lobby, Proposal, Seat, put
from p2p_hearts.protocol.words import spoken_words

BOT_NAMES = ("Alba", "Bram", "Cleo", "Dov", "Edda", "Finn", "Gala", "Hugo", "Inga", "Jori")


def _where(lobby: Lobby, proposal: Proposal, author: bytes) -> bytes:
    return digest("start", lobby.table, proposal.lobby, proposal.number.to_bytes(2, "big"), author)


def make_agreement(lobby: Lobby, proposal: Proposal, me: bytes, nonce: bytes, salt: bytes) -> Agree:
    """Our yes to a proposal, with the commitment to our nonce."""
    commitment = commit(b"start nonce", _where(lobby, proposal, me), nonce, salt)
    return Agree(proposal.number, proposal.lobby, commitment)


def answers(lobby: Lobby, proposal: Proposal) -> bytes:
    """Hash of the set of commitments, in roster order."""
    return digest("commitments", *(proposal.commitments[peer.identity] for peer in lobby.peers))


def make_draw(lobby: Lobby, proposal: Proposal, nonce: bytes, salt: bytes) -> Draw:
    """Our nonce, once all commitments are in."""
    return Draw(proposal.number, answers(lobby, proposal), nonce, salt)


def apply_agreement(proposal: Proposal, author: bytes, body: Agree) -> Proposal:
    """The proposal with one more commitment.

    Raises RemoteProtocolError when it is the author's second: the last to reveal could choose the draw by it.
    """
    if author in proposal.commitments:
        raise RemoteProtocolError(author, Fault.REPEATED, f"it agrees to start {proposal.number} again")
    return replace(proposal, commitments=put(proposal.commitments, author, body.commitment))


def apply_draw(lobby: Lobby, proposal: Proposal, author: bytes, body: Draw) -> Proposal:
    """The proposal with one more nonce.

    Raises RemoteProtocolError when it is the author's second, answers other commitments or does not open its own.
    """
    if author in proposal.nonces:
        raise RemoteProtocolError(author, Fault.REPEATED, f"it draws for start {proposal.number} again")
    if body.answers != answers(lobby, proposal):
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it answers other commitments to the draw")
    with blaming(author, Fault.BAD_COMMITMENT):
        where = _where(lobby, proposal, author)
        check(b"start nonce", where, body.nonce, body.salt, proposal.commitments[author])
    return replace(proposal, nonces=put(proposal.nonces, author, body.nonce))


def drawn(lobby: Lobby, proposal: Proposal) -> bool:
    """Whether every peer has revealed."""
    return len(proposal.nonces) == len(lobby.peers)


def joint(lobby: Lobby, proposal: Proposal) -> bytes:
    """The value that all nonces give together."""
    nonces = [proposal.nonces[peer.identity] for peer in lobby.peers]
    return joint_value(b"start", _where(lobby, proposal, b""), nonces)


def end_value(lobby: Lobby, proposal: Proposal) -> Choice:
    """The decision that ends hand 0, as every peer computes it: the draw, and the members of the first hand."""
    members = tuple(peer.identity for peer in lobby.peers)
    return Choice(0, proposal.number, 0, 0, Value(Verdict.END, members, digest("draw", joint(lobby, proposal))), ())


def begin_game(lobby: Lobby, proposal: Proposal) -> Game:
    """The game that the draw gives: who sits where, who deals first, which peer operates which bot."""
    value = joint(lobby, proposal)
    seats = taken(lobby)
    names = [peer.name for peer in lobby.peers]
    people = [Seat(peer.name, None, peer.identity) for peer in lobby.peers]
    bots = []
    for level, name in zip(lobby.bots, BOT_NAMES, strict=False):
        names.append(told_apart(name, names))
        bots.append(Seat(names[-1], level, b""))
    order = permutation(digest("seats", value), seats)
    placed = [(*people, *bots)[index] for index in order]
    operators = [seat.operator for seat in placed if seat.bot is None]
    seated, bot = [], 0
    for seat in placed:
        if seat.bot is None:
            seated.append(seat)
        else:  # dealt out over the peers in seating order: nobody operates more than a fair share
            seated.append(replace(seat, operator=operators[bot % len(operators)]))
            bot += 1
    return Game(
        table=digest("table", proposal.lobby, value),
        title=lobby.title,
        peers=lobby.peers,
        seats=tuple(seated),
        options=options_of(lobby, seats),
        hands=lobby.hands,
        grace=lobby.grace,
        clock=lobby.clock,
        watch=lobby.watch,
        escrow=lobby.escrow,
        first_dealer=permutation(digest("dealer", value), seats)[0],
        words=spoken_words(value),
    )


def begin_deal(
    game: Game, version: str, number: int, members: tuple[bytes, ...], era: int, voters: tuple[bytes, ...] = ()
) -> Deal:
    """Hand `number` among these members before its first entry: they mix in seat order, the dealer's peer first (D18). With
    `voters` it is opened again."""
    seats = len(game.seats)
    dealer = (game.first_dealer + number - 1) % seats
    operators = operators_of(game, members)
    return Deal(
        version=version,
        table=game.table,
        number=number,
        attempt=era,
        voters=voters or members,
        members=tuple(dict.fromkeys(operators[(dealer + step) % seats] for step in range(seats))),
        dealer=dealer,
        operators=operators,
        options=game.options,
        escrow=game.escrow,
        logs=MappingProxyType({peer.identity: peer.author.incarnation for peer in game.peers}),
    )


def operators_of(game: Game, members: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Which member operates each seat: its own, and the seats of those who are not there are dealt out in seating order."""
    there = [seat.operator for seat in game.seats if seat.bot is None and seat.operator in members]
    operators, spare = [], 0
    for seat in game.seats:
        if seat.operator in members:
            operators.append(seat.operator)
        else:
            operators.append(there[spare % len(there)])
            spare += 1
    return tuple(operators)
