"""The table during a hand: the seats in play order with the trick, beside it what waits and what was, below the hand.

Order of importance when space is short: own hand, the trick with winner and cancelled cards, whose turn, what is set
aside, points, last trick, log, chat.
"""

from p2p_hearts.console.draw_hand import FAN_ROWS, flat_rows, hand_lines
from p2p_hearts.console.draw_seats import points_strip, seat_strip, seat_table
from p2p_hearts.console.draw_sheet import SHEET_LINES, sheet_lines
from p2p_hearts.console.draw_side import last_trick, log_tail, set_aside, side_lines
from p2p_hearts.console.draw_tricks import trick_grid
from p2p_hearts.console.facts import duty, public_hand
from p2p_hearts.console.fragments import Line, beside, clip, columns
from p2p_hearts.console.language import _
from p2p_hearts.console.parts import coloured, paragraph, rule, title
from p2p_hearts.console.state import Screen
from p2p_hearts.console.turns import happened, whose_turn
from p2p_hearts.console.words import pass_short
from p2p_hearts.hearts.passing import pass_step
from p2p_hearts.protocol.scene import Scene, Stage

LEFT_COLUMNS = 48  # of the seats; what is right of it tells more
WIDE = ((150, 96), (110, 68))  # in windows so wide, columns of the seats, their sheet and their tricks
SIDE_COLUMNS = 24  # less is no use


def table_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The whole table but the last two lines, `height` lines high."""
    top = [table_title(scene, width, screen.left)]
    what = [
        [("", " "), *line]
        for line in paragraph(happened(screen, scene), width - 2, "class:strong" * (screen.ended is not None))
    ][:2]
    seats = len(scene.seats)
    left = height - len(top) - len(what) - flat_rows(scene, width)
    below = [*what, *_turn(screen, scene, width, max(1, min(3, left)))]
    roomy = (
        height >= len(top) + seats + len(below) + FAN_ROWS
    )  # rules and heads of columns give way before the edges of cards
    hand = hand_lines(screen, scene, width, FAN_ROWS if roomy else flat_rows(scene, width))
    if not roomy and height < len(top) + seats + len(below) + len(hand):
        return _small([*top, *below], screen, scene, hand, width, height)
    spare = height - len(top) - seats - len(below) - len(hand)
    rules = spare > 1 + 1
    middle_height = height - len(top) - len(below) - len(hand) - (2 if rules else 0)
    middle = _middle(screen, scene, width, middle_height)
    line = [rule(width)] if rules else []
    return [*top, *line, *middle, *line, *below, *hand]


def _turn(screen: Screen, scene: Scene, width: int, rows: int) -> list[Line]:
    """Whose turn it is, in at most so many lines."""
    style = "class:strong" if duty(scene) is not None else ""
    text = whose_turn(screen, scene)
    lines = paragraph(text, width - 2, style) if rows > 1 else [coloured(text, style)]
    return [clip([("", " "), *line], width) for line in lines[:rows]]


def table_title(scene: Scene, width: int, left: int | None = None) -> Line:
    """Which hand of which game, which trick, where the cards went, whether hearts are broken; the name gives way."""
    hand = public_hand(scene)
    number = _("hand {number}", number=scene.number)
    game = _("hand {number} of a game to {limit}", number=scene.number, limit=scene.options.limit)
    if hand is None:
        return title(f"{scene.table} · {game}", "", width)
    step = pass_step(scene.options, scene.number)
    where = pass_short(step)
    broken = _("♥ broken") if hand.broken else _("♥ not broken")
    if left is not None:
        broken = f"{_('{n} s left', n=left)} · {broken}"
    if scene.stage is Stage.PASSING:
        passing = _("pass {where}", where=where)
        facts = [[scene.table, game, passing], [scene.table, number, passing], [number, passing]]
    else:
        passed = _("no pass") if step == "N" else _("passed {where}", where=where)
        trick = _("trick {number} of {all}", number=min(hand.trick, hand.size), all=hand.size)
        facts = [
            [scene.table, game, trick, passed], [scene.table, number, trick, passed], [scene.table, number, trick],
            [number, trick],
        ]  # fmt: skip
    texts = [" · ".join(some) for some in facts]
    room = width - columns(broken) - 4  # the margins, and two columns between
    return title(next((text for text in texts if columns(text) <= room), texts[-1]), broken, width)


def _middle(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    seats = len(scene.seats)
    left = next((columns for wide, columns in WIDE if width >= wide), LEFT_COLUMNS)
    side = width - left - 2
    header = height > seats
    if side < SIDE_COLUMNS:
        return _filled(seat_table(screen, scene, width, header=header), height)
    column = seat_table(screen, scene, left, header=header)
    for block in _more(scene, left - 2, height - len(column)):
        column += [[], *[[("", " "), *line] for line in block]]
    bar: list[Line] = [
        [("class:rule", "│ "), *line] for line in _filled(side_lines(screen, scene, side, height), height)
    ]
    return beside(column, bar, left, height)


def _more(scene: Scene, width: int, height: int) -> list[list[Line]]:
    """What else finds room below the seats: the score sheet, then all tricks of the hand."""
    grid = trick_grid(scene, width)
    sheet = sheet_lines(scene, width, height - 1) if height > SHEET_LINES else []
    if not grid or len(sheet) + len(grid) + 2 > height:
        return [sheet] if sheet else []
    return [sheet, grid]


def _small(top: list[Line], screen: Screen, scene: Scene, hand: list[Line], width: int, height: int) -> list[Line]:
    room = max(0, height - len(top) - len(hand))
    lines = seat_strip(screen, scene, width, room)
    aside = set_aside(scene, width - 2) if scene.hand is not None and scene.hand.pile else []
    last = last_trick(scene, width - 2) if screen.ended is None else []
    chat = log_tail(screen.log, width - 2, 2, chat_only=True)
    for block, indent in ((aside, 1), (points_strip(scene, width), 0), (last, 1), (chat, 1)):
        if len(lines) + len(block) <= room:  # what does not fit whole gives way
            lines += [[("", " " * indent), *line] for line in block]
    return [*top[:1], *_filled(lines, room), *top[1:], *hand][:height]


def _filled(lines: list[Line], height: int) -> list[Line]:
    return [*lines[:height], *([] for _ in range(height - len(lines)))]
