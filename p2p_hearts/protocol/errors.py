"""Whose fault: a peer's (`RemoteProtocolError`) or our own caller's (`LocalProtocolError`). Nothing else leaves the core."""

from enum import Enum


class Fault(Enum):
    """What a peer did wrong; the value is the sentence a player reads after the peer's name."""

    MALFORMED = "sent a message that cannot be read"
    BAD_SIGNATURE = "sent a message whose signature does not fit"
    FORK = "signed two messages that cannot stand in one log"
    OUT_OF_PHASE = "sent a message that is not due now"
    REPEATED = "sent the same kind of message twice"
    NOT_A_MEMBER = "sent a message without having a part in this hand"
    BAD_COMMITMENT = "opened something else than it had committed to"
    BAD_KEY = "sent a key it cannot prove to own"
    BAD_ESCROW = "sent a piece of its key that does not fit"
    BAD_COMPLAINT = "complained about a piece that fits"
    BAD_MIX = "did not prove its shuffle"
    BAD_SHARE = "sent a decryption share that does not fit its key"
    BAD_PASS = "passed cards without a valid proof"  # noqa: S105 - a sentence, not a password
    BAD_REVEAL = "showed a card that does not fit its proof"
    ILLEGAL_PLAY = "played a card against the rules"
    BAD_VOID = "did not prove that it may play this card"
    REVOKE = "played a card it had claimed not to hold"
    BAD_VOTE = "voted against the rules of a decision"
    WRONG_HEADS = "builds on messages that differ from ours"
    WRONG_RESULT = "signed a result that differs from ours"


class MalformedError(ValueError):
    """Bytes or values that do not have the form they must have; says which and why. Blames nobody by itself."""


class RemoteProtocolError(Exception):
    """A peer broke the protocol; `peer` is the identity key that is to blame, `code` says how."""

    def __init__(self, peer: bytes, code: Fault, detail: str = "") -> None:
        super().__init__(f"{peer.hex()[:8]} {code.value}" + (f": {detail}" if detail else ""))
        self.peer, self.code, self.detail = peer, code, detail


class LocalProtocolError(Exception):
    """Our own side asked for something the protocol does not allow now; the message is the sentence a player reads."""
