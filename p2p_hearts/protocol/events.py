"""What a `Session` tells its driver: each event is one thing that happened, in the order in which it happened."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2p_hearts.cards import Card
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol.errors import Fault


class Duty(Enum):
    """What a seat is asked to do."""

    PASS = "pass"  # noqa: S105 - a card is passed, no password
    PLAY = "play"
    MOON = "moon"


@dataclass(frozen=True, slots=True)
class JoinAsked:
    """Somebody asks the host for a seat (only the host hears this; answer with `Admit`)."""

    peer: bytes
    name: str


@dataclass(frozen=True, slots=True)
class JoinRefused:
    """The table we asked to join said no, with its reason in words."""

    reason: str


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The roster, the bots, the rules or the host changed; `text` says what in one sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class ElectionBegan:
    """All peers now draw lots for seats and the first dealer."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The draw is done: seats and dealer are known. `words` are the three words alike on every screen."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandOpened:
    """Hand `number` (from 1) is being shuffled; `dealer` is a seat."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class DealProgressed:
    """A peer finished a step of the deal: step is `key`, `mixed`, `verified` (its mix, by us), `agreed` or `dealt`."""

    peer: bytes
    step: str


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Own seats can now read their hands."""

    number: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat that this peer operates is asked to act; sent once per duty. `view` is all it may know, `bot` the level of the
    bot that plays it, or None for the person at this peer."""

    seat: int
    duty: Duty
    view: View
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class SeatPassed:
    """A seat has chosen its cards to pass (which ones nobody else knows)."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardsReceived:
    """A seat of ours got these cards from `source`."""

    seat: int
    source: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A seat laid a card; `trick` counts from 1."""

    seat: int
    card: Card
    trick: int


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """A trick is complete. `winner` is None when nobody takes it; `points` are its own and, if somebody takes it, those
    that were set aside before (the kitty left out); `kitty` says that the winner also takes the kitty."""

    trick: int
    leader: int
    cards: tuple[Card, ...]
    winner: int | None
    cancelled: tuple[Card, ...]
    points: int
    kitty: bool


@dataclass(frozen=True, slots=True)
class KittyRead:
    """A seat of ours won the kitty and now knows it."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MoonShot:
    """A seat won all hearts and Black Marias and must choose."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandScored:
    """A hand is over: points per seat after the moon, totals after the hand."""

    number: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    unclaimed: int
    moon: int | None
    choice: str | None


@dataclass(frozen=True, slots=True)
class Slow:
    """A person has been deciding for a minute at a table without a clock: whoever will wait no longer can say so (`GoOn`)."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class PeerLost:
    """The hand goes on without this peer: bots play its seats until it is back at the start of a hand."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class HandReopened:
    """The deck of the hand is made again, since not all who began it are there any more; no card had been dealt."""

    number: int


@dataclass(frozen=True, slots=True)
class HandAnnulled:
    """The hand counts for nothing and is dealt again; `charged` are the seats that pay for it, `scores` the totals now."""

    number: int
    charged: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game, or the agreed number of hands, is over. `winners` are seats (empty when the limit was not reached)."""

    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResultSigned:
    """Every peer has signed the same final result."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    peer: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Away:
    """No sign of life from a peer for some seconds."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Back:
    """A peer that was away is there again."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """A peer left the table by its own will."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Accused:
    """A peer broke the protocol; the table cannot go on with it."""

    peer: bytes
    code: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Our own command was not possible now; `reason` is the sentence to show."""

    reason: str


Event: TypeAlias = (
    JoinAsked | JoinRefused | LobbyChanged | ElectionBegan | Seated | HandOpened | DealProgressed | CardsDealt | Turn
    | SeatPassed | CardsReceived | Played | TrickEnded | KittyRead | MoonShot | HandScored | Slow | PeerLost
    | HandReopened | HandAnnulled | GameEnded | ResultSigned
    | Said | Away | Back | PeerLeft | Accused | Refused
)  # fmt: skip
