"""The transcript: whence every challenge (Fiat–Shamir) and every nonce of a proof comes.

Laws: label, group, context and the whole statement are in it before the first challenge (Bernhard, Pereira and Warinschi
2012: what is left out can be chosen afterwards); items are framed, so that no two statements give one transcript; nonces
come from transcript, witness and outside randomness together (after Merlin's `TranscriptRng`, de Valence 2018), so that
neither a broken random source nor a replayed seed makes one nonce serve two statements."""

import hashlib
from collections.abc import Sequence

from p2p_hearts.crypto.group import WIDE, Group
from p2p_hearts.crypto.stream import DOMAIN, framed
from p2p_hearts.entropy import Entropy

ENTROPY_BYTES = 32


class Transcript:
    """The conversation of a prover with a verifier who only ever sends hashes of what was said."""

    __slots__ = ("_state", "group")

    def __init__(self, group: Group, label: bytes, context: bytes) -> None:
        self.group = group
        self._state = hashlib.shake_256(framed(DOMAIN + b"transcript", group.name.encode(), label, context))

    def append(self, label: bytes, *items: bytes) -> None:
        """Both sides have seen these items."""
        self._state.update(framed(label, framed(*items)))

    def challenge(self) -> int:
        """The next challenge, a scalar that depends on all that was appended before."""
        return self.challenges(1)[0]

    def challenges(self, count: int, size: int = WIDE) -> list[int]:
        """The next challenges; those of 16 bytes are weights of 128 bits."""
        self._state.update(framed(b"challenge", count.to_bytes(4, "big"), size.to_bytes(4, "big")))
        return self._scalars(self._state.copy().digest(count * size), size)

    def secret(self, witness: Sequence[int], entropy: Entropy, size: int) -> bytes:
        """Secret bytes for the prover: as good as the better of the witness and the entropy, new for every transcript."""
        state = self._state.copy()
        encoded = [self.group.encode_scalar(scalar) for scalar in witness]
        state.update(framed(b"secret", framed(*encoded), entropy(ENTROPY_BYTES)))
        return state.digest(size)

    def nonces(self, witness: Sequence[int], entropy: Entropy, count: int) -> list[int]:
        """Fresh nonces for the prover who knows this witness."""
        return self._scalars(self.secret(witness, entropy, count * WIDE), WIDE)

    def _scalars(self, data: bytes, size: int) -> list[int]:
        order = self.group.order
        return [int.from_bytes(data[at : at + size], "little") % order for at in range(0, len(data), size)]
