"""The language and the settings of whoever starts the program, on the command line."""

import gettext
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.main import main
from p2p_hearts.cli.personal import first_file, person
from p2p_hearts.console.language import use
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.settings import Personal


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """What a run of the program has spoken is not spoken by the next test."""
    yield
    use("en")
    gettext.textdomain("messages")
    os.environ.pop("LANGUAGE", None)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "show the rules of the game"),
        ("id", "tampilkan aturan permainan"),
        ("da", "vis spillets regler"),
        ("tr", "oyunun kurallarını göster"),
        ("lv", "parādi spēles noteikumus"),
        ("fi", "näytä pelin säännöt"),
    ],
)
@pytest.mark.parametrize("place", ["before", "after", "joined"])
def test_the_help_is_in_the_language_asked_for(
    language: str, words: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--lang` counts wherever it stands, also for the help itself."""
    arguments = {"before": ["--lang", language, "--help"], "after": ["--help", "--lang", language]}
    with pytest.raises(SystemExit):
        main(arguments.get(place, [f"--lang={language}", "--help"]))
    assert words in capsys.readouterr().out


def test_every_help_page_is_whole_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    """No translation breaks the help of a command."""
    for language in ("id", "da", "tr", "lv", "fi"):
        for command in ("solo", "host", "join", "tables", "demo", "simulate", "verify", "replay", "doctor", "rules"):
            with pytest.raises(SystemExit) as left:
                main([command, "--lang", language, "--help"])
            assert left.value.code == 0
            assert not re.search(r"\{[a-z]+\}", capsys.readouterr().out)


def test_mistakes_are_answered_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """Also what Python's own reader of arguments says."""
    with pytest.raises(SystemExit) as left:
        main(["--lang", "fi", "host", "--seats", "3"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said == "p2p-hearts host: virhe: argumentti --seats: täytyy olla kokonaisluku väliltä 6–11, ei '3'\n"


def test_a_language_we_do_not_speak_is_said_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence lists those we do."""
    with pytest.raises(SystemExit) as left:
        main(["rules", "--lang", "sv"])
    assert left.value.code == 2
    assert "invalid choice: 'sv'" in capsys.readouterr().err


def test_a_refusal_from_below_is_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence of a layer that knows no language is translated where it is shown."""
    assert main(["tables", "--wait", "0", "--bind", "nowhere", "--lang", "da"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("p2p-hearts: Der er ingen netværksadapter 'nowhere' her; der er: ")


def test_the_rules_are_printed_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """`rules` is the same text in each language."""
    assert main(["rules", "--lang", "tr"]) == 0
    assert "maça kızı" in capsys.readouterr().out


def test_settings_and_locale_decide_without_lang(tmp_path: Path) -> None:
    """The file in the state folder comes before the locale, the command line before both."""
    (tmp_path / "settings.toml").write_text('language = "lv"\n', encoding="utf-8")
    state = ["--state", str(tmp_path)]
    latvian = person(state, {"LANG": "da_DK.UTF-8"})
    assert (latvian.preferences.language, latvian.system) == ("lv", "da")
    danish = person(["--state", str(tmp_path / "other")], {"LANG": "da_DK.UTF-8"})
    assert (danish.preferences.language, danish.system) == ("", "da")
    finnish = person([*state, "--lang=fi"], {"LANG": "da_DK.UTF-8"})
    assert (finnish.preferences.language, finnish.system) == ("", "fi")


def test_the_last_of_two_counts() -> None:
    """As the reader of arguments has it."""
    assert person(["--lang", "da", "host", "--lang", "tr"], {}).system == "tr"


def test_the_file_is_put_where_it_is_looked_for(tmp_path: Path) -> None:
    """The first start leaves a documented file; one that is there is never touched."""
    file = tmp_path / "settings.toml"
    first_file(Personal(Preferences(), file=file))
    assert "speed = " in file.read_text(encoding="utf-8")
    file.write_text("# mine\n", encoding="utf-8")
    first_file(Personal(Preferences(), file=file))
    assert file.read_text(encoding="utf-8") == "# mine\n"
    first_file(Personal(Preferences(), file=tmp_path / "no folder" / "settings.toml"))  # nothing to be done


@pytest.mark.parametrize("command", ["rules", "verify", "demo", "simulate", "arena", "doctor", "stats"])
def test_every_command_takes_the_language(command: str, tmp_path: Path) -> None:
    """`--lang` after any command is read, not refused."""
    more = {"verify": [str(tmp_path)], "arena": ["--levels", "uniform,cautious"]}
    read([command, *more.get(command, []), "--lang", "fi"], terminal=False)


def test_the_locale_of_a_program_is_its_language() -> None:
    """As a process of its own, with nothing but LANG and LC_MESSAGES."""
    environment = {**os.environ, "LC_ALL": "", "LC_MESSAGES": "id_ID.UTF-8", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "p2p_hearts", "rules"], capture_output=True, env=environment, check=True
    )
    assert "ratu sekop" in done.stdout.decode()


def test_a_terminal_without_our_letters_gets_what_it_can_show() -> None:
    """Latvian on an ASCII terminal is poor, and no traceback."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "p2p_hearts", "rules", "--lang", "lv"], capture_output=True, env=environment, check=True
    )
    assert b"26" in done.stdout
    assert not done.stderr
