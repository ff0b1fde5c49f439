"""The totals over the hands as a picture: one line a player, in SVG.

The law: nobody is told by colour alone. A line has a dash and a mark of its own, and its player's name at its end; the
table of the score sheet holds every number that is drawn.
"""

from p2p_hearts.report.markup import Markup, element, joined, single, text
from p2p_hearts.report.record import Record
from p2p_hearts.report.words import number

WIDTH, HEIGHT = 760, 400  # units of the picture
LEFT, RIGHT, TOP, BOTTOM = 48, 190, 16, 36  # margins: numbers, names, and the hands below
LABEL = 15  # units between two names at least
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
MOST_LINES, MOST_NUMBERS, MOST_MARKS = 8, 20, 40
DASHES = (None, "7 3", "2 3")
MARKS = 4  # kinds of them


def chart(record: Record) -> Markup:
    """The picture; one line for each seat."""
    totals = [(0,) * len(record.game.seats), *(line.totals for line in record.lines)]
    low, high, step = _range(totals, record.checked.options.limit)
    hands = len(totals) - 1

    def across(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / hands, 1)

    def down(total: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - total) / (high - low), 1)

    every = -(-hands // MOST_NUMBERS)
    parts = [
        element("title", text("Totals over the hands"), id="chart-title"),
        element("desc", text(_description(record)), id="chart-description"),
        *(
            joined(
                single("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=down(value), y2=down(value)),
                element("text", text(number(value)), class_="axis", x=LEFT - 6, y=down(value) + 4, text_anchor="end"),
            )
            for value in range(low, high + 1, step)
        ),
        _limit(record.checked.options.limit, down(record.checked.options.limit)) if _has_limit(record, high) else text(""),
        *(
            element("text", text(record.lines[place - 1].number), class_="axis", x=across(place), y=HEIGHT - 14,
                    text_anchor="middle")
            for place in range(1, hands + 1)
            if place % every == 0 or place == 1
        ),
        element("text", text("hand"), class_="axis", x=LEFT - 6, y=HEIGHT - 14, text_anchor="end"),
    ]  # fmt: skip
    labels = _spread([down(total) for total in totals[-1]])
    for seat, player in enumerate(record.game.seats):
        line = [(across(place), down(total[seat])) for place, total in enumerate(totals)]
        parts.append(_line(seat, line, marked=hands <= MOST_MARKS))
        said = f"{player.name} {number(totals[-1][seat])}"
        parts.append(_label(seat, said, line[-1], labels[seat]))
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby="chart-title",
        aria_describedby="chart-description",
    )


def _range(totals: list[tuple[int, ...]], limit: int) -> tuple[int, int, int]:
    """The lowest and the highest number of the axis, and the step between two lines."""
    least, most = min(map(min, totals)), max(1, *map(max, totals))
    most = limit if limit * 3 // 4 <= most < limit else most  # a limit that is near is seen
    step = next((step for step in STEPS if (most - least) / step <= MOST_LINES), STEPS[-1])
    return least // step * step, -(-most // step) * step, step


def _has_limit(record: Record, high: int) -> bool:
    return record.checked.options.limit <= high


def _limit(limit: int, y: float) -> Markup:
    words = element("text", text(f"limit {limit}"), class_="axis", x=LEFT + 6, y=y - 5)
    return joined(single("line", class_="limit", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y), words)


def _line(seat: int, points: list[tuple[float, float]], *, marked: bool) -> Markup:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    line = single("polyline", class_=f"line s{seat}", points=path, stroke_dasharray=DASHES[seat % len(DASHES)])
    marks = [_mark(seat, x, y) for x, y in points[1:]] if marked else []
    return joined(line, *marks)


def _mark(seat: int, x: float, y: float) -> Markup:
    corners = {1: "-4,-4 4,-4 4,4 -4,4", 2: "0,-5 5,4 -5,4", 3: "0,-5 5,0 0,5 -5,0"}.get(seat % MARKS)
    if corners is None:
        return single("circle", class_=f"mark s{seat}", cx=f"{x:g}", cy=f"{y:g}", r=4)
    return single("polygon", class_=f"mark s{seat}", points=corners, transform=f"translate({x:g} {y:g})")


def _label(seat: int, said: str, end: tuple[float, float], y: float) -> Markup:
    x = WIDTH - RIGHT
    lead = single("line", class_=f"lead s{seat}", x1=f"{end[0]:g}", y1=f"{end[1]:g}", x2=x + 16, y2=f"{y:g}")
    words = element("text", text(said), class_=f"label s{seat}", x=x + 30, y=f"{y + 4:g}")
    return joined(lead, _mark(seat, x + 22, y), words)


def _spread(wanted: list[float]) -> list[float]:
    """Where the names go: as near to the ends of their lines as they can be without lying on each other."""
    order = sorted(range(len(wanted)), key=lambda seat: wanted[seat])
    places = dict.fromkeys(order, 0.0)
    least = float(TOP)
    for seat in order:
        places[seat] = least = max(wanted[seat], least)
        least += LABEL
    most = float(HEIGHT - BOTTOM)
    for seat in reversed(order):
        places[seat] = most = min(places[seat], most)
        most -= LABEL
    return [round(places[seat], 1) for seat in range(len(wanted))]


def _description(record: Record) -> str:
    ends = ", ".join(
        f"{seat.name} {number(total)}" for seat, total in zip(record.game.seats, record.checked.scores, strict=True)
    )
    return f"One line for each player, from 0 to the last total: {ends}. The score sheet below has every number."
