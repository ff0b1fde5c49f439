"""The dialogue of a hand as one table: who owes which entry, after what, and by when.

Law: an entry is admitted when its row says that its author owes it and that what it builds on is in; one more than the
row allows is a violation and its own evidence; one that comes before its time waits. `protocol/phases.md` is made from
this table. Rows without conditions are places kept for what later versions add."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from p2p_hearts.hearts.hand import to_play
from p2p_hearts.hearts.passing import pass_target
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Kind
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


def next_dealer(deal: Deal) -> frozenset[bytes]:
    """the member that operates the seat of the next dealer"""
    return frozenset({deal.operators[(deal.dealer + 1) % deal.seats]})


def hand_announced(_deal: Deal) -> bool:
    """the hand is current, or the one before it is being played"""
    return True


def commitments_in(deal: Deal) -> bool:
    """all key commitments are in"""
    return deal.all_in(Kind.COMMIT_KEYS)


def keys_open(deal: Deal) -> bool:
    """all keys are open, their proofs checked"""
    return deal.joint != b""


def mixes_in(deal: Deal) -> bool:
    """every member has mixed; who signs has also verified every proof"""
    return len(deal.decks) == len(deal.members)


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


def hand_scored(deal: Deal) -> bool:
    """the hand is played and the moon, if any, chosen"""
    return deal.score is not None and (deal.score.moon is None or deal.choice is not None)


def end_proposed(deal: Deal) -> bool:
    """the end of the hand is proposed, and the result is the one the voter has computed itself"""
    return deal.ballot.choice is not None and hand_scored(deal)


@dataclass(frozen=True, slots=True)
class Phase:
    """One row: in `stage`, `who` owes an entry of `kind` once `after` holds, `seconds` at most from then on."""

    kind: Kind
    stage: str
    who: Callable[[Deal], frozenset[bytes]] | None = None
    after: Callable[[Deal], bool] | None = None
    seconds: int = 10
    many: bool = False  # more than one an author and hand


PHASES: tuple[Phase, ...] = (
    Phase(Kind.COMMIT_KEYS, "opening", every_member, hand_announced),
    Phase(Kind.OPEN_KEYS, "opening", every_member, commitments_in),
    Phase(Kind.ESCROW, "opening"),
    Phase(Kind.COMPLAINT, "opening"),
    Phase(Kind.MIX, "mixing", next_mixer, keys_open, seconds=20),
    Phase(Kind.AGREEMENT, "agreeing", every_member, mixes_in),
    Phase(Kind.DEAL, "dealing", every_member, deck_agreed),
    Phase(Kind.COMMIT_PASS, "passing", every_member, cards_dealt),
    Phase(Kind.OPEN_PASS, "passing", every_member, passes_committed),
    Phase(Kind.REMIX, "passing", every_member, passes_open),
    Phase(Kind.PLAY, "playing", player_in_turn, hand_begun, many=True),
    Phase(Kind.KITTY, "playing", kitty_helpers, kitty_taken),
    Phase(Kind.MOON, "closing", shooter, moon_shot),
    Phase(Kind.PROPOSAL, "closing"),
    Phase(Kind.STATEMENT, "closing"),
    Phase(Kind.CHOICE, "closing", next_dealer, hand_scored),
    Phase(Kind.ACCEPT, "closing", every_member, end_proposed),
    Phase(Kind.RETURN, "closing"),
)
ROWS = {phase.kind: phase for phase in PHASES}


def has_pass(deal: Deal) -> bool:
    """Whether cards are passed in this hand (R8, D19)."""
    return pass_target(deal.options, deal.seats, deal.number, 0) is not None


def admit(deal: Deal, author: bytes, kind: Kind) -> Admission:
    """Whether an entry of this kind by this author counts now or has to wait.

    Raises RemoteProtocolError when it can never count: by no member, or one too many.
    """
    row = ROWS[kind]
    if author not in deal.members:
        raise RemoteProtocolError(author, Fault.NOT_A_MEMBER, f"{kind.name} in hand {deal.number}")
    if not row.many and author in deal.done(kind):
        raise RemoteProtocolError(author, Fault.REPEATED, f"{kind.name} in hand {deal.number}")
    if row.who is None or row.after is None:
        raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, f"{kind.name} is not used in this version")
    if kind is Kind.MOON and deal.score is not None and deal.score.moon is None:
        raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, f"no moon was shot in hand {deal.number}")
    if not row.after(deal):
        return Admission.LATER
    if author in row.who(deal):
        return Admission.NOW
    if kind in {Kind.MIX, Kind.PLAY}:  # its turn may come once others' entries are in
        return Admission.LATER
    raise RemoteProtocolError(author, Fault.OUT_OF_PHASE, f"{kind.name} in hand {deal.number}")


def owes(deal: Deal, member: bytes) -> tuple[Kind, ...]:
    """What a member owes now, in the order of the table."""
    return tuple(
        row.kind
        for row in PHASES
        if row.who is not None
        and row.after is not None
        and (row.many or member not in deal.done(row.kind))
        and _needed(deal, row.kind)
        and row.after(deal)
        and member in row.who(deal)
    )


def owed(deal: Deal) -> tuple[tuple[bytes, Kind], ...]:
    """Who owes which entry now, in mixing order."""
    return tuple((member, kind) for member in deal.members for kind in owes(deal, member))


def _needed(deal: Deal, kind: Kind) -> bool:
    """Whether a row is still wanted: after the end of the hand only the votes are, once the play has begun no pass is."""
    if deal.ended:
        return kind is Kind.ACCEPT
    return deal.hand is None or kind not in {Kind.COMMIT_PASS, Kind.OPEN_PASS, Kind.REMIX}
