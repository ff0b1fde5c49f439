"""Whole tables of real programs that are killed, stopped, cut off and moved in the middle of hands: the others play on, and
who comes back finds the seat waiting. Each game ends with one result, signed by everybody who is there at its end."""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2p_hearts.cli.sheet import content_of, valid_signatures
from tests.e2e.netns import Host, Program, network, running, split
from tests.e2e.players import NAMES, ended, player, results, table_of_bots, until

if sys.platform == "win32":
    pytest.skip("no namespaces and no such signals", allow_module_level=True)

GRACE = ("--grace", "5")
AWAY_S = 8.0  # from when a program is killed until the others say that it is not heard of
ON_S = 3.0  # from the end of the grace to the next card
ALLOWED_S = 6.0  # for a machine that others use, too
MUTE = """
import sys
silent = set()
from p2p_hearts.cli.main import main
from p2p_hearts.protocol.messages import PlayCard
from p2p_hearts.protocol.session import Session
write = Session._write
def mute(self, body, secret=None):
    if isinstance(body, PlayCard) and body.hand == 2:
        silent.add(True)
    if not silent:
        write(self, body, secret)
Session._write = mute
sys.exit(main(sys.argv[1:]))
"""

pytestmark = pytest.mark.netns


def one_result(folder: Path, names: Sequence[str]) -> dict[str, Any]:
    """The result that all of these have written: alike, with valid signatures, by everyone of them."""
    written = results(folder, names)
    assert len({str(content_of(each)) for each in written}) == 1, written
    for each in written:
        assert valid_signatures(each)
    keys = {key for seat, key in written[0]["operators"].items() if written[0]["names"][seat] in names}
    assert keys <= set(written[0]["signatures"])
    return written[0]


def says(program: Program, pattern: str, patience: float = 60.0) -> re.Match[str]:
    """The first match of a pattern in what a program prints, once it is there."""
    assert until(lambda: re.search(pattern, program.said()) is not None, patience), program.said()[-3000:]
    found = re.search(pattern, program.said())
    assert found is not None
    return found


def kill(program: Program) -> None:
    """Ends a program and all that it has started, at once."""
    os.killpg(program.process.pid, signal.SIGKILL)
    program.process.wait()


def back(machine: Host, folder: Path, name: str) -> list[str]:
    """The command by which a player goes on with the game that was cut off."""
    return player(machine, folder, name, "continue", "--autoplay", "cautious")


def test_the_dealer_the_player_to_move_and_two_at_once_are_killed(tmp_path: Path) -> None:
    """kill -9 of the dealer while the deck of the first hand is made, of a player in the middle of a trick, and of two at
    once: each is shown as away within 8 s, after the grace the others go on, and all have one result."""
    with network(8) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "4", *GRACE)
        with running(commands, tmp_path, NAMES[:8]) as programs:
            by_name = dict(zip(NAMES, programs, strict=False))
            ann = by_name["Ann"]
            dealer = says(ann, r"Hand 1: .*Dealer: (\w+)").group(1)
            first = "Bob" if dealer == "you" else dealer  # what Ann prints is what we watch
            kill(by_name[first])
            killed_at = time.monotonic()
            says(ann, f"{first} has not been heard of", AWAY_S + ALLOWED_S)
            assert time.monotonic() - killed_at <= AWAY_S + ALLOWED_S
            says(ann, r"(?s)Hand 1.*Trick 2\.")
            second = next(name for name in NAMES[1:8] if name != first)
            kill(by_name[second])
            says(ann, r"Hand 2: ")
            two = [name for name in NAMES[1:8] if name not in (first, second)][:2]
            for name in two:
                kill(by_name[name])
            rest = [name for name in NAMES[:8] if name not in (first, second, *two)]
            assert ended([by_name[name] for name in rest]) == [0] * 4
    result = one_result(tmp_path, rest)
    assert result["hands"] == 4


def test_the_host_is_killed_and_comes_back(tmp_path: Path) -> None:
    """The host has no part of its own once the game has begun: killed in the middle of a hand it is waited for, and started
    again it goes on in the same hand with the same cards."""
    with network(4) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "3", "--grace", "30")
        with running(commands, tmp_path, NAMES[:4]) as programs:
            says(programs[1], r"Trick 3\.")
            kill(programs[0])
            says(programs[1], "Ann has not been heard of", AWAY_S + ALLOWED_S)
            with running([back(machines[0], tmp_path, "Ann")], tmp_path, ["Ann.again"]) as again:
                says(programs[1], "Ann is back", ON_S + ALLOWED_S)
                assert ended([*programs[1:], *again]) == [0] * 4
            assert "goes on without Ann" not in programs[1].said()
    assert one_result(tmp_path, NAMES[:4])["hands"] == 3


