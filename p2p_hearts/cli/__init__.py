"""The command line: the composition root, which alone knows both the node and the console."""

from p2p_hearts.cli.main import main

__all__ = ["main"]
