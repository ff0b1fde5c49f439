"""The settings: read with care, changed a line at a time, the same in the file, on the page and in line mode."""

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

from p2p_hearts.console.facts import Order
from p2p_hearts.console.fragments import text_of
from p2p_hearts.console.glyphs import Glyphs, translate, wanted_glyphs
from p2p_hearts.console.plain_ask import answer
from p2p_hearts.console.preferences import NAMES, SETTINGS, Preferences
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import press, update
from p2p_hearts.console.settings import Personal, SettingsError, changed, read_settings, template, write_settings
from p2p_hearts.console.settings_page import applied, first_screen, gathered
from p2p_hearts.console.state import Keep, Overlay, Pace, Screen
from p2p_hearts.console.style import depth_for, style_for
from tests.console.stages import every_screen, typed

SCREENS = every_screen(seats=6)
SPEED = 8  # the row of the page on which the speed stands


def write(folder: Path, text: str) -> Path:
    """A file of settings."""
    file = folder / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_setting_is_on_the_page_and_in_the_file() -> None:
    """What can be set is one list, whatever it is read from."""
    assert [setting.name for setting in SETTINGS] == [field.name for field in fields(Preferences)]
    assert list(tomllib.loads(template(Preferences()))) == list(NAMES)


def test_the_first_file_says_what_each_setting_can_be(tmp_path: Path) -> None:
    """The template is read back as the usual settings, and has a comment above every line."""
    text = template(Preferences())
    assert read_settings(write(tmp_path, text)) == (Preferences(), ())
    lines = text.splitlines()
    assert all(lines[at - 1].startswith("# ") for at, line in enumerate(lines) if " = " in line and line[0] != "#")
    assert '# "none", "fast", "slow"\nspeed = "fast"' in text


def test_no_file_is_no_fault(tmp_path: Path) -> None:
    """Nobody needs the file."""
    assert read_settings(tmp_path / "settings.toml") == (Preferences(), ())


def test_values_are_read(tmp_path: Path) -> None:
    """Each setting has the type of its default; whole seconds are seconds, too."""
    file = write(tmp_path, 'language = "lv"\nbell = true\nthink = 2\nspeed = "none"\n')
    assert read_settings(file) == (Preferences(language="lv", bell=True, think=2.0, speed="none"), ())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('speed = "quick"', 'line 2: speed cannot be "quick"; it can be: "none", "fast", "slow". "fast" is used meanwhile.'),
        ("bell = 1", "line 2: bell cannot be 1; it can be: false, true. false is used meanwhile."),
        ("think = 60", "line 2: think cannot be 60; it can be: a number of seconds from 0 to 10. 0 is used meanwhile."),
        ("think = true", "line 2: think cannot be true; it can be: a number of seconds from 0 to 10. 0 is used meanwhile."),
        ("language = []", 'line 2: language cannot be []; it can be: "", "en", "id", "da", "tr", "lv", "fi". "" is used meanwhile.'),
        ('colour = "none"', "line 2: there is no setting colour; did you mean colours?"),
        ("zebra = 1", "line 2: there is no setting zebra; it does nothing."),
        ("[table]", "line 2: there is no setting table; it does nothing."),
        ("a = = b", "line 2, is not written as NAME = VALUE: correct or delete it; the usual settings are used meanwhile."),
    ],
)  # fmt: skip
def test_a_fault_is_one_sentence_with_its_line(line: str, said: str, tmp_path: Path) -> None:
    """What is wrong costs that setting alone its effect, and the person is told the line and the cure."""
    file = write(tmp_path, f"# mine\n{line}\n")
    preferences, problems = read_settings(file)
    assert preferences == Preferences()
    assert problems == (f"{file}, {said}",)


def test_a_fault_leaves_the_other_settings_alone(tmp_path: Path) -> None:
    """A bad line is one bad line."""
    preferences, problems = read_settings(write(tmp_path, 'speed = "quick"\nbell = true\n'))
    assert preferences.bell
    assert len(problems) == 1


@pytest.mark.parametrize("content", [b"\xff\xfe", b"speed = '\xe4'\n"])
def test_a_file_that_is_no_text_is_told(content: bytes, tmp_path: Path) -> None:
    """Other bytes than UTF-8 are a sentence, no traceback."""
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    assert read_settings(file) == (
        Preferences(),
        (f"The settings in {file} are no text in UTF-8: write the file anew.",),
    )


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    """What cannot be opened is a sentence, too."""
    (tmp_path / "settings.toml").mkdir()
    preferences, (problem,) = read_settings(tmp_path / "settings.toml")
    assert preferences == Preferences()
    assert "cannot be read" in problem


