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

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol import events, hosting, inputs
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.doorway import PLAYER, WATCHER, Answer, Doorway
from p2p_hearts.protocol.duties import Actor, Work
from p2p_hearts.protocol.envelope import Author, Entry, Tag, open_entry, peek, seal
from p2p_hearts.protocol.errors import Fault, LocalProtocolError, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.export import encode_game
from p2p_hearts.protocol.fields import parse
from p2p_hearts.protocol.gossip import AWAY_SECONDS, GAP_SECONDS, HEARTBEAT_SECONDS, NEVER, PLEASE_WAIT
from p2p_hearts.protocol.hands import Hands, Void
from p2p_hearts.protocol.ledger import Ledger, Step
from p2p_hearts.protocol.log import MAX_AUTHORS, Arrival, Logs
from p2p_hearts.protocol.messages import (
    Body,
    Complaint,
    Head,
    Kind,
    LeaveTable,
    Open,
    Refusal,
    Return,
    Urge,
    Want,
)
from p2p_hearts.protocol.names import MAX_CHAT, clean
from p2p_hearts.protocol.narration import signed, tell
from p2p_hearts.protocol.output import Contact, Identity, Output, Record, Setup
from p2p_hearts.protocol.phases import turn_of
from p2p_hearts.protocol.picture import draw_scene
from p2p_hearts.protocol.post import Post
from p2p_hearts.protocol.result import signed_result
from p2p_hearts.protocol.scene import Scene
from p2p_hearts.protocol.stages import lobby
from p2p_hearts.protocol.stages.blame import failure
from p2p_hearts.protocol.stages.council import contested
from p2p_hearts.protocol.stages.playing import kitty_plays, make_void, played_on
from p2p_hearts.protocol.state import NO_BALLOT, Deal, Decision, Game, Table, frozen, quorum, version_of
from p2p_hearts.protocol.voting import Sight, next_vote, votes
from p2p_hearts.protocol.watch import Eyes, Watch

JOIN_AGAIN_SECONDS = 2.0
NAMELESS = "Player"  # who gave no name that can be shown
MAX_WAITING = 512  # entries of one author that may wait for others; what comes then is dropped, and asked for later
MAX_WAITING_BYTES = 2**22  # of these entries; a peer cannot have us keep what will never count
MAX_CHANGES = (
    1_024  # entries of our log after which we change nothing in the lobby any more: others take in only so many
)
CLAIM_SECONDS = 5.0  # in which whoever says that it holds more of our log has to send it
TESTIFY_BEATS = 10  # heartbeats with which goes what convicts a peer and may be in nobody else's log
URGE_SECONDS = 60.0  # that a person may take before others can say that they wait no longer
FORK_SECONDS = 1.5  # after which nothing is waited for in a hand that a fork has spoilt but its annulment
SLEEP_SECONDS = 2.0  # a longer gap between two of our own steps is our own fault, and says nothing about others
URGENT, NORMAL, LATER = 0, 1, 2  # jobs: our own proofs, checks of this hand, whatever prepares the next


