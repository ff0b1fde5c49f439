"""All cheats by name, in the order of the stages."""

from collections.abc import Mapping
from types import MappingProxyType

from p2p_hearts.simulation.adversary import (
    closing,
    council,
    dealing,
    election,
    escrow,
    frames,
    lobby,
    logs,
    mixing,
    opening,
    parts,
    passing,
    playing,
    silence,
)
from p2p_hearts.simulation.adversary.cheat import Cheat

STAGES: Mapping[str, tuple[Cheat, ...]] = MappingProxyType(
    {
        "The door, and what the host sets": lobby.CHEATS,
        "The draw": election.CHEATS,
        "Keys": opening.CHEATS,
        "Pieces of keys": escrow.CHEATS,
        "The deck and the cut": mixing.CHEATS,
        "The deal": dealing.CHEATS,
        "The pass": passing.CHEATS,
        "The play and the kitty": playing.CHEATS,
        "The end of a hand": closing.CHEATS,
        "Parts, delegates and places": parts.CHEATS,
        "Decisions": council.CHEATS,
        "The logs": logs.CHEATS,
        "Silence": silence.CHEATS,
        "Beside the logs": frames.CHEATS,
    }
)
CHEATS: Mapping[str, Cheat] = MappingProxyType({cheat.name: cheat for all_of in STAGES.values() for cheat in all_of})


def find_cheat(name: str) -> Cheat:
    """The cheat of this name.

    Raises ValueError with a sentence that lists the names there are.
    """
    cheat = CHEATS.get(name)
    if cheat is None:
        raise ValueError(f"there is no cheat {name!r}: choose {', '.join(CHEATS)}")
    return cheat
