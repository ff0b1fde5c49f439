"""The lobby: the tables on this network, why there are none, and the form of a table to be opened."""

from p2p_hearts.console.below import below
from p2p_hearts.console.fragments import Line, clean, clickable, clip, fit, pad, right, wrap
from p2p_hearts.console.language import N_, _, n_
from p2p_hearts.console.parts import paragraph, rule, title
from p2p_hearts.console.press_home import FIELDS, limit_of
from p2p_hearts.console.state import Form, Screen
from p2p_hearts.console.words import level_name, points, preset_name
from p2p_hearts.hearts.options import OptionError, departures, explain, resolve
from p2p_hearts.node.driver import TableRow
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import digest

STATES = {
    "lobby": N_("open"),
    "private": N_("private"),
    "playing": N_("playing"),
    "over": N_("over"),
    "silent": N_("silent"),
}
WIDE = 78  # columns; in a narrower window a row is name, seats and state alone
ROOMY = 20  # lines; only then is there room for the picture, where it takes none from what has to be said
HEADING = 2  # lines
FRESH = 5  # seconds; an age above it is shown
LABELS = {
    "name": N_("Name"), "seats": N_("Players"), "bots": N_("Bots"), "level": N_("Bots are"), "preset": N_("Rules"),
    "limit": N_("Play to"), "clock": N_("Time to decide"), "admit": N_("Who may sit down"),
    "watch": N_("May be watched"),
}  # fmt: skip
ADMITTED = {
    "approve": N_("those you let in"), "open": N_("everybody who asks"), "private": N_("those who have your invitation"),
}  # fmt: skip


def home_lines(screen: Screen, width: int, height: int) -> list[Line]:
    """The lobby, `height` lines high."""
    lines = [title(_("Cancellation Hearts"), _("peer to peer: nobody has to be trusted with the cards"), width), []]
    notes = [[("", " "), *line] for note in screen.notes for line in paragraph(below(note), width - 2, "class:off")]
    picture, body = [*banner(), []], len(screen.rows) + 1 if screen.rows else len(_welcome(width))
    if height >= max(ROOMY, len(lines) + len(picture) + HEADING + body + (len(notes) + 2 if notes else 0)):
        lines += picture
    heading = _("Tables on this network") if screen.rows else _("No table on this network yet")
    if screen.again is not None:
        heading = _(
            "Waiting until {host} opens {table} again", host=clean(screen.again.host), table=clean(screen.again.table)
        )
    lines += [[("", " "), ("class:strong", heading)], []]
    room = max(1, height - len(lines) - len(notes) - 2)
    if screen.rows:
        lines += _rows(screen, width, room)
    else:
        lines += _welcome(width)[: max(0, room)]
    return [*lines, [], rule(width), *notes] if notes else lines


def banner() -> list[Line]:
    """Three cards that tell what the game is about: two sevens cancel each other, and somebody gets the queen."""
    edge, gone = "class:edge", "class:suit.c class:cancelled"
    return [
        [(edge, "   ╭────╭────╭────╮")],
        [(edge, "   │ "), (gone, "7♣"), (edge, " │ "), (gone, "7♣"), (edge, " │ "), ("class:suit.s class:strong", "Q♠"), (edge, " │"),
         ("class:off", f"    {_('two equal cards cancel each other –')}")],
        [(edge, "   │  × │  × │  ◂ │"), ("class:off", f"    {_('and somebody takes the queen')}")],
        [(edge, "   ╰────╰────╰────╯")],
    ]  # fmt: skip


def _welcome(width: int) -> list[Line]:
    """What to do while there is no table."""
    lines = [[("", " "), *line] for line in paragraph(
        _("Tables appear here by themselves as soon as somebody on this Wi-Fi opens one."), width - 2)]  # fmt: skip
    lines.append([])
    for key, does in (
        ("h", _("open a table for your friends")),
        ("s", _("play at once, against bots")),
        ("l", _("learn the game in five minutes")),
        ("a", _("join by an invitation or an address, when somebody tells you one")),
    ):
        lines.append([("class:foot.key", f" {key}   "), ("", does)])
    hotspot = _("No Wi-Fi? The hotspot of a phone is enough; no Internet is needed.")
    return [*lines, [], *([("", " "), *line] for line in paragraph(hotspot, width - 2, "class:off"))]


def form_lines(form: Form, width: int) -> list[Line]:
    """The settings of a table to be opened."""
    host = form.kind == "host"
    lines = [title(_("A table for this network") if host else _("A table with bots"), "", width), []]
    for row, field in enumerate(FIELDS[form.kind]):
        on = row == form.row
        value = _value(form, field)
        turn = ("◂ ", " ▸") if on and field != "name" else ("  ", "")
        lines += [[("class:turn", " ▸ " if on else "   "), ("class:strong" if on else "", fit(_(LABELS[field]), 18)),
                   ("class:turn", turn[0]), ("class:strong" if on else "", value), ("class:turn", turn[1])]]  # fmt: skip
    lines += [[]]
    for sentence in _means(form):
        lines += [[("", "   "), *line] for line in paragraph(f"· {below(sentence)}", width - 6, "class:off", "  ")]
    return lines


