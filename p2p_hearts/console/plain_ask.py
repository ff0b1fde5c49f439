"""Line mode's questions and what an answer means: pure, over the same `Screen` as the full screen.

The law: numbers choose, every other word is spelt out in the question or in the help, and an answer that is not
understood changes nothing.
"""

from dataclasses import replace

from p2p_hearts.console.again import wanted_again
from p2p_hearts.console.below import below
from p2p_hearts.console.facts import can_continue, duty, duty_name, may_play, my_cards
from p2p_hearts.console.hinting import hint_now, hint_words
from p2p_hearts.console.language import N_, _, n_
from p2p_hearts.console.plain_home import Answer, answer_home, home_question
from p2p_hearts.console.plain_pages import page_words, phrase_words, said
from p2p_hearts.console.plain_settings import change_setting, setting_words
from p2p_hearts.console.plain_words import (
    hand_words,
    invitation_words,
    lobby_words,
    own_hand,
    score_words,
    trick_so_far,
)
from p2p_hearts.console.press_table import gone_on, marked
from p2p_hearts.console.press_waiting import is_host
from p2p_hearts.console.rules_text import rules_aloud
from p2p_hearts.console.screen import AFTER_PLAY, BEFORE_PLAY
from p2p_hearts.console.state import (
    LeaveTable,
    Overlay,
    Screen,
    have_read,
    waits_to_be_read,
)
from p2p_hearts.console.telling import at_the_door
from p2p_hearts.console.turns import passing_words, requirement
from p2p_hearts.console.words import spoken, why
from p2p_hearts.hearts.match import MOON_CHOICES, add_ends_badly
from p2p_hearts.hearts.passing import check_pass
from p2p_hearts.node.driver import GoOn, Invite
from p2p_hearts.protocol.events import Duty, JoinAsked
from p2p_hearts.protocol.inputs import AddBot, Admit, ChooseMoon, Pass, Play, RemoveBot, Say, Start
from p2p_hearts.protocol.scene import Scene, Stage

HELP_WAITING = N_(
    "s starts. + adds a bot, - takes one away. y lets in who is asking, x refuses. i reads the invitation, i new makes another one, i close closes it. r reads the table again. w reads who is here, mute and a name silences somebody. c and a text talks, c alone reads the ready phrases. set reads the settings, rules the rules. q leaves."
)
HELP_TABLE = N_(
    "Numbers choose cards. h gives a hint. m reads my cards, t the trick, l the last trick, s the scores, p the cards passed, y why the deal can be trusted, w who is here; mute and a name silences somebody. x says that you are away for a moment, then that you ask for patience, then that you are back. c and a text talks, as in: c hello; c alone reads the ready phrases. set reads the settings, rules the rules. An empty line repeats the question. q leaves."
)


def ask(screen: Screen) -> str:
    """The question that stands now, or nothing while others are to act."""
    if screen.overlay is Overlay.QUIT:
        if screen.scene is None or not can_continue(screen.scene):
            return _("Leave the table? The game is not over. y leaves, anything else stays.")
        return _("Leave the table? The game is not over. y leaves for good, z for now, anything else stays.")
    scene = screen.scene
    if scene is None:
        return f"{screen.busy}." if screen.busy else home_question(screen)
    if scene.stage in BEFORE_PLAY:
        return _lobby_question(screen, scene)
    if scene.stage in AFTER_PLAY:
        scores = _("Press Enter to leave the table, r for another game with the same people, s for the scores.")
        if scene.stage is Stage.STOPPED:
            scores = _("Press Enter to leave the table, s for the scores.")
        return scores if scene.scores else _("Press Enter to leave the table.")
    if waits_to_be_read(screen):
        return _("Press Enter to go on.")
    what = duty(scene)
    if what is not None and screen.sent == duty_name(scene, what):
        return ""  # answered already
    match what:
        case Duty.PASS:
            numbers = n_("Choose {n} number, ? for help.", "Choose {n} numbers, ? for help.", scene.options.pass_count)
            return f"{passing_words(scene)} {hand_words(my_cards(scene))} {numbers}"
        case Duty.PLAY:
            lead = _("Your turn to lead.") if scene.hand is not None and not scene.hand.table else _("Your turn.")
            return f"{lead} {requirement(scene)} {hand_words(playable(scene))} {_('Choose a number, ? for help.')}"
        case Duty.MOON:
            return _moon_question(scene)
        case _:
            return ""


def answer(screen: Screen, line: str) -> Answer:
    """What a typed line means now."""
    word, _blank, rest = line.strip().partition(" ")
    word = word.lower()
    scene = screen.scene
    if screen.overlay is Overlay.QUIT:
        stay = replace(screen, overlay=None)
        later = word == "z" and scene is not None and can_continue(scene)
        return Answer(stay, action=LeaveTable(later)) if word == "y" or later else Answer(stay, _("You stay."))
    if word == "set":
        if not rest.strip():
            return Answer(screen, setting_words(screen))
        changed, reply, keep = change_setting(screen, rest)
        return Answer(changed, reply, keep)
    if word == "rules":
        return Answer(screen, rules_aloud())
    if scene is None:
        return answer_home(screen, word, rest, line.strip())
    if word in {"c", "say"}:
        return Answer(screen, action=Say(said(rest))) if rest.strip() else Answer(screen, phrase_words())
    if word in {"q", "quit"}:
        asked = scene.stage not in BEFORE_PLAY | AFTER_PLAY
        return Answer(replace(screen, overlay=Overlay.QUIT)) if asked else Answer(screen, action=LeaveTable())
    if word in {"w", "mute"} and scene.peers:
        after, text = page_words(screen, scene, word, rest) or (screen, "")
        return Answer(after, text)
    if scene.stage in BEFORE_PLAY:
        return _answer_lobby(screen, scene, word, rest.strip().lower())
    if scene.stage in AFTER_PLAY and word in {"", "r"}:
        again = wanted_again(screen, scene) if word and scene.stage is Stage.OVER else None
        return Answer(replace(screen, again=again), action=LeaveTable())
    if waits_to_be_read(screen) and not word:
        return Answer(have_read(screen), action=GoOn())
    told = {"?": _(HELP_TABLE), "m": own_hand(scene), "t": trick_so_far(scene), "s": score_words(scene)}.get(word)
    if told is not None:
        return Answer(screen, told)
    return _answer_page(screen, scene, word, rest) or _answer_duty(screen, scene, line)


