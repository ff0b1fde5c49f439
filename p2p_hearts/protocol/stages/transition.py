"""From one state of the table to the next: which stage an entry belongs to, whether it counts now, and what follows once
a stage is complete. The same function for our own entries and for everybody else's.

Law: `apply` depends on the table and the entry alone; entries of different authors may come in any order that respects
what each builds on, and the table they lead to is the same."""

from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from p2p_hearts.crypto.group import Group
from p2p_hearts.protocol.envelope import Author, Entry
from p2p_hearts.protocol.errors import Fault, MalformedError, RemoteProtocolError
from p2p_hearts.protocol.log import MARK_BYTES
from p2p_hearts.protocol.messages import (
    Accept,
    Agree,
    Agreement,
    Choice,
    CommitKeys,
    CommitPass,
    Complaint,
    DealShares,
    DialogueBody,
    Draw,
    Escrow,
    Head,
    Kind,
    Kitty,
    LeaveTable,
    Mix,
    Moon,
    Motion,
    Open,
    OpenKeys,
    OpenPass,
    Piece,
    PlayCard,
    Remix,
    Return,
    Succeed,
    Urge,
    Value,
    VoteBody,
    WelcomePeer,
)
from p2p_hearts.protocol.phases import Admission, admit, has_pass, part_of, scored, turn_of
from p2p_hearts.protocol.stages import (
    agreeing,
    closing,
    council,
    dealing,
    election,
    escrow,
    lobby,
    membership,
    mixing,
    opening,
    passing,
    playing,
)
from p2p_hearts.protocol.stages.blame import Check
from p2p_hearts.protocol.state import Deal, Game, Lobby, Table, put

CURRENT_ONLY = frozenset(kind for kind in Kind if Kind.DEAL <= kind <= Kind.PIECE)  # what gives shares away, and after
CHECKED = {
    Kind.MIX: Fault.BAD_MIX,
    Kind.DEAL: Fault.BAD_SHARE,
    Kind.OPEN_PASS: Fault.BAD_PASS,
    Kind.REMIX: Fault.BAD_MIX,
    Kind.PLAY: Fault.BAD_VOID,
}  # kinds whose proofs are verified in a job, and what it means if they fail


def apply(group: Group, version: str, table: Table, entry: Entry) -> Table | None:
    """The table after an entry, or None while the entry has to wait for others.

    Raises RemoteProtocolError when the entry can never count.
    """
    after = _apply(group, version, table, entry)
    if after is None:
        return None
    who = entry.author
    head = Head(who.identity, who.incarnation, entry.seq, entry.hash[:MARK_BYTES])
    return advance(group, version, replace(after, heads=put(after.heads, who, head)))


def _apply(group: Group, version: str, table: Table, entry: Entry) -> Table | None:
    if table.lobby is None:
        return replace(table, lobby=lobby.open_lobby(entry, version)) if isinstance(entry.body, Open) else None
    author = entry.author.identity
    body = entry.body
    if isinstance(body, LeaveTable):
        if author in table.left:
            raise RemoteProtocolError(author, Fault.REPEATED, "it leaves again")
        return replace(table, left=table.left | {author})
    if isinstance(body, Choice | Accept) and body.hand == 0:
        _expect(entry, table.lobby.table)
        return _apply_start(table, table.lobby, author, body)
    if entry.kind < Kind.COMMIT_KEYS:
        _expect(entry, table.lobby.table)
        return _apply_lobby(table, table.lobby, entry, version)
    if table.game is None:
        return None
    _expect(entry, table.game.table)
    if isinstance(body, Return):
        return _apply_return(table, author, body)
    if isinstance(body, WelcomePeer):
        welcome = table.welcomed.get(body.peer, frozenset()) | {author}
        return replace(table, welcomed=put(table.welcomed, body.peer, welcome))
    if isinstance(body, VoteBody):
        return _apply_vote(table, table.game, entry, body)
    return _apply_hand(group, table, entry)


def _expect(entry: Entry, table: bytes) -> None:
    if entry.table != table:
        raise RemoteProtocolError(entry.author.identity, Fault.MALFORMED, f"{entry.kind.name} for another table")


