"""Line mode: the same game in lines that are only appended."""

import asyncio
import unicodedata
from dataclasses import replace

import pytest

from p2p_hearts.console.plain import Talk, condensed, needs_lines
from p2p_hearts.console.plain_ask import HELP_TABLE, answer, playable
from p2p_hearts.console.state import Screen
from p2p_hearts.console.tables import Ending
from p2p_hearts.node.driver import Update
from p2p_hearts.protocol import inputs
from p2p_hearts.protocol.events import LobbyChanged, Said
from p2p_hearts.protocol.scene import Stage
from tests.console.fake import ME, FakeDriver, FakeTable
from tests.console.fake_home import GAMES, FakeHome
from tests.console.stages import every_screen

PATIENCE = 20.0  # seconds


def talk(
    *lines: str, home: FakeHome | None = None, driver: FakeDriver | None = None, unattended: bool = False
) -> tuple[list[str], Ending]:
    """What line mode says to these lines, which then end."""

    async def run() -> tuple[list[str], Ending]:
        said: list[str] = []
        typed: asyncio.Queue[str | None] = asyncio.Queue()
        for line in (*lines, None):
            typed.put_nowait(line)
        async with asyncio.timeout(PATIENCE):
            ending = await Talk(home, said.append, unattended=unattended, scripted=True).run(driver, typed)
        return said, ending

    return asyncio.run(run())


def begun(**table: int) -> FakeDriver:
    """A table whose cards are dealt."""
    driver = FakeDriver(FakeTable(**table))  # type: ignore[arg-type]
    driver.updates.get_nowait()
    for news in driver.table.begin():
        driver.updates.put_nowait(news)
    return driver


def test_a_whole_hand_by_numbers() -> None:
    """FF12: a hand from the pass to the score, each event one new plain line, no drawing, no signs for suits."""
    driver = begun(seats=8, hands=1)
    said, ending = talk("1 2 3", *["1"] * 13, driver=driver)
    assert ending.scene is not None
    assert ending.scene.stage is Stage.OVER
    assert len([command for command in driver.commands if isinstance(command, inputs.Play)]) == 13
    assert sum(line.startswith("Trick ") for line in said) == 13
    assert sum("takes it" in line for line in said) == 13
    assert any(line.startswith("Hand 1 is over: ") for line in said)
    assert said[-2:] == [
        "Every peer has signed the same final result.",
        "Press Enter to leave the table, r for another game with the same people, s for the scores.",
    ]
    for line in said:
        assert "\n" not in line
        assert not [letter for letter in line if unicodedata.category(letter) in {"So", "Sm", "Cc"}], line


def test_a_line_that_comes_with_the_news_hides_no_question() -> None:
    """What is said of a pipe does not hang on when its lines arrive: here each lies right behind the news before it."""
    lines = ["1 2 3", *["1"] * 13]

    async def run() -> list[str]:
        said: list[str] = []
        talk = Talk(None, said.append, scripted=True)
        typed: asyncio.Queue[str | None] = asyncio.Queue()
        driver = begun(seats=8, hands=1)
        whole = iter([*lines, None])
        hear = talk.seating._hear

        async def behind(news: Update) -> None:
            await hear(news)
            if not driver.updates.qsize():
                await talk._inputs.put(next(whole, None))

        talk.seating._hear = behind
        async with asyncio.timeout(PATIENCE):
            await talk.run(driver, typed)
        return said

    at_once, _ending = talk(*lines, driver=begun(seats=8, hands=1))
    assert asyncio.run(run()) == at_once
    assert sum(line.startswith("Your turn") for line in at_once) == 13


def test_the_question_of_a_turn_names_rule_and_cards() -> None:
    """The question says whose turn it is, what the rules ask, and numbers what may be played."""
    said, _ = talk("1 2 3", driver=begun())
    assert said[-1] == "Your turn. You must follow diamonds. 1: queen of diamonds. Choose a number, ? for help."


def test_the_question_of_the_pass_names_the_receiver() -> None:
    """R7, R8: how many, to whom, and each card with its number."""
    said, _ = talk(driver=begun())
    assert said[-1].startswith("Pass 3 cards to the left, to Cem. 1: 3 of spades. 2: 8 of spades. 3: 10 of hearts.")
    assert said[-1].endswith("Choose 3 numbers, ? for help.")


def test_answers_that_are_not_understood_change_nothing() -> None:
    """A wrong line gets a reply and nothing else; the table hears nothing of it."""
    driver = begun()
    said, _ = talk("1 2", "1 1 2", "99 1 2", "foo", "?", "", driver=driver)
    assert said[-6:-1] == [
        "Choose exactly 3 cards to pass.",
        "Use different numbers from 1 to 9.",
        "Use different numbers from 1 to 9.",
        "foo is not understood: type a number, ? for help.",
        HELP_TABLE,
    ]
    assert said[-1].startswith("Pass 3 cards")
    assert driver.commands == [inputs.Leave()]


