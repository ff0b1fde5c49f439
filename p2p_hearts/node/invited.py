"""Coming in by invitation: the messages of the proof over hello, and the side of who joins.

How it works. After hello, which has told the host's card, one question starts a key exchange and a second one shows the
key; the host's answer shows it back. The law: nothing that is said here is secret, and nothing but the two proofs of the
key is believed; a refusal is a number for which the sentence is our own. Source: `protocol/invitations.md`, P156 to P161.
"""

from dataclasses import dataclass
from enum import IntEnum

from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.signature import SIGNATURE_BYTES, SigningKey, check_public, sign, verify
from p2p_hearts.entropy import Entropy
from p2p_hearts.node.addresses import Endpoint, endpoint_text
from p2p_hearts.node.hello import KEY_BYTES, MAX_VERSION, PATIENCE_S, Ask, HelloError, IdentityCard
from p2p_hearts.node.invitations import TEXT, Invitation, password
from p2p_hearts.node.pake import MESSAGE_BYTES, PROOF_BYTES, PakeError, begin_as_guest, finish, prove_key, shows_key
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.names import fit

TRIES = (
    3  # of one question, since a host that many ask at once drops some; and of a run, since another may take its place
)

_LABEL = b"invitation"


class Refused(IntEnum):
    """Why the host does not go on."""

    WRONG = 1
    CLOSED = 2
    BUSY = 3
    AGAIN = 4


SENTENCES = {
    Refused.WRONG: "That is not the invitation that is open there: ask the host to read it to you again.",
    Refused.CLOSED: "No invitation is open there any more: ask the host for a new one.",
    Refused.BUSY: "Too many invitations are tried there at the moment: try again in a minute.",
    Refused.AGAIN: "Others are trying invitations there at this moment: try again.",
}


@dataclass(frozen=True, slots=True)
class Guest:
    """Who joins."""

    identity: bytes
    link: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Start:
    """The first question, its signature already checked: who asks, with which form of invitation, and the exchange's
    message."""

    guest: Guest
    form: int
    message: bytes


@dataclass(frozen=True, slots=True)
class Show:
    """The second question: the run, named by the host's message in it, and the proof of the key."""

    run: bytes
    proof: bytes


def guest_card(version: str, guest: Guest) -> bytes:
    """The joiner's card as the exchange takes it in."""
    return pack((version, guest.identity, guest.link, guest.name))


def host_card(version: str, card: IdentityCard) -> bytes:
    """The host's card as the exchange takes it in."""
    return pack((version, card.table, card.identity, card.link, card.name))


def encode_start(version: str, start: Start, table: bytes, me: SigningKey) -> bytes:
    """The first question, at most 300 bytes; signed for one table and one run."""
    guest = start.guest
    fields = (version, start.form, guest.identity, guest.link, guest.name, start.message)
    return pack((*fields, sign(me, _LABEL, pack((*fields, table)))))


def encode_show(version: str, show: Show) -> bytes:
    """The second question."""
    return pack((version, show.run, show.proof))


def read_question(question: bytes, version: str, table: bytes) -> Start | Show | None:
    """A question about an invitation, well formed and rightly signed; else None."""
    try:
        fields = unpack(question)
    except MalformedError:
        return None
    match fields:
        case (str() as theirs, int() as form, bytes() as identity, bytes() as link, str() as name, bytes() as message, bytes() as signature):  # fmt: skip
            sizes = (len(link), len(message), len(signature)) == (KEY_BYTES, MESSAGE_BYTES, SIGNATURE_BYTES)
            if theirs == version and sizes and fit(name) and _signed(identity, pack((*fields[:-1], table)), signature):
                return Start(Guest(identity, link, name), form, message)
        case (str() as theirs, bytes() as run, bytes() as proof):
            if theirs == version and (len(run), len(proof)) == (MESSAGE_BYTES, PROOF_BYTES):
                return Show(run, proof)
    return None


def encode_answer(version: str, content: bytes | Refused) -> bytes:
    """An answer: the host's message, its proof of the key, or why not."""
    return pack((version, int(content) if isinstance(content, Refused) else content))


def read_answer(answer: bytes | None, version: str, size: int) -> bytes:
    """The message or proof of `size` bytes in an answer.

    Raises HelloError: there is none, or a refusal in its place.
    """
    try:
        fields = () if answer is None else unpack(answer)
    except MalformedError:
        fields = ()
    match fields:
        case (str() as theirs, bytes() as content) if theirs == version and len(content) == size:
            return content
        case (str() as theirs, int() as number) if theirs == version and number in set(Refused):
            raise HelloError(SENTENCES[Refused(number)])
        case (str() as theirs, *_) if theirs != version and 0 < len(theirs) <= MAX_VERSION:
            raise HelloError("That table speaks another version of the protocol.", "another")
    raise HelloError("The host does not answer to an invitation.")


async def prove(
    ask: Ask,
    endpoint: Endpoint,
    invitation: Invitation,
    card: IdentityCard,
    me: SigningKey,
    guest: Guest,
    version: str,
    entropy: Entropy,
    patience_s: float = PATIENCE_S,
) -> None:
    """Prove to the host behind a card, and have it prove, that both know the secret of an invitation.

    Raises:
        HelloError: it does not know it, is not whom the invitation names, or refuses.
    """
    if invitation.form == TEXT and card.identity != invitation.identity:
        raise HelloError(f"Who answers at {endpoint_text(endpoint)} is not the host that this invitation names.")
    for left in reversed(range(TRIES)):
        cards = guest_card(version, guest), host_card(version, card)
        exchange = begin_as_guest(password(invitation), *cards, entropy)
        start = encode_start(version, Start(guest, invitation.form, exchange.message), card.table, me)
        theirs = read_answer(await _ask(ask, endpoint, start, patience_s), version, MESSAGE_BYTES)
        try:
            key = finish(exchange, theirs)
        except PakeError as error:
            raise HelloError("The host does not answer to an invitation.") from error
        show = encode_show(version, Show(theirs, prove_key("guest", key)))
        answer = await _ask(ask, endpoint, show, patience_s)
        if answer == encode_answer(version, Refused.AGAIN) and left:
            continue
        if not shows_key("host", key, read_answer(answer, version, PROOF_BYTES)):
            raise HelloError("Who answers there does not know this invitation.")
        return


async def _ask(ask: Ask, endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
    """The answer to a question, which may be sent again: the host takes it for the same one."""
    for _ in range(TRIES):
        answer = await ask(endpoint, question, patience_s)
        if answer is not None:
            return answer
    return None


def _signed(identity: bytes, data: bytes, signature: bytes) -> bool:
    try:
        verify(check_public(identity), _LABEL, data, signature)
    except CryptoError:
        return False
    return True
