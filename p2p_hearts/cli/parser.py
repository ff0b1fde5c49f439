"""The grammar of the command line: every command, every option, and the sentence for a value that cannot be."""

import argparse
from collections.abc import Callable
from pathlib import Path

from p2p_hearts import __version__
from p2p_hearts.bots import LEVELS
from p2p_hearts.console.below import below
from p2p_hearts.console.language import LANGUAGES, N_, _
from p2p_hearts.console.words import either
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, PRESETS, parse_override
from p2p_hearts.protocol.names import MAX_NAME, clean

ADMIT = ("approve", "open", "private")
COMMON = ("as_name", "port", "bind", "state", "plain", "autoplay", "result", "export", "log")
DEFAULT_LEVEL = "cautious"
ESCROW, ESCROWS = "escrow", ("quorum", "none")
EXPORT = N_("write the finished game here, for `verify` and `replay`")
MAX_PEERS = 11
MIN_DEMO_PEERS = 2
TROUBLES = {
    "crash": N_("so many programs end for good"),
    "restart": N_("so many end and start again"),
    "partition": N_("so many times the network falls in two"),
    "oneway": N_("so many times one program is heard by nobody"),
    "jump": N_("so many times a program stands still, and goes on"),
}
MAX_PORT = 65534  # hello answers on the next one

