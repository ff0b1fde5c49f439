"""What line mode says of each event: whole sentences that can be read aloud, one event a line, no drawing."""

from collections.abc import Mapping

from p2p_hearts.cards import Card
from p2p_hearts.console.below import below
from p2p_hearts.console.facts import my_cards, points_so_far, trick_cards
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.telling import UNKNOWN, played, sentence
from p2p_hearts.console.words import peer_name, points, preset_name, seat_name, situation, spoken, upper, who
from p2p_hearts.node.driver import Shown
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Lobby, Scene


def told(event: events.Event, scene: Scene, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """An event as a line, or nothing when it is told by the question that follows."""
    match event:
        case events.Played():
            return narrated(event, scene)
        case events.DealProgressed(peer, "verified"):
            return _("{name} has shuffled, and the proof is verified.", name=peer_name(scene, peer))
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
        return f"{_('Trick {number}.', number=event.trick)} {text}"
    table = trick_cards(scene.options, cards, leader, event.trick, hand.seats)
    if table.complete:  # the end of the trick follows
        return text
    if event.card in table.cancelled:
        return f"{text} {situation(table, scene, spoken)}"
    return _("{sentence}, winning so far.", sentence=text[:-1]) if table.winner == len(cards) - 1 else text


def hand_words(cards: tuple[Card, ...], first: int = 1) -> str:
    """Cards with the numbers that choose them."""
    return " ".join(f"{number}: {spoken(card)}." for number, card in enumerate(cards, first))


def own_hand(scene: Scene) -> str:
    """All cards still held."""
    cards = my_cards(scene)
    if not cards:
        return _("You hold no cards.")
    return n_("Your {n} card: {cards}.", "Your {n} cards: {cards}.", len(cards), cards=", ".join(map(spoken, cards)))


def trick_so_far(scene: Scene) -> str:
    """What lies on the table, and what waits beside it."""
    hand = scene.hand
    if hand is None:
        return _("No cards are on the table.")
    cards = [
        f"{upper(who(scene, (hand.leader + at) % hand.seats))} {spoken(card)}" for at, card in enumerate(hand.table)
    ]
    table = trick_cards(scene.options, hand.table, hand.leader, hand.trick, hand.seats)
    pile = len(hand.pile)
    sentences = (
        _("Trick {number} of {all}.", number=hand.trick, all=hand.size),
        f"{', '.join(cards)}." if cards else _("Nothing is played yet."),
        situation(table, scene, spoken),
        n_("{n} card is set aside.", "{n} cards are set aside.", pile) if pile else "",
        _("Hearts are broken.") if hand.broken else _("Hearts are not broken."),
    )
    return " ".join(filter(None, sentences))


def score_words(scene: Scene) -> str:
    """Totals, and the points of this hand so far."""
    if not scene.scores:
        return _("There are no scores yet.")
    counted = bool(scene.sheet) and scene.sheet[-1].number == scene.number
    now = (0,) * len(scene.scores) if counted else points_so_far(scene)
    parts = [
        _("{name} {total} and {now} in this hand", name=who(scene, seat), total=_aloud(total), now=_aloud(now[seat]))
        if now[seat]
        else f"{who(scene, seat)} {_aloud(total)}"
        for seat, total in enumerate(scene.scores)
    ]
    return _("Scores: {scores}.", scores=", ".join(parts))


def lobby_words(scene: Scene, lobby: Lobby, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """Who is there and what will be played, in a few sentences."""
    known = {key: f" ({below(clean(words))})" for key, words in met.items()}
    you = f" ({_('you')})"
    people = ", ".join(
        peer_name(scene, peer.key) + (you if peer.me else known.get(peer.key, "")) for peer in scene.peers
    )
    filled = len(scene.peers) + len(lobby.bots)
    sentences = (
        _("Table {table}, {filled} of {seats} seats filled.", table=scene.table, filled=filled, seats=lobby.seats),
        _("People: {names}.", names=people),
        _("Bots: {count}.", count=len(lobby.bots)) if lobby.bots else "",
        _("Rules {preset}, to {points}.", preset=preset_name(lobby.preset), points=points(lobby.options.limit)),
        *(f"{below(text)}." for text in lobby.departures),
        f"{below(lobby.problem).rstrip('.')}." if lobby.problem else "",
    )
    return " ".join(filter(None, sentences))


def invitation_words(shown: Shown | None) -> str:
    """The open invitation, to be read aloud and to be copied."""
    if shown is None:
        return _("There is no open invitation. i new opens one.")
    words = _("Say: {words}.", words=shown.words.replace(" ", ", ")) + " " if shown.words else ""
    return words + _("Or copy the text {text}. i new makes another one, i close closes it.", text=shown.text)


def seating(scene: Scene) -> str:
    """Who sits where, in turn order."""
    you = f" ({_('you')})"
    names = [seat_name(scene, seat) + (you if seat == scene.my_seat else "") for seat in range(len(scene.seats))]
    return _("Seats in turn order: {names}.", names=", ".join(names))


def _aloud(count: int) -> str:
    """A total as one reads it aloud."""
    return _("minus {n}", n=-count) if count < 0 else str(count)
