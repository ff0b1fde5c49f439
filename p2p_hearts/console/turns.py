"""The two lines below the table: what happened last, and whose turn it is with what that asks."""

from p2p_hearts.cards import suit_of
from p2p_hearts.console.facts import duty, duty_name, may_play, my_cards, play_order, table_cards
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.state import Screen, waits_to_be_read
from p2p_hearts.console.words import (
    held_up,
    listed,
    pass_words,
    points,
    result,
    seat_name,
    situation,
    suit_name,
    symbol,
    upper,
    waiting,
    who,
    why,
)
from p2p_hearts.hearts.hand import finished
from p2p_hearts.hearts.passing import pass_step, pass_target
from p2p_hearts.hearts.play import why_not
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
    if not scene.hand.table and not finished(scene.hand):
        cards = n_("{n} card", "{n} cards", len(scene.hand.pile))
        return _(
            "The next winner also takes what is set aside: {cards}, {points}.", cards=cards, points=points(carried)
        )
    if not carried or table is None or table.winner is None:
        return text
    return f"{text} {_('With it go the {points} set aside.', points=points(carried))}".strip()


def passing_words(scene: Scene) -> str:
    """To whom the cards go and from whom they come."""
    seats, seat = len(scene.seats), scene.my_seat
    step = pass_step(scene.options, scene.number)
    target = pass_target(scene.options, seats, scene.number, seat) if seat is not None else None
    if target is None:
        return _("No cards are passed in this hand.")
    return n_(
        "Pass {n} card {where}, to {name}.",
        "Pass {n} cards {where}, to {name}.",
        scene.options.pass_count,
        where=pass_words(step),
        name=seat_name(scene, target),
    )


def to_choose(screen: Screen, missing: int) -> str:
    """How many cards are still to be chosen."""
    if screen.chosen:
        return n_("Choose {n} more card.", "Choose {n} more cards.", missing)
    return n_("Choose {n} card.", "Choose {n} cards.", missing)


def whose_turn(screen: Screen, scene: Scene) -> str:
    """Whose turn it is, who comes then, and what one must play."""
    if waits_to_be_read(screen):
        return _("Enter goes on.")
    what = duty(scene)
    if what is not None and screen.sent == duty_name(scene, what):
        return _("Your choice is on its way to the others …")
    if what is Duty.PASS:
        missing = scene.options.pass_count - len(screen.chosen)
        return to_choose(screen, missing) if missing else _("Enter passes them; u takes the last one back.")
    if what is Duty.PLAY:
        return _my_turn(screen, scene)
    hand = scene.hand
    if scene.stage is Stage.SIGNING:
        return f"{_('The hand is over; everybody signs its result.')} {waiting(scene)}"
    if scene.stage is not Stage.PLAYING or hand is None or finished(hand):
        return waiting(scene)
    order = [*play_order(hand.leader, hand.seats)[len(hand.table) :]]
    if late := held_up(scene):
        return late
    text = _("{name} is thinking …", name=upper(who(scene, order[0]))) if order else ""
    if scene.my_seat in order[1:]:
        between = order[1 : order.index(scene.my_seat)]
        few = 3
        names = listed([seat_name(scene, seat) for seat in between])
        if len(between) > few:
            names = n_("{n} other", "{n} others", len(between))
        text += " " + (_("then {names}, then you.", names=names) if between else _("then you."))
        if screen.plan is not None:
            return f"{text} {_('Then your {card} is played; Escape takes it back.', card=symbol(screen.plan.card))}"
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
        if not hand.table:
            return _("You may lead any card.")
        led = suit_of(hand.table[0])
        if all(suit_of(card) is not led for card in view.held):
            return _("You have no {suit}: any card may be played.", suit=suit_name(led))
        return _("You must follow {suit}", suit=suit_name(led)) + "."
    reason = why_not(hand, view.held, barred)
    return f"{why(reason)}." if reason is not None else ""


def _my_turn(screen: Screen, scene: Scene) -> str:
    hand, view = scene.hand, scene.view
    if hand is None or view is None:
        return ""
    cards = my_cards(scene, screen.order)
    if screen.cursor is not None and screen.cursor < len(cards):
        card = cards[screen.cursor]
        reason = why_not(hand, view.held, card)
        if reason is not None:
            return _("Your turn. Not {card}: {reason}.", card=symbol(card), reason=why(reason))
        return _("Your turn: Enter plays {card}.", card=symbol(card))
    lead = _("Your turn to lead.") if not hand.table else _("Your turn.")
    return f"{lead} {requirement(scene)}"