def test_one_can_ask_for_hand_trick_and_scores() -> None:
    """What the screen always shows, line mode says when asked."""
    said, _ = talk("1 2 3", "m", "t", "s", "c hello", driver=begun())
    assert said[-5] == "Your turn. You must follow diamonds. 1: queen of diamonds. Choose a number, ? for help."
    assert said[-4].startswith("Your 9 cards: ")
    assert said[-3] == (
        "Trick 1 of 9. Jon 8 of diamonds, Liv 4 of diamonds, Ann king of spades. Jon's 8 of diamonds wins so far. "
        "Hearts are not broken."
    )
    assert said[-2].startswith("Scores: Ann 0, you 0, Cem 0")
    assert said[-1] == "Bea: hello"


def test_two_turns_with_the_very_same_question_are_both_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that was answered is asked again when the next turn reads exactly like it."""
    driver = begun(seats=8)
    *_, turn = driver.table.command(inputs.Pass(ME, driver.table.held[ME][:3]))
    assert turn.scene.hand is not None
    later = replace(turn.scene, hand=replace(turn.scene.hand, trick=turn.scene.hand.trick + 1))
    driver = FakeDriver(driver.table)
    driver.updates.put_nowait(turn)
    monkeypatch.setattr(driver.table, "command", lambda _: [replace(turn, events=(), scene=later)])
    said, _ = talk("1", driver=driver)
    assert sum(line.startswith("Your turn") for line in said) == 2


def test_the_scores_after_a_hand_name_it_once() -> None:
    """The points of a hand that is already in the totals are not read out beside them again."""
    said, _ = talk("1 2 3", *["1"] * 13, "s", driver=begun(seats=8, hands=1))
    assert next(line for line in reversed(said) if line.startswith("Scores: ")).count("in this hand") == 0


def test_quitting_a_game_is_asked_once() -> None:
    """q asks, anything but y stays."""
    driver = begun()
    said, _ = talk("q", "n", "q", "y", driver=driver)
    assert said.count("Leave the table? The game is not over. y leaves for good, z for now, anything else stays.") == 2
    assert "You stay." in said
    assert driver.closed


def test_from_the_list_to_a_table_and_back() -> None:
    """The lobby is read out; a number joins, an address joins, what cannot be joined says why."""
    home = FakeHome()
    said, _ = talk("2", "nowhere", "1", "q", "q", home=home)
    assert said[0].startswith("1: Friday, host Ann, 4 of 8 seats, rules as written. 2: Kitchen table")
    assert "Kitchen table cannot be joined: it is being played already." in said
    assert "Nobody answers at nowhere." in said
    assert any(
        line.startswith(
            "Table Friday, 11 of 11 seats filled. People: Ann (you played with Ann on 3 May), Bea (you), Cem"
        )
        for line in said
    )
    assert home.drivers[0].closed
    assert len(home.asked) == 1


def test_the_host_starts_by_letters() -> None:
    """The waiting room: let in, add and take a bot, start."""
    home = FakeHome(seats=8)
    talk("h 8", "y", "+", "-", "s", home=home)
    commands = home.drivers[0].commands
    assert commands[:4] == [inputs.Admit(b"x" * 32), inputs.AddBot("cautious"), inputs.RemoveBot(), inputs.Start()]


def test_the_end_of_the_input_leaves_politely() -> None:
    """A pipe that ends leaves the table, which is told."""
    driver = FakeDriver(FakeTable())
    talk(driver=driver)
    assert driver.commands == [inputs.Leave()]
    assert driver.closed


def test_unattended_ignores_the_end_of_the_input() -> None:
    """A program whose seat is played by a bot needs no input and ends when all is signed."""
    driver = begun(hands=1)
    table = driver.table
    updates = list(table.command(inputs.Pass(1, table.held[1][:3])))
    while table.stage is Stage.PLAYING:
        updates += table.command(inputs.Play(1, playable(table.scene())[0]))
    for news in updates:
        driver.updates.put_nowait(news)
    said, ending = talk(driver=driver, unattended=True)
    assert ending.scene is not None
    assert ending.scene.stage is Stage.OVER
    assert said[-1] == "Every peer has signed the same final result."
    assert not any("Choose" in line for line in said)


def test_where_line_mode_is_the_only_way() -> None:
    """t#390: without a terminal, or with a dumb one, the full screen cannot work."""
    assert needs_lines({"TERM": "dumb"}, terminal=True)
    assert needs_lines({"TERM": "xterm"}, terminal=False)
    assert not needs_lines({"TERM": "xterm"}, terminal=True)


