"""The result of a game: what `--result` writes, its digest, and the signatures that make it one result.

Law: the digest is SHA-256 of the result as JSON with sorted keys, no spaces, ASCII; every field follows from the logs, so
all peers compute the same bytes (`protocol/result.md`)."""

import hashlib
import json
from typing import Any

from p2p_hearts.hearts.hand import seat_letter
from p2p_hearts.hearts.match import Match, MoonChoice, hand_points, settle
from p2p_hearts.hearts.options import options_dict
from p2p_hearts.protocol.state import Deal, Game, Scored, Table


def score_of(deal: Deal) -> Scored:
    """The line that a finished hand, its moon chosen, puts on the sheet."""
    assert deal.score is not None
    choice: MoonChoice | None = None if deal.choice is None else ("add" if deal.choice == "add" else "subtract")
    points = hand_points(deal.options, deal.score.points, deal.score.moon, choice)
    return Scored(deal.number, points, deal.score.kitty_seat, deal.score.unclaimed, deal.score.moon, deal.choice)


def match_after(table: Table, deal: Deal) -> Match:
    """The totals once this hand counts, and whether the game is then over."""
    assert deal.score is not None
    choice: MoonChoice | None = None if deal.choice is None else ("add" if deal.choice == "add" else "subtract")
    return settle(deal.options, table.scores, deal.score.points, deal.score.moon, choice)


def result_after(table: Table, game: Game, deal: Deal) -> dict[str, Any]:
    """The result of the game up to and with this finished hand, without digest and signatures."""
    match = match_after(table, deal)
    return _result(table, game, (*table.sheet, score_of(deal)), match.scores, match.winners, over=match.over)


def result_of(table: Table) -> dict[str, Any] | None:
    """The result of a game that has ended, without digest and signatures."""
    if table.game is None or not table.over:
        return None
    return _result(table, table.game, table.sheet, table.scores, table.winners, over=bool(table.winners))


def signed_result(table: Table) -> dict[str, Any] | None:
    """The result of a game that has ended, with its digest and the signatures (label `result`) that are in."""
    result = result_of(table)
    if result is None or table.deal is None:
        return None
    signatures = {key.hex(): value.hex() for key, value in sorted(table.deal.decision.signatures.items())}
    return {**result, "digest": result_digest(result).hex(), "signatures": signatures}


def result_digest(result: dict[str, Any]) -> bytes:
    """The digest that every peer signs (32 bytes)."""
    text = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).digest()


def _result(
    table: Table,
    game: Game,
    sheet: tuple[Scored, ...],
    scores: tuple[int, ...],
    winners: tuple[int, ...],
    *,
    over: bool,
) -> dict[str, Any]:
    letters = [seat_letter(seat) for seat in range(len(game.seats))]
    return {
        "table": game.table.hex(),
        "options": options_dict(game.options),
        "seats": len(game.seats),
        "hands": len(sheet),
        "names": {letter: seat.name for letter, seat in zip(letters, game.seats, strict=True)},
        "operators": {letter: seat.operator.hex() for letter, seat in zip(letters, game.seats, strict=True)},
        "annulled": [
            {"hand": each.number, "attempt": each.before, "charged": [letters[seat] for seat in each.charged]}
            for each in table.annulled
        ],
        "points": [dict(zip(letters, row.points, strict=True)) for row in sheet],
        "kitty": [None if row.kitty is None else letters[row.kitty] for row in sheet],
        "unclaimed": [row.unclaimed for row in sheet],
        "moon": [None if row.moon is None else {"seat": letters[row.moon], "choice": row.choice} for row in sheet],
        "scores": dict(zip(letters, scores, strict=True)),
        "game_over": over,
        "winners": [letters[seat] for seat in winners],
    }