def _apply_lobby(table: Table, room: Lobby, entry: Entry, version: str) -> Table | None:
    author, begun = entry.author, table.game is not None
    match entry.body:
        case Open():
            raise RemoteProtocolError(author.identity, Fault.OUT_OF_PHASE, "the table is open already")
        case Succeed() as body:
            if begun or body.number <= room.number:
                return table  # the start, or a later succession, has overtaken it
            heir = lobby.apply_succession(room, entry, body)
            return None if heir is None else replace(table, lobby=heir)
        case Agree(number, named) as agree:
            if room.proposed < number:
                return table if begun else None
            proposal = room.proposal
            if proposal is None or (proposal.number, proposal.lobby) != (number, named):
                return table  # to a proposal that is void, perhaps of a host before, which only some have seen
            if table.peer(author.identity) is None:
                return table
            return replace(
                table,
                lobby=replace(room, proposal=election.apply_agreement(proposal, author.identity, agree)),
            )
        case Draw(number) as draw:
            if room.proposed < number:
                return table if begun else None
            if room.proposal is None or room.proposal.number != number or table.peer(author.identity) is None:
                return table
            if len(room.proposal.commitments) < len(room.peers):
                return None
            drawn = election.apply_draw(room, room.proposal, author.identity, draw)
            return replace(table, lobby=replace(room, proposal=drawn))
        case _:
            if author != room.host:
                return table  # a former host's, after its succession
            if begun or (room.proposal is not None and room.proposal.ballot.choice is not None):
                # else who hears of it before q votes are in, and who after, would sit at different tables
                raise RemoteProtocolError(author.identity, Fault.OUT_OF_PHASE, "it has ended hand 0 already")
            after = lobby.apply_host(room, entry, version)
            newcomers = {peer.identity for peer in after.peers} - {peer.identity for peer in room.peers}
            return replace(table, lobby=after, left=table.left - newcomers)


def _apply_start(table: Table, room: Lobby, author: bytes, body: Choice | Accept) -> Table | None:
    proposal = room.proposal
    if proposal is None or body.attempt != proposal.number or not election.drawn(room, proposal):
        late = table.game is not None or (proposal is not None and body.attempt < proposal.number)
        return table if late else None
    if table.peer(author) is None:
        raise RemoteProtocolError(author, Fault.NOT_A_MEMBER, "the start")
    if isinstance(body, Choice):
        if author != room.host.identity:
            raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, "only the host ends hand 0 at ballot 0")
        if proposal.ballot.choice is not None:
            raise RemoteProtocolError(author, Fault.REPEATED, "it ends hand 0 again")
        ballot = closing.apply_start_choice(proposal.ballot, author, body, election.end_value(room, proposal))
    elif proposal.ballot.choice is None:
        return None
    elif author in proposal.ballot.accepted:
        raise RemoteProtocolError(author, Fault.REPEATED, "it votes for the start again")
    else:
        ballot = closing.apply_start_acceptance(proposal.ballot, room.host.identity, author, body)
    return replace(table, lobby=replace(room, proposal=replace(proposal, ballot=ballot)))


def _apply_return(table: Table, author: bytes, body: Return) -> Table | None:
    if body.hand > table.number:
        return None
    absent = table.deal is not None and author not in table.deal.present
    return replace(table, returning=table.returning | {author}) if absent and body.hand == table.number else table


def _apply_vote(table: Table, game: Game, entry: Entry, body: VoteBody) -> Table | None:
    deal = table.deals.get(body.hand)
    if deal is None or body.hand > table.number:  # nothing that decides anything about a hand counts before its time
        return table if body.hand < table.number else None
    if body.decision != deal.decision.number:
        return table if body.decision < deal.decision.number or deal.ended else None
    if (
        isinstance(body, Motion | Choice) and not deal.ended
    ):  # else who has come by that end would have no place any more
        _check_joins(table, game, entry.author.identity, body.value)
    fallen = deal.decision.fallen
    result = closing.end_result(table, game, deal) if scored(deal) and not deal.ended else None
    result = fallen.result if deal.ended and fallen is not None else result
    after = council.apply_vote(deal, entry, body, result)
    if after is not None and result is not None and isinstance(body, Choice) and body.ballot == 0:
        over = closing.game_over_after(table, game, deal) if not deal.ended or fallen is None else not fallen.members
        if over != (not body.value.members):
            raise RemoteProtocolError(entry.author.identity, Fault.WRONG_RESULT, "whether the game is over")
    return None if after is None else table.with_deal(after)


