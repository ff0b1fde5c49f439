"""Drawing lots and the shuffle as it happens: who gave a key, who has mixed, whose proof is verified, who agreed."""

from p2p_hearts.console.fragments import Line, clip, fit, pad
from p2p_hearts.console.parts import paragraph, title
from p2p_hearts.console.words import held_up, peer_name, seat_name, upper, waiting, who
from p2p_hearts.protocol.scene import DealLine, Scene, Stage

STEPS = (
    ("key", "its key"),
    ("mixed", "shuffled"),
    ("verified", "proved"),
    ("agreed", "agreed"),
    ("dealt", "dealt"),
)
STEP_COLUMNS = 10
WHY = (
    "Everybody shuffles the deck in turn, face down, and proves it: the same 104 cards, in an order nobody knows. "
    "As long as one of you shuffles honestly, nobody can know a card of another hand."
)


def deal_lines(scene: Scene, width: int, height: int) -> list[Line]:
    """The deal in progress, or the drawing of lots before it."""
    if scene.stage is Stage.ELECTION:
        return _election(scene, width)
    dealer = f" · dealer {who(scene, scene.dealer)}" if scene.dealer is not None else ""
    lines = [title(f"{scene.table} · dealing hand {scene.number}{dealer}", "", width), [], *step_table(scene, width)]
    lines += [[], *[[("", " "), *line] for line in paragraph(progress(scene), width - 2)]]
    if scene.words and scene.number == 1:
        lines += [[], *words_of_the_table(scene, width)]
    room = height - len(lines) - 1
    why = [[("", " "), *line] for line in paragraph(WHY, width - 2, "class:off")]
    return [*lines, [], *why] if room >= len(why) else lines


LABEL_COLUMNS = 22


def step_table(scene: Scene, width: int) -> list[Line]:
    """A line for each peer, a column for each step of the deal."""
    slim = width < LABEL_COLUMNS + STEP_COLUMNS * len(STEPS) + 2
    cell = 7 if slim else STEP_COLUMNS
    name = max(8, min(LABEL_COLUMNS, width - cell * len(STEPS) - 2))
    heads = "".join(fit(label.replace("its ", ""), cell) for _, label in STEPS)
    head = clip([("class:head", f" {fit('', name)}{heads}")], width)
    return [head, *[clip(_peer(scene, row, name, cell), width) for row in scene.deal]]


def progress(scene: Scene) -> str:
    """How far the deal is, in one sentence."""
    peers = len(scene.deal)
    if not peers:
        return waiting(scene)
    if missing := held_up(scene):
        return missing
    done = {step: sum(getattr(row, step) for row in scene.deal) for step, _ in STEPS}
    if done["key"] < peers:
        return f"{done['key']} of {peers} keys are here."
    if done["verified"] < peers:
        proved = [peer_name(scene, row.peer) for row in scene.deal if row.verified]
        last = f"The proof of {proved[-1]} is verified: the same cards, in an order nobody knows. " if proved else ""
        return (
            f"{last}{upper(_next_mixer(scene))} shuffles."
            if done["mixed"] < peers
            else f"{last}Checking the last proof."
        )
    if done["agreed"] < peers:
        return f"All {peers} shuffles are proved. {done['agreed']} of {peers} have signed that they saw the same deck."
    return f"All agree on the deck. {done['dealt']} of {peers} have opened the cards of the others' hands for them."


def deal_summary(scene: Scene) -> str:
    """The deal in one line, for screens that show something else."""
    return f"Hand {scene.number} is being dealt: {progress(scene)}" if scene.stage is Stage.DEALING else ""


def words_of_the_table(scene: Scene, width: int, *, short: bool = False) -> list[Line]:
    """The three words by which people see that they sit at one table; `short` leaves out what they are for."""
    words: Line = [("", " The words of this table: "), ("class:strong", " ".join(scene.words))]
    if short:
        return [clip([*words, ("class:off", " – alike on every screen")], width)]
    text = "They are alike on every screen; if yours differ, you sit at different tables."
    return [
        words,
        *[[("", " "), *line] for line in paragraph(text, width - 2, "class:off")],
    ]


def _next_mixer(scene: Scene) -> str:
    return next((peer_name(scene, row.peer) for row in scene.deal if not row.mixed), "nobody")


def _peer(scene: Scene, row: DealLine, name: int, cell: int) -> Line:
    line: Line = [("", " "), *pad([("", fit(peer_name(scene, row.peer), name - 1))], name)]
    for step, _ in STEPS:
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
    lines = [title(f"{scene.table} · drawing lots", "", width), []]
    lines += [[("", " "), *line] for line in paragraph("Everybody throws in a secret number; all are opened at once and "
              "together decide the seats and the first dealer. Nobody can choose alone.", width - 2)]  # fmt: skip
    if scene.words:
        lines += [[], *words_of_the_table(scene, width)]
    lines += [[]]
    for seat in range(len(scene.seats)):
        dealer = "  deals first" if seat == scene.dealer else ""
        style = "class:me" if seat == scene.my_seat else ""
        lines.append([("class:off", f" {seat + 1:2} "), (style, seat_name(scene, seat)), ("class:off", dealer)])
    rest = waiting(scene)
    return [*lines, [], [("class:off", f" {rest}")]] if rest else lines
