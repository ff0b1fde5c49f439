"""Keys during a hand: choosing and sending cards to pass, playing one now or ahead, the moon, talking, how it is shown.

The law: nothing is played that was not chosen for this turn by a key of its own. So a second Enter, or one held down,
finds nothing chosen and does nothing.
"""

from dataclasses import replace

from p2p_hearts.bots.hints import Hint
from p2p_hearts.cards import Card
from p2p_hearts.console.ahead import planned
from p2p_hearts.console.facts import Order, duty, duty_name, may_play, my_cards
from p2p_hearts.console.hinting import hint_now, hint_words
from p2p_hearts.console.language import N_, _, n_
from p2p_hearts.console.state import Action, Pace, Screen, Typing, noted
from p2p_hearts.console.turns import to_choose
from p2p_hearts.console.words import symbol, why
from p2p_hearts.hearts.match import MOON_CHOICES
from p2p_hearts.hearts.passing import check_pass
from p2p_hearts.hearts.play import why_not
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.inputs import MARKS, ChooseMoon, GoOn, Mark, Pass, Play
from p2p_hearts.protocol.scene import Scene, Stage

PACES = {Pace.NONE: N_("no waiting"), Pace.FAST: N_("fast"), Pace.SLOW: N_("slow")}
_LEFT, _RIGHT = {"left"}, {"right"}
_ALWAYS = {"c", "x", "n", "v", "b", "m"}
_TOGGLE = {" ", "up", "down", "k", "j"}


