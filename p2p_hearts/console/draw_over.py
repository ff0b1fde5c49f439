"""Pages that lie over the table: the moon choice, help, the log, the last trick, the end of the game, leaving."""

from p2p_hearts.console.below import below
from p2p_hearts.console.draw_deal import deal_summary
from p2p_hearts.console.draw_games import games_lines
from p2p_hearts.console.draw_invitation import invitation_lines
from p2p_hearts.console.draw_pages import passed_lines, people_lines, trust_lines
from p2p_hearts.console.draw_sheet import sheet_lines, sheet_page
from p2p_hearts.console.draw_side import log_lines
from p2p_hearts.console.facts import can_continue, duty, last_ended, moon_seat, trick_cards
from p2p_hearts.console.fragments import Line, clickable, fit
from p2p_hearts.console.keys import page_keys
from p2p_hearts.console.language import N_, _, n_
from p2p_hearts.console.parts import card, coloured, paragraph, title
from p2p_hearts.console.rules_text import game_lines
from p2p_hearts.console.state import Overlay, Screen
from p2p_hearts.console.words import listed, lowest, points, result, symbol, upper, waiting, who
from p2p_hearts.hearts.match import add_ends_badly
from p2p_hearts.protocol.scene import Scene, Stage

RULES_COLUMNS = 96  # longer lines are hard to read
GAME_IN_SHORT = (
    N_("Two decks, every card twice. Avoid hearts (1 point) and the queens of spades (13): the lowest total wins."),
    N_("Follow suit if you can. The highest card of the suit led takes the trick; two equal cards cancel each other."),
    N_(
        "Two pairs in one trick, or no live card of the suit led: nobody takes it, and the next winner gets it as well."
    ),
    N_(
        "The first trick won takes the kitty, the cards left over. Hearts may be led once a heart or a queen has fallen."
    ),
    N_("All hearts and both queens: you shot the moon, and take 26 off your total or give 26 to everybody else."),
)


def overlay_lines(screen: Screen, overlay: Overlay, width: int, height: int) -> list[Line]:
    """The page of an overlay."""
    scene = screen.scene
    if overlay is Overlay.GAMES:
        return games_lines(screen, width, height)
    if overlay is Overlay.HELP or scene is None:
        return _scrolled([title(_("Keys that work now"), "", width)], help_lines(screen, width), screen.scroll, height)
    if overlay is Overlay.INVITATION:
        return invitation_lines(screen, width, height)
    if overlay is Overlay.LOG:
        head = title(_("What happened"), n_("{n} line", "{n} lines", len(screen.log)), width)
        lines = log_lines(screen.log, width)
        return _scrolled([head], lines, max(0, len(lines) - (height - 1) - screen.scroll), height)
    if overlay is Overlay.PASSED:
        return passed_lines(screen, scene, width, height)
    if overlay is Overlay.TRUST:
        return trust_lines(scene, width, height)
    if overlay is Overlay.PEOPLE:
        return people_lines(screen, scene, width, height)
    if overlay is Overlay.TRICK:
        return [title(_("The last trick"), "", width), [], *last_trick_lines(scene, width)][:height]
    if overlay is Overlay.SHEET:
        head = title(f"{scene.table} · {_('score sheet')}", _("to {limit}", limit=scene.options.limit), width)
        over = (line.text for line in reversed(screen.log) if line.kind == "scored")
        news = next(over, "")
        under = [[("", " "), *line] for line in paragraph(news, width - 2)] if news and scene.sheet else []
        rest = _("It is your turn.") if duty(scene) is not None else deal_summary(scene) or waiting(scene)
        under += [[("class:off", f" {rest}")]] if rest else []
        return [head, *sheet_page(screen, scene, width, height - 1 - len(under)), *under][:height]
    return [title(scene.table, "", width), [], [("class:strong", f" {_('Leave the table? The game is not over.')}")], [],
            *[[("", " "), *line] for line in paragraph(_(_LEAVING if can_continue(scene) else _LEAVING_BOTS), width - 2, "class:off")]]  # fmt: skip


def page_length(screen: Screen, overlay: Overlay, width: int, room: int) -> int:
    """How many lines a page has below its title, for a window of this width; 0 for one that is not scrolled."""
    match overlay:
        case Overlay.SHEET if screen.scene is not None:
            return room + max(0, len(screen.scene.sheet) - 1)
        case Overlay.HELP:
            return len(help_lines(screen, width))
        case Overlay.LOG:
            return len(log_lines(screen.log, width))
        case _:
            return 0


_LEAVING_BOTS = N_("y leaves; any other key stays.")
_LEAVING = N_(
    "y leaves for good: the others are told, and a bot plays on for you. z closes the table for now: a bot plays until you go on with the game from the lobby. Any other key stays."
)


