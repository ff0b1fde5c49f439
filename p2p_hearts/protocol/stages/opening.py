"""Opening a hand: every member commits to a hand key with its proof of knowledge and to a nonce for the cut, then opens
the key, and with it a mail key and the commitments (Feldman 1987) by which the pieces of the hand key are checked. Committing first keeps the last one from choosing a key that cancels the others (rogue key: Barnett and Smart
2003, section 4.1; `protocol/cryptography.md`, Keys). The nonce stays closed until the deck is agreed."""

from dataclasses import replace

from p2p_hearts.crypto.commitment import check, commit
from p2p_hearts.crypto.errors import DecodeError
from p2p_hearts.crypto.escrow import decode_commitments, encode_commitments, split
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import MAIL, joint_key, make_key, prove_key, verify_key
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import CommitKeys, Kind, OpenKeys
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.state import Deal, context, put, set_hash


def make_commitment(group: Group, deal: Deal, me: bytes, entropy: Entropy) -> tuple[Own, CommitKeys]:
    """Fresh secrets of a hand and the commitments to them."""
    key = make_key(group, entropy)
    proof = prove_key(group, context(deal, me, "key"), key, entropy)
    own = Own(me, key, deal.attempt, proof, key_salt=entropy(32), nonce=entropy(32), nonce_salt=entropy(32))
    if deal.threshold:
        mail = make_key(group, entropy)
        checks, pieces = split(group, key, deal.threshold, len(deal.members), entropy)
        mail_proof = prove_key(group, context(deal, me, "mail key"), mail, entropy, MAIL)
        own = replace(own, mail=mail, mail_proof=mail_proof, checks=checks, pieces=pieces)
    return own, CommitKeys(
        deal.number,
        deal.attempt,
        commit(b"hand key", context(deal, me, "key"), key.public + proof, own.key_salt),
        commit(b"cut nonce", context(deal, me, "cut nonce"), own.nonce, own.nonce_salt),
    )


def make_opening(deal: Deal, own: Own) -> OpenKeys:
    """Our hand key, once all commitments are in."""
    answers = set_hash(deal, Kind.COMMIT_KEYS)
    opened = OpenKeys(deal.number, deal.attempt, answers, own.key.public, own.proof, own.key_salt, b"", b"", b"")
    if not deal.threshold:
        return opened
    return replace(opened, mail=own.mail.public, mail_proof=own.mail_proof, pieces=encode_commitments(own.checks))


def apply_opening(group: Group, deal: Deal, author: bytes, body: OpenKeys) -> Deal:
    """The hand after a member opened its key; with the last one the joint key is known.

    Raises RemoteProtocolError when it answers other commitments, opens another key, or does not prove it.
    """
    committed = deal.done(Kind.COMMIT_KEYS)[author]
    assert isinstance(committed, CommitKeys)
    if body.answers != set_hash(deal, Kind.COMMIT_KEYS):
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it answers other key commitments")
    where = context(deal, author, "key")
    with blaming(author, Fault.BAD_COMMITMENT):
        check(b"hand key", where, body.key + body.proof, body.salt, committed.key)
    with blaming(author, Fault.BAD_KEY):
        verify_key(group, where, body.key, body.proof)
        _check_mail(group, deal, author, body)
    keys = [deal.key(member) for member in deal.members if member in deal.done(Kind.OPEN_KEYS)]
    if body.key in keys:
        raise RemoteProtocolError(author, Fault.BAD_KEY, "it is another member's key")
    deal = replace(deal, sent=put(deal.sent, Kind.OPEN_KEYS, put(deal.done(Kind.OPEN_KEYS), author, body)))
    if not deal.all_in(Kind.OPEN_KEYS):
        return deal
    with blaming(author, Fault.BAD_KEY):
        opened = tuple(deal.key(member) for member in deal.members)
        return replace(deal, keys=opened, joint=joint_key(group, opened))


def _check_mail(group: Group, deal: Deal, author: bytes, body: OpenKeys) -> None:
    """Checks what escrow needs; at a table without it there is nothing.

    Raises CryptoError.
    """
    if deal.threshold:
        verify_key(group, context(deal, author, "mail key"), body.mail, body.mail_proof, MAIL)
        decode_commitments(group, body.key, body.pieces, deal.threshold)
    elif body.mail or body.mail_proof or body.pieces:
        raise DecodeError("a mail key where there is no escrow")
