"""The key exchange of an invitation: two who know one short secret get one key, and whoever guesses gets one guess a run.

The only module that knows the package `spake2`. The law: the key depends on both identity cards, so that somebody in the
middle, who has to put another card in place of one, gets two different keys and can prove nothing. Sources: Abdalla and
Pointcheval (2005), SPAKE2; the parameters are those of `spake2` 0.9 over Ed25519, given in `protocol/invitations.md`.
"""

import hmac
from dataclasses import dataclass
from typing import Protocol

from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol.envelope import digest

MESSAGE_BYTES = 33
PROOF_BYTES = 32


class PakeError(Exception):
    """The message of the other side is none of this exchange."""


class Machine(Protocol):
    """One side of an exchange, as the package makes it."""

    def start(self) -> bytes:
        """The message to send."""

    def finish(self, inbound_side_and_message: bytes) -> bytes:
        """The key, from the message of the other side."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One side of one run: the message to send, and what is needed to finish. It can be finished once."""

    message: bytes
    machine: Machine


def begin_as_guest(password: bytes, guest_card: bytes, host_card: bytes, entropy: Entropy) -> Exchange:
    """The joiner's side of a new run."""
    # 80 ms, and only who uses an invitation has to wait for it
    from spake2 import SPAKE2_A  # noqa: PLC0415

    machine = SPAKE2_A(password, idA=guest_card, idB=host_card, entropy_f=entropy)
    return Exchange(machine.start(), machine)


def begin_as_host(password: bytes, guest_card: bytes, host_card: bytes, entropy: Entropy) -> Exchange:
    """The host's side of a new run."""
    from spake2 import SPAKE2_B  # noqa: PLC0415 - as above

    machine = SPAKE2_B(password, idA=guest_card, idB=host_card, entropy_f=entropy)
    return Exchange(machine.start(), machine)


def finish(exchange: Exchange, message: bytes) -> bytes:
    """The key of a run: alike on both sides only if password and cards are.

    Raises PakeError: the message is no point of the group, or our own sent back.
    """
    from spake2 import SPAKEError  # noqa: PLC0415 - as above
    from spake2.ed25519_basic import NotOnCurve  # noqa: PLC0415 - as above

    if len(message) != MESSAGE_BYTES:
        raise PakeError(f"{len(message)} bytes, not {MESSAGE_BYTES}")
    try:
        return exchange.machine.finish(message)
    except (SPAKEError, NotOnCurve, ValueError) as error:
        raise PakeError(f"no message of this exchange: {message.hex()}") from error


def prove_key(side: str, key: bytes) -> bytes:
    """What shows the other side that we have the key: `side` is `guest` or `host`."""
    return digest(f"invitation {side}", key)


def shows_key(side: str, key: bytes, proof: bytes) -> bool:
    """Whether the other side has the key, too."""
    return hmac.compare_digest(prove_key(side, key), proof)