def test_the_pages_of_the_full_screen_are_said_too() -> None:
    """The last trick, the cards passed, the proofs and the people are read out in one plain line each."""
    said, _ = talk("1 2 3", "p", "l", "y", "w", driver=begun())
    passed, last, trust, people = said[-4:]
    assert passed == (
        "You passed 3 of spades, 8 of spades and 10 of hearts to Cem. "
        "Ann passed you queen of spades, queen of spades and ace of hearts."
    )
    assert last == "No trick has been played in this hand yet."
    assert trust.startswith("The words of this table: amber, kettle, fjord. 9 of 9 shuffles are proved: ")
    assert "Ann: ann-mark, runs the bots Gus and Jon, and sees their cards." in people


def test_the_last_trick_is_read_card_by_card() -> None:
    """Every card of the last trick with its player, and how it ended."""
    said, _ = talk("1 2 3", "1", "l", driver=begun())
    assert said[-1].startswith(
        "Trick 1: Jon 8 of diamonds, Liv 4 of diamonds, Ann king of spades, you queen of diamonds, "
    )


def test_a_phrase_is_said_by_its_number() -> None:
    """c alone reads the ready phrases, c and a number says one, c and a text says that."""
    driver = begun()
    said, _ = talk("c", "c 2", "c 99 bottles", driver=driver)
    assert "1: Well played! 2: Thank you! 3: Sorry!" in said[-3]
    assert driver.commands[:2] == [inputs.Say("Thank you!"), inputs.Say("99 bottles")]


def test_a_muted_voice_is_not_read() -> None:
    """What somebody muted says is not read out; the same word lets them be heard again."""
    driver = begun()
    said, _ = talk("mute ann", "mute nobody", "mute Ann", driver=driver)
    assert said[-3:] == [
        "Ann is muted: only you notice.",
        "Nobody of that name is here; w reads who is.",
        "Ann is heard again.",
    ]
    heard: list[str] = []
    talker = Talk(None, heard.append)
    talker.screen = replace(talker.screen, muted=frozenset({driver.table.key(0)}))
    talker._tell(Said(driver.table.key(0), "hello"), driver.table.scene(), None)
    talker._tell(Said(driver.table.key(2), "hello"), driver.table.scene(), None)
    assert heard == ["Cem: hello"]


def test_bots_that_sit_down_in_a_row_are_counted_once() -> None:
    """Five bots are one sentence, not five."""
    events = tuple(LobbyChanged(f"{count} seats are given to bots.") for count in (2, 3, 4))
    assert condensed((*events, LobbyChanged("Ann sits down."))) == (events[-1], LobbyChanged("Ann sits down."))


def test_a_hint_is_read_aloud() -> None:
    """h reads the card a good bot would play, and why, in words for the ear."""
    said, _ = talk("1 2 3", "h", driver=begun())
    assert said[-1] == "Queen of diamonds: the queen of diamonds is the only card you may play."


def test_games_are_continued_and_tables_watched_by_words() -> None:
    """g reads the games to go on with, g and a number goes on with one, w and a number looks on at a table."""
    home = FakeHome()
    home.games = GAMES
    said, _ = talk("g", "g 7", "w 9", "w 2", "g 1", "q", "z", "q", home=home)
    assert any(line.startswith("1: Friday, hand 3, 2026-05-03 21:40, with Ann and Cem. 2: Solo") for line in said)
    assert "There is no game 7." in said
    assert "There is no table 9." in said
    assert "Kitchen table cannot be watched." in said
    assert home.asked == [GAMES[0]]
    assert home.drivers[0].commands == []  # z leaves for now: the others are told nothing


def test_a_setting_holds_up_no_game() -> None:
    """`set` is nothing that the table answers: the lines of a file after it are read on, in the language just chosen."""
    driver = begun(seats=8, hands=1)
    said, ending = talk("1 2 3", "set language fi", *["1"] * 13, driver=driver)
    assert ending.scene is not None
    assert ending.scene.stage is Stage.OVER
    assert "language on nyt fi." in said
    assert any(line.startswith("Jako 1 on ohi: ") for line in said)


def test_the_rules_are_read_where_one_sits() -> None:
    """`rules` reads the game in short, a line for each part, in the lobby as at the table."""
    for screen in (Screen(), every_screen(seats=6)["received"]):
        said = answer(screen, "rules").reply.split("\n")
        assert said[0].startswith("The aim. Win no hearts and no queens of spades")
        assert len(said) == 6
