"""The arguments of the command line, read into the values of `commands`.

The law: whatever is wrong is said in one sentence before anything starts, with exit code 2; what has been read is
complete and possible, so that no command checks it again.
"""

import argparse
from collections.abc import Sequence

from p2p_hearts.cli.commands import (
    Adjudicate,
    Arena,
    Bench,
    Command,
    Common,
    Continue,
    Demo,
    Doctor,
    Host,
    Join,
    Learn,
    Lobby,
    Replay,
    Report,
    Rules,
    ShowRules,
    Simulate,
    Solo,
    Stats,
    Tables,
    Verify,
    Watch,
    Ways,
)
from p2p_hearts.cli.parser import COMMON, DEFAULT_LEVEL, ESCROW, TROUBLES, make_parser
from p2p_hearts.console.below import below
from p2p_hearts.console.language import _
from p2p_hearts.hearts.options import MIN_SEATS, OptionError, resolve
from p2p_hearts.node.addresses import DEFAULT_PORT

WITH_COMMON = (None, "solo", "host", "join", "watch", "continue")
ALSO = {  # common options that others have, too
    "tables": {"bind"},
    "demo": {"export"},
    "replay": {"plain"},
    "doctor": {"port", "bind", "state"},
    "stats": {"state"},
    "learn": {"plain", "state"},  # where the settings are
}


def read(arguments: Sequence[str], *, terminal: bool) -> Command:
    """The command that was asked for; without one the lobby, or a demo where nobody watches a terminal.

    Raises SystemExit: 2 with a sentence on stderr, 0 after `--help` and `--version`.
    """
    parser = make_parser()
    given = parser.parse_args(arguments)
    try:
        return _command(given, terminal=terminal)
    except (OptionError, ValueError) as error:
        parser.error(below(str(error)))


def _command(given: argparse.Namespace, *, terminal: bool) -> Command:
    _refuse_strays(given)
    match given.command:
        case None if terminal or given.plain:
            return Lobby(_common(given))
        case None:
            return Demo(MIN_SEATS, MIN_SEATS, None, DEFAULT_LEVEL, json=False)
        case "solo":
            return Solo(_common(given), given.seats, given.level, _rules(given, given.seats))
        case "host":
            return _host(given)
        case "join":
            return Join(_common(given), " ".join(given.where) or None)
        case "watch":
            return Watch(_common(given), " ".join(given.where) or None)
        case "continue":
            return Continue(_common(given))
        case "tables":
            return Tables(given.wait, given.json, given.bind)
        case "demo":
            return Demo(given.peers, _seats(given), given.hands, given.level, given.json, given.export)
        case _:
            return _apart(given)


def _apart(given: argparse.Namespace) -> Command:
    """A command that sits down at no table with others."""
    match given.command:
        case "simulate":
            return _simulate(given)
        case "arena":
            return _arena(given)
        case "adjudicate":
            return Adjudicate(given.file)
        case "verify":
            return Verify(given.file)
        case "replay":
            return Replay(given.file, given.plain)
        case "report":
            return Report(given.file, given.page)
        case "learn":
            return Learn(given.plain)
        case "stats":
            return Stats(given.state, given.json)
        case "rules":
            return ShowRules()
        case "doctor":
            return Doctor(given.port or DEFAULT_PORT, given.bind, given.state, given.bundle, given.json)
        case _:
            return Bench(given.json)


def _refuse_strays(given: argparse.Namespace) -> None:
    """A common option before a command that has no use for it would silently do nothing."""
    if given.command in WITH_COMMON:
        return
    for field in COMMON:
        if getattr(given, field) and field not in ALSO.get(given.command, ()):
            flag = field.removesuffix("_name")
            raise ValueError(_("--{flag} has no meaning for `{command}`", flag=flag, command=given.command))


def _host(given: argparse.Namespace) -> Host:
    if given.bots >= given.seats:
        raise ValueError(
            _("{bots} bots leave no seat for you at a table of {seats}", bots=given.bots, seats=given.seats)
        )
    return Host(
        common=_common(given),
        name=given.name,
        seats=given.seats,
        bots=given.bots,
        level=given.level,
        rules=_rules(given, given.seats),
        admit=given.admit,
        start=given.start or given.autoplay is not None,
        ways=Ways(given.grace, given.clock, given.watch, bool(dict(given.option).get(ESCROW, True))),
    )


def _simulate(given: argparse.Namespace) -> Simulate:
    seats = _seats(given)
    if given.adversary is not None and given.peers == 1:
        raise ValueError(_("there is nobody to cheat: --adversary needs at least 2 peers"))
    return Simulate(
        peers=given.peers,
        seats=seats,
        seed=given.seed,
        level=given.level,
        rules=_rules(given, seats),
        loss=given.loss,
        delay=given.delay,
        duplicate=given.duplicate,
        reorder=given.reorder,
        tiny=given.tiny,
        trace=given.trace,
        json=given.json,
        troubles=tuple((name, count) for name in TROUBLES if (count := getattr(given, name))),
        grace=given.grace,
        think=given.think,
        adversary=given.adversary,
    )


def _arena(given: argparse.Namespace) -> Arena:
    levels = given.levels
    if len(levels) > given.seats:
        raise ValueError(_("{n} levels need {n} seats, not {seats}", n=len(levels), seats=given.seats))
    resolve(given.preset, dict(given.option), given.seats)
    rules = Rules(given.preset, tuple(given.option), None)
    return Arena(levels, given.seats, given.hands, given.seed, given.effort, rules, given.json)


def _seats(given: argparse.Namespace) -> int:
    """Seats for so many peers: as asked for, or as few as the game allows."""
    if given.seats is not None and given.seats < given.peers:
        raise ValueError(_("{n} peers need {n} seats, not {seats}", n=given.peers, seats=given.seats))
    return int(given.seats or max(MIN_SEATS, given.peers))


def _rules(given: argparse.Namespace, seats: int) -> Rules:
    options = tuple(option for option in given.option if option[0] != ESCROW)
    if len(options) < len(given.option) and given.command != "host":
        raise ValueError(_("{option} has no meaning for `{command}`", option=ESCROW, command=given.command))
    resolve(given.preset, dict(options), seats)
    return Rules(given.preset, options, given.hands)


def _common(given: argparse.Namespace) -> Common:
    return Common(
        name=given.as_name,
        port=given.port,
        bind=given.bind,
        state=given.state,
        plain=given.plain,
        autoplay=given.autoplay,
        result=given.result,
        export=given.export,
        log=given.log,
    )
