"""What a screen may show of a table right now: one frozen picture, made by `Session.scene()`. It holds no secret but
the own player's cards."""

from dataclasses import dataclass
from enum import Enum

from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.view import View


class Stage(Enum):
    """Where the table is."""

    JOINING = "joining"  # we asked, the host has not answered
    LOBBY = "lobby"
    ELECTION = "election"
    DEALING = "dealing"  # keys, mixing, agreeing, shares
    PASSING = "passing"
    PLAYING = "playing"
    MOON = "moon"  # the shooter chooses
    SIGNING = "signing"  # the hand is played, its result is being signed
    OVER = "over"
    STOPPED = "stopped"  # a peer broke the protocol, or we left


@dataclass(frozen=True, slots=True)
class PeerLine:
    """One peer: `mark` is the short, speakable form of its key."""

    key: bytes
    name: str
    mark: str
    me: bool
    host: bool
    linked: bool
    away: bool
    said: str = "here"  # by its person: here, away for a moment, or wait for me
    lost: bool = False  # the hand goes on without it: a bot plays its seats
    left_out_in: float | None = None  # seconds until the hand may go on without it, if it is not heard of before


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat, in turn order. `bot` is the level of the bot that plays it, or None for a person."""

    name: str
    bot: str | None
    operator: bytes


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody who waits for the host to say yes."""

    key: bytes
    name: str
    mark: str


@dataclass(frozen=True, slots=True)
class Lobby:
    """The table before the start. `table` is its id in hex; `problem` says why it cannot start yet, or is None."""

    table: str
    seats: int  # wanted, people and bots
    bots: tuple[str, ...]
    preset: str
    options: Options
    departures: tuple[str, ...]
    hands: int | None
    asking: tuple[Asking, ...]
    problem: str | None


@dataclass(frozen=True, slots=True)
class DealLine:
    """How far one peer is with the deal, as seen here."""

    peer: bytes
    key: bool
    mixed: bool
    verified: bool
    agreed: bool
    dealt: bool


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One scored hand: points per seat after the moon choice."""

    number: int
    points: tuple[int, ...]
    kitty: int | None
    unclaimed: int
    moon: int | None
    choice: str | None


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole picture. Parts that do not exist yet are None or empty; seats are indexes into `seats`."""

    stage: Stage
    table: str  # its title
    peers: tuple[PeerLine, ...]
    lobby: Lobby | None
    options: Options
    words: tuple[str, ...]
    seats: tuple[SeatLine, ...]
    my_seat: int | None
    number: int  # of the hand, from 1; 0 in the lobby
    dealer: int | None
    deal: tuple[DealLine, ...]
    hand: Hand | None  # from the first lead on
    view: View | None  # from the first look at the cards on
    passed: tuple[bool, ...]  # which seats have chosen their cards to pass
    received: tuple[int, ...]  # cards my seat got by the pass
    waiting_for: tuple[str, ...]  # names of those who owe the next step
    scores: tuple[int, ...]
    sheet: tuple[SheetRow, ...]
    winners: tuple[int, ...]
    problem: str | None  # why the table stopped
    deciding: tuple[str, ...] = ()  # without whom the table is just deciding to go on
    clock: int = 0  # seconds that a person has for a decision; 0: as long as it takes
    annulled: tuple[tuple[int, tuple[int, ...]], ...] = ()  # hands that counted for nothing: number, seats that pay
