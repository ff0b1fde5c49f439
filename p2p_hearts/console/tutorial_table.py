"""The table of the tutorial: a game whose cards all lie open in this program, told in the events and pictures of a real one.

The law: the rules engine decides what may be played and what comes of it, and the person sees what a player in that seat
would see, no more. No network, no shuffle, and nothing to be trusted: it is a lesson.
"""

import random
from dataclasses import dataclass, replace

from p2p_hearts.bots import choose_play
from p2p_hearts.cards import Card
from p2p_hearts.console.tutorial_cards import ME, NAMES, SEATS, Cards, after_pass, before_moon, cards, dealt, without
from p2p_hearts.console.tutorial_cards import PASSES as CHOSEN
from p2p_hearts.hearts.hand import Hand, begin, finished, to_play
from p2p_hearts.hearts.match import MoonChoice, hand_points
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.passing import pass_source
from p2p_hearts.hearts.play import play
from p2p_hearts.hearts.score import score_hand, trick_points
from p2p_hearts.hearts.view import View
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import PeerLine, Scene, SeatLine, SheetRow, Stage

LEVEL = "cautious"
KEY = bytes(32)  # nobody's


@dataclass(frozen=True, slots=True)
class LessonTable:
    """The state of the table; `hand` is None until all have passed."""

    title: str
    options: Options
    stage: Stage
    held: tuple[tuple[Card, ...], ...]
    hand: Hand | None = None
    number: int = 1
    kitty: tuple[Card, ...] = ()
    passed: tuple[Card, ...] = ()
    received: tuple[Card, ...] = ()
    scores: tuple[int, ...] = (0,) * SEATS
    sheet: tuple[SheetRow, ...] = ()


def open_lesson(title: str) -> LessonTable:
    """The table before the first pass."""
    return LessonTable(title, Options(), Stage.PASSING, dealt())


def pass_on(table: LessonTable) -> tuple[LessonTable, tuple[events.Event, ...]]:
    """The table once all have passed what they pass in this lesson."""
    source = pass_source(table.options, SEATS, 1, ME) or 0
    got = cards(CHOSEN[source])
    after = replace(_with(table, after_pass(table.options)), passed=cards(CHOSEN[ME]), received=got)
    return after, (events.CardsReceived(ME, source, got),)


def lay(table: LessonTable, card: Card) -> tuple[LessonTable, tuple[events.Event, ...]]:
    """The table after the seat in turn has laid a card.

    Raises IllegalPlayError when it may not.
    """
    hand = table.hand
    assert hand is not None  # noqa: S101 - cards are laid after the pass
    seat = (hand.leader + len(hand.table)) % SEATS
    after = play(hand, seat, card)
    held = tuple(without(own, card) if at == seat else own for at, own in enumerate(table.held))
    happened: list[events.Event] = [events.Played(seat, card, hand.trick)]
    if len(after.tricks) > len(hand.tricks):
        happened.append(trick_ended(after))
        if after.kitty_seat == ME and hand.kitty_seat is None:
            happened.append(events.KittyRead(ME, table.kitty))
    return replace(table, hand=after, held=held), tuple(happened)


def trick_ended(hand: Hand) -> events.TrickEnded:
    """What is told of the last complete trick."""
    last = hand.tricks[-1]
    points = trick_points(hand.options, last)
    return events.TrickEnded(len(hand.tricks), last.leader, last.cards, last.winner, last.cancelled, points, last.kitty)


def play_out(table: LessonTable) -> LessonTable:
    """The table after everybody has played the rest of the hand as a bot would."""
    rng = random.Random(0)  # noqa: S311 - a lesson goes the same way every time
    while table.hand is not None and (seat := to_play(table.hand)) is not None:
        table, _ = lay(table, choose_play(LEVEL, view_of(table, seat), rng))
    return table


def write_down(table: LessonTable, choice: MoonChoice | None = None) -> tuple[LessonTable, tuple[events.Event, ...]]:
    """The table once a finished hand stands on the sheet."""
    assert table.hand is not None  # noqa: S101 - it has been played
    score = score_hand(table.hand)
    points = hand_points(table.options, score.points, score.moon, choice)
    scores = tuple(before + cost for before, cost in zip(table.scores, points, strict=True))
    row = SheetRow(table.number, points, score.kitty_seat, score.unclaimed, score.moon, choice)
    told = events.HandScored(table.number, points, scores, score.unclaimed, score.moon, choice)
    return replace(table, scores=scores, sheet=(*table.sheet, row), stage=Stage.SIGNING), (told,)


def deal_moon(table: LessonTable) -> LessonTable:
    """The table late in the second hand."""
    return replace(_with(table, before_moon(table.options)), number=2, passed=(), received=())


def view_of(table: LessonTable, seat: int) -> View:
    """What a seat knows."""
    hand = table.hand or begin(table.options, SEATS, ME, table.number)
    kitty = table.kitty if hand.kitty_seat == seat else None
    own = seat == ME
    return View(
        seat, hand, table.held[seat], table.received if own else (), table.passed if own else (), kitty, table.scores
    )


def scene_of(table: LessonTable) -> Scene:
    """The picture that the person sees."""
    turn = None if table.hand is None or finished(table.hand) else to_play(table.hand)
    waits = table.stage is Stage.PLAYING and turn is not None and turn != ME
    return Scene(
        stage=table.stage,
        table=table.title,
        peers=(PeerLine(KEY, NAMES[ME], "", me=True, host=True, linked=True, away=False),),
        lobby=None,
        options=table.options,
        words=(),
        seats=tuple(SeatLine(name, None if seat == ME else LEVEL, KEY) for seat, name in enumerate(NAMES)),
        my_seat=ME,
        number=table.number,
        dealer=ME if table.hand is None else table.hand.dealer,
        deal=(),
        hand=table.hand,
        view=view_of(table, ME),
        passed=tuple(seat != ME for seat in range(SEATS)) if table.hand is None else (True,) * SEATS,
        received=table.received,
        waiting_for=(NAMES[turn],) if waits and turn is not None else (),
        scores=table.scores,
        sheet=table.sheet,
        winners=(),
        problem=None,
    )


def _with(table: LessonTable, given: Cards) -> LessonTable:
    return replace(table, stage=Stage.PLAYING, hand=given.hand, held=given.held, kitty=given.kitty)
