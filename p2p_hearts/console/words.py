"""Words for cards, people and tricks, in the language spoken: what the sentences of every screen are filled with.

The law: a sentence says what a person at the table could see, never a card of a hidden hand. How a card is named is an
argument: `symbol` for the screen (10♠), `spoken` for lines read aloud (10 of spades). Card players call a card by a word
of its own in each language, so every picture card is a message of its own.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from p2p_hearts.cards import Card, Rank, Suit, rank_of, suit_of
from p2p_hearts.console.facts import TableCards, cut_off, kinds, trick_cards
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.language import N_, Nn_, _, n_, p_, spoken_language
from p2p_hearts.hearts.hand import Hand, seat_letter
from p2p_hearts.hearts.reasons import Reason
from p2p_hearts.hearts.score import card_points
from p2p_hearts.node.driver import Teaching
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Scene, Stage

Naming: TypeAlias = Callable[[Card], str]

SUIT_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
NAME_COLUMNS = 20  # longer names are cut in sentences
ALONE = N_("Nobody else can be heard: is this computer still on the network?")
_NUMBERED = {
    Suit.CLUBS: Nn_("{rank} of clubs", "{rank}s of clubs"),
    Suit.DIAMONDS: Nn_("{rank} of diamonds", "{rank}s of diamonds"),
    Suit.HEARTS: Nn_("{rank} of hearts", "{rank}s of hearts"),
    Suit.SPADES: Nn_("{rank} of spades", "{rank}s of spades"),
}
_COURT = {
    (Rank.ACE, Suit.CLUBS): Nn_("ace of clubs", "aces of clubs"),
    (Rank.KING, Suit.CLUBS): Nn_("king of clubs", "kings of clubs"),
    (Rank.QUEEN, Suit.CLUBS): Nn_("queen of clubs", "queens of clubs"),
    (Rank.JACK, Suit.CLUBS): Nn_("jack of clubs", "jacks of clubs"),
    (Rank.ACE, Suit.DIAMONDS): Nn_("ace of diamonds", "aces of diamonds"),
    (Rank.KING, Suit.DIAMONDS): Nn_("king of diamonds", "kings of diamonds"),
    (Rank.QUEEN, Suit.DIAMONDS): Nn_("queen of diamonds", "queens of diamonds"),
    (Rank.JACK, Suit.DIAMONDS): Nn_("jack of diamonds", "jacks of diamonds"),
    (Rank.ACE, Suit.HEARTS): Nn_("ace of hearts", "aces of hearts"),
    (Rank.KING, Suit.HEARTS): Nn_("king of hearts", "kings of hearts"),
    (Rank.QUEEN, Suit.HEARTS): Nn_("queen of hearts", "queens of hearts"),
    (Rank.JACK, Suit.HEARTS): Nn_("jack of hearts", "jacks of hearts"),
    (Rank.ACE, Suit.SPADES): Nn_("ace of spades", "aces of spades"),
    (Rank.KING, Suit.SPADES): Nn_("king of spades", "kings of spades"),
    (Rank.QUEEN, Suit.SPADES): Nn_("queen of spades", "queens of spades"),
    (Rank.JACK, Suit.SPADES): Nn_("jack of spades", "jacks of spades"),
}
_SUITS = {Suit.CLUBS: N_("clubs"), Suit.DIAMONDS: N_("diamonds"), Suit.HEARTS: N_("hearts"), Suit.SPADES: N_("spades")}

_PRESETS = {"as_written": N_("as written"), "classic": N_("classic")}
_LEVELS = {
    "uniform": N_("uniform"), "cautious": N_("cautious"), "clever": N_("clever"), "expert": N_("expert"),
}  # fmt: skip


def symbol(card: Card) -> str:
    """A card as the screen shows it: `10♠`, `Q♥`."""
    rank = rank_of(card)
    return (str(int(rank)) if rank <= Rank.TEN else rank.name[0]) + SUIT_SIGNS[suit_of(card)]


def spoken(card: Card) -> str:
    """A card as one says it: `10 of spades`."""
    return _copies(card, 1)


def suit_name(suit: Suit) -> str:
    """A suit in words."""
    return _(_SUITS[suit])


def points(count: int) -> str:
    """So many points, in words."""
    return _("no points") if count == 0 else n_("{n} point", "{n} points", count).replace("-", "−")


def why(reason: Reason) -> str:
    """Why a card is refused, as the person reads it, without a full stop."""
    return _(
        reason.why.value,
        card="" if reason.card is None else spoken(reason.card),
        suit="" if reason.suit is None else suit_name(reason.suit),
        count="" if reason.count is None else n_("{n} card", "{n} cards", reason.count),
    )


def teaching_words(teaching: Teaching, name: Naming) -> str:
    """A word of the tutorial as the person reads it."""
    return upper(_(teaching.text, **{field: name(card) for field, card in teaching.cards}))


def listed(names: Sequence[str]) -> str:
    """Names as one says them: `Ann, Bea and Cem`."""
    return _("{names} and {last}", names=", ".join(names[:-1]), last=names[-1]) if len(names) > 1 else "".join(names)


def either(names: Sequence[str]) -> str:
    """Things to choose from: `a, b or c`."""
    return _("{names} or {last}", names=", ".join(names[:-1]), last=names[-1]) if len(names) > 1 else "".join(names)


def upper(text: str) -> str:
    """A sentence with a capital at its beginning."""
    first = "İ" if text.startswith("i") and spoken_language() == "tr" else text[:1].upper()
    return first + text[1:]


def preset_name(preset: str) -> str:
    """A set of rules, as people call it."""
    return _(_PRESETS[preset]) if preset in _PRESETS else preset


def level_name(level: str) -> str:
    """How well a bot plays, in a word."""
    return _(_LEVELS[level]) if level in _LEVELS else level


def seat_name(scene: Scene, seat: int) -> str:
    """The name a seat is shown by, cleaned; two of one name are told apart by their seat letter."""
    name = clean(scene.seats[seat].name, NAME_COLUMNS) or "?"
    same = sum(clean(other.name, NAME_COLUMNS) == name for other in scene.seats)
    return f"{name} {seat_letter(seat)}" if same > 1 else name


def who(scene: Scene, seat: int) -> str:
    """The name of a seat, or `you`."""
    return _("you") if seat == scene.my_seat else seat_name(scene, seat)


def peer_name(scene: Scene, key: bytes) -> str:
    """The name of a peer; two of one name are told apart by the mark of their key."""
    peer = next((peer for peer in scene.peers if peer.key == key), None)
    if peer is None:
        asking = scene.lobby.asking if scene.lobby is not None else ()
        waiting = next((line for line in asking if line.key == key), None)
        return clean(waiting.name, NAME_COLUMNS) if waiting is not None else _("somebody")
    name = clean(peer.name, NAME_COLUMNS)
    same = sum(clean(other.name, NAME_COLUMNS) == name for other in scene.peers)
    return f"{name} ({peer.mark})" if same > 1 else name


def pass_words(direction: str) -> str:
    """Where the cards go in this hand."""
    match direction[:1], direction[1:]:
        case "L", "":
            return _("to the left")
        case "R", "":
            return _("to the right")
        case "A", _away:
            return _("across")
        case "N", _away:
            return _("not at all")
        case "L", away:
            return n_("{n} seat to the left", "{n} seats to the left", int(away))
        case _side, away:
            return n_("{n} seat to the right", "{n} seats to the right", int(away))


def pass_short(direction: str) -> str:
    """The same in a word or two, for a title."""
    match direction[:1], direction[1:]:
        case "L", away:
            return " ".join(filter(None, (away, p_("pass", "left"))))
        case "R", away:
            return " ".join(filter(None, (away, p_("pass", "right"))))
        case _side, _away:
            return pass_words(direction)


def cancelling(cards: TableCards, name: Naming) -> str:
    """Which pairs cancel: `7♣ 7♣ cancel`, or nothing."""
    pairs = [card for card in kinds(cards.cards) if card in cards.cancelled]
    if not pairs:
        return ""
    if name is symbol:
        return _("{pairs} cancel", pairs=listed([f"{name(card)} {name(card)}" for card in pairs]))
    return _("the two {cards} cancel", cards=listed([_copies(card, 2) for card in pairs]))


def result(event: events.TrickEnded, scene: Scene, name: Naming) -> str:
    """The one line that says how a trick ended: `7♣ 7♣ cancel – Bea's 6♣ takes it, with the 14 points set aside`."""
    cards = trick_cards(scene.options, event.cards, event.leader, event.trick, len(scene.seats))
    pairs = cancelling(cards, name)
    beginning = f"{pairs} – " if pairs else ""
    if event.winner is None:
        return upper(f"{beginning}{_nobody_takes(event, scene)}.")
    own = card_points(scene.options, event.cards)
    carried = event.points - own
    card = name(event.cards[(event.winner - event.leader) % len(event.cards)])
    if event.winner == scene.my_seat:
        takes = _("your {card} takes it", card=card)
    else:
        takes = _("{name}'s {card} takes it", name=seat_name(scene, event.winner), card=card)
    extras = [_("the kitty")] if event.kitty else []
    extras += [n_("the {n} point set aside", "the {n} points set aside", carried)] if carried else []
    if extras:
        takes = _("{takes}, with {things}", takes=takes, things=listed(extras))
    if carried and not own:
        return upper(f"{beginning}{takes}.")
    total = points(event.points)
    seen = (
        _("{points} face up", points=total) if event.kitty else total
    )  # D9: what the kitty is worth only its winner knows
    return upper(f"{beginning}{takes}: {seen}.")


def situation(cards: TableCards, scene: Scene, name: Naming) -> str:
    """A trick that is not complete yet, in words: what cancels, who is winning."""
    pairs = cancelling(cards, name)
    if not cards.cards:
        return ""
    if cards.winner is None:
        many = len(set(cards.cancelled)) > 1 and scene.options.cancel_rule == "two_pairs"  # R15
        verdict = _("nobody can win this trick any more.") if many else _("so far nobody wins.")
        return upper(f"{pairs}: {verdict}" if pairs else verdict)
    seat, card = cards.seats[cards.winner], name(cards.cards[cards.winner])
    if seat == scene.my_seat:
        leads = _("your {card} wins so far", card=card)
    else:
        leads = _("{name}'s {card} wins so far", name=seat_name(scene, seat), card=card)
    return f"{upper(pairs)}. {upper(leads)}." if pairs else f"{upper(leads)}."


def lowest(scene: Scene) -> str:
    """Who has the lowest total, after a sentence that names no winner."""
    low = min(scene.scores, default=0)
    seats = [seat for seat, total in enumerate(scene.scores) if total == low]
    if not seats:
        return ""
    if seats == [scene.my_seat]:
        return " " + _("You have the lowest total.")
    names = upper(listed([who(scene, seat) for seat in seats]))
    text = (
        _("{name} has the lowest total.", name=names)
        if len(seats) == 1
        else _("{names} have the lowest total.", names=names)
    )
    return f" {text}"


def held_up(scene: Scene) -> str:
    """Who should act and cannot, since nothing is heard of the program that would have to; or nothing."""
    if cut_off(scene):
        return _(ALONE)
    if scene.deciding:
        gone = listed([clean(name, NAME_COLUMNS) for name in scene.deciding])
        return _("Those who are here decide to go on without {names}.", names=gone)
    away = {peer.key for peer in scene.peers if peer.away}
    names = {peer.name for peer in scene.peers if peer.away} | {s.name for s in scene.seats if s.operator in away}
    late = [clean(name, NAME_COLUMNS) for name in scene.waiting_for if name in names]
    if not late:
        return ""
    return _(
        "{names} cannot be heard. The hand waits; if most of you are here, it goes on without them after a while.",
        names=listed(late),
    )


def waiting(scene: Scene) -> str:
    """Whom the table waits for, in words, or nothing."""
    names = [clean(name, NAME_COLUMNS) for name in scene.waiting_for]
    if not names or scene.stage in {Stage.OVER, Stage.STOPPED}:
        return ""
    if missing := held_up(scene):
        return missing
    few = 4
    if len(names) > few:
        return n_("Waiting for {n} player.", "Waiting for {n} players.", len(names))
    return _("Waiting for {names}.", names=listed(names))


def waiting_points(event: events.TrickEnded, hand: Hand) -> int:
    """What a cancelled trick costs together with those before it that nobody took either (D3)."""
    own = card_points(hand.options, event.cards)
    for trick in reversed(hand.tricks[: event.trick - 1]):
        if trick.taker is not None:
            break
        own += card_points(hand.options, trick.cards)
    return own


def _nobody_takes(event: events.TrickEnded, scene: Scene) -> str:
    """What becomes of a cancelled trick, without its full stop."""
    hand = scene.hand
    if hand is None:
        return _("nobody takes it")
    n, last = waiting_points(event, hand), event.trick >= hand.size
    if last and scene.options.last_cancelled == "leader":  # D4
        if event.leader == scene.my_seat:
            return _("nobody takes it, so you, who led, get it: {points}", points=points(n))
        name = seat_name(scene, event.leader)
        return _("nobody takes it, so {name}, who led, gets it: {points}", name=name, points=points(n))
    match last, hand.kitty_size > 0 and hand.kitty_seat is None, n != 0:
        case True, True, True:
            return n_(
                "nobody takes it with the kitty: {n} point counts for nobody",
                "nobody takes it with the kitty: {n} points count for nobody",
                n,
            )
        case True, False, True:
            return n_("nobody takes it: {n} point counts for nobody", "nobody takes it: {n} points count for nobody", n)
        case True, kitty, False:
            return _("nobody takes it with the kitty") if kitty else _("nobody takes it")
        case False, True, True:
            return n_(
                "nobody takes it; {n} point waits for the next winner, the kitty too",
                "nobody takes it; {n} points wait for the next winner, the kitty too",
                n,
            )
        case False, True, False:
            return _("nobody takes it; the cards wait for the next winner, the kitty too")
        case False, False, True:
            return n_(
                "nobody takes it; {n} point waits for the next winner",
                "nobody takes it; {n} points wait for the next winner",
                n,
            )
    return _("nobody takes it; the cards wait for the next winner")


def _copies(card: Card, n: int) -> str:
    """One copy of a card, or both, as one says it."""
    rank, suit = rank_of(card), suit_of(card)
    one, both = _COURT.get((rank, suit), _NUMBERED[suit])
    return n_(one, both, n, rank=int(rank))
