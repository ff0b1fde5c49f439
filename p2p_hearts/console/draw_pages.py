"""Pages about the table that a key opens: who passed what, why the deal can be trusted, who sits here.

The law: the page about trust claims what this program has checked itself, and says what no check can give.
"""

from p2p_hearts.cards import suit_of
from p2p_hearts.console.below import below
from p2p_hearts.console.draw_deal import step_table, words_of_the_table
from p2p_hearts.console.facts import sorted_hand
from p2p_hearts.console.fragments import Line, clean, clip, fit
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.parts import cards, paragraph, title
from p2p_hearts.console.state import Screen
from p2p_hearts.console.words import listed, peer_name, points, seat_name
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.passing import pass_source, pass_target
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol.scene import PeerLine, Scene

NAME_COLUMNS = 24


def passed_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """Which cards this seat passed and got in this hand, and the kitty if it has won it."""
    head = title(_("Cards that changed hands"), _("hand {number}", number=scene.number), width)
    view, seat = scene.view, scene.my_seat
    if view is None or seat is None:
        return [head]
    lines: list[Line] = []
    target = pass_target(scene.options, len(scene.seats), scene.number, seat)
    source = pass_source(scene.options, len(scene.seats), scene.number, seat)
    if target is None or source is None:
        lines += [[], [("", " " + _("No cards are passed in this hand."))]]
    elif view.passed:
        to = _("You passed to {name}:", name=seat_name(scene, target))
        lines += [[], [("class:head", f" {to}")], [("", "   "), *cards(sorted_hand(view.passed))]]
    if source is not None and view.received:
        got = _("{name} passed you:", name=seat_name(scene, source))
        lines += [[], [("class:head", f" {got}")], [("", "   "), *cards(sorted_hand(view.received))]]
        held = sum(card in view.held for card in dict.fromkeys(view.received))
        if screen.fresh and held:
            lines[-1].append(("class:note", " ◆"))
    if view.kitty is not None:
        cost = points(card_points(scene.options, view.kitty))
        kitty = _("The kitty you took ({points}); nobody else sees it before the hand is over:", points=cost)
        lines += [[], *_indented(paragraph(kitty, width - 2, "class:head"))]
        lines += [[("", "   "), *cards(sorted_hand(view.kitty))]]
    return [head, *lines][:height]


def trust_lines(scene: Scene, width: int, height: int) -> list[Line]:
    """What of this hand was proved, by whom, and checked here."""
    head = title(_("Why this deal can be trusted"), _("hand {number}", number=scene.number), width)
    lines: list[Line] = [head]
    if scene.words:
        lines += words_of_the_table(scene, width, short=True)
    facts = [line for fact in proved(scene) for line in _ticked(fact, width)]
    bounds = [line for limit in limits(scene) for line in _indented(paragraph(limit, width - 2, "class:off"))]
    table = step_table(scene, width) if scene.deal else []
    gaps = height - len(lines) - len(facts) - len(bounds) - len(table)
    gap: list[Line] = [[]] if gaps >= len(("table", "facts", "limits")) else []
    if gaps < 0:  # who did what gives way: the sentences below count it
        table = []
    return [*lines, *(gap if table else []), *table, *gap, *facts, *gap, *bounds][:height]


