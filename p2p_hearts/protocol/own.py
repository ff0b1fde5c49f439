"""What one peer keeps to itself in a hand: its keys, nonces, and the cards of the seats it operates.

Law: none of it enters a `Table`, an event for another seat, or a frame, except through the proofs of `crypto`. It is
written to the journal in the same transaction as the entry that needs it, and is forgotten, there too, once the hand is
decided: who gets hold of the machine later finds nothing that opens the cards of that hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.messages import SeatPass
from p2p_hearts.protocol.state import EMPTY


@dataclass(frozen=True, slots=True)
class Own:
    """Secrets of one hand. `cards` and `passed` are by seat; `cards` follows the positions of the seat's row."""

    part: bytes  # the member whose key it is: ourselves, or a lost one whose delegate we are
    key: HandKey
    attempt: int = 0  # the opening of the hand that it is for
    proof: bytes = b""
    key_salt: bytes = field(default=b"", repr=False)
    nonce: bytes = field(default=b"", repr=False)
    nonce_salt: bytes = field(default=b"", repr=False)
    mail: HandKey = field(default=HandKey(0, b""), repr=False)  # to which others seal pieces of their keys
    mail_proof: bytes = b""
    pieces: tuple[int, ...] = field(default=(), repr=False)  # of our key, by mixing order
    checks: tuple[bytes, ...] = ()  # what they are checked against
    chosen: Mapping[int, tuple[Card, ...]] = field(default_factory=lambda: EMPTY, repr=False)
    passes: tuple[SeatPass, ...] = field(default=(), repr=False)
    pass_salt: bytes = field(default=b"", repr=False)
    cards: Mapping[int, tuple[Card, ...]] = field(default_factory=lambda: EMPTY, repr=False)
    # by seat, trick and claim
    voids: Mapping[tuple[int, int, int], bytes] = field(default_factory=lambda: EMPTY, repr=False)
    received: Mapping[int, tuple[Card, ...]] = field(default_factory=lambda: EMPTY, repr=False)
    kitty: Mapping[int, tuple[Card, ...]] = field(default_factory=lambda: EMPTY, repr=False)
    final: bool = False  # whether `cards` are those after the pass

    @property
    def spent(self) -> bool:
        """Whether the secrets are gone."""
        return not self.key.secret

    def spend(self) -> "Own":
        """The same hand without what opens or proves anything: only the cards stay, for the screen."""
        return replace(
            self,
            key=HandKey(0, self.key.public),
            proof=b"",
            key_salt=b"",
            nonce=b"",
            nonce_salt=b"",
            mail=HandKey(0, self.mail.public),
            pieces=(),
            passes=(),
            pass_salt=b"",
            voids=EMPTY,
        )

    def record(self) -> bytes:
        """The secrets as bytes for the journal: what is needed to go on with this hand after a restart."""
        return pack(
            (
                self.key.secret.to_bytes(32, "little"),
                self.key.public,
                self.proof,
                self.key_salt,
                self.nonce,
                self.nonce_salt,
                tuple(sorted(self.chosen.items())),
                tuple(plain(item) for item in self.passes),
                self.pass_salt,
            )
        )
