"""Closing a hand: the moon is chosen, then the end of the hand is decided (`council.py`); here is what its voters sign, and
the end of hand 0, which the host writes and a majority accepts."""

from dataclasses import replace

from p2p_hearts.crypto.signature import SigningKey, sign
from p2p_hearts.crypto.signature import verify as verify_signature
from p2p_hearts.hearts.hand import finished
from p2p_hearts.hearts.match import MOON_CHOICES
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.protocol.envelope import RESULT
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Accept, Choice, Kind, Moon, Verdict
from p2p_hearts.protocol.result import match_after, result_after, result_digest
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.stages.council import value_hash
from p2p_hearts.protocol.state import Ballot, Deal, Game, Table, put, quorum


def score_if_finished(deal: Deal) -> Deal:
    """The hand with its score, once nothing of worth is left to play."""
    if deal.hand is None or deal.score is not None or not finished(deal.hand):
        return deal
    return replace(deal, score=score_hand(deal.hand))


def apply_moon(deal: Deal, author: bytes, part: bytes, body: Moon) -> Deal:
    """The hand with the moon chosen.

    Raises RemoteProtocolError when it is another seat's moon, or no choice that the rules know.
    """
    assert deal.score is not None
    if body.seat != deal.score.moon or body.choice not in MOON_CHOICES:
        raise RemoteProtocolError(author, Fault.ILLEGAL_PLAY, f"the choice {body.choice!r} of seat {body.seat}")
    return replace(deal, choice=body.choice, sent=put(deal.sent, Kind.MOON, put(deal.done(Kind.MOON), part, body)))


def game_over_after(table: Table, game: Game, deal: Deal) -> bool:
    """Whether no hand follows: the limit is reached (R19), or the agreed number of hands is played."""
    return match_after(table, deal).over or deal.number == game.hands


def end_result(table: Table, game: Game, deal: Deal) -> bytes:
    """The digest of the result after this scored hand, as every peer computes it."""
    return result_digest(result_after(table, game, deal))


def make_acceptance(choice: Choice, proposer: bytes, key: SigningKey) -> Accept:
    """Our vote for a value, with our signature on the result if there is one."""
    value = choice.value
    signature = sign(key, RESULT, value.result) if value.verdict == Verdict.END else b""
    return Accept(choice.hand, choice.attempt, choice.decision, choice.ballot, proposer, value_hash(value), signature)


def apply_start_choice(ballot: Ballot, author: bytes, body: Choice, expected: Choice) -> Ballot:
    """The end of hand 0 with its value.

    Raises RemoteProtocolError when we compute another value.
    """
    if body != expected:
        raise RemoteProtocolError(author, Fault.WRONG_RESULT, "the end of hand 0")
    return replace(ballot, choice=body)


def apply_start_acceptance(ballot: Ballot, host: bytes, author: bytes, body: Accept) -> Ballot:
    """The end of hand 0 with one more vote.

    Raises RemoteProtocolError when it is for another value or its signature does not hold.
    """
    assert ballot.choice is not None
    value = ballot.choice.value
    if (body.decision, body.ballot, body.proposer, body.value) != (0, 0, host, value_hash(value)):
        raise RemoteProtocolError(author, Fault.WRONG_RESULT, "it accepts another end of hand 0")
    with blaming(author, Fault.BAD_SIGNATURE):
        verify_signature(author, RESULT, value.result, body.signature)
    return replace(ballot, accepted=put(ballot.accepted, author, body.signature))


def fallen(ballot: Ballot, voters: int) -> bool:
    """Whether the decision has fallen."""
    return len(ballot.accepted) >= quorum(voters)
