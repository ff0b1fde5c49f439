"""Our own part in the hands: the secrets, the cards of the seats that we play for, and what these seats are asked.

How it works. A hand has parts, one for every member: each is the hand key of that member and the seats whose cards lie
under it. We do our own part, and those of lost members whose delegate we are, each with an `Own` of its own. Law: only
what the phase table asks of a part we do is done here; nothing of another part is ever opened."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol import commands, inputs
from p2p_hearts.protocol.codec import pack
from p2p_hearts.protocol.duties import Actor, Work, Write, asks, next_step
from p2p_hearts.protocol.errors import LocalProtocolError
from p2p_hearts.protocol.events import Duty, Event, Turn
from p2p_hearts.protocol.messages import Complaint, DialogueBody
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.reading import read
from p2p_hearts.protocol.stages import escrow
from p2p_hearts.protocol.state import Deal, Table, put

LOST_LEVEL = "cautious"  # of the bot that plays a seat whose owner was lost
Void = tuple[int, int, int]  # seat, trick and claim of a proof


@dataclass(slots=True)
class Hands:
    """The secrets by hand and part. Mutable; only the Session uses it."""

    group: Group
    key: SigningKey
    entropy: Entropy
    own: dict[tuple[int, bytes], Own] = field(default_factory=dict)
    held: list[inputs.Play | inputs.ChooseMoon] = field(
        default_factory=list
    )  # moves that wait for a proof, or a decision
    complaints: set[tuple[int, int, bytes, bytes]] = field(default_factory=set)  # hand, attempt, whose key, and by whom
    _asked: set[tuple[int, int, int, Duty, int]] = field(default_factory=set)

    @property
    def me(self) -> bytes:
        """Our identity."""
        return self.key.public

    def parts(self, deal: Deal) -> Iterator[bytes]:
        """The members whose part we do in a hand."""
        return (part for part in deal.members if deal.actor(part) == self.me)

    def secrets(self, deal: Deal) -> list[Own]:
        """What we know of the parts that we do."""
        return [own for part in self.parts(deal) if (own := self.own.get((deal.number, part))) is not None]

    def of_seat(self, deal: Deal | None, seat: int) -> tuple[Deal, Own]:
        """The secrets under which a seat's cards lie.

        Raises LocalProtocolError when we do not play for it, or it has none yet.
        """
        if deal is None or not 0 <= seat < deal.seats or deal.actor(deal.operators[seat]) != self.me:
            raise LocalProtocolError("The cards are not dealt yet." if deal is None else "That is not your seat.")
        own = self.own.get((deal.number, deal.operators[seat]))
        if own is None:
            raise LocalProtocolError("The cards are not dealt yet.")
        return deal, own

    def keep(self, deal: Deal, own: Own) -> None:
        """Notes new secrets of a part; those of another attempt at the hand are dropped."""
        self.own[deal.number, own.part] = own

    def next(self, actor: Actor, table: Table, deal: Deal) -> Write | Work | None:
        """The first thing to do in a hand that needs no decision of a player; None when there is none."""
        for part in self.parts(deal):
            own = self.own.get((deal.number, part))
            own = None if own is None or own.attempt != deal.attempt else own
            if deal.joint and not deal.slots and self.complained(deal):
                continue
            step = next_step(actor, table, deal, part, own, self.entropy)
            if step is not None:
                return step
        return self._give_or_take(deal)

    def record(self, deal: Deal, own: Own | None) -> bytes | None:
        """New secrets as the journal keeps them."""
        return None if own is None else pack((deal.number, own.record()))

    def _give_or_take(self, deal: Deal) -> Write | None:
        """A piece for the delegate of a lost member; or, if we are that, its key once the pieces are in."""
        mine = self.own.get((deal.number, self.me))
        if deal.ended or not deal.threshold or mine is None or mine.spent or self.me not in deal.present:
            return None
        for lost, delegate in deal.delegates.items():
            if delegate != self.me:
                if self.me not in deal.pieces.get((lost, delegate), {}):
                    return Write(escrow.make_piece(self.group, deal, self.me, mine, lost, self.entropy))
            elif (deal.number, lost) not in self.own:
                reported = frozenset(
                    who for *place, who in self.complaints if place == [deal.number, deal.attempt, lost]
                )
                got = escrow.rebuilt(self.group, deal, self.me, mine, lost, self.entropy, reported)
                if isinstance(got, Complaint):
                    self.complain(deal, got)
                    return Write(got)
                if got is not None:
                    self.own[deal.number, lost] = got
        return None

    def complain(self, deal: Deal, complaint: Complaint) -> None:
        """Notes what we complain about: once is enough."""
        lost, sender = deal.members[complaint.part], deal.members[complaint.sender]
        self.complaints.add((deal.number, deal.attempt, lost, sender))

    def complained(self, deal: Deal) -> bool:
        """Whether we have complained about a piece of this opening: then we do not agree to its deck, and wait."""
        place = (deal.number, deal.attempt)
        return any((number, attempt) == place and lost == sender for number, attempt, lost, sender in self.complaints)

    def move(self, deal: Deal | None, command: inputs.Pass | inputs.Play | inputs.ChooseMoon) -> DialogueBody | None:
        """The entry by which a seat of ours moves; None when it only has chosen, or waits for a proof.

        Raises LocalProtocolError.
        """
        deal, own = self.of_seat(deal, command.seat)
        match command:
            case inputs.Pass():
                self.keep(deal, commands.choose_pass(deal, own, self.me, command))
                return None
            case inputs.Play() if commands.waits_for_proof(deal, own, self.me, command) or deal.unproved:
                self.hold(command)  # nothing is built on a play whose proof may not hold
                return None
            case inputs.Play():
                return commands.play(self.group, deal, own, self.me, command, self.entropy)
            case inputs.ChooseMoon():
                return commands.choose_moon(deal, self.me, command)

    def hold(self, command: inputs.Play | inputs.ChooseMoon) -> None:
        """Keeps a move for later."""
        self.held = [*dict.fromkeys([*self.held, command])]

    def look(self, table: Table) -> list[Event]:
        """Reads our cards once they can be read, and asks our seats for what they owe: each once."""
        deal = table.deal
        if deal is None or table.game is None:
            return []
        events: list[Event] = []
        for before in self.secrets(deal):
            own, news = read(self.group, deal, before, self.me)
            self.keep(deal, own)
            events += news
            for seat, duty in asks(table, deal, own):
                asked = (deal.number, deal.attempt, seat, duty, 0 if deal.hand is None else deal.hand.trick)
                view = commands.view(deal, own, seat, table.scores)
                if asked not in self._asked and view is not None:
                    self._asked.add(asked)
                    place = table.game.seats[seat]
                    level = place.bot or (None if place.operator == self.me else LOST_LEVEL)
                    events.append(Turn(seat, duty, view, level))
        return events

    def voids_ahead(self, deal: Deal) -> Iterator[tuple[Own, Void]]:
        """The void proofs that our seats may need in this trick and that are not made yet."""
        for own in self.secrets(deal):
            for void in commands.voids_ahead(deal, own):
                if void not in own.voids:
                    yield own, void

    def proved(self, number: int, part: bytes, void: Void, proof: bytes) -> None:
        """Takes in a void proof."""
        own = self.own.get((number, part))
        if own is not None:
            self.own[number, part] = replace(own, voids=put(own.voids, void, proof))

    def unread(self) -> None:
        """Forgets what was read, proved and asked of hands that are gone through again."""
        self.own = {place: own.unread() for place, own in self.own.items()}
        self._asked = set()

    def forget(self, table: Table, needed: Callable[[int], bool]) -> list[int]:
        """Lets go of the secrets of every hand that is decided, or that we take no further part in; which hands these are."""
        if all(needed(number) for number, _ in self.own):
            return []
        kept: dict[tuple[int, bytes], Own] = {}
        gone: list[int] = []
        for (number, part), own in self.own.items():
            spent = own.spent or needed(number)
            gone += [] if spent else [number]
            if number in table.deals or number > table.number:
                kept[number, part] = own if spent else own.spend()
        self.own = kept
        return list(dict.fromkeys(gone))
