"""What the pages of the full screen say, in sentences for line mode: who passed what, why to trust the deal, who is here.

The law: a page is one line, asked for by one word, and changes nothing at the table.
"""

from dataclasses import replace

from p2p_hearts.console.draw_pages import limits, proved, tags
from p2p_hearts.console.facts import last_ended, sorted_hand
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Screen
from p2p_hearts.console.typed import phrases
from p2p_hearts.console.words import listed, peer_name, points, result, seat_name, spoken, who
from p2p_hearts.hearts.passing import pass_source, pass_target
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol.scene import Scene


def page_words(screen: Screen, scene: Scene, word: str, rest: str) -> tuple[Screen, str] | None:
    """What this word asks for, and the screen after it; None when it is none of these words."""
    match word:
        case "l":
            return screen, last_trick_words(scene)
        case "p":
            return replace(screen, fresh=()), passed_words(scene)
        case "y":
            return screen, trust_words(scene)
        case "w":
            return screen, people_words(screen, scene)
        case "mute":
            return muted_words(screen, scene, rest.strip())
        case _:
            return None


def last_trick_words(scene: Scene) -> str:
    """The last trick once more, card by card, and how it ended."""
    last = last_ended(scene)
    if last is None:
        return _("No trick has been played in this hand yet.")
    seats = len(last.cards)
    cards = ", ".join(f"{who(scene, (last.leader + at) % seats)} {spoken(card)}" for at, card in enumerate(last.cards))
    return f"{_('Trick {number}:', number=last.trick)} {cards}. {result(last, scene, spoken)}"


def passed_words(scene: Scene) -> str:
    """Which cards one passed and got in this hand, and the kitty."""
    view, seat = scene.view, scene.my_seat
    if view is None or seat is None:
        return _("No cards have been passed yet.")
    seats, texts = len(scene.seats), []
    target = pass_target(scene.options, seats, scene.number, seat)
    source = pass_source(scene.options, seats, scene.number, seat)
    if target is None or source is None:
        texts.append(_("No cards are passed in this hand."))
    elif not view.passed:
        texts.append(_("No cards have been passed yet."))
    else:
        texts.append(_("You passed {cards} to {name}.", cards=_cards(view.passed), name=seat_name(scene, target)))
    if source is not None and view.received:
        texts.append(_("{name} passed you {cards}.", name=seat_name(scene, source), cards=_cards(view.received)))
    if view.kitty is not None:
        cost = points(card_points(scene.options, view.kitty))
        texts.append(_("The kitty you took: {cards} ({points}).", cards=_cards(view.kitty), points=cost))
    return " ".join(texts)


def trust_words(scene: Scene) -> str:
    """What of this hand was proved and checked here, and what no proof can give."""
    told = (_("The words of this table: {words}.", words=", ".join(scene.words)),) if scene.words else ()
    return " ".join((*told, *proved(scene), *limits(scene)))


def people_words(screen: Screen, scene: Scene) -> str:
    """Everybody at the table: the mark of the key, whether they are heard, which bots their program runs."""
    texts = []
    for peer in scene.peers:
        about = ", ".join((peer.mark, *tags(screen, peer)))
        bots = [seat_name(scene, at) for at, seat in enumerate(scene.seats) if seat.operator == peer.key and seat.bot]
        runs = f", {_('runs the bots {names}, and sees their cards', names=listed(bots))}" if bots else ""
        texts.append(f"{peer_name(scene, peer.key)}: {about}{runs}.")
    return " ".join((*texts, _("mute and a name: do not show what somebody says, or show it again.")))


def muted_words(screen: Screen, scene: Scene, name: str) -> tuple[Screen, str]:
    """Somebody muted, or heard again."""
    found = [peer for peer in scene.peers if not peer.me and clean(peer.name).lower() == name.lower()]
    if not found:
        return screen, _("Nobody of that name is here; w reads who is.")
    key = found[0].key
    if key in screen.muted:
        return replace(screen, muted=screen.muted - {key}), _("{name} is heard again.", name=peer_name(scene, key))
    text = _("{name} is muted: only you notice.", name=peer_name(scene, key))
    return replace(screen, muted=screen.muted | {key}), text


def phrase_words() -> str:
    """The ready phrases with the numbers that say them."""
    ready = " ".join(f"{number}: {phrase}" for number, phrase in enumerate(phrases(), 1))
    return _("Say what? c and the text, or c and the number of a phrase. {phrases}", phrases=ready)


def said(rest: str) -> str:
    """The text to say: what was typed, or the ready phrase of that number."""
    text, ready = rest.strip(), phrases()
    return ready[int(text) - 1] if text.isdecimal() and 1 <= int(text) <= len(ready) else text


def _cards(cards: tuple[int, ...]) -> str:
    return listed([spoken(card) for card in sorted_hand(cards)])
