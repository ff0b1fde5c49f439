"""A whole game, entry by entry: chains (`log.md`), the draw (`lobby.md`, P54 to P57), hand after hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.reader import closing, dealing, playing
from tests.reader import hand as opening
from tests.reader import lobby as hall
from tests.reader import messages as m
from tests.reader.closing import Decision, Scored
from tests.reader.entries import NO_ENTRY, Author, Entry, open_entry
from tests.reader.hand import Hand
from tests.reader.hashing import fingerprint, permutation, words
from tests.reader.lobby import Lobby
from tests.reader.options import Options, resolved
from tests.reader.refusal import RefusedError, demand

STAGES: dict[int, Callable[[Hand, Entry], Hand]] = {
    m.COMMIT_KEYS: opening.commit_keys,
    m.OPEN_KEYS: opening.open_keys,
    m.MIX: opening.mix,
    m.AGREEMENT: opening.agree,
    m.DEAL: dealing.deal,
    m.COMMIT_PASS: dealing.commit_pass,
    m.OPEN_PASS: dealing.open_pass,
    m.REMIX: dealing.remix,
    m.PLAY: playing.play,
    m.KITTY: playing.kitty,
    m.MOON: playing.moon,
}
PREPARED = {m.COMMIT_KEYS, m.OPEN_KEYS, m.MIX, m.AGREEMENT}  # open while the hand before is being played (P64)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the draw gives, the same for all hands."""

    table: bytes
    words: tuple[str, ...]
    names: tuple[str, ...]  # by seat
    operators: tuple[bytes, ...]  # by seat
    dealer: int
    options: Options
    peers: tuple[bytes, ...]  # in joining order
    called: tuple[str, ...]  # the same


