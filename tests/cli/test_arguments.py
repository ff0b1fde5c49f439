"""The command line: what each command reads, and one sentence for whatever cannot be."""

from pathlib import Path

import pytest

from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.commands import (
    Common,
    Continue,
    Demo,
    Doctor,
    Host,
    Join,
    Lobby,
    Replay,
    Rules,
    Simulate,
    Solo,
    Tables,
    Verify,
    Watch,
    Ways,
)

NOBODY = Common(
    name=None, port=None, bind=None, state=None, plain=False, autoplay=None, result=None, export=None, log=None
)
AS_WRITTEN = Rules("as_written", (), None)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Lobby(NOBODY)),
        ("solo", Solo(NOBODY, 6, "cautious", AS_WRITTEN)),
        ("solo --seats 11 --level uniform", Solo(NOBODY, 11, "uniform", AS_WRITTEN)),
        ("host", Host(NOBODY, None, 6, 0, "cautious", AS_WRITTEN, "approve", start=False, ways=Ways())),
        (
            "host --name Attic --seats 8 --bots 7 --preset classic --option limit=50 --hands 2 --admit open --start",
            Host(
                NOBODY,
                "Attic",
                8,
                7,
                "cautious",
                Rules("classic", (("limit", 50),), 2),
                "open",
                start=True,
                ways=Ways(),
            ),
        ),
        (
            "host --grace 10 --clock 30 --watch --option escrow=none",
            Host(NOBODY, None, 6, 0, "cautious", AS_WRITTEN, "approve", start=False, ways=Ways(10, 30, True, False)),  # noqa: FBT003
        ),
        ("watch Attic", Watch(NOBODY, "Attic")),
        ("continue", Continue(NOBODY)),
        ("join", Join(NOBODY, None)),
        ("join 192.168.1.5:47104", Join(NOBODY, "192.168.1.5:47104")),
        ("join bahi patu rumu tunu", Join(NOBODY, "bahi patu rumu tunu")),
        ("join Kitchen table", Join(NOBODY, "Kitchen table")),
        (
            "host --admit private",
            Host(NOBODY, None, 6, 0, "cautious", Rules("as_written", (), None), "private", start=False, ways=Ways()),
        ),
        ("tables --wait 0.5 --json", Tables(0.5, json=True, bind=None)),
        ("tables --bind lo", Tables(3.0, json=False, bind="lo")),
        ("verify game.p2ph", Verify(Path("game.p2ph"))),
        ("doctor", Doctor(47104, None, None, None, json=False)),
        (
            "--port 50000 doctor --bind lo --state s --bundle b.json --json",
            Doctor(50000, "lo", Path("s"), Path("b.json").absolute(), json=True),
        ),
        ("replay game.p2ph", Replay(Path("game.p2ph"), plain=False)),
        ("replay game.p2ph --plain", Replay(Path("game.p2ph"), plain=True)),
        ("--plain replay game.p2ph", Replay(Path("game.p2ph"), plain=True)),
        ("demo --export g.p2ph", Demo(6, 6, None, "cautious", json=False, export=Path("g.p2ph").absolute())),
        ("demo", Demo(6, 6, None, "cautious", json=False)),
        ("demo --peers 11 --hands 1 --json", Demo(11, 11, 1, "cautious", json=True)),
        ("demo --peers 2", Demo(2, 6, None, "cautious", json=False)),
        (
            "simulate --peers 3 --seats 7 --hands 2 --seed 5 --loss 0.1 --tiny",
            Simulate(
                peers=3,
                seats=7,
                seed=5,
                level="cautious",
                rules=Rules("as_written", (), 2),
                loss=0.1,
                delay=5.0,
                duplicate=0.0,
                reorder=0.0,
                tiny=True,
                trace=False,
                json=False,
            ),
        ),
    ],
)
def test_commands(line: str, command: object) -> None:
    """Every command is read into a complete value."""
    assert read(line.split(), terminal=True) == command


def test_without_a_command() -> None:
    """Nobody watches: a demo. Line by line was asked for: the lobby."""
    assert read([], terminal=False) == Demo(6, 6, None, "cautious", json=False)
    assert isinstance(read(["--plain"], terminal=False), Lobby)


