"""What can be read off a scene: whose turn, which cards may be played, what lies on the table and who is winning.

The law: these are pure readings; the rules themselves are asked of `hearts`, never restated here.
"""

from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from p2p_hearts.cards import Card, Suit, cards_in, rank_of, suit_of
from p2p_hearts.hearts.hand import Hand, finished, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.hearts.score import card_points, running_points, score_hand, trick_points
from p2p_hearts.hearts.trick import pairs_on, winning_card
from p2p_hearts.protocol.events import Duty, TrickEnded
from p2p_hearts.protocol.scene import PeerLine, Scene, Stage

SUIT_ORDER = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""How suits stand in the hand: black and red side by side (players of other programs asked for it)."""


@dataclass(frozen=True, slots=True)
class TableCards:
    """The cards of one trick, in play order from its leader: `winner` is a place among them, or None."""

    number: int
    leader: int
    seats: tuple[int, ...]  # all seats in play order, the leader first
    cards: tuple[Card, ...]
    cancelled: frozenset[Card]
    winner: int | None
    complete: bool


class Order(Enum):
    """How the own hand is sorted."""

    SUIT = "by suit"
    RANK = "by rank"


def sorted_hand(cards: tuple[Card, ...], order: Order = Order.SUIT) -> tuple[Card, ...]:
    """Cards as they stand in the hand: by suit or by rank, the low ones first."""
    if order is Order.RANK:
        return tuple(sorted(cards, key=lambda card: (rank_of(card), SUIT_ORDER.index(suit_of(card)))))
    return tuple(sorted(cards, key=lambda card: (SUIT_ORDER.index(suit_of(card)), rank_of(card))))


def my_cards(scene: Scene, order: Order = Order.SUIT) -> tuple[Card, ...]:
    """The own cards in the order shown; empty before the deal."""
    return sorted_hand(scene.view.held, order) if scene.view is not None else ()


def play_order(leader: int, seats: int) -> tuple[int, ...]:
    """All seats, clockwise from the leader."""
    return tuple((leader + step) % seats for step in range(seats))


def trick_cards(options: Options, cards: tuple[Card, ...], leader: int, number: int, seats: int) -> TableCards:
    """A trick, perhaps not complete, with what cancels so far and who is winning so far."""
    winning = winning_card(options, cards) if cards else None
    return TableCards(
        number,
        leader,
        play_order(leader, seats),
        cards,
        frozenset(cards_in(pairs_on(cards))),
        None if winning is None else cards.index(winning),
        complete=len(cards) == seats,
    )


def public_hand(scene: Scene) -> Hand | None:
    """The hand as all know it; while cards are passed, the one about to be played."""
    return scene.hand if scene.hand is not None or scene.view is None else scene.view.hand


def moon_seat(scene: Scene) -> int | None:
    """Who shot the moon and must choose, or None."""
    hand = scene.hand
    return score_hand(hand).moon if scene.stage is Stage.MOON and hand is not None and finished(hand) else None


def table_cards(scene: Scene, ended: TrickEnded | None) -> TableCards | None:
    """What lies on the table: the trick just ended while it is looked at, otherwise the one being played."""
    hand = public_hand(scene)
    if hand is None:
        return None
    if ended is not None:
        return trick_cards(scene.options, ended.cards, ended.leader, ended.trick, hand.seats)
    return trick_cards(scene.options, hand.table, hand.leader, hand.trick, hand.seats)


def last_ended(scene: Scene) -> TrickEnded | None:
    """The last complete trick of this hand, as the event that told of it."""
    hand = scene.hand
    if hand is None or not hand.tricks:
        return None
    last = hand.tricks[-1]
    points = trick_points(hand.options, last)
    return TrickEnded(len(hand.tricks), last.leader, last.cards, last.winner, last.cancelled, points, last.kitty)


def duty(scene: Scene) -> Duty | None:
    """What the person at this peer is asked to do now, or None."""
    seat = scene.my_seat
    if seat is None or scene.view is None:
        return None
    if scene.stage is Stage.PASSING and seat < len(scene.passed) and not scene.passed[seat]:
        return Duty.PASS
    if scene.stage is Stage.PLAYING and scene.hand is not None and to_play(scene.hand) == seat:
        return Duty.PLAY
    return Duty.MOON if moon_seat(scene) == seat else None


def duty_name(scene: Scene, what: Duty) -> str:
    """A name for one duty that no other duty of the game shares."""
    trick = scene.hand.trick if scene.hand is not None and what is Duty.PLAY else 0
    return f"{what.value} {scene.number} {trick}"


def can_continue(scene: Scene) -> bool:
    """Whether the game can be gone on with another time: alone with bots there is nobody who keeps it."""
    return len(scene.peers) > 1 and scene.my_seat is not None


def decision(scene: Scene) -> tuple[object, ...] | None:
    """What somebody is deciding now, by a name that changes with the next decision; None when nobody decides."""
    if scene.stage is Stage.PASSING:
        return (scene.number, "pass")
    if scene.stage is Stage.PLAYING and scene.hand is not None and not finished(scene.hand):
        return (scene.number, scene.hand.trick, len(scene.hand.table))
    return (scene.number, "moon") if scene.stage is Stage.MOON else None


def may_play(scene: Scene) -> frozenset[Card]:
    """The own cards that could be played if it were one's turn now; all of them while the trick is not yet led."""
    hand, view = scene.hand, scene.view
    if hand is None or view is None or scene.stage is not Stage.PLAYING:
        return frozenset(view.held if view is not None else ())
    if not hand.table and to_play(hand) != scene.my_seat:
        return frozenset(view.held)
    return frozenset(legal_plays(hand, view.held))


def points_so_far(scene: Scene) -> tuple[int, ...]:
    """Points of this hand by seat. The kitty counts only for its winner, and only on the winner's own screen (D9)."""
    if scene.hand is None:
        return tuple(0 for _ in scene.seats)
    points = list(running_points(scene.hand))
    if scene.view is not None and scene.view.kitty and scene.my_seat is not None:
        points[scene.my_seat] += card_points(scene.options, scene.view.kitty)
    return tuple(points)


def taken(hand: Hand) -> tuple[int, ...]:
    """Face-up cards won by each seat."""
    return tuple(len(cards) for cards in hand.captured)


def operator(scene: Scene, seat: int) -> PeerLine | None:
    """The peer that plays for a seat."""
    return next((peer for peer in scene.peers if peer.key == scene.seats[seat].operator), None)


def is_away(scene: Scene, seat: int) -> bool:
    """No sign of life from the peer that operates the seat."""
    peer = operator(scene, seat)
    return peer is not None and peer.away


def cut_off(scene: Scene) -> bool:
    """Whether no other peer gives a sign of life: then it is more likely this program that cannot be heard."""
    others = [peer for peer in scene.peers if not peer.me]
    return bool(others) and all(peer.away for peer in others)


def kinds(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Each kind once, in the order of first appearance."""
    return tuple(dict.fromkeys(cards))


def suits_together(cards: tuple[Card, ...]) -> tuple[tuple[Suit, tuple[Card, ...]], ...]:
    """A hand as runs of one suit."""
    return tuple((suit, tuple(run)) for suit, run in groupby(cards, key=suit_of))