def help_lines(screen: Screen, width: int) -> list[Line]:
    """Every key that works on the page below, the game in a few lines, and its rules."""
    lines: list[Line] = [[]]
    for key in page_keys(screen):
        text = paragraph(_(key.long), width - 12)
        lines += [
            [("class:foot.key", f"  {fit(_(key.label), 8)}"), *text[0]],
            *[[("", " " * 10), *line] for line in text[1:]],
        ]
    lines += [[], [("class:strong", f" {_('The game in short')}")]]
    for sentence in GAME_IN_SHORT:
        lines += [[("", "  "), *line] for line in paragraph(_(sentence), width - 4, "class:off")]
    return [*lines, [], *[[("", f" {line}")] for line in game_lines(min(width - 2, RULES_COLUMNS))]]


def last_trick_lines(scene: Scene, width: int) -> list[Line]:
    """The last complete trick, card by card, and how it ended."""
    last = last_ended(scene)
    if last is None:
        return [[("class:off", f" {_('No trick has been played in this hand yet.')}")]]
    table = trick_cards(scene.options, last.cards, last.leader, last.trick, len(scene.seats))
    lines: list[Line] = [[("class:head", " " + _("Trick {number}", number=last.trick))]]
    for place, seat in enumerate(table.seats):
        one = table.cards[place]
        mark = " ×" if one in table.cancelled else " ◂" if place == table.winner else ""
        style = "class:cancelled" if one in table.cancelled else "class:win" if mark else ""
        name = ("class:me" if seat == scene.my_seat else "", f"   {fit(upper(who(scene, seat)), 16)}")
        lines.append([name, card(one, style), ("class:turn" if mark == " ◂" else "class:off", mark)])
    return [*lines, [], *[[("", " "), *line] for line in paragraph(result(last, scene, symbol), width - 2)]]


def moon_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The choice of whoever shot the moon, or who is choosing."""
    top = [title(f"{scene.table} · {_('the moon')}", _("hand {number}", number=scene.number), width), []]
    shooter = moon_seat(scene)
    if shooter is None or shooter != scene.my_seat:
        name = upper(_("somebody") if shooter is None else who(scene, shooter))
        text = _("{name} won all hearts and both Black Marias, and now chooses.", name=name)
        sheet = sheet_lines(scene, width - 2, height - 5)
        return [*top, [("", " "), *coloured(text)], [], *[[("", " "), *line] for line in sheet]]
    value = scene.options.moon_value
    own = scene.scores[shooter]
    lines = [*top, [("class:strong", f" ☾ {_('You shot the moon: all 26 hearts and both Black Marias!')}")], []]
    choices = (
        ("1", _("Take {n} off your own total", n=value), _("you go from {own} to {less}", own=own, less=own - value)),
        (
            "2",
            _("Put {n} onto everybody else", n=value),
            _("you stay at {own}, all others get {n} more", own=own, n=value),
        ),
    )
    for place, (number, what, means) in enumerate(choices):
        on = place == screen.pick
        click = clickable(number)
        lines.append([("class:turn", " ▸ " if on else "   "), (f"class:foot.key {click}", f"{number}  "),
                      (f"{'class:strong' if on else ''} {click}", what), ("class:off", f": {means}".replace("-", "−"))])  # fmt: skip
    if add_ends_badly(scene.options, scene.scores, shooter):
        warning = _("Careful: choice 2 ends the game, and somebody else would win it.")  # D17
        lines += [[], [("class:bad", f" {warning}")]]
    sheet = sheet_lines(scene, width - 2, height - len(lines) - 1)
    return [*lines, [], *[[("", " "), *line] for line in sheet]]


def over_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The end of the game, or why the table stopped."""
    if scene.stage is Stage.STOPPED:
        head = title(f"{scene.table or _('A table')} · {_('stopped')}", "", width)
        said = [
            [("", " "), *line]
            for line in paragraph(below(scene.problem or "") or _("You left the table."), width - 2, "class:bad")
        ]
    else:
        head = title(f"{scene.table} · {_('the game is over')}", "", width)
        said = [[("", " "), *line] for line in paragraph(_winners(scene), width - 2, "class:strong")]
    if not scene.seats:  # there was no game yet
        return [head, [], *said][:height]
    signed = next((line.text for line in reversed(screen.log) if line.kind == "signed"), "")
    under: list[Line] = [[("class:ok", f" ✓ {signed}")]] if signed else [[("class:off", f" {waiting(scene)}")]]
    room = height - 4 - len(said)
    return [head, [], *said, *sheet_page(screen, scene, width, room), *under][:height]


def _winners(scene: Scene) -> str:
    if not scene.winners:
        return _("The agreed number of hands has been played.") + lowest(scene)
    total = points(scene.scores[scene.winners[0]])
    if scene.winners == (scene.my_seat,):
        return _("You win the game with {points}.", points=total)
    names = upper(listed([who(scene, seat) for seat in scene.winners]))
    if len(scene.winners) == 1:
        return _("{name} wins the game with {points}.", name=names, points=total)
    return _("{names} share the victory with {points}.", names=names, points=total)


def _scrolled(head: list[Line], lines: list[Line], scroll: int, height: int) -> list[Line]:
    room = max(0, height - len(head))
    first = min(scroll, max(0, len(lines) - room))
    return [*head, *lines[first : first + room]]
