"""What the player at this peer may do in a hand, checked before anything is signed: a wrong click is answered with the rule
in words, and never becomes an entry."""

from dataclasses import replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.group import Group
from p2p_hearts.entropy import Entropy
from p2p_hearts.hearts.hand import Hand, begin, to_play
from p2p_hearts.hearts.match import MOON_CHOICES
from p2p_hearts.hearts.passing import check_pass, pass_source
from p2p_hearts.hearts.play import why_not
from p2p_hearts.hearts.reasons import sentence
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol.errors import LocalProtocolError
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play
from p2p_hearts.protocol.messages import Moon, PlayCard
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.phases import cards_dealt
from p2p_hearts.protocol.stages import playing
from p2p_hearts.protocol.state import Deal, put


def held(deal: Deal, own: Own, seat: int) -> tuple[Card, ...]:
    """The cards that one of our seats still holds, sorted."""
    laid = deal.laid[seat] if deal.laid else frozenset()
    return tuple(sorted(card for place, card in enumerate(own.cards.get(seat, ())) if place not in laid))


def view(deal: Deal, own: Own, seat: int, scores: tuple[int, ...]) -> View | None:
    """What one of our seats may know of the hand; None before it has cards."""
    if seat not in own.cards:
        return None
    return View(
        seat=seat,
        hand=deal.hand or begin(deal.options, deal.seats, deal.dealer, deal.number),
        held=held(deal, own, seat),
        received=own.received.get(seat, ()),
        passed=own.chosen.get(seat, ()),
        kitty=own.kitty.get(seat),
        scores=scores,
    )


def choose_pass(deal: Deal, own: Own, me: bytes, command: Pass) -> Own:
    """The secrets with one seat's choice in them.

    Raises LocalProtocolError.
    """
    _ours(deal, me, command.seat)
    if not cards_dealt(deal) or deal.hand is not None or not own.cards:
        raise LocalProtocolError("No cards are passed now.")
    if command.seat in own.chosen:
        raise LocalProtocolError("You have passed your cards already.")
    reason = check_pass(deal.options, own.cards[command.seat], command.cards)
    if reason is not None:
        raise LocalProtocolError(sentence(reason))
    return replace(own, chosen=put(own.chosen, command.seat, tuple(sorted(command.cards))))


def play(group: Group, deal: Deal, own: Own, me: bytes, command: Play, entropy: Entropy) -> PlayCard:
    """The entry that lays a card; any void proof it needs is in `own` (`waits_for_proof`).

    Raises LocalProtocolError with the rule that forbids it.
    """
    _check_play(deal, own, me, command)
    return playing.make_play(group, deal, me, own, command.seat, command.card, entropy)


def waits_for_proof(deal: Deal, own: Own, me: bytes, command: Play) -> bool:
    """Whether a play needs a void proof that is not made yet.

    Raises LocalProtocolError with the rule that forbids the play.
    """
    hand = _check_play(deal, own, me, command)
    claim = playing.new_claim(hand, command.seat, command.card)
    return claim != 0 and (command.seat, hand.trick, claim) not in own.voids


def voids_ahead(deal: Deal, own: Own) -> tuple[tuple[int, int, int], ...]:
    """The void proofs that our seats may need in this trick: seat, trick and claim."""
    hand = deal.hand
    if hand is None or not own.cards:
        return ()
    return tuple(
        (seat, hand.trick, claim)
        for seat in deal.seats_of(own.part)
        for claim in playing.claims_ahead(hand, seat, held(deal, own, seat))
    )


def _check_play(deal: Deal, own: Own, me: bytes, command: Play) -> Hand:
    _ours(deal, me, command.seat)
    if deal.hand is None:
        raise LocalProtocolError("No card can be played now.")
    if to_play(deal.hand) != command.seat:
        raise LocalProtocolError("It is not your turn.")
    reason = why_not(deal.hand, held(deal, own, command.seat), command.card)
    if reason is not None:
        raise LocalProtocolError(sentence(reason))
    return deal.hand


def choose_moon(deal: Deal, me: bytes, command: ChooseMoon) -> Moon:
    """The entry that chooses what a moon does.

    Raises LocalProtocolError.
    """
    _ours(deal, me, command.seat)
    if deal.score is None or deal.score.moon != command.seat or deal.choice is not None:
        raise LocalProtocolError("There is no moon to choose for now.")
    if command.choice not in MOON_CHOICES:
        raise LocalProtocolError("Choose “subtract” or “add”.")
    return Moon(deal.number, deal.attempt, deal.decision.number, command.seat, command.choice)


def passed_by(deal: Deal, seat: int) -> int:
    """The seat from which `seat` gets cards in this hand, which must have a pass."""
    source = pass_source(deal.options, deal.seats, deal.number, seat)
    assert source is not None
    return source


def _ours(deal: Deal, me: bytes, seat: int) -> None:
    if not 0 <= seat < deal.seats or deal.actor(deal.operators[seat]) != me:
        raise LocalProtocolError("That is not your seat.")
