"""`report`: a finished game as one HTML page, written beside its file.

The law: no page is written of a file in which anything does not hold, and none over a file that is no such page.
"""

import datetime as dt
from pathlib import Path

from p2p_hearts.cli.commands import Report
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.cli.verify import failed, read_game
from p2p_hearts.console.language import _
from p2p_hearts.protocol.audit import AuditError
from p2p_hearts.report.page import MADE_BY, page
from p2p_hearts.report.record import read_record

HEAD = 4096  # bytes in which a page says what made it
MADE = f'<meta name="generator" content="{MADE_BY} '.encode()


def run_report(report: Report) -> Exit:
    """Check the game in a file and write the page.

    Raises UnreadableError when the file cannot be read, is no game that could be checked here, or there is no place for the
    page.
    """
    data = read_game(report.file)
    place = report.page or report.file.with_suffix(".html")
    if report.page is None:
        _refuse_to_overwrite(place)
    elif place.exists() and place.samefile(report.file):
        raise UnreadableError(_("{path} is the game itself: name another place with --output PAGE.", path=place))
    try:
        record = read_record(data)
    except AuditError as error:
        return failed(report.file, error)
    try:
        written = dt.datetime.fromtimestamp(report.file.stat().st_mtime).astimezone().date()
        place.write_text(page(record, written), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UnreadableError(_unwritable(place, error)) from error
    print(_("The game holds. Its page is {path}.", path=place))
    return Exit.DONE


def _refuse_to_overwrite(place: Path) -> None:
    """A page whose name nobody chose takes the place of an older page of ours, and of nothing else."""
    try:
        with place.open("rb") as opened:
            ours = MADE in opened.read(HEAD)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UnreadableError(_unwritable(place, error)) from error
    if not ours:
        raise UnreadableError(
            _("{path} is there already and is no page of a game: name another with --output PAGE.", path=place)
        )


def _unwritable(place: Path, error: OSError) -> str:
    return _("The page cannot be written to {path}: {reason}.", path=place, reason=error.strerror)
