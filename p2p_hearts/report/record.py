"""A finished game as the page tells it: read from the file, after everything in it has been checked.

The law: nothing is told that does not follow from entries that hold, and all that was hidden at the table and is public
once a hand has ended may be told: the kitty, and the hands as they were after the pass.
"""

from dataclasses import dataclass

from p2p_hearts.cards import Card
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.hearts.hand import Hand, parse_seat
from p2p_hearts.protocol.audit import Audit, audit, walk
from p2p_hearts.protocol.state import Deal, Game, Scored


@dataclass(frozen=True, slots=True)
class Played:
    """One deal as it was played: to its end, or until it was annulled."""

    hand: Hand
    kitty: tuple[Card, ...]  # empty when there is none, or nobody ever saw it
    left: tuple[str, ...] = ()  # whose programs were left out of the hand; a bot of another one played for them


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet, and the totals below it. An annulled deal has charges instead of points."""

    number: int  # of the hand
    points: tuple[int, ...]
    totals: tuple[int, ...]
    scored: Scored | None  # None: the deal was annulled
    charged: tuple[int, ...] = ()  # the seats that paid for it


@dataclass(frozen=True, slots=True)
class Record:
    """All that the page tells."""

    game: Game
    checked: Audit
    lines: tuple[Line, ...]
    hands: tuple[Played, ...]  # in the order in which they were dealt, annulled ones included


def read_record(data: bytes, group: Group = RISTRETTO255) -> Record:
    """The game in a file, once everything in the file has been checked.

    Raises AuditError when it does not hold.
    """
    checked = audit(data, group)
    game: Game | None = None
    deals: dict[tuple[int, int], Deal] = {}
    for step in walk(data, group):
        game = step.after.game
        for deal in step.after.deals.values():
            if deal.hand is not None:
                deals[deal.number, deal.attempt] = deal
    assert game is not None  # noqa: S101 - a file without a game does not hold
    hands = tuple(_played(game, deals[key]) for key in sorted(deals) if key[0] <= len(checked.hands))
    return Record(game, checked, _lines(checked), hands)


def held_by(hand: Hand, seat: int) -> tuple[Card, ...]:
    """The cards that a seat has played, sorted: its hand after the pass, where the hand was played to the end."""
    tricks = (*((trick.leader, trick.cards) for trick in hand.tricks), (hand.leader, hand.table))
    cards = (cards[(seat - leader) % hand.seats :][:1] for leader, cards in tricks)
    return tuple(sorted(card for one in cards for card in one))


def _played(game: Game, deal: Deal) -> Played:
    assert deal.hand is not None  # noqa: S101 - only those are kept
    left = tuple(peer.name for peer in game.peers if peer.identity in deal.delegates)
    return Played(deal.hand, () if deal.score is None else deal.score.kitty, left)


def _lines(checked: Audit) -> tuple[Line, ...]:
    seats = len(checked.names)
    lines: list[Line] = []
    totals = (0,) * seats
    for row in checked.hands:
        for charged in _charged(checked, row.number):
            points = tuple(checked.options.annulled_charge * (seat in charged) for seat in range(seats))  # D23
            totals = _sum(totals, points)
            lines.append(Line(row.number, points, totals, None, charged))
        totals = _sum(totals, row.points)
        lines.append(Line(row.number, row.points, totals, row))
    return tuple(lines)


def _charged(checked: Audit, number: int) -> tuple[tuple[int, ...], ...]:
    """For each deal of a hand that was annulled, the seats that were charged for it."""
    seats = len(checked.names)
    deals = [annulled for annulled in checked.result["annulled"] if annulled["hand"] == number]
    return tuple(tuple(parse_seat(letter, seats) for letter in annulled["charged"]) for annulled in deals)


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
