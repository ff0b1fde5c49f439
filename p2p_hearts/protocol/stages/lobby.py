"""The lobby (hand 0): the host's log orders the roster, the bots and the rules. A peer that wants a seat signs a Join, the
host seats it by writing that Join into its log, so nobody sits down unasked. If the host leaves or falls silent, the
next in joining order goes on from its last entry under a new lobby number. Names are for show; keys decide."""

from dataclasses import replace

from p2p_hearts.bots import LEVELS
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.signature import check_public
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, OptionError, Options, parse_override, resolve
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import Author, Entry, Tag, digest, open_signed
from p2p_hearts.protocol.errors import Fault, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.messages import (
    MAX_JOIN,
    AdmitPeer,
    Bots,
    Dismiss,
    Join,
    Open,
    Override,
    Propose,
    Rules,
    Succeed,
)
from p2p_hearts.protocol.names import fit, told_apart
from p2p_hearts.protocol.state import Lobby, Peer, Proposal, Table

EVEN_TABLE = 8  # seats; only passing across depends on their number, and there it works
MAX_SEATINGS = 48  # at one table in all; each is a log that everybody holds, and who comes and goes makes new ones
MAX_STAYS = 8  # of one identity at one table; one restless peer does not use up the seatings of all


def read_join(frame: bytes, version: str) -> Join:
    """The Join in a frame.

    Raises MalformedError when it is no well-formed, rightly signed Join of this version by a sound key, or its name
    cannot be shown as it is.
    """
    if not frame or frame[0] != Tag.JOIN:
        raise MalformedError("not a request to join")
    if len(frame) > MAX_JOIN:  # it would fit into no entry of the host
        raise MalformedError(f"{len(frame)} bytes, at most {MAX_JOIN} are allowed")
    join = open_signed(frame)
    assert isinstance(join, Join)
    if join.version != version:
        raise MalformedError(f"it speaks {join.version!r}, this table {version!r}")
    try:
        check_public(join.identity)
    except CryptoError as error:
        raise MalformedError(str(error)) from error
    if not fit(join.name):
        raise MalformedError("the name has characters that cannot be shown")
    return join


def _seated(peers: tuple[Peer, ...], join: Join) -> tuple[Peer, ...]:
    """The roster with one more peer; one identity, one link key, one seat."""
    author = Author(join.identity, join.incarnation)
    name = told_apart(join.name, (peer.name for peer in peers))
    return (*peers, Peer(author, name, join.link, join.addresses, join.port))


def taken(lobby: Lobby) -> int:
    """Seats filled by people and bots."""
    return len(lobby.peers) + len(lobby.bots)


def options_of(lobby: Lobby, seats: int) -> Options:
    """The rule options of the lobby for this number of seats.

    Raises OptionError.
    """
    return resolve(lobby.preset, dict(parse_override(f"{item.key}={item.value}") for item in lobby.overrides), seats)


def check_rules(preset: str, overrides: tuple[Override, ...]) -> None:
    """Checks that these rules can be played at some table.

    Raises OptionError.
    """
    given = dict(parse_override(f"{item.key}={item.value}") for item in overrides)
    for item in overrides:
        if item != written_override(item.key, given.get(item.key)):  # one spelling, or programs could differ on it
            raise OptionError(item.key, f"{item.value!r} is not how this value is written")
    resolve(preset, given, EVEN_TABLE)


def problem(lobby: Lobby) -> str | None:
    """Why the table cannot start yet, in one sentence, or None."""
    seats = taken(lobby)
    if seats < MIN_SEATS:
        missing = MIN_SEATS - seats
        return f"{missing} more {'player is' if missing == 1 else 'players are'} needed: invite people or add bots."
    try:
        options_of(lobby, seats)
    except OptionError as error:
        return f"{error.sentence[:1].upper()}{error.sentence[1:]}."
    return None


def lobby_hash(lobby: Lobby) -> bytes:
    """What a proposal to start names: everything that must be equal everywhere."""
    value = (
        lobby.table,
        lobby.number,
        lobby.title,
        lobby.seats,
        lobby.preset,
        tuple(plain(item) for item in lobby.overrides),
        lobby.hands,
        lobby.grace,
        lobby.clock,
        lobby.watch,
        lobby.escrow,
        tuple((peer.identity, peer.author.incarnation, peer.name, peer.link) for peer in lobby.peers),
        lobby.bots,
    )
    return digest("lobby", pack(value))


def open_lobby(entry: Entry, version: str) -> Lobby:
    """The lobby that an opener's first entry makes.

    Raises RemoteProtocolError when its own Join is not in order.
    """
    body = entry.body
    assert isinstance(body, Open)
    author = entry.author
    try:
        join = read_join(body.join, version)
    except MalformedError as error:
        raise RemoteProtocolError(author.identity, Fault.MALFORMED, str(error)) from error
    if entry.table or join.table or Author(join.identity, join.incarnation) != author or not fit(body.title):
        raise RemoteProtocolError(author.identity, Fault.MALFORMED, "the table is opened in another's name")
    _sound(author.identity, body.preset, body.overrides)
    return Lobby(
        entry.hash,
        0,
        author,
        body.title,
        body.seats,
        body.preset,
        body.overrides,
        body.hands,
        body.grace,
        body.clock,
        bool(body.watch),
        bool(body.escrow),
        _seated((), join),
        head=entry.hash,
        seatings=(author.identity,),
        met=frozenset({author}),
    )


