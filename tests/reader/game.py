"""A whole game, entry by entry: chains (`log.md`), the draw (`lobby.md`, P54 to P57), hand after hand."""

from collections.abc import Callable
from dataclasses import replace

from tests.reader import dealing, lost, playing
from tests.reader import hand as opening
from tests.reader import lobby as hall
from tests.reader import messages as m
from tests.reader.closing import digest_of
from tests.reader.council import end_of, value_hash
from tests.reader.ed25519 import check_signature
from tests.reader.entries import NO_ENTRY, Entry, open_entry, open_join
from tests.reader.hand import Hand
from tests.reader.hashing import fingerprint, permutation, words
from tests.reader.lobby import Lobby
from tests.reader.membership import advanced, result_after
from tests.reader.names import is_clean
from tests.reader.options import resolved
from tests.reader.refusal import RefusedError, demand
from tests.reader.table import Drawn, Game, Place, Start, hand_of, is_last, opened
from tests.reader.votes import voted

STAGES: dict[int, Callable[[Hand, Entry, bytes], Hand]] = {
    m.COMMIT_KEYS: opening.commit_keys,
    m.OPEN_KEYS: opening.open_keys,
    m.ESCROW: lost.escrow,
    m.COMPLAINT: lost.complain,
    m.MIX: opening.mix,
    m.AGREEMENT: opening.agree,
    m.DEAL: dealing.deal,
    m.COMMIT_PASS: dealing.commit_pass,
    m.OPEN_PASS: dealing.open_pass,
    m.REMIX: dealing.remix,
    m.PLAY: playing.play,
    m.KITTY: playing.kitty,
    m.MOON: playing.moon,
    m.PIECE: lost.piece,
    m.URGE: lost.urge,
}
CURRENT_ONLY = set(range(m.DEAL, m.PIECE + 1))  # what waits until the hand before has ended (P64)
BY_SEAT, BY_PART = {m.PLAY, m.MOON}, {m.DEAL, m.OPEN_PASS, m.REMIX, m.KITTY}  # what a delegate may do (P84)


def taken(game: Game, frame: bytes) -> Game:
    """The game after one more entry (P124). Raises RefusedError."""
    entry = open_entry(frame)
    held, last = game.chains.get(entry.author, (0, NO_ENTRY))
    demand((entry.seq, entry.prev) == (held, last), "OUT_OF_ORDER", "not the next in its log")
    if game.lobby is None:
        lobby = hall.opened(entry)
        game = replace(game, lobby=lobby, known=lobby.known)
    else:
        demand(entry.author in game.known, "OUT_OF_ORDER", "an author that never had a place")
        if entry.author in {peer.author for peer in game.roster}:
            game = _applied(game, game.lobby, entry)
            game = advanced(replace(game, applied={**game.applied, entry.author: entry.seq}))
    return replace(game, chains={**game.chains, entry.author: (held + 1, entry.hash)})


def _applied(game: Game, lobby: Lobby, entry: Entry) -> Game:
    if entry.kind == m.LEAVE:
        demand(entry.identity not in game.left, "REPEATED", "it leaves again")
        return replace(game, left=game.left | {entry.identity})
    if entry.kind < m.COMMIT_KEYS or (entry.kind in {m.CHOICE, m.ACCEPT} and hand_of(entry) == 0):
        demand(entry.table == lobby.table, "MALFORMED", "another table")
        return _start(game, lobby, entry) if entry.kind >= m.COMMIT_KEYS else _set(game, lobby, entry)
    if game.drawn is None:
        raise RefusedError("OUT_OF_ORDER", "the game has not begun")
    demand(entry.table == game.drawn.table, "MALFORMED", "another table")
    if entry.kind == m.WELCOME:
        return game
    if entry.kind == m.RETURN:
        demand(hand_of(entry) <= game.number, "OUT_OF_ORDER", "a hand that has not begun")
        return game
    return _vote(game, entry) if entry.kind in m.VOTES else _play(game, entry)


def _set(game: Game, lobby: Lobby, entry: Entry) -> Game:
    chosen = game.start is not None and game.start.chosen
    demand(not (chosen and entry.kind in hall.BY_HOST and entry.identity == lobby.host), "OUT_OF_PHASE", "too late")
    if game.drawn is not None and entry.kind != m.OPEN:
        return game
    after = hall.applied(lobby, entry, {author: held for author, (held, _) in game.chains.items()})
    left = game.left - (set(after.identities) - set(lobby.identities))
    return replace(game, lobby=after, known=game.known | after.known, left=left)


def _start(game: Game, lobby: Lobby, entry: Entry) -> Game:
    """P56: the end of hand 0."""
    proposal, attempt, who = lobby.proposal, entry.body["attempt"], entry.identity
    number = 0 if proposal is None else proposal.number
    if attempt < number or (game.drawn is not None and attempt != number):
        return game
    demand(attempt == number > 0, "OUT_OF_ORDER", "the end of a proposal that is not here")
    start = game.start
    if start is None or start.attempt != attempt:
        peers = lobby.identities
        value = end_of(fingerprint("draw", hall.joint(lobby)), peers)
        start = Start(attempt, lobby.host, value, peers)
    body = entry.body
    if entry.kind == m.CHOICE:
        demand(who == start.host, "OUT_OF_PHASE", "another ends hand 0")
        demand(not start.chosen, "REPEATED")
        right = (body["decision"], body["ballot"], body["value"], body["statements"]) == (0, 0, start.value, [])
        demand(right, "WRONG_RESULT", "another end of hand 0")
        return replace(game, start=replace(start, chosen=True))
    demand(start.chosen, "OUT_OF_ORDER", "no end is chosen")
    demand(who not in start.accepted, "REPEATED")
    named = (body["decision"], body["ballot"], body["proposer"], body["value"])
    demand(named == (0, 0, start.host, value_hash(start.value)), "WRONG_RESULT", "another end of hand 0")
    demand(len(body["signature"]) == 64, "BAD_SIGNATURE", "no signature")
    check_signature(who, "result", start.value["result"], body["signature"])
    game = replace(game, start=replace(start, accepted=start.accepted | {who}))
    return _begun(game, lobby) if game.drawn is None and game.start is not None and game.start.fallen else game