def _answer_page(screen: Screen, scene: Scene, word: str, rest: str) -> Answer | None:
    """What the keys of a page, of a hint and of waiting do on the full screen; None for other words."""
    if word == "h" and (hint := hint_now(scene)) is not None:
        return Answer(screen, hint_words(hint, scene, spoken))
    can_mark = word == "x" and scene.my_seat is not None
    if scene.stage not in AFTER_PLAY and (can_mark or (word == "n" and screen.slow)):
        after, action = marked(screen) if word == "x" else gone_on(screen)
        return Answer(replace(after, note=""), after.note, action)
    page = page_words(screen, scene, word, rest)
    return None if page is None else Answer(*page)


def playable(scene: Scene) -> tuple[int, ...]:
    """The cards one may choose from, in the order they are numbered: each kind once."""
    return tuple(card for card in dict.fromkeys(my_cards(scene)) if card in may_play(scene))


def _lobby_question(screen: Screen, scene: Scene) -> str:
    if scene.lobby is None:
        return _("Waiting for the host to let you sit down. q leaves.")
    met = screen.aside.met
    asking = [
        f"{at_the_door(JoinAsked(line.key, line.name), scene, met)} {_('y lets them in, x refuses.')}"
        for line in scene.lobby.asking[:1]
    ]
    host = _("s starts, + adds a bot, c and a text talks. ? for help.")
    keys = host if is_host(scene) else _("The host starts the game. c and a text talks. ? for help.")
    return " ".join((lobby_words(scene, scene.lobby, met), *asking, keys))


def _answer_lobby(screen: Screen, scene: Scene, word: str, rest: str) -> Answer:
    lobby = scene.lobby
    if word in {"?", "r", ""} or lobby is None:
        return Answer(screen, _(HELP_WAITING) if word == "?" else "")
    if not is_host(scene):
        return Answer(screen, _("Only the host can do that. ? for help."))
    if word in {"y", "x"}:
        if not lobby.asking:
            return Answer(screen, _("Nobody is asking to sit down."))
        return Answer(screen, action=Admit(lobby.asking[0].key, yes=word == "y"))
    if word == "i" and rest in {"new", "close"}:
        return Answer(screen, action=Invite(open=rest == "new"))
    if word == "i":
        return Answer(screen, invitation_words(screen.aside.invitation))
    if word == "s" and lobby.problem:
        return Answer(screen, below(lobby.problem))
    match word:
        case "s":
            return Answer(screen, action=Start())
        case "+":
            return Answer(screen, action=AddBot(screen.settings.level))
        case "-":
            return Answer(screen, action=RemoveBot())
        case _:
            return Answer(screen, _("{word} is not understood. ? for help.", word=word))


def _moon_question(scene: Scene) -> str:
    value, seat = scene.options.moon_value, scene.my_seat
    text = _("You shot the moon. 1: take {n} off your own total. 2: put {n} onto everybody else.", n=value)
    if seat is not None and add_ends_badly(scene.options, scene.scores, seat):
        text += " " + _("Careful: 2 ends the game, and somebody else would win it.")  # D17
    return f"{text} {_('Choose a number.')}"


def _answer_duty(screen: Screen, scene: Scene, line: str) -> Answer:
    what, seat = duty(scene), scene.my_seat
    if not line.strip():
        return Answer(screen)
    if scene.stage in AFTER_PLAY:
        return Answer(screen, _("The game is over: Enter leaves, s reads the scores."))
    if what is None or seat is None or screen.sent == duty_name(scene, what):
        return Answer(screen, _("It is not your turn. ? for help."))
    numbers = [int(word) for word in line.replace(",", " ").split() if word.isdigit()]
    if not numbers or len(numbers) != len(line.replace(",", " ").split()):
        return Answer(screen, _("{word} is not understood: type a number, ? for help.", word=line.strip()))
    done = replace(screen, sent=duty_name(scene, what))
    if what is Duty.PASS:
        return _answer_pass(screen, done, scene, seat, numbers)
    if len(numbers) != 1:
        return Answer(screen, _("One number, please."))
    number = numbers[0]
    choices: tuple[object, ...] = MOON_CHOICES if what is Duty.MOON else playable(scene)
    if not 1 <= number <= len(choices):
        return Answer(screen, _("There is no {number}.", number=number))
    if what is Duty.MOON:
        return Answer(done, action=ChooseMoon(seat, MOON_CHOICES[number - 1]))
    return Answer(done, action=Play(seat, playable(scene)[number - 1]))


def _answer_pass(screen: Screen, done: Screen, scene: Scene, seat: int, numbers: list[int]) -> Answer:
    hand = my_cards(scene)
    if len(set(numbers)) != len(numbers) or not all(1 <= number <= len(hand) for number in numbers):
        return Answer(screen, _("Use different numbers from 1 to {n}.", n=len(hand)))
    cards = tuple(hand[number - 1] for number in numbers)
    reason = check_pass(scene.options, hand, cards)
    return Answer(screen, f"{why(reason)}.") if reason is not None else Answer(done, action=Pass(seat, cards))
