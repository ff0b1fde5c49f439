"""Hand 0 of a table, by `lobby.md`: who sits down, what the host sets, succession, and the draw."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.reader import messages as m
from tests.reader.entries import Author, Entry, open_join
from tests.reader.hashing import commitment, fingerprint, joint_value
from tests.reader.names import BOTS, is_clean, told_apart
from tests.reader.options import resolved
from tests.reader.refusal import RefusedError, demand
from tests.reader.values import Value, pack

LEVELS = {"uniform", "cautious", "clever", "expert"}
MAX_SEATS, MAX_PROPOSALS, MAX_PASSED_OVER = 11, 255, 11
BY_HOST = {m.ADMIT, m.DISMISS, m.BOTS, m.RULES, m.PROPOSE}


@dataclass(frozen=True, slots=True)
class Peer:
    """One peer of the roster, as its request for a seat names it."""

    author: Author
    name: str  # with the number that it got when it was seated (P45)
    link: bytes

    @property
    def identity(self) -> bytes:
        """Its key."""
        return self.author[0]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to start, and what has been answered."""

    number: int
    lobby: bytes
    commitments: Mapping[bytes, bytes] = field(default_factory=dict)
    nonces: Mapping[bytes, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lobby:
    """The state of a table before its game."""

    table: bytes
    title: str
    seats: int
    preset: str
    overrides: tuple[tuple[str, str], ...]
    hands: int
    grace: int
    clock: int
    watch: bool
    escrow: bool
    host: bytes
    roster: tuple[Peer, ...]
    known: frozenset[Author]  # everybody that has ever been on the roster
    bots: tuple[str, ...] = ()
    number: int = 0  # of the lobby: how often its host has changed
    proposals: int = 0
    proposal: Proposal | None = None
    before: tuple[tuple[Author, int, bytes, "Lobby"], ...] = ()  # what each host's entries have made

    @property
    def identities(self) -> tuple[bytes, ...]:
        """The roster in joining order."""
        return tuple(peer.identity for peer in self.roster)

    @property
    def players(self) -> int:
        """Seats that would play."""
        return len(self.roster) + len(self.bots)

    @property
    def names(self) -> tuple[str, ...]:
        """What people and then bots are called."""
        return told_apart([peer.name for peer in self.roster], BOTS[: len(self.bots)])

    @property
    def hash(self) -> bytes:
        """P49."""
        peers = zip(self.roster, self.names, strict=False)
        roster: list[Value] = [[*peer.author, name, peer.link] for peer, name in peers]
        overrides: list[Value] = [list[Value](pair) for pair in self.overrides]
        lobby: list[Value] = [self.table, self.number, self.title, self.seats, self.preset, overrides, self.hands]
        ways: list[Value] = [self.grace, self.clock, self.watch, self.escrow]
        return fingerprint("lobby", pack([*lobby, *ways, roster, list[Value](self.bots)]))


def opened(entry: Entry) -> Lobby:
    """The lobby that an opener's first entry makes (P40). Raises RefusedError."""
    demand(entry.kind == m.OPEN and entry.seq == 0, "OUT_OF_ORDER", "the first entry opens no table")
    demand(entry.table == b"", "MALFORMED", "an opener names a table")
    join = open_join(entry.body["join"])
    demand((join["identity"], join["incarnation"]) == entry.author, "MALFORMED", "another's request")
    demand(join["table"] == b"", "MALFORMED", "a request for another table")
    demand(is_clean(join["name"]) and is_clean(entry.body["title"]), "MALFORMED", "a name that is not clean")
    overrides = _overrides(entry.body)
    resolved(entry.body["preset"], overrides, 8)
    peer = Peer(entry.author, join["name"], join["link"])
    lobby = Lobby(
        entry.hash,
        entry.body["title"],
        entry.body["seats"],
        entry.body["preset"],
        overrides,
        entry.body["hands"],
        entry.body["grace"],
        entry.body["clock"],
        entry.body["watch"] == 1,
        entry.body["escrow"] == 1,
        host=entry.identity,
        roster=(peer,),
        known=frozenset({entry.author}),
    )
    return _remembered(lobby, entry)


def applied(lobby: Lobby, entry: Entry, held: Mapping[Author, int]) -> Lobby:
    """The lobby after an entry of hand 0 by a peer on the roster, with so many entries of each log. Raises RefusedError."""
    if entry.kind in BY_HOST:
        return _remembered(_set(lobby, entry), entry) if entry.identity == lobby.host else lobby
    match entry.kind:
        case m.AGREE | m.DRAW:
            return _answered(lobby, entry)
        case m.SUCCEED:
            return _succeeded(lobby, entry, held)
        case m.LEAVE:
            return lobby
        case _:
            raise RefusedError("OUT_OF_PHASE", "a second OPEN")


def where(lobby: Lobby, proposal: Proposal, author: bytes) -> bytes:
    """P51: what a nonce of the start is bound to."""
    return fingerprint("start", lobby.table, proposal.lobby, proposal.number.to_bytes(2, "big"), author)


def joint(lobby: Lobby) -> bytes:
    """P53: what all nonces together give. Raises RefusedError: not everybody has opened."""
    proposal = lobby.proposal
    if proposal is None or len(proposal.nonces) < len(lobby.roster):
        raise RefusedError("OUT_OF_ORDER", "the draw is not complete")
    nonces = [proposal.nonces[identity] for identity in lobby.identities]
    return joint_value("start", where(lobby, proposal, b""), nonces)


def _set(lobby: Lobby, entry: Entry) -> Lobby:
    body = entry.body
    match entry.kind:
        case m.ADMIT:
            lobby = _admitted(lobby, body["join"])
        case m.DISMISS:
            demand(body["peer"] != lobby.host, "OUT_OF_PHASE", "the host dismisses itself")
            lobby = replace(lobby, roster=tuple(peer for peer in lobby.roster if peer.identity != body["peer"]))
        case m.BOTS:
            demand(LEVELS.issuperset(body["levels"]), "MALFORMED", "a level that there is not")
            lobby = replace(lobby, bots=tuple(body["levels"]))
            demand(lobby.players <= MAX_SEATS, "MALFORMED", "more bots than seats")
        case m.RULES:
            overrides = _overrides(body)
            resolved(body["preset"], overrides, 8)
            lobby = replace(lobby, preset=body["preset"], overrides=overrides)
        case _:
            return _proposed(lobby, body)
    return replace(lobby, proposal=None)


def _admitted(lobby: Lobby, frame: bytes) -> Lobby:
    """P43."""
    try:
        join = open_join(frame)
    except RefusedError as error:
        raise RefusedError("MALFORMED", "a request that nobody has signed") from error
    author = (join["identity"], join["incarnation"])
    demand(join["table"] == lobby.table and is_clean(join["name"]), "MALFORMED", "a request for another table")
    taken = any(peer.identity == author[0] or peer.link == join["link"] for peer in lobby.roster)
    demand(not taken and lobby.players < MAX_SEATS, "MALFORMED", "no place for this peer")
    demand(author not in lobby.known, "MALFORMED", "a log that had left")
    name = told_apart([peer.name for peer in lobby.roster], [join["name"]])[-1]
    roster = (*lobby.roster, Peer(author, name, join["link"]))
    return replace(lobby, roster=roster, known=lobby.known | {author})


def _proposed(lobby: Lobby, body: m.Body) -> Lobby:
    """P50."""
    number = lobby.proposals + 1
    demand(number <= MAX_PROPOSALS, "OUT_OF_PHASE", "too many proposals")
    demand((body["number"], body["lobby"]) == (number, lobby.hash), "WRONG_HEADS", "another lobby")
    demand(6 <= lobby.players <= MAX_SEATS, "WRONG_HEADS", "too few seats are filled")
    try:
        resolved(lobby.preset, lobby.overrides, lobby.players)
    except RefusedError as error:
        raise RefusedError("WRONG_HEADS", str(error)) from error
    return replace(lobby, proposals=number, proposal=Proposal(number, lobby.hash))


def _answered(lobby: Lobby, entry: Entry) -> Lobby:
    """P51, P52."""
    proposal, body, who = lobby.proposal, entry.body, entry.identity
    demand(body["number"] <= lobby.proposals, "OUT_OF_ORDER", "an answer to a proposal that is not here")
    if proposal is None or body["number"] < proposal.number:
        return lobby
    if entry.kind == m.AGREE and body["lobby"] != proposal.lobby:
        return lobby
    if entry.kind == m.AGREE:
        demand(who not in proposal.commitments, "REPEATED", "a second AGREE")
        commitments = {**proposal.commitments, who: body["commitment"]}
        return replace(lobby, proposal=replace(proposal, commitments=commitments))
    demand(who not in proposal.nonces, "REPEATED", "a second DRAW")
    demand(len(proposal.commitments) == len(lobby.roster), "OUT_OF_ORDER", "not everybody has committed")
    committed = [proposal.commitments[identity] for identity in lobby.identities]
    demand(body["answers"] == fingerprint("commitments", *committed), "WRONG_HEADS", "another set of commitments")
    opening = commitment("start nonce", where(lobby, proposal, who), body["nonce"], body["salt"])
    demand(opening == proposal.commitments[who], "BAD_COMMITMENT", "not what it had committed to")
    return replace(lobby, proposal=replace(proposal, nonces={**proposal.nonces, who: body["nonce"]}))


def _succeeded(lobby: Lobby, entry: Entry, held: Mapping[Author, int]) -> Lobby:
    """P48, as far as it follows from entries: clocks are not asked."""
    body = entry.body
    if body["number"] <= lobby.number:
        return lobby
    former = next((peer for peer in lobby.known if peer[0] == body["former"]), None)
    demand(
        former is None or body["seq"] < held.get(former, 0), "OUT_OF_ORDER", "it goes on from an entry that is not here"
    )
    named = [item for item in lobby.before if item[0] == former and item[1] == body["seq"]]
    demand(len(named) > 0, "MALFORMED", "it goes on from no entry of a host")
    author, _, head, old = named[-1]
    demand(body["number"] <= old.number + MAX_PASSED_OVER, "MALFORMED", "too great a number")
    demand(head == body["head"], "WRONG_HEADS", "it goes on from another entry")
    heirs = {peer.author for peer in old.roster if peer.author != author}
    demand(entry.author in heirs, "NOT_A_MEMBER", "it had no seat then")
    roster = tuple(peer for peer in old.roster if peer.author != author)
    after = replace(
        old,
        number=body["number"],
        host=entry.identity,
        roster=roster,
        proposal=None,
        known=lobby.known,
        before=lobby.before,
    )
    return _remembered(after, entry)


def _remembered(lobby: Lobby, entry: Entry) -> Lobby:
    bare = replace(lobby, before=())
    return replace(lobby, before=(*lobby.before, (entry.author, entry.seq, entry.hash, bare)))


def _overrides(body: m.Body) -> tuple[tuple[str, str], ...]:
    return tuple((override["key"], override["value"]) for override in body["overrides"])
