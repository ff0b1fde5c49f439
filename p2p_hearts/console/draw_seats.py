"""The seats in play order from the leader: name, card, points, cards left; or, in a small window, the trick alone."""

from p2p_hearts.console.facts import TableCards, is_away, operator, points_so_far, public_hand, table_cards
from p2p_hearts.console.fragments import Line, clip, columns, fit, pad, right, width_of
from p2p_hearts.console.language import _, p_
from p2p_hearts.console.parts import card
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import seat_name, who
from p2p_hearts.hearts.hand import to_play
from p2p_hearts.protocol.scene import Scene, Stage

NARROW = 46


def seat_table(screen: Screen, scene: Scene, width: int, *, header: bool) -> list[Line]:
    """One line for each seat, the leader of the trick first."""
    slim = width < NARROW
    numbers = 5 if slim else 6
    card_columns = 9 if slim else 11
    name_columns = width - 4 - card_columns - 3 * numbers - 1
    lines: list[Line] = []
    if header:
        labels = (_("hand"), _("game"), p_("column", "left")) if slim else (_("hand"), _("score"), _("cards"))
        heads = "".join(right(label, numbers) for label in labels)
        lines.append([("class:head", f"    {fit(_('seat'), name_columns)}{fit(_('card'), card_columns)}{heads}")])
    table = table_cards(scene, screen.ended)
    order = table.seats if table is not None else tuple(range(len(scene.seats)))
    points = points_so_far(scene)
    hand = public_hand(scene)
    for place, seat in enumerate(order):
        mine = seat == scene.my_seat
        line = [*_marks(scene, screen, seat), *_name(screen, scene, seat, name_columns)]
        line += pad(_card(screen, scene, table, place, seat), card_columns)
        style = "class:me" if mine else ""
        total = scene.scores[seat] if seat < len(scene.scores) else 0
        left = hand.left[seat] if hand is not None else 0
        line.append(
            (style if points[seat] else "class:off", right(f"{points[seat]:+}" if points[seat] else "·", numbers))
        )
        line += [(style, right(f"{total}".replace("-", "−"), numbers)), ("class:off", right(str(left), numbers))]
        lines.append(line)
    return lines


def seat_strip(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The cards of the trick with their players, one after the other, over as many lines as there are."""
    table = table_cards(scene, screen.ended)
    if table is None:
        return []
    if scene.stage is Stage.PASSING:
        return [[("class:off", " " + _("{n} of {all} have chosen.", n=sum(scene.passed), all=len(scene.seats)))]][
            :height
        ]
    lines: list[Line] = [[("", " ")]]
    for place, seat in enumerate(table.seats[: len(table.cards)] or table.seats[:1]):
        name = who(scene, seat)
        piece: Line = [("class:off", f"{name[:8]} "), *_card(screen, scene, table, place, seat, led=False), ("", "  ")]
        if width_of(lines[-1]) + width_of(piece) > width:
            lines.append([("", " ")])
        lines[-1] += piece
    return [clip(line, width) for line in lines[-height:]] if height else []


def points_strip(scene: Scene, width: int) -> list[Line]:
    """Everybody's total, and with it the points of this hand, over as many lines as it takes."""
    points = points_so_far(scene)
    lines: list[Line] = [[("", " ")]]
    for seat, total in enumerate(scene.scores):
        text = f"{total}{points[seat]:+}" if points[seat] else str(total)
        name = who(scene, seat)[:8]
        piece: Line = [("class:off", f"{name} "), ("class:me" if seat == scene.my_seat else "", text.replace("-", "−")),
                       ("", "  ")]  # fmt: skip
        if width_of(lines[-1]) + width_of(piece) > width:
            lines.append([("", " ")])
        lines[-1] += piece
    return [clip(line, width) for line in lines]


def _marks(scene: Scene, screen: Screen, seat: int) -> Line:
    turn = scene.stage is Stage.PLAYING and screen.ended is None and _to_play(scene) == seat
    return [("class:turn", " ▸" if turn else "  "), ("class:off", "D " if seat == scene.dealer else "  ")]


def _to_play(scene: Scene) -> int | None:
    return to_play(scene.hand) if scene.hand is not None else None


def _tag(screen: Screen, scene: Scene, seat: int) -> str:
    """Who plays for a seat if not its person, or why its person may not answer; the own word, too."""
    if scene.seats[seat].bot is not None:
        return _("away") if is_away(scene, seat) else _("bot")
    peer = operator(scene, seat)
    if peer is None:
        return ""
    said = screen.mark if peer.me else peer.said
    if peer.lost:
        return f"→{_('bot')}"
    left = dict(screen.waits).get(peer.key)
    if peer.away and left is not None:  # in so many seconds it goes on without
        return f"{_('away')} {left}"
    return _("away") if peer.away or said == "away" else _("wait!") if said == "wait" else ""


def _name(screen: Screen, scene: Scene, seat: int, width: int) -> Line:
    mine = seat == scene.my_seat
    word = _tag(screen, scene, seat)
    tag = f" {word}" if word else ""
    name = _("You ({name})", name=seat_name(scene, seat)) if mine else seat_name(scene, seat)
    shown = fit(name, min(columns(name), width - columns(tag) - 1))
    return pad([("class:me" if mine else "", shown), ("class:off", tag)], width)


def _card(screen: Screen, scene: Scene, table: TableCards | None, place: int, seat: int, *, led: bool = True) -> Line:
    if scene.stage is Stage.PASSING:
        done = seat < len(scene.passed) and scene.passed[seat]
        return [("class:ok", f"✓ {_('chosen')}")] if done else [("class:off", _("choosing"))]
    if table is None:
        return []
    if place >= len(table.cards):
        thinking = place == len(table.cards) and scene.stage is Stage.PLAYING and screen.ended is None
        return [("class:turn", "···") if thinking else ("class:off", "·")]
    one = table.cards[place]
    said: Line = [("class:off", f" {_('led')}")] if place == 0 and led else []
    if one in table.cancelled:
        return [card(one, "class:cancelled"), ("class:off", " ×"), *said]
    if place == table.winner:
        return [card(one, "class:win"), ("class:turn", " ◂"), *said]
    return [card(one), ("", "  " if led else ""), *said]
