"""The own hand: cards side by side with their edges, the chosen one lifted out; or one line where there is no room.

A card that may not be played now is dim and has a dot where the others have their number; cards just received carry ◆.
"""

from dataclasses import dataclass

from p2p_hearts.cards import Card
from p2p_hearts.console.facts import may_play, my_cards
from p2p_hearts.console.fragments import Line, clickable, clip
from p2p_hearts.console.language import _
from p2p_hearts.console.parts import card, card_style
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import symbol
from p2p_hearts.protocol.scene import Scene, Stage

FAN_ROWS = 5  # one for lifting, three for the cards, one for the numbers
CELLS = (6, 5, 4)  # columns of a card, its left edge included; the widest that fits is taken


@dataclass(frozen=True, slots=True)
class Shown:
    """One card of the hand and all that is shown about it."""

    card: Card
    number: int
    lifted: bool
    pointed: bool
    off: bool
    fresh: bool
    ahead: bool = False  # chosen before one's turn


def hand_cards(screen: Screen, scene: Scene) -> tuple[Shown, ...]:
    """The own hand with what is to be seen of each card."""
    allowed = may_play(scene)
    passing = scene.stage is Stage.PASSING
    waiting = list(screen.fresh)
    shown: list[Shown] = []
    ahead = screen.plan.card if screen.plan is not None else None
    for place, one in enumerate(my_cards(scene, screen.order)):
        fresh = one in waiting
        if fresh:
            waiting.remove(one)
        pointed = place == screen.cursor
        planned = one == ahead and not any(other.ahead for other in shown)
        lifted = place in screen.chosen if passing else pointed or planned
        shown.append(Shown(one, place + 1, lifted, pointed, one not in allowed, fresh, planned))
    return tuple(shown)


def hand_lines(screen: Screen, scene: Scene, width: int, rows: int) -> list[Line]:
    """The own hand in at most `rows` lines; none for somebody who only looks on."""
    if scene.my_seat is None:
        return []
    shown = hand_cards(screen, scene)
    if not shown:
        return [[("class:off", f" {_no_cards(scene)}")]]
    cell = next((cell for cell in CELLS if len(shown) * cell + 3 <= width), None)
    return _fan(shown, cell, width) if cell is not None and rows >= FAN_ROWS else _flat(shown, width)


def flat_rows(scene: Scene, width: int) -> int:
    """How many lines the hand takes where there is no room for edges."""
    per_line = max(1, (width - 1) // 5)
    return 2 * max(1, -(-len(my_cards(scene)) // per_line))


def _no_cards(scene: Scene) -> str:
    return _("Your last card is played.") if scene.hand is not None and scene.hand.tricks else _("No cards yet.")


def _fan(shown: tuple[Shown, ...], cell: int, width: int) -> list[Line]:
    face = cell - 1
    lines: list[Line] = [[("", " ")] for _ in range(FAN_ROWS)]
    for place, one in enumerate(shown):
        before = shown[place - 1] if place else None
        for row in range(FAN_ROWS - 1):
            click = clickable(f"card:{one.number}")
            lines[row] += [
                _edge(before, one, row),
                *[(f"{style} {click}", text) for style, text in _inside(one, row, face)],
            ]
        label = "✓" if one.ahead else "·" if one.off else str(one.number)
        label = f"[{label}]" if one.pointed and not one.lifted else label
        style = "class:cursor" if one.pointed else "class:off" if one.off else ""
        gap = max(0, (face - len(label) + 1) // 2)
        lines[-1] += [("", " " * (1 + gap)), (style, label), ("", " " * (face - gap - len(label)))]
    for row in range(FAN_ROWS - 1):
        lines[row].append(_edge(shown[-1], None, row))
    return [clip(line, width) for line in lines]


def _edge(left: Shown | None, right_card: Shown | None, row: int) -> tuple[str, str]:
    """The column between two cards; the card on the right lies above, a lifted one above both."""
    mine = _corner(right_card, row, "╭│╰")
    other = _corner(left, row, "╮│╯")
    front = right_card if mine != " " and not (left is not None and left.lifted and other != " ") else left
    piece = mine if front is right_card and mine != " " else other
    return ("class:edge.on" if front is not None and front.lifted else "class:edge"), piece


def _corner(one: Shown | None, row: int, pieces: str) -> str:
    at = row if one is not None and one.lifted else row - 1
    return pieces[at] if one is not None and 0 <= at < len(pieces) else " "


def _inside(one: Shown, row: int, face: int) -> Line:
    at = row if one.lifted else row - 1
    edge = "class:edge.on" if one.lifted else "class:edge"
    if at == 1:
        style = card_style(one.card, "class:off" if one.off else "class:strong" if one.lifted else "")
        text = symbol(one.card)
        return [(style, (f" {text}" if len(text) + 1 < face else text).ljust(face))]
    if at == 0 and one.fresh:
        return [(edge, "─"), ("class:note", "◆"), (edge, "─" * (face - 2))]
    return [(edge, "─" * face)] if at in {0, 2} else [("", " " * face)]


def _flat(shown: tuple[Shown, ...], width: int) -> list[Line]:
    per_line = max(1, (width - 1) // 5)
    lines: list[Line] = []
    for start in range(0, len(shown), per_line):
        numbers: Line = [("", " ")]
        faces: Line = [("", " ")]
        for one in shown[start : start + per_line]:
            label = "✓" if one.ahead else "·" if one.off else str(one.number)
            numbers.append(
                ("class:off" if not one.pointed else "class:strong", f"{label + ('◆' if one.fresh else ''):^5}")
            )
            style = "class:cursor" if one.pointed else "class:off" if one.off else ""
            text = f"[{symbol(one.card)}]" if one.lifted else f" {symbol(one.card)} "
            click = clickable(f"card:{one.number}")
            faces += [(f"{card(one.card)[0]} {style} {click}", text), ("", " " * (5 - len(text)))]
        lines += [clip(numbers, width), clip(faces, width)]
    return lines
