"""The dialogue of a hand as one table: who owes which entry, after what, and by when.

Law: an entry is admitted when its row says that the part it does is owed and that what it builds on is in; one more than
the row allows is a violation and its own evidence; one that comes before its time waits. A member's part is done by the
member, or once it has been left out by its delegate. `protocol/phases.md` is made from this table; how a hand ends, or
goes on without somebody, is decided by votes, which have rules of their own (`stages/council.py`)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from p2p_hearts.hearts.hand import to_play
from p2p_hearts.hearts.passing import pass_target
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import DealShares, DialogueBody, Kind, Kitty, Moon, OpenPass, PlayCard, Remix
from p2p_hearts.protocol.state import Deal


class Admission(Enum):
    """What to do with an entry that has arrived."""

    NOW = "now"
    LATER = "later"


def every_member(deal: Deal) -> frozenset[bytes]:
    """every member"""
    return frozenset(deal.members)


def next_mixer(deal: Deal) -> frozenset[bytes]:
    """the member whose turn it is to mix, the dealer's peer first"""
    mixed = len(deal.decks)
    return frozenset(deal.members[mixed : mixed + 1])


def all_but_lost(deal: Deal) -> frozenset[bytes]:
    """every member that has not been left out"""
    return frozenset(deal.present)


def player_in_turn(deal: Deal) -> frozenset[bytes]:
    """the member that operates the seat to play"""
    seat = None if deal.hand is None else to_play(deal.hand)
    return frozenset() if seat is None else frozenset({deal.operators[seat]})


def kitty_helpers(deal: Deal) -> frozenset[bytes]:
    """every member but the one that operates the seat that took the kitty"""
    if deal.hand is None or deal.hand.kitty_seat is None or not deal.hand.kitty_size:
        return frozenset()
    return frozenset(deal.members) - {deal.operators[deal.hand.kitty_seat]}


def shooter(deal: Deal) -> frozenset[bytes]:
    """the member that operates the seat that shot the moon"""
    moon = None if deal.score is None else deal.score.moon
    return frozenset() if moon is None else frozenset({deal.operators[moon]})


def helpers(deal: Deal) -> frozenset[bytes]:
    """every member, for each one that was left out and whose delegate needs its piece"""
    return frozenset(deal.present) if deal.delegates else frozenset()


def hand_announced(_deal: Deal) -> bool:
    """the hand is current, or the one before it is being played"""
    return True


def commitments_in(deal: Deal) -> bool:
    """all key commitments are in"""
    return deal.all_in(Kind.COMMIT_KEYS)


def keys_open(deal: Deal) -> bool:
    """all keys are open, their proofs checked"""
    return deal.joint != b""


def keys_in_pieces(deal: Deal) -> bool:
    """all keys are open, at a table with escrow"""
    return deal.joint != b"" and deal.threshold > 0


def boxes_in(deal: Deal) -> bool:
    """all pieces are in"""
    return deal.threshold > 0 and deal.all_in(Kind.ESCROW)


def mixes_in(deal: Deal) -> bool:
    """every member has mixed, and sent the pieces of its key; who signs has also verified every proof, and its pieces"""
    return len(deal.decks) == len(deal.members) and (not deal.threshold or deal.all_in(Kind.ESCROW))


def deck_agreed(deal: Deal) -> bool:
    """all agreements are in, and the hand before has ended"""
    return deal.all_in(Kind.AGREEMENT)


def cards_dealt(deal: Deal) -> bool:
    """all shares are in and verified, in a hand with a pass"""
    return deal.rows != () and has_pass(deal)


def passes_committed(deal: Deal) -> bool:
    """all pass commitments are in"""
    return deal.all_in(Kind.COMMIT_PASS)


def passes_open(deal: Deal) -> bool:
    """all passes are open and verified"""
    return deal.all_verified(Kind.OPEN_PASS)


def hand_begun(deal: Deal) -> bool:
    """the hand is being played"""
    return deal.hand is not None


def kitty_taken(deal: Deal) -> bool:
    """the trick that takes the kitty is complete; who sends has seen that all members hold the same trick"""
    return deal.hand is not None and deal.hand.kitty_seat is not None


def moon_shot(deal: Deal) -> bool:
    """the hand is played and a seat has shot the moon"""
    return deal.score is not None and deal.score.moon is not None


def member_lost(deal: Deal) -> bool:
    """a member was left out after the agreement"""
    return bool(deal.delegates)


@dataclass(frozen=True, slots=True)
class Phase:
    """One row: in `stage`, `who` owes an entry of `kind` once `after` holds, `seconds` at most from then on."""

    kind: Kind
    stage: str
    who: Callable[[Deal], frozenset[bytes]]
    after: Callable[[Deal], bool]
    seconds: int = 10
    many: bool = False  # more than one a member and hand
    free: bool = False  # counted by other rules than one a member and hand


