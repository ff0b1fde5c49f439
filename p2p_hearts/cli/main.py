"""From the arguments to the exit code."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one run of `p2p-hearts`."""
    del arguments
    return 2
