"""A table without the protocol: the rules engine, bots and one person's seat, told in the events and scenes of a session.

It deals openly inside this file, which no real peer does, and shows the console nothing a session would not show.
"""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from p2p_hearts.bots import choose_moon, choose_pass, choose_play
from p2p_hearts.cards import DECK, Card
from p2p_hearts.hearts.hand import Hand, begin, deal, finished, to_play
from p2p_hearts.hearts.match import MoonChoice, hand_points, settle
from p2p_hearts.hearts.options import Options, departures
from p2p_hearts.hearts.passing import check_pass, exchange, pass_source, pass_target
from p2p_hearts.hearts.play import play, why_not
from p2p_hearts.hearts.reasons import sentence
from p2p_hearts.hearts.score import score_hand, trick_points
from p2p_hearts.hearts.view import View
from p2p_hearts.node.driver import Aside, Invite, Shown, Update, Wish
from p2p_hearts.protocol import events, inputs
from p2p_hearts.protocol.scene import Asking, DealLine, Lobby, PeerLine, Scene, SeatLine, SheetRow, Stage

NAMES = ("Ann", "Bea", "Cem", "Dace", "Eero", "Farah", "Gus", "Hana", "Ilse", "Jon", "Liv")
ME = 1  # Bea's seat
INVITATION = Shown("bahi patu rumu tunu", "p2ph:" + "aeaq" * 24)


