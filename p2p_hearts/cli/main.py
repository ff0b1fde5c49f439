"""From the arguments to the exit code. The law: whatever goes wrong that is no bug is said in one sentence on stderr."""

import sys
from collections.abc import Sequence

from p2p_hearts.cli.arguments import read
from p2p_hearts.cli.commands import Adjudicate, Bench, Command, Demo, ShowRules, Simulate
from p2p_hearts.cli.demo import run_demo
from p2p_hearts.cli.files import UnreadableError, print_judgement
from p2p_hearts.cli.measure import run_bench
from p2p_hearts.cli.rules import RULES
from p2p_hearts.cli.simulate import run_simulation

DONE, CHECK_FAILED, USAGE, NO_TABLE, NO_RESULT = range(5)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one run of `p2p-hearts`."""
    command = read(sys.argv[1:] if arguments is None else arguments, terminal=sys.stdout.isatty())
    try:
        return _run(command)
    except UnreadableError as error:
        return _say(error, USAGE)
    except KeyboardInterrupt:
        return 130  # as shells expect of a program ended by Ctrl-C
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has left; Python would complain at the end
        return DONE


def _run(command: Command) -> int:
    match command:
        case Demo():
            return run_demo(command)
        case Simulate():
            return run_simulation(command)
        case Adjudicate(file):
            print_judgement(file)
        case ShowRules():
            print(RULES)
        case Bench(as_json):
            run_bench(as_json=as_json)
        case _:
            raise NotImplementedError
    return DONE


def _say(problem: Exception, code: int) -> int:
    print(f"p2p-hearts: {problem}", file=sys.stderr)
    return code
