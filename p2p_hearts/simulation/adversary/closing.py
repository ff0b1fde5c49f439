"""Cheats at the end of a hand: a moon that was not shot, another score, other members, other signatures."""

from dataclasses import replace

from p2p_hearts.crypto.signature import sign
from p2p_hearts.protocol.envelope import RESULT
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Accept, Choice, Kind, Moon, PlayCard, Value, Verdict
from p2p_hearts.protocol.phases import next_dealer
from p2p_hearts.protocol.stages import closing
from p2p_hearts.simulation.adversary.cheat import LeftOut, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways, telling

HASH = bytes(range(32))


def moon_not_shot(liar: Liar, body: Accept) -> Words:
    """It chooses what its moon does, but it has not shot the moon."""
    deal = None if body.hand == 0 else liar.deal(body.hand)
    if deal is None or deal.score is None:
        return (body,)
    mine = deal.operators.index(liar.me)
    moon = Moon(body.hand, body.attempt, body.decision, mine, "add")
    return (body,) if deal.score.moon == mine else (moon, body)


def wrong_moon_choice(_liar: Liar, body: Moon) -> Words:
    """It has shot the moon and chooses something that the rules do not offer."""
    return (replace(body, choice="both"),)


def moon_of_another(liar: Liar, body: Moon) -> Words:
    """It has shot the moon and chooses for a seat that has not."""
    return (replace(body, seat=(body.seat + 1) % liar.deal(body.hand).seats),)


def false_score(liar: Liar) -> Ways:
    """It writes, or votes for, another score than the cards give."""

    def lie(liar: Liar, body: Choice | Accept) -> Words:
        if isinstance(body, Choice):
            return (replace(body, value=replace(body.value, result=HASH)),) if body.hand else (body,)
        false = _chosen(liar, body)
        if false is None:
            return (body,)
        false = replace(false, value=replace(false.value, result=HASH))
        return (closing.make_acceptance(false, body.proposer, liar.session.me.key),)

    choice, vote = telling(liar, Kind.CHOICE, lie, last=True), telling(liar, Kind.ACCEPT, lie, last=True)
    return Ways(lambda entry: choice(entry) if entry.kind is Kind.CHOICE else vote(entry))


def _chosen(liar: Liar, body: Accept) -> Choice | None:
    """The end of a hand that a vote is for, or None where it is the end of hand 0."""
    return liar.deal(body.hand).decision.choices[body.ballot, body.proposer] if body.hand else None


def other_members(liar: Liar, body: Accept) -> Words:
    """It votes for an end of the hand that leaves a peer out of the next."""
    false = _chosen(liar, body)
    if false is None:
        return (body,)
    false = replace(false, value=replace(false.value, members=false.value.members[:-1]))
    return (closing.make_acceptance(false, body.proposer, liar.session.me.key),)


def unseat_one(liar: Liar) -> Ways:
    """As next dealer it ends the hand with a list that leaves out a peer who is there, and says no more."""

    def lie(liar: Liar, body: Choice) -> Words:
        victim = next(session.author.identity for session in liar.others.values())
        if body.hand == 0 or victim not in body.value.members:
            return (body,)
        members = tuple(member for member in body.value.members if member != victim)
        return (replace(body, value=replace(body.value, members=members)),)

    return Ways(telling(liar, Kind.CHOICE, lie, last=True))


def end_of_another(liar: Liar, body: Accept) -> Words:
    """It ends the hand at ballot 0 although another is the next dealer."""
    choice = _chosen(liar, body)
    return (body,) if choice is None or body.proposer == liar.me else (body, choice)


def unsigned_result(_liar: Liar, body: Accept) -> Words:
    """It accepts the result with a signature that does not hold."""
    return (replace(body, signature=bytes(64)),) if body.hand else (body,)


def another_result_signed(liar: Liar, body: Accept) -> Words:
    """It accepts the result and signs another."""
    return (replace(body, signature=sign(liar.session.me.key, RESULT, HASH)),) if body.hand else (body,)


def vote_twice(_liar: Liar, body: Accept) -> Words:
    """It votes twice."""
    return (body, body) if body.hand else (body,)


def end_too_early(liar: Liar, body: PlayCard) -> Words:
    """As next dealer it writes the end of the hand while cards are still held."""
    members = tuple(peer.identity for peer in liar.session.table.peers)
    if next_dealer(liar.deal(body.hand)) != liar.me:
        return (body,)
    return (Choice(body.hand, body.attempt, body.decision, 0, Value(Verdict.END, members, HASH), ()), body)


CHEATS = (
    lying(moon_not_shot, Kind.ACCEPT, "P80", by(Fault.OUT_OF_PHASE), hands=2),
    lying(wrong_moon_choice, Kind.MOON, "P80", by(Fault.ILLEGAL_PLAY)),
    lying(moon_of_another, Kind.MOON, "P80", by(Fault.ILLEGAL_PLAY)),
    acting(false_score, "P92", by(Fault.WRONG_RESULT), hands=2),
    lying(other_members, Kind.ACCEPT, "P92", by(Fault.WRONG_RESULT), hands=2),
    acting(unseat_one, "P92", by(Fault.BAD_VOTE), hands=2),
    lying(end_of_another, Kind.ACCEPT, "P91", by(Fault.OUT_OF_PHASE), hands=2),
    lying(unsigned_result, Kind.ACCEPT, "P92", by(Fault.BAD_SIGNATURE), hands=2),
    lying(another_result_signed, Kind.ACCEPT, "P92", by(Fault.BAD_SIGNATURE), hands=2),
    lying(vote_twice, Kind.ACCEPT, "P92", by(Fault.REPEATED), hands=2),
    lying(end_too_early, Kind.PLAY, "P91", LeftOut()),
)
