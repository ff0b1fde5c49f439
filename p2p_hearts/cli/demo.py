"""`demo`: real processes on this machine with real sockets play each other, and their results are compared.

The law: what is printed as the result is what every peer has signed, or it is said that they differ.
"""

import json
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from p2p_hearts.cli.commands import Demo
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.processes import Program, family, next_line, start, wait
from p2p_hearts.cli.sheet import agreed, sheet
from p2p_hearts.console.language import _, n_, spoken_language

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hana", "Ivo", "June", "Kim")
SILENCE = 120.0  # seconds without a line after which the game is given up
ENDING = 20.0  # seconds for the others to end after the host has
REACHED_AT = re.compile(r"\b127\.0\.0\.1:\d+\b")


class DemoError(Exception):
    """The demo did not come to a result; the message is the sentence to show."""


def run_demo(demo: Demo) -> Exit:
    """Play and print; the exit code: 0 when every peer has signed the same result."""
    began = time.monotonic()
    problem, costs, results = "", [], []
    with tempfile.TemporaryDirectory(prefix="p2p-hearts-", ignore_cleanup_errors=True) as folder, family() as programs:
        try:
            _play(demo, Path(folder), programs)
        except DemoError as error:
            problem = str(error)
        costs = [program.cost for program in programs if program.cost]
        results = [_result(Path(folder), i) for i in range(demo.peers)]
    same = not problem and agreed(results)
    measured = {
        "agreed": same,
        "wall_s": round(time.monotonic() - began, 2),
        "cpu_s": [cost.cpu_s and round(cost.cpu_s, 2) for cost in costs],
        "rss_mib": [cost.rss_mib and round(cost.rss_mib, 1) for cost in costs],
    }
    first = next((result for result in results if result), {})
    if demo.json:
        print(json.dumps({**first, **measured, **({"problem": problem} if problem else {})}, ensure_ascii=False))
    else:
        _print_end(first, measured, problem)
    return Exit.DONE if same else Exit.CHECK_FAILED


def _play(demo: Demo, folder: Path, programs: list[Program]) -> None:
    """Start the peers, print the game as the host sees it, and wait for them to end."""
    common = [
        ["--as", NAMES[i], "--lang", spoken_language(), *_place(folder, i), "--autoplay", demo.level]
        for i in range(demo.peers)
    ]
    hands = ["--hands", str(demo.hands)] if demo.hands else []
    bots = ["--seats", str(demo.seats), "--bots", str(demo.seats - demo.peers), "--level", demo.level]
    export = ["--export", str(demo.export)] if demo.export else []
    host = start(["host", "--name", "demo", "--admit", "open", "--start", *bots, *hands, *export, *common[0]])
    programs.append(host)
    while (line := _line(host, programs)) is not None:
        if not demo.json:
            print(line, flush=True)
        if len(programs) == 1 and (address := REACHED_AT.search(line)):
            programs.extend(start(["join", address[0], *options]) for options in common[1:])
    limit = time.monotonic() + ENDING
    for program, name in zip(programs, NAMES, strict=False):
        cost = wait(program, max(0.0, limit - time.monotonic()))
        if cost is None:
            raise DemoError(_("{name} did not end.", name=name))
        if cost.code:
            raise DemoError(_failed(name, cost.code, program))
    if len(programs) < demo.peers:
        raise DemoError(_("The host never said where it can be reached."))


def _line(host: Program, programs: Sequence[Program]) -> str | None:
    """The next line of the host, while everybody else is well."""
    limit = time.monotonic() + SILENCE
    while time.monotonic() < limit:
        try:
            return next_line(host, 1.0)
        except TimeoutError:
            for program, name in zip(programs[1:], NAMES[1:], strict=False):
                if (cost := wait(program, 0.0)) and cost.code:
                    raise DemoError(_failed(name, cost.code, program)) from None
    raise DemoError(_("Nothing happened for {n} seconds.", n=round(SILENCE)))


def _failed(name: str, code: int, program: Program) -> str:
    return _("{name} ended with exit code {code}: {words}", name=name, code=code, words=_last_words(program))


def _last_words(program: Program) -> str:
    words = _("it said nothing.")
    try:
        while (line := next_line(program, 1.0)) is not None:
            words = line.strip() or words
    except TimeoutError:
        pass
    return words


def _place(folder: Path, i: int) -> list[str]:
    """A place of its own for every peer, on this machine only."""
    state = folder / f"peer{i}"
    state.mkdir()
    return ["--plain", "--bind", "127.0.0.1", "--state", str(state), "--result", str(folder / f"result{i}.json")]


def _result(folder: Path, i: int) -> dict[str, Any] | None:
    try:
        result = json.loads((folder / f"result{i}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) else None


def _print_end(result: dict[str, Any], measured: dict[str, Any], problem: str) -> None:
    print()
    if result:
        print("\n".join(sheet(result)), end="\n\n")
    if problem:
        print(problem)
        return
    cpu, memory = ([value for value in measured[key] if value] for key in ("cpu_s", "rss_mib"))
    n, seconds = len(measured["cpu_s"]), format(measured["wall_s"], ".1f")
    if measured["agreed"]:
        print(n_("{n} process signed the same result after {seconds} s.", "{n} processes signed the same result after {seconds} s.",
                 n, seconds=seconds))  # fmt: skip
    else:
        print(_("The {n} processes did NOT all sign the same result; it took {seconds} s.", n=n, seconds=seconds))
    if cpu and memory:
        print(
            _(
                "Each used at most {cpu} s of a core and {memory} MiB.",
                cpu=format(max(cpu), ".1f"),
                memory=round(max(memory)),
            )
        )