@dataclass(frozen=True, slots=True)
class Checking:
    """A job under way that verifies the proofs of an entry."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Task:
    """A job under way that makes a proof of ours: the body of an entry, the passes, or (with `void`) a void proof."""

    number: int
    attempt: int
    kind: Kind
    part: bytes
    void: Void | None = None


@dataclass(slots=True)
class Session:
    """One peer at one table. Mutable; only `step` changes it."""

    me: Identity
    author: Author
    setup: Setup | None  # of the table that we opened, else None
    host_link: bytes  # over which we ask for a seat; empty when we opened the table
    entropy: Entropy
    ledger: Ledger
    hands: Hands
    post: Post
    doorway: Doorway
    problem: str | None = None
    convicted: dict[bytes, Fault] = field(default_factory=dict)  # who broke the rules, and how
    waking: bool = False  # begun from a journal, and not sure yet that nobody holds more of our log
    _watch: Watch = field(default_factory=Watch)
    _forked_at: float = 0.0  # when we last saw that somebody has signed two versions
    _told_slow: tuple[int, bytes, int] | None = None
    _begun_at: float = 0.0  # when its first motion came
    _moved_at: float = 0.0  # when the decision of the current hand last moved
    _nonce: hosting.Nonce | None = None
    _tasks: dict[int, Task | Checking] = field(default_factory=dict)
    _job_count: int = 0
    _evidence: list[bytes] = field(default_factory=list)  # frames that others have to see, too
    _testified: int = 0  # times that we have sent them
    _claimed_at: float | None = None  # since when somebody says that it holds more of our log than we
    _owed_since: float = 0.0  # since when all owe the present step of the start
    _beat_at: float = 0.0
    _join_at: float = 0.0
    _now: float = 0.0
    _events: list[events.Event] = field(default_factory=list)  # of the step under way, like the next three
    _jobs: list[inputs.Job] = field(default_factory=list)
    _journal: list[Record] = field(default_factory=list)
    _forgotten: list[int] = field(default_factory=list)

    def step(self, arrived: inputs.Input, now: float) -> Output:
        """Takes in one input at `now` (seconds on the driver's clock, never going back)."""
        if now - self._now > SLEEP_SECONDS:
            self.post.gossip.wake(now)
            self._watch.wake()
        self._now = now
        try:
            self._take(arrived)
        except LocalProtocolError as error:
            self._events.append(events.Refused(str(error)))
        except RemoteProtocolError as error:
            self._accuse(error)
        if self.waking:
            self._wake()
        self._settle()
        self._keep_time(listen=_tells_who_has_what(arrived))
        self._forget()
        output = Output(
            frames=tuple(self.post.sent),
            events=tuple(self._events),
            jobs=tuple(self._jobs),
            journal=tuple(self._journal),
            forget=tuple(self._forgotten),
            wake_at=self._wake_at(),
        )
        self.post.sent, self._events, self._jobs, self._journal, self._forgotten = [], [], [], [], []
        return output

    def scene(self) -> Scene:
        """The table as a screen may show it now."""
        asking = {key: join for key, (join, _) in self.doorway.asking.items()}
        own = self.hands.own.get((self.table.number, self.author.identity))
        return draw_scene(self.table, self.author.identity, self.post.gossip, own, asking, self.problem, self._now)

    def contacts(self) -> tuple[Contact, ...]:
        """The peers to keep links with: the roster, and those that wait at the door."""
        others = [peer for peer in self.table.peers if peer.author != self.author]
        waiting = [join for join, _ in self.doorway.asking.values()]
        return (
            *(Contact(p.identity, p.link, p.name, p.addresses, p.port, admitted=True) for p in others),
            *(
                Contact(j.identity, j.link, j.name, j.addresses, j.port, admitted=True)
                for j in (comer.join for comer in self.doorway.there(self._now))
            ),
            *(Contact(j.identity, j.link, j.name, j.addresses, j.port, admitted=False) for j in waiting),
        )

    def result(self) -> dict[str, Any] | None:
        """The result of a game that has ended, with its digest and the signatures that are in; else None."""
        return signed_result(self.table)

    def export(self) -> bytes | None:
        """The file of a game that has ended, from which anybody can check it again; else None."""
        if self.table.game is None or not self.table.over:
            return None
        entries = [entry for entry in self.logs.accepted if lobby.heard_of(self.table, entry.author)]
        return encode_game(self.version, self.table.game, entries)

    def settled(self) -> bool:
        """Whether the game is over, all have signed, and all are known to hold our signature: nobody needs us any more."""
        last = self.logs.length(self.author) - 1
        deal = self.table.deal
        others = (
            () if deal is None else (p for p in deal.present if p not in {*self._watch.missed, self.author.identity})
        )
        return signed(self.table) and self.post.gossip.confirmed(others, self.logs, self.author, last)

    def acted(self, seat: int) -> bool:
        """Whether a seat of ours has done what it was asked for last, or at least chosen it."""
        deal = self.table.deal
        own = None if deal is None else self.hands.own.get((deal.number, deal.operators[seat]))
        if deal is None or own is None or deal.hand is not None:
            return any(move.seat == seat for move in self.hands.held)
        return seat in own.chosen

    @property
    def table(self) -> Table:
        """What the logs have come to."""
        return self.ledger.table

    @property
    def logs(self) -> Logs:
        """Everybody's log."""
        return self.ledger.logs

    @property
    def group(self) -> Group:
        """The group that the table plays in."""
        return self.ledger.group

    @property
    def version(self) -> str:
        """The protocol version, which names the group."""
        return self.post.version

    @property
    def lobby_id(self) -> bytes:
        """The id of the table in the lobby, by which it is found and joined."""
        return self.post.table

    def replay(self, now: float) -> Output:
        """The first step of a session whose logs come from a journal: what they have come to, and what is left to check."""
        self._now = self._moved_at = now
        self.waking = True
        self._apply_ready()
        self._events = []
        return self.step(inputs.Tick(), now)

    # what comes in

    def _take(self, arrived: inputs.Input) -> None:
        match arrived:
            case inputs.Received(link, frame):
                with suppress(MalformedError):  # dropped: who made it is unknown, so it can be held against nobody
                    self._receive(link, frame)
            case inputs.Linked(link):
                self.post.gossip.linked.add(link)
                self._join_at = self._beat_at = 0.0  # say who we are at once
            case inputs.Unlinked(link):
                self.post.gossip.linked.discard(link)
                self._events += self.doorway.leave(link)
            case inputs.JobDone(job, result):
                self._finish(job, result)
            case inputs.Invited(peer):
                self.doorway.invite(peer)
                if peer in self.doorway.asking:
                    self._answer(self.doorway.admit(self.table, peer, yes=True))
            case inputs.Tick():
                pass
            case _:
                self._command(arrived)

    def _receive(self, link: bytes, frame: bytes) -> None:
        match frame[0] if frame else 0:
            case Tag.ENTRY:
                self._receive_entry(link, frame)
            case Tag.HEARTBEAT:
                self.post.receive_heartbeat(link, frame, self.logs, self._now)
                if self.table.game is None and self.table.lobby is not None and self.table.lobby.host == self.author:
                    self.post.tell_former(link, frame, self.logs, self._now)
            case Tag.CHAT:
                said = self.post.receive_chat(link, frame, self._now)
                self._events += [] if said is None else [events.Said(*said)]
            case Tag.JOIN:
                self._answer(self.doorway.knock(self.table, self.author, self.logs, link, frame, self._now))
            case Tag.REFUSAL if link == self.host_link and self.table.lobby is None:
                refusal = parse(Refusal, unpack(frame[1:]))
                if refusal.table == self.lobby_id:
                    self.problem = clean(refusal.reason, MAX_CHAT)
                    self._events.append(events.JoinRefused(self.problem))
            case Tag.WANT:
                self.post.answer(link, parse(Want, unpack(frame[1:])), self.logs, self._now)

    def _receive_entry(self, link: bytes, frame: bytes) -> None:
        claimed = peek(frame)
        if claimed is None or not (lobby.heard_of(self.table, claimed[0]) or self._from_host(link)):
            return  # by nobody at this table; a newcomer's entries are asked for once the host's word about it is here
        author, seq = claimed
        log = self.logs.by_author.get(author)
        if log is not None and seq < len(log.entries) and log.entries[seq].frame == frame:
            return
        held = self.logs.length(author)
        if seq >= held and (self._piles_up(author) or self._gone(author)):
            return  # too much of it waits already: it is asked for again; or it is by somebody who has left, and cannot count
        if log is None and len(self.logs.by_author) >= MAX_AUTHORS:
            return
        try:
            entry = open_entry(frame, self.version)
        except RemoteProtocolError as false:
            self._convict(author, false, frame)
            return
        if self.table.lobby is None and isinstance(entry.body, Open) and entry.hash != self.lobby_id:
            return
        if author == self.author and (seq >= held or self.waking) and self.table.game is not None:
            self._begin_anew()  # by an earlier run of ours, of which our journal does not know
        elif author == self.author and seq >= held:
            ours = RemoteProtocolError(author.identity, Fault.FORK, f"number {seq}, which this program has not written")
            self._convict(author, ours, frame)
            return
        arrival, grown = self.logs.add(entry)
        if arrival in {Arrival.FORK, Arrival.SURPLUS}:
            code = Fault.FORK if arrival is Arrival.FORK else Fault.OUT_OF_PHASE
            error = RemoteProtocolError(author.identity, code, f"number {seq}")
            self._convict(author, error, *(each.frame for each in self.logs.forks[-1]))
        for new in grown:
            self._journal.append(Record(author.identity, author.incarnation, new.seq, new.frame, own=False))
            self.post.pass_on(new.frame, author.identity, link)

    def _convict(self, author: Author, error: RemoteProtocolError, *frames: bytes) -> None:
        """Holds against a peer what is in no chain, and keeps it for the others; who has left the table can stop nobody."""
        known = self.convicted.get(author.identity)
        if known is Fault.FORK or known is error.code:
            return  # else every testimony that comes back would breed more
        if self.problem is None and (self.table.lobby is None or lobby.is_seated(self.table, author)):
            if known is not None and error.code is Fault.FORK:
                self.convicted[author.identity] = error.code  # who forks pays for the hand
            self._evidence += dict.fromkeys(frames)
            if error.code is Fault.FORK:  # else what it has in its log counts as before, for all alike
                self.ledger.stop(author, self.ledger.applied(author))
                self._forked_at = self._now
            self._accuse(error)

    def _piles_up(self, author: Author) -> bool:
        """Whether so much of an author waits for others that more has to stay away."""
        done = self.ledger.applied(author)
        waiting = self.logs.length(author) - done
        return waiting >= MAX_WAITING or (waiting > 0 and self.logs.bytes_from(author, done) > MAX_WAITING_BYTES)

    def _gone(self, author: Author) -> bool:
        """Whether somebody was at the table before the game began, and is not in it."""
        return self.table.game is not None and not lobby.is_seated(self.table, author)

    def _from_host(self, link: bytes) -> bool:
        return self.table.lobby is None and link == self.host_link

    def _begin_anew(self) -> None:
        """Goes on under a new incarnation: our log has entries that we do not know, and would contradict."""
        self.waking = False
        self.author = self.post.author = Author(self.author.identity, self.entropy(8))
        self.hands.own = {}
        self._join_at = self._now

    # what the player wants

    def _command(self, command: inputs.Command) -> None:
        if self.problem is not None and not isinstance(command, inputs.Leave):
            raise LocalProtocolError(self.problem)
        if self.waking:
            raise LocalProtocolError("The others are being asked where the game stands: try again in a moment.")
        match command:
            case inputs.Leave():
                if lobby.is_seated(self.table, self.author) and self.author.identity not in self.table.left:
                    self._write(LeaveTable())
                    self._apply_ready()
                self.problem = self.problem or "You have left the table."
            case inputs.Say(text):
                line = clean(text, MAX_CHAT)
                if not line or not lobby.is_seated(self.table, self.author):
                    raise LocalProtocolError("There is nothing to say, or nobody to say it to.")
                if not self.post.say(line, self._now):
                    raise LocalProtocolError("Not so fast: nobody would hear that.")
                self._events.append(events.Said(self.author.identity, line))
            case inputs.Admit(peer, yes):
                self._answer(self.doorway.admit(self.table, peer, yes=yes))
            case inputs.AddBot() | inputs.RemoveBot() | inputs.ChangeRules() | inputs.Start():
                self._order(command)
            case inputs.Pass() | inputs.Play() | inputs.ChooseMoon():
                self._move(command)
            case inputs.Mark(mark):
                if mark not in inputs.MARKS:
                    raise LocalProtocolError("Say “here”, “away” or “wait”.")
                self.post.mark, self._beat_at = inputs.MARKS.index(mark), 0.0
            case inputs.GoOn():
                self._go_on_without()

    def _order(self, command: inputs.AddBot | inputs.RemoveBot | inputs.ChangeRules | inputs.Start) -> None:
        room = self.table.lobby
        if room is None or room.host != self.author:
            raise LocalProtocolError("Only the host can do that.")
        if self.table.game is not None or room.proposal is not None:
            raise LocalProtocolError("The game has begun.")
        if self.logs.length(self.author) >= MAX_CHANGES:
            raise LocalProtocolError("This table has been changed too often: open a new one.")
        self._write(hosting.order(room, command))

    def _move(self, command: inputs.Pass | inputs.Play | inputs.ChooseMoon) -> None:
        deal = self.table.deal
        if deal is not None and frozen(deal, self.author.identity) and not isinstance(command, inputs.Pass):
            self.hands.hold(command)
            return
        body = self.hands.move(deal, command)
        if body is not None:
            self._write(body)

    def _go_on_without(self) -> None:
        """Says that our person waits no longer for the one who has to decide."""
        deal, slow = self.table.deal, self._slow()
        if deal is None or slow is None:
            raise LocalProtocolError(f"Nobody has been deciding for longer than {URGE_SECONDS:.0f} seconds.")
        if self.author.identity not in deal.present:
            raise LocalProtocolError("You have no part in this hand.")
        if self.author.identity in deal.urged.get((slow, turn_of(deal)), ()):
            raise LocalProtocolError("You have said so already.")
        part = deal.members.index(slow)
        self._write(Urge(deal.number, deal.attempt, deal.decision.number, part, turn_of(deal)))

    # what follows

    def _answer(self, answer: Answer) -> None:
        for body in answer.bodies:
            self._write(body)
        self._events += answer.events

    def _write(self, body: Body, secret: bytes | None = None) -> None:
        """Adds an entry to our own log; it is applied like any other."""
        log = self.logs.log(self.author)
        table = self.table.game.table if self.table.game is not None else self.post.table
        entry = seal(self.me.key, self.version, table, self.author, len(log.entries), log.head, body)
        if self.logs.add(entry)[0] is not Arrival.NEW:
            self.problem = "This program has written more than a hand can hold: join the table anew."
            return
        who, hand = self.author, getattr(body, "hand", 0)
        record = Record(who.identity, who.incarnation, entry.seq, entry.frame, own=True, secret=secret, hand=hand)
        self._journal.append(record)
        self.post.publish(entry.frame)
        if isinstance(body, Open):
            self.post.table = entry.hash

    def _settle(self) -> None:
        """Applies what can be applied and does what is due, until nothing is left to do."""
        while self.problem is None and (self._apply_ready() or self._act()):
            pass
        if self.problem is None and not self.waking:
            self._look()

    def _apply_ready(self) -> bool:
        """Applies entries of all authors as far as they do not wait for others."""
        applied = False
        for step in self.ledger.run(self._may):
            applied = True
            if step.fault is not None:
                self._accuse(step.fault)
            if step.before is not self.table:
                self._follow(step)
            self._go_through_again_if_overrun()
            if self.problem is not None:
                break
        return applied

    def _may(self, table: Table, entry: Entry) -> bool:
        succession = entry.kind is Kind.SUCCEED
        return not succession or hosting.may_succeed(table, self.author, entry.author, self._silent)

    def _follow(self, step: Step) -> None:
        """Takes note of what an entry has changed."""
        before, after = step.before, self.table
        if step.todo and step.entry.author == self.author:
            self.ledger.trust(step.entry)
            self.ledger.check_done(step.entry, None)
        elif step.todo:
            urgency = NORMAL if getattr(step.entry.body, "hand", 0) == after.number else LATER
            self._hand_out(Checking(step.entry), urgency, failure, (step.todo,))
        self._become(before)

    def _become(self, before: Table) -> None:
        after = self.table
        if hosting.duty(before) != hosting.duty(after):
            self._owed_since = self._now
        if _course(before, self.author.identity) != _course(after, self.author.identity):
            self._moved_at = self._now
        if before.number != after.number:
            self.post.gossip.new_hand(self._now)
        old, new = _decision(before), _decision(after)
        if old is not new and new is not None and (old is None or not old.motions or old.number != new.number):
            self._begun_at = self._now
        self._events += tell(before, after)
        if before.peers != after.peers:
            self._greet(before, after)

    def _go_through_again_if_overrun(self) -> None:
        if self.table.overrun:
            self._go_through_again()

    def _go_through_again(self) -> None:
        """Applies the entries of this hand anew, without those that do not count; what comes of it is told as one change."""
        before = self.table
        self.hands.unread()
        self._tasks = {number: task for number, task in self._tasks.items() if isinstance(task, Checking)}
        whole = False
        while not whole:
            self.ledger.rewind()
            whole = self._run_through()
        self._become(before)

    def _run_through(self) -> bool:
        """Applies what can be applied; False when that, too, went beyond what counts."""
        for step in self.ledger.run(self._may):
            if step.fault is not None:
                self._accuse(step.fault)
            if step.todo:
                self._hand_out(Checking(step.entry), NORMAL, failure, (step.todo,))
            if self.table.overrun:
                return False
        return True

    def _greet(self, before: Table, after: Table) -> None:
        """Takes note of who came and who went; the host sends newcomers the logs."""
        self.post.meet(after.peers, frozenset() if after.lobby is None else after.lobby.met, self._now)
        if lobby.is_seated(before, self.author) and not lobby.is_seated(after, self.author):
            self.problem = (
                "The table has gone on without you, since you were not heard of. You can ask for a seat again."
            )
        self._watch.pardon(frozenset(self.doorway.seat(after)))
        for peer in after.peers:
            known = before.peer(peer.identity)
            if known is not None and known.author != peer.author:
                self.post.gossip.meet_anew(peer.identity, self._now)
            waited = self.doorway.asking.pop(peer.identity, None) is not None
            if known is None or known.author != peer.author:
                self._watch.missed -= {peer.identity}  # it was missed as long as it stood at the door
            newcomer = before.peer(peer.identity) is None and peer.author != self.author
            hosting_now = after.lobby is not None and after.lobby.host == self.author
            if hosting_now and (waited or newcomer) and peer.link in self.post.gossip.linked:
                self.post.welcome(peer.link, self.logs, self._now)

    def _hand_out(
        self, task: Task | Checking, urgency: int, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._job_count += 1
        self._tasks[self._job_count] = task
        self._jobs.append(inputs.Job(self._job_count, urgency, function, arguments))

    def _finish(self, job: int, result: Any) -> None:
        task = self._tasks.pop(job, None)
        if task is None or self.problem is not None:
            return
        if isinstance(task, Checking):
            before = self.table
            fault = self.ledger.check_done(task.entry, result)
            if fault is not None:
                self._accuse(fault)
                if task.entry.kind >= Kind.DEAL:  # before that, the hand is opened again
                    self._go_through_again()
            self._go_through_again_if_overrun()
            self._become(before)
            return
        deal = self.table.deals.get(task.number)
        own = self.hands.own.get((task.number, task.part))
        if own is None or deal is None or deal.attempt != task.attempt or own.spent:
            return
        if task.void is not None:
            self.hands.proved(task.number, task.part, task.void, result)
            self._retry()
        elif task.kind in {Kind.COMMIT_PASS, Kind.OPEN_PASS}:  # the passes are made; `_act` writes what tells of them
            self.hands.keep(deal, replace(own, passes=result, pass_salt=self.entropy(32)))
        elif not frozen(deal, self.author.identity):  # else it is made again once the decision has fallen
            if isinstance(result, Complaint):
                self.hands.complain(deal, result)
            self._write(result)

    def _retry(self) -> None:
        """Makes the moves that have waited."""
        held, self.hands.held = self.hands.held, []
        for move in held:
            with suppress(LocalProtocolError):  # the trick may have changed meanwhile; the seat is asked again
                self._move(move)

    def _act(self) -> bool:
        """Does one thing that we owe; False when there is nothing, or an entry of ours does not count yet."""
        if self.waking or self.ledger.applied(self.author) < self.logs.length(self.author):
            return False
        if not lobby.is_seated(self.table, self.author):
            return False  # what an earlier program of ours owed when it sat here is not ours to do
        if self.table.game is not None:
            return self._act_in_game(self.table.game)
        waited = self._now - self._owed_since
        step = hosting.step(self.table, self.me.key, self._nonce, self._silent, waited, self.entropy)
        if step is None:
            return False
        body, nonce = step
        self._nonce = nonce or self._nonce
        self._write(body, None if nonce is None else pack((0, nonce.number, nonce.nonce, nonce.salt)))
        return True

    def _act_in_game(self, game: Game) -> bool:
        table, me = self.table, self.author.identity
        if me in table.left:
            return False
        for number in (table.number - 1, table.number):
            hand = table.deals.get(number)
            if hand is None or not votes(hand, me, self._watch.missed):
                continue
            vote = next_vote(table, game, hand, self.me.key, self._sight())
            if vote is not None:
                self._write(vote)
                return True
        deal = table.deal
        if deal is None or deal.ended or frozen(deal, me):
            return False
        if me not in deal.present:
            return self._ask_to_return(table)
        if self.hands.held and not deal.unproved:
            self._retry()
            if self.ledger.applied(self.author) < self.logs.length(self.author):
                return True
        return any(self._act_in(each) for _, each in sorted(table.deals.items()))

    def _ask_to_return(self, table: Table) -> bool:
        if self.author.identity in table.returning:
            return False
        self._write(Return(table.number))
        return True

    def _act_in(self, deal: Deal) -> bool:
        tasks = (task for task in self._tasks.values() if isinstance(task, Task) and task.attempt == deal.attempt)
        working = frozenset((task.number, task.kind, task.part) for task in tasks if task.void is None)
        actor = Actor(self.group, self.me.key, working, self._kitty_agreed)
        step = self.hands.next(actor, self.table, deal)
        if step is None:
            return False
        if isinstance(step, Work):
            urgency = URGENT if deal.number == self.table.number else LATER
            task = Task(deal.number, deal.attempt, step.kind, step.part)
            self._hand_out(task, urgency, step.function, step.arguments)
            return False
        if step.own is not None:
            self.hands.keep(deal, step.own)
        self._write(step.body, self.hands.record(deal, step.own))
        return True

    def _sight(self) -> Sight:
        """What we see of the others."""
        me, now = self.author.identity, self._now
        there = frozenset(p.identity for p in self.table.peers if self._silent(p.identity) < AWAY_SECONDS) | {me}
        forked = frozenset(peer for peer, fault in self.convicted.items() if fault is Fault.FORK)
        return Sight(
            missed=self._watch.missed,
            there=there,
            out=self.table.left | self.convicted.keys(),
            forked=forked,
            noticed=now - self._watch.noticed_at,
            quiet=now - self._moved_at,
            begun=now - self._begun_at,
            holds=self.ledger.holds,
            joining={
                comer.join.identity: comer.frame
                for comer in self.doorway.there(self._now)
                if comer.join.identity not in self.convicted  # who broke the rules comes back under no log
            },
        )

    def _kitty_agreed(self, deal: Deal) -> bool:
        """Whether all members are known to hold the trick that took the kitty, as we do."""
        if played_on(deal):
            return True
        plays = kitty_plays(deal, {peer.identity: self.logs.log(peer.author).entries for peer in self.table.peers})
        others = frozenset(deal.present) - {self.author.identity}
        return all(
            self.post.gossip.confirmed(others - {play.author.identity}, self.logs, play.author, play.seq)
            for play in plays
        )

    def _look(self) -> None:
        """Reads our own cards once they can be read, and asks our seats for what they owe."""
        self._events += self.hands.look(self.table)
        deal = self.table.deal
        if deal is None:
            return
        for own, void in self.hands.voids_ahead(deal):
            under_way = {(task.part, task.void) for task in self._tasks.values() if isinstance(task, Task)}
            if (own.part, void) not in under_way:
                seat, _, claim = void
                arguments = (self.group, deal, self.author.identity, own, seat, claim, self.entropy(32))
                self._hand_out(Task(deal.number, deal.attempt, Kind.PLAY, own.part, void), URGENT, make_void, arguments)

    def _accuse(self, error: RemoteProtocolError) -> None:
        """Says once what a peer did. In the lobby there is nothing else to do; a game goes on without it."""
        if self.problem is not None or error.peer in self.convicted:
            return
        self.convicted[error.peer] = error.code
        self._events.append(events.Accused(error.peer, error.code, error.detail))
        if self.table.game is None:
            peer = self.table.peer(error.peer)
            name = error.peer.hex()[:8] if peer is None else peer.name
            self.problem = f"{name} {error.code.value}. The game cannot go on with {name}."

    def _forget(self) -> None:
        """Lets go of the secrets of every hand that is decided, or that we can take no further part in."""
        if self._nonce is not None and (self.table.game is not None or self.problem is not None):
            self._nonce = None
            self._forgotten.append(0)
        self._forgotten += self.hands.forget(self.table, self._needs_keys_of)

    def _needs_keys_of(self, number: int) -> bool:
        """Whether we may still have to open or prove something in a hand."""
        deal = self.table.deals.get(number)
        ended = number < self.table.number or (deal is not None and deal.ended)
        return self.problem is None and not self.table.over and not ended

    # what time brings

    def _silent(self, identity: bytes) -> float:
        known = self.post.gossip.neighbours.get(identity)
        return 0.0 if known is None else self._now - known.heard_at

    def _keep_time(self, *, listen: bool) -> None:
        now, post = self._now, self.post
        if not lobby.is_seated(self.table, self.author):
            in_game = self.table.game is not None and not self.table.over
            doors = post.links.values() if in_game else (self.host_link,) if self.table.lobby is None else ()
            if self.problem is None and now >= self._join_at:
                self._join_at = now + JOIN_AGAIN_SECONDS
                for link in doors:
                    post.knock(link)
        elif now >= self._beat_at or self._awaited():
            self._beat_at = now + HEARTBEAT_SECONDS
            post.beat(self.logs)
            if self._evidence and self._testified < TESTIFY_BEATS:
                self._testified += 1
                for frame in self._evidence:
                    post.publish(frame)
        if listen:
            post.ask(self.logs, now)
        gone, back = post.gossip.stale(now, self.author.identity)
        self._events += [*map(events.Away, gone), *map(events.Back, back)]
        out = self.table.left | self.convicted.keys() | {comer.join.identity for comer in self.doorway.there(self._now)}
        deal = self.table.deal
        paused = deal is not None and (post.mark == PLEASE_WAIT or post.gossip.paused(deal.present, now))
        self._watch.look(
            self.table,
            self.author.identity,
            frozenset(out),
            self._silent,
            now,
            paused=paused,
            eyes=Eyes(self.ledger.holds, played_on),
        )
        post.vouched = frozenset() if deal is None else contested(deal) - self._watch.missed
        self._tell_slow()
        self._suspect()
        forked = () if deal is None else (m for m in deal.members if self.convicted.get(m) is Fault.FORK)
        if deal is not None and any(forked) and now - self._forked_at > FORK_SECONDS:
            self.ledger.spoilt = (deal.number, deal.attempt)

    def _tell_slow(self) -> None:
        """Tells once that somebody takes long, where there is no clock."""
        deal, game, slow = self.table.deal, self.table.game, self._slow()
        if game is None or game.clock or deal is None or slow is None or self.author.identity not in deal.present:
            return
        told = (deal.number, slow, turn_of(deal))
        if told != self._told_slow:
            self._told_slow = told
            self._events.append(events.Slow(slow))

    def _slow(self) -> bytes | None:
        """The other member whose player has been deciding for so long that one may go on without."""
        slow = None if self.table.deal is None else self._watch.slow(self.table.deal)
        if slow is None or slow[0] == self.author.identity or slow[1] < URGE_SECONDS:
            return None
        return slow[0]

    def _wake(self) -> None:
        """Goes on with our log once enough of the others have said how far they know it: nobody may hold more than we."""
        deal, me = self.table.deal, self.author.identity
        voters = frozenset(() if deal is None else deal.voters) | {me}
        known = [near for peer, near in self.post.gossip.neighbours.items() if peer in voters and near.counter != NEVER]
        ahead = (near.have.get(self.author) for near in known)
        if any(head is not None and not self.ledger.logs.has(self.author, head) for head in ahead):
            self._claimed_at = self._now if self._claimed_at is None else self._claimed_at
            if self._now - self._claimed_at < CLAIM_SECONDS:
                return  # whoever holds more sends it, and then we begin anew; a mere word is nobody's entry
        if len(known) + 1 >= quorum(len(voters)):
            self.waking = False

    def _suspect(self) -> None:
        """Convicts whoever builds on something else although it holds the very entries that we hold."""
        if not self.ledger.suspects:
            return
        ours = self._counting(self.logs.have())
        for author, error in tuple(self.ledger.suspects.items()):
            known = self.post.gossip.neighbours.get(author.identity)
            if known is not None and ours == self._counting(known.have.values()):
                self.ledger.stop(author, self.ledger.applied(author))
                self._accuse(error)

    def _counting(self, have: Iterable[Head]) -> set[tuple[bytes, int, bytes]]:
        """What a have vector says of the logs that still count."""
        return {
            (head.author, head.seq, head.mark) for head in have if not self._gone(Author(head.author, head.incarnation))
        }

    def _awaited(self) -> bool:
        """Whether others wait for our have vector: the kitty was just taken, or the game has just ended."""
        return any(
            isinstance(event, events.GameEnded | events.ResultSigned)
            or (isinstance(event, events.TrickEnded) and event.kitty)
            for event in self._events
        )

    def _wake_at(self) -> float:
        if not lobby.is_seated(self.table, self.author):
            return self._now + JOIN_AGAIN_SECONDS / 4
        return min(self._beat_at, self._now + GAP_SECONDS) if self.post.gossip.lacking else self._beat_at


def _tells_who_has_what(arrived: inputs.Input) -> bool:
    """Whether after this input there may be something to ask for: a heartbeat brings a have vector, a tick patience."""
    heartbeat = bytes((Tag.HEARTBEAT,))
    return isinstance(arrived, inputs.Tick) or (
        isinstance(arrived, inputs.Received) and arrived.frame.startswith(heartbeat)
    )


def _decision(table: Table) -> Decision | None:
    return None if table.deal is None else table.deal.decision


def _course(table: Table, me: bytes) -> tuple[object, ...] | None:
    """How far the decision of the current hand has come that we take part in. Whatever others move or say at ballots that we
    have not agreed to is no progress: else one peer could have everybody wait by moving again and again."""
    deal = table.deal
    if deal is None:
        return None
    decision = deal.decision
    ours = decision.promised.get(me, NO_BALLOT)
    begun = bool(decision.motions or decision.choices)
    at_ours = (len(decision.statements.get(ours, ())), ours in decision.choices, len(decision.votes.get(ours, ())))
    return deal.number, deal.attempt, deal.ended, decision.number, begun, ours, *at_ours


def host_table(
    setup: Setup, me: Identity, entropy: Entropy, now: float, group: Group = RISTRETTO255
) -> tuple[Session, Output]:
    """A session that opens a table, and the output of doing so."""
    session = make_session(me, entropy, group, setup=setup)
    overrides = tuple(lobby.written_override(key, value) for key, value in setup.overrides)
    own_join = session.post.join_frame(b"")
    terms = (setup.seats, setup.preset, overrides, setup.hands, setup.grace)
    ways = (setup.clock, int(setup.watch), int(setup.escrow))
    session._write(Open(clean(setup.title) or NAMELESS, *terms, *ways, own_join))  # noqa: SLF001
    output = session.step(inputs.Tick(), now)
    for level in setup.bots:
        more = session.step(inputs.AddBot(level), now)
        output = replace(more, events=output.events + more.events, journal=output.journal + more.journal)
    return session, output


def join_table(
    table: bytes,
    host_link: bytes,
    me: Identity,
    entropy: Entropy,
    group: Group = RISTRETTO255,
    *,
    watching: bool = False,
) -> Session:
    """A session that asks the peer behind `host_link` for a seat at the table of this id, or only to look on, once that
    link is up."""
    session = make_session(me, entropy, group, host_link=host_link, table=table)
    session.post.role = WATCHER if watching else PLAYER
    return session


def make_session(
    me: Identity,
    entropy: Entropy,
    group: Group,
    setup: Setup | None = None,
    host_link: bytes = b"",
    table: bytes = b"",
    incarnation: bytes = b"",
) -> Session:
    """A session with nothing in it; with an `incarnation` it goes on with a log of ours that was begun before."""
    author = Author(me.key.public, incarnation or entropy(8))
    me = replace(me, name=clean(me.name) or NAMELESS)
    post = Post(me, author, version_of(group.name), table)
    ledger = Ledger(group, post.version)
    doorway = Doorway(post, "approve" if setup is None else setup.admit)
    return Session(me, author, setup, host_link, entropy, ledger, Hands(group, me.key, entropy), post, doorway)
