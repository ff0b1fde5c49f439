"""Reading our own cards as soon as they can be read, and asking our seats for what they owe.

Law: only rows under our own key are opened here, and what is read goes into `Own` and into events for our own seats."""

from dataclasses import replace

from p2p_hearts.crypto.group import Group
from p2p_hearts.protocol.commands import passed_by
from p2p_hearts.protocol.events import CardsDealt, CardsReceived, Event, KittyRead
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages import dealing, playing
from p2p_hearts.protocol.state import Deal, put


def read(group: Group, deal: Deal, own: Own, me: bytes) -> tuple[Own, tuple[Event, ...]]:
    """What we know of a part of a hand now, and the events that tell our seats what is new."""
    events: list[Event] = []
    if own.spent:
        return own, ()
    if deal.rows and deal.hand is None and not own.cards:
        own = _read_rows(group, deal, own)
        events += [CardsDealt(deal.number)] if own.part == me else []
    if deal.hand is not None and not own.final:
        after = replace(_read_rows(group, deal, own), final=True)
        events += [CardsDealt(deal.number)] if own.part == me and not own.cards else []
        for seat in deal.seats_of(own.part) if deal.passed else ():
            came = deal.passed[seat][-deal.options.pass_count :]  # behind those that the seat kept
            got = tuple(sorted(dealing.read_row(group, own, came)))
            after = replace(after, received=put(after.received, seat, got))
            events += [CardsReceived(seat, passed_by(deal, seat), got)] if own.part == me else []
        own = after
    winner = None if deal.hand is None else deal.hand.kitty_seat
    if winner is not None and deal.operators[winner] == own.part and not own.kitty and _kitty_readable(deal):
        cards = playing.read_kitty(group, deal, own)
        own = replace(own, kitty=put(own.kitty, winner, cards))
        events += [KittyRead(winner, cards)] if own.part == me else []
    return own, tuple(events)


def _read_rows(group: Group, deal: Deal, own: Own) -> Own:
    for seat in deal.seats_of(own.part):
        own = replace(own, cards=put(own.cards, seat, dealing.read_row(group, own, deal.rows[seat])))
    return own


def _kitty_readable(deal: Deal) -> bool:
    """Whether there is a kitty, and all others' shares of it are in."""
    return deal.hand is not None and deal.hand.kitty_size > 0 and len(deal.done(Kind.KITTY)) == len(deal.members) - 1
