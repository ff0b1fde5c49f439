"""Drawing lots and the shuffle as it happens: who gave a key, who has mixed, whose proof is verified, who agreed."""

from p2p_hearts.console.fragments import Line, clip, clip_text, fit, pad
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.parts import paragraph, title
from p2p_hearts.console.words import held_up, peer_name, seat_name, waiting, who
from p2p_hearts.protocol.scene import DealLine, Scene, Stage

STEPS = (
    ("key", N_("key")),
    ("mixed", N_("shuffled")),
    ("verified", N_("proved")),
    ("agreed", N_("agreed")),
    ("dealt", N_("dealt")),
)
STEP_COLUMNS = 10
WHY = N_(
    "Everybody shuffles the deck in turn, face down, and proves it: the same 104 cards, in an order nobody knows. "
    "As long as one of you shuffles honestly, nobody can know a card of another hand."
)


def deal_lines(scene: Scene, width: int, height: int) -> list[Line]:
    """The deal in progress, or the drawing of lots before it."""
    if scene.stage is Stage.ELECTION:
        return _election(scene, width)
    parts = [scene.table, _("dealing hand {number}", number=scene.number)]
    parts += [_("dealer {name}", name=who(scene, scene.dealer))] if scene.dealer is not None else []
    lines = [title(" · ".join(parts), "", width), [], *step_table(scene, width)]
    lines += [[], *[[("", " "), *line] for line in paragraph(progress(scene), width - 2)]]
    if scene.words and scene.number == 1:
        lines += [[], *words_of_the_table(scene, width)]
    room = height - len(lines) - 1
    why = [[("", " "), *line] for line in paragraph(_(WHY), width - 2, "class:off")]
    return [*lines, [], *why] if room >= len(why) else lines


LABEL_COLUMNS = 22


def step_table(scene: Scene, width: int) -> list[Line]:
    """A line for each peer, a column for each step of the deal."""
    slim = width < LABEL_COLUMNS + STEP_COLUMNS * len(STEPS) + 2
    cell = 7 if slim else STEP_COLUMNS
    name = max(8, min(LABEL_COLUMNS, width - cell * len(STEPS) - 2))
    heads = "".join(fit(clip_text(_(label), cell - 1), cell) for _step, label in STEPS)
    head = clip([("class:head", f" {fit('', name)}{heads}")], width)
    return [head, *[clip(_peer(scene, row, name, cell), width) for row in scene.deal]]


def progress(scene: Scene) -> str:
    """How far the deal is, in one sentence."""
    peers = len(scene.deal)
    if not peers:
        return waiting(scene)
    if missing := held_up(scene):
        return missing
    done = {step: sum(getattr(row, step) for row in scene.deal) for step, _label in STEPS}
    if done["key"] < peers:
        return _("{n} of {all} keys are here.", n=done["key"], all=peers)
    if done["verified"] < peers:
        proved = [peer_name(scene, row.peer) for row in scene.deal if row.verified]
        last = (
            _("The proof of {name} is verified: the same cards, in an order nobody knows.", name=proved[-1])
            if proved
            else ""
        )
        mixer = next((row.peer for row in scene.deal if not row.mixed), None)
        now = _("Checking the last proof.") if mixer is None else _("{name} shuffles.", name=peer_name(scene, mixer))
        return f"{last} {now}".strip()
    if done["agreed"] < peers:
        return _(
            "All {all} shuffles are proved. {n} of {all} have signed that they saw the same deck.",
            n=done["agreed"],
            all=peers,
        )
    return _(
        "All agree on the deck. {n} of {all} have opened the cards of the others for them.", n=done["dealt"], all=peers
    )


def deal_summary(scene: Scene) -> str:
    """The deal in one line, for screens that show something else."""
    if scene.stage is not Stage.DEALING:
        return ""
    return _("Hand {number} is being dealt: {progress}", number=scene.number, progress=progress(scene))


def words_of_the_table(scene: Scene, width: int, *, short: bool = False) -> list[Line]:
    """The three words by which people see that they sit at one table; `short` leaves out what they are for."""
    words: Line = [("", f" {_('The words of this table:')} "), ("class:strong", " ".join(scene.words))]
    if short:
        return [clip([*words, ("class:off", f" – {_('alike on every screen')}")], width)]
    text = _("They are alike on every screen; if yours differ, you sit at different tables.")
    return [
        words,
        *[[("", " "), *line] for line in paragraph(text, width - 2, "class:off")],
    ]


def _peer(scene: Scene, row: DealLine, name: int, cell: int) -> Line:
    line: Line = [("", " "), *pad([("", fit(peer_name(scene, row.peer), name - 1))], name)]
    for step, _label in STEPS:
        mark = (
            ("class:ok", "✓")
            if getattr(row, step)
            else ("class:turn", "…")
            if _due(scene, row, step)
            else ("class:off", "·")
        )
        line += pad([mark], cell)
    return line


def _due(scene: Scene, row: DealLine, step: str) -> bool:
    """Whether this step is what the peer is at: keys and signatures all at once, the mixing in turn."""
    if step == "key":
        return True
    if step == "verified":
        return row.mixed
    before = {"mixed": "key", "agreed": "verified", "dealt": "agreed"}[step]
    ready = all(getattr(other, before) for other in scene.deal)
    return ready and (step != "mixed" or row == next(other for other in scene.deal if not other.mixed))


def _election(scene: Scene, width: int) -> list[Line]:
    lines = [title(f"{scene.table} · {_('drawing lots')}", "", width), []]
    text = _(
        "Everybody throws in a secret number; all are opened at once and together decide the seats and the first dealer. "
        "Nobody can choose alone."
    )
    lines += [[("", " "), *line] for line in paragraph(text, width - 2)]
    if scene.words:
        lines += [[], *words_of_the_table(scene, width)]
    lines += [[]]
    for seat in range(len(scene.seats)):
        dealer = f"  {_('deals first')}" if seat == scene.dealer else ""
        style = "class:me" if seat == scene.my_seat else ""
        lines.append([("class:off", f" {seat + 1:2} "), (style, seat_name(scene, seat)), ("class:off", dealer)])
    rest = waiting(scene)
    return [*lines, [], [("class:off", f" {rest}")]] if rest else lines