def people_lines(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    """Every peer with its key, what it plays for, and whether it is heard."""
    head = title(_("Who is here"), _("one program a person"), width)
    lines: list[Line] = []
    for place, peer in enumerate(scene.peers):
        on = place == screen.person
        name = fit(peer_name(scene, peer.key), NAME_COLUMNS)
        said = ", ".join(tags(screen, peer))
        lines.append(
            clip([("class:turn", " ▸ " if on else "   "), ("class:me" if peer.me else "class:strong" if on else "", name),
                  ("class:off", fit(peer.mark, 14)), ("class:note" if peer.away else "class:off", f" {said}")], width)
        )  # fmt: skip
        if on:
            lines += [[("", "     "), *line] for line in _about(screen, scene, peer, width - 7)]
    legend = paragraph(
        _("The two words are the mark of a key: compare them aloud if you doubt who somebody is."), width - 2
    )
    room = height - 1 - len(legend) - 1
    first = max(0, min(screen.person - room // 2, len(lines) - room))
    return [head, *lines[first : first + room], [], *_indented(legend)][:height]


def _about(screen: Screen, scene: Scene, peer: PeerLine, width: int) -> list[Line]:
    bots = [seat_name(scene, seat) for seat, line in enumerate(scene.seats) if line.operator == peer.key and line.bot]
    texts = [below(clean(screen.aside.met[peer.key]))] if peer.key in screen.aside.met else []
    if bots:
        texts.append(_("runs the bots {names}, and sees their cards", names=listed(bots)))
    return [line for text in texts for line in paragraph(text, width, "class:off")]


def tags(screen: Screen, peer: PeerLine) -> list[str]:
    """What is to be said of a peer in a word or two each."""
    words = [_("you")] if peer.me else []
    words += [_("host")] if peer.host else []
    if not peer.me:
        words += [_("away")] if peer.away else [] if peer.linked else [_("connecting …")]
        words += {"away": [_("away for a moment")], "wait": [_("asks you to wait")]}.get(peer.said, [])
        words += [_("a bot plays until they are back")] if peer.lost else []
        words += [_("muted")] if peer.key in screen.muted else []
    return words


def proved(scene: Scene) -> list[str]:
    """What has been checked in this hand so far, a sentence each."""
    peers, facts = len(scene.deal), []
    if peers:
        mixed, agreed = sum(row.verified for row in scene.deal), sum(row.agreed for row in scene.deal)
        facts.append(
            _("{n} of {all} shuffles are proved: the same 104 cards, in an order nobody knows.", n=mixed, all=peers)
        )
        facts.append(_("{n} of {all} programs have signed that they saw the same deck.", n=agreed, all=peers))
    if any(scene.passed):
        count = sum(scene.passed)
        text = _(
            "{n} of {all} hands have sealed the cards they pass, before anybody sees one.",
            n=count,
            all=len(scene.seats),
        )
        facts.append(text)
    hand = scene.hand
    if hand is not None and (played := _played(hand)):
        facts.append(
            n_(
                "{n} card has been played, proved to be from its player’s hand.",
                "{n} cards have been played, each proved to be from its player’s hand.",
                played,
            )
        )
        if off := _discards(hand):
            facts.append(
                n_(
                    "{n} of them did not follow suit: proved, without showing a card, that the hand has none of it.",
                    "{n} of them did not follow suit: each proved, without showing a card, that the hand has none of it.",
                    off,
                )
            )
    return facts


def limits(scene: Scene) -> list[str]:
    """What no proof can give."""
    if [peer.me for peer in scene.peers] == [True]:
        return [
            _("You play alone: your program shuffles, deals and runs all bots, so there is nobody to be convinced.")
        ]
    texts = [_("One honest shuffle is enough. What cannot be proved: that nobody whispers, or looks over a shoulder.")]
    if any(line.bot is not None for line in scene.seats):
        texts.append(_("The program that runs a bot sees its cards: w shows whose bots they are."))
    return texts


def _played(hand: Hand) -> int:
    return sum(len(trick.cards) for trick in hand.tricks) + len(hand.table)


def _discards(hand: Hand) -> int:
    """How many cards were not of the suit led."""
    tricks = [*(trick.cards for trick in hand.tricks), hand.table]
    return sum(suit_of(card) is not suit_of(played[0]) for played in tricks for card in played)


def _ticked(text: str, width: int) -> list[Line]:
    lines = paragraph(text, width - 4)
    return [[("class:ok", " ✓ "), *lines[0]], *[[("", "   "), *line] for line in lines[1:]]]


def _indented(lines: list[Line]) -> list[Line]:
    return [[("", " "), *line] for line in lines]
