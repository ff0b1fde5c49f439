"""The full screen as a program: keys come in by a pipe, the picture is read back from a terminal."""

import asyncio
import io
import os
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import pyte
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_hearts.bots import choose_play
from p2p_hearts.console.app import Console
from p2p_hearts.console.glyphs import Glyphs
from p2p_hearts.console.state import Pace, Screen
from p2p_hearts.console.tables import Ending
from p2p_hearts.protocol import inputs
from p2p_hearts.protocol.scene import Stage
from tests.console.fake import FakeDriver, FakeTable
from tests.console.fake_home import GAMES, FakeHome

PATIENCE = 20.0  # seconds; far more than any machine needs
STEP = 0.01


@dataclass
class Person:
    """Somebody at a terminal: types keys and waits until something is seen."""

    console: Console
    keys: PipeInput
    raw: io.StringIO
    size: Size
    terminal: pyte.Screen = field(init=False)
    _read: int = 0

    def __post_init__(self) -> None:
        self.terminal = pyte.Screen(self.size.columns, self.size.rows)
        self._stream = pyte.Stream(self.terminal)

    def picture(self) -> str:
        """What the terminal shows now."""
        text = self.raw.getvalue()
        self._stream.feed(text[self._read :])
        self._read = len(text)
        return "\n".join(line.rstrip() for line in self.terminal.display)

    async def sees(self, text: str) -> str:
        """The picture once `text` is on it."""
        async with asyncio.timeout(PATIENCE):
            while text not in self.picture():  # noqa: ASYNC110 - a terminal has no events
                await asyncio.sleep(STEP)
        return self.picture()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that is not on the screen."""
        async with asyncio.timeout(PATIENCE):
            while not true():  # noqa: ASYNC110 - the same
                await asyncio.sleep(STEP)

    def types(self, text: str) -> None:
        """Press these keys."""
        self.keys.send_text(text)


def run(
    play: "Callable[[Person], object]", *, home: FakeHome | None = None, driver: FakeDriver | None = None,
    size: tuple[int, int] = (80, 24), pace: Pace = Pace.NONE, glyphs: Glyphs = Glyphs.UNICODE, unattended: bool = False,
) -> tuple[Ending, Person]:  # fmt: skip
    """The program with a person in front of it, until it ends."""

    async def both() -> tuple[Ending, Person]:
        raw = io.StringIO()
        window = Size(rows=size[1], columns=size[0])
        with (
            create_pipe_input() as keys,
            create_app_session(input=keys, output=Vt100_Output(raw, lambda: window, term="xterm")),
        ):
            console = Console(home, glyphs, Screen(pace=pace), unattended=unattended)
            person = Person(console, keys, raw, window)
            async with asyncio.timeout(PATIENCE):
                ending, _ = await asyncio.gather(console.run(driver), play(person))  # type: ignore[call-overload]
        return ending, person

    return asyncio.run(both())


def test_from_the_lobby_to_the_score_sheet() -> None:
    """Issue 2, Console: lobby, waiting room, dealing, passing, table, trick, score sheet and leaving, by keys alone."""
    home = FakeHome(hands=1)

    async def play(person: Person) -> None:
        await person.sees("Tables on this network")
        person.types("h\r")
        await person.sees("Everything is ready: s starts the game.")
        person.types("s")
        await person.sees("Choose 3 cards.")
        person.types("1 2 3 ")
        await person.sees("Enter passes them")
        person.types("\r")
        driver = home.drivers[0]
        while driver.table.stage is Stage.PLAYING or driver.table.stage is Stage.PASSING:
            await person.until(driver.updates.empty)
            count = len(driver.commands)
            person.types("\t\r")
            await person.until(lambda: len(driver.commands) > count)  # noqa: B023 - waited for in this very round
        await person.sees("with the kitty")
        await person.sees("Every peer has signed the same final result.")
        person.types("\r")
        await person.sees("Tables on this network")
        person.types("q")

    ending, person = run(play, home=home)
    assert ending.scene is not None
    assert ending.scene.stage is Stage.OVER
    assert home.drivers[0].closed
    assert not ending.terminated
    plays = [command for command in home.drivers[0].commands if isinstance(command, inputs.Play)]
    assert len(plays) == 9
    assert "\x1b[?1049l" in person.raw.getvalue()  # the screen before is back


def test_a_table_given_from_the_command_line_ends_the_program() -> None:
    """Without a lobby behind it, leaving the table leaves the program, and the table is told."""
    driver = FakeDriver(FakeTable())

    async def play(person: Person) -> None:
        await person.sees("waiting room")
        person.types("q")

    run(play, driver=driver)
    assert driver.commands == [inputs.Leave()]
    assert driver.closed


@pytest.mark.parametrize(("stage", "told"), [(Stage.STOPPED, [inputs.Leave()]), (Stage.OVER, [])])
def test_a_table_that_has_stopped_is_told_too(stage: Stage, told: list[inputs.Command]) -> None:
    """Whoever leaves a table that has stopped says so: another may not have heard yet that it has, and would wait."""
    driver = FakeDriver(FakeTable(stage=stage, problem="Cem left, and the hand cannot go on without."))

    async def play(person: Person) -> None:
        await person.sees("Enter leave")
        person.types("\r")

    run(play, driver=driver)
    assert driver.commands == told


def test_nobody_answers() -> None:
    """A table that cannot be joined is told in a sentence, and the lobby stays."""

    async def play(person: Person) -> None:
        await person.sees("Tables on this network")
        person.types("anowhere\r")
        await person.sees("Nobody answers at nowhere.")
        person.types("q")

    ending, _ = run(play, home=FakeHome())
    assert ending.scene is None


def test_pasted_text_presses_no_keys() -> None:
    """What is pasted is text while something is typed, and nothing otherwise."""
    home = FakeHome()

    async def play(person: Person) -> None:
        await person.sees("Tables on this network")
        person.types("\x1b[200~qqq\r\x1b[201~")
        person.types("a\x1b[200~192.168.1.20:5340\n\x1b[201~")
        await person.sees("Address or invitation: 192.168.1.20:5340")
        person.types("\x03q")

    run(play, home=home)
    assert home.asked == []


def test_a_table_appears_by_itself() -> None:
    """The list changes without a key, and the cursor stays where it was."""
    home = FakeHome()
    listed, home.listed = home.listed, ()

    async def play(person: Person) -> None:
        await person.sees("No table on this network yet")
        home.listed = listed
        home.changed.set()
        await person.sees("Kitchen table")
        person.types("q")

    run(play, home=home)


def test_the_picture_rests_after_a_trick_until_a_key() -> None:
    """A trick stays to be looked at; Enter goes on and plays nothing."""
    driver = FakeDriver(FakeTable(seats=6, bots=()))
    for news in driver.table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        await person.sees("Choose 3 cards.")
        person.types("1 2 3 \r")
        while True:
            await person.sees("Your turn")
            person.types("\t")
            await person.sees("Enter plays")
            person.types("\r")
            await person.until(lambda: person.console._resting or person.console.screen.ended is not None)
            if person.console.screen.ended is not None:
                break
        assert driver.updates.qsize() > 0 or person.console.screen.ended is not None
        count = len(driver.commands)
        person.types("\r")
        await person.until(driver.updates.empty)
        assert len(driver.commands) == count
        person.types("\x03\x03")

    run(play, driver=driver, pace=Pace.SLOW)


def test_unattended_leaves_when_all_is_signed() -> None:
    """A program whose seat is played by a bot goes on without keys and ends by itself."""
    table = FakeTable(hands=1)
    driver = FakeDriver(table)
    news = [*table.begin(), *table.command(inputs.Pass(1, table.held[1][:3]))]
    while table.stage is Stage.PLAYING:
        news += table.command(inputs.Play(1, choose_play("cautious", table.view(1), table.rng)))
    for one in news:
        driver.updates.put_nowait(one)

    async def play(_: Person) -> None:
        await asyncio.sleep(0)

    ending, _ = run(play, driver=driver, unattended=True)
    assert ending.scene is not None
    assert ending.scene.stage is Stage.OVER


def test_without_unicode_the_screen_is_ascii() -> None:
    """FF5: letters S H D C and ASCII lines, the same game."""
    driver = FakeDriver(FakeTable())
    for news in driver.table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        picture = await person.sees("Choose 3 cards.")
        assert picture.isascii()
        assert "| 3S  | 8S  | 10H | KH  | AH  |" in picture
        person.types("qy")

    run(play, driver=driver, glyphs=Glyphs.ASCII)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_and_restores_the_terminal(name: str) -> None:
    """FF8: told to end, the program leaves the table and puts the terminal back."""
    driver = FakeDriver(FakeTable())

    async def play(person: Person) -> None:
        await person.sees("waiting room")
        os.kill(os.getpid(), getattr(signal, name))

    ending, person = run(play, driver=driver)
    assert ending.terminated
    assert driver.closed
    assert "\x1b[?1049l" in person.raw.getvalue()


def test_an_error_in_a_task_ends_the_program_with_the_terminal_restored() -> None:
    """FF8: an error anywhere leaves no full screen behind, and is not hidden."""
    driver = FakeDriver(FakeTable())
    seen: list[Person] = []

    async def play(person: Person) -> None:
        seen.append(person)
        await person.sees("waiting room")
        driver.updates.put_nowait(None)  # type: ignore[arg-type]  # no update at all

    with pytest.raises(AttributeError):
        run(play, driver=driver)
    assert "\x1b[?1049l" in seen[0].raw.getvalue()
    assert driver.closed


def test_the_clock_counts_down_and_begins_anew() -> None:
    """The seconds of the table's clock run down for each decision from its beginning."""
    table = FakeTable(seats=6, bots=(), clock=40)
    driver = FakeDriver(table)
    for news in table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        await person.until(lambda: re.search(r"(40|3[5-9]) s left", person.picture()) is not None)
        await person.until(lambda: re.search(r"(3[0-8]|2[0-9]) s left", person.picture()) is not None)
        person.types("1 2 3 \r")
        await person.until(lambda: re.search(r"(40|39) s left", person.picture()) is not None)
        person.types("qy")

    run(play, driver=driver)


