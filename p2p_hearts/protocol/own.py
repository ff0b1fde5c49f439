"""What one peer keeps to itself in a hand: its keys, nonces, and the cards of the seats it operates.

Law: none of it enters a `Table`, an event for another seat, or a frame, except through the proofs of `crypto`. It is
written to the journal in the same transaction as the entry that needs it, and is forgotten, there too, once the hand is
decided: who gets hold of the machine later finds nothing that opens the cards of that hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.fields import parse, plain
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

    def unread(self) -> "Own":
        """The same secrets without what was read and proved of a hand that is gone through again."""
        return replace(self, cards=EMPTY, received=EMPTY, kitty=EMPTY, voids=EMPTY, final=False)

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
                self.part,
                _scalar(self.key.secret),
                self.key.public,
                self.attempt,
                self.proof,
                self.key_salt,
                self.nonce,
                self.nonce_salt,
                _scalar(self.mail.secret),
                self.mail.public,
                self.mail_proof,
                tuple(map(_scalar, self.pieces)),
                self.checks,
                tuple(sorted(self.chosen.items())),
                tuple(plain(item) for item in self.passes),
                self.pass_salt,
            )
        )


def read_record(data: bytes) -> Own:
    """The secrets from a record.

    Raises MalformedError when it is none: the journal was damaged, or written by another version.
    """
    match unpack(data):
        case (
            bytes(part), bytes(secret), bytes(public), int(attempt), bytes(proof), bytes(key_salt), bytes(nonce),
            bytes(nonce_salt), bytes(mail_secret), bytes(mail), bytes(mail_proof), tuple(pieces), tuple(checks),
            tuple(chosen), tuple(passes), bytes(pass_salt),
        ):  # fmt: skip
            return Own(
                part,
                HandKey(_number(secret), public),
                attempt,
                proof,
                key_salt,
                nonce,
                nonce_salt,
                HandKey(_number(mail_secret), mail),
                mail_proof,
                tuple(map(_number, pieces)),
                checks,
                dict(chosen),
                tuple(parse(SeatPass, item) for item in passes),
                pass_salt,
            )
        case _:
            raise MalformedError("no secrets of a hand")


def _scalar(value: int) -> bytes:
    return value.to_bytes(32, "little")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")
