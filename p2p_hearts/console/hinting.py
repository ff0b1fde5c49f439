"""A hint in words: the card that a good bot would play, or the cards it would pass, and why, named as the screen names them.

The law: a hint follows from what the person may see (`View`) and from nothing else; it advises and never plays.
"""

from p2p_hearts.bots.hints import Hint, Reason, hint_pass, hint_play
from p2p_hearts.console.facts import duty
from p2p_hearts.console.language import _
from p2p_hearts.console.words import Naming, listed, seat_name, suit_name, upper
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.scene import Scene


def hint_now(scene: Scene) -> Hint | None:
    """What is advised now; None when the person has nothing to choose."""
    match duty(scene), scene.view:
        case Duty.PASS, view if view is not None:
            return hint_pass(view)
        case Duty.PLAY, view if view is not None:
            return hint_play(view)
        case _:
            return None


def hint_words(hint: Hint, scene: Scene, name: Naming) -> str:
    """The cards advised and the reason, as one sentence."""
    cards = listed([name(card) for card in hint.cards])
    return _("{cards}: {reason}.", cards=upper(cards), reason=because(hint.reason, scene, name))


def because(reason: Reason, scene: Scene, name: Naming) -> str:
    """Why something is advised."""
    return _(
        reason.because.value,
        card="" if reason.card is None else name(reason.card),
        other="" if reason.other is None else name(reason.other),
        rival="" if reason.rival is None else name(reason.rival),
        suit="" if reason.suit is None else suit_name(reason.suit),
        seat="" if reason.seat is None else seat_name(scene, reason.seat),
        count=reason.count,
    )