ABOUT = N_(
    "Cancellation Hearts for six to eleven players, peer to peer: no server, and nobody deals.\nWithout a command: the lobby."
)
EXIT_CODES = N_(
    "exit codes: 0 done; 1 a check failed; 2 wrong usage or unreadable input; 3 no table found, or refused;\n"
    "4 the table ended without a result"
)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; the command's name is in `command`, None without one."""
    parser = argparse.ArgumentParser(
        prog="p2p-hearts",
        description=_(ABOUT),
        epilog=_(EXIT_CODES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage=argparse.SUPPRESS,  # so that a mistake is answered by one sentence
    )
    _add_language(parser, suppress=False)
    parser.add_argument("--version", action="version", version=f"p2p-hearts {__version__}")
    _add_common(parser, suppress=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title=_("commands"), prog=parser.prog)

    def command(name: str, does: str) -> argparse.ArgumentParser:
        description = f"{does[0].upper()}{does[1:]}."
        added = commands.add_parser(
            name, help=does, description=description, allow_abbrev=False, usage=argparse.SUPPRESS
        )
        _add_language(added)
        return added

    _add_solo(command("solo", _("play alone against bots, without a network")))
    _add_host(command("host", _("open a table on this network")))
    _add_join(command("join", _("ask for a seat at a table")))
    _add_join(command("watch", _("look on at a table, where you see the cards played and nothing else")))
    _add_common(command("continue", _("go on with your last game that was not played to its end")))
    _add_learn(command("learn", _("learn the game in five minutes, with bots")))
    _add_tables(command("tables", _("list the tables on this network")))
    _add_demo(command("demo", _("let real processes on this machine play each other, a bot at every seat")))
    _add_simulate(command("simulate", _("play in a seeded world without a network, on a virtual clock")))
    _add_arena(command("arena", _("let bots play each other on duplicate deals, and measure them")))
    adjudicate = command("adjudicate", _("judge written-down tricks and hands (a JSON file of cases)"))
    adjudicate.add_argument("file", metavar="FILE", type=Path)
    _add_file(command("verify", _("check every signature, proof and score of a finished game again")))
    _add_replay(command("replay", _("look at a finished game, card by card")))
    _add_report(command("report", _("write a page about a finished game: chart, score sheet, every hand card by card")))
    _add_stats(command("stats", _("show your games so far, and whom you played with")))
    command("rules", _("show the rules of the game"))
    _add_doctor(command("doctor", _("find out what will not work on this computer and this network, and the cure")))
    _add_json(command("bench", _("measure how fast this machine proves, checks and plays")))
    return parser


def _add_language(parser: argparse.ArgumentParser, *, suppress: bool = True) -> None:
    """The language; it is looked for before the arguments are read, see `personal`."""
    does = _("the language: {codes}", codes=", ".join(LANGUAGES))
    default = argparse.SUPPRESS if suppress else None
    parser.add_argument("--lang", choices=tuple(LANGUAGES), default=default, metavar="xx", help=does)


def _add_common(parser: argparse.ArgumentParser, *, suppress: bool = True) -> None:
    """The options of everything that sits down at a table. After a command they must not undo those before it."""
    group = parser.add_argument_group(_("you and your place"))

    def option(flag: str, dest: str, does: str, kind: Callable[[str], object], metavar: str) -> None:
        default = argparse.SUPPRESS if suppress else None
        group.add_argument(flag, dest=dest, help=does, type=kind, metavar=metavar, default=default)

    option("--as", "as_name", _("the name the others see"), name, "NAME")
    option("--port", "port", _("listen here instead of the usual port"), number(1, MAX_PORT), "N")
    option("--bind", "bind", _("use this network adapter only (its name or address)"), str, "ADAPTER")
    option("--state", "state", _("keep identity and games in this folder"), Path, "DIR")
    option("--autoplay", "autoplay", _("a bot answers for you: {levels}", levels=either(LEVELS)), level, "LEVEL")
    option("--result", "result", _("write the signed result here, as JSON"), writable, "FILE")
    option("--export", "export", _(EXPORT), writable, "FILE")
    option("--log", "log", _("write what the program does here"), writable, "FILE")
    plain_default = argparse.SUPPRESS if suppress else False
    group.add_argument(
        "--plain", action="store_true", default=plain_default, help=_("line by line instead of a screen")
    )


def _add_rules(parser: argparse.ArgumentParser) -> None:
    _add_hands(_add_options(parser))


def _add_options(parser: argparse.ArgumentParser) -> "argparse._ArgumentGroup":
    """The options that choose the rules, and the group they are in."""
    group = parser.add_argument_group(_("the rules of the table"))
    group.add_argument("--preset", choices=PRESETS, default=PRESETS[0], help=_("the rules to start from"))
    group.add_argument(
        "--option",
        action="append",
        default=[],
        type=override,
        metavar="K=V",
        help=_("depart from them (can be repeated)"),
    )
    return group


def _add_hands(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    parser.add_argument("--hands", type=number(1, 1000), metavar="H", help=_("play so many hands, not to the limit"))


def _add_level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", type=level, default=DEFAULT_LEVEL, metavar="LEVEL", help=", ".join(LEVELS))


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _add_seats(parser: argparse.ArgumentParser, default: int | None = MIN_SEATS) -> None:
    parser.add_argument(
        "--seats", type=number(MIN_SEATS, MAX_SEATS), default=default, metavar="N", help=_("6 to 11, bots included")
    )


def _add_solo(parser: argparse.ArgumentParser) -> None:
    _add_seats(parser)
    _add_level(parser)
    _add_rules(parser)
    _add_common(parser)


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", type=name, metavar="T", help=_("of the table"))
    _add_seats(parser)
    parser.add_argument("--bots", type=number(0, MAX_SEATS), default=0, metavar="K", help=_("seats that bots take"))
    _add_level(parser)
    admits = _("ask you about everybody, let everybody in, or only whom you have invited")
    parser.add_argument("--admit", choices=ADMIT, default=ADMIT[0], help=admits)
    parser.add_argument("--start", action="store_true", help=_("begin as soon as all seats are filled"))
    grace = _("seconds without a sign of life until a hand goes on without somebody")
    parser.add_argument("--grace", type=number(5, 3_600), default=30, metavar="S", help=grace)
    clock = _("seconds that a person has for a turn; 0: as long as it takes")
    parser.add_argument("--clock", type=number(0, 600), default=0, metavar="S", help=clock)
    parser.add_argument("--watch", action="store_true", help=_("let others look on"))
    _add_rules(parser)
    _add_common(parser)


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "where",
        nargs="*",
        metavar="TABLE, ADDRESS:PORT or INVITATION",
        help=_("a table's name, where its host is, or an invitation (its words, or its text p2ph:…); or the only one"),
    )
    _add_common(parser)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", type=amount(0.0, 60.0), default=3.0, metavar="S", help=_("look for so many seconds"))
    parser.add_argument("--bind", default=argparse.SUPPRESS, metavar="ADAPTER", help=_("use this network adapter only"))
    _add_json(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--peers", type=number(MIN_DEMO_PEERS, MAX_PEERS), default=MIN_SEATS, metavar="P", help=_("processes, 2 to 11")
    )
    _add_seats(parser, None)
    _add_hands(parser)
    _add_level(parser)
    _add_json(parser)
    parser.add_argument("--export", type=writable, default=argparse.SUPPRESS, metavar="FILE", help=_(EXPORT))


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help=_("written with --export"))


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    for flag, does, kind, metavar in (
        ("--port", _("the port to try instead of the usual one"), number(1, MAX_PORT), "N"),
        ("--bind", _("look at this network adapter only (its name or address)"), str, "ADAPTER"),
        ("--state", _("look at this folder instead of the usual one"), Path, "DIR"),
    ):
        parser.add_argument(flag, type=kind, default=argparse.SUPPRESS, metavar=metavar, help=does)
    bundle = _("write what a bug report needs, without keys, names and addresses")
    parser.add_argument("--bundle", type=writable, metavar="FILE", help=bundle)
    _add_json(parser)


def _add_replay(parser: argparse.ArgumentParser) -> None:
    _add_file(parser)
    parser.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help=_("as lines, not on a screen"))


def _add_report(parser: argparse.ArgumentParser) -> None:
    _add_file(parser)
    does = _("write the page here, not beside the file")
    parser.add_argument("--output", dest="page", type=writable, default=None, metavar="PAGE", help=does)


def _add_learn(parser: argparse.ArgumentParser) -> None:
    does = _("line by line instead of a screen")
    parser.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help=does)
    _add_state(parser)


def _add_stats(parser: argparse.ArgumentParser) -> None:
    _add_state(parser)
    _add_json(parser)


