"""Mixing: one member after the other re-encrypts and permutes the deck and proves it (Terelius and Wikström 2010, in the
form of Haenni, Locher, Koenig and Dubuis 2017). As long as one member keeps its permutation to itself, nobody knows the
order. The next may mix on while the proofs before are still being verified: a bad one undoes everything after it."""

from dataclasses import replace

from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import Masked, decode_masked, encode_masked, start_deck
from p2p_hearts.crypto.shuffle import mix, verify_mix
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.log import MARK_BYTES
from p2p_hearts.protocol.messages import Kind, Mix
from p2p_hearts.protocol.stages.blame import Check, blaming
from p2p_hearts.protocol.state import DECK_SIZE, Deal, context, put


def deck_before(group: Group, deal: Deal, index: int) -> tuple[Masked, ...]:
    """The deck that the mixer at `index` starts from."""
    return deal.decks[index - 1] if index else start_deck(group)


def head_before(deal: Deal, index: int) -> bytes:
    """The mark of the mix entry from which the mixer at `index` goes on; zeros for the first."""
    return deal.heads[deal.members[index - 1]] if index else bytes(MARK_BYTES)


def make_mix(group: Group, deal: Deal, me: bytes, seed: bytes) -> Mix:
    """Our mix of the deck; a job. The permutation and the randomness come from `seed`, drawn anew for every attempt."""
    index = deal.members.index(me)
    before = deck_before(group, deal, index)
    deck, proof = mix(group, context(deal, me, "mix", index), deal.joint, before, seeded(seed))
    return Mix(deal.number, deal.attempt, head_before(deal, index), encode_masked(group, deck), proof)


def apply_mix(group: Group, deal: Deal, author: bytes, body: Mix, mark: bytes) -> Deal:
    """The hand with one more deck, still to be verified. `mark` names the entry for the agreement.

    Raises RemoteProtocolError when it goes on from another mix than ours, or the deck is no 104 masked cards.
    """
    if body.before != head_before(deal, len(deal.decks)):  # else who was shown another deck would be held for a cheat
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it mixes another deck")
    with blaming(author, Fault.MALFORMED):
        deck = decode_masked(group, body.deck, DECK_SIZE)
    return replace(
        deal,
        decks=(*deal.decks, deck),
        heads=put(deal.heads, author, mark),
        sent=put(deal.sent, Kind.MIX, put(deal.done(Kind.MIX), author, body)),
    )


def mix_checks(group: Group, deal: Deal, author: bytes, body: Mix) -> tuple[Check, ...]:
    """What there is to verify of a mix."""
    index = deal.members.index(author)
    where = context(deal, author, "mix", index)
    before = deck_before(group, deal, index)
    return (Check(verify_mix, (group, where, deal.joint, before, deal.decks[index], body.proof)),)
