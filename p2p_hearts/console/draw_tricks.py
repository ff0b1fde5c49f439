"""All tricks of a hand at a glance, for windows that have the room: a line per seat, a column per trick."""

from p2p_hearts.console.facts import TableCards, trick_cards
from p2p_hearts.console.fragments import Fragment, Line, clip, fit, right
from p2p_hearts.console.language import _
from p2p_hearts.console.parts import card_style
from p2p_hearts.console.words import seat_name, symbol
from p2p_hearts.protocol.scene import Scene

CELL = 5  # columns: a card of three, its mark, a gap
NAME = 10


def trick_grid(scene: Scene, width: int) -> list[Line]:
    """Every card of this hand, seat by seat and trick by trick; the newest tricks when not all fit."""
    hand = scene.hand
    if hand is None or not (hand.tricks or hand.table):
        return []
    tricks = [
        trick_cards(scene.options, trick.cards, trick.leader, number, hand.seats)
        for number, trick in enumerate(hand.tricks, 1)
    ]
    if hand.table:
        tricks.append(trick_cards(scene.options, hand.table, hand.leader, hand.trick, hand.seats))
    tricks = tricks[-max(1, (width - NAME) // CELL) :]
    head: Line = [("class:head", fit(_("trick"), NAME))]
    head += [("class:head", right(f"{trick.number}  ", CELL)) for trick in tricks]
    lines = [head]
    for seat in range(hand.seats):
        mine = "class:me" if seat == scene.my_seat else ""
        line: Line = [(mine, fit(seat_name(scene, seat), NAME))]
        for trick in tricks:
            line += _cell(trick, trick.seats.index(seat))
        lines.append(line)
    return [clip(line, width) for line in lines]


def _cell(trick: TableCards, place: int) -> list[Fragment]:
    if place >= len(trick.cards):
        return [("", " " * CELL)]
    card = trick.cards[place]
    gone, won = card in trick.cancelled, place == trick.winner
    text = right(symbol(card), CELL - 2)
    blank = len(text) - len(text.lstrip())
    style = card_style(card, "class:cancelled" if gone else "class:win" if won else "class:off" if place else "")
    mark = ("class:off", "× ") if gone else ("class:turn", "◂ ") if won else ("", "  ")
    return [("", " " * blank), (style, text[blank:]), mark]