def press_table(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    """The table after a key."""
    if key in _ALWAYS:
        return _press_always(screen, scene, key)
    if duty(scene) is Duty.MOON:
        return _press_moon(screen, scene, key)
    return _press_hand(screen, scene, key) if scene.stage in {Stage.PASSING, Stage.PLAYING} else (screen, None)


def _press_always(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    """Keys that mean the same at every stage of a game."""
    match key:
        case "c":
            return replace(screen, typing=Typing("chat")), None
        case "x" if scene.stage not in {Stage.OVER, Stage.STOPPED} and scene.my_seat is not None:
            return marked(screen)
        case "n" if screen.slow:
            return gone_on(screen)
        case "v" | "b" | "m":
            return _view(screen, key), None
        case _:
            return screen, None


def _press_hand(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    """Keys that concern the own cards; who only looks on has none."""
    if scene.my_seat is None:
        return screen, None
    if key == "h":
        hint = hint_now(scene)
        return (screen if hint is None else _hinted(screen, scene, hint)), None
    if key.startswith("card:"):
        return _clicked(screen, scene, int(key.removeprefix("card:")) - 1)
    if key in {"o", "a"} and my_cards(scene):
        return (_sorted(screen, scene) if key == "o" else _forced(screen)), None
    if len(key) == 1 and key.isdigit():
        return _number(screen, len(my_cards(scene)), key), None
    screen = replace(screen, digits="")
    if key in _LEFT | _RIGHT | {"home", "end", "tab", "s-tab"}:
        return _moved(screen, scene, key), None
    if scene.stage is Stage.PASSING:
        return _press_passing(screen, scene, key)
    if key == "enter":
        return _play(screen, scene)
    if key in {"escape", "backspace"}:
        return replace(screen, cursor=None, plan=None), None
    return (replace(screen, fresh=()), None) if key == " " else (screen, None)


def _hinted(screen: Screen, scene: Scene, hint: Hint) -> Screen:
    """The cards advised are chosen, to be played or passed by Enter, and the reason is told."""
    text = hint_words(hint, scene, symbol)
    if screen.sent == duty_name(scene, Duty.PASS if scene.stage is Stage.PASSING else Duty.PLAY):
        return screen
    hand = _named(my_cards(scene, screen.order))
    places = tuple(hand.index((card, hint.cards[:at].count(card))) for at, card in enumerate(hint.cards))
    if scene.stage is Stage.PASSING:
        return noted(replace(screen, chosen=places, cursor=places[-1] if places else screen.cursor), text)
    return noted(replace(screen, cursor=places[0]), text)


def marked(screen: Screen) -> tuple[Screen, Action]:
    """The next of the things that the others can be told: away for a moment, please wait, here again."""
    mark = MARKS[(MARKS.index(screen.mark) + 1) % len(MARKS)]
    told = {
        "here": _("The others are told that you are here."),
        "away": _("The others are told that you are away for a moment."),
        "wait": _("The others are asked to wait for you."),
    }
    return noted(replace(screen, mark=mark), told[mark]), Mark(mark)


def gone_on(screen: Screen) -> tuple[Screen, Action]:
    """The person will wait no longer for somebody who takes long."""
    text = _("You will wait no longer: it goes on once most of you say so.")
    return noted(replace(screen, slow=False), text), GoOn()


def _clicked(screen: Screen, scene: Scene, place: int) -> tuple[Screen, Action | None]:
    """A click lifts a card; on a card that is lifted it is Enter. Of cards to pass it lifts one or puts it back."""
    if place >= len(my_cards(scene)):
        return screen, None
    pointed = replace(screen, cursor=place, digits="")
    if scene.stage is Stage.PASSING:
        return _press_passing(pointed, scene, " ")
    return _play(screen, scene) if screen.cursor == place else (pointed, None)


def sorted_anew(screen: Screen, scene: Scene, order: Order) -> Screen:
    """The hand in another order; the cursor and the cards chosen stay on their cards."""
    before, after = _named(my_cards(scene, screen.order)), _named(my_cards(scene, order))
    cursor = after.index(before[screen.cursor]) if screen.cursor is not None else None
    chosen = tuple(after.index(before[place]) for place in screen.chosen)
    return replace(screen, order=order, cursor=cursor, chosen=chosen, digits="")


def _named(cards: tuple[Card, ...]) -> list[tuple[Card, int]]:
    """Each card with the number of its copy, so that no two are alike."""
    return [(card, cards[:place].count(card)) for place, card in enumerate(cards)]


def _sorted(screen: Screen, scene: Scene) -> Screen:
    order = Order.RANK if screen.order is Order.SUIT else Order.SUIT
    return noted(
        sorted_anew(screen, scene, order),
        _("Your hand is sorted by suit.") if order is Order.SUIT else _("Your hand is sorted by rank."),
    )


def _forced(screen: Screen) -> Screen:
    text = (
        _("You play every card yourself.")
        if screen.forced
        else _("When only one card may be played, it is played by itself.")
    )
    return noted(replace(screen, forced=not screen.forced), text)


def _view(screen: Screen, key: str) -> Screen:
    if key == "b":
        text = _("No bell.") if screen.bell else _("A bell rings when it is your turn.")
        return noted(replace(screen, bell=not screen.bell), text)
    if key == "m":
        preferences = replace(screen.preferences, mouse=not screen.preferences.mouse)
        text = (
            _("Click cards and keys; text is selected with Shift held down.")
            if preferences.mouse
            else _("The mouse selects text again.")
        )
        return noted(replace(screen, preferences=preferences), text)
    paces = tuple(Pace)
    pace = paces[(paces.index(screen.pace) + 1) % len(paces)]
    return noted(replace(screen, pace=pace), _("Speed of play: {pace}.", pace=_(PACES[pace])))


def _number(screen: Screen, cards: int, key: str) -> Screen:
    if not cards:
        return screen
    for digits in (screen.digits + key, key):
        if 1 <= int(digits) <= cards:
            return replace(screen, digits=digits, cursor=int(digits) - 1)
    return noted(replace(screen, digits=""), n_("Your hand has {n} card.", "Your hand has {n} cards.", cards))


def _moved(screen: Screen, scene: Scene, key: str) -> Screen:
    hand = my_cards(scene, screen.order)
    if not hand:
        return screen
    legal = [place for place, card in enumerate(hand) if card in may_play(scene)] or list(range(len(hand)))
    if key in {"home", "end"}:
        return replace(screen, cursor=0 if key == "home" else len(hand) - 1)
    forward = key in _RIGHT or key == "tab"
    if screen.cursor is None or screen.cursor >= len(hand):
        return replace(screen, cursor=legal[0] if forward else legal[-1])
    if key in {"tab", "s-tab"}:
        others = [place for place in legal if (place > screen.cursor if forward else place < screen.cursor)]
        wrapped = others or legal
        return replace(screen, cursor=wrapped[0] if forward else wrapped[-1])
    return replace(screen, cursor=(screen.cursor + (1 if forward else -1)) % len(hand))


def _play(screen: Screen, scene: Scene) -> tuple[Screen, Action | None]:
    hand, view, seat = my_cards(scene, screen.order), scene.view, scene.my_seat
    if scene.hand is None or view is None or seat is None or scene.stage is not Stage.PLAYING:
        return screen, None
    if duty(scene) is not Duty.PLAY:
        if screen.cursor is None or screen.cursor >= len(hand):
            return noted(screen, _("It is not your turn yet.")), None
        return planned(screen, scene, hand[screen.cursor]), None
    name = duty_name(scene, Duty.PLAY)
    if screen.sent == name:
        return screen, None
    if screen.cursor is None or screen.cursor >= len(hand):
        return noted(screen, _("Choose a card first: left and right, or its number.")), None
    card = hand[screen.cursor]
    reason = why_not(scene.hand, view.held, card)
    if reason is not None:
        return noted(screen, f"{why(reason)}."), None
    return replace(screen, plan=None, sent=name, fresh=()), Play(seat, card)


def _press_passing(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    if duty(scene) is not Duty.PASS or screen.sent == duty_name(scene, Duty.PASS):
        return noted(screen, _("Your cards are chosen; the others are still choosing.")), None
    count = scene.options.pass_count
    if key in {"backspace", "u", "escape"}:
        return replace(screen, chosen=screen.chosen[:-1]), None
    if key in _TOGGLE:
        return _toggled(screen, count), None
    if key != "enter":
        return screen, None
    missing = count - len(screen.chosen)
    if missing > 0:  # Enter only ever sends, so that a second one undoes nothing
        return noted(
            screen, f"{to_choose(screen, missing)} {_('Space or up lifts a card, Enter then passes them.')}"
        ), None
    return _send_pass(screen, scene)


def _toggled(screen: Screen, count: int) -> Screen:
    place = screen.cursor
    if place is None:
        return noted(screen, _("Choose a card first: left and right, or its number."))
    if place in screen.chosen:
        return replace(screen, chosen=tuple(other for other in screen.chosen if other != place))
    if len(screen.chosen) >= count:
        return noted(
            screen,
            n_(
                "{n} card is chosen already: Enter sends it, u takes it back.",
                "{n} cards are chosen already: Enter sends them, u takes the last one back.",
                count,
            ),
        )
    return replace(screen, chosen=(*screen.chosen, place))


def _send_pass(screen: Screen, scene: Scene) -> tuple[Screen, Action | None]:
    hand, view, seat = my_cards(scene, screen.order), scene.view, scene.my_seat
    if view is None or seat is None:
        return screen, None
    cards = tuple(hand[place] for place in screen.chosen)
    reason = check_pass(scene.options, view.held, cards)
    if reason is not None:
        return noted(screen, f"{why(reason)}."), None
    return replace(screen, sent=duty_name(scene, Duty.PASS)), Pass(seat, cards)


def _press_moon(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    if scene.my_seat is None or screen.sent == duty_name(scene, Duty.MOON):
        return screen, None
    if key in _LEFT | _RIGHT | {"up", "down", "tab", "1", "2"}:
        pick = int(key) - 1 if key.isdigit() else 1 - screen.pick if screen.pick is not None else 0
        return replace(screen, pick=pick), None
    if key != "enter":
        return screen, None
    if screen.pick is None:
        return noted(screen, _("Choose first: 1 or 2.")), None
    return replace(screen, sent=duty_name(scene, Duty.MOON)), ChooseMoon(scene.my_seat, MOON_CHOICES[screen.pick])
