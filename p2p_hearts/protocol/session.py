"""The one door into the core: `Session.step(input, now) -> Output`.

How it works. A key press, a frame, a finished job and a clock tick enter as an `Input`; all that leaves leaves in the
returned `Output`. Our own entries take the same path as a peer's: they are written to our log, then applied by the very
function that applies everybody's. Laws:

1. The table follows from the logs; nothing else changes it.
2. `step` reads no clock and draws no randomness of its own, and never does more than a few milliseconds of proof: longer
   ones leave as jobs and come back as inputs.
3. An entry is in `Output.journal` before its frame is in `Output.frames`; who drives a session writes and syncs the former
   before it sends the latter.
4. Whatever a peer sends, `step` raises nothing: a fault becomes an `Accused` event, a wrong command a `Refused`.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol import commands, door, hosting
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.duties import Actor, Work, asks, next_step
from p2p_hearts.protocol.envelope import (
    Author,
    Entry,
    Tag,
    check_signed,
    open_entry,
    open_signed,
    peek,
    seal,
    seal_signed,
)
from p2p_hearts.protocol.errors import Fault, LocalProtocolError, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.events import (
    Accused,
    Away,
    Back,
    Duty,
    Event,
    GameEnded,
    JoinAsked,
    JoinRefused,
    Refused,
    ResultSigned,
    Said,
    TrickEnded,
    Turn,
)
from p2p_hearts.protocol.gossip import GAP_SECONDS, HEARTBEAT_SECONDS, MAX_ANSWER, Gossip
from p2p_hearts.protocol.inputs import (
    AddBot,
    Admit,
    ChangeRules,
    ChooseMoon,
    Command,
    Input,
    Job,
    JobDone,
    Leave,
    Linked,
    Pass,
    Play,
    Received,
    RemoveBot,
    Say,
    Start,
    Tick,
    Unlinked,
)
from p2p_hearts.protocol.log import Arrival, Logs
from p2p_hearts.protocol.messages import (
    AdmitPeer,
    Body,
    Chat,
    Heartbeat,
    Join,
    Kind,
    LeaveTable,
    Open,
    Refusal,
    Want,
    parse,
    plain,
)
from p2p_hearts.protocol.names import MAX_CHAT, clean
from p2p_hearts.protocol.narration import signed, tell
from p2p_hearts.protocol.output import Contact, Identity, Output, Record, Send, Setup
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.picture import draw_scene
from p2p_hearts.protocol.reading import read
from p2p_hearts.protocol.result import result_digest, result_of
from p2p_hearts.protocol.scene import Scene
from p2p_hearts.protocol.stages import lobby
from p2p_hearts.protocol.stages.blame import failure
from p2p_hearts.protocol.stages.transition import CHECKED, apply, checks, verified
from p2p_hearts.protocol.state import Deal, Peer, Table, version_of

JOIN_AGAIN_SECONDS = 2.0
URGENT, NORMAL, LATER = 0, 1, 2  # jobs: our own proofs, checks of this hand, whatever prepares the next


@dataclass(frozen=True, slots=True)
class _Task:
    """What a job under way is for: a proof of ours to make, or one of `author` to check."""

    number: int
    kind: Kind
    author: bytes


@dataclass(slots=True)
class _Out:
    """The output of the step under way."""

    frames: list[Send] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    journal: list[Record] = field(default_factory=list)


@dataclass(slots=True)
class Session:
    """One peer at one table. Mutable; only `step` changes it."""

    me: Identity
    author: Author
    setup: Setup | None  # of the table that we opened, else None
    host_link: bytes  # over which we ask for a seat; empty when we opened the table
    entropy: Entropy
    group: Group
    table: Table = field(default_factory=Table)
    logs: Logs = field(default_factory=Logs)
    gossip: Gossip = field(default_factory=Gossip)
    problem: str | None = None
    lobby_id: bytes = b""
    asking: dict[bytes, tuple[Join, bytes]] = field(default_factory=dict)  # identity -> Join and its frame
    _applied: dict[Author, int] = field(default_factory=dict)
    _own: dict[int, Own] = field(default_factory=dict)
    _nonce: hosting.Nonce | None = None
    _tasks: dict[int, _Task] = field(default_factory=dict)
    _job_count: int = 0
    _asked: set[tuple[int, int, Duty, int]] = field(default_factory=set)
    _beat_count: int = 0
    _beat_at: float = 0.0
    _join_at: float = 0.0
    _chat_counts: dict[bytes, int] = field(default_factory=dict)
    _out: _Out = field(default_factory=_Out)
    _now: float = 0.0

    # ------------------------------------------------------------------ the door

    def step(self, arrived: Input, now: float) -> Output:
        """Takes in one input at `now` (seconds on the driver's clock, never going back)."""
        self._now = now
        self._out = _Out()
        try:
            self._take(arrived)
        except LocalProtocolError as error:
            self._out.events.append(Refused(str(error)))
        self._settle()
        self._keep_time()
        out = self._out
        return Output(tuple(out.frames), tuple(out.events), tuple(out.jobs), tuple(out.journal), self._wake_at())

    def scene(self) -> Scene:
        """The table as a screen may show it now."""
        asking = {key: join for key, (join, _) in self.asking.items()}
        return draw_scene(
            self.table, self.me.key.public, self.gossip, self._own.get(self.table.number), asking, self.problem
        )

    def contacts(self) -> tuple[Contact, ...]:
        """The peers to keep links with: the roster, and those that wait at the door."""
        mine = self.me.key.public
        roster = [
            Contact(peer.identity, peer.link, peer.name, peer.addresses, peer.port, admitted=True)
            for peer in self.table.peers
            if peer.identity != mine
        ]
        door = [
            Contact(join.identity, join.link, join.name, join.addresses, join.port, admitted=False)
            for join, _ in self.asking.values()
        ]
        return (*roster, *door)

    def result(self) -> dict[str, Any] | None:
        """The result of a game that has ended, with its digest and the signatures that are in; else None."""
        result = result_of(self.table)
        if result is None or self.table.deal is None:
            return None
        signatures = {key.hex(): value.hex() for key, value in sorted(self.table.deal.ballot.accepted.items())}
        return {**result, "digest": result_digest(result).hex(), "signatures": signatures}

    def settled(self) -> bool:
        """Whether the game is over, all have signed, and all are known to hold our signature: nobody needs us any more."""
        if not signed(self.table):
            return False
        log = self.logs.log(self.author)
        others = [peer.identity for peer in self.table.peers if peer.identity != self.me.key.public]
        return self.gossip.confirmed(others, self.author, len(log.entries) - 1, log.head[:16])

    # ------------------------------------------------------------------ inputs

    def _take(self, arrived: Input) -> None:
        match arrived:
            case Received(link, frame):
                self._receive(link, frame)
            case Linked(link):
                self.gossip.linked.add(link)
                self._join_at = self._beat_at = 0.0  # say who we are at once
            case Unlinked(link):
                self.gossip.linked.discard(link)
            case JobDone(job, result):
                self._finish(job, result)
            case Tick():
                pass
            case _:
                self._command(arrived)

    def _receive(self, link: bytes, frame: bytes) -> None:
        """A frame that cannot be read or is not rightly signed is dropped: it is charged to nobody but the link."""
        try:
            match frame[:1]:
                case b"\x01":
                    self._receive_entry(link, frame)
                case b"\x02":
                    self._receive_heartbeat(link, frame)
                case b"\x03":
                    self._receive_chat(link, frame)
                case b"\x04":
                    self._receive_join(link, frame)
                case b"\x05" if link == self.host_link and self.table.lobby is None:
                    refusal = parse(Refusal, unpack(frame[1:]))
                    if refusal.table == self.lobby_id:
                        self.problem = clean(refusal.reason, 200)
                        self._out.events.append(JoinRefused(self.problem))
                case b"\x06":
                    self._answer(link, parse(Want, unpack(frame[1:])))
        except MalformedError:
            return

    def _receive_entry(self, link: bytes, frame: bytes) -> None:
        claimed = peek(frame)
        if claimed is None:
            return
        author, seq = claimed
        if self.table.peer(author.identity) is None and (link != self.host_link or self.table.lobby is not None):
            return  # by nobody at this table; if it is by a newcomer, the host's entry comes first and the gap is filled
        log = self.logs.by_author.get(author)
        if log is not None and seq < len(log.entries) and log.entries[seq].frame == frame:
            return
        entry = open_entry(frame, self.version)
        if self.table.lobby is None and entry.seq == 0 and entry.body.__class__ is Open and entry.hash != self.lobby_id:
            return
        arrival, grown = self.logs.add(entry)
        if arrival is Arrival.FORK:
            self._accuse(RemoteProtocolError(author.identity, Fault.FORK, f"number {seq}"))
        for following in grown:
            self._out.journal.append(
                Record(author.identity, author.incarnation, following.seq, following.frame, own=False)
            )
            self._pass_on(following.frame, author.identity, link)

    def _receive_heartbeat(self, link: bytes, frame: bytes) -> None:
        beat = open_signed(frame, check=False)
        assert isinstance(beat, Heartbeat)
        if beat.author == self.me.key.public or beat.table != self.lobby_id or not self.gossip.is_new(beat):
            return
        check_signed(frame, beat)
        self.gossip.hear(beat, self._now)
        self._pass_on(frame, beat.author, link)
        differing = self.gossip.differing(beat, self.logs)
        if differing and link in self.gossip.linked:
            self._send((link,), Tag.WANT, Want(differing[:64]))

    def _receive_chat(self, link: bytes, frame: bytes) -> None:
        chat = open_signed(frame, check=False)
        assert isinstance(chat, Chat)
        known = self.table.peer(chat.author) is not None and chat.table == self.lobby_id
        if not known or chat.author == self.me.key.public or chat.count <= self._chat_counts.get(chat.author, -1):
            return
        if not self.gossip.may_talk(chat.author, self._now):
            return
        check_signed(frame, chat)
        self._chat_counts[chat.author] = chat.count
        self._pass_on(frame, chat.author, link)
        text = clean(chat.text, MAX_CHAT)
        if text:
            self._out.events.append(Said(chat.author, text))

    def _receive_join(self, link: bytes, frame: bytes) -> None:
        room = self.table.lobby
        if room is None or room.host != self.author:
            return
        try:
            join = lobby.read_join(frame, self.version)
        except MalformedError as error:
            self._refuse(link, f"Your request to join cannot be read: {error}."[:200])
            return
        if join.link != link or join.table != self.lobby_id:
            return
        match door.answer(self.table, join, len(self.asking)):
            case door.Seated():
                self._welcome(link)
            case door.TurnedAway(reason):
                self._refuse(link, reason)
            case door.Welcome() if self.setup is not None and self.setup.admit == "open":
                self._write(AdmitPeer(frame))
            case door.Welcome() if join.identity not in self.asking:
                self.asking[join.identity] = (join, frame)
                self._out.events.append(JoinAsked(join.identity, join.name))

    def _refuse(self, link: bytes, reason: str) -> None:
        self._send((link,), Tag.REFUSAL, Refusal(self.lobby_id, reason))

    def _welcome(self, link: bytes) -> None:
        """Sends a newcomer all there is; what is lost on the way it asks for."""
        self._out.frames += [Send((link,), entry.frame) for log in self._in_joining_order() for entry in log]

    def _in_joining_order(self) -> list[list[Entry]]:
        room = self.table.lobby
        openers = [log for log in self.logs.by_author.values() if log.entries and log.entries[0].kind is Kind.OPEN]
        assert room is not None
        return [log.entries for log in openers] + [
            log.entries for log in self.logs.by_author.values() if log not in openers
        ]

    def _answer(self, link: bytes, want: Want) -> None:
        if link not in self._links().values():
            return  # only who sits here may read the logs
        left = MAX_ANSWER
        for gap in want.gaps:
            for entry in self.logs.since(Author(gap.author, gap.incarnation), gap.seq):
                left -= len(entry.frame)
                if left < 0:
                    return
                self._out.frames.append(Send((link,), entry.frame))

    # ------------------------------------------------------------------ commands

    def _command(self, command: Command) -> None:
        if self.problem is not None and not isinstance(command, Leave):
            raise LocalProtocolError(self.problem)
        match command:
            case Leave():
                self._leave()
            case Say(text):
                self._say(text)
            case Admit(peer, yes):
                self._admit(peer, yes=yes)
            case AddBot() | RemoveBot() | ChangeRules() | Start():
                room = self.table.lobby
                if room is None or room.host != self.author:
                    raise LocalProtocolError("Only the host can do that.")
                if self.table.game is not None or room.proposal is not None:
                    raise LocalProtocolError("The game has begun.")
                self._write(hosting.order(room, command))
            case Pass() | Play() | ChooseMoon():
                self._play(command)

    def _play(self, command: Pass | Play | ChooseMoon) -> None:
        deal = self.table.deal
        own = None if deal is None else self._own.get(deal.number)
        if deal is None or own is None:
            raise LocalProtocolError("The cards are not dealt yet.")
        me = self.me.key.public
        match command:
            case Pass():
                self._own[deal.number] = commands.choose_pass(deal, own, me, command)
            case Play():
                self._write(commands.play(self.group, deal, own, me, command, self.entropy))
            case ChooseMoon():
                self._write(commands.choose_moon(deal, me, command))

    def _admit(self, peer: bytes, *, yes: bool) -> None:
        if peer not in self.asking:
            raise LocalProtocolError("Nobody by that key is asking for a seat any more.")
        room = self.table.lobby
        join, frame = self.asking.pop(peer)
        if not yes:
            self._refuse(join.link, "The host did not let you in.")
        elif room is None or room.proposal is not None or len(room.peers) + len(room.bots) >= room.seats:
            self._refuse(join.link, "The table is full.")
            raise LocalProtocolError("The table is full: take a bot off its seat first.")
        else:
            self._write(AdmitPeer(frame))

    def _leave(self) -> None:
        if self.author in self.logs.by_author and self.me.key.public not in self.table.left:
            self._write(LeaveTable())
            self._apply_ready()
        self.problem = self.problem or "You have left the table."

    def _say(self, text: str) -> None:
        line = clean(text, MAX_CHAT)
        if not line or self.table.peer(self.me.key.public) is None:
            raise LocalProtocolError("There is nothing to say, or nobody to say it to.")
        count = self._chat_counts.get(self.me.key.public, -1) + 1
        self._chat_counts[self.me.key.public] = count
        chat = Chat(self.version, self.lobby_id, self.author.identity, self.author.incarnation, count, line)
        self._out.frames.append(Send(self._roster_links(), seal_signed(self.me.key, chat)))
        self._out.events.append(Said(self.me.key.public, line))

    # ------------------------------------------------------------------ the logs

    @property
    def version(self) -> str:
        """The protocol version, which names the group."""
        return version_of(self.group.name)

    def _write(self, body: Body, secret: bytes | None = None) -> None:
        """Adds an entry to our own log; it is applied like any other."""
        log = self.logs.log(self.author)
        table = b"" if isinstance(body, Open) else self.lobby_id
        if self.table.game is not None:
            table = self.table.game.table
        entry = seal(self.me.key, self.version, table, self.author, len(log.entries), log.head, body)
        self.logs.add(entry)
        self._out.journal.append(
            Record(self.author.identity, self.author.incarnation, entry.seq, entry.frame, own=True, secret=secret)
        )
        self._out.frames.append(Send(self._roster_links(), entry.frame))
        if isinstance(body, Open):
            self.lobby_id = entry.hash

    def _pass_on(self, frame: bytes, origin: bytes, came_by: bytes) -> None:
        links = self.gossip.missing(origin, came_by, self._links())
        if links:
            self._out.frames.append(Send(links, frame))

    def _links(self) -> dict[bytes, bytes]:
        return {peer.identity: peer.link for peer in self.table.peers if peer.identity != self.me.key.public}

    def _roster_links(self) -> tuple[bytes, ...]:
        return tuple(link for link in self._links().values() if link in self.gossip.linked)

    def _send(self, links: tuple[bytes, ...], tag: Tag, message: Refusal | Want) -> None:
        self._out.frames.append(Send(links, bytes((tag,)) + pack(plain(message))))

    # ------------------------------------------------------------------ what follows

    def _settle(self) -> None:
        """Applies what can be applied and does what is due, until nothing is left to do."""
        if self.problem is not None:
            return
        try:
            while self._apply_ready() or self._act():
                pass
        except RemoteProtocolError as error:
            self._accuse(error)
        self._look()

    def _apply_ready(self) -> bool:
        progress = False
        moved = True
        while moved:
            moved = False
            for author, log in tuple(self.logs.by_author.items()):
                while (done := self._applied.get(author, 0)) < len(log.entries):
                    if not self._apply(log.entries[done]):
                        break
                    self._applied[author] = done + 1
                    moved = progress = True
        return progress

    def _apply(self, entry: Entry) -> bool:
        """Applies one entry; False while it has to wait."""
        author = entry.author.identity
        if self.table.lobby is not None and self.table.peer(author) is None and author not in self.table.left:
            return self._left_out(entry)
        if entry.kind is Kind.SUCCEED and not self._may_succeed(entry):
            return False
        before = self.table
        after = apply(self.group, self.version, before, entry)
        if after is None:
            return False
        self._become(after)
        if entry.kind in CHECKED and after is not before:
            self._check(entry)
        if entry.kind is Kind.ADMIT:
            self._greet(before.peers)
        return True

    def _left_out(self, entry: Entry) -> bool:
        """Entries of peers that are off the roster have no effect; those of peers not yet on it wait."""
        room = self.table.lobby
        while room is not None:
            if any(peer.author == entry.author for peer in room.peers):
                return True
            room = room.before
        return self.table.game is not None

    def _may_succeed(self, entry: Entry) -> bool:
        """Nobody becomes host on its own word: the host before has left, is silent for us too, or we are new here."""
        room = self.table.lobby
        if room is None or self.table.peer(self.me.key.public) is None or entry.author == self.author:
            return True
        former = room.host.identity
        return (
            former == self.me.key.public or former in self.table.left or self._silent(former) > hosting.LOBBY_GRACE / 2
        )

    def _greet(self, known: tuple[Peer, ...]) -> None:
        for peer in self.table.peers:
            if peer not in known and peer.identity != self.me.key.public:
                self.asking.pop(peer.identity, None)
                if (
                    peer.link in self.gossip.linked
                    and self.table.lobby is not None
                    and self.table.lobby.host == self.author
                ):
                    self._welcome(peer.link)

    def _become(self, after: Table) -> None:
        before, self.table = self.table, after
        if before.peers != after.peers:
            self.gossip.meet((peer.identity for peer in after.peers if peer.identity != self.me.key.public), self._now)
            if self.table.peer(self.me.key.public) is None and before.peer(self.me.key.public) is not None:
                self.problem = "You are no longer at this table."
        self._out.events += tell(before, after)
        if after.game is not None and after.left - before.left:
            names = [peer.name for peer in after.peers if peer.identity in after.left]
            if not after.over and self.me.key.public not in after.left:
                self.problem = f"{' and '.join(names)} left; the hand cannot go on without."
        for number in self._own.keys() - after.deals.keys():
            if number < after.number:
                del self._own[number]

    def _check(self, entry: Entry) -> None:
        """Has the proofs of an entry verified in a job; our own need no check."""
        number: int = getattr(entry.body, "hand")  # noqa: B009 - every checked body has one
        author = entry.author.identity
        todo = checks(self.group, self.table, entry)
        if author == self.me.key.public or not todo:
            self._become(verified(self.group, self.version, self.table, number, entry.kind, author))
            return
        urgency = NORMAL if number == self.table.number else LATER
        self._hand_out(_Task(number, entry.kind, author), urgency, failure, (todo,))

    def _hand_out(self, task: _Task, urgency: int, function: Any, arguments: tuple[Any, ...]) -> None:
        self._job_count += 1
        self._tasks[self._job_count] = task
        self._out.jobs.append(Job(self._job_count, urgency, function, arguments))

    def _finish(self, job: int, result: Any) -> None:
        task = self._tasks.pop(job, None)
        if task is None or self.problem is not None:
            return
        if task.author != self.me.key.public:
            if result is None:
                self._become(verified(self.group, self.version, self.table, task.number, task.kind, task.author))
            else:
                self._accuse(RemoteProtocolError(task.author, CHECKED[task.kind], result))
            return
        deal, own = self.table.deals.get(task.number), self._own.get(task.number)
        if deal is None or own is None:
            return
        if task.kind is Kind.COMMIT_PASS:
            own = replace(own, passes=result, pass_salt=self.entropy(32))
            self._own[task.number] = own  # the commitment to them is written by `_act`
            return
        self._write(result)

    def _act(self) -> bool:
        """Does one thing that we owe; False when there is nothing."""
        if self.problem is not None or self.table.lobby is None:
            return False
        if self.table.game is None:
            step = hosting.step(
                self.table, self.table.lobby, self.me.key, self._nonce, self._silent, self.logs, self.entropy
            )
            if step is None:
                return False
            body, nonce = step
            self._nonce = nonce or self._nonce
            self._write(body, None if nonce is None else pack(("start", nonce.number, nonce.nonce, nonce.salt)))
            return True
        return any(self._act_in(deal) for _, deal in sorted(self.table.deals.items()))

    def _act_in(self, deal: Deal) -> bool:
        own = self._own.get(deal.number)
        working = frozenset(
            (task.number, task.kind) for task in self._tasks.values() if task.author == self.me.key.public
        )
        actor = Actor(self.group, self.me.key, working, self._kitty_agreed)
        step = next_step(actor, self.table, deal, own, self.entropy)
        if step is None:
            return False
        if isinstance(step, Work):
            urgency = URGENT if deal.number == self.table.number else LATER
            self._hand_out(_Task(deal.number, step.kind, self.me.key.public), urgency, step.function, step.arguments)
            return False
        if step.own is not None:
            self._own[deal.number] = step.own
        self._write(step.body, None if step.own is None else pack((deal.number, step.own.record())))
        return True

    def _kitty_agreed(self, deal: Deal) -> bool:
        """Whether all members hold the trick that took the kitty: its last play, and by its digest all before it."""
        if not deal.kitty_digest or deal.hand is None:
            return False
        last = self._kitty_plays(deal)
        others = [member for member in deal.members if member != self.me.key.public]
        return all(self.gossip.confirmed(set(others) - {e.author.identity}, e.author, e.seq, e.hash[:16]) for e in last)

    def _kitty_plays(self, deal: Deal) -> list[Entry]:
        """The last play of each member up to the trick that took the kitty."""
        assert deal.hand is not None
        taking = next(place for place, trick in enumerate(deal.hand.tricks) if trick.kitty)
        cards = (taking + 1) * deal.seats
        found: list[Entry] = []
        for member in deal.members:
            peer = self.table.peer(member)
            assert peer is not None
            plays = [
                entry
                for entry in self.logs.log(peer.author).entries
                if entry.kind is Kind.PLAY and getattr(entry.body, "hand", 0) == deal.number
            ]
            mine = len(deal.seats_of(member)) * cards // deal.seats
            found += plays[mine - 1 : mine]
        return found

    def _look(self) -> None:
        """Reads our own cards once they can be read, and asks our seats for what they owe."""
        deal, me = self.table.deal, self.me.key.public
        own = None if deal is None else self._own.get(deal.number)
        if deal is None or own is None or self.problem is not None:
            return
        own, events = read(self.group, deal, own, me)
        self._own[deal.number] = own
        self._out.events += events
        for seat, duty in asks(self.table, deal, own, me):
            asked = (deal.number, seat, duty, 0 if deal.hand is None else deal.hand.trick)
            view = commands.view(deal, own, seat, self.table.scores)
            if asked not in self._asked and view is not None:
                self._asked.add(asked)
                self._out.events.append(Turn(seat, duty, view))

    def _accuse(self, error: RemoteProtocolError) -> None:
        if self.problem is None:
            peer = self.table.peer(error.peer)
            name = error.peer.hex()[:8] if peer is None else peer.name
            self.problem = f"{name} {error.code.value}. The game cannot go on with {name}."
            self._out.events.append(Accused(error.peer, error.code, error.detail))

    # ------------------------------------------------------------------ time

    def _silent(self, identity: bytes) -> float:
        known = self.gossip.neighbours.get(identity)
        return 0.0 if known is None else self._now - known.heard_at

    def _keep_time(self) -> None:
        now = self._now
        if self.table.peer(self.me.key.public) is None:
            if self.table.lobby is None and self.host_link in self.gossip.linked and now >= self._join_at:
                self._join_at = now + JOIN_AGAIN_SECONDS
                self._out.frames.append(Send((self.host_link,), self.join_frame(self.lobby_id)))
        elif now >= self._beat_at or self._barrier():
            self._beat_at = now + HEARTBEAT_SECONDS
            self._out.frames.append(Send(self._roster_links(), self._heartbeat()))
        for link, want in self.gossip.wants(self.logs, now, self._links()):
            self._send((link,), Tag.WANT, want)
        gone, back = self.gossip.stale(now, self.me.key.public)
        self._out.events += [Away(peer) for peer in gone]
        self._out.events += [Back(peer) for peer in back]

    def _barrier(self) -> bool:
        """Whether others wait for our have vector: the kitty was just taken, or the game has just ended."""
        return any(
            isinstance(event, GameEnded | ResultSigned) or (isinstance(event, TrickEnded) and event.kitty)
            for event in self._out.events
        )

    def _heartbeat(self) -> bytes:
        self._beat_count += 1
        hears = tuple(
            peer.identity
            for peer in self.table.peers
            if peer.link in self.gossip.linked and peer.identity != self.me.key.public
        )
        beat = Heartbeat(
            self.version,
            self.lobby_id,
            self.author.identity,
            self.author.incarnation,
            self.me.boot,
            self._beat_count,
            self.logs.have()[:64],
            hears,
        )
        return seal_signed(self.me.key, beat)

    def _wake_at(self) -> float:
        if self.table.peer(self.me.key.public) is None:
            return self._now + JOIN_AGAIN_SECONDS / 4
        return min(self._beat_at, self._now + GAP_SECONDS) if self.gossip.lacking else self._beat_at

    def join_frame(self, table: bytes) -> bytes:
        """Our signed Join for a table (empty for one that we open)."""
        me = self.me
        join = Join(
            self.version, table, me.key.public, self.author.incarnation, me.name, me.link, me.addresses[:16], me.port
        )
        return seal_signed(me.key, join)


def host_table(
    setup: Setup, me: Identity, entropy: Entropy, now: float, group: Group = RISTRETTO255
) -> tuple[Session, Output]:
    """A session that opens a table, and the output of doing so."""
    session = Session(me, Author(me.key.public, entropy(8)), setup, b"", entropy, group)
    overrides = tuple(lobby.written_override(key, value) for key, value in setup.overrides)
    session._now = now  # noqa: SLF001 - the session is being made
    session._write(  # noqa: SLF001
        Open(setup.title, setup.seats, setup.preset, overrides, setup.hands, session.join_frame(b""))
    )
    first = session._out.journal  # noqa: SLF001
    output = session.step(Tick(), now)
    for level in setup.bots:
        more = session.step(AddBot(level), now)
        output = replace(more, events=output.events + more.events, journal=output.journal + more.journal)
    return session, replace(output, journal=(*first, *output.journal))


def join_table(table: bytes, host_link: bytes, me: Identity, entropy: Entropy, group: Group = RISTRETTO255) -> Session:
    """A session that asks the host behind `host_link` for a seat at the table of this id, once that link is up."""
    return Session(me, Author(me.key.public, entropy(8)), None, host_link, entropy, group, lobby_id=table)
