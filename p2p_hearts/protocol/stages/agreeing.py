"""Agreeing on the deck: every member signs the heads of all logs of this attempt (each mix entry, and by its chain all
before it), says that all proofs hold, and opens its nonce; the joint value cuts the agreed deck. Commit–reveal decides
which slot goes to which seat, and no share leaves before all agreements are in: two decks, or two cuts, shown to two
groups would leak cards (`protocol/cryptography.md`, Equivocation)."""

from dataclasses import replace

from p2p_hearts.crypto.commitment import check, joint_value, permutation
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Agreement, CommitKeys, Kind
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.state import DECK_SIZE, Deal, context, put


def make_agreement(deal: Deal, own: Own) -> Agreement:
    """Our agreement, once every mix is verified."""
    heads = tuple(deal.heads[member] for member in deal.members)
    return Agreement(deal.number, deal.attempt, heads, own.nonce, own.nonce_salt)


def apply_agreement(deal: Deal, author: bytes, body: Agreement) -> Deal:
    """The hand after a member agreed; with the last one the deck is cut.

    Raises RemoteProtocolError when it names other heads or opens another nonce.
    """
    if body.heads != tuple(deal.heads[member] for member in deal.members):
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it agrees to another deck")
    committed = deal.done(Kind.COMMIT_KEYS)[author]
    assert isinstance(committed, CommitKeys)
    with blaming(author, Fault.BAD_COMMITMENT):
        check(b"cut nonce", context(deal, author, "cut nonce"), body.nonce, body.salt, committed.cut)
    deal = replace(deal, sent=put(deal.sent, Kind.AGREEMENT, put(deal.done(Kind.AGREEMENT), author, body)))
    if not deal.all_in(Kind.AGREEMENT):
        return deal
    agreements = [deal.done(Kind.AGREEMENT)[member] for member in deal.members]
    nonces = [agreement.nonce for agreement in agreements if isinstance(agreement, Agreement)]
    cut = joint_value(b"cut", context(deal, b"", "cut"), nonces)
    slots = tuple(deal.decks[-1][index] for index in permutation(cut, DECK_SIZE))
    return replace(deal, cut=cut, slots=slots, open_slots=slots)