def test_a_change_keeps_comments_order_and_strange_lines(tmp_path: Path) -> None:
    """The file is the person's: one line changes, a missing one is added before the first table, all else stays."""
    file = write(tmp_path, '# mine\nspeed="slow"   # I like it\nfoo = 1\n\n[other]\nspeed = "x"\n')
    write_settings(file, Preferences(speed="slow"), Preferences(speed="none", bell=True))
    assert file.read_text(encoding="utf-8") == (
        '# mine\nspeed="none"   # I like it\nfoo = 1\n\n\n# Ring when it is your turn.\nbell = true\n\n[other]\nspeed = "x"\n'
    )


def test_a_file_with_windows_lines_and_a_mark_is_read(tmp_path: Path) -> None:
    """Editors of Windows put a mark at the beginning and a carriage return at every end."""
    file = tmp_path / "settings.toml"
    file.write_bytes(b'\xef\xbb\xbfspeed = "slow"\r\nbell = true\r\n')
    assert read_settings(file) == (Preferences(speed="slow", bell=True), ())


def test_a_broken_file_is_never_written_to(tmp_path: Path) -> None:
    """Nothing is lost: what cannot be understood stays as it is, and the change holds for this run."""
    file = write(tmp_path, "a = = b\n")
    with pytest.raises(SettingsError, match="holds only until you leave: correct"):
        write_settings(file, Preferences(), Preferences(bell=True))
    assert file.read_text(encoding="utf-8") == "a = = b\n"
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_a_line_that_cannot_be_found_is_not_guessed_at() -> None:
    """A value over several lines is TOML as well, but none that is changed line by line."""
    with pytest.raises(ValueError, match="line 1"):
        changed('speed = """\nslow"""\n', "speed", "none")


