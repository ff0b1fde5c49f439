"""What a `Session` is made with, and what leaves a step: frozen values that a driver carries out."""

from dataclasses import dataclass, field

from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.protocol.events import Event
from p2p_hearts.protocol.inputs import Job


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are on the network: our signing key, the name we go by, and where others reach us."""

    key: SigningKey
    name: str
    link: bytes
    addresses: tuple[str, ...] = ()
    port: int = 0
    boot: int = 0  # number of this start of the program


@dataclass(frozen=True, slots=True)
class Setup:
    """What somebody opens a table with; `hands` 0 means to the limit."""

    title: str
    seats: int = 6
    bots: tuple[str, ...] = ()
    preset: str = "as_written"
    overrides: tuple[tuple[str, object], ...] = ()
    hands: int = 0
    grace: int = 30  # seconds without a sign of life until a hand goes on without a peer
    clock: int = 0  # seconds that a person has for a turn; 0: as long as it takes
    watch: bool = False
    escrow: bool = True
    admit: str = "approve"  # or "open": whoever asks is seated; or "private": whoever was invited, nobody else


@dataclass(frozen=True, slots=True)
class Send:
    """A frame and the links to send it over."""

    to: tuple[bytes, ...]
    frame: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """An entry for the journal, in the order of acceptance; `secret` is kept with an own entry until its hand is forgotten."""

    author: bytes
    incarnation: bytes
    seq: int
    frame: bytes
    own: bool
    secret: bytes | None = field(default=None, repr=False)
    hand: int = 0  # that the secret belongs to


@dataclass(frozen=True, slots=True)
class Contact:
    """A peer to keep a link with."""

    identity: bytes
    link: bytes
    name: str
    addresses: tuple[str, ...]
    port: int
    admitted: bool


@dataclass(frozen=True, slots=True)
class Output:
    """All that leaves a step."""

    frames: tuple[Send, ...] = ()
    events: tuple[Event, ...] = ()
    jobs: tuple[Job, ...] = ()
    journal: tuple[Record, ...] = ()
    forget: tuple[int, ...] = ()  # hands whose secrets nobody needs any more
    wake_at: float = 0.0
