"""Five minutes that teach the game: two hands with bots, and a word where something new happens.

How it works. `STEPS` is the lesson from beginning to end. `begin` and `go_on` are pure: they go along the steps until the
person has to do something, and return what there is to be seen meanwhile; `Tutorial` is a table like any other for the two
front ends. Law: the engine plays every card. Who does something else than the lesson asks for is told so, and nothing
is lost.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from p2p_hearts.cards import Card
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.tutorial_cards import ME, MOON, OWN_TRICKS, PASSES, cards
from p2p_hearts.console.tutorial_table import (
    KEY,
    LessonTable,
    deal_moon,
    lay,
    open_lesson,
    pass_on,
    play_out,
    scene_of,
    write_down,
)
from p2p_hearts.hearts.play import why_not
from p2p_hearts.node.driver import Aside, GoOn, Teaching, Update, Wish
from p2p_hearts.protocol import events
from p2p_hearts.protocol.inputs import ChooseMoon, Pass, Play
from p2p_hearts.protocol.inputs import Say as Talk
from p2p_hearts.protocol.scene import Stage

TITLE = N_("Tutorial")


@dataclass(frozen=True, slots=True)
class Say:
    """A word, in which `{a}`, `{b}`, … stand for cards."""

    text: str
    cards: str = ""


@dataclass(frozen=True, slots=True)
class PassThese:
    """The person passes these cards."""

    word: Say
    good: str
    instead: Say


@dataclass(frozen=True, slots=True)
class Others:
    """The others lay these cards."""

    cards: str


@dataclass(frozen=True, slots=True)
class PlayOne:
    """The person plays one of these cards; `instead` answers another one, `{c}`, where there is one."""

    word: Say
    good: str
    instead: Say | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """The person reads a word, and goes on by a key."""

    word: Say


@dataclass(frozen=True, slots=True)
class PlayOut:
    """The rest of the hand, and the score sheet."""


@dataclass(frozen=True, slots=True)
class DealMoon:
    """Another hand, near its end."""


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """The person has shot the moon, and chooses."""

    word: Say


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""

    word: Say


Step: TypeAlias = PassThese | Others | PlayOne | Read | PlayOut | DealMoon | ChooseOne | End
_LAST = [trick.split(maxsplit=1) for trick in MOON[-OWN_TRICKS:]]  # the person's card, and those of the others
_DIAMONDS = " ".join(own for own, _others in _LAST)

STEPS: tuple[Step, ...] = (
    PassThese(
        Say(N_("Hearts cost 1 point each, a queen of spades 13, and the lowest total wins. First everybody passes three "
               "cards to the left. Get rid of what could bring you a queen: pass {a}, {b} and {c}."), "QS KS AS"),
        PASSES[ME],
        Say(N_("That is allowed, too. But for this lesson pass {a}, {b} and {c}: a high spade catches the queen."), "QS KS AS"),
    ),
    Others("9D KD 9D 4D 2D"),
    PlayOne(
        Say(N_("Two equal cards in one trick cancel each other: no {a} can win. So Cem’s {b} would take the trick, and the "
               "kitty with it, the two cards left over. You hold the other {b}: play it and see."), "9D KD"),
        "KD",
        Say(N_("{c} is allowed, too. But play {b}: there is something to see."), "9D KD"),
    ),
    Read(Say(N_("Two pairs in one trick: nobody wins it, and it is set aside. Whoever wins the next one gets these six cards "
                "as well, and the kitty, which goes with the first trick that is won. Bea led, so Bea leads again."))),
    Others("TC 3C QS JC TC"),
    PlayOne(
        Say(N_("Dace has no clubs and throws a queen of spades, a Black Maria. {a} and {a} cancel, so Eero’s {b} takes all "
               "of it so far. You must follow clubs, but you need not win: play a low one."), "TC JC"),
        "4C 8C",
        Say(N_("{c} would win 13 points, the six cards set aside and the kitty. Play a lower club."), "TC JC"),
    ),
    Read(Say(N_("That is called ducking. Eero gets the queen, the cards set aside and the kitty, which only Eero sees until "
                "the hand is over. And hearts are broken: after a heart or a Black Maria has fallen, hearts may be led."))),
    Others("KH 5H"),
    PlayOne(
        Say(N_("You must follow, and your only heart is the other {a}. No fear: the two kings cancel, and a lower heart "
               "will take the trick."), "KH"),
        "KH",
    ),
    Others("9H 7H 2H"),
    Read(Say(N_("Bea’s {a} takes six points: it is the highest heart that stands alone. Where no card of the suit led stands "
                "alone, nobody wins, as with two pairs. The rest of this hand now goes by itself."), "9H")),
    PlayOut(),
    Read(Say(N_("The score sheet: a point for every heart, 13 for every Black Maria, those in the kitty included. When "
                "somebody reaches 150, the lowest total wins. One thing is left: the moon."))),
    DealMoon(),
    PlayOne(
        Say(N_("Another hand, three tricks to go. You have won all the others, 25 points so far. That looks bad, but who "
               "wins all 26 hearts and both Black Marias shoots the moon. Nobody can beat your diamonds: lead one.")),
        _DIAMONDS,
    ),
    Others(_LAST[0][1]),
    PlayOne(
        Say(N_("Nobody had a diamond, so you got four hearts and the second Black Maria. Lead the next one.")),
        _DIAMONDS,
    ),
    Others(_LAST[1][1]),
    PlayOne(
        Say(N_("One more. If this last trick were cancelled, nobody would get its hearts, and there would be no moon.")),
        _DIAMONDS,
    ),
    Others(_LAST[2][1]),
    ChooseOne(Say(N_("All of them: you shot the moon! Instead of 52 points you take 26 off your own total, or put 26 onto "
                     "everybody else’s. The choice is yours."))),
    End(Say(N_("That is the whole game. Play it with bots, s in the lobby, or open a table for your friends, h. The keys "
               "that work are behind ? at any time. Have fun!"))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """How far the person has come: the table, and the step that waits for them."""

    table: LessonTable
    step: int = 0


def begin() -> tuple[Course, tuple[Update, ...]]:
    """The beginning of the lesson."""
    return _along(Course(open_lesson(_(TITLE))), [])


def go_on(course: Course, wish: Wish) -> tuple[Course, tuple[Update, ...]]:
    """The lesson after the person wanted something, and what there is to be seen."""
    table, step = course.table, STEPS[course.step]
    match step, wish:
        case PassThese(), Pass(_seat, chosen):
            if sorted(chosen) != sorted(cards(step.good)):
                return course, (_again(table, step.instead),)
            return _after(course, pass_on(table))
        case PlayOne(), Play(_seat, card):
            if table.hand is None or why_not(table.hand, table.held[ME], card) is not None:
                return course, (_again(table, step.word),)
            if step.instead is not None and card not in cards(step.good):
                return course, (_again(table, step.instead, card),)
            return _after(course, lay(table, card))
        case Read(), GoOn():
            return _after(course, (table, ()))
        case ChooseOne(), ChooseMoon(_seat, choice):
            return _after(course, write_down(table, "add" if choice == "add" else "subtract"))
        case _, Talk(text):
            return course, (Update((events.Said(KEY, text),), scene_of(table)),)
        case _:
            return course, (Update((), scene_of(table)),)  # a front end waits until it hears what came of a wish


class Tutorial:
    """A `Driver` without a network. It is made in the event loop of the front end."""

    def __init__(self) -> None:
        self.updates: asyncio.Queue[Update] = asyncio.Queue()
        self._course, seen = begin()
        self._show(seen)

    def submit(self, command: Wish) -> None:
        """Hand over what the person wants."""
        self._course, seen = go_on(self._course, command)
        self._show(seen)

    async def close(self) -> None:
        """Nothing is left behind."""

    def _show(self, seen: Sequence[Update]) -> None:
        for update in seen:
            self.updates.put_nowait(update)


def _after(course: Course, done: tuple[LessonTable, tuple[events.Event, ...]]) -> tuple[Course, tuple[Update, ...]]:
    """The next step, after the person has done what this one waited for."""
    table, happened = done
    seen = [Update(happened, scene_of(table), aside=Aside())] if happened else []
    return _along(Course(table, course.step + 1), seen)


def _along(course: Course, seen: list[Update]) -> tuple[Course, tuple[Update, ...]]:
    """As far as it goes without the person."""
    table = course.table
    for place, step in enumerate(STEPS[course.step :], course.step):
        match step:
            case Others(text):
                for card in cards(text):
                    table, happened = lay(table, card)
                    seen.append(Update(happened, scene_of(table), aside=Aside()))
            case PlayOut():
                table, happened = write_down(play_out(table))
                seen.append(Update(happened, scene_of(table), aside=Aside()))
            case DealMoon():
                table = deal_moon(table)
            case _:
                table, happened = _arrive(table, step)
                waits = isinstance(step, Read)
                seen.append(Update(happened, scene_of(table), aside=Aside(teaching=_said(step.word, waits=waits))))
                return Course(table, place), tuple(seen)
    return course, tuple(seen)  # the last step waits for nothing any more


def _arrive(table: LessonTable, step: Step) -> tuple[LessonTable, tuple[events.Event, ...]]:
    """The table at a step that waits for the person."""
    match step:
        case ChooseOne():
            return replace(table, stage=Stage.MOON), (events.MoonShot(ME),)
        case End():
            return replace(table, stage=Stage.OVER), (events.GameEnded(()),)
        case _:
            return table, ()


def _again(table: LessonTable, word: Say, card: Card | None = None) -> Update:
    """What was done is undone: an empty refusal, and a word why."""
    return Update((events.Refused(""),), scene_of(table), aside=Aside(teaching=_said(word, card=card)))


def _said(word: Say, *, waits: bool = False, card: Card | None = None) -> Teaching:
    named = dict(zip("abc", cards(word.cards), strict=False))
    if card is not None:
        named["c"] = card
    return Teaching(word.text, tuple(named.items()), waits)
