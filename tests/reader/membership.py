"""What follows once a decision has fallen: `decisions.md`, P112 to P119 and P130 to P133."""

from dataclasses import replace

from tests.reader import messages as m
from tests.reader.closing import Annulled, Sheet, result_of, sheet_after
from tests.reader.council import Decision
from tests.reader.entries import open_join
from tests.reader.hand import Hand
from tests.reader.hashing import fingerprint
from tests.reader.lobby import Peer
from tests.reader.names import told_apart
from tests.reader.refusal import demand
from tests.reader.table import Game, Place, is_last, opened
from tests.reader.votes import left_out

NO_MARK = bytes(16)


def advanced(game: Game) -> Game:
    """The game with every step taken that needs no entry."""
    hand = game.hand
    if game.over or hand is None:
        return game
    value = hand.council.fallen
    if value is not None and not hand.ended:
        after = _carried_out(game, hand, value)
        if after is not game:
            return advanced(after)
    staying = [voter for voter in hand.voters if voter not in game.left]
    if not hand.ended and 0 < len(staying) < len(hand.voters) // 2 + 1:
        return _given_up(game, hand)
    if (
        hand.play is not None
        and not hand.ended
        and not is_last(game, hand.number)
        and hand.number + 1 not in game.hands
    ):
        drawn = game.drawn
        assert drawn is not None
        there = drawn.among(hand.present)
        following = opened(game, hand.number + 1, there, game.era, there)
        game = replace(game, hands={**game.hands, following.number: following})
    return game


def result_after(game: Game, hand: Hand) -> tuple[Sheet, dict[str, object]]:
    """The sheet and the result after a hand that can end (P91)."""
    sheet = sheet_after(hand, game.scores, game.scored, game.annulled)
    return sheet, _result(game, hand, sheet)


def _result(game: Game, hand: Hand, sheet: Sheet) -> dict[str, object]:
    drawn = game.drawn
    assert drawn is not None
    names, owners = (tuple(getattr(place, what) for place in drawn.places) for what in ("name", "owner"))
    return result_of(hand, names, owners, sheet)


def _carried_out(game: Game, hand: Hand, value: m.Body) -> Game:
    match value["verdict"]:
        case m.END:
            return _ended(game, hand, value)
        case m.ANNULLED:
            return _annulled(seated(game, value["joins"]), hand, value["members"], value["charged"])
        case _:
            return _gone_on(game, hand, value)


def _gone_on(game: Game, hand: Hand, value: m.Body) -> Game:
    """P112: a membership; the same game while entries up to the horizons are missing."""
    lost, number = left_out(hand, value), hand.council.number + 1
    if not lost:
        return _with(game, replace(hand, council=Decision(number)))
    last = {head["author"]: -1 if head["mark"] == NO_MARK else head["seq"] for head in value["horizons"]}
    if any(game.reached(member) < last[member] for member in lost):
        return game
    if not value["dealt"]:
        members = [member for member in game.members if member in value["members"]]
        return _reopened(game, opened(game, hand.number, members, game.era + 1, hand.voters, number))
    if not hand.threshold:
        return _annulled(game, hand, value["members"], lost)
    delegates = dict(hand.delegates)
    for part in hand.members:
        if part in lost or delegates.get(part) in lost:
            drawn = int.from_bytes(fingerprint("delegate", value["lot"], part), "big")
            delegates[part] = value["members"][drawn % len(value["members"])]
    confirmed = dict(game.confirmed)
    for member in lost:
        key = hand.number, hand.attempt, member
        demand(game.void.get(key, last[member]) == last[member], "OUT_OF_ORDER", "another horizon than the votes say")
        late = key not in game.void and game.reached(member) > last[member]
        demand(not late, "OUT_OF_ORDER", "entries beyond a horizon have counted")
        confirmed[key] = last[member]
    game = _with(game, replace(hand, delegates=delegates, council=Decision(number)))
    return _without_next(replace(game, era=game.era + 1, confirmed=confirmed))


def _ended(game: Game, hand: Hand, value: m.Body) -> Game:
    """P130."""
    sheet, result = result_after(game, hand)
    game = replace(
        _with(game, replace(hand, ended=True)),
        scores=sheet.scores,
        scored=sheet.scored,
        winners=sheet.winners,
        over=not value["members"],
        result=result,
    )
    if game.over:
        return game
    game = seated(game, value["joins"])
    drawn = game.drawn
    assert drawn is not None
    members = drawn.among(value["members"])
    following = game.hands.get(hand.number + 1)
    if following is None or set(following.members) != set(members) or value["joins"]:
        game = replace(game, era=game.era + 1)
        following = opened(game, hand.number + 1, members, game.era, members)
    hands = {hand.number: game.hands[hand.number], following.number: following}
    return replace(game, number=following.number, hands=hands, members=members)


def _annulled(game: Game, hand: Hand, members: list[bytes], gone: list[bytes]) -> Game:
    """P131."""
    game, drawn = _charged(game, hand, gone), game.drawn
    assert drawn is not None
    ordered = drawn.among(members)
    game = _reopened(game, opened(game, hand.number, ordered, game.era + 1, ordered, hand.council.number + 1))
    return replace(game, members=ordered)


def _given_up(game: Game, hand: Hand) -> Game:
    """P133."""
    game = _charged(game, hand, [voter for voter in hand.voters if voter in game.left])
    sheet = Sheet(game.scored, game.annulled, game.scores, over=False, winners=())
    game = replace(_with(game, replace(hand, ended=True)), over=True)
    return replace(game, result=_result(game, hand, sheet))


def _charged(game: Game, hand: Hand, gone: list[bytes]) -> Game:
    drawn = game.drawn
    assert drawn is not None
    seats = tuple(seat for seat, place in enumerate(drawn.places) if not place.bot and place.owner in gone)
    charge = drawn.options["annulled_charge"]
    scores = tuple(total + charge * (seat in seats) for seat, total in enumerate(game.scores))
    before = sum(1 for one in game.annulled if one.number == hand.number)
    return replace(game, scores=scores, annulled=(*game.annulled, Annulled(hand.number, before, seats)))


def seated(game: Game, joins: list[bytes]) -> Game:
    """P117, P132: those who come with a new log, and newcomers, who take the first seats that bots play."""
    drawn = game.drawn
    assert drawn is not None
    peers, places = list(drawn.peers), list(drawn.places)
    for frame in joins:
        join = open_join(frame)
        author = (join["identity"], join["incarnation"])
        old = next((at for at, peer in enumerate(peers) if peer.identity == author[0]), None)
        if old is not None:
            peers[old] = Peer(author, peers[old].name, join["link"])
            continue
        free = next((at for at, place in enumerate(places) if place.bot), None)
        if free is not None:
            called = [*(peer.name for peer in peers), *(place.name for place in places)]
            name = told_apart(called, [join["name"]])[-1]
            peers.append(Peer(author, name, join["link"]))
            places[free] = Place(name, bot=False, owner=author[0])
    drawn = replace(drawn, peers=tuple(peers), places=tuple(places))
    return replace(game, drawn=drawn, known=game.known | {peer.author for peer in peers})


def _with(game: Game, hand: Hand) -> Game:
    return replace(game, hands={**game.hands, hand.number: hand})


def _without_next(game: Game) -> Game:
    return replace(game, hands={number: hand for number, hand in game.hands.items() if number <= game.number})


def _reopened(game: Game, hand: Hand) -> Game:
    return _without_next(replace(_with(game, hand), era=hand.attempt))
