"""Events in words: one English sentence for each thing that happens, the same on the full screen and in line mode.

The law: a sentence says what a person at the table could see, never a card of a hidden hand. How a card is named is an
argument: `symbol` for the screen (10♠), `spoken` for lines read aloud (10 of spades).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from p2p_hearts.cards import Card, Rank, Suit, card_name, rank_of, suit_of
from p2p_hearts.console.facts import TableCards, cut_off, kinds, trick_cards
from p2p_hearts.console.fragments import clean
from p2p_hearts.hearts.hand import Hand, seat_letter
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Scene, Stage

Naming: TypeAlias = Callable[[Card], str]

SUIT_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
DIRECTIONS = {"L": "to the left", "R": "to the right", "A": "across", "N": "not at all"}
UNKNOWN: Mapping[bytes, str] = MappingProxyType({})
NAME_COLUMNS = 20  # longer names are cut in sentences
ALONE = "Nobody else can be heard: is this computer still on the network?"


def symbol(card: Card) -> str:
    """A card as the screen shows it: `10♠`, `Q♥`."""
    rank = rank_of(card)
    return (str(int(rank)) if rank <= Rank.TEN else rank.name[0]) + SUIT_SIGNS[suit_of(card)]


spoken: Naming = card_name  # as one says it: `10 of spades`


def points(count: int) -> str:
    """So many points, in words."""
    return "no points" if count == 0 else f"{count} point{'' if count in {1, -1} else 's'}".replace("-", "−")


def seat_name(scene: Scene, seat: int) -> str:
    """The name a seat is shown by, cleaned; two of one name are told apart by their seat letter."""
    name = clean(scene.seats[seat].name, NAME_COLUMNS) or "?"
    same = sum(clean(other.name, NAME_COLUMNS) == name for other in scene.seats)
    return f"{name} {seat_letter(seat)}" if same > 1 else name


def who(scene: Scene, seat: int) -> str:
    """The name of a seat, or `you`."""
    return "you" if seat == scene.my_seat else seat_name(scene, seat)


def whose(scene: Scene, seat: int) -> str:
    """The name of a seat as an owner: `Bea's`, `your`."""
    return "your" if seat == scene.my_seat else f"{seat_name(scene, seat)}'s"


def peer_name(scene: Scene, key: bytes) -> str:
    """The name of a peer; two of one name are told apart by the mark of their key."""
    peer = next((peer for peer in scene.peers if peer.key == key), None)
    if peer is None:
        asking = scene.lobby.asking if scene.lobby is not None else ()
        waiting = next((line for line in asking if line.key == key), None)
        return clean(waiting.name, NAME_COLUMNS) if waiting is not None else "somebody"
    name = clean(peer.name, NAME_COLUMNS)
    same = sum(clean(other.name, NAME_COLUMNS) == name for other in scene.peers)
    return f"{name} ({peer.mark})" if same > 1 else name


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as one says them: `Ann, Bea and Cem`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def upper(text: str) -> str:
    """A sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def pass_words(direction: str) -> str:
    """Where the cards go in this hand."""
    if direction in DIRECTIONS:
        return DIRECTIONS[direction]
    side = "left" if direction.startswith("L") else "right"
    return f"{direction[1:]} seats to the {side}"


def cancelling(cards: TableCards, name: Naming) -> str:
    """Which pairs cancel: `7♣ 7♣ cancel`, or nothing."""
    pairs = [card for card in kinds(cards.cards) if card in cards.cancelled]
    if not pairs:
        return ""
    if name is symbol:
        return f"{listed([f'{name(card)} {name(card)}' for card in pairs])} cancel"
    return f"the two {listed([_plural(name(card)) for card in pairs])} cancel"


def result(event: events.TrickEnded, scene: Scene, name: Naming) -> str:
    """The one line that says how a trick ended: `7♣ 7♣ cancel – Bea's 6♣ takes it, with the 14 points set aside`."""
    cards = trick_cards(scene.options, event.cards, event.leader, event.trick, len(scene.seats))
    pairs = cancelling(cards, name)
    beginning = f"{pairs} – " if pairs else ""
    if event.winner is None:
        return upper(f"{beginning}nobody takes it{_what_waits(event, scene)}.")
    own = card_points(scene.options, event.cards)
    carried = event.points - own
    takes = (
        f"{whose(scene, event.winner)} {name(event.cards[(event.winner - event.leader) % len(event.cards)])} takes it"
    )
    extras = (["the kitty"] if event.kitty else []) + ([f"the {points(carried)} set aside"] if carried else [])
    with_what = f", with {listed(extras)}" if extras else ""
    total = "" if carried and not own else f": {points(event.points)}"
    seen = " face up" if event.kitty and total else ""  # D9: what the kitty is worth only its winner knows
    return upper(f"{beginning}{takes}{with_what}{total}{seen}.")