def _sound(host: bytes, preset: str, overrides: tuple[Override, ...]) -> None:
    try:
        check_rules(preset, overrides)
    except OptionError as error:
        raise RemoteProtocolError(host, Fault.MALFORMED, str(error)) from error


def apply_host(lobby: Lobby, entry: Entry, version: str) -> Lobby:
    """The lobby after an entry of its host; any change makes a proposal void.

    Raises RemoteProtocolError when the host seats somebody who did not ask, or more than fit.
    """
    host = entry.author.identity
    after = replace(lobby, seq=entry.seq, head=entry.hash, before=lobby, proposal=None)
    match entry.body:
        case AdmitPeer(frame):
            try:
                join = read_join(frame, version)
            except MalformedError as error:
                raise RemoteProtocolError(host, Fault.MALFORMED, str(error)) from error
            known = {peer.identity for peer in lobby.peers} | {peer.link for peer in lobby.peers}
            if (
                join.table != lobby.table
                or join.role
                or join.identity in known
                or join.link in known
                or taken(lobby) >= MAX_SEATS
            ):
                raise RemoteProtocolError(host, Fault.MALFORMED, "it seats somebody who has no place here")
            if worn_out(lobby, join.identity):
                raise RemoteProtocolError(host, Fault.MALFORMED, "it seats people without end")
            author = Author(join.identity, join.incarnation)
            if author in lobby.met:  # who hears of what it wrote meanwhile, and when, would decide what it means
                raise RemoteProtocolError(host, Fault.MALFORMED, "it seats a log that had left")
            seatings = (*lobby.seatings, join.identity)
            return replace(after, peers=_seated(lobby.peers, join), seatings=seatings, met=lobby.met | {author})
        case Dismiss(identity) if identity != host:
            return replace(after, peers=tuple(peer for peer in lobby.peers if peer.identity != identity))
        case Bots(levels):
            if len(lobby.peers) + len(levels) > MAX_SEATS or any(level not in LEVELS for level in levels):
                raise RemoteProtocolError(host, Fault.MALFORMED, "bots that this table cannot have")
            return replace(after, bots=levels)
        case Rules(preset, overrides):
            _sound(host, preset, overrides)
            return replace(after, preset=preset, overrides=overrides)
        case Propose(number, named):
            if named != lobby_hash(lobby) or problem(lobby) is not None or number != lobby.proposed + 1:
                raise RemoteProtocolError(host, Fault.WRONG_HEADS, "it proposes another lobby than its own")
            return replace(after, proposal=Proposal(number, named), proposed=number)
        case _:
            raise RemoteProtocolError(host, Fault.OUT_OF_PHASE, f"{entry.kind.name} in the lobby")


def worn_out(lobby: Lobby, identity: bytes) -> bool:
    """Whether somebody cannot be seated any more because people have come and gone too often."""
    return len(lobby.seatings) >= MAX_SEATINGS or lobby.seatings.count(identity) >= MAX_STAYS


def rules_hash(lobby: Lobby) -> str:
    """Eight hexadecimal digits that tell tables with the same rules apart from others."""
    return digest("rules", pack((lobby.preset, tuple(plain(item) for item in lobby.overrides)))).hex()[:8]


def is_seated(table: Table, author: Author) -> bool:
    """Whether an author is on the roster, by its incarnation too: who left and came back writes a new log."""
    peer = table.peer(author.identity)
    return peer is not None and peer.author == author


def heard_of(table: Table, author: Author) -> bool:
    """Whether an author is on the roster, or has been: then its entries have no effect any more."""
    return table.lobby is not None and author in table.lobby.met


def apply_succession(lobby: Lobby, entry: Entry, body: Succeed) -> Lobby | None:
    """The lobby under its next host, from the named entry of the host before on; that host is off the roster. None while
    that entry is not here.

    Raises RemoteProtocolError when the named host never was one, or the author had no seat then.
    """
    author = entry.author
    base: Lobby | None = lobby
    while base is not None and (base.host.identity, base.seq) != (body.former, body.seq):
        base = base.before
    if base is None and lobby.host.identity == body.former and lobby.seq < body.seq:
        return None
    if base is None or body.number > base.number + MAX_SEATS:
        raise RemoteProtocolError(author.identity, Fault.MALFORMED, "it succeeds nobody that it could")
    if base.head != body.head:
        raise RemoteProtocolError(author.identity, Fault.WRONG_HEADS, "it goes on from another entry of the host")
    peers = tuple(peer for peer in base.peers if peer.identity != body.former)
    if author not in [peer.author for peer in peers]:
        raise RemoteProtocolError(author.identity, Fault.NOT_A_MEMBER, "it had no seat")
    heir = replace(base, number=body.number, host=author, peers=peers, proposal=None)
    return replace(heir, seq=entry.seq, head=entry.hash, before=lobby, met=lobby.met | base.met)


def written_override(key: str, value: object) -> Override:
    """An option as it travels: its name and its value as people write it on the command line."""
    text = (
        ",".join(value) if isinstance(value, tuple | list) else str(value).lower() if isinstance(value, bool) else value
    )
    return Override(key, str(text))
