"""The exit codes, as `p2p-hearts --help` lists them."""

from enum import IntEnum


class Exit(IntEnum):
    """What became of a run."""

    DONE = 0
    CHECK_FAILED = 1
    USAGE = 2  # or an input that cannot be read
    NO_TABLE = 3  # found, or it refused
    NO_RESULT = 4  # the table ended without one
    INTERRUPTED = 130  # by Ctrl-C, as shells expect
