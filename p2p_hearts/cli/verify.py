"""`verify`: everything in the file of a finished game checked again, and said in a few lines.

The law: exit code 0 means that every entry holds; 1 that one does not, or that the file is damaged; 2 that it is no file
that could be checked. Source: `protocol/export.md`.
"""

import sys
from pathlib import Path

from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.cli.sheet import won_by
from p2p_hearts.console.language import _, n_
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
        raise UnreadableError(_("{path} cannot be read: {reason}.", path=file, reason=error.strerror)) from error
    if len(data) > MAX_FILE:
        raise UnreadableError(_("{path} cannot be checked: it is larger than any game.", path=file))
    return data


def failed(file: Path, error: AuditError) -> Exit:
    """Says what does not hold.

    Raises UnreadableError when there was nothing to check.
    """
    if error.foreign:
        raise UnreadableError(f"{file}: {error}") from error
    print(_("{path} does not hold. {reason}", path=file, reason=error), file=sys.stderr)
    return Exit.CHECK_FAILED


def report(checked: Audit) -> tuple[str, ...]:
    """What was checked, and what came of the game."""
    counts = checked.counts
    totals = ", ".join(f"{name}: {score}" for name, score in zip(checked.names, checked.scores, strict=True))
    hands = n_("{n} hand", "{n} hands", len(checked.hands))
    if checked.peers == 1:
        signed = _("The only peer has signed this result: {digest}.", digest=checked.result["digest"])
    elif checked.signed == checked.peers:
        signed = _("All {n} peers have signed this result: {digest}.", n=checked.peers, digest=checked.result["digest"])
    else:
        signed = _(
            "{n} of {all} peers have signed this result: {digest}.",
            n=checked.signed,
            all=checked.peers,
            digest=checked.result["digest"],
        )
    return (
        _("“{title}” ({words}): {seats} seats, {hands}.", title=checked.title, words=" ".join(checked.words),
          seats=len(checked.names), hands=hands),
        _("Every entry holds: {entries} entries in unbroken chains, {signatures} signatures, {proofs} proofs, {shuffles} of "
          "them of shuffles, {plays} cards played by the rules.", entries=counts.entries, signatures=counts.signatures,
          proofs=counts.proofs, shuffles=counts.shuffles, plays=counts.plays),
        _("Scores, added up again: {totals}.", totals=totals),
        won_by([checked.names[seat] for seat in checked.winners]),
        signed,
    )  # fmt: skip
