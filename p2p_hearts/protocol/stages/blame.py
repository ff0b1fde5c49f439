"""Turning what `crypto` rejects into an accusation, and long checks into jobs whose result is a value."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError


@contextmanager
def blaming(author: bytes, code: Fault) -> Iterator[None]:
    """Within it, whatever `crypto` refuses is the author's fault."""
    try:
        yield
    except CryptoError as error:
        raise RemoteProtocolError(author, code, str(error)) from error


@dataclass(frozen=True, slots=True)
class Check:
    """One proof to verify: `function(*arguments)` raises a CryptoError if it does not hold."""

    function: Callable[..., None]
    arguments: tuple[Any, ...]


def failure(checks: tuple[Check, ...]) -> str | None:
    """Runs checks; what was wrong with the first that fails, or None. The body of every verifying job."""
    for check in checks:
        try:
            check.function(*check.arguments)
        except CryptoError as error:
            return str(error)
    return None