@dataclass(frozen=True, slots=True)
class Game:
    """All that the entries so far have made."""

    chains: Mapping[Author, tuple[int, bytes]] = field(default_factory=dict)  # entries held, hash of the last
    lobby: Lobby | None = None
    drawn: Drawn | None = None
    decisions: tuple[Decision, ...] = ()  # by hand, from 0 on
    hands: tuple[Hand, ...] = ()  # from hand 1 on, with the one that is being prepared
    scored: tuple[Scored, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        """How many hands have ended by decision; −1 while the lobby has not."""
        return sum(decision.fallen for decision in self.decisions) - 1

    @property
    def over(self) -> bool:
        """The last hand has ended, and its choice names no next members."""
        return self.ended > 0 and not self.decisions[self.ended].members


def taken(game: Game, frame: bytes) -> Game:
    """The game after one more entry (P124). Raises RefusedError."""
    entry = open_entry(frame)
    held, last = game.chains.get(entry.author, (0, NO_ENTRY))
    demand((entry.seq, entry.prev) == (held, last), "OUT_OF_ORDER", "not the next in its log")
    if game.lobby is None:
        game = replace(game, lobby=hall.opened(entry))
    else:
        demand(entry.author in game.lobby.known, "OUT_OF_ORDER", "an author that was never on the roster")
        if entry.author in {peer.author for peer in game.lobby.roster}:
            game = _applied(game, game.lobby, entry)
    return replace(game, chains={**game.chains, entry.author: (held + 1, entry.hash)})


def _applied(game: Game, lobby: Lobby, entry: Entry) -> Game:
    number = entry.body["hand"] if entry.kind >= m.COMMIT_KEYS else 0
    if number == 0 and (entry.kind < m.COMMIT_KEYS or entry.kind in {m.CHOICE, m.ACCEPT}):
        demand(entry.table == lobby.table or entry.kind == m.LEAVE, "MALFORMED", "another table")
        if entry.kind >= m.COMMIT_KEYS:
            return _start(game, lobby, entry)
        chosen = game.decisions and game.decisions[0].chosen
        demand(not (chosen and entry.kind in hall.BY_HOST and entry.identity == lobby.host), "OUT_OF_PHASE", "too late")
        if game.ended >= 0 and entry.kind == m.SUCCEED:
            return game
        return replace(
            game, lobby=hall.applied(lobby, entry, {author: held for author, (held, _) in game.chains.items()})
        )
    demand(game.ended >= 0, "OUT_OF_ORDER", "the game has not begun")
    assert game.drawn is not None
    demand(entry.table == game.drawn.table, "MALFORMED", "another table")
    demand(number <= len(game.hands), "OUT_OF_ORDER", "a hand that has not begun")
    past = number < game.ended + (not game.over)
    if number < max(1, game.ended) or (past and entry.body["attempt"] != 0):
        return game
    demand(entry.body["attempt"] == 0, "OUT_OF_ORDER", "an attempt that has not begun")
    if entry.kind == m.ACCEPT:
        return _accepted(game, number, entry)
    demand(number <= game.ended + 1 or entry.kind in PREPARED, "OUT_OF_ORDER", "the hand before has not ended")
    if entry.kind == m.CHOICE:
        return _chosen(game, number, entry)
    hand = STAGES[entry.kind](game.hands[number - 1], entry)
    game = replace(game, hands=(*game.hands[: number - 1], hand, *game.hands[number:]))
    return _prepared(game)


def _start(game: Game, lobby: Lobby, entry: Entry) -> Game:
    """P56: the end of hand 0."""
    proposal, attempt = lobby.proposal, entry.body["attempt"]
    if proposal is None or attempt > proposal.number:
        raise RefusedError("OUT_OF_ORDER", "the end of a proposal that is not here")
    if attempt < proposal.number:
        return game
    if not game.decisions or not game.decisions[0].chosen:
        joint = hall.joint(lobby)
        peers = lobby.identities
        result = fingerprint("draw", joint)
        decision = Decision(0, proposal.number, lobby.host, result, peers, frozenset(peers))
        game = replace(game, drawn=_draw(lobby, joint), decisions=(decision,))
    step = closing.choose if entry.kind == m.CHOICE else closing.accept
    begun = game.ended >= 0
    game = replace(game, decisions=(step(game.decisions[0], entry), *game.decisions[1:]))
    return _begun(game) if game.ended >= 0 and not begun else game


def _draw(lobby: Lobby, joint: bytes) -> Drawn:
    """P54, P55, P57."""
    count = lobby.players
    order = permutation(fingerprint("seats", joint), count)
    people = [lobby.identities[place] for place in order if place < len(lobby.roster)]
    operators, bots = [], 0
    for place in order:
        if place < len(lobby.roster):
            operators.append(lobby.identities[place])
        else:
            operators.append(people[bots % len(people)])
            bots += 1
    proposal = lobby.proposal
    assert proposal is not None
    return Drawn(
        fingerprint("table", proposal.lobby, joint),
        words(joint, 3),
        tuple(lobby.names[place] for place in order),
        tuple(operators),
        permutation(fingerprint("dealer", joint), count)[0],
        resolved(lobby.preset, lobby.overrides, count),
        lobby.identities,
        lobby.names[: len(lobby.roster)],
    )


def _begun(game: Game) -> Game:
    """The game with one more hand, of which nothing is there yet."""
    drawn, number = game.drawn, len(game.hands) + 1
    assert drawn is not None
    dealer = (drawn.dealer + number - 1) % len(drawn.operators)
    hand = Hand(drawn.table, number, drawn.options, dealer, drawn.operators, drawn.names)
    return replace(game, hands=(*game.hands, hand))


def _prepared(game: Game) -> Game:
    """P64: while a hand is played, the next one is prepared."""
    assert game.lobby is not None
    last = game.hands[-1]
    more = game.lobby.hands == 0 or last.number < game.lobby.hands
    return _begun(game) if last.play is not None and more else game


def _chosen(game: Game, number: int, entry: Entry) -> Game:
    """P91: the result after this hand, and the members of the next."""
    hand = game.hands[number - 1]
    if len(game.decisions) <= number:
        drawn, lobby = game.drawn, game.lobby
        assert drawn is not None
        assert lobby is not None
        hands = (*game.scored, closing.scored(hand))
        result = closing.result_of(hand, hands)
        over = result["game_over"] or number == lobby.hands
        chooser = hand.operators[(hand.dealer + 1) % hand.seats]
        members = () if over else drawn.peers
        decision = Decision(number, 0, chooser, closing.digest_of(result), members, frozenset(hand.members))
        game = replace(game, decisions=(*game.decisions, decision), scored=hands, result=result)
    decision = closing.choose(game.decisions[number], entry)
    return replace(game, decisions=(*game.decisions[:number], decision))


def _accepted(game: Game, number: int, entry: Entry) -> Game:
    """P92; also after the decision has fallen (P94)."""
    demand(len(game.decisions) > number, "OUT_OF_ORDER", "no end is proposed")
    decision = closing.accept(game.decisions[number], entry)
    game = replace(game, decisions=(*game.decisions[:number], decision, *game.decisions[number + 1 :]))
    return _begun(game) if game.ended == len(game.hands) and not game.over else game