def test_a_change_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A full or forbidden disk costs the change its memory, not its effect."""
    (tmp_path / "blocked").write_text("", encoding="utf-8")
    personal = Personal(file=tmp_path / "blocked" / "settings.toml")
    assert "holds only until you leave" in personal.keep(Preferences(), Preferences(bell=True))


def test_a_key_changes_a_setting_at_once_and_has_it_written() -> None:
    """On the page left and right turn the value; the action says what to write down."""
    screen = typed(SCREENS["empty lobby"], ",", *["down"] * SPEED)
    assert screen.overlay is Overlay.SETTINGS
    after, action = press(screen, "right")
    assert after.pace is Pace.SLOW
    assert action == Keep(Preferences(), Preferences(speed="slow"))
    back, action = press(after, "left")
    assert back.pace is Pace.FAST
    assert action == Keep(Preferences(speed="slow"), Preferences())
    assert press(back, "escape")[0].overlay is None


def test_the_language_changes_under_ones_eyes() -> None:
    """The page itself is drawn in the language just chosen."""
    screen = typed(SCREENS["empty lobby"], ",")
    danish, _action = press(press(press(screen, "right")[0], "right")[0], "right")
    assert danish.preferences.language == "da"
    assert "Indstillinger" in text_of(render(danish, 80, 24))


def test_what_a_key_of_the_table_changed_is_what_the_page_shows() -> None:
    """The page tells what holds now; only what is changed on it is written down."""
    screen = typed(SCREENS["received"], "b", "o")
    assert (gathered(screen).bell, gathered(screen).sort) == (True, "rank")
    page = typed(screen, ",", *["down"] * SPEED)
    _after, action = press(page, "right")
    assert isinstance(action, Keep)
    assert action.before.bell
    assert action.after == replace(action.before, speed="slow")


def test_settings_outlive_the_table() -> None:
    """A hand sorted anew keeps its cursor, and the next scene keeps the settings."""
    screen = applied(SCREENS["lifted"], Preferences(sort="rank", forced=True))
    assert (screen.order, screen.forced) == (Order.RANK, True)
    assert screen.scene is not None
    assert update(screen, (), screen.scene).preferences == screen.preferences


def test_a_problem_with_the_file_is_seen_first() -> None:
    """Somebody whose file is wrong reads it in the lobby, not in a log."""
    screen = first_screen(Personal(problems=("settings.toml, line 2: no.",)))
    assert "settings.toml, line 2: no." in text_of(render(screen, 80, 24))


@pytest.mark.parametrize("height", [12, 16, 24, 40])
def test_the_chosen_line_is_always_seen(height: int) -> None:
    """In a small window the page moves along with its cursor."""
    for row, setting in enumerate(SETTINGS):
        screen = replace(Screen(), overlay=Overlay.SETTINGS, setting=row)
        assert f"▸ {setting.label}" in text_of(render(screen, 80, height))


def test_line_mode_reads_and_changes_them() -> None:
    """`set` reads every setting with its choices, `set NAME VALUE` changes one and says so."""
    read = answer(Screen(), "set")
    assert "speed fast (none, fast, slow)." in read.reply
    done = answer(Screen(), "set speed slow")
    assert (done.screen.pace, done.reply) == (Pace.SLOW, "speed is slow now.")
    assert done.action == Keep(Preferences(), Preferences(speed="slow"))
    assert answer(Screen(), "set bell true").screen.bell
    assert answer(Screen(), "set think 1.5").screen.preferences.think == 1.5
    assert answer(Screen(), "set language lv").reply == "language tagad ir lv."
    assert answer(Screen(), "set speed quick").reply == "speed can be: none, fast, slow."
    assert answer(Screen(), "set colour red").reply == "There is no setting colour: set alone reads them all."


def test_letters_and_plain_signs_keep_their_columns() -> None:
    """Every sign is replaced by one of equal width, and letters of our languages stay as they are."""
    line = "─ 10♠ ◂ 7♣ × ☾ “ä ş ķ ø”"
    assert translate(line, Glyphs.LETTERS) == "─ 10S ◂ 7C × ☾ “ä ş ķ ø”"
    assert translate(line, Glyphs.PLAIN) == '- 10S < 7C x * "ä ş ķ ø"'
    assert translate("Keräsit ķiršus, ışık, rød", Glyphs.ASCII) == "Kerasit kirsus, isik, rod"


@pytest.mark.parametrize(
    ("preferences", "possible", "glyphs"),
    [
        (Preferences(), Glyphs.UNICODE, Glyphs.UNICODE),
        (Preferences(letters=True), Glyphs.UNICODE, Glyphs.LETTERS),
        (Preferences(ambiguous_width="wide", letters=True), Glyphs.UNICODE, Glyphs.PLAIN),
        (Preferences(letters=True), Glyphs.ASCII, Glyphs.ASCII),
    ],
)
def test_a_terminal_is_asked_for_no_more_than_it_can(
    preferences: Preferences, possible: Glyphs, glyphs: Glyphs
) -> None:
    """What a person wants is taken from what the terminal has."""
    assert wanted_glyphs(possible, preferences) is glyphs


def test_colours_are_the_persons() -> None:
    """Sixteen colours or none are asked for; without a wish the terminal and NO_COLOR decide."""
    assert depth_for("16") is ColorDepth.DEPTH_4_BIT
    assert depth_for("none") is ColorDepth.DEPTH_1_BIT
    assert depth_for("auto") is None


def test_a_two_coloured_deck_is_red_and_black() -> None:
    """Diamonds are red like hearts, clubs as dark as spades; with four colours all differ."""
    two, four = (style_for(suits, "auto") for suits in ("two", "four"))
    colours = {suit: two.get_attrs_for_style_str(f"class:suit.{suit}").color for suit in "shdc"}
    assert colours["d"] == colours["h"] == "ansired"
    assert colours["c"] == colours["s"] == ""
    assert len({four.get_attrs_for_style_str(f"class:suit.{suit}").color for suit in "shdc"}) == 4


def test_a_light_background_has_no_yellow() -> None:
    """Yellow letters cannot be read on a light ground."""
    light = style_for("four", "light")
    for name in ("turn", "note", "edge.on", "chat"):
        assert light.get_attrs_for_style_str(f"class:{name}").color not in {"ansiyellow", "ansicyan"}


def test_the_program_below_hears_of_a_change() -> None:
    """How long bots think is nothing the console can do: whoever can is told, also when nothing can be written."""
    heard: list[float] = []
    personal = Personal(heed=lambda wanted: heard.append(wanted.think))
    assert personal.keep(Preferences(), Preferences(think=2.0)) == ""
    assert heard == [2.0]
