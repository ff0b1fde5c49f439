"""`python3 scripts/play.py ARGS…` is `p2p-hearts ARGS…`, in an environment made on the first run."""

import sys

from environment import play

if __name__ == "__main__":
    play(*sys.argv[1:])
