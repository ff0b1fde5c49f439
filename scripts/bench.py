"""`python3 scripts/bench.py [--json]` is `p2p-hearts bench`: how fast this machine proves, checks and plays."""

import sys

from environment import play

if __name__ == "__main__":
    play("bench", *sys.argv[1:])