PHASES: tuple[Phase, ...] = (
    Phase(Kind.COMMIT_KEYS, "opening", every_member, hand_announced),
    Phase(Kind.OPEN_KEYS, "opening", every_member, commitments_in),
    Phase(Kind.ESCROW, "opening", every_member, keys_in_pieces),
    Phase(Kind.COMPLAINT, "opening", every_member, boxes_in, free=True),
    Phase(Kind.MIX, "mixing", next_mixer, keys_open, seconds=20),
    Phase(Kind.AGREEMENT, "agreeing", every_member, mixes_in),
    Phase(Kind.DEAL, "dealing", every_member, deck_agreed),
    Phase(Kind.COMMIT_PASS, "passing", all_but_lost, cards_dealt),
    Phase(Kind.OPEN_PASS, "passing", every_member, passes_committed),
    Phase(Kind.REMIX, "passing", every_member, passes_open),
    Phase(Kind.PLAY, "playing", player_in_turn, hand_begun, many=True),
    Phase(Kind.KITTY, "playing", kitty_helpers, kitty_taken),
    Phase(Kind.MOON, "closing", shooter, moon_shot),
    Phase(Kind.URGE, "any", all_but_lost, deck_agreed, free=True),
    Phase(Kind.PIECE, "any", helpers, member_lost, free=True),
)
ROWS = {phase.kind: phase for phase in PHASES}
BEFORE_PLAY = tuple(phase for phase in PHASES if not phase.free and phase.kind < Kind.PLAY)
FROM_PLAY = tuple(phase for phase in PHASES if not phase.free and phase.kind >= Kind.PLAY)


def has_pass(deal: Deal) -> bool:
    """Whether cards are passed in this hand (R8, D19)."""
    return pass_target(deal.options, deal.seats, deal.number, 0) is not None


def part_of(deal: Deal, author: bytes, body: DialogueBody) -> bytes:
    """Whose part an entry does: its author's, or that of a member whose delegate the author is.

    Raises RemoteProtocolError when there is no such member or seat.
    """
    match body:
        case PlayCard(seat=seat) | Moon(seat=seat) if seat < deal.seats:
            return deal.operators[seat]
        case DealShares(part=part) | OpenPass(part=part) | Remix(part=part) | Kitty(part=part) if part < len(
            deal.members
        ):
            return deal.members[part]
        case PlayCard() | Moon() | DealShares() | OpenPass() | Remix() | Kitty():
            raise RemoteProtocolError(author, Fault.MALFORMED, "it does the part of nobody in this hand")
        case _:
            return author


def admit(deal: Deal, author: bytes, part: bytes, kind: Kind) -> Admission:
    """Whether an entry of this kind, in which an author does this member's part, counts now or has to wait.

    Raises RemoteProtocolError when it can never count: by no member, or one too many.
    """
    row = ROWS[kind]
    if part not in deal.members:
        raise RemoteProtocolError(author, Fault.NOT_A_MEMBER, f"{kind.name} in hand {deal.number}")
    if not (row.many or row.free) and part in deal.done(kind):
        raise RemoteProtocolError(author, Fault.REPEATED, f"{kind.name} in hand {deal.number}")
    if kind is Kind.MOON and deal.score is not None and deal.score.moon is None:
        raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, f"no moon was shot in hand {deal.number}")
    if not row.after(deal):
        return Admission.LATER
    if part in row.who(deal):
        return Admission.NOW
    if kind in {Kind.MIX, Kind.PLAY}:  # its turn may come once others' entries are in
        return Admission.LATER
    raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, f"{kind.name} in hand {deal.number}")


def owes(deal: Deal, part: bytes) -> tuple[Kind, ...]:
    """What of a member's part is due now, in the order of the table; complaints nobody owes, pieces have another count."""
    if deal.ended:
        return ()
    rows = BEFORE_PLAY if deal.hand is None else FROM_PLAY  # once the play has begun no pass is wanted any more
    return tuple(
        row.kind
        for row in rows
        if (row.many or part not in deal.done(row.kind)) and row.after(deal) and part in row.who(deal)
    )


def owed(deal: Deal) -> tuple[tuple[bytes, Kind], ...]:
    """Who owes which entry now, in mixing order: for the part of a lost member its delegate."""
    return tuple((deal.actor(part), kind) for part in deal.members for kind in owes(deal, part))


def scored(deal: Deal) -> bool:
    """Whether the hand is played and the moon, if any, chosen: it can end."""
    return deal.score is not None and (deal.score.moon is None or deal.choice is not None)


def turn_of(deal: Deal) -> int:
    """Which decision a person is asked for: 0 while cards are passed, then one more than cards have been played."""
    return 0 if deal.hand is None else len(deal.digests) + 1


def next_dealer(deal: Deal) -> bytes:
    """Who ends a scored hand at ballot 0: the peer that plays for the next dealer's seat."""
    return deal.actor(deal.operators[(deal.dealer + 1) % deal.seats])