@dataclass
class FakeTable:
    """A whole game for one person; every command gives the updates that come of it."""

    seats: int = 11
    seed: int = 1
    hands: int | None = 1
    options: Options = field(default_factory=Options)
    bots: tuple[int, ...] = (6, 9)  # seats without a person
    name: str = "Friday"
    stage: Stage = Stage.LOBBY
    number: int = 0
    dealer: int = 0
    scores: tuple[int, ...] = ()
    sheet: tuple[SheetRow, ...] = ()
    winners: tuple[int, ...] = ()
    deal_lines: tuple[DealLine, ...] = ()
    held: list[tuple[Card, ...]] = field(default_factory=list)
    kitty: tuple[Card, ...] = ()
    hand: Hand | None = None
    chosen: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    received: tuple[Card, ...] = ()
    asking: tuple[Asking, ...] = ()
    away: tuple[int, ...] = ()
    lobby_bots: int = 2
    problem: str | None = None
    moon: int | None = None
    invitation: Shown | None = None
    clock: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.scores = self.scores or (0,) * self.seats

    def command(self, command: Wish) -> Iterator[Update]:
        """What the table says to a command, and all that the bots and the other people do then."""
        match command:
            case Invite(opens):
                self.invitation = INVITATION if opens else None
                said = "An invitation: bahi patu rumu tunu" if opens else "The invitation is closed."
                yield replace(self.tell(), notices=(said,))
            case inputs.Start():
                yield from self.begin()
            case inputs.Pass(seat, cards):
                yield from self.passed(seat, cards)
            case inputs.Play(seat, card):
                yield from self.played(seat, card)
            case inputs.ChooseMoon(seat, choice):
                yield from self.moon_chosen(seat, choice)
            case inputs.Say(text):
                yield self.tell(events.Said(self.key(ME), text))
            case inputs.AddBot():
                self.lobby_bots += 1
                yield self.tell(events.LobbyChanged("A bot sits down."))
            case inputs.RemoveBot():
                self.lobby_bots -= 1
                yield self.tell(events.LobbyChanged("A bot leaves."))
            case inputs.Admit(_, yes):
                self.asking = self.asking[1:]
                yield self.tell(events.LobbyChanged("Somebody sits down." if yes else "Somebody is refused."))
            case inputs.Mark() | inputs.GoOn():
                yield self.tell()
            case inputs.Leave():
                self.stage, self.problem = Stage.STOPPED, "You left the table."
                yield self.tell()
            case _:
                yield self.tell(events.Refused("That is not possible now."))

    def begin(self) -> Iterator[Update]:
        """From the waiting room to the first decision of the person."""
        self.stage = Stage.ELECTION
        yield self.tell(events.ElectionBegan())
        self.dealer = 8 % self.seats
        yield from self.next_hand()

    def next_hand(self) -> Iterator[Update]:
        """Shuffle and deal, step by step."""
        self.number += 1
        self.stage = Stage.DEALING
        self.hand, self.received, self.chosen, self.moon = None, (), {}, None
        dealer = (self.dealer + self.number - 1) % self.seats
        peers = [self.key(seat) for seat in range(self.seats) if seat not in self.bots]
        no = DealLine(b"", key=False, mixed=False, verified=False, agreed=False, dealt=False)
        self.deal_lines = tuple(replace(no, peer=peer) for peer in peers)
        seated = (events.Seated(("amber", "kettle", "fjord")),) if self.number == 1 else ()
        yield self.tell(*seated, events.HandOpened(self.number, dealer))
        steps = [(step, at) for step in ("key", "mixed", "agreed", "dealt") for at in range(len(peers))]
        for step, at in steps:
            self._progress(at, step)
            yield self.tell(events.DealProgressed(peers[at], step))
            if step == "mixed":
                self._progress(at, "verified")
                yield self.tell(events.DealProgressed(peers[at], "verified"))
        deck = list(DECK)
        self.rng.shuffle(deck)
        hands, self.kitty = deal(deck, self.seats)
        self.held = list(hands)
        self.hand = begin(self.options, self.seats, dealer, self.number)
        if pass_target(self.options, self.seats, self.number, ME) is None:
            self.stage = Stage.PLAYING
            yield self.tell(events.CardsDealt(self.number))
            yield from self.run()
            return
        self.stage = Stage.PASSING
        yield self.tell(events.CardsDealt(self.number), events.Turn(ME, events.Duty.PASS, self.view(ME)))
        for seat in range(self.seats):
            if seat != ME:
                self.chosen[seat] = choose_pass("cautious", self.view(seat), self.rng)
                yield self.tell(events.SeatPassed(seat))

    def passed(self, seat: int, cards: tuple[Card, ...]) -> Iterator[Update]:
        """The person has chosen; all exchange and the first trick begins."""
        reason = check_pass(self.options, self.held[seat], cards)
        if self.stage is not Stage.PASSING or seat in self.chosen or reason is not None:
            yield self.tell(events.Refused(sentence(reason) if reason else "You have passed already."))
            return
        self.chosen[seat] = cards
        self.held = list(exchange(self.options, self.number, self.held, [self.chosen[at] for at in range(self.seats)]))
        source = pass_source(self.options, self.seats, self.number, ME)
        assert source is not None
        self.received = self.chosen[source]
        self.stage = Stage.PLAYING
        yield self.tell(events.SeatPassed(seat), events.CardsReceived(ME, source, self.received))
        yield from self.run()

    def played(self, seat: int, card: Card) -> Iterator[Update]:
        """The person plays, if the rules allow it."""
        hand = self.hand
        assert hand is not None
        if self.stage is not Stage.PLAYING or to_play(hand) != seat:
            yield self.tell(events.Refused("It is not your turn"))
            return
        reason = why_not(hand, self.held[seat], card)
        if reason is not None:
            yield self.tell(events.Refused(sentence(reason)))
            return
        yield self.lay(seat, card)
        yield from self.run()

    def run(self) -> Iterator[Update]:
        """Everybody plays until the person must, or the hand is over."""
        assert self.hand is not None
        while not finished(self.hand):
            seat = to_play(self.hand)
            assert seat is not None
            if seat == ME:
                yield self.tell(events.Turn(ME, events.Duty.PLAY, self.view(ME)))
                return
            yield self.lay(seat, choose_play("cautious", self.view(seat), self.rng))
        score = score_hand(self.hand)
        if score.moon is None:
            yield from self.scored(None)
            return
        self.stage, self.moon = Stage.MOON, score.moon
        yield self.tell(events.MoonShot(score.moon))
        if score.moon == ME:
            yield self.tell(events.Turn(ME, events.Duty.MOON, self.view(ME)))
            return
        yield from self.scored(choose_moon("cautious", self.view(score.moon), self.rng))

    def shoot(self, seat: int) -> Update:
        """All cards of this hand have gone to one seat."""
        assert self.hand is not None
        self.hand = replace(self.hand, trick=self.hand.size + 1, table=(), tricks=(), kitty_seat=seat)
        self.stage, self.moon = Stage.MOON, seat
        return self.tell(events.MoonShot(seat))

    def moon_chosen(self, seat: int, choice: str) -> Iterator[Update]:
        """The person has decided what the moon does."""
        if self.stage is not Stage.MOON or seat != self.moon:
            yield self.tell(events.Refused("There is nothing to choose"))
            return
        yield from self.scored("add" if choice == "add" else "subtract")

    def lay(self, seat: int, card: Card) -> Update:
        """One card on the table."""
        assert self.hand is not None
        before = self.hand
        self.hand = play(self.hand, seat, card)
        cards = list(self.held[seat])
        cards.remove(card)
        self.held[seat] = tuple(cards)
        told: list[events.Event] = [events.Played(seat, card, before.trick)]
        if self.hand.trick > before.trick:
            last = self.hand.tricks[-1]
            points = trick_points(self.options, last)
            told.append(
                events.TrickEnded(
                    before.trick, last.leader, last.cards, last.winner, last.cancelled, points, last.kitty
                )
            )
            if last.kitty and last.taker == ME:
                told.append(events.KittyRead(ME, self.kitty))
        return self.tell(*told)

    def scored(self, choice: MoonChoice | None) -> Iterator[Update]:
        """The hand goes on the sheet; the next one begins, or the game is over."""
        assert self.hand is not None
        score = score_hand(self.hand)
        points = hand_points(self.options, score.points, score.moon, choice)
        match = settle(self.options, self.scores, score.points, score.moon, choice)
        self.scores, self.stage = match.scores, Stage.SIGNING
        row = SheetRow(self.number, points, score.kitty_seat, score.unclaimed, score.moon, choice)
        self.sheet = (*self.sheet, row)
        yield self.tell(events.HandScored(self.number, points, self.scores, score.unclaimed, score.moon, choice))
        if match.over or self.number == self.hands:
            self.stage, self.winners = Stage.OVER, match.winners
            yield self.tell(events.GameEnded(self.winners))
            yield self.tell(events.ResultSigned())
            return
        yield from self.next_hand()

    def view(self, seat: int) -> View:
        """What a seat may know."""
        assert self.hand is not None
        kitty = self.kitty if self.hand.kitty_seat == seat else None
        received = self.received if seat == ME else ()
        return View(seat, self.hand, self.held[seat], received, self.chosen.get(seat, ()), kitty, self.scores)

    def tell(self, *told: events.Event) -> Update:
        """These events with the scene after them."""
        met = {self.key(0): "you played with Ann on 3 May", b"x" * 32: "new"}
        return Update(told, self.scene(), aside=Aside(self.invitation, met))

    def scene(self) -> Scene:
        """What the person may see."""
        begun = self.stage not in {Stage.LOBBY, Stage.JOINING}
        peers = tuple(self._peer(seat) for seat in range(self.seats) if seat not in self.bots)
        seats = tuple(
            SeatLine(NAMES[seat], "cautious" if seat in self.bots else None, self.key(0 if seat in self.bots else seat))
            for seat in range(self.seats)
        )
        drawn = begun and self.stage is not Stage.ELECTION
        dealt = self.hand is not None and self.stage in {Stage.PASSING, Stage.PLAYING, Stage.MOON, Stage.SIGNING}
        waiting: tuple[str, ...] = ()
        if self.stage is Stage.PASSING:
            waiting = tuple(NAMES[seat] for seat in range(self.seats) if seat not in self.chosen)
        return Scene(
            stage=self.stage,
            table=self.name,
            peers=peers,
            lobby=self.lobby(),
            options=self.options,
            words=("amber", "kettle", "fjord") if drawn else (),
            seats=seats if drawn else (),
            my_seat=ME if drawn else None,
            number=self.number,
            dealer=(self.dealer + max(0, self.number - 1)) % self.seats if drawn else None,
            deal=self.deal_lines,
            hand=self.hand if dealt and self.stage is not Stage.PASSING else None,
            view=self.view(ME) if dealt else None,
            passed=tuple(seat in self.chosen for seat in range(self.seats)) if dealt else (),
            received=self.received,
            waiting_for=waiting,
            scores=self.scores if drawn else (),
            sheet=self.sheet,
            winners=self.winners,
            problem=self.problem,
            clock=self.clock,
        )

    def lobby(self) -> Lobby:
        """The table before the start."""
        filled = self.seats - len(self.bots) + self.lobby_bots
        problem = None if 6 <= filled <= 11 else f"{filled} seats are filled; the game is for 6 to 11."
        said = departures(self.options, "as_written", min(11, max(6, filled)))
        return Lobby(
            "5eed" * 16,
            self.seats,
            ("cautious",) * self.lobby_bots,
            "as_written",
            self.options,
            said,
            self.hands,
            self.asking,
            problem,
        )

    def key(self, seat: int) -> bytes:
        """The identity of a peer."""
        return bytes([seat]) * 32

    def _peer(self, seat: int) -> PeerLine:
        name, me = NAMES[seat], seat == ME
        away = seat in self.away
        return PeerLine(
            self.key(seat), name, f"{name.lower()}-mark", me, host=me, linked=True, away=away,
            left_out_in=24.0 if away and self.number else None,
        )  # fmt: skip

    def _progress(self, at: int, step: str) -> None:
        lines = list(self.deal_lines)
        done: dict[str, Any] = {step: True}
        lines[at] = replace(lines[at], **done)
        self.deal_lines = tuple(lines)


class FakeDriver:
    """A `Driver` around a `FakeTable`."""

    def __init__(self, table: FakeTable) -> None:
        self.table = table
        self.updates: asyncio.Queue[Update] = asyncio.Queue()
        self.updates.put_nowait(table.tell())
        self.commands: list[Wish] = []
        self.closed = False

    def submit(self, command: Wish) -> None:
        """Answer at once."""
        self.commands.append(command)
        for update in self.table.command(command):
            self.updates.put_nowait(update)

    async def close(self) -> None:
        """Remember that it was asked."""
        self.closed = True
