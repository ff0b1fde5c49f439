"""The tutorial: a real hand that goes on whatever the person does, says what is new where it happens, and is never in the way."""

import asyncio
import itertools
from collections import Counter
from dataclasses import replace

import pytest

from p2p_hearts.cards import DECK, parse_card
from p2p_hearts.console.fragments import text_of, wrap
from p2p_hearts.console.keys import keys_now
from p2p_hearts.console.language import LANGUAGES, _, speaking
from p2p_hearts.console.plain import run_plain
from p2p_hearts.console.plain_ask import answer, ask
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import press, update
from p2p_hearts.console.state import OpenTable, Screen, waits_to_be_read
from p2p_hearts.console.tutorial import STEPS, Course, Tutorial, begin, go_on
from p2p_hearts.console.tutorial_cards import after_pass, before_moon, cards
from p2p_hearts.console.tutorial_table import LessonTable, lay
from p2p_hearts.console.words import symbol, teaching_words
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.score import score_hand
from p2p_hearts.node.driver import GoOn, Update, Wish
from p2p_hearts.protocol import events
from p2p_hearts.protocol.inputs import ChooseMoon, Leave, Pass, Play
from p2p_hearts.protocol.inputs import Say as Chat
from p2p_hearts.protocol.scene import Stage
from tests.console.test_keys import ALL_KEYS, works

PASS = Pass(0, cards("QS KS AS"))
TO_THE_MOON: tuple[Wish, ...] = (
    PASS, Play(0, parse_card("KD")), GoOn(), Play(0, parse_card("4C")), GoOn(), Play(0, parse_card("KH")), GoOn(), GoOn(),
)  # fmt: skip
DIAMONDS = cards("QD KD AD")


def taught(*wishes: Wish) -> tuple[Course, list[Update]]:
    """The lesson after these wishes, and all that was seen."""
    course, seen = begin()
    all_seen = list(seen)
    for wish in wishes:
        course, seen = go_on(course, wish)
        all_seen += seen
    return course, all_seen


def shown(updates: list[Update]) -> Screen:
    """The screen after these updates."""
    screen = Screen()
    for news in updates:
        screen = update(screen, news.events, news.scene, news.notices, news.aside)
    return screen


def told(update: Update) -> str:
    """What the lesson says with an update."""
    assert update.aside is not None
    assert update.aside.teaching is not None
    return teaching_words(update.aside.teaching, symbol)


@pytest.mark.parametrize("order", list(itertools.permutations(DIAMONDS)))
@pytest.mark.parametrize(("choice", "scores"), [("subtract", (-26, 0, 0, 0, 0, 0)), ("add", (0, 26, 26, 26, 26, 26))])
def test_it_ends_with_the_moon(order: tuple[int, ...], choice: str, scores: tuple[int, ...]) -> None:
    """In whatever order the last three are led, the person wins all 52 points, and the choice counts by the rules."""
    plays = [Play(0, card) for card in order]
    course, seen = taught(*TO_THE_MOON, *plays, ChooseMoon(0, choice))
    assert course.table.stage is Stage.OVER
    first, second = course.table.sheet
    assert sum(first.points) + first.unclaimed == 52
    assert (second.points, second.moon, second.choice) == (scores, 0, choice)
    assert course.table.scores == tuple(a + b for a, b in zip(first.points, scores, strict=True))
    assert any(isinstance(event, events.MoonShot) for news in seen for event in news.events)


def test_what_each_trick_teaches() -> None:
    """Two pairs set the first trick aside, the kitty waits with it, Eero takes both; two kings cancel, a nine wins."""
    course, _seen = taught(*TO_THE_MOON[:6])
    hand = course.table.hand
    assert hand is not None
    one, two, three = hand.tricks
    assert (one.winner, one.taker, one.kitty) == (None, None, False)
    assert Counter(one.cancelled) == Counter(cards("9D KD 9D KD"))
    assert (two.winner, two.kitty, Counter(two.carried)) == (4, True, Counter(one.cards))
    assert (two.leader, three.leader, three.winner) == (1, 4, 1)  # R15, D2: who led the cancelled trick leads again
    assert Counter(three.cancelled) == Counter(cards("KH KH"))
    assert hand.broken


def test_the_hands_are_whole_decks() -> None:
    """Both hands use the 104 cards, and what is written down may be played."""
    for given in (after_pass(Options()), before_moon(Options())):
        held = [card for seat in given.held for card in seat]
        played = [card for trick in given.hand.tricks for card in trick.cards]
        assert Counter(held + played) + Counter(given.kitty) == Counter(DECK)
        assert len(given.kitty) == 2
    moon = before_moon(Options())
    assert [trick.winner for trick in moon.hand.tricks] == [0] * 14
    table = LessonTable("", Options(), Stage.PLAYING, moon.held, moon.hand, kitty=moon.kitty)
    for card in cards("QD 7H JH 8H QS KH KD KH TH 9H QH 3H AD 4H QH 6H TH JH"):
        table, _happened = lay(table, card)
    assert table.hand is not None
    assert score_hand(table.hand).moon == 0


