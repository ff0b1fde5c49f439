"""Who stands at our door: those who ask for a seat before the game, and those who come while it runs.

How it works. Before the game only the host has a door, and lets in by the table's policy. Once it has begun every peer
has one: a peer of the game that comes with a new log gets its seat back at the next hand, a newcomer that of a bot if the
people agree, and whoever only watches reads along at once. Law: what comes of a knock is written into our log or said to
whoever knocked; nobody sits down because of anything that is kept here."""

from dataclasses import dataclass, field

from p2p_hearts.protocol import door
from p2p_hearts.protocol.envelope import Author
from p2p_hearts.protocol.errors import LocalProtocolError, MalformedError
from p2p_hearts.protocol.events import Event, JoinAsked, LobbyChanged
from p2p_hearts.protocol.gossip import AWAY_SECONDS
from p2p_hearts.protocol.log import Logs
from p2p_hearts.protocol.messages import AdmitPeer, Body, Dismiss, Join, WelcomePeer
from p2p_hearts.protocol.post import Post
from p2p_hearts.protocol.stages import lobby
from p2p_hearts.protocol.state import Table
from p2p_hearts.protocol.voting import MAX_REMOVALS

PLAYER, WATCHER = 0, 1  # in which role somebody asks for a place


@dataclass(frozen=True, slots=True)
class Comer:
    """Somebody who asks for a place in a game that has begun, and when it did so last."""

    join: Join
    frame: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of a knock: entries of ours, and what our person hears of it."""

    bodies: tuple[Body, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(slots=True)
class Doorway:
    """Mutable; only the Session uses it. `policy` is that of the table which we have opened, if we have."""

    post: Post
    policy: str
    asking: dict[bytes, tuple[Join, bytes]] = field(default_factory=dict)  # who waits for our person, and the frame
    comers: dict[bytes, Comer] = field(default_factory=dict)
    invited: tuple[bytes, ...] = ()  # identities that have proved an invitation, the last of them

    def knock(self, table: Table, me: Author, logs: Logs, link: bytes, frame: bytes, now: float) -> Answer:
        """Answers a request for a place."""
        room = table.lobby
        if room is None or (room.host != me and table.game is None):
            return Answer()
        try:
            join = lobby.read_join(frame, self.post.version)
        except MalformedError as error:
            self.post.refuse(link, f"Your request to join cannot be read: {error}.")
            return Answer()
        if join.link != link or join.table != self.post.table:
            return Answer()
        if table.game is not None or join.role == WATCHER:
            return self._come(table, me, logs, join, frame, now)
        return self._join(table, logs, join, frame, now)

    def admit(self, table: Table, peer: bytes, *, yes: bool) -> Answer:
        """Lets in whoever asks, or votes for it where a game runs; or says no.

        Raises LocalProtocolError.
        """
        if peer not in self.asking or table.lobby is None:
            raise LocalProtocolError("Nobody by that key is asking for a seat any more.")
        join, frame = self.asking.pop(peer)
        if table.game is not None:
            return Answer((WelcomePeer(peer),) if yes else ())
        if not yes:
            self.post.refuse(join.link, "The host did not let you in.")
            return Answer(events=(LobbyChanged(f"{join.name} is not let in."),))
        match door.answer(table, join, len(self.asking)):
            case door.Welcome():
                return Answer((AdmitPeer(frame),))
            case door.TurnedAway(reason):  # much may have changed since it asked
                self.post.refuse(join.link, reason)
                raise LocalProtocolError(f"It cannot be let in: “{reason}”")
            case _:
                return Answer()

    def invite(self, peer: bytes) -> None:
        """Notes who has proved an invitation."""
        self.invited = (*self.invited[-door.MAX_ASKING + 1 :], peer)

    def leave(self, link: bytes) -> tuple[Event, ...]:
        """Forgets those behind a link that is down; who comes again asks again."""
        self.comers = {key: comer for key, comer in self.comers.items() if comer.join.link != link}
        self.post.guests = {key: guest for key, guest in self.post.guests.items() if guest != link}
        gone = {key: join.name for key, (join, _) in self.asking.items() if join.link == link}
        self.asking = {key: asked for key, asked in self.asking.items() if key not in gone}
        return tuple(LobbyChanged(f"{name} does not ask any longer.") for name in gone.values())

    def there(self, now: float) -> list[Comer]:
        """Who asks for a place in the game, and has done so just now."""
        return [comer for comer in self.comers.values() if now - comer.at < AWAY_SECONDS]

    def seat(self, table: Table) -> list[bytes]:
        """Forgets those who have their place now, since they ask no longer; who they are."""
        authors = {peer.author for peer in table.peers}
        seated = [
            key for key, comer in self.comers.items() if Author(comer.join.identity, comer.join.incarnation) in authors
        ]
        for key in seated:
            del self.comers[key]
        return seated

    def _join(self, table: Table, logs: Logs, join: Join, frame: bytes, now: float) -> Answer:
        invited = join.identity in self.invited
        match door.answer(table, join, len(self.asking), private=self.policy == "private" and not invited):
            case door.Seated():
                self.post.welcome(join.link, logs, now)
            case door.TurnedAway(reason):
                self.post.refuse(join.link, reason)
            case door.Instead():
                return Answer((Dismiss(join.identity), AdmitPeer(frame)))
            case door.Welcome() if self.policy == "open" or invited:
                return Answer((AdmitPeer(frame),))
            case door.Welcome():
                return self._ask(join, frame)
        return Answer()

    def _come(self, table: Table, me: Author, logs: Logs, join: Join, frame: bytes, now: float) -> Answer:
        peer = table.peer(join.identity)
        if peer is not None and peer.author == Author(join.identity, join.incarnation):
            self.post.welcome(join.link, logs, now)
            return Answer()
        reason = door.to_come_later(table, join, sum(1 for key in self.post.guests if key != join.identity))
        if reason is not None:
            self.post.refuse(join.link, reason)
            return Answer()
        often = table.removals.get(join.identity, 0) >= MAX_REMOVALS
        agreed = me.identity in table.welcomed.get(join.identity, frozenset())
        if self.post.guests.get(join.identity) != join.link:
            self.post.guests[join.identity] = join.link
            self.post.welcome(join.link, logs, now)
        if join.role == WATCHER:
            return Answer()
        here = {each.join.identity: each for each in self.there(now)}
        self.comers = {**here, join.identity: Comer(join, frame, now)}
        return self._ask(join, frame) if (peer is None or often) and not agreed else Answer()

    def _ask(self, join: Join, frame: bytes) -> Answer:
        """Has our person decide, once."""
        if join.identity in self.asking or len(self.asking) >= door.MAX_ASKING:
            return Answer()
        self.asking[join.identity] = (join, frame)
        return Answer(events=(JoinAsked(join.identity, join.name),))
