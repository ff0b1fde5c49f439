"""The host's door: what to answer somebody who asks for a seat."""

from dataclasses import dataclass

from p2p_hearts.protocol.envelope import Author
from p2p_hearts.protocol.messages import Join
from p2p_hearts.protocol.stages.lobby import MAX_SEATINGS, MAX_STAYS, worn_out
from p2p_hearts.protocol.state import Table

MAX_GUESTS = 16  # who read along, and are sent everything
MAX_ASKING = 32  # people waiting at the door; more are told to try later, so that a crowd cannot fill the screen
PRIVATE = "This table is private: ask its host for an invitation."


@dataclass(frozen=True, slots=True)
class Seated:
    """The peer has its seat already; it only missed to hear of it."""


@dataclass(frozen=True, slots=True)
class Instead:
    """The peer's program has started anew: its new log takes the seat of the old one."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The peer can be seated, at once or when the host agrees."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """No, with the sentence to send."""

    reason: str


def answer(table: Table, join: Join, waiting: int, *, private: bool = False) -> Seated | Instead | Welcome | TurnedAway:
    """What the host of a table answers a well-formed request; `waiting` people stand at the door already, and to some it
    may be `private`."""
    room = table.lobby
    assert room is not None
    known = table.peer(join.identity)
    if known is not None and known.author == Author(join.identity, join.incarnation):
        return Seated()
    if table.game is not None or room.proposal is not None:
        return TurnedAway("The game at this table has begun.")
    if join.link in [peer.link for peer in room.peers if peer.identity != join.identity]:
        return TurnedAway("Your program has a seat at this table already.")
    if Author(join.identity, join.incarnation) in room.met:
        return TurnedAway("Your program has left this table: join anew.")
    if known is not None and known.author != room.host and not worn_out(room, join.identity):
        return Instead()
    if known is not None:
        return TurnedAway("Your key has a seat at this table already.")
    if private:
        return TurnedAway(PRIVATE)
    if worn_out(room, join.identity):
        return TurnedAway("People have come and gone too often at this table: ask for a new one.")
    if len(room.peers) + len(room.bots) >= room.seats:
        return TurnedAway(f"All {room.seats} seats at this table are taken.")
    if waiting >= MAX_ASKING:
        return TurnedAway("Too many people are waiting at the door. Try again in a minute.")
    return Welcome()


def to_come_later(table: Table, join: Join, guests: int) -> str | None:
    """Why somebody cannot have a place in a game that has begun, or watch a table that `guests` others read along already; None
    if it can, should the people agree."""
    game, room = table.game, table.lobby
    assert room is not None
    if table.over:
        return "The game at this table is over."
    if guests >= MAX_GUESTS and table.peer(join.identity) is None:
        return "Too many people are watching this table, or asking for a place at it."
    if join.role or game is None:
        return None if room.watch else "This table does not want to be watched."
    if Author(join.identity, join.incarnation) in room.met:
        return "Your program has left this table: join anew."
    stays = sum(1 for author in room.met if author.identity == join.identity)
    if stays >= MAX_STAYS or len(room.met) >= MAX_SEATINGS:
        return "People have come and gone too often at this table: ask for a new one."
    if join.identity in table.left:
        return "You have left this game: it goes on without you."
    if table.peer(join.identity) is None and all(seat.bot is None for seat in game.seats):
        return "The game at this table has begun, and no bot has a seat that you could take."
    return None
