"""`python -m p2p_hearts` is `p2p-hearts`."""

import sys

from p2p_hearts.cli import main

if __name__ == "__main__":
    sys.exit(main())
