"""What line mode says of each event: whole sentences that can be read aloud, one event a line, no drawing."""

from collections.abc import Mapping

from p2p_hearts.cards import Card
from p2p_hearts.console.facts import my_cards, points_so_far, trick_cards
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.words import (
    UNKNOWN,
    peer_name,
    played,
    points,
    seat_name,
    sentence,
    situation,
    spoken,
    upper,
    who,
)
from p2p_hearts.node.driver import Shown
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Lobby, Scene


def told(event: events.Event, scene: Scene, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """An event as a line, or nothing when it is told by the question that follows."""
    match event:
        case events.Played():
            return narrated(event, scene)
        case events.DealProgressed(peer, "verified"):
            return f"{peer_name(scene, peer)} has shuffled, and the proof is verified."
        case events.SeatPassed():
            return ""
        case _:
            return sentence(event, scene, spoken, met)


def narrated(event: events.Played, scene: Scene) -> str:
    """What a card does: `Farah plays 9 of spades. The two 9s of spades cancel. Dace's king of spades wins so far.`."""
    text = f"{played(event, scene, spoken)}."
    hand = scene.hand
    if hand is None:
        return text
    trick = hand.tricks[event.trick - 1] if event.trick <= len(hand.tricks) else None
    leader, cards = (trick.leader, trick.cards) if trick is not None else (hand.leader, hand.table)
    cards = cards[: (event.seat - leader) % hand.seats + 1]
    if len(cards) == 1:
        return f"Trick {event.trick}. {text}"
    table = trick_cards(scene.options, cards, leader, event.trick, hand.seats)
    if table.complete:  # the end of the trick follows
        return text
    if event.card in table.cancelled:
        return f"{text} {situation(table, scene, spoken)}"
    return f"{text[:-1]}, winning so far." if table.winner == len(cards) - 1 else text


def hand_words(cards: tuple[Card, ...], first: int = 1) -> str:
    """Cards with the numbers that choose them."""
    return " ".join(f"{number}: {spoken(card)}." for number, card in enumerate(cards, first))


def own_hand(scene: Scene) -> str:
    """All cards still held."""
    cards = my_cards(scene)
    return f"Your {len(cards)} cards: {', '.join(spoken(card) for card in cards)}." if cards else "You hold no cards."


def trick_so_far(scene: Scene) -> str:
    """What lies on the table, and what waits beside it."""
    hand = scene.hand
    if hand is None:
        return "No cards are on the table."
    cards = [
        f"{upper(who(scene, (hand.leader + at) % hand.seats))} {spoken(card)}" for at, card in enumerate(hand.table)
    ]
    table = trick_cards(scene.options, hand.table, hand.leader, hand.trick, hand.seats)
    text = f"Trick {hand.trick} of {hand.size}. " + (", ".join(cards) + ". " if cards else "Nothing is played yet. ")
    text += situation(table, scene, spoken)
    waiting = f" {len(hand.pile)} cards are set aside." if hand.pile else ""
    broken = " Hearts are broken." if hand.broken else " Hearts are not broken."
    return (text.strip() + waiting + broken).strip()


def score_words(scene: Scene) -> str:
    """Totals, and the points of this hand so far."""
    if not scene.scores:
        return "There are no scores yet."
    counted = bool(scene.sheet) and scene.sheet[-1].number == scene.number
    now = (0,) * len(scene.scores) if counted else points_so_far(scene)
    parts = [
        f"{who(scene, seat)} {total}" + (f" and {now[seat]} in this hand" if now[seat] else "")
        for seat, total in enumerate(scene.scores)
    ]
    return f"Scores: {', '.join(parts)}.".replace("-", "minus ")


def lobby_words(scene: Scene, lobby: Lobby, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """Who is there and what will be played, in a few sentences."""
    known = {key: f" ({clean(words)})" for key, words in met.items()}
    people = ", ".join(
        peer_name(scene, peer.key) + (" (you)" if peer.me else known.get(peer.key, "")) for peer in scene.peers
    )
    bots = f" Bots: {len(lobby.bots)}." if lobby.bots else ""
    departures = "".join(f" {text}." for text in lobby.departures)
    problem = f" {lobby.problem.rstrip('.')}." if lobby.problem else ""
    rules = f"Rules {lobby.preset.replace('_', ' ')}, to {points(lobby.options.limit)}.{departures}"
    filled = len(scene.peers) + len(lobby.bots)
    return f"Table {scene.table}, {filled} of {lobby.seats} seats filled. People: {people}.{bots} {rules}{problem}"


def invitation_words(shown: Shown | None) -> str:
    """The open invitation, to be read aloud and to be copied."""
    if shown is None:
        return "There is no open invitation. i new opens one."
    words = f"Say: {shown.words.replace(' ', ', ')}. " if shown.words else ""
    return f"{words}Or copy the text {shown.text}. i new makes another one, i close closes it."


def seating(scene: Scene) -> str:
    """Who sits where, in turn order."""
    names = [seat_name(scene, seat) + (" (you)" if seat == scene.my_seat else "") for seat in range(len(scene.seats))]
    return f"Seats in turn order: {', '.join(names)}."
