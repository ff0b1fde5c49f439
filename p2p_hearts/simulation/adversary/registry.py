"""All cheats by name, in the order of the stages."""

from types import MappingProxyType

from p2p_hearts.simulation.adversary import (
    closing,
    dealing,
    election,
    frames,
    lobby,
    logs,
    mixing,
    opening,
    passing,
    playing,
    silence,
)
from p2p_hearts.simulation.adversary.cheat import Cheat

_ALL: tuple[Cheat, ...] = (
    *lobby.CHEATS,
    *election.CHEATS,
    *opening.CHEATS,
    *mixing.CHEATS,
    *dealing.CHEATS,
    *passing.CHEATS,
    *playing.CHEATS,
    *closing.CHEATS,
    *logs.CHEATS,
    *silence.CHEATS,
    *frames.CHEATS,
)
CHEATS = MappingProxyType({cheat.name: cheat for cheat in _ALL})


def find_cheat(name: str) -> Cheat:
    """The cheat of this name.

    Raises ValueError with a sentence that lists the names there are.
    """
    cheat = CHEATS.get(name)
    if cheat is None:
        raise ValueError(f"there is no cheat {name!r}: choose {', '.join(CHEATS)}")
    return cheat