def _begun(game: Game, lobby: Lobby) -> Game:
    """The game with its first hand."""
    drawn = _draw(lobby, hall.joint(lobby))
    game = replace(game, drawn=drawn, number=1, members=drawn.identities, scores=(0,) * len(drawn.places))
    return replace(game, hands={1: opened(game, 1, drawn.identities, 0, drawn.identities)})


def _draw(lobby: Lobby, joint: bytes) -> Drawn:
    """P54, P55, P57."""
    count, proposal = lobby.players, lobby.proposal
    assert proposal is not None
    order = permutation(fingerprint("seats", joint), count)
    people = [lobby.identities[place] for place in order if place < len(lobby.roster)]
    places, bots = [], 0
    for place in order:
        if place < len(lobby.roster):
            places.append(Place(lobby.names[place], bot=False, owner=lobby.identities[place]))
        else:
            places.append(Place(lobby.names[place], bot=True, owner=people[bots % len(people)]))
            bots += 1
    dealer = permutation(fingerprint("dealer", joint), count)[0]
    options = resolved(lobby.preset, lobby.overrides, count)
    table = fingerprint("table", proposal.lobby, joint)
    return Drawn(table, words(joint, 3), tuple(places), dealer, options, lobby.roster)


def _vote(game: Game, entry: Entry) -> Game:
    """P105: a vote in the decision of its hand."""
    number, decision = hand_of(entry), entry.body["decision"]
    hand = game.hands.get(number)
    if hand is None or number > game.number:
        demand(number < game.number, "OUT_OF_ORDER", "a hand that has not begun")
        return game
    if decision != hand.council.number:
        demand(decision < hand.council.number or hand.ended, "OUT_OF_ORDER", "a decision that is not due yet")
        return game
    if entry.kind in {m.MOTION, m.CHOICE} and not hand.ended:
        _check_joins(game, entry.body["value"])
    result = None
    if hand.ended and hand.council.fallen is not None:
        result = hand.council.fallen["result"]
    elif hand.settled and not hand.ended and entry.kind == m.CHOICE and entry.body["value"]["verdict"] == m.END:
        sheet, whole = result_after(game, hand)
        result = digest_of(whole)
        if entry.body["ballot"] == 0:
            over = sheet.over or is_last(game, number)
            after = voted(hand, entry, result)
            demand(over == (not entry.body["value"]["members"]), "WRONG_RESULT", "whether the game is over")
            return replace(game, hands={**game.hands, number: after})
    return replace(game, hands={**game.hands, number: voted(hand, entry, result)})


def _check_joins(game: Game, value: m.Body) -> None:
    """P106: whoever a value brings in has signed for it, and finds a place."""
    drawn, lobby = game.drawn, game.lobby
    assert drawn is not None
    assert lobby is not None
    free = sum(place.bot for place in drawn.places)
    for frame in value["joins"]:
        try:
            join = open_join(frame)
        except RefusedError as error:
            raise RefusedError("BAD_VOTE", str(error)) from error
        free -= join["identity"] not in drawn.identities
        new = (join["identity"], join["incarnation"]) not in game.known
        right = join["table"] == lobby.table and join["identity"] in value["members"] and is_clean(join["name"])
        demand(right and new and free >= 0, "BAD_VOTE", "it brings in somebody who has no place here")


def _play(game: Game, entry: Entry) -> Game:
    """An entry of a deal (P61, P84, P89, P113)."""
    number, attempt, who = hand_of(entry), entry.body["attempt"], entry.identity
    hand = game.hands.get(number)
    if hand is None or attempt != hand.attempt:
        behind = number < game.number or attempt < (game.era if hand is None else hand.attempt)
        demand(behind, "OUT_OF_ORDER", "a deal that has not begun")
        return game
    if hand.ended or entry.seq > game.void.get((number, attempt, who), entry.seq):
        if entry.kind == m.MOON:
            playing.due_moon(hand, _part_of(hand, entry))
        return game
    demand(entry.body.get("decision", 0) <= hand.council.number, "OUT_OF_ORDER", "it builds on a later decision")
    part = _part_of(hand, entry)
    if who not in {part, hand.actor(part)}:
        demand(who in hand.members, "NOT_A_MEMBER")
        raise RefusedError("ILLEGAL_PLAY" if entry.kind in BY_SEAT else "OUT_OF_PHASE", "another's part")
    demand(part in hand.members, "NOT_A_MEMBER")
    early = number > game.number and entry.kind in CURRENT_ONLY
    demand(not early, "OUT_OF_ORDER", "the hand before has not ended")
    return replace(game, hands={**game.hands, number: STAGES[entry.kind](hand, entry, part)})


def _part_of(hand: Hand, entry: Entry) -> bytes:
    """P84: whose part an entry does."""
    if entry.kind in BY_SEAT:
        demand(entry.body["seat"] < hand.seats, "MALFORMED", "no such seat")
        return hand.operators[entry.body["seat"]]
    if entry.kind in BY_PART:
        demand(entry.body["part"] < len(hand.members), "MALFORMED", "no such member")
        return hand.members[entry.body["part"]]
    return entry.identity