def _add_state(parser: argparse.ArgumentParser) -> None:
    does = _("look at this folder instead of the usual one")
    parser.add_argument("--state", type=Path, default=argparse.SUPPRESS, metavar="DIR", help=does)


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--peers", type=number(1, MAX_PEERS), default=MIN_SEATS, metavar="P", help=_("1 to 11"))
    _add_seats(parser, None)
    parser.add_argument(
        "--seed", type=number(0, 2**63), default=0, metavar="S", help=_("the same seed, the same bytes")
    )
    parser.add_argument("--loss", type=amount(0.0, 0.9), default=0.0, metavar="p", help=_("share of frames lost"))
    parser.add_argument(
        "--delay", type=amount(0.0, 10_000.0), default=5.0, metavar="ms", help=_("how long a frame takes")
    )
    parser.add_argument(
        "--duplicate", type=amount(0.0, 1.0), default=0.0, metavar="p", help=_("share that comes twice")
    )
    parser.add_argument("--reorder", type=amount(0.0, 1.0), default=0.0, metavar="p", help=_("share that is overtaken"))
    for name, text in TROUBLES.items():
        parser.add_argument(f"--{name}", type=number(0, 100), default=0, metavar="k", help=_(text))
    grace = _("virtual seconds without a sign of life until a hand goes on without a peer")
    parser.add_argument("--grace", type=number(5, 3_600), default=30, metavar="S", help=grace)
    think = _("virtual seconds for every card, so that faults hit a hand in its middle")
    parser.add_argument("--think", type=amount(0.0, 60.0), default=0.0, metavar="S", help=think)
    parser.add_argument(
        "--tiny", action="store_true", help=_("a small group: the same algebra, no secrecy, much faster")
    )
    parser.add_argument("--trace", action="store_true", help=_("print every entry and event as it comes"))
    cheats = _("peer 2 cheats in this way (protocol/attacks.md); a wrong name lists all")
    parser.add_argument("--adversary", type=cheat, default=None, metavar="NAME", help=cheats)
    _add_level(parser)
    _add_json(parser)
    _add_rules(parser)


def _add_arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--levels", type=levels, required=True, metavar="A,B[,…]", help=f"of {', '.join(LEVELS)}")
    _add_seats(parser)
    deals = _("so many deals, each played once for every level")
    parser.add_argument("--hands", type=number(1, 1_000_000), default=1000, metavar="H", help=deals)
    parser.add_argument(
        "--seed", type=number(0, 2**63), default=0, metavar="S", help=_("the same seed, the same figures")
    )
    rollouts = _("rollouts a decision, for the levels that look ahead")
    parser.add_argument("--effort", type=number(0, 1_000_000), default=0, metavar="E", help=rollouts)
    _add_json(parser)
    _add_options(parser)


def number(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                _("must be a whole number from {low} to {high}, not {text}", low=low, high=high, text=repr(text))
            )
        return int(text)

    return read


def amount(low: float, high: float) -> Callable[[str], float]:
    """Reads a number from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                _(
                    "must be a number from {low} to {high}, not {text}",
                    low=format(low, "g"),
                    high=format(high, "g"),
                    text=repr(text),
                )
            )
        return value

    return read


def cheat(text: str) -> str:
    """Reads the name of a way to cheat."""
    from p2p_hearts.simulation.adversary.registry import find_cheat  # noqa: PLC0415 - no table needs a simulation

    try:
        return find_cheat(text).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(below(str(error))) from error


def level(text: str) -> str:
    """Reads the level of a bot."""
    if text not in LEVELS:
        raise argparse.ArgumentTypeError(
            _("there is no bot {text}: choose {levels}", text=repr(text), levels=either(LEVELS))
        )
    return text


def levels(text: str) -> tuple[str, ...]:
    """Reads two or more levels, `cautious,clever`."""
    read = tuple(level(part.strip()) for part in text.split(","))
    if len(read) < 2 or len(set(read)) < len(read):  # noqa: PLR2004 - somebody to play against
        raise argparse.ArgumentTypeError(
            _("must be two or more different levels, as in cautious,clever, not {text}", text=repr(text))
        )
    return read


def name(text: str) -> str:
    """Reads the name of a person or a table."""
    if not text.strip() or clean(text) != text.strip():
        raise argparse.ArgumentTypeError(
            _("a name has 1 to {most} printable characters, not {text}", most=MAX_NAME, text=repr(text))
        )
    return clean(text)


def override(text: str) -> tuple[str, object]:
    """Reads a rule option, `limit=100`, or how keys are kept, `escrow=none`."""
    if text.partition("=")[0].strip() == ESCROW:
        return ESCROW, escrow(text)
    try:
        return parse_override(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(below(str(error))) from error


def escrow(text: str) -> bool:
    """Reads whether hand keys are kept in pieces: a majority together could read every hand, and a hand survives a loss."""
    way = text.partition("=")[2].strip()
    if way not in ESCROWS:
        raise argparse.ArgumentTypeError(_("escrow: choose quorum or none"))
    return way == ESCROWS[0]


def writable(text: str) -> Path:
    """Reads the path of a file to be written, before hours of play and not after."""
    path = Path(text).absolute()
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            _("{text} cannot be written: it is a folder, or its folder does not exist", text=repr(text))
        )
    return path
