"""`learn`: the tutorial, on the full screen or line by line."""

import asyncio
import os
import sys

from p2p_hearts.cli.commands import Learn
from p2p_hearts.cli.exits import Exit
from p2p_hearts.console.app import run_app
from p2p_hearts.console.plain import needs_lines, run_plain
from p2p_hearts.console.settings import Personal
from p2p_hearts.console.tables import Ending
from p2p_hearts.console.tutorial import Tutorial


def run_learn(learn: Learn, personal: Personal) -> Exit:
    """Teach until the person leaves."""
    asyncio.run(_teach(learn, personal))
    return Exit.DONE


async def _teach(learn: Learn, personal: Personal) -> Ending:
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if learn.plain or needs_lines(os.environ, terminal=terminal):
        return await run_plain(None, Tutorial(), personal=personal)
    return await run_app(None, Tutorial(), personal=personal)
