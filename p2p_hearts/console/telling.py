"""Events in words: one sentence for each thing that happens, the same on the full screen and in line mode.

The law: a sentence is whole in every language: what “you” do and what somebody does are two sentences, not one with a
hole for the verb. What the layers below say in finished English goes through `below`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from p2p_hearts.console.below import below
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.language import _, n_
from p2p_hearts.console.words import (
    NAME_COLUMNS,
    Naming,
    listed,
    lowest,
    peer_name,
    points,
    result,
    seat_name,
    upper,
    who,
)
from p2p_hearts.hearts.score import card_points
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Scene

UNKNOWN: Mapping[bytes, str] = MappingProxyType({})
_SEATS_BOTS = "given to bots."  # how the protocol ends the sentence of how many bots there are


def sentence(event: events.Event, scene: Scene, name: Naming, met: Mapping[bytes, str] = UNKNOWN) -> str:
    """What happened in one sentence, or nothing when the screen shows it better; `met` tells of others by key whether the
    person knows them."""
    if isinstance(event, events.JoinAsked):
        return at_the_door(event, scene, met)
    return _of_the_table(event, scene) or _of_a_peer(event, scene) or _of_a_seat(event, scene, name)


def seats_bots(event: events.Event) -> bool:
    """Whether an event only says how many seats bots have now."""
    return isinstance(event, events.LobbyChanged) and event.text.endswith(_SEATS_BOTS)


def at_the_door(event: events.JoinAsked, scene: Scene, met: Mapping[bytes, str]) -> str:
    """Who asks to sit down: a name, the mark of the key, and whether the key was met before."""
    asking = () if scene.lobby is None else scene.lobby.asking
    mark = next((f" ({line.mark})" for line in asking if line.key == event.peer), "")
    name = f"{clean(event.name, NAME_COLUMNS)}{mark}"
    known = below(clean(met.get(event.peer, "")))
    return (
        _("{name} asks to sit down: {known}.", name=name, known=known)
        if known
        else _("{name} asks to sit down.", name=name)
    )


def scored(event: events.HandScored, scene: Scene) -> str:
    """A hand in words: who got what, and what became of a moon."""
    parts = [f"{who(scene, seat)} {count}".replace("-", "−") for seat, count in enumerate(event.points) if count]
    if parts:
        text = _("Hand {number} is over: {points}.", number=event.number, points=listed(parts))
    else:
        text = _("Hand {number} is over: nobody has points.", number=event.number)
    if event.unclaimed:
        text += " " + n_("{n} point counts for nobody.", "{n} points count for nobody.", event.unclaimed)
    return text if event.moon is None else f"{_shot(event.moon, event.choice, scene)} {text}"


def ended(event: events.GameEnded, scene: Scene) -> str:
    """How the game ended."""
    if not event.winners:
        return _("The agreed number of hands has been played.") + lowest(scene)
    total = points(scene.scores[event.winners[0]])
    if event.winners == (scene.my_seat,):
        return _("You win the game with {points}.", points=total)
    names = upper(listed([who(scene, seat) for seat in event.winners]))
    if len(event.winners) == 1:
        return _("{name} wins the game with {points}.", name=names, points=total)
    return _("{names} win the game with {points}.", names=names, points=total)


def played(event: events.Played, scene: Scene, name: Naming) -> str:
    """`Cem leads 9♠`, `You play K♠`."""
    leads, card = event.seat == leader_of(event.trick, scene), name(event.card)
    if event.seat == scene.my_seat:
        return upper(_("You lead {card}", card=card) if leads else _("You play {card}", card=card))
    who = upper(seat_name(scene, event.seat))
    return _("{name} leads {card}", name=who, card=card) if leads else _("{name} plays {card}", name=who, card=card)


def leader_of(trick: int, scene: Scene) -> int | None:
    """Who led a trick of the hand being played."""
    hand = scene.hand
    if hand is None:
        return None
    if trick <= len(hand.tricks):
        return hand.tricks[trick - 1].leader
    return hand.leader if trick == hand.trick else None


def _shot(seat: int, choice: str | None, scene: Scene) -> str:
    """Who shot the moon, and what was chosen (R18)."""
    if seat == scene.my_seat:
        off, on = (
            _("You shot the moon and take the points off."),
            _("You shot the moon and put them on everybody else."),
        )
    else:
        name = upper(seat_name(scene, seat))
        off = _("{name} shot the moon and takes the points off.", name=name)
        on = _("{name} shot the moon and puts them on everybody else.", name=name)
    return off if choice == "subtract" else on


def annulled(event: events.HandAnnulled, scene: Scene) -> str:
    """A hand that counts for nothing, and who pays for it."""
    text = _("Hand {number} counts for nothing and is dealt again.", number=event.number)
    if not event.charged or not scene.options.annulled_charge:
        return text
    names = listed([who(scene, seat) for seat in event.charged])
    cost = points(scene.options.annulled_charge)
    paid = _("Charged with {points} each, since it was spoilt on their side: {names}.", points=cost, names=names)  # D23
    return f"{text} {paid}"


def _of_the_table(event: events.Event, scene: Scene) -> str:
    text = ""
    match event:
        case events.LobbyChanged(said) | events.Refused(said):
            text = below(clean(said))
        case events.JoinRefused(reason):
            text = _("The table said no: {reason}", reason=below(clean(reason)))
        case events.ElectionBegan():
            text = _("All draw lots for the seats and the first dealer.")
        case events.Seated(drawn):
            text = _(
                "The seats are drawn. The words of this table, alike on every screen: {words}.", words=" ".join(drawn)
            )
        case events.HandOpened(number, dealer):
            text = _(
                "Hand {number}: everybody shuffles in turn. Dealer: {name}.", number=number, name=who(scene, dealer)
            )
        case events.CardsDealt(number):
            text = _("The cards of hand {number} are dealt; every shuffle is proved.", number=number)
        case events.HandReopened(number):
            text = _(
                "The deck of hand {number} is made anew, since somebody is gone; no card had been dealt.", number=number
            )
        case events.HandAnnulled():
            text = annulled(event, scene)
        case events.HandScored():
            text = scored(event, scene)
        case events.GameEnded():
            text = ended(event, scene)
        case events.ResultSigned():
            text = _("Every peer has signed the same final result.")
    return text


def _of_a_peer(event: events.Event, scene: Scene) -> str:
    text = ""
    match event:
        case events.Away(peer):
            text = _("{name} has not been heard of for some seconds.", name=peer_name(scene, peer))
        case events.Back(peer):
            text = _("{name} is back.", name=peer_name(scene, peer))
        case events.PeerLeft(peer):
            known = any(line.key == peer for line in scene.peers)  # else the change of the lobby says it, by name
            text = _("{name} has left the table.", name=peer_name(scene, peer)) if known else ""
        case events.Accused(peer, code, detail):
            more = f" ({clean(detail)})" if detail else ""
            what = f"{below(code.value)}{more}"
            text = _("{name} {what}. The table cannot go on with it.", name=peer_name(scene, peer), what=what)
        case events.Slow(peer):
            text = _("{name} takes long: n goes on without, once most of you want it.", name=peer_name(scene, peer))
        case events.PeerLost(peer):
            text = _("The hand goes on without {name}: a bot plays until they are back.", name=peer_name(scene, peer))
        case events.Said(peer, said):
            text = f"{peer_name(scene, peer)}: {clean(said)}"
    return text


def _of_a_seat(event: events.Event, scene: Scene, name: Naming) -> str:
    text = ""
    match event:
        case events.SeatPassed(seat) if seat != scene.my_seat:
            text = _("{name} has chosen.", name=seat_name(scene, seat))
        case events.CardsReceived(seat, source, cards) if seat == scene.my_seat:
            said = listed([name(card) for card in cards])
            text = _("{name} passed you {cards}.", name=upper(who(scene, source)), cards=said)
        case events.Played():
            text = f"{played(event, scene, name)}."
        case events.KittyRead(seat, cards) if seat == scene.my_seat:
            said, cost = listed([name(card) for card in cards]), points(card_points(scene.options, cards))
            text = _("The kitty you took: {cards} ({points}).", cards=said, points=cost)
        case events.MoonShot(seat) if seat == scene.my_seat:
            text = _("You shot the moon: all hearts and both Black Marias!")
        case events.MoonShot(seat):
            text = _("{name} shot the moon: all hearts and both Black Marias!", name=upper(seat_name(scene, seat)))
        case events.TrickEnded():
            text = result(event, scene, name)
    return text