def test_another_choice_is_answered() -> None:
    """A card or a pass that the lesson does not ask for changes nothing; it says why, and the person may choose again."""
    _course, seen = taught(Pass(0, cards("2S 4S 5S")))
    assert seen[-1].events == (events.Refused(""),)
    assert told(seen[-1]).startswith("That is allowed, too. But for this lesson pass Q♠, K♠ and A♠")
    course, seen = taught(PASS, Play(0, parse_card("6D")))
    assert told(seen[-1]) == "6♦ is allowed, too. But play K♦: there is something to see."
    assert course.table.hand is not None
    assert len(course.table.hand.table) == 5
    screen, action = press(replace(shown(seen), cursor=16), "enter")
    assert action == Play(0, parse_card("KD"))
    assert press(screen, "enter")[1] is None  # a second press does nothing
    _course, seen = taught(*TO_THE_MOON[:3], Play(0, parse_card("AC")))
    assert told(seen[-1]).startswith("A♣ would win 13 points, the six cards set aside and the kitty.")
    _course, seen = taught(*TO_THE_MOON[:3], Play(0, parse_card("2S")))  # a revoke, which a screen refuses before
    assert told(seen[-1]).startswith("Dace has no clubs")


def test_it_waits_to_be_read() -> None:
    """Where a word has to be read, Enter goes on, once; what is not asked for does nothing."""
    _course, seen = taught(*TO_THE_MOON[:2])
    screen = shown(seen)
    assert waits_to_be_read(screen)
    screen, action = press(screen, "enter")
    assert action == GoOn()
    assert press(screen, "enter")[1] != GoOn()
    for wish in (GoOn(), Play(0, parse_card("KD")), ChooseMoon(0, "add"), Chat("hello"), Leave()):
        course, (news,) = go_on(begin()[0], wish)
        assert (course, news.scene, news.aside) == (begin()[0], seen[0].scene, None)
        assert [event for event in news.events if not isinstance(event, events.Said)] == []


def test_the_keys_that_work_are_named() -> None:
    """While a word waits to be read, a key does something exactly when it is named at the bottom."""
    screen = shown(taught(*TO_THE_MOON[:2])[1])
    named = {key for entry in keys_now(screen) for key in entry.pressed}
    assert "enter" in named
    assert [key for key in ALL_KEYS if key not in named and works(screen, key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_short(language: str) -> None:
    """Every word of the lesson fits into the four lines that the foot of 80 columns has for it, in every language."""
    words = [word for step in STEPS for word in (getattr(step, "word", None), getattr(step, "instead", None)) if word]
    assert len(words) > 12
    for word in words:
        named = {field: symbol(card) for field, card in zip("abc", cards(word.cards), strict=False)}
        with speaking(language):
            assert len(wrap(_(word.text, **{"c": "10♠", **named}), 78)) <= 4, word.text


def test_every_picture_fits() -> None:
    """At 80 by 24 each word is seen whole, above the keys; smaller windows are as good as any."""
    _course, seen = taught(*TO_THE_MOON, *(Play(0, card) for card in DIAMONDS), ChooseMoon(0, "add"))
    screen = Screen()
    for news in seen:
        screen = update(screen, news.events, news.scene, news.notices, news.aside)
        assert all(len(render(screen, *size)) == size[1] for size in ((80, 24), (40, 12), (200, 60), (1, 1)))
        if news.aside is not None and news.aside.teaching is not None:
            picture = " ".join(text_of(render(screen, 80, 24)).split())
            assert " ".join(told(news).split()) in picture


def test_the_second_hand_shows_nothing_of_the_first() -> None:
    """When the other hand begins, the last trick of the first does not lie there any more."""
    screen = shown(taught(*TO_THE_MOON)[1])
    assert screen.ended is None
    assert screen.scene is not None
    assert screen.scene.number == 2
    assert ask(screen).startswith("Your turn to lead.")


def test_from_the_lobby() -> None:
    """One key of the lobby begins it, on the screen and in line mode."""
    screen, action = press(Screen(), "l")
    assert isinstance(action, OpenTable)
    assert (action.kind, bool(screen.busy)) == ("learn", True)
    said = answer(Screen(), "l")
    assert isinstance(said.action, OpenTable)
    assert said.action.kind == "learn"


def test_line_by_line() -> None:
    """In line mode a word comes after what happened and before the question, and an empty line goes on."""
    written: list[str] = []

    async def talk() -> None:
        lines: asyncio.Queue[str | None] = asyncio.Queue()
        for line in ("c hello", "9 10 11", "2", "", "1", "", "1", "", "", "3", "1", "1", "2", "", None):
            lines.put_nowait(line)
        await asyncio.wait_for(run_plain(None, Tutorial(), write=written.append, lines=lines), 10)

    asyncio.run(talk())
    at = next(place for place, line in enumerate(written) if line.startswith("Two equal cards in one trick cancel"))
    assert written[at - 1] == "Farah plays 2 of diamonds."
    assert written[at + 1].startswith("Your turn. You must follow diamonds.")
    assert "no 9 of diamonds can win" in written[at]
    assert written.count("Press Enter to go on.") == 4
    assert "Ann: hello" in written
    assert written[-1].startswith("Press Enter to leave the table")
    assert written[-2].startswith("That is the whole game.")
