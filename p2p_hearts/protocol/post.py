"""The post of one peer: which frames go over which links, and all that is said outside the logs.

Laws: entries go to everybody at the table as soon as they are written; frames of others are passed on only to those who do
not hear their author; what somebody lacks is sent when asked for. Heartbeats and chat are signed, but in no log."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.envelope import Author, Entry, Tag, check_signed, open_signed, seal_signed
from p2p_hearts.protocol.fields import plain
from p2p_hearts.protocol.gossip import MAX_ANSWER, MAX_RATE, MAX_TALK, Gossip
from p2p_hearts.protocol.log import Logs
from p2p_hearts.protocol.messages import Chat, Heartbeat, Join, Refusal, Want
from p2p_hearts.protocol.names import MAX_CHAT, clean
from p2p_hearts.protocol.output import Identity, Send
from p2p_hearts.protocol.state import Peer

OWN_TALK_SECONDS = 1.5  # for as many lines as others take in one second, since lines may arrive closer together
MAX_HEADS = 64  # of a have vector; eleven peers with a few incarnations each fit


@dataclass(slots=True)
class Post:
    """Frames waiting to be sent, and the counters of what we say. Only the Session uses it."""

    me: Identity
    author: Author
    version: str
    table: bytes = b""  # the lobby's id, which names the table outside the logs from beginning to end
    gossip: Gossip = field(default_factory=Gossip)
    links: dict[bytes, bytes] = field(default_factory=dict)  # of the others on the roster, by identity
    authors: frozenset[tuple[bytes, bytes]] = frozenset()  # their identities and incarnations
    met: frozenset[Author] = frozenset()  # everybody that ever was on the roster
    guests: dict[bytes, bytes] = field(default_factory=dict)  # links of those who may read along, by identity
    sent: list[Send] = field(default_factory=list)
    rests: dict[bytes, float] = field(default_factory=dict)  # until when a link gets no more answers
    role: int = 0  # in which we ask for a place: 0 to play, 1 to watch
    mark: int = 0  # what our player has said: 0 here, 1 away for a moment, 2 please wait
    beats: int = 0
    said: int = 0
    talk: list[float] = field(default_factory=list)  # when we said something lately
    vouched: frozenset[bytes] = frozenset()  # whom others may be about to leave out, though we hear them
    lines: dict[tuple[bytes, bytes], int] = field(default_factory=dict)  # count of each author's last line of chat

    def meet(self, peers: Iterable[Peer], met: frozenset[Author], now: float) -> None:
        """Takes note of who is on the roster, and who ever was."""
        self.met = met
        others = [peer for peer in peers if peer.author != self.author]
        self.links = {peer.identity: peer.link for peer in others}
        self.authors = frozenset((peer.identity, peer.author.incarnation) for peer in others)
        self.lines = {key: count for key, count in self.lines.items() if key in self.authors}
        self.rests = {link: until for link, until in self.rests.items() if until > now}
        self.gossip.meet(self.links, now)

    def publish(self, frame: bytes) -> None:
        """Sends a frame to everybody at the table."""
        links = dict.fromkeys((*self.links.values(), *self.guests.values()))
        self.sent.append(Send(tuple(link for link in links if link in self.gossip.linked), frame))

    def pass_on(self, frame: bytes, origin: bytes, came_by: bytes) -> None:
        """Sends a frame of another peer to those who do not hear it themselves."""
        links = self.gossip.missing(origin, came_by, self.links, vouch=origin in self.vouched)
        if links:
            self.sent.append(Send(links, frame))

    def welcome(self, link: bytes, logs: Logs, now: float) -> None:
        """Sends a newcomer all there is, up to a bound, the opener's log first; what it then lacks it asks for."""
        self._send_entries(link, (entry for log in logs.by_author.values() for entry in log.entries), now)

    def refuse(self, link: bytes, reason: str) -> None:
        """Tells somebody at the door why not."""
        self._reply(link, Tag.REFUSAL, Refusal(self.table, reason[:200]))

    def answer(self, link: bytes, want: Want, logs: Logs, now: float) -> None:
        """Sends what a peer lacks, up to a bound; only who sits here, or may read along, may read the logs."""
        if link in self.links.values() or link in self.guests.values():
            wanted = (logs.since(Author(gap.author, gap.incarnation), gap.seq) for gap in want.gaps)
            self._send_entries(link, (entry for entries in wanted for entry in entries), now)

    def tell_former(self, link: bytes, frame: bytes, logs: Logs, now: float) -> None:
        """Answers a sign of life by somebody who was taken off the roster and has not heard of it, since it could not be
        reached: with what we, the host, have written since, and nothing that others have.

        Raises MalformedError.
        """
        beat = open_signed(frame, check=False)
        assert isinstance(beat, Heartbeat)
        author = Author(beat.author, beat.incarnation)
        seated = (beat.author, beat.incarnation) in self.authors or author == self.author
        if (
            seated
            or author not in self.met
            or (beat.version, beat.table) != (self.version, self.table)
            or now < self.rests.get(link, now)
        ):
            return
        check_signed(frame, beat)
        held = next((head.seq for head in beat.have if Author(head.author, head.incarnation) == self.author), -1)
        self._send_entries(link, logs.since(self.author, held + 1), now)

    def _send_entries(self, link: bytes, entries: Iterable[Entry], now: float) -> None:
        if now < self.rests.get(link, now):
            return
        left = MAX_ANSWER
        for entry in entries:
            left -= len(entry.frame)
            if left < 0:
                return
            self.rests[link] = now + (MAX_ANSWER - left) / MAX_RATE
            self.sent.append(Send((link,), entry.frame))

    def ask(self, logs: Logs, now: float) -> None:
        """Asks neighbours for what we lack."""
        for link, want in self.gossip.wants(logs, now, self.links, self.met):
            self._reply(link, Tag.WANT, want)

    def receive_heartbeat(self, link: bytes, frame: bytes, logs: Logs, now: float) -> None:
        """Takes in a sign of life, and asks for any entry that its author holds in another form than we.

        Raises MalformedError.
        """
        beat = open_signed(frame, check=False)
        assert isinstance(beat, Heartbeat)
        if not self._ours(beat) or not self.gossip.is_new(beat):
            return
        check_signed(frame, beat)
        self.gossip.hear(beat, now)
        if self.gossip.may_beat(beat.author, now):
            self.pass_on(frame, beat.author, link)
        differing = self.gossip.differing(beat, logs)
        if differing and link in self.gossip.linked:
            self._reply(link, Tag.WANT, Want(differing[:MAX_HEADS]))

    def receive_chat(self, link: bytes, frame: bytes, now: float) -> tuple[bytes, str] | None:
        """Who said what, if it is new, by somebody at the table and not too much.

        Raises MalformedError.
        """
        chat = open_signed(frame, check=False)
        assert isinstance(chat, Chat)
        author, writer = chat.author, (chat.author, chat.incarnation)
        if not self._ours(chat) or chat.count <= self.lines.get(writer, -1):
            return None
        check_signed(frame, chat)
        if not self.gossip.may_talk(author, now):
            return None
        self.lines[writer] = chat.count
        self.pass_on(frame, author, link)
        text = clean(chat.text, MAX_CHAT)
        return (author, text) if text else None

    def say(self, text: str, now: float) -> bool:
        """Sends a line of chat, already cleaned; False when it is one too many, which the others would drop."""
        self.talk = [at for at in self.talk if now - at < OWN_TALK_SECONDS]
        if len(self.talk) >= MAX_TALK:
            return False
        self.talk.append(now)
        self.said += 1
        chat = Chat(self.version, self.table, self.author.identity, self.author.incarnation, self.said, text)
        self.publish(seal_signed(self.me.key, chat))
        return True

    def beat(self, logs: Logs) -> None:
        """Sends our sign of life."""
        self.beats += 1
        hears = tuple(identity for identity, link in self.links.items() if link in self.gossip.linked)
        where = (self.version, self.table, self.author.identity, self.author.incarnation)
        beat = Heartbeat(*where, self.me.boot, self.beats, logs.have()[:MAX_HEADS], hears, self.mark)
        self.publish(seal_signed(self.me.key, beat))

    def join_frame(self, table: bytes) -> bytes:
        """Our signed Join for a table; empty for one that we open."""
        me = self.me
        who = (me.key.public, self.author.incarnation, me.name, me.link, me.addresses[:16], me.port)
        return seal_signed(me.key, Join(self.version, table, *who, self.role))

    def knock(self, link: bytes) -> None:
        """Asks the host behind a link for a seat."""
        self.sent.append(Send((link,), self.join_frame(self.table)))

    def _ours(self, message: Heartbeat | Chat) -> bool:
        """Whether a message is of this table, by one of the others at it."""
        known = (message.author, message.incarnation) in self.authors
        return known and (message.version, message.table) == (self.version, self.table)

    def _reply(self, link: bytes, tag: Tag, message: Refusal | Want) -> None:
        self.sent.append(Send((link,), bytes((tag,)) + pack(plain(message))))