def _check_joins(table: Table, game: Game, author: bytes, value: Value) -> None:
    """Checks that whoever a value brings in has signed for it, and finds a seat.

    Raises RemoteProtocolError.
    """
    assert table.lobby is not None
    free = sum(1 for seat in game.seats if seat.bot is not None)
    for frame in value.joins:
        try:
            join = lobby.read_join(frame, table.deals[table.number].version)
        except MalformedError as error:
            raise RemoteProtocolError(author, Fault.BAD_VOTE, str(error)) from error
        known = table.peer(join.identity) is not None
        free -= not known
        sound = join.table == table.lobby.table and not join.role and join.identity in value.members and free >= 0
        if not sound or Author(join.identity, join.incarnation) in table.lobby.met:
            raise RemoteProtocolError(author, Fault.BAD_VOTE, "it brings in somebody who has no place here")


def _apply_hand(group: Group, table: Table, entry: Entry) -> Table | None:
    body = entry.body
    assert isinstance(body, DialogueBody)
    deal = table.deals.get(body.hand)
    if deal is None or body.attempt != deal.attempt:
        behind = body.hand < table.number or body.attempt < (table.era if deal is None else deal.attempt)
        return table if behind else None
    author = entry.author.identity
    if deal.ended or entry.seq > table.limits.get((body.hand, body.attempt, author), entry.seq):
        if isinstance(body, Moon):  # told at the end, it may come before or after it: both must come to the same
            admit(deal, author, part_of(deal, author, body), entry.kind)
        return table
    if getattr(body, "decision", 0) > deal.decision.number:
        return None  # it builds on a decision that we have not seen fall
    if isinstance(body, Urge) and body.turn > turn_of(deal):
        return None  # or on cards that are not here yet
    part = part_of(deal, author, body)
    if author not in {part, deal.actor(part)}:
        raise _not_its_part(deal, author, body)
    if isinstance(body, PlayCard) and deal.hand is not None and body.digest in (*deal.digests, deal.digest):
        admission = Admission.NOW  # on these cards it is its turn now or never was, in whatever order entries arrive
    else:
        admission = admit(deal, author, part, entry.kind)
    if admission is Admission.LATER or (entry.kind in CURRENT_ONLY and deal.number > table.number):
        return None
    return table.with_deal(_apply_body(group, deal, entry, part, body))


def _not_its_part(deal: Deal, author: bytes, body: DialogueBody) -> RemoteProtocolError:
    code = Fault.ILLEGAL_PLAY if isinstance(body, PlayCard | Moon) else Fault.OUT_OF_PHASE
    code = code if author in deal.members else Fault.NOT_A_MEMBER
    return RemoteProtocolError(author, code, "it does another's part")


def _apply_body(group: Group, deal: Deal, entry: Entry, part: bytes, body: DialogueBody) -> Deal:
    author = entry.author.identity
    match body:
        case DealShares():
            return dealing.apply_deal(group, deal, author, part, body)
        case CommitPass():
            return replace(deal, sent=put(deal.sent, entry.kind, put(deal.done(entry.kind), author, body)))
        case OpenPass():
            return passing.apply_opening(group, deal, author, part, body)
        case Remix():
            return passing.apply_remix(group, deal, author, part, body)
        case PlayCard():
            return closing.score_if_finished(playing.apply_play(group, deal, author, body, entry.hash[:MARK_BYTES]))
        case Kitty():
            return playing.apply_kitty(group, deal, author, part, body)
        case Moon():
            return closing.apply_moon(deal, author, part, body)
        case Piece():
            return escrow.apply_piece(group, deal, author, body)
        case Urge():
            return _urge(deal, author, body)
        case _:
            return _apply_opening(group, deal, entry, body)


def _apply_opening(
    group: Group, deal: Deal, entry: Entry, body: CommitKeys | OpenKeys | Escrow | Complaint | Mix | Agreement
) -> Deal:
    """The hand after an entry that makes its deck, before any share leaves."""
    author = entry.author.identity
    match body:
        case CommitKeys():
            return replace(deal, sent=put(deal.sent, entry.kind, put(deal.done(entry.kind), author, body)))
        case OpenKeys():
            return opening.apply_opening(group, deal, author, body)
        case Escrow():
            return escrow.apply_escrow(group, deal, author, body)
        case Complaint():
            return escrow.apply_complaint(group, deal, author, body)
        case Mix():
            return mixing.apply_mix(group, deal, author, body, entry.hash[:MARK_BYTES])
        case Agreement():
            return agreeing.apply_agreement(replace(deal, agreed=put(deal.agreed, author, entry.seq)), author, body)
        case _:
            assert_never(body)