def _value(form: Form, field: str) -> str:
    settings = form.settings
    values = {
        "name": settings.name or _("(yours)  e: type another"),
        "seats": str(settings.seats),
        "bots": str(settings.bots) if settings.bots else _("none; you can add some later"),
        "level": level_name(settings.level),
        "preset": preset_name(settings.preset),
        "limit": points(limit_of(settings)),
        "clock": n_("{n} second", "{n} seconds", settings.clock) if settings.clock else _("as long as it takes"),
        "watch": _("yes") if settings.watch else _("no"),
        "admit": _(ADMITTED[settings.admit]) if settings.admit in ADMITTED else settings.admit,
    }
    return values[field]


def _means(form: Form) -> tuple[str, ...]:
    """What the settings mean for this number of players."""
    settings = form.settings
    try:
        options = resolve(settings.preset, dict(settings.overrides), settings.seats)
    except OptionError as error:
        return (str(error),)
    alone = form.kind != "host" or settings.admit != "private"
    invited = () if alone else (_("Nobody can join without your invitation: words to say, a text or a QR code."),)
    return (*invited, *departures(options, settings.preset, settings.seats), *explain(options, settings.seats))


def _rows(screen: Screen, width: int, height: int) -> list[Line]:
    first = max(0, min(screen.row - height // 2, len(screen.rows) - (height - 1)))
    name = width - 64 if width >= WIDE else max(8, width - 26)  # the other fields take the rest
    lines: list[Line] = []
    if width >= WIDE:
        heads = (
            f"    {fit(_('table'), name)} {fit(_('host'), 10)} {fit(_('seats'), 5)} {fit(_('rules'), 10)}"
            f" {fit(_('address'), 21)} {_('seen')}"
        )
        lines.append(clip([("class:head", heads)], width))
    for place, row in enumerate(screen.rows[first : first + height - 1], first):
        lines.append(_row(row, place, place == screen.row, name, width))
    chosen = screen.rows[screen.row] if screen.row < len(screen.rows) else None
    about = _about(chosen, width) if chosen is not None else []
    return [*lines, *about] if len(lines) + len(about) <= height else [*lines, *about[1:2]][:height]


def _about(row: TableRow, width: int) -> list[Line]:
    """What is to be known of the table chosen: why it cannot be joined, or what its rules mean for so many players."""
    if not row.joinable:
        reason = below(row.reason)
        private = row.state == "private"
        text = f"{reason} {_('Enter lets you type it.')}" if private else _("Not to be joined: {reason}", reason=reason)
        return [[], *[[("class:note", f"    {line}")] for line in wrap(text, width - 6)]]
    lines: list[Line] = [[]]
    if row.state == "playing":
        begun = _("It is being played: Enter asks for the seat of a bot from the next hand on, w looks on.")
        lines += [[("", "    "), *line] for line in paragraph(begun, width - 6, "class:note")]
    for sentence in rules_in_words(row):
        lines += [[("", "    "), *line] for line in paragraph(f"· {sentence}", width - 6, "class:off", "  ")]
    return lines


def rules_in_words(row: TableRow) -> tuple[str, ...]:
    """What the preset of a table means for its number of players, if that is all the table has agreed on."""
    try:
        options = resolve(row.preset, {}, row.seats)
    except OptionError:  # a preset of another version
        return ()
    if row.rules_hash != plain_rules(row.preset):
        return (_("The host has changed some of these rules: you see which before you play."),)
    return tuple(below(sentence) for sentence in explain(options, row.seats))


def plain_rules(preset: str) -> str:
    """The hash by which a table tells that it plays a preset without a change."""
    return digest("rules", pack((preset, ()))).hex()[:8]


def _row(row: TableRow, place: int, on: bool, name: int, width: int) -> Line:  # noqa: FBT001 - a row is on or not
    style = f"{'class:row.on' if on else '' if row.joinable else 'class:off'} {clickable(f'row:{place + 1}')}"
    seats = f"{row.taken}/{row.seats}"
    state = "" if row.state == "lobby" else _(STATES[row.state]) if row.state in STATES else row.state
    if width < WIDE:
        return pad([(style, f"{'▸' if on else ' '}{place + 1:2} {fit(row.name, name)} {fit(seats, 6)} {state}")], width)
    age = _("now") if row.age_s < FRESH else _("{n} s ago", n=f"{row.age_s:.0f}")
    rules = preset_name(row.preset)
    text = f"{fit(row.name, name)} {fit(row.host, 10)} {fit(seats, 5)} {fit(rules, 10)} {fit(row.address, 21)}"
    return [(style, f"{'▸' if on else ' '}{right(str(place + 1), 2)} {text}"), ("class:off", f" {state or age}")]
