"""The waiting room: who sits at the table, who asks to, what will be played and what it means for so many players."""

from p2p_hearts.console.below import below
from p2p_hearts.console.draw_side import log_tail
from p2p_hearts.console.facts import cut_off
from p2p_hearts.console.fragments import Line, beside, clean, clip, fit
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.parts import paragraph, rule, title
from p2p_hearts.console.press_waiting import is_host
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import ALONE, NAME_COLUMNS, level_name, peer_name, preset_name
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, explain
from p2p_hearts.protocol.scene import Lobby, PeerLine, Scene, Stage

LEFT_COLUMNS = 40


def waiting_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """The waiting room, `height` lines high."""
    lobby = scene.lobby
    if scene.stage is Stage.JOINING or lobby is None:
        text = _("Waiting for the host to let you sit down.")
        return [title(f"{scene.table or _('A table')} · {_('joining')}", "", width), [], [("", f" {text}")]]
    count = _("{filled} of {seats} seats filled", filled=filled(scene, lobby), seats=lobby.seats)
    top = [title(f"{scene.table} · {_('waiting room')}", count, width), []]
    trouble = _(ALONE) if cut_off(scene) else below(lobby.problem or "")
    state: Line = [("class:note", f" {trouble}")] if trouble else _ready(scene)
    wide = width >= LEFT_COLUMNS * 2
    left_width = max(LEFT_COLUMNS, width * 2 // 5) if wide else width
    right_width = width - left_width - 2 if wide else width - 2
    rows = height - len(top) - 2
    left, right = _people(screen, scene, lobby, left_width, rows), _rules(scene, lobby, right_width)
    if not wide:
        return [*top, *[*left, [], *[[("", " "), *line] for line in right]][:rows], [], clip(state, width)]
    room = rows - max(len(left), len(right)) - 1
    log = [[("", " "), *line] for line in log_tail(screen.log, width - 2, max(0, room), chat_only=False)]
    bar: list[Line] = [[("class:rule", "│ "), *line] for line in right]
    bar += [[("class:rule", "│")] for _ in range(len(left) - len(bar))]
    body = beside(left, bar, left_width, max(len(left), len(bar)))
    lines = [*top, *body[:rows], *([rule(width), *log] if log else [])]
    return [*lines, *([] for _ in range(height - len(lines) - 1)), clip(state, width)]


def _ready(scene: Scene) -> Line:
    if is_host(scene):
        return [("class:ok", " " + _("Everything is ready: s starts the game."))]
    return [("class:ok", " " + _("Everything is ready; the host starts the game."))]


def _people(screen: Screen, scene: Scene, lobby: Lobby, width: int, height: int) -> list[Line]:
    """Who is there. Below each name, where there is room, its key and whether it was met before."""
    lines: list[Line] = [[("class:head", f" {_('at the table')}")]]
    met = screen.aside.met
    known = sum(peer.key in met for peer in scene.peers)
    roomy = 1 + len(scene.peers) + known + len(lobby.bots) + 2 * (1 + len(lobby.asking)) <= height
    for peer in scene.peers:
        tag = ", ".join(_tags(peer))
        name: Line = [("class:me" if peer.me else "", f" {peer_name(scene, peer.key)}"), ("class:off", f"  {tag}")]
        lines.append(clip(name, width - 1))
        if roomy and peer.key in met:
            lines += [[("", "   "), *line] for line in paragraph(below(clean(met[peer.key])), width - 4, "class:off")]
    lines += [
        clip([("", f" {_('Bot {number}', number=place)}"), ("class:off", f"  {level_name(level)}")], width - 1)
        for place, level in enumerate(lobby.bots, 1)
    ]
    if lobby.asking:
        lines += [[], [("class:note", f" {_('asking to sit down')}")]]
    for place, asking in enumerate(lobby.asking):
        on = is_host(scene) and place == min(screen.row, len(lobby.asking) - 1)
        mark = " ▸ " if on else "   "
        text = f"{mark}{clean(asking.name, NAME_COLUMNS)}  {asking.mark}"
        lines.append(clip([("class:strong" if on else "", text)], width - 1))
        if asking.key in met and (roomy or on):
            lines += [
                [("", "   "), *line] for line in paragraph(below(clean(met[asking.key])), width - 4, "class:note")
            ]
    return lines


def _tags(peer: PeerLine) -> list[str]:
    tags = [_("you")] if peer.me else []
    tags += [_("host")] if peer.host else []
    if not peer.me:
        tags += [_("away")] if peer.away else [] if peer.linked else [_("connecting …")]
    return [*tags, peer.mark] if not peer.me else tags


def _rules(scene: Scene, lobby: Lobby, width: int) -> list[Line]:
    rules = _("Rules {preset}, to {points}", preset=preset_name(lobby.preset), points=lobby.options.limit)
    rules += ", " + n_("{n} hand", "{n} hands", lobby.hands) if lobby.hands else ""
    lines: list[Line] = [
        [("class:head", fit(_("what will be played"), width))],
        *paragraph(rules, width, "class:strong"),
    ]
    for departure in lobby.departures:
        lines += paragraph(f"· {below(departure)}", width, "class:note", "  ")
    for meaning in meanings(scene, lobby):
        lines += paragraph(f"· {below(meaning)}", width, "class:off", "  ")
    return lines


def filled(scene: Scene, lobby: Lobby) -> int:
    """How many seats are taken by people and bots."""
    return len(scene.peers) + len(lobby.bots)


def meanings(scene: Scene, lobby: Lobby) -> tuple[str, ...]:
    """What the rules mean for the number of players now seated, or wanted while it is too small."""
    seats = filled(scene, lobby)
    return explain(lobby.options, seats if MIN_SEATS <= seats <= MAX_SEATS else lobby.seats)
