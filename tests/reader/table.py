"""The state of a whole game: what the draw has fixed (`lobby.md`, P54, P55), the hands, and who is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.reader import messages as m
from tests.reader.closing import Annulled, Scored
from tests.reader.council import Decision
from tests.reader.entries import Author, Entry
from tests.reader.hand import Hand
from tests.reader.lobby import Lobby, Peer
from tests.reader.options import Options

Void: TypeAlias = Mapping[tuple[int, int, bytes], int]  # by hand, attempt and peer: the last number that counts


@dataclass(frozen=True, slots=True)
class Place:
    """A seat: what it is called, whether a bot sits there, and the peer whose it is."""

    name: str
    bot: bool
    owner: bytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the draw gives; only the places of bots, and incarnations, may change later (P117, P132)."""

    table: bytes
    words: tuple[str, ...]
    places: tuple[Place, ...]
    dealer: int
    options: Options
    peers: tuple[Peer, ...]  # in joining order

    @property
    def identities(self) -> tuple[bytes, ...]:
        """The keys of the peers, in joining order."""
        return tuple(peer.identity for peer in self.peers)

    def among(self, members: Sequence[bytes]) -> tuple[bytes, ...]:
        """These peers in joining order."""
        return tuple(identity for identity in self.identities if identity in members)


@dataclass(frozen=True, slots=True)
class Start:
    """The end of hand 0: what its one choice has to be, and who has accepted it."""

    attempt: int
    host: bytes
    value: m.Body
    voters: tuple[bytes, ...]
    chosen: bool = False
    accepted: frozenset[bytes] = frozenset()

    @property
    def fallen(self) -> bool:
        """P93."""
        return len(self.accepted) >= len(self.voters) // 2 + 1


@dataclass(frozen=True, slots=True)
class Game:
    """All that the entries so far have made."""

    void: Void = field(default_factory=dict)  # as the votes of the whole game say (P124)
    chains: Mapping[Author, tuple[int, bytes]] = field(default_factory=dict)  # entries held, hash of the last
    lobby: Lobby | None = None
    start: Start | None = None
    drawn: Drawn | None = None
    known: frozenset[Author] = frozenset()  # who ever had a place
    number: int = 0  # of the current hand
    hands: Mapping[int, Hand] = field(default_factory=dict)  # the one before, the current one, the one prepared
    era: int = 0
    members: tuple[bytes, ...] = ()  # of the current deal when it was opened by a new hand, in joining order
    left: frozenset[bytes] = frozenset()
    scores: tuple[int, ...] = ()
    scored: tuple[Scored, ...] = ()
    annulled: tuple[Annulled, ...] = ()
    winners: tuple[int, ...] = ()
    over: bool = False
    applied: Mapping[Author, int] = field(default_factory=dict)  # number of the last entry applied
    confirmed: Void = field(default_factory=dict)  # what of `void` the decisions have said so far
    result: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hand(self) -> Hand | None:
        """The current hand."""
        return self.hands.get(self.number)

    @property
    def roster(self) -> tuple[Peer, ...]:
        """Who has a place now."""
        if self.drawn is not None:
            return self.drawn.peers
        return () if self.lobby is None else self.lobby.roster

    def reached(self, identity: bytes) -> int:
        """The number of the last entry of a peer's log that has been applied, −1 if there is none."""
        author = next(peer.author for peer in self.roster if peer.identity == identity)
        return self.applied.get(author, -1)


def operators_of(drawn: Drawn, members: Sequence[bytes]) -> tuple[bytes, ...]:
    """P60: which of these peers operates each seat."""
    there = [place.owner for place in drawn.places if not place.bot and place.owner in members]
    operators, spare = [], 0
    for place in drawn.places:
        if place.owner in members:
            operators.append(place.owner)
        else:
            operators.append(there[spare % len(there)])
            spare += 1
    return tuple(operators)


def opened(
    game: Game, number: int, members: Sequence[bytes], era: int, voters: tuple[bytes, ...], decision: int = 0
) -> Hand:
    """A deal of which nothing is there yet (P60, P116, P118)."""
    drawn, lobby = game.drawn, game.lobby
    assert drawn is not None
    assert lobby is not None
    dealer = (drawn.dealer + number - 1) % len(drawn.places)
    operators = operators_of(drawn, members)
    council, logs = Decision(decision), dict(peer.author for peer in drawn.peers)
    return Hand(drawn.table, number, era, drawn.options, lobby.escrow, dealer, operators, voters, council, logs=logs)


def is_last(game: Game, number: int) -> bool:
    """Whether a hand is the last that `OPEN` asked for."""
    return game.lobby is not None and number == game.lobby.hands


def hand_of(entry: Entry) -> int:
    """The hand that an entry belongs to: its field, or 0."""
    number: int = entry.body.get("hand", 0)
    return number
