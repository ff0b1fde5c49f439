"""Judging written-down cases: deals, passes, positions, tricks, whole hands and score sheets, by the rules engine alone.

The schema of cases and results is section "Written-down cases" of `protocol/rules.md`. Law: `adjudicate` answers every
JSON value; a malformed case is answered with an error that names the field, and the other cases are still judged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from p2p_hearts.cards import DECK, Card, card_text
from p2p_hearts.hearts.given import (
    MalformedError,
    Object,
    Play,
    check_copies,
    read_bool,
    read_cards,
    read_counts,
    read_field,
    read_hands,
    read_int,
    read_list,
    read_object,
    read_plays,
    read_seat,
    read_text,
    read_totals,
)
from p2p_hearts.hearts.hand import Hand, begin, dealer_of, finished, seat_in_turn, seat_letter
from p2p_hearts.hearts.match import MOON_CHOICES, settle
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS, OptionError, Options, resolve
from p2p_hearts.hearts.passing import check_pass, exchange, pass_target
from p2p_hearts.hearts.play import lay, legal_plays, why_not
from p2p_hearts.hearts.reasons import Reason, Why, sentence
from p2p_hearts.hearts.score import ALL_HEARTS, ALL_QUEENS, card_points, score_hand, tally

MAX_NUMBER: Final = 1_000_000  # of a hand; more than any game has

Result = dict[str, Any]


def adjudicate(document: object) -> Result:
    """The results of all cases of a document, `{"results": [{"id": …, "result": {…}}, …]}`."""
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        return {"results": [], "error": "cases: the document must be an object with a list of cases"}
    defaults = document.get("default_options", {})
    return {"results": [_judge_case(case, defaults) for case in document["cases"]]}


def _judge_case(case: object, defaults: object) -> Result:
    """The id and the result of one case."""
    if not isinstance(case, dict):
        return {"id": None, "result": {"error": "case: must be an object"}}
    try:
        read_text(case, "id")
        judge = _JUDGES[read_text(case, "kind", _JUDGES)]
        assumed = read_object({"default_options": defaults}, "default_options")
        result = judge(read_object(case, "given"), {**assumed, **read_object(case, "options")})
    except MalformedError as error:
        result = {"error": str(error)}
    except OptionError as error:
        result = {"error": f"options.{error}"}
    return {"id": case.get("id"), "result": result}


def _deal(given: Object, overrides: Object) -> Result:
    hand = begin(*_table(given, overrides), dealer=0, number=1)
    return {"hand_size": hand.size, "kitty_size": hand.kitty_size}


def _rotation(given: Object, overrides: Object) -> Result:
    options, seats = _table(given, overrides)
    number = read_int(given, "hand_number", 1, MAX_NUMBER)
    dealer = dealer_of(read_seat(given, "first_dealer", seats), seats, number)
    hand = begin(options, seats, dealer, number)
    targets = {seat: pass_target(options, seats, number, seat) for seat in range(seats)}
    pass_to = {seat_letter(seat): seat_letter(target) for seat, target in targets.items() if target is not None}
    return {"dealer": seat_letter(dealer), "leader": seat_letter(hand.leader), "pass_to": pass_to or None}


def _pass(given: Object, overrides: Object) -> Result:
    options, seats = _table(given, overrides)
    number = read_int(given, "hand_number", 1, MAX_NUMBER)
    hands = read_hands(given, "hands", seats)
    check_copies([card for held in hands for card in held], "hands")
    chosen = read_hands(given, "pass", seats)
    passing = pass_target(options, seats, number, 0) is not None
    for seat, cards in enumerate(chosen):
        reason = check_pass(options, hands[seat], cards) if passing else Reason(Why.NO_EXCHANGE) if cards else None
        if reason:
            raise MalformedError(f"pass.{seat_letter(seat)}", sentence(reason))
    return {"hands": _per_seat(map(_texts, exchange(options, number, hands, chosen)))}


def _legal(given: Object, overrides: Object) -> Result:
    # how many sit at the table does not matter here: an even number allows every pass, the most allow every trick
    options = resolve("as_written", overrides, MIN_SEATS)
    plays = read_plays(read_field(given, "table"), "table", MAX_SEATS)
    if len(plays) >= MAX_SEATS:
        raise MalformedError("table", "the trick is complete")
    held = read_cards(given, "hand")
    table = tuple(card for _, card in plays)
    check_copies(held + table, "table")
    position = replace(
        begin(options, MAX_SEATS, dealer=0, number=1),
        trick=read_int(given, "trick_number", 1, len(DECK) // MIN_SEATS),
        broken=read_bool(given, "hearts_broken"),
        table=table,
    )
    return {"legal": _texts(legal_plays(position, held))}


def _play(given: Object, overrides: Object) -> Result:
    options, seats = _table(given, overrides)
    leader, kitty, carried = read_seat(given, "leader", seats), read_cards(given, "kitty"), read_cards(given, "carried")
    size = read_int(given, "tricks_in_hand", 1, len(DECK) // seats)
    start = replace(
        begin(options, seats, dealer=(leader - 1) % seats, number=1),
        size=size,
        kitty_size=len(kitty),
        trick=read_int(given, "first_trick_number", 1, size),
        broken=read_bool(given, "hearts_broken"),
        pile=carried,
    )
    hand, tricks = start, _tricks(given, seats)
    if len(tricks) > size - start.trick + 1:
        raise MalformedError("tricks", f"{len(tricks)} tricks are more than the hand has left")
    check_copies([*kitty, *carried, *(card for trick in tricks for _, card in trick)], "tricks")
    for trick in tricks:
        for seat, card in trick:
            if seat != seat_in_turn(hand):
                raise MalformedError("tricks", f"{_play_text(seat, card)} is out of turn in trick {hand.trick}")
            hand = lay(hand, card)
        _check_complete(hand, trick)
    over = hand.trick > size
    leaders = [*(trick.leader for trick in hand.tricks[1:]), None if over else hand.leader]
    won = {
        seat: cards + (kitty if seat == hand.kitty_seat else ()) for seat, cards in enumerate(hand.captured) if cards
    }
    waiting = hand.pile + (kitty if hand.kitty_seat is None else ())
    return {
        "results": [
            {
                "winner": _letter(trick.winner),
                "cancelled": _texts(trick.cancelled),
                "next_leader": _letter(next_leader),
            }
            for trick, next_leader in zip(hand.tricks, leaders, strict=False)
        ],
        "captured": {seat_letter(seat): _texts(cards) for seat, cards in won.items()},
        "captured_points": {seat_letter(seat): card_points(options, cards) for seat, cards in won.items()},
        "carried": [] if over else _texts(hand.pile),
        "unclaimed": _texts(waiting) if over else [],
        "hearts_broken": hand.broken,
    }


def _hand_score(given: Object, overrides: Object) -> Result:
    options, seats = _table(given, overrides)
    hearts = read_counts(given, "hearts", seats, ALL_HEARTS)
    queens = read_counts(given, "queens", seats, ALL_QUEENS)
    jacks = read_counts(given, "jacks", seats, 2) if "jacks" in given else (0,) * seats
    nobodys_hearts = read_int(given, "unclaimed_hearts", 0, ALL_HEARTS)
    nobodys_queens = read_int(given, "unclaimed_queens", 0, ALL_QUEENS)
    for name, count, most in (
        ("hearts", sum(hearts) + nobodys_hearts, ALL_HEARTS),
        ("queens", sum(queens) + nobodys_queens, ALL_QUEENS),
        ("jacks", sum(jacks), 2),
    ):
        if count > most:
            raise MalformedError(name, f"{count} in all, there are only {most}")
    points, moon = tally(options, hearts, queens, jacks)
    return {"points": _per_seat(points), "moon": _letter(moon)}


def _match(given: Object, overrides: Object) -> Result:
    seats = len(read_object(given, "scores"))
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise MalformedError("scores", f"{seats} players: the game is for {MIN_SEATS} to {MAX_SEATS}")
    options = resolve("as_written", overrides, seats)
    scores, points = read_totals(given, "scores", seats), read_totals(given, "hand_points", seats)
    moon = None if read_field(given, "moon") is None else read_seat(given, "moon", seats)
    choice = read_field(given, "moon_choice")
    if choice not in MOON_CHOICES and not (moon is None and choice is None):
        raise MalformedError("moon_choice", f"must be {' or '.join(MOON_CHOICES)}")
    match = settle(options, scores, points, moon, choice)
    return {
        "scores": _per_seat(match.scores),
        "game_over": match.over,
        "winners": [seat_letter(seat) for seat in match.winners],
    }


def _full_hand(given: Object, overrides: Object) -> Result:
    options, seats = _table(given, overrides)
    hand = begin(options, seats, read_seat(given, "dealer", seats), number=1)
    if read_seat(given, "leader", seats) != hand.leader:  # R9
        raise MalformedError("leader", "the player on the dealer's left leads the first trick")
    hands, kitty = read_hands(given, "hands_after_pass", seats), read_cards(given, "kitty")
    for seat, held in enumerate(hands):
        if len(held) != hand.size:
            raise MalformedError(f"hands_after_pass.{seat_letter(seat)}", f"must be {hand.size} cards, not {len(held)}")
    if len(kitty) != hand.kitty_size:
        raise MalformedError("kitty", f"must be {hand.kitty_size} cards, not {len(kitty)}")
    check_copies([*kitty, *(card for held in hands for card in held)], "hands_after_pass")
    tricks = _tricks(given, seats)
    if len(tricks) > hand.size:
        raise MalformedError("tricks", f"{len(tricks)} tricks, the hand has {hand.size}")
    left = [list(held) for held in hands]
    for trick in tricks:
        for seat, card in trick:
            turn = seat == seat_in_turn(hand)
            reason = why_not(hand, left[seat], card) if turn else Reason(Why.NOT_YOUR_TURN)
            if reason:
                legal = _texts(legal_plays(hand, left[seat])) if turn else []
                illegal = {"trick": hand.trick, "play": _play_text(seat, card), "legal": legal}
                return {"illegal": illegal, "error": sentence(reason)}
            left[seat].remove(card)
            hand = lay(hand, card)
        _check_complete(hand, trick)
    if not finished(hand):
        raise MalformedError("tricks", f"the hand is not finished after {len(tricks)} tricks")
    return _scored(hand, kitty)


def _scored(hand: Hand, kitty: tuple[Card, ...]) -> Result:
    """The result of a whole hand."""
    score = score_hand(hand)
    won = [len(cards) + (len(kitty) if seat == hand.kitty_seat else 0) for seat, cards in enumerate(hand.captured)]
    return {
        "trick_winners": [_letter(trick.winner) for trick in hand.tricks],
        "points": _per_seat(score.points),
        "cards_won": _per_seat(won),
        "unclaimed": _texts(hand.pile + (kitty if hand.kitty_seat is None else ())),
        "moon": _letter(score.moon),
    }


_JUDGES: Final[Mapping[str, Callable[[Object, Object], Result]]] = {
    "deal": _deal,
    "rotation": _rotation,
    "pass": _pass,
    "legal": _legal,
    "play": _play,
    "hand_score": _hand_score,
    "match": _match,
    "full_hand": _full_hand,
}


def _table(given: Object, overrides: Object) -> tuple[Options, int]:
    """The options and the number of seats of a case."""
    seats = read_int(given, "players", MIN_SEATS, MAX_SEATS)  # R1
    return resolve("as_written", overrides, seats), seats


def _tricks(given: Object, seats: int) -> list[tuple[Play, ...]]:
    """The tricks of a case; that none is too short is seen while they are played, for an illegal play ends a case."""
    tricks = [read_plays(trick, f"tricks[{index}]", seats) for index, trick in enumerate(read_list(given, "tricks"))]
    for index, trick in enumerate(tricks):
        if len(trick) > seats:
            raise MalformedError(f"tricks[{index}]", f"{len(trick)} plays, must be {seats}")
    return tricks


def _check_complete(hand: Hand, trick: Sequence[Play]) -> None:
    """Refuse a trick that ends before every seat has played."""
    if len(trick) < hand.seats:
        raise MalformedError("tricks", f"trick {hand.trick} has {len(trick)} plays, must be {hand.seats}")


def _texts(cards: Iterable[Card]) -> list[str]:
    """Cards as a result lists them: sorted as plain strings."""
    return sorted(map(card_text, cards))


def _play_text(seat: int, card: Card) -> str:
    return f"{seat_letter(seat)}:{card_text(card)}"


def _letter(seat: int | None) -> str | None:
    return None if seat is None else seat_letter(seat)


def _per_seat(values: Iterable[object]) -> Result:
    """One value per seat, by letter."""
    return {seat_letter(seat): value for seat, value in enumerate(values)}
