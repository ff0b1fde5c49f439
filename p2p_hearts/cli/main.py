"""From the arguments to the exit code. The law: whatever goes wrong that is no bug is said in one sentence on stderr."""

import os
import sys
from collections.abc import Sequence

from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.commands import (
    Adjudicate,
    Arena,
    Bench,
    Command,
    Demo,
    Doctor,
    Learn,
    Replay,
    Report,
    ShowRules,
    Simulate,
    Stats,
    Tables,
    Verify,
)
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError, print_judgement
from p2p_hearts.cli.learn import run_learn
from p2p_hearts.cli.listing import print_tables
from p2p_hearts.cli.personal import person, speak
from p2p_hearts.cli.replay import run_story
from p2p_hearts.cli.stats import print_stats
from p2p_hearts.cli.table import run_table
from p2p_hearts.cli.verify import run_verify
from p2p_hearts.console.below import below
from p2p_hearts.console.home import JoinError
from p2p_hearts.console.rules_text import rules_lines
from p2p_hearts.console.settings import Personal
from p2p_hearts.node.keystore import KeystoreError
from p2p_hearts.node.station import StationError

RULES_COLUMNS = 78  # of the page that `rules` prints


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one run of `p2p-hearts`."""
    words = sys.argv[1:] if arguments is None else arguments
    personal = person(words, os.environ)
    speak(personal.preferences.language or personal.system)
    command = read(words, terminal=sys.stdout.isatty())
    try:
        return _run(command, personal)
    except (UnreadableError, KeystoreError) as error:
        return _say(error, Exit.USAGE)
    except (StationError, JoinError) as error:
        return _say(error, Exit.NO_TABLE)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has left; Python would complain at the end
        return Exit.DONE


def _run(command: Command, personal: Personal) -> Exit:
    match command:
        case Demo() | Simulate() | Arena() | Report() | Doctor() | Bench():
            return _run_rare(command)
        case Tables():
            print_tables(command)
        case Adjudicate(file):
            print_judgement(file)
        case Verify(file):
            return run_verify(file)
        case Replay():
            return run_story(command, personal.preferences)
        case Learn():
            return run_learn(command, personal)
        case Stats():
            print_stats(command)
        case ShowRules():
            print("\n".join(rules_lines(RULES_COLUMNS)))
        case _:
            return run_table(command, personal)
    return Exit.DONE


def _run_rare(command: Demo | Simulate | Arena | Report | Doctor | Bench) -> Exit:
    """Commands that load what no table needs: whoever wants to play is not to wait for numpy, a simulation and a doctor,
    which take as long to load as all the rest."""
    match command:
        case Demo():
            from p2p_hearts.cli.demo import run_demo  # noqa: PLC0415 - see above, as for those below

            return run_demo(command)
        case Simulate():
            from p2p_hearts.cli.simulate import run_simulation  # noqa: PLC0415

            return run_simulation(command)
        case Arena():
            from p2p_hearts.cli.arena import run_arena  # noqa: PLC0415

            run_arena(command)
        case Report():
            from p2p_hearts.cli.report import run_report  # noqa: PLC0415

            return run_report(command)
        case Doctor():
            from p2p_hearts.cli.doctor import run_doctor  # noqa: PLC0415

            return run_doctor(command)
        case Bench(as_json):
            from p2p_hearts.cli.measure import run_bench  # noqa: PLC0415

            run_bench(as_json=as_json)
    return Exit.DONE


def _say(problem: Exception, code: Exit) -> Exit:
    print(f"p2p-hearts: {below(str(problem))}", file=sys.stderr)
    return code
