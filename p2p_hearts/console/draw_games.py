"""The games that were not played to their end: what they were called, how far they came, who played, and when."""

from p2p_hearts.console.fragments import Line, clean, clip, fit
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.parts import paragraph, title
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import listed
from p2p_hearts.node.unfinished import Unfinished

FEW = 4  # names are given, more are counted


def games_lines(screen: Screen, width: int, height: int) -> list[Line]:
    """The page, `height` lines high; the game chosen is always to be seen."""
    head = [title(_("Unfinished games"), "", width), []]
    below = paragraph(
        _("The others go on without you until you are back; where nobody is left, nothing goes on."), width - 2
    )
    room = max(1, height - len(head) - len(below) - 1)
    first = max(0, min(screen.game - room // 2, len(screen.games) - room))
    lines: list[Line] = []
    for place, game in enumerate(screen.games[first : first + room], first):
        on = place == screen.game
        mark = ("class:turn", " ▸ " if on else "   ")
        name = ("class:strong" if on else "", fit(clean(game.title), min(24, width // 3)))
        lines.append(clip([mark, name, ("class:off", f" {about(game)}")], width))
    return [*head, *lines, [], *[[("", " "), *line] for line in below]][:height]


def about(game: Unfinished) -> str:
    """How far a game came, when, and with whom."""
    when = game.last.strftime("%Y-%m-%d %H:%M")
    people = [clean(name, 16) for name in game.people]
    if not people:
        who = _("alone with bots")
    elif len(people) > FEW:
        who = n_("with {n} other", "with {n} others", len(people))
    else:
        who = _("with {names}", names=listed(people))
    return f"{_('hand {number}', number=game.hand)}, {when}, {who}"
