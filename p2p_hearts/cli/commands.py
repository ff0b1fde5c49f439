"""What a person can ask for on the command line, as values: one class a command, its fields checked and complete."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Common:
    """What every table command knows about the person, the place and the screen."""

    name: str | None  # shown to the others
    port: int | None  # of the mesh; hello answers on the next one
    bind: str | None  # an adapter, by its name or one of its addresses
    state: Path | None  # folder of the identity and the journals
    plain: bool
    autoplay: str | None  # level of the bot that answers for the person
    result: Path | None
    export: Path | None
    log: Path | None


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules a table is opened with, and how many hands it plays (None: to the limit)."""

    preset: str
    overrides: tuple[tuple[str, object], ...]
    hands: int | None


@dataclass(frozen=True, slots=True)
class Lobby:
    """The tables on this network, and what one can do about them."""

    common: Common


@dataclass(frozen=True, slots=True)
class Solo:
    """One person and bots in this process."""

    common: Common
    seats: int
    level: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class Ways:
    """How a table deals with time and with absence."""

    grace: int = 30  # seconds
    clock: int = 0  # seconds for a turn; 0: as long as it takes
    watch: bool = False
    escrow: bool = True


@dataclass(frozen=True, slots=True)
class Host:
    """Open a table."""

    common: Common
    name: str | None
    seats: int
    bots: int
    level: str
    rules: Rules
    admit: str
    start: bool
    ways: Ways


@dataclass(frozen=True, slots=True)
class Join:
    """Ask for a seat: at an address, by an invitation, at a table of this name, or at the only table there is."""

    common: Common
    where: str | None


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on at a table, where only the cards played are seen."""

    common: Common
    where: str | None


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with the last game that was not played to its end."""

    common: Common


@dataclass(frozen=True, slots=True)
class Tables:
    """List the tables on this network."""

    wait: float  # seconds
    json: bool
    bind: str | None


@dataclass(frozen=True, slots=True)
class Demo:
    """So many real processes on this machine, a bot at every seat."""

    peers: int
    seats: int
    hands: int | None
    level: str
    json: bool
    export: Path | None = None


@dataclass(frozen=True, slots=True)
class Simulate:
    """A seeded world of sessions on a virtual clock."""

    peers: int
    seats: int
    seed: int
    level: str
    rules: Rules
    loss: float  # share of frames
    delay: float  # milliseconds, on average
    duplicate: float  # share of frames
    reorder: float  # share of frames
    tiny: bool
    trace: bool
    json: bool
    troubles: tuple[tuple[str, int], ...] = ()  # what goes wrong, and how often
    grace: int = 30  # seconds until a hand goes on without somebody
    think: float = 0.0  # virtual seconds for every card
    adversary: str | None = None  # how the second peer cheats


@dataclass(frozen=True, slots=True)
class Arena:
    """Bots of these levels against each other on duplicate deals."""

    levels: tuple[str, ...]
    seats: int
    hands: int  # deals, each played once for every level
    seed: int
    effort: int  # rollouts a decision
    rules: Rules
    json: bool


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """Judge written-down tricks and hands."""

    file: Path


@dataclass(frozen=True, slots=True)
class Verify:
    """Check the file of a finished game again."""

    file: Path


@dataclass(frozen=True, slots=True)
class Replay:
    """Look at the file of a finished game, card by card."""

    file: Path
    plain: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Write a page about a finished game; beside its file, if no place is named."""

    file: Path
    page: Path | None = None


@dataclass(frozen=True, slots=True)
class Learn:
    """The tutorial."""

    plain: bool


@dataclass(frozen=True, slots=True)
class Stats:
    """What became of your games so far."""

    state: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class ShowRules:
    """The rules of the game."""


@dataclass(frozen=True, slots=True)
class Bench:
    """How fast this machine proves, checks and plays."""

    json: bool


@dataclass(frozen=True, slots=True)
class Doctor:
    """What will not work on this computer, and the cure."""

    port: int
    bind: str | None
    state: Path | None
    bundle: Path | None  # where to write what a bug report needs
    json: bool


Command: TypeAlias = (
    Lobby
    | Solo
    | Host
    | Join
    | Watch
    | Continue
    | Tables
    | Demo
    | Simulate
    | Arena
    | Adjudicate
    | Verify
    | Replay
    | Report
    | Stats
    | Learn
    | ShowRules
    | Bench
    | Doctor
)
