"""What a cheat is: its name, what it tries, which rule stops it, and what every honest peer must see."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.simulation.adversary.liar import Liar, Lie, Ways, instead


@dataclass(frozen=True, slots=True)
class Blamed:
    """Every honest peer names the cheater with one of these faults, and nobody else. In the lobby all stop; a game is played
    to its signed end without the cheater, who pays for the hand that it has spoiled if it is `charged` (None: if those who
    have it dealt again know already that cards had been dealt)."""

    faults: tuple[Fault, ...]
    charged: bool | None = False


@dataclass(frozen=True, slots=True)
class Awaited:
    """The game does not begin; every honest peer shows the cheater as the one waited for."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Nobody is blamed; the hand goes on, or is opened again, without the cheater, and the game comes to its signed end."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The cheater has no seat at the table, or has it no longer; nobody is blamed."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The game goes on to its signed end as if nothing had been sent."""


Seen: TypeAlias = Blamed | Awaited | LeftOut | Outside | Nothing


@dataclass(frozen=True, slots=True)
class Cheat:
    """One way to cheat. `hosts`: the cheater has opened the table; `hands`: so many it takes; `lost`: when (in virtual seconds)
    a third peer is lost for good, if there is nothing to cheat about before."""

    name: str
    tries: str
    rule: str
    seen: Seen
    ways: Callable[[Liar], Ways]
    hosts: bool = False
    hands: int = 1
    lost: float = 0.0


def by(*faults: Fault, charged: bool | None = False) -> Blamed:
    """What is seen of a cheat that any of these faults names."""
    return Blamed(faults, charged)


def acting(
    ways: Callable[[Liar], Ways],
    rule: str,
    seen: Seen,
    *,
    hosts: bool = False,
    hands: int = 1,
    lost: float = 0.0,
    name: str = "",
) -> Cheat:
    """The cheat that a function is: its name and docstring are what the list of cheats says."""
    return Cheat(name or _name(ways), _sentence(ways), rule, seen, ways, hosts, hands, lost)


def lying(
    lie: Lie,
    kind: Kind,
    rule: str,
    seen: Seen,
    *,
    hosts: bool = False,
    hands: int = 1,
    hand: int = 0,
    lost: float = 0.0,
    goes_on: bool = False,
) -> Cheat:
    """The cheat that tells a lie in the place of the first entry of a kind (of one hand, if not 0) that gives occasion; after
    one that is blamed it writes no more, unless it `goes_on`, since others find out only later."""
    ways = instead(kind, lie, hand=hand or None, last=isinstance(seen, Blamed) and not goes_on)
    return Cheat(_name(lie), _sentence(lie), rule, seen, ways, hosts, hands, lost)


def _name(function: Callable[..., object]) -> str:
    return function.__name__.replace("_", "-")


def _sentence(function: Callable[..., object]) -> str:
    return " ".join((inspect.getdoc(function) or "").split())
