"""What one check found. The law: what is bad or doubtful is said with its cure, in words for who never saw a port number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Status(Enum):
    """How a check ended."""

    GOOD = "good"
    DOUBTFUL = "doubtful"  # it may work; nobody can tell from here
    BAD = "bad"  # something will not work


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was looked at, how it is, a sentence, and the cure where there is something to cure."""

    name: str
    status: Status
    finding: str
    cure: str = ""


Ask: TypeAlias = Callable[[Sequence[str]], str | None]
"""Runs a program of the system and returns what it says, or None when it is not there, fails or takes long."""


def failed(checks: Sequence[Check]) -> bool:
    """Whether something will not work."""
    return any(check.status is Status.BAD for check in checks)
