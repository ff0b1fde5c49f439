"""Closing a hand: the moon is chosen, then the end of the hand is *decided*: its result and the members of the next. The
next dealer's peer writes the value at ballot 0, which needs no promises; everybody accepts it only after computing it
itself; it has fallen once a majority has accepted (single-decree Paxos: Lamport 2001; `protocol/decisions.md`)."""

from dataclasses import replace

from p2p_hearts.crypto.signature import SigningKey, sign
from p2p_hearts.crypto.signature import verify as verify_signature
from p2p_hearts.hearts.hand import finished
from p2p_hearts.hearts.match import MOON_CHOICES
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import RESULT, digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Accept, Choice, Kind, Moon, plain
from p2p_hearts.protocol.result import match_after, result_after, result_digest, score_of
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.state import Ballot, Deal, Game, Table, put, quorum


def score_if_finished(deal: Deal) -> Deal:
    """The hand with its score, once nothing of worth is left to play."""
    if deal.hand is None or deal.score is not None or not finished(deal.hand):
        return deal
    return replace(deal, score=score_hand(deal.hand))


def apply_moon(deal: Deal, author: bytes, body: Moon) -> Deal:
    """The hand with the moon chosen.

    Raises RemoteProtocolError when it is another seat's moon, or no choice that the rules know.
    """
    assert deal.score is not None
    if body.seat != deal.score.moon or body.choice not in MOON_CHOICES:
        raise RemoteProtocolError(author, Fault.ILLEGAL_PLAY, f"the choice {body.choice!r} of seat {body.seat}")
    return replace(deal, choice=body.choice, sent=put(deal.sent, Kind.MOON, put(deal.done(Kind.MOON), author, body)))


def game_over_after(table: Table, game: Game, deal: Deal) -> bool:
    """Whether no hand follows: the limit is reached (R19), or the agreed number of hands is played."""
    return match_after(table, deal).over or deal.number == game.hands


def end_value(table: Table, game: Game, deal: Deal) -> Choice:
    """The end of a scored hand as every peer computes it."""
    members = () if game_over_after(table, game, deal) else tuple(peer.identity for peer in game.peers)
    result = result_digest(result_after(table, game, deal))
    return Choice(deal.number, deal.attempt, 0, 0, result, members)


def value_hash(choice: Choice) -> bytes:
    """What an acceptance names."""
    return digest("decision", pack(plain(choice)))


def make_acceptance(choice: Choice, key: SigningKey) -> Accept:
    """Our vote for a value that we have computed ourselves, with our signature on the result."""
    signature = sign(key, RESULT, choice.result)
    return Accept(choice.hand, choice.attempt, choice.decision, choice.ballot, value_hash(choice), signature)


def apply_choice(ballot: Ballot, author: bytes, body: Choice, expected: Choice) -> Ballot:
    """The decision with its value at ballot 0.

    Raises RemoteProtocolError when we compute another value.
    """
    if body != expected:
        raise RemoteProtocolError(author, Fault.WRONG_RESULT, f"the end of hand {body.hand}")
    return replace(ballot, choice=body)


def apply_acceptance(ballot: Ballot, author: bytes, body: Accept) -> Ballot:
    """The decision with one more vote.

    Raises RemoteProtocolError when it is for another value or its signature does not hold.
    """
    assert ballot.choice is not None
    if body.value != value_hash(ballot.choice):
        raise RemoteProtocolError(author, Fault.WRONG_RESULT, f"it accepts another end of hand {body.hand}")
    with blaming(author, Fault.BAD_SIGNATURE):
        verify_signature(author, RESULT, ballot.choice.result, body.signature)
    return replace(ballot, accepted=put(ballot.accepted, author, body.signature))


def fallen(ballot: Ballot, voters: int) -> bool:
    """Whether the decision has fallen."""
    return len(ballot.accepted) >= quorum(voters)


def end_hand(table: Table, game: Game, deal: Deal) -> Table:
    """The table after the decision that ends the current hand has fallen."""
    match = match_after(table, deal)
    over = game_over_after(table, game, deal)
    return replace(
        table.with_deal(replace(deal, ended=True)),
        scores=match.scores,
        sheet=(*table.sheet, score_of(deal)),
        winners=match.winners,
        over=over,
        number=table.number if over else table.number + 1,
    )
