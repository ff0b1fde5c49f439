"""Cheats at the end of a hand: a moon that was not shot, another score, other members, other signatures."""

from dataclasses import replace

from p2p_hearts.crypto.signature import sign
from p2p_hearts.protocol.envelope import RESULT
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Accept, Choice, Kind, Moon, PlayCard
from p2p_hearts.protocol.stages import closing
from p2p_hearts.simulation.adversary.cheat import Awaited, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways, telling

HASH = bytes(range(32))


def moon_not_shot(liar: Liar, body: Accept) -> Words:
    """It chooses what its moon does, but it has not shot the moon."""
    deal = None if body.hand == 0 else liar.deal(body.hand)
    if deal is None or deal.score is None:
        return (body,)
    mine = deal.operators.index(liar.me)
    return (body,) if deal.score.moon == mine else (Moon(body.hand, body.attempt, mine, "add"), body)


def wrong_moon_choice(_liar: Liar, body: Moon) -> Words:
    """It has shot the moon and chooses something that the rules do not offer."""
    return (replace(body, choice="both"),)


def moon_of_another(liar: Liar, body: Moon) -> Words:
    """It has shot the moon and chooses for a seat that has not."""
    return (replace(body, seat=(body.seat + 1) % liar.deal(body.hand).seats),)


def _another_end(liar: Liar, body: Choice | Accept, false: Choice) -> Words:
    """As next dealer it writes another end of the hand; else it votes for it."""
    if isinstance(body, Choice):
        return (false,)
    return (closing.make_acceptance(false, liar.session.me.key),)


def _end(liar: Liar, body: Choice | Accept) -> Choice | None:
    """The end of the hand, or None where it is the end of hand 0."""
    choice = None if body.hand == 0 else liar.deal(body.hand).ballot.choice
    return body if isinstance(body, Choice) and body.hand else choice


def false_score(liar: Liar) -> Ways:
    """It writes, or votes for, another score than the cards give."""
    return _either(liar, result=True)


def false_members(liar: Liar) -> Ways:
    """It writes, or votes for, an end of the hand that leaves a peer out of the next."""
    return _either(liar, result=False)


def _either(liar: Liar, *, result: bool) -> Ways:
    def lie(liar: Liar, body: Choice | Accept) -> Words:
        end = _end(liar, body)
        if end is None:
            return (body,)
        others = tuple(session.author.identity for session in liar.others.values())
        return _another_end(liar, body, replace(end, result=HASH) if result else replace(end, members=others))

    choice, vote = telling(liar, Kind.CHOICE, lie, last=True), telling(liar, Kind.ACCEPT, lie, last=True)
    return Ways(lambda entry: choice(entry) if entry.kind is Kind.CHOICE else vote(entry))


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
    """It writes the end of the hand while cards are still held."""
    members = tuple(peer.identity for peer in liar.session.table.peers)
    return (Choice(body.hand, body.attempt, 0, 0, HASH, members), body)


CHEATS = (
    lying(moon_not_shot, Kind.ACCEPT, "P80", by(Fault.OUT_OF_PHASE)),
    lying(wrong_moon_choice, Kind.MOON, "P80", by(Fault.ILLEGAL_PLAY)),
    lying(moon_of_another, Kind.MOON, "P80", by(Fault.ILLEGAL_PLAY)),
    acting(false_score, "P92", by(Fault.WRONG_RESULT)),
    acting(false_members, "P92", by(Fault.WRONG_RESULT)),
    lying(unsigned_result, Kind.ACCEPT, "P92", by(Fault.BAD_SIGNATURE)),
    lying(another_result_signed, Kind.ACCEPT, "P92", by(Fault.BAD_SIGNATURE)),
    lying(vote_twice, Kind.ACCEPT, "P92", by(Fault.REPEATED)),
    lying(end_too_early, Kind.PLAY, "P91", Awaited()),
)
