"""The score sheet of a finished table in plain text, and what its result must be made of.

The law: a result is believed when its digest is that of its own content and everybody who plays in it has signed the
digest. Source: `protocol/result.md`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from p2p_hearts.console.language import _
from p2p_hearts.console.words import listed
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.signature import check_public, verify
from p2p_hearts.protocol.envelope import RESULT
from p2p_hearts.protocol.result import result_digest

ABOUT_IT = ("digest", "signatures")
WIDEST_NAME = 12  # characters; eleven of them must stay side by side


def agreed(results: Sequence[Mapping[str, Any] | None]) -> bool:
    """Whether every peer has a result, all say the same, it fits its digest, and everybody has signed it."""
    if not results or any(result is None for result in results):
        return False
    first = results[0] or {}
    everybody = set(first["operators"].values())
    return (
        all(result == first for result in results) and set(first["signatures"]) == everybody and valid_signatures(first)
    )


def content_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """What of a result all must agree on: all but the signatures, of which some may come later than others."""
    return {field: value for field, value in result.items() if field not in ABOUT_IT}


def valid_signatures(result: Mapping[str, Any]) -> bool:
    """Whether a result fits its digest, and every signature under it is one."""
    digest = result_digest(content_of(result)).hex()
    return digest == result["digest"] and all(
        _signed(bytes.fromhex(digest), *pair) for pair in result["signatures"].items()
    )


def _signed(digest: bytes, key: str, signature: str) -> bool:
    try:
        verify(check_public(bytes.fromhex(key)), RESULT, digest, bytes.fromhex(signature))
    except (CryptoError, ValueError):  # no such key, no such signature; or no hexadecimal
        return False
    return True


def sheet(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The lines of the score sheet: one column a seat, one row a hand, totals below."""
    seats = sorted(result["names"])
    head = [f"{seat} {result['names'][seat]}"[:WIDEST_NAME] for seat in seats]
    widths = [max(5, len(text)) for text in head]
    lines = [_row(_("hand"), head, widths, "")]
    for number, (points, kitty, unclaimed, moon) in enumerate(
        zip(result["points"], result["kitty"], result["unclaimed"], result["moon"], strict=True), 1
    ):
        lines.append(_row(str(number), [str(points[seat]) for seat in seats], widths, _notes(kitty, unclaimed, moon)))
    lines.append("-" * len(lines[0]))
    lines.append(_row(_("total"), [str(result["scores"][seat]) for seat in seats], widths, ""))
    lines.append(won_by([f"{seat} {result['names'][seat]}" for seat in result["winners"]]))
    return tuple(lines)


def won_by(names: Sequence[str]) -> str:
    """Who has won, or that nobody has yet."""
    return _("The game is won by {names}.", names=listed(names)) if names else _("The limit has not been reached.")


def _row(label: str, cells: Sequence[str], widths: Sequence[int], notes: str) -> str:
    columns = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{label:>5}  {columns}  {notes}".rstrip()


def _notes(kitty: str | None, unclaimed: int, moon: Mapping[str, str] | None) -> str:
    parts = [_("kitty to {name}", name=kitty)] if kitty else []
    parts += [_("{n} unclaimed", n=unclaimed)] if unclaimed else []
    if moon:
        took = _("{name} shot the moon (subtract)", name=moon["seat"])
        parts.append(took if moon["choice"] == "subtract" else _("{name} shot the moon (add)", name=moon["seat"]))
    return ", ".join(parts)
