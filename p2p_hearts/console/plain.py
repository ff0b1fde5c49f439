"""Line mode: the same game in lines that are only ever appended, for screen readers, TERM=dumb, pipes and slow links.

The law: every event is a new line, nothing is drawn or redrawn, and the end of the input leaves politely.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

from p2p_hearts.console.again import next_step
from p2p_hearts.console.ahead import due
from p2p_hearts.console.below import below
from p2p_hearts.console.home import Home, JoinError
from p2p_hearts.console.language import _, speaking, spoken_language, use
from p2p_hearts.console.plain_ask import answer, ask
from p2p_hearts.console.plain_streams import say, stdin_lines
from p2p_hearts.console.plain_words import seating, told
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.screen import home_news, left_table, update
from p2p_hearts.console.seating import Seating
from p2p_hearts.console.settings import Personal
from p2p_hearts.console.settings_page import first_screen
from p2p_hearts.console.state import Keep, language_of
from p2p_hearts.console.tables import Ending, off_signals, on_signals
from p2p_hearts.console.telling import seats_bots
from p2p_hearts.console.words import spoken, teaching_words
from p2p_hearts.node.driver import Driver, Update
from p2p_hearts.protocol.events import Event, LobbyChanged, Refused, ResultSigned, Said, Seated
from p2p_hearts.protocol.scene import Scene, Stage


def needs_lines(environment: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether only line mode can work here; `terminal` says that input and output both are one."""
    return not terminal or environment.get("TERM", "") in {"dumb", "unknown"}


async def run_plain(
    home: Home | None, driver: Driver | None = None, *, unattended: bool = False, write: Callable[[str], None] | None = None,
    lines: "asyncio.Queue[str | None] | None" = None, personal: Personal | None = None,
) -> Ending:  # fmt: skip
    """Line mode on standard input and output, from the lobby (`home`) or at a table (`driver`), until it is left.

    `unattended` ignores the end of the input and leaves once the result is signed or the table has stopped. Lines that
    a file or pipe gives are kept until something is asked; a person's are taken at once, so that none acts twice.
    """
    scripted = lines is not None or not sys.stdin.isatty()
    typed = lines if lines is not None else stdin_lines()
    talk = Talk(home, write or say, personal, unattended=unattended, scripted=scripted)
    return await talk.run(driver, typed)


