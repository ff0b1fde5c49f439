"""`replay`: a finished game to be looked at again, card by card on the full screen, or as lines."""

import asyncio
import os
import sys

from p2p_hearts.cli.commands import Replay
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.sheet import sheet
from p2p_hearts.cli.verify import failed, read_game
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.plain import needs_lines
from p2p_hearts.console.preferences import Preferences
from p2p_hearts.console.replay import open_replay, plain_story, story
from p2p_hearts.console.replay_app import run_replay
from p2p_hearts.protocol.audit import AuditError, Step, walk
from p2p_hearts.protocol.result import signed_result

UNPROVED = N_("Seen again from the entries alone. That every shuffle is proved, `p2p-hearts verify` checks.")


def run_story(replay: Replay, preferences: Preferences) -> Exit:
    """Show the game in a file.

    Raises UnreadableError when the file cannot be read, or is no game that could be shown here.
    """
    try:
        steps: tuple[Step, ...] = tuple(walk(read_game(replay.file)))
    except AuditError as error:
        return failed(replay.file, error)
    updates = story(steps)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not (replay.plain or needs_lines(os.environ, terminal=terminal)):
        asyncio.run(run_replay(open_replay(updates), preferences=preferences))
        return Exit.DONE
    result = signed_result(steps[-1].after)
    score = () if result is None else ("", *sheet(result))
    print("\n".join((_(UNPROVED), *plain_story(updates), *score)))
    return Exit.DONE
