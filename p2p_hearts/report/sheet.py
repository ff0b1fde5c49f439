"""The score sheet as on paper: a column for each player, for each hand the points and below them the new total.

Marks: `☾` shot the moon, `°` took the kitty; a deal that was annulled has a line of its own with what it cost whom.
"""

from p2p_hearts.report.markup import NOTHING, Markup, element, joined, name, text
from p2p_hearts.report.record import Line, Record
from p2p_hearts.report.words import number, points

MARKS = "Each cell holds the points of the hand and, below, the new total. ☾ shot the moon; ° took the kitty."


def sheet(record: Record) -> Markup:
    """The table."""
    heads = [element("th", name(seat.name), scope="col") for seat in record.game.seats]
    head = element("tr", element("th", text("Hand"), scope="col"), *heads, element("th", text("Notes"), scope="col"))
    totals = record.checked.scores
    last = [element("td", text(number(total)), class_="best" if total == min(totals) else None) for total in totals]
    foot = element("tr", element("th", text("Total"), scope="row"), *last, element("td", NOTHING))
    return element(
        "table",
        element("caption", text(MARKS)),
        element("thead", head),
        element("tbody", *(_row(record, line) for line in record.lines)),
        element("tfoot", foot),
        class_="sheet",
    )


def _row(record: Record, line: Line) -> Markup:
    cells = [_cell(line, seat) for seat in range(len(line.points))]
    heading = element("th", text(line.number), scope="row")
    return element("tr", heading, *cells, element("td", *_notes(record, line), class_="notes"))


def _cell(line: Line, seat: int) -> Markup:
    scored = line.scored
    if scored is None:
        cost = text(number(line.points[seat])) if seat in line.charged else text("–")
    else:
        moon = _mark("☾", "shot the moon, ") if seat == scored.moon else NOTHING
        kitty = _mark("°", ", with the kitty") if seat == scored.kitty else NOTHING
        cost = joined(moon, text(number(line.points[seat])), kitty)
    total = element("span", text(number(line.totals[seat])), class_="sum")
    return element("td", cost, element("span", text(", total "), class_="said"), total)


def _mark(sign: str, said: str) -> Markup:
    seen = element("span", text(sign), aria_hidden="true", class_="mark")
    return joined(seen, element("span", text(said), class_="said"))


def _notes(record: Record, line: Line) -> list[Markup]:
    seats, scored = record.game.seats, line.scored
    if scored is None:
        charged = [name(seats[seat].name) for seat in line.charged]
        who = joined(text(", charged to "), joined(*charged, by=", ")) if charged else NOTHING
        return [joined(text("annulled and dealt again"), who)]
    notes = []
    if scored.moon is not None:
        how = "takes the points off" if scored.choice == "subtract" else "puts them on everybody else"
        notes.append(joined(name(seats[scored.moon].name), text(f" shot the moon and {how}. ")))
    if scored.unclaimed:
        notes.append(text(f"{points(scored.unclaimed)} unclaimed"))
    return notes
