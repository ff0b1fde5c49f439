"""Commands that only read a file or print: `adjudicate`, `rules`, `bench`."""

import json
from pathlib import Path

from p2p_hearts.console.language import _
from p2p_hearts.hearts.record import adjudicate


class UnreadableError(Exception):
    """A file that was named cannot be read; the message is the sentence to show."""


def print_judgement(file: Path) -> None:
    """Judge the cases of a file and print the results as JSON.

    Raises UnreadableError when the file is not there, or is no JSON.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(_("{path} cannot be read: {reason}.", path=file, reason=error.strerror)) from error
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8
        raise UnreadableError(_("{path} is no JSON file: {reason}.", path=file, reason=error)) from error
    print(json.dumps(adjudicate(document), ensure_ascii=False, indent=1))
