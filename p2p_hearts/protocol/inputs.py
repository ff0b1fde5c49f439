"""Everything that can enter a `Session`: frames, links, finished jobs, time, and what the person at this peer wants."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2p_hearts.cards import Card

MARKS = ("here", "away", "wait")  # what a player can say with its sign of life, by its number in heartbeats


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes that came over a link. A link is named by the CURVE key of the program at its other end."""

    link: bytes
    frame: bytes


@dataclass(frozen=True, slots=True)
class Linked:
    """Frames can now be sent over this link."""

    link: bytes


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Frames can no longer be sent over this link."""

    link: bytes


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; sent at `Output.wake_at` or earlier."""


@dataclass(frozen=True, slots=True)
class JobDone:
    """The result of a job handed out before: what `Job.run()` returned."""

    job: int
    result: Any


@dataclass(frozen=True, slots=True)
class Admit:
    """The host lets the peer that asked to join sit down, or refuses it."""

    peer: bytes
    yes: bool = True


@dataclass(frozen=True, slots=True)
class AddBot:
    """The host gives one more seat to a bot of this level."""

    level: str


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """The host takes the bot added last off its seat."""


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """The host changes the table's rules: a preset and the options that depart from it, as plain values."""

    preset: str
    overrides: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """The host proposes to begin with the peers and bots now seated."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The person at this peer leaves the table."""


@dataclass(frozen=True, slots=True)
class Pass:
    """`seat` passes these cards (as many as the table's `pass_count`, a card named twice means both copies)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """`seat` plays a card to the trick."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class ChooseMoon:
    """`seat`, which shot the moon, takes the value off its own total (`subtract`) or puts it onto all others (`add`)."""

    seat: int
    choice: str


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat from the person at this peer."""

    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The person at this peer is `here`, `away` for a moment, or asks all to `wait`."""

    mark: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """The person at this peer will not wait any longer for whoever has a decision to make."""


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody has proved an invitation to this table, outside the session: the host seats this identity when it asks."""

    peer: bytes


Command: TypeAlias = (
    Admit | AddBot | RemoveBot | ChangeRules | Start | Leave | Pass | Play | ChooseMoon | Say | Mark | GoOn
)
Input: TypeAlias = Received | Linked | Unlinked | Tick | JobDone | Invited | Command


@dataclass(frozen=True, slots=True)
class Job:
    """A long proof to make or to check: a pure call the driver runs, lower `urgency` first, and answers with `JobDone`."""

    number: int
    urgency: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = field(repr=False)  # keys and randomness are among them

    def run(self) -> Any:
        """What the function returns; any proof error is part of the result, not raised."""
        return self.function(*self.arguments)
