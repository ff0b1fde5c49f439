"""A detector: it tries to open every masked card of a hand with all the bytes that one peer has received.

To read a card, its mask must come off under every key it lies under. A key's part of a mask is one group element, its
*share*. The detector is told by the other Sessions which bytes each share would be, and looks for them in everything that
arrived, wherever they stand and whatever they call themselves; the peer's own shares it makes with the peer's own key.
Once all shares of a card are there it is opened by subtracting them, as any program could."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2p_hearts.cards import Card
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import Masked, card_of, decode_masked
from p2p_hearts.crypto.reveal import apply_shares
from p2p_hearts.protocol.messages import Kind, OpenPass, PlayCard
from p2p_hearts.protocol.session import Session
from p2p_hearts.protocol.stages.passing import target
from p2p_hearts.protocol.state import Deal
from tests.protocol.hall import own_of


@dataclass(frozen=True, slots=True)
class Lying:
    """A masked card and where it lies: in a slot as dealt, on its way by the pass, or in the row that is played from.
    `seat` is whose it is (None: the kitty's), `keys` are the members under whose keys it lies."""

    what: str
    seat: int | None
    place: int
    masked: Masked
    keys: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A masked card that could be opened, what it was, and with which frame (counted from 0) the last share came."""

    lying: Lying
    card: Card | None
    frame: int


def lying_cards(group: Group, deal: Deal) -> Iterator[Lying]:
    """Every masked card of a hand, at each of its places."""
    dealt = deal.seats * deal.size
    for place, masked in enumerate(deal.slots):
        yield Lying("slot", place // deal.size if place < dealt else None, place, masked, deal.members)
    for body in deal.done(Kind.OPEN_PASS).values():
        assert isinstance(body, OpenPass)
        for item in body.passes:
            to = target(deal, item.seat)
            for number, masked in enumerate(decode_masked(group, item.cards, len(item.positions))):
                yield Lying("passed", to, number, masked, (deal.operators[to],))
    for seat, row in enumerate(deal.rows):
        for place, masked in enumerate(row):
            yield Lying("row", seat, place, masked, (deal.operators[seat],))


def readable(watcher: Session, others: Sequence[Session], number: int, frames: Sequence[bytes]) -> list[Read]:
    """Every card of hand `number` that the watcher can open, in the order in which it could."""
    group, deal = watcher.group, watcher.table.deals[number]
    players = [session for session in (watcher, *others) if session.author.identity in deal.members]
    secrets = {session.author.identity: own_of(session, number).key.secret for session in players}
    lying = list(lying_cards(group, deal))
    shares: list[dict[bytes, bytes]] = [{} for _ in lying]  # of each card: by member, as far as they are known
    sought: dict[bytes, list[tuple[int, bytes]]] = {}
    for index, card in enumerate(lying):
        for member in card.keys:
            share = group.mult(secrets[member], card.masked.a)
            if member == watcher.author.identity:
                shares[index][member] = share
            else:
                sought.setdefault(share, []).append((index, member))
    found: list[Read] = []

    def look(index: int, frame: int) -> None:
        card = lying[index]
        if shares[index].keys() == set(card.keys):
            opened = apply_shares(group, card.masked, list(shares[index].values()))
            found.append(Read(card, card_of(group, opened.b), frame))

    for index in range(len(lying)):
        look(index, 0)
    size = group.element_bytes
    for number_of_frame, frame in enumerate(frames):
        for at in range(len(frame) - size + 1):
            for index, member in sought.pop(frame[at : at + size], ()):
                shares[index][member] = frame[at : at + size]
                look(index, number_of_frame)
    return found


def plays(session: Session, number: int, frames: Sequence[bytes]) -> dict[tuple[int, int], int]:
    """With which frame each seat's place was played: for others the frame that brought it, for our own seats the first."""
    entries = [entry for log in session.logs.by_author.values() for entry in log.entries]
    bodies = [(e, e.body) for e in entries if isinstance(e.body, PlayCard) and e.body.hand == number]
    came = {frame: at for at, frame in reversed(list(enumerate(frames)))}
    return {
        (body.seat, body.position): 0 if entry.author == session.author else came[entry.frame] for entry, body in bodies
    }


def unlawful(watcher: Session, number: int, read: Sequence[Read], frames: Sequence[bytes]) -> list[Read]:
    """What it could read of that which it must not read, or not yet."""
    played = plays(watcher, number, frames)
    return [one for one in read if not _lawful(watcher, number, one, played)]


def _lawful(watcher: Session, number: int, read: Read, played: dict[tuple[int, int], int]) -> bool:
    deal, me, lying = watcher.table.deals[number], watcher.author.identity, read.lying
    if lying.seat is not None and deal.operators[lying.seat] == me:
        return True  # dealt, passed or played by its own seat
    if lying.seat is None:  # the kitty: once its own seat has won the trick that takes it, and knows all its cards
        if deal.hand is None or deal.hand.kitty_seat is None or deal.operators[deal.hand.kitty_seat] != me:
            return False
        tricks = 1 + next(place for place, trick in enumerate(deal.hand.tricks) if trick.kitty)
        return sum(at < read.frame for at in played.values()) >= tricks * deal.seats
    place = lying.place if lying.what == "row" else lying.place % deal.size
    if lying.what == "row" or (lying.what == "slot" and not deal.passed):
        return (lying.seat, place) in played and played[lying.seat, place] <= read.frame
    return False  # what was dealt to another and may have been passed on since is never shown
