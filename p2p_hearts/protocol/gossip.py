"""Who hears whom, who lacks what: heartbeats, have vectors and the filling of gaps.

A heartbeat (about one a second) is the only sign of life; it carries its author's have vector, so a lost frame, two
peers that cannot reach each other, and a newcomer are one mechanism: whoever sees that a neighbour has more asks it.
Frames are passed on only to those whose own heartbeat says that they do not hear the author (`protocol/gossip.md`)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from p2p_hearts.protocol.envelope import Author
from p2p_hearts.protocol.log import Logs
from p2p_hearts.protocol.messages import Gap, Head, Heartbeat, Want

HEARTBEAT_SECONDS = 1.0
AWAY_SECONDS = 6.0
NEVER = (-1, -1)  # the counter of whom we have not heard
GAP_SECONDS = 0.3  # an entry may still be on its way; only then is it asked for
ASK_AGAIN_SECONDS = 1.0
HERE, AWAY, PLEASE_WAIT = 0, 1, 2  # what a player can say with its sign of life
PAUSE_SECONDS = 600.0  # in one hand that others wait for whoever asks them to; nobody can hold up a table without end
MAX_TALK = 5  # lines of chat a second of one peer; more are dropped, by everybody's count
MAX_BEATS = 20  # heartbeats a second of one peer that are passed on; a peer cannot have us repeat it without end
MAX_RATE = 1024 * 1024  # bytes a second of entries sent to one link because it asked; it cannot keep us busy with it
MAX_ANSWER = 512 * 1024  # bytes sent at once to who asks; a peer cannot make us send more in one go


@dataclass(slots=True)
class Neighbour:
    """What is known of one peer: its last heartbeat, and when its counter last moved (seconds on our clock)."""

    heard_at: float
    counter: tuple[int, int] = NEVER
    have: dict[Author, Head] = field(default_factory=dict)
    hears: frozenset[bytes] | None = None  # identities; None until its first heartbeat
    away: bool = False
    mark: int = 0  # what its player has said
    marked_at: float = 0.0  # since when
    waited: float = 0.0  # how long it has had others wait in this hand before
    talk: list[float] = field(default_factory=list)  # when it last said something
    beats: list[float] = field(default_factory=list)  # when a heartbeat of it was last passed on

    def waiting(self, now: float) -> float:
        """For how long it has been asking others to wait."""
        return now - self.marked_at if self.mark == PLEASE_WAIT else 0.0


@dataclass(slots=True)
class Gossip:
    """The neighbours of one peer. Only the Session changes it."""

    neighbours: dict[bytes, Neighbour] = field(default_factory=dict)  # by identity
    linked: set[bytes] = field(default_factory=set)  # link keys over which frames can be sent
    lacking: dict[Author, float] = field(default_factory=dict)  # since when we know of entries we do not hold
    asked: dict[Author, float] = field(default_factory=dict)

    def meet(self, identities: Iterable[bytes], now: float) -> None:
        """Starts to watch peers that are new on the roster, and forgets those that are off it."""
        self.neighbours = {key: self.neighbours.get(key) or Neighbour(heard_at=now) for key in identities}

    def meet_anew(self, identity: bytes, now: float) -> None:
        """Watches a peer from now on whose program has begun a new log; what the old one said is past."""
        if identity in self.neighbours:
            before = self.neighbours[identity]
            self.neighbours[identity] = Neighbour(heard_at=now, waited=before.waited + before.waiting(now))

    def new_hand(self, now: float) -> None:
        """From now on everybody may have others wait anew."""
        for known in self.neighbours.values():
            known.waited, known.marked_at = 0.0, now

    def wake(self, now: float) -> None:
        """Starts all measuring of others anew: while we did not run ourselves we could hear nobody."""
        for known in self.neighbours.values():
            known.heard_at = now

    def is_new(self, beat: Heartbeat) -> bool:
        """Whether a heartbeat says something new; only then is its signature worth checking."""
        known = self.neighbours.get(beat.author)
        return known is not None and (beat.boot, beat.count) > known.counter

    def hear(self, beat: Heartbeat, now: float) -> None:
        """Takes in a verified heartbeat."""
        known = self.neighbours[beat.author]
        known.heard_at, known.counter = now, (beat.boot, beat.count)
        known.have = {Author(head.author, head.incarnation): head for head in beat.have}
        known.hears = frozenset(beat.hears)
        if beat.mark != known.mark:  # who asks again and again has no more time than who asks once
            known.waited += known.waiting(now)
            known.mark, known.marked_at = beat.mark, now

    def may_talk(self, identity: bytes, now: float) -> bool:
        """Whether one more line of chat by this peer is within bounds now."""
        return _within(self.neighbours[identity].talk, MAX_TALK, now)

    def may_beat(self, identity: bytes, now: float) -> bool:
        """Whether one more heartbeat of this peer may be passed on now."""
        return _within(self.neighbours[identity].beats, MAX_BEATS, now)

    def differing(self, beat: Heartbeat, logs: Logs) -> tuple[Gap, ...]:
        """Entries that the author of a heartbeat holds in another form than we: one of two signed by a forker."""
        return tuple(
            Gap(head.author, head.incarnation, head.seq)
            for head in beat.have
            if (log := logs.by_author.get(Author(head.author, head.incarnation))) is not None
            and head.seq < len(log.entries)
            and log.mark(head.seq) != head.mark
        )

    def paused(self, members: Collection[bytes], now: float) -> bool:
        """Whether one of these has asked to wait, not too long ago."""
        known = (self.neighbours.get(member) for member in members)
        return any(
            each is not None and each.mark == PLEASE_WAIT and each.waited + each.waiting(now) < PAUSE_SECONDS
            for each in known
        )

    def stale(self, now: float, own: bytes) -> tuple[list[bytes], list[bytes]]:
        """Who has just fallen silent and who has just come back."""
        gone: list[bytes] = []
        back: list[bytes] = []
        for identity, known in self.neighbours.items():
            away = identity != own and now - known.heard_at > AWAY_SECONDS
            if away != known.away:
                (gone if away else back).append(identity)
                known.away = away
        return gone, back

    def wants(
        self, logs: Logs, now: float, links: dict[bytes, bytes], met: Collection[Author]
    ) -> tuple[tuple[bytes, Want], ...]:
        """What to ask of which link now. `links` are the link keys of the roster by identity, `met` all authors that were
        ever on it; of the neighbours that have what we lack, the one asked changes from time to time, in case it cannot
        answer."""
        holders = {author: who for author, who in self._holders(logs, links).items() if author in met}
        self.lacking = {author: self.lacking.get(author, now) for author in holders}
        self.asked = {author: at for author, at in self.asked.items() if author in holders}
        wanted: dict[bytes, list[Gap]] = {}
        for author, who in holders.items():
            patient = now - self.lacking[author] < GAP_SECONDS
            if patient or now - self.asked.get(author, -ASK_AGAIN_SECONDS) < ASK_AGAIN_SECONDS:
                continue
            self.asked[author] = now
            holder = sorted(who)[int(now / ASK_AGAIN_SECONDS) % len(who)]
            wanted.setdefault(links[holder], []).append(Gap(author.identity, author.incarnation, logs.length(author)))
        return tuple((link, Want(tuple(gaps[:64]))) for link, gaps in wanted.items())

    def _holders(self, logs: Logs, links: dict[bytes, bytes]) -> dict[Author, set[bytes]]:
        """For every log of which there is more than we hold: the linked neighbours that can send it."""
        near = [identity for identity, link in links.items() if link in self.linked and identity in self.neighbours]
        holders: dict[Author, set[bytes]] = {}
        for identity in near:
            for author, head in self.neighbours[identity].have.items():
                if head.seq >= logs.length(author):
                    holders.setdefault(author, set()).add(identity)
        for author, log in logs.by_author.items():
            if log.early and author.identity in near:
                holders.setdefault(author, set()).add(author.identity)
        return holders

    def missing(
        self, origin: bytes, came_by: bytes, links: dict[bytes, bytes], *, vouch: bool = False
    ) -> tuple[bytes, ...]:
        """The links to pass a frame of `origin` on to: neighbours that do not hear it themselves; all if we `vouch` for it,
        since who has a link to it may yet be sent nothing."""
        return tuple(
            link
            for identity, link in links.items()
            if link in self.linked
            and link != came_by
            and identity != origin
            and (known := self.neighbours.get(identity)) is not None
            and known.hears is not None
            and (vouch or origin not in known.hears)
        )

    def confirmed(self, members: Iterable[bytes], logs: Logs, author: Author, seq: int) -> bool:
        """Whether every one of `members` has said that it holds entry `seq` of an author, in the chain that we hold: the
        last entry it names is one of ours."""
        log = logs.log(author)
        for member in members:
            known = self.neighbours.get(member)
            head = None if known is None else known.have.get(author)
            if head is None or not seq <= head.seq < len(log.entries) or log.mark(head.seq) != head.mark:
                return False
        return True


def _within(moments: list[float], most: int, now: float) -> bool:
    """Whether one more fits among `most` a second; if so it is noted."""
    moments[:] = [at for at in moments if now - at < 1.0]
    if len(moments) >= most:
        return False
    moments.append(now)
    return True
