"""`python3 scripts/play.py ARGS…` is `p2p-hearts ARGS…`, in an environment made on the first run."""

import os
import subprocess
import sys

from environment import NoEnvironmentError, own_python


def main() -> None:
    """Play; this process ends with the exit code of the game."""
    try:
        command = [str(own_python()), "-P", "-m", "p2p_hearts", *sys.argv[1:]]
    except NoEnvironmentError as error:
        sys.exit(str(error))
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)  # noqa: S606 - the game takes this process over, signals and terminal included


if __name__ == "__main__":
    main()
