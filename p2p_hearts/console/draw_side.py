"""What stands beside the seats: the last trick in words, what is set aside, the kitty, then chat and log."""

from p2p_hearts.console.facts import last_ended, public_hand
from p2p_hearts.console.fragments import Line, clip
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.parts import cards, coloured, paragraph
from p2p_hearts.console.state import LogLine, Screen
from p2p_hearts.console.words import points, result, seat_name, symbol
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol.scene import Scene

STYLES = {
    "chat": "class:chat", "bad": "class:bad", "note": "", "bots": "", "play": "class:off", "trick": "", "scored": "", "signed": "",
}  # fmt: skip


def side_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """At most `height` lines, the most useful first."""
    lines = last_trick(scene, width) if screen.ended is None else []
    lines += [*([[]] if lines else []), *set_aside(scene, width), *kitty(scene, width)]
    if screen.fresh:
        lines += [
            [("class:note", _("From {name}:", name=screen.giver) + " "), *cards(screen.fresh), ("class:note", " ◆")]
        ]
    if scene.words and scene.number == 1 and not (scene.hand is not None and scene.hand.tricks):
        # at a small table the deal is over before they can be compared
        lines += paragraph(_("The words of this table: {words}", words=" ".join(scene.words)), width)
    room = height - len(lines) - 1
    log = log_tail(screen.log, width, room, chat_only=room < height // 2)
    return [*lines, *([[]] if log else []), *log][:height]


def last_trick(scene: Scene, width: int) -> list[Line]:
    """The last trick in one sentence."""
    last = last_ended(scene)
    return (
        paragraph(_("Last trick: {result}", result=result(last, scene, symbol)), width, "class:off")
        if last is not None
        else []
    )


def set_aside(scene: Scene, width: int) -> list[Line]:
    """What waits for the next winner."""
    hand = public_hand(scene)
    if hand is None:
        return []
    pile = hand.pile
    if not pile:
        return [[("class:off", _("Nothing is set aside"))]]
    cost = points(card_points(scene.options, pile))
    return [
        clip(
            [
                ("", _("Set aside:") + " "),
                ("class:strong", n_("{n} card, {points}", "{n} cards, {points}", len(pile), points=cost)),
            ],
            width,
        )
    ]


def kitty(scene: Scene, width: int) -> list[Line]:
    """Where the kitty is; what is in it only for its winner (D9)."""
    hand = public_hand(scene)
    if hand is None or not hand.kitty_size:
        return []
    if hand.kitty_seat is None:
        return [
            clip(
                [("", n_("Kitty: {n} card, not taken yet", "Kitty: {n} cards, not taken yet", hand.kitty_size))], width
            )
        ]
    if hand.kitty_seat != scene.my_seat:
        return [clip([("", _("Kitty: {name} has it", name=seat_name(scene, hand.kitty_seat)))], width)]
    if scene.view is None or scene.view.kitty is None:
        return [[("", _("Kitty: yours"))]]
    cost = card_points(scene.options, scene.view.kitty)
    return [
        clip([("", _("Kitty, yours ({points}):", points=format(cost, "+")) + " "), *cards(scene.view.kitty)], width)
    ]


def log_tail(log: tuple[LogLine, ...], width: int, height: int, *, chat_only: bool) -> list[Line]:
    """The last lines of the log that fit, each broken into as many as it needs."""
    lines: list[Line] = []
    for entry in reversed(log):
        if chat_only and entry.kind not in {"chat", "bad"}:
            continue
        block = paragraph(entry.text, width, STYLES[entry.kind], "  ")
        if len(lines) + len(block) > height:
            break
        lines = [*block, *lines]
    return lines


def log_lines(log: tuple[LogLine, ...], width: int) -> list[Line]:
    """The whole log, oldest first."""
    lines: list[Line] = []
    for entry in log:
        lines += [[("", " "), *line] for line in paragraph(entry.text, width - 2, STYLES[entry.kind], "  ")]
    return lines or [coloured(" " + _("Nothing has happened yet."), "class:off")]


def giver_words(screen: Screen) -> str:
    """Who gave which cards, as a sentence; nothing once it has been seen."""
    if not screen.fresh:
        return ""
    return _(
        "{name} passed you {cards} (marked ◆; space: seen).",
        name=screen.giver,
        cards=" ".join(map(symbol, screen.fresh)),
    )
