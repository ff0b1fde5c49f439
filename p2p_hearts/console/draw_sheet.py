"""The score sheet as on paper: a column per player, a line per hand, marks for kitty, moon and unclaimed points."""

from itertools import accumulate

from p2p_hearts.console.fragments import Line, clip, clip_text, columns, fit, right
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import seat_name
from p2p_hearts.protocol.scene import Scene, SheetRow

BARS = "▁▂▃▄▅▆▇█"
MAX_NAME = 9
RANK_COLUMNS = 30  # of place, name and total; the rest is for the chart
SHEET_LINES = 6  # of the sheet without its hands: names, totals, bars, marks, and lines between
LABEL = 6  # columns left of the first player


def sheet_lines(scene: Scene, width: int, height: int, scroll: int = 0) -> list[Line]:
    """The sheet in at most `height` lines; the newest hands when not all fit, older ones by scrolling."""
    cell = _cell(scene, width)
    if not scene.seats or LABEL + cell * len(scene.seats) > width:
        return _by_lines(scene, width)[scroll:][:height]
    body = _body(scene, cell)
    room = max(0, height - 3)
    top = max(0, len(body) - room)
    first = max(0, top - scroll)
    shown = body[first : first + room] or [[("class:off", f"{right('1', LABEL - 2)}  {_('being played')}")]]
    lines = [_names(scene, cell), *shown, _totals(scene, cell), _bars(scene, cell)]
    return [clip(line, width) for line in lines[:height]]


def sheet_page(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The sheet on a page of its own, with the meaning of its marks."""
    marks = [[("class:off", " " + _("° with the kitty   ☾ shot the moon   – points nobody got"))]]
    ranks = [[], *ranking_lines(scene, width)] if scene.sheet else []
    if len(scene.sheet) + len(scene.annulled) + len(ranks) + SHEET_LINES > height:
        ranks = []
    wide = [[("", " "), *line] for line in sheet_lines(scene, width - 2, height - 3 - len(ranks), screen.scroll)]
    return [[], *wide, *ranks, [], *marks][:height]


def _cell(scene: Scene, width: int) -> int:
    seats = max(1, len(scene.seats))
    longest = max((columns(seat_name(scene, seat)) for seat in range(len(scene.seats))), default=4)
    return max(5, min((width - LABEL - 1) // seats, min(MAX_NAME, longest) + 2))


def _names(scene: Scene, cell: int) -> Line:
    head = _("hand")
    line: Line = [("class:head", fit(right(head, max(LABEL - 2, min(columns(head), LABEL - 1))), LABEL))]
    for seat in range(len(scene.seats)):
        mine = seat == scene.my_seat
        name = clip_text(seat_name(scene, seat), cell - 1)
        line.append(("class:me" if mine else "class:head", right(name, cell)))
    return line


def _row(scene: Scene, row: SheetRow, cell: int) -> Line:
    line: Line = [("class:off", right(str(row.number), LABEL - 2)), ("", "  ")]
    for seat, count in enumerate(row.points):
        text = str(count).replace("-", "−")
        text = f"☾{text}" if seat == row.moon else text
        text = f"{text}°" if seat == row.kitty else text
        line.append(("class:me" if seat == scene.my_seat else "", right(text, cell)))
    if row.unclaimed:
        line.append(("class:off", f" –{row.unclaimed}"))
    return line


def _body(scene: Scene, cell: int) -> list[Line]:
    """A line for each hand; before it those that counted for nothing, with what they cost."""
    lines: list[Line] = []
    for row in scene.sheet:
        lines += [_spoilt(scene, charged, cell) for number, charged in scene.annulled if number == row.number]
        lines.append(_row(scene, row, cell))
    last = scene.sheet[-1].number if scene.sheet else 0
    return lines + [_spoilt(scene, charged, cell) for number, charged in scene.annulled if number > last]


def _spoilt(scene: Scene, charged: tuple[int, ...], cell: int) -> Line:
    """A hand that counted for nothing, and what it cost those on whose side it was spoilt (D23)."""
    line: Line = [("class:off", right("×", LABEL - 2)), ("", "  ")]
    for seat in range(len(scene.seats)):
        style = "class:me" if seat == scene.my_seat else ""
        line.append((style, right(str(scene.options.annulled_charge) if seat in charged else "·", cell)))
    return line


def _totals(scene: Scene, cell: int) -> Line:
    line: Line = [("class:strong", right(_("total"), LABEL - 1)), ("", " ")]
    low = min(scene.scores, default=0)
    for total in scene.scores:
        style = "class:ok class:strong" if total == low and scene.sheet else "class:strong"
        line.append((style, right(str(total).replace("-", "−"), cell)))
    return line


def _bars(scene: Scene, cell: int) -> Line:
    """Below each total, how it came about: the totals after the last hands."""
    line: Line = [("", " " * LABEL)]
    for bars in totals_in_bars(scene, cell - 1):
        line.append(("class:off", right(bars, cell)))
    return line if scene.sheet else []


def totals_in_bars(scene: Scene, most: int) -> tuple[str, ...]:
    """Each seat's totals after the last hands, at most so many, as bars of one scale."""
    runs = [totals_by_hand(scene, seat)[-most:] for seat in range(len(scene.seats))]
    low = min((total for run in runs for total in run), default=0)
    low, high = min(0, low), max(1, *(total for run in runs for total in (*run, 1)))
    return tuple("".join(BARS[(total - low) * (len(BARS) - 1) // (high - low)] for total in run) for run in runs)


def totals_by_hand(scene: Scene, seat: int) -> tuple[int, ...]:
    """The total of a seat after each hand."""
    charge = scene.options.annulled_charge
    costs = [
        row.points[seat] + charge * sum(seat in charged for number, charged in scene.annulled if number == row.number)
        for row in scene.sheet
    ]
    return tuple(accumulate(costs))


def ranking_lines(scene: Scene, width: int) -> list[Line]:
    """Who stands where, best first, with a small chart of how each total came about."""
    order = sorted(range(len(scene.scores)), key=lambda seat: scene.scores[seat])
    room = max(0, width - RANK_COLUMNS)
    bars = totals_in_bars(scene, room) if room else ("",) * len(scene.scores)
    lines: list[Line] = []
    for seat in order:
        place = 1 + sum(total < scene.scores[seat] for total in scene.scores)  # equal totals share a place
        style = "class:me" if seat == scene.my_seat else ""
        total = right(str(scene.scores[seat]).replace("-", "−"), 6)
        lines.append([("class:off", f" {place:3} "), (style, fit(seat_name(scene, seat), 16)), (style, total),
                      ("class:off", f"  {bars[seat]}")])  # fmt: skip
    return lines


def _by_lines(scene: Scene, width: int) -> list[Line]:
    """A line per player, best first, where columns do not fit."""
    order = sorted(range(len(scene.scores)), key=lambda seat: scene.scores[seat])
    last = scene.sheet[-1] if scene.sheet else None
    lines: list[Line] = []
    for seat in order:
        gained = (
            f" ({_('{points} in hand {number}', points=f'{last.points[seat]:+}', number=last.number)})"
            if last is not None
            else ""
        )
        style = "class:me" if seat == scene.my_seat else ""
        lines.append(
            clip(
                [(style, f"{right(str(scene.scores[seat]), 5)}  {seat_name(scene, seat)}"), ("class:off", gained)],
                width,
            )
        )
    return lines