def situation(cards: TableCards, scene: Scene, name: Naming) -> str:
    """A trick that is not complete yet, in words: what cancels, who is winning."""
    pairs = cancelling(cards, name)
    if not cards.cards:
        return ""
    if cards.winner is None:
        many = len(set(cards.cancelled)) > 1 and scene.options.cancel_rule == "two_pairs"  # R15
        verdict = "nobody can win this trick any more." if many else "so far nobody wins."
        return upper(f"{pairs}: {verdict}" if pairs else verdict)
    leads = f"{whose(scene, cards.seats[cards.winner])} {name(cards.cards[cards.winner])} wins so far"
    return f"{upper(pairs)}. {upper(leads)}." if pairs else f"{upper(leads)}."


def sentence(event: events.Event, scene: Scene, name: Naming, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """What happened in one sentence, or nothing when the screen shows it better; `met` tells of others by key whether the
    person knows them."""
    if isinstance(event, events.JoinAsked):
        return at_the_door(event, scene, met)
    return _of_the_table(event, scene) or _of_a_peer(event, scene) or _of_a_seat(event, scene, name)


def at_the_door(event: events.JoinAsked, scene: Scene, met: Mapping[bytes, str]) -> str:
    """Who asks to sit down: a name, the mark of the key, and whether the key was met before."""
    asking = () if scene.lobby is None else scene.lobby.asking
    mark = next((f" ({line.mark})" for line in asking if line.key == event.peer), "")
    known = clean(met.get(event.peer, ""))
    return f"{clean(event.name, NAME_COLUMNS)}{mark} asks to sit down{f': {known}' if known else ''}."


def scored(event: events.HandScored, scene: Scene) -> str:
    """A hand in words: who got what, and what became of a moon."""
    parts = [f"{who(scene, seat)} {count}".replace("-", "−") for seat, count in enumerate(event.points) if count]
    text = f"Hand {event.number} is over: {listed(parts) or 'nobody has points'}."
    if event.unclaimed:
        text += f" {upper(points(event.unclaimed))} {'counts' if event.unclaimed == 1 else 'count'} for nobody."
    if event.moon is not None:
        shooter = upper(who(scene, event.moon))
        how = "takes the points off" if event.choice == "subtract" else "puts them on everybody else"
        how = how.replace("takes", "take").replace("puts", "put") if event.moon == scene.my_seat else how
        text = f"{shooter} shot the moon and {how}. {text}"
    return text


def ended(event: events.GameEnded, scene: Scene) -> str:
    """How the game ended."""
    if not event.winners:
        return f"The agreed number of hands has been played.{lowest(scene)}"
    names = [who(scene, seat) for seat in event.winners]
    wins = "win" if len(names) > 1 or names == ["you"] else "wins"
    total = f" with {points(scene.scores[event.winners[0]])}" if scene.scores else ""
    return f"{upper(listed(names))} {wins} the game{total}."


def lowest(scene: Scene) -> str:
    """Who has the lowest total, after a sentence that names no winner."""
    low = min(scene.scores, default=0)
    names = [who(scene, seat) for seat, total in enumerate(scene.scores) if total == low]
    have = "have" if len(names) > 1 or names == ["you"] else "has"
    return f" {upper(listed(names))} {have} the lowest total." if names else ""


def _of_the_table(event: events.Event, scene: Scene) -> str:
    text = ""
    match event:
        case events.LobbyChanged(said) | events.Refused(said):
            text = clean(said)
        case events.JoinRefused(reason):
            text = f"The table said no: {clean(reason)}"
        case events.ElectionBegan():
            text = "All draw lots for the seats and the first dealer."
        case events.Seated(drawn):
            text = f"The seats are drawn. The words of this table, alike on every screen: {' '.join(drawn)}."
        case events.HandOpened(number, dealer):
            text = f"Hand {number}: everybody shuffles in turn. Dealer: {who(scene, dealer)}."
        case events.CardsDealt(number):
            text = f"The cards of hand {number} are dealt; every shuffle is proved."
        case events.HandScored():
            text = scored(event, scene)
        case events.GameEnded():
            text = ended(event, scene)
        case events.ResultSigned():
            text = "Every peer has signed the same final result."
    return text


def _of_a_peer(event: events.Event, scene: Scene) -> str:
    text = ""
    match event:
        case events.Away(peer):
            text = f"{peer_name(scene, peer)} has not been heard of for some seconds."
        case events.Back(peer):
            text = f"{peer_name(scene, peer)} is back."
        case events.PeerLeft(peer):
            known = any(line.key == peer for line in scene.peers)  # else the change of the lobby says it, by name
            text = f"{peer_name(scene, peer)} has left the table." if known else ""
        case events.Accused(peer, code, detail):
            more = f" ({clean(detail)})" if detail else ""
            text = f"{peer_name(scene, peer)} {code.value}{more}. The table cannot go on with it."
        case events.Said(peer, said):
            text = f"{peer_name(scene, peer)}: {clean(said)}"
    return text


def _of_a_seat(event: events.Event, scene: Scene, name: Naming) -> str:
    text = ""
    match event:
        case events.SeatPassed(seat) if seat != scene.my_seat:
            text = f"{seat_name(scene, seat)} has chosen."
        case events.CardsReceived(seat, source, cards) if seat == scene.my_seat:
            text = f"{upper(who(scene, source))} passed you {listed([name(card) for card in cards])}."
        case events.Played():
            text = f"{played(event, scene, name)}."
        case events.KittyRead(seat, cards) if seat == scene.my_seat:
            cost = points(card_points(scene.options, cards))
            text = f"The kitty you took: {listed([name(card) for card in cards])} ({cost})."
        case events.MoonShot(seat):
            text = f"{upper(who(scene, seat))} shot the moon: all hearts and both Black Marias!"
        case events.TrickEnded():
            text = result(event, scene, name)
    return text


def played(event: events.Played, scene: Scene, name: Naming) -> str:
    """`Cem leads 9♠`, `You play K♠`."""
    verb = "lead" if event.seat == leader_of(event.trick, scene) else "play"
    ending = "" if event.seat == scene.my_seat else "s"
    return f"{upper(who(scene, event.seat))} {verb}{ending} {name(event.card)}"


def leader_of(trick: int, scene: Scene) -> int | None:
    """Who led a trick of the hand being played."""
    hand = scene.hand
    if hand is None:
        return None
    if trick <= len(hand.tricks):
        return hand.tricks[trick - 1].leader
    return hand.leader if trick == hand.trick else None


def held_up(scene: Scene) -> str:
    """Who should act and cannot, since nothing is heard of the program that would have to; or nothing."""
    if cut_off(scene):
        return ALONE
    away = {peer.key for peer in scene.peers if peer.away}
    names = {peer.name for peer in scene.peers if peer.away} | {s.name for s in scene.seats if s.operator in away}
    late = [clean(name, NAME_COLUMNS) for name in scene.waiting_for if name in names]
    return f"{listed(late)} cannot be heard. The game cannot go on until the connection is back." if late else ""


def waiting(scene: Scene) -> str:
    """Whom the table waits for, in words, or nothing."""
    names = [clean(name, NAME_COLUMNS) for name in scene.waiting_for]
    if not names or scene.stage in {Stage.OVER, Stage.STOPPED}:
        return ""
    if missing := held_up(scene):
        return missing
    few = 4
    if len(names) > few:
        return f"Waiting for {len(names)} players."
    return f"Waiting for {listed(names)}."


def _what_waits(event: events.TrickEnded, scene: Scene) -> str:
    hand = scene.hand
    if hand is None:
        return ""
    waiting = waiting_points(event, hand)
    last = event.trick >= hand.size
    if last and scene.options.last_cancelled == "leader":
        return f", so {who(scene, event.leader)}, who led, gets it: {points(waiting)}"
    kitty = hand.kitty_size > 0 and hand.kitty_seat is None
    if last:
        lost = " with the kitty" if kitty else ""
        return f"{lost}: {points(waiting)} count for nobody" if waiting else lost
    also = ", the kitty too" if kitty else ""
    if not waiting:
        return f"; the cards wait for the next winner{also}"
    return f"; {points(waiting)} wait{'s' if waiting == 1 else ''} for the next winner{also}"


def waiting_points(event: events.TrickEnded, hand: Hand) -> int:
    """What a cancelled trick costs together with those before it that nobody took either (D3)."""
    own = card_points(hand.options, event.cards)
    for trick in reversed(hand.tricks[: event.trick - 1]):
        if trick.taker is not None:
            break
        own += card_points(hand.options, trick.cards)
    return own


def _plural(card: str) -> str:
    rank, _, suit = card.partition(" of ")
    return f"{rank}s of {suit}"
