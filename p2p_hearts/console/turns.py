"""The two lines below the table: what happened last, and whose turn it is with what that asks."""

from p2p_hearts.cards import suit_of
from p2p_hearts.console.facts import duty, may_play, my_cards, play_order, table_cards
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import (
    held_up,
    listed,
    pass_words,
    points,
    result,
    seat_name,
    situation,
    symbol,
    upper,
    waiting,
    who,
)
from p2p_hearts.hearts.passing import pass_step, pass_target
from p2p_hearts.hearts.play import why_not
from p2p_hearts.hearts.reasons import sentence
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.scene import Scene, Stage


def happened(screen: Screen, scene: Scene) -> str:
    """What lies on the table, in words; or how the trick that still lies there ended."""
    if scene.stage is Stage.PASSING:
        return passing_words(scene)
    if screen.ended is not None:
        return result(screen.ended, scene, symbol)
    table = table_cards(scene, None)
    text = situation(table, scene, symbol) if table is not None else ""
    if scene.hand is None or not scene.hand.pile:
        return text
    carried = card_points(scene.options, scene.hand.pile)
    with_it = f"With it go the {points(carried)} set aside." if table is not None and table.winner is not None else ""
    return f"{text} {with_it}".strip() if carried else text


def passing_words(scene: Scene) -> str:
    """To whom the cards go and from whom they come."""
    seats, seat = len(scene.seats), scene.my_seat
    step = pass_step(scene.options, scene.number)
    target = pass_target(scene.options, seats, scene.number, seat) if seat is not None else None
    if target is None:
        return "No cards are passed in this hand."
    return f"Pass {scene.options.pass_count} cards {pass_words(step)}, to {seat_name(scene, target)}."


def whose_turn(screen: Screen, scene: Scene) -> str:
    """Whose turn it is, who comes then, and what one must play."""
    what = duty(scene)
    if what is Duty.PASS:
        missing = scene.options.pass_count - len(screen.chosen)
        more = "more " * bool(screen.chosen)
        return (
            f"Choose {missing} {more}card{'s' * (missing != 1)}."
            if missing
            else "Enter passes them; u takes the last one back."
        )
    if what is Duty.PLAY:
        return _my_turn(screen, scene)
    hand = scene.hand
    if scene.stage is Stage.SIGNING:
        return f"The hand is over; everybody signs its result. {waiting(scene)}"
    if scene.stage is not Stage.PLAYING or hand is None:
        return waiting(scene)
    order = [*play_order(hand.leader, hand.seats)[len(hand.table) :]]
    if late := held_up(scene):
        return late
    text = f"{upper(who(scene, order[0]))} is thinking …" if order else ""
    if scene.my_seat in order[1:]:
        between = order[1 : order.index(scene.my_seat)]
        few = 3
        names = (
            listed([seat_name(scene, seat) for seat in between]) if len(between) <= few else f"{len(between)} others"
        )
        text += f" then {names}, then you." if between else " then you."
        if screen.plan is not None:
            return f"{text} Then your {symbol(screen.plan.card)} is played; Escape takes it back."
        text += f" {requirement(scene)}" if hand.table else ""
    return text


def requirement(scene: Scene) -> str:
    """What the rules ask of the own next card, in a sentence."""
    hand, view = scene.hand, scene.view
    if hand is None or view is None:
        return ""
    allowed = may_play(scene)
    barred = next((card for card in my_cards(scene) if card not in allowed), None)
    if barred is None:
        led = suit_of(hand.table[0]).name.lower() if hand.table else ""
        if led and all(suit_of(card) is not suit_of(hand.table[0]) for card in view.held):
            return f"You have no {led}: any card may be played."
        return f"You must follow {led}." if led else "You may lead any card."
    reason = why_not(hand, view.held, barred)
    return f"{sentence(reason)}." if reason is not None else ""


def _my_turn(screen: Screen, scene: Scene) -> str:
    hand, view = scene.hand, scene.view
    if hand is None or view is None:
        return ""
    cards = my_cards(scene, screen.order)
    if screen.cursor is not None and screen.cursor < len(cards):
        card = cards[screen.cursor]
        reason = why_not(hand, view.held, card)
        if reason is not None:
            return f"Your turn. Not {symbol(card)}: {sentence(reason)}."
        return f"Your turn: Enter plays {symbol(card)}."
    lead = "Your turn to lead." if not hand.table else "Your turn."
    return f"{lead} {requirement(scene)}"