def test_who_comes_back_after_the_grace_plays_the_next_hand(tmp_path: Path) -> None:
    """Killed for longer than the grace, a player is left out of the hand, and has its own seat again in a later one."""
    with network(5) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "6", *GRACE)
        with running(commands, tmp_path, NAMES[:5]) as programs:
            says(programs[0], r"Trick 3\.")
            kill(programs[4])
            says(programs[0], "goes on without Eve", 30.0)
            with running([back(machines[4], tmp_path, "Eve")], tmp_path, ["Eve.again"]) as again:
                assert ended([*programs[:4], *again]) == [0] * 5
    assert one_result(tmp_path, NAMES[:5])["hands"] == 6


def test_a_program_that_stands_still_a_cable_and_an_address(tmp_path: Path) -> None:
    """SIGSTOP for longer than the grace, a cable pulled for as long, and an address that changes: all three are at the table
    again at the end."""
    with network(6) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "8", *GRACE)
        with running(commands, tmp_path, NAMES[:6]) as programs:
            says(programs[0], r"Trick 2\.")
            os.killpg(programs[1].process.pid, signal.SIGSTOP)
            says(programs[0], "goes on without Bob", 30.0)
            os.killpg(programs[1].process.pid, signal.SIGCONT)
            machines[2].unplug()
            says(programs[0], "goes on without Cleo", 40.0)
            machines[2].plug()
            machines[3].renumber("10.77.0.99/24")
            assert ended(programs) == [0] * 6
    assert one_result(tmp_path, NAMES[:6])["hands"] == 8


def test_a_network_that_falls_in_two(tmp_path: Path) -> None:
    """Seven and four that do not hear each other: the seven go on, the four wait, and after it has healed all eleven have
    one result."""
    with network(11) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "3", *GRACE)
        with running(commands, tmp_path, NAMES) as programs:
            says(programs[0], r"Trick 2\.")
            with split(machines[7:]):
                for name in NAMES[7:]:
                    says(programs[0], f"goes on without .*{name}", 60.0)
                assert "goes on without" not in programs[8].said()
            assert ended(programs) == [0] * 11
    assert one_result(tmp_path, NAMES)["hands"] == 3


def test_one_that_only_beats(tmp_path: Path) -> None:
    """A program whose heart beats but that says nothing more in the second hand is overdue, and left out like one gone."""
    with network(5) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "3", "--clock", "5", *GRACE)
        mute = player(machines[4], tmp_path, "Eve", "join", "Attic", "--autoplay", "cautious")
        at = mute.index("-m")
        commands[4] = [*mute[:at], "-c", MUTE, *mute[at + 2 :]]
        with running(commands, tmp_path, NAMES[:5]) as programs:
            says(programs[0], "goes on without Eve", 90.0)
            assert ended(programs[:4]) == [0] * 4
    assert one_result(tmp_path, NAMES[:4])["hands"] == 3


def test_all_are_killed_and_all_come_back(tmp_path: Path) -> None:
    """Every program killed in the middle of a hand; started again, they go on with it, and with the cards they had."""
    with network(4) as machines:
        commands = table_of_bots(machines, tmp_path, "--hands", "3", *GRACE)
        with running(commands, tmp_path, NAMES[:4]) as programs:
            says(programs[0], r"(?s)Hand 2: .*Trick 3\.")
            for program in programs:
                kill(program)
        again = [back(machine, tmp_path, name) for machine, name in zip(machines, NAMES, strict=False)]
        with running(again, tmp_path, [f"{name}.again" for name in NAMES[:4]]) as programs:
            assert ended(programs) == [0] * 4
            assert "Hand 1 is over" not in programs[0].said()
    assert one_result(tmp_path, NAMES[:4])["hands"] == 3


@pytest.mark.long
def test_ten_minutes_of_kills_and_restarts(tmp_path: Path) -> None:
    """Seven programs, of which every twenty seconds a random one is killed and started again: the game finishes its hands."""
    rng, hands = Random(7), 40
    with ExitStack() as stack:
        machines = stack.enter_context(network(7))
        commands = table_of_bots(machines, tmp_path, "--hands", str(hands), "--option", "limit=1000", *GRACE)
        programs = list(stack.enter_context(running(commands, tmp_path, NAMES[:7])))
        says(programs[0], r"Trick 1\.")
        end, kills = time.monotonic() + 600, 0
        while time.monotonic() < end and all(program.process.poll() is None for program in programs):
            place = rng.randrange(7)
            kill(programs[place])
            kills += 1
            time.sleep(rng.uniform(0.5, 8.0))
            again = running([back(machines[place], tmp_path, NAMES[place])], tmp_path, [f"{NAMES[place]}.{kills}"])
            (programs[place],) = stack.enter_context(again)
            time.sleep(20 - 8)
        until(lambda: all(program.process.poll() is not None for program in programs), 900)
        said = {program.output.name: program.said()[-400:] for program in programs}
    written = [
        json.loads((tmp_path / f"{name}.json").read_text())
        for name in NAMES[:7]
        if (tmp_path / f"{name}.json").exists()
    ]
    counts = [(each["hands"], len(each["annulled"])) for each in written]
    (tmp_path / "counts.txt").write_text(f"{kills} kills; hands and annulled hands of each result: {counts}\n")
    assert len({str(content_of(each)) for each in written}) == 1, said
    assert len(written) >= 6
    assert written[0]["hands"] == hands
