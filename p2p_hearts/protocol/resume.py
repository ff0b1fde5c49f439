"""A session made from its journal, after the program has ended in the middle of a game.

Laws: the journal is what we have signed and what we knew; nothing new is signed before enough of the others have said how
far they know our log (`Session.waking`). What was proved to us in hands that are over is taken from the journal's word,
which nobody else can write; what belongs to the current hand is checked again."""

from collections.abc import Iterable

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol.codec import unpack
from p2p_hearts.protocol.envelope import Author, Entry, open_entry
from p2p_hearts.protocol.errors import MalformedError, RemoteProtocolError
from p2p_hearts.protocol.log import Arrival
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.output import Identity, Output, Record
from p2p_hearts.protocol.own import read_record
from p2p_hearts.protocol.session import Session, make_session
from p2p_hearts.protocol.state import version_of


class ResumeError(Exception):
    """There is nothing to go on with; the message is the sentence to show."""


def resume_table(
    records: Iterable[Record], me: Identity, entropy: Entropy, now: float, group: Group = RISTRETTO255
) -> tuple[Session, Output]:
    """The session of a game that has begun and is not over, and the output of its first step.

    Raises ResumeError.
    """
    kept = tuple(records)
    version = version_of(group.name)
    try:
        entries = tuple(open_entry(record.frame, version) for record in kept)
        secrets = [unpack(record.secret) for record in kept if record.secret and record.hand]
        own = [read_record(record) for _, record in secrets]
    except (MalformedError, RemoteProtocolError, ValueError, TypeError) as error:
        raise ResumeError(f"The journal of this table cannot be read: {error}.") from error
    ours = [record.incarnation for record in kept if record.author == me.key.public]
    opened = next((entry for entry in entries if entry.kind is Kind.OPEN), None)
    if not ours or opened is None:
        raise ResumeError("This table had not begun when you were last at it.")
    session = make_session(me, entropy, group, table=opened.hash, incarnation=ours[-1])
    for entry in entries:
        if session.logs.add(entry)[0] is Arrival.FORK:
            raise ResumeError("The journal of this table contradicts itself.")
    _vouch(session, entries)
    for (number, _), secret in zip(secrets, own, strict=True):
        session.hands.own[number, secret.part] = secret
    output = session.replay(now)
    if session.table.game is None or session.table.over:
        raise ResumeError("This table had not begun, or its game is over.")
    return session, output


def _vouch(session: Session, entries: tuple[Entry, ...]) -> None:
    """Takes what is proved in hands before the last for checked: we went on from them ourselves."""
    me = Author(session.author.identity, session.author.incarnation)
    last = max((getattr(entry.body, "hand", 0) for entry in entries if entry.author == me), default=0)
    for entry in entries:
        if entry.author == me or getattr(entry.body, "hand", 0) < last - 1:
            session.ledger.trust(entry)