class Talk:
    """What changes while line mode runs: the state, the table in play, and the question that was last asked."""

    def __init__(
        self,
        home: Home | None,
        write: Callable[[str], None],
        personal: Personal | None = None,
        *,
        unattended: bool = False,
        scripted: bool = False,
    ) -> None:
        self.personal = personal or Personal()
        self.write, self.unattended, self.scripted = write, unattended, scripted
        self.screen = replace(first_screen(self.personal), note="")
        self._asked = ""
        self._lines: deque[str | None] = deque()
        self._acted = False  # something was done and its effect has not come back yet
        self._over = self._terminated = False
        self._inputs: asyncio.Queue[Update | str | BaseException | None] = asyncio.Queue()
        self.seating = Seating(home, self, self._inputs.put)

    async def run(self, driver: Driver | None, typed: "asyncio.Queue[str | None]") -> Ending:
        """Talk until the table and the lobby are left."""
        caught = on_signals(self._terminate)
        use(language_of(self.screen) or spoken_language())
        for problem in self.personal.problems:
            self.write(problem)
        self.seating.spawn(self._feed(typed))
        home = self.seating.home
        if home is not None:
            self.screen = replace(home_news(self.screen, home.rows(), home.notes()), games=home.unfinished())
            self.seating.spawn(self._watch_home(home))
        if driver is not None:
            self.seating.sit_down(driver)
        else:
            self._question()
        try:
            while not self._over:
                await self._hear(await self._inputs.get())
        finally:
            off_signals(caught)
            await self.seating.close(later=self._terminated)
        return Ending(self.seating.scene, self._terminated)

    def wanted(self) -> bool:
        """Whether the person still waits for a table."""
        return bool(self.screen.busy)

    def refused(self, error: JoinError) -> None:
        """No table was reached."""
        self._inputs.put_nowait(error)

    def failed(self, error: BaseException) -> None:
        """A task failed."""
        self._inputs.put_nowait(error)

    def leave(self) -> None:
        """Back to the lobby, or out of the program when there is none."""
        self.seating.leave()
        self.screen, self._asked, self._acted = left_table(self.screen), "", False
        if self.seating.home is None:
            self._over = True
        else:
            self._do_what_is_due()

    def left(self) -> None:
        """The table that was left is closed: perhaps its game can be continued."""
        if self.seating.home is not None:
            self.screen = replace(self.screen, games=self.seating.home.unfinished())

    def keep(self, before: Preferences, after: Preferences) -> None:
        """Write down that the settings have changed, or say why that cannot be."""
        use(language_of(self.screen) or spoken_language())
        problem = self.personal.keep(before, after)
        if problem:
            self.write(problem)

    def quit(self) -> None:
        """End the program."""
        self._over = True

    def _terminate(self) -> None:
        self._over = self._terminated = True
        self._inputs.put_nowait(None)  # wakes the loop

    async def _hear(self, heard: Update | str | BaseException | None) -> None:
        match heard:
            case Update() if self.seating.driver is None:
                pass  # of a table that was left meanwhile
            case Update():
                self._news(heard)
            case JoinError():
                self.write(below(str(heard)))
                self.screen, self._asked, self._acted = replace(self.screen, busy=""), "", False
                self._question()
            case BaseException():
                raise heard
            case _:
                self._lines.append(heard)
        while self._lines and not self._over and not self._holds(self._lines[0]):
            self._question()  # which the news held back while this line was waiting behind it
            await self._line(self._lines.popleft())

    def _holds(self, line: str | None) -> bool:
        """Whether a line has to wait: until a table is open, and, when a file or pipe answers, until something is asked."""
        if self.screen.busy:
            return self.scripted or line is None or line.strip() != "q"
        return self.scripted and (self._acted or self._more() or not ask(self.screen))

    def _more(self) -> bool:
        return not self._inputs.empty() or self.seating.waiting() > 0

    async def _line(self, line: str | None) -> None:
        if line is None:
            self._over = not self.unattended
            return
        said = answer(self.screen, line)
        if said.screen.sent != self.screen.sent:
            self._asked = ""  # answered: the next turn may put the very same question
        self.screen = said.screen
        if said.reply:
            self.write(said.reply)
        if not said.reply and said.action is None:
            self._asked = ""  # an empty line has the question repeated
        if said.action is not None:
            self._acted = not isinstance(said.action, Keep)  # which the table hears nothing of
            self.seating.act(said.action)
        self._question()

    def _news(self, news: Update) -> None:
        before, self._acted = self.screen.scene, False
        for notice in news.notices:
            self.write(below(notice))
        self.screen = replace(
            update(self.screen, news.events, news.scene, aside=news.aside), overlay=self.screen.overlay, note=""
        )
        for event in condensed(news.events):
            self._tell(event, news.scene, before)
            if isinstance(event, Refused):
                self._asked = ""
            if isinstance(event, Seated):
                self.write(seating(news.scene))
            if isinstance(event, ResultSigned) and self.unattended:
                self._over = True
        if news.aside is not None and news.aside.teaching is not None:
            self.write(teaching_words(news.aside.teaching, spoken))
        if news.scene.stage is Stage.STOPPED and (before is None or before.stage is not Stage.STOPPED):
            self.write(below(news.scene.problem or "") or _("The table has stopped."))
            if self.unattended:
                self._over = True
        self._do_what_is_due()
        self._question()

    def _tell(self, event: Event, scene: Scene, before: Scene | None) -> None:
        """Say an event; of bots that sit down one after the other only how many they are in the end."""
        if isinstance(event, Said) and event.peer in self.screen.muted:
            return
        text = told(event, scene, self.screen.aside.met)
        if isinstance(event, LobbyChanged) and only_bots(before, scene) and self._more():
            return
        if text:
            self.write(text)

    def _do_what_is_due(self) -> None:
        """Play the only card there is, for who wants it so, and go on to another game with the same people. Where a bot
        answers, cards are the bot's business."""
        if self.unattended or self._more():
            return
        for decide in (due, next_step):
            self.screen, action = decide(self.screen)
            if action is not None:
                self.seating.act(action)

    def _question(self) -> None:
        """Ask what stands now, once; while more news is waiting, it is asked after that."""
        question = "" if self.unattended or self._over or self._more() else ask(self.screen)
        if question and question != self._asked:
            self.write(question)
        self._asked = question or self._asked

    async def _feed(self, typed: "asyncio.Queue[str | None]") -> None:
        while True:
            self._inputs.put_nowait(await typed.get())

    async def _watch_home(self, home: Home) -> None:
        while True:
            await home.changed.wait()
            home.changed.clear()
            known, told_before = {row.table for row in self.screen.rows}, self.screen.notes
            self.screen = home_news(self.screen, home.rows(), home.notes())
            if self.screen.scene is None:
                with speaking(language_of(self.screen)):  # another task, with a language of its own
                    self._seen(known, told_before)
                    self._do_what_is_due()

    def _seen(self, known: set[str], told_before: tuple[str, ...]) -> None:
        """Says what is new in the lobby."""
        for note in self.screen.notes:
            if note not in told_before:
                self.write(below(note))
        for place, row in enumerate(self.screen.rows, 1):
            if row.table not in known:
                text = _(
                    "A table appears. {place}: {name}, host {host}, {taken} of {seats} seats.",
                    place=place, name=row.name, host=row.host, taken=row.taken, seats=row.seats,
                )  # fmt: skip
                self.write(text)


def condensed(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events without those that the next one says over again: of bots that sit down in a row, how many they are."""
    again = [seats_bots(one) and seats_bots(after) for one, after in pairwise(events)]
    return tuple(one for one, said_again in zip(events, [*again, False], strict=False) if not said_again)


def only_bots(before: Scene | None, after: Scene) -> bool:
    """Whether nothing of the waiting room has changed but how many seats bots have."""
    if before is None or before.lobby is None or after.lobby is None:
        return False
    same = before.peers == after.peers and replace(before.lobby, bots=()) == replace(
        after.lobby, bots=(), problem=before.lobby.problem
    )
    return same and before.lobby.bots != after.lobby.bots