@pytest.mark.parametrize(("keys", "told"), [("qy", [inputs.Leave()]), ("qz", [])])
def test_leaving_for_good_is_told_and_leaving_for_later_is_not(keys: str, told: list[inputs.Command]) -> None:
    """Who comes back later has not left: the others go on meanwhile, and the journal keeps the game open."""
    driver = FakeDriver(FakeTable())
    for news in driver.table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        await person.sees("Choose 3 cards.")
        person.types(keys)

    run(play, driver=driver)
    assert driver.commands == told
    assert driver.closed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_closed_terminal_keeps_the_game_open() -> None:
    """When the program is told to end in a game, the others are not told that one has left for good."""
    if sys.platform == "win32":
        pytest.skip("no such signal")
    driver = FakeDriver(FakeTable())
    for news in driver.table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        await person.sees("Choose 3 cards.")
        os.kill(os.getpid(), signal.SIGHUP)

    run(play, driver=driver)
    assert driver.commands == []
    assert driver.closed


def test_an_unfinished_game_goes_on_from_the_lobby() -> None:
    """The lobby lists it, Enter opens it, and what cannot be watched is said in a sentence."""
    home = FakeHome()
    home.games = GAMES

    async def play(person: Person) -> None:
        await person.sees("c continue")
        person.types("c")
        picture = await person.sees("Unfinished games")
        assert "hand 3, 2026-05-03 21:40, with Ann and Cem" in picture
        person.types("\r")
        await person.sees("Choose 3 cards.")
        person.types("qz")
        await person.sees("Tables on this network")
        person.types("jw")
        await person.sees("Kitchen table cannot be watched.")
        person.types("q")

    run(play, home=home)
    assert home.asked == [GAMES[0]]


def test_the_grace_counts_down_beside_who_is_away() -> None:
    """Beside somebody who gives no sign of life stands in how many seconds the hand goes on without."""
    table = FakeTable(seats=6, bots=(), away=(2,))
    driver = FakeDriver(table)
    for news in table.begin():
        driver.updates.put_nowait(news)

    async def play(person: Person) -> None:
        await person.until(lambda: re.search(r"Cem away 2[0-4] ", person.picture()) is not None)
        await person.until(lambda: re.search(r"Cem away (1[0-9]|2[0-2]) ", person.picture()) is not None)
        table.away = ()
        driver.updates.put_nowait(table.tell())
        await person.until(lambda: "away" not in person.picture())
        person.types("qy")

    run(play, driver=driver)