def _urge(deal: Deal, author: bytes, body: Urge) -> Deal:
    """The hand with one more person who will not wait any longer."""
    if body.part >= len(deal.members):
        raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, "it urges nobody who has a turn")
    place = (deal.members[body.part], body.turn)
    urging = deal.urged.get(place, frozenset())
    if author in urging:
        raise RemoteProtocolError(author, Fault.REPEATED, "it urges again")
    return replace(deal, urged=put(deal.urged, place, urging | {author}))


def checks(group: Group, before: Table, table: Table, entry: Entry) -> tuple[Check, ...]:
    """The proofs that are left to verify of an entry just applied, by the table before and after it."""
    body = entry.body
    author = entry.author.identity
    deal = table.deals.get(getattr(body, "hand", 0))
    if deal is None or deal.attempt != getattr(body, "attempt", None) or deal is before.deals.get(deal.number):
        return ()  # it has had no effect, or what it belongs to is opened again
    match body:
        case Mix():
            return mixing.mix_checks(group, deal, author, body)
        case DealShares():
            return dealing.deal_checks(group, deal, author, body)
        case OpenPass():
            return passing.pass_checks(group, deal, author, body)
        case Remix():
            return passing.remix_checks(group, deal, author, body)
        case PlayCard(hand):
            return playing.void_checks(group, before.deals[hand], author, body)
        case _:
            return ()


def verified(group: Group, version: str, table: Table, entry: Entry) -> Table:
    """The table once the proofs of an entry have been verified."""
    body = entry.body
    assert isinstance(body, DialogueBody)
    deal = table.deals.get(body.hand)
    if deal is None or deal.attempt != body.attempt:
        return table
    if entry.kind is Kind.PLAY:
        return table.with_deal(replace(deal, unproved=deal.unproved - {entry.hash[:MARK_BYTES]}))
    part = part_of(deal, entry.author.identity, body)
    if deal.done(entry.kind).get(part) is not body:
        return table  # it has had no effect: its author was left out before
    marks = deal.verified.get(entry.kind, frozenset()) | {part}
    return advance(group, version, table.with_deal(replace(deal, verified=put(deal.verified, entry.kind, marks))))


def advance(group: Group, version: str, table: Table) -> Table:
    """The table with every step taken that needs no entry."""
    game, deal = table.game, table.deal
    if game is None or deal is None:
        return _start_if_drawn(table, version)
    if deal.decision.fallen is not None and not deal.ended:
        after = membership.carry_out(version, table, game, deal)
        if after is not None:
            return advance(group, version, after)
    if membership.given_up(table, deal):
        return membership.give_up(table, game, deal)
    if not deal.rows and deal.all_verified(Kind.DEAL):
        deal = dealing.deal_rows(deal)
        deal = deal if has_pass(deal) else passing.take_up(group, deal)
    if not deal.passed and deal.rows and has_pass(deal) and deal.all_verified(Kind.OPEN_PASS):
        deal = passing.exchange_rows(group, deal)
    if deal.hand is None and deal.passed and deal.all_verified(Kind.REMIX):
        deal = passing.take_up(group, deal)
    table = table if deal is table.deal else table.with_deal(deal)
    if deal.hand is not None and not deal.ended and deal.number != game.hands and deal.number + 1 not in table.deals:
        there = tuple(peer.identity for peer in game.peers if peer.identity in deal.present)
        table = table.with_deal(election.begin_deal(game, version, deal.number + 1, there, table.era))
    return table


def _start_if_drawn(table: Table, version: str) -> Table:
    room = table.lobby
    if room is None or room.proposal is None or not closing.fallen(room.proposal.ballot, len(room.peers)):
        return table
    game = election.begin_game(room, room.proposal)
    members = tuple(peer.identity for peer in game.peers)
    first = election.begin_deal(game, version, 1, members, 0)
    scores = (0,) * len(game.seats)
    return replace(table, game=game, number=1, deals=MappingProxyType({1: first}), scores=scores, members=members)
