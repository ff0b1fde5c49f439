"""`python3 scripts/fuzz.py TARGET --runs N` throws mutated bytes at one of the doors of the program, guided by what code they
reach (atheris, that is libFuzzer; Linux only: `pip install 'p2p-hearts[fuzz]'`).

Any exception but those that a door documents is a finding: the bytes that cause it are kept in `--findings`, and the exit
code is not 0. At the end it says how many executions it has done."""

import argparse
import mmap
import os
import struct
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
INSTRUMENTED = ("p2p_hearts.hearts", "p2p_hearts.node", "p2p_hearts.protocol")  # proofs are fuzzed in tests/crypto
MAX_INPUT = 20_000  # bytes; a mix in the small group has 7 KiB
COUNTS = struct.Struct("QQ")  # executions, steps


def main() -> int:
    """The exit code of libFuzzer, which runs in a process of its own: it ends that process without a word."""
    options = _options()
    if sys.platform == "win32":
        sys.exit("libFuzzer runs on Linux only.")
    counts = mmap.mmap(-1, COUNTS.size)  # shared with the child
    began = time.monotonic()
    Path(options.findings).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        child = os.fork()
        if not child:
            _fuzz(options, Path(options.corpus or temporary), counts)
        _, status = os.waitpid(child, 0)
    executions, steps = COUNTS.unpack(counts[:])
    made = f", {steps} steps" if options.target == "session" else ""
    print(f"{options.target}: {executions} executions{made}, {time.monotonic() - began:.0f} s", flush=True)
    return os.waitstatus_to_exitcode(status)


def _fuzz(options: argparse.Namespace, corpus: Path, counts: mmap.mmap) -> None:
    sys.path.insert(0, str(PROJECT))
    try:
        import atheris  # noqa: PLC0415 - optional, and it has to be there before what it instruments
    except ImportError:
        sys.exit("atheris is not installed: pip install 'p2p-hearts[fuzz]' (Linux only).")
    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from fuzz_targets import TARGETS  # noqa: PLC0415 - the reason before
    if options.target not in TARGETS:
        sys.exit(f"There is no target {options.target}, but {', '.join(sorted(TARGETS))}.")
    target = TARGETS[options.target]()
    executions = steps = 0

    def one_input(data: bytes) -> None:
        nonlocal executions, steps
        executions += 1
        steps += target.run(data)
        counts[:] = COUNTS.pack(executions, steps)

    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    arguments = {
        "runs": options.runs,
        "seed": options.seed,
        "max_total_time": options.seconds,
        "max_len": MAX_INPUT,
        "keep_seed": 1,  # messages differ by data, not by the code that reads them
        "len_control": 0,  # a seed is as long as it has to be
        "timeout": 20,
        "rss_limit_mb": 1024,
        "artifact_prefix": f"{options.findings}/{options.target}-",
    }
    atheris.Setup([sys.argv[0], *(f"-{name}={value}" for name, value in arguments.items()), str(corpus)], one_input)
    atheris.Fuzz()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "target", help="adjudicate, adverts, audit, codec, envelope, hello, invitation, reception, session"
    )
    parser.add_argument("--runs", type=int, default=100_000, help="executions, those of the seeds included")
    parser.add_argument("--seconds", type=int, default=0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0: another one each time")
    parser.add_argument("--corpus", default="", help="a folder in which inputs that reached new code are kept")
    parser.add_argument("--findings", default="findings", help="a folder for inputs that caused an exception")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