@pytest.mark.parametrize("line", ["--as Ann --plain host", "host --as Ann --plain", "--as Ann host --plain"])
def test_common_options_anywhere(line: str) -> None:
    """What is common to all tables may stand before the command or after it."""
    command = read(line.split(), terminal=True)
    assert isinstance(command, Host)
    assert (command.common.name, command.common.plain) == ("Ann", True)


def test_autoplay_starts() -> None:
    """A bot that answers for the host also starts the table."""
    command = read(["host", "--autoplay", "uniform"], terminal=True)
    assert isinstance(command, Host)
    assert command.start


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("frobnicate", "invalid choice: 'frobnicate'"),
        ("host --seats 12", "must be a whole number from 6 to 11, not '12'"),
        ("host --seats five", "must be a whole number from 6 to 11, not 'five'"),
        ("host --bots 6", "6 bots leave no seat for you at a table of 6"),
        ("host --option limt=3", "limt: no such rule option"),
        ("host --option limit=0", "limit: 0 is not possible: choose a number from 1 to 1000"),
        ("host --seats 7 --option pass_cycle=L,A", "nobody sits across at a table of 7"),
        ("host --level grand", "there is no bot 'grand': choose uniform, cautious, clever or expert"),
        ("host --port 65535", "must be a whole number from 1 to 65534, not '65535'"),
        ("host --as " + "x" * 17, "a name has 1 to 16 printable characters"),
        ("host --as a\u202eb", "a name has 1 to 16 printable characters"),
        ("host --admit nobody", "invalid choice: 'nobody'"),
        ("solo --result /nowhere/r.json", "'/nowhere/r.json' cannot be written"),
        ("join --table one", "unrecognized arguments: --table"),
        ("--port 5 rules", "--port has no meaning for `rules`"),
        ("--as Ann demo", "--as has no meaning for `demo`"),
        ("rules --port 5", "unrecognized arguments: --port 5"),
        ("tables --wait inf", "must be a number from 0 to 60, not 'inf'"),
        ("simulate --loss nan", "must be a number from 0 to 0.9, not 'nan'"),
        ("simulate --peers 8 --seats 6", "8 peers need 8 seats, not 6"),
        ("demo --peers 12", "must be a whole number from 2 to 11, not '12'"),
        ("adjudicate", "the following arguments are required: FILE"),
        ("arena", "the following arguments are required: --levels"),
        ("arena --levels clever", "must be two or more different levels, as in cautious,clever, not 'clever'"),
        ("arena --levels clever,clever", "must be two or more different levels, as in cautious,clever"),
        ("arena --levels clever,grand", "there is no bot 'grand': choose uniform, "),
        ("arena --levels clever,", "there is no bot '': choose uniform, "),
        ("arena --levels uniform,clever --seats 5", "must be a whole number from 6 to 11, not '5'"),
        ("arena --levels uniform,clever --hands 0", "must be a whole number from 1 to 1000000, not '0'"),
        ("arena --levels uniform,clever --effort -1", "must be a whole number from 0 to 1000000, not '-1'"),
        ("arena --levels uniform,clever --seed x", "must be a whole number from 0 to 9223372036854775808, not 'x'"),
        ("arena --levels uniform,clever --option limt=3", "limt: no such rule option"),
        ("arena --levels uniform,clever --seats 7 --option pass_cycle=A", "nobody sits across at a table of 7"),
        ("--port 5 arena --levels uniform,clever", "--port has no meaning for `arena`"),
    ],
)
def test_one_sentence(line: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be is said in one line on stderr, with exit code 2."""
    with pytest.raises(SystemExit) as left:
        read(line.split(), terminal=True)
    said = capsys.readouterr()
    assert left.value.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not said.out


def test_a_result_is_written_where_it_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is taken from where the program was started, whatever it does later."""
    monkeypatch.chdir(tmp_path)
    command = read(["solo", "--result", "r.json"], terminal=True)
    assert isinstance(command, Solo)
    assert command.common.result == tmp_path / "r.json"
