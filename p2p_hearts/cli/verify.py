"""`verify`: everything in the file of a finished game checked again, and said in a few lines.

The law: exit code 0 means that every entry holds; 1 that one does not, or that the file is damaged; 2 that it is no file
that could be checked. Source: `protocol/export.md`.
"""

import sys
from pathlib import Path

from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.protocol.audit import Audit, AuditError, audit

MAX_FILE = 256 * 2**20  # bytes; a game of 500 hands of eleven fits, and nobody can make us read more


def run_verify(file: Path) -> Exit:
    """Check a file and print what was checked, or the first bad entry and why.

    Raises UnreadableError when the file cannot be read, or is no game that could be checked here.
    """
    try:
        print("\n".join(report(audit(read_game(file)))))
    except AuditError as error:
        return failed(file, error)
    return Exit.DONE


def read_game(file: Path) -> bytes:
    """The bytes of a file.

    Raises UnreadableError.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_FILE + 1)
    except OSError as error:
        raise UnreadableError(f"{file} cannot be read: {error.strerror}.") from error
    if len(data) > MAX_FILE:
        raise UnreadableError(f"{file} cannot be checked: it is larger than any game.")
    return data


def failed(file: Path, error: AuditError) -> Exit:
    """Says what does not hold.

    Raises UnreadableError when there was nothing to check.
    """
    if error.foreign:
        raise UnreadableError(f"{file}: {error}") from error
    print(f"{file} does not hold. {error}", file=sys.stderr)
    return Exit.CHECK_FAILED


def report(checked: Audit) -> tuple[str, ...]:
    """What was checked, and what came of the game."""
    counts = checked.counts
    entries = f"{counts.entries} entries in unbroken chains, {counts.signatures} signatures"
    proofs = f"{counts.proofs} proofs, {counts.shuffles} of them of shuffles"
    hands = f"{len(checked.hands)} hand{'' if len(checked.hands) == 1 else 's'}"
    totals = ", ".join(f"{name}: {score}" for name, score in zip(checked.names, checked.scores, strict=True))
    winners = " and ".join(checked.names[seat] for seat in checked.winners)
    everybody = checked.signed == checked.peers
    share = f"All {checked.peers}" if everybody else f"{checked.signed} of {checked.peers}"
    who = f"{share} peers have" if checked.peers > 1 else "The only peer has"
    return (
        f"“{checked.title}” ({' '.join(checked.words)}): {len(checked.names)} seats, {hands}.",
        f"Every entry holds: {entries}, {proofs}, {counts.plays} cards played by the rules.",
        f"Scores, added up again: {totals}.",
        f"The game is won by {winners}." if winners else "The limit has not been reached.",
        f"{who} signed this result: {checked.result['digest']}.",
    )
