"""What a person decided before it was due: a card chosen ahead of one's turn, and cards there is no choice about.

The law: a card chosen ahead is played only into the trick it was chosen for, as that trick was then. When the card can no
longer be played, or its twin has fallen meanwhile, the choice is dropped and the person is told.
"""

from dataclasses import replace

from p2p_hearts.cards import Card
from p2p_hearts.console.facts import duty, duty_name, may_play
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Action, Plan, Screen, noted
from p2p_hearts.console.words import seat_name, symbol, why
from p2p_hearts.hearts.play import why_not
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.inputs import Play
from p2p_hearts.protocol.scene import Scene, Stage


def can_plan(scene: Scene) -> bool:
    """Whether a card can be chosen ahead: the trick is led, and one's own card to it is still to come."""
    hand, seat = scene.hand, scene.my_seat
    if scene.stage is not Stage.PLAYING or hand is None or seat is None or not hand.table:
        return False
    return len(hand.table) < (seat - hand.leader) % hand.seats


def planned(screen: Screen, scene: Scene, card: Card) -> Screen:
    """The screen with a card chosen ahead, or the reason why it cannot be."""
    hand, view = scene.hand, scene.view
    if hand is None or view is None or not can_plan(scene):
        return noted(screen, _("It is not your turn, and the next trick is not led yet."))
    reason = why_not(hand, view.held, card)
    if reason is not None:
        return noted(screen, f"{why(reason)}.")
    return replace(screen, plan=Plan(card, duty_name(scene, Duty.PLAY), hand.table.count(card)))


def checked(screen: Screen, scene: Scene) -> Screen:
    """The screen after the scene changed: a choice made ahead that no longer means the same is dropped, with a word."""
    plan = screen.plan
    if plan is None:
        return screen
    dropped = replace(screen, plan=None)
    hand, view = scene.hand, scene.view
    if hand is None or view is None or scene.stage is not Stage.PLAYING or plan.card not in view.held:
        return dropped
    if duty_name(scene, Duty.PLAY) != plan.duty:
        return noted(dropped, _("{card} was chosen for a trick that is over: choose again.", card=symbol(plan.card)))
    if plan.card not in may_play(scene):
        return noted(dropped, _("{card} can no longer be played: choose again.", card=symbol(plan.card)))
    if hand.table.count(plan.card) > plan.twins:
        seat = (hand.leader + len(hand.table) - 1 - hand.table[::-1].index(plan.card)) % hand.seats
        text = _(
            "{name} has played the other {card}: yours would cancel it. Choose again.",
            name=seat_name(scene, seat),
            card=symbol(plan.card),
        )
        return noted(dropped, text)
    return screen


def due(screen: Screen) -> tuple[Screen, Action | None]:
    """What is to be done now without a key: the card chosen ahead, or the only one there is."""
    scene = screen.scene
    if scene is None or scene.my_seat is None or duty(scene) is not Duty.PLAY:
        return screen, None
    name = duty_name(scene, Duty.PLAY)
    if name in {screen.sent, screen.refused}:
        return screen, None
    allowed = may_play(scene)
    card: Card | None = None
    if screen.plan is not None and screen.plan.duty == name:
        card = screen.plan.card
    elif screen.forced and len(allowed) == 1:
        (card,) = allowed
    if card is None:
        return screen, None
    return replace(screen, plan=None, sent=name, fresh=()), Play(scene.my_seat, card)
