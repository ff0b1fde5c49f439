"""What this peer itself has to do next in a hand: an entry to write at once, or a long proof to make as a job.

Law: it follows from the phase table, as for everybody; only the secrets and the random bytes are our own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.signature import SigningKey
from p2p_hearts.entropy import Entropy
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.messages import DialogueBody, Kind
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.phases import owes
from p2p_hearts.protocol.stages import dealing, escrow, mixing, opening, passing, playing
from p2p_hearts.protocol.stages.transition import CURRENT_ONLY
from p2p_hearts.protocol.state import Deal, Table


@dataclass(frozen=True, slots=True)
class Write:
    """An entry to write now; `own` are the secrets to keep from now on, written with it."""

    body: DialogueBody
    own: Own | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A long proof to make: a pure call whose result is the body to write (for `COMMIT_PASS`, the passes)."""

    kind: Kind
    part: bytes
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who we are in the hand: the group, our signing key, and what the hand is waiting for inside this peer."""

    group: Group
    key: SigningKey
    working: frozenset[tuple[int, Kind, bytes]]  # jobs under way, by hand, kind and part
    kitty_agreed: Callable[[Deal], bool]  # whether all members are known to hold the trick that took the kitty


def owned(table: Table, deal: Deal, part: bytes) -> tuple[Kind, ...]:
    """What is due of a part in a hand now, in the order of the phase table."""
    return tuple(kind for kind in owes(deal, part) if kind not in CURRENT_ONLY or deal.number <= table.number)


def next_step(
    peer: Actor, table: Table, deal: Deal, part: bytes, own: Own | None, entropy: Entropy
) -> Write | Work | None:
    """The first thing to do of a part that we do, and that needs no decision of a player; None when there is none."""
    for kind in owned(table, deal, part):
        if (deal.number, kind, part) in peer.working:
            continue
        step = _step(peer, deal, own, kind, entropy)
        if step is not None:
            return step
    return None


def _step(peer: Actor, deal: Deal, own: Own | None, kind: Kind, entropy: Entropy) -> Write | Work | None:
    me, group = peer.key.public, peer.group
    if own is None:
        if kind is not Kind.COMMIT_KEYS:
            return None
        own, body = opening.make_commitment(group, deal, me, entropy)
        return Write(body, own)
    if own.spent:
        return None
    part = own.part
    if kind < Kind.DEAL:
        return _open(peer, deal, own, kind, entropy)
    match kind:
        case Kind.DEAL:
            return Work(kind, part, dealing.make_deal, (group, deal, me, own, entropy(32)))
        case Kind.COMMIT_PASS if own.passes:
            return Write(passing.make_commitment(deal, me, own), own)
        case Kind.COMMIT_PASS if own.chosen.keys() & own.cards.keys() == set(deal.seats_of(part)):
            return Work(kind, part, passing.make_passes, (group, deal, me, own, own.chosen, entropy(32)))
        case Kind.OPEN_PASS if part == me or own.passes:
            return Write(passing.make_opening(deal, own))
        case Kind.OPEN_PASS if own.cards:
            return Work(kind, part, passing.make_passes, (group, deal, me, own, {}, entropy(32)))
        case Kind.REMIX:
            return Work(kind, part, passing.make_remix, (group, deal, me, own, entropy(32)))
        case Kind.KITTY if peer.kitty_agreed(deal):
            return Write(playing.make_kitty(group, deal, me, own, entropy))
        case _:
            return None  # a player's to decide, or it waits for something inside this peer


def _open(peer: Actor, deal: Deal, own: Own, kind: Kind, entropy: Entropy) -> Write | Work | None:
    """What makes the deck, before any share leaves."""
    me, group = peer.key.public, peer.group
    match kind:
        case Kind.OPEN_KEYS:
            return Write(opening.make_opening(deal, own))
        case Kind.ESCROW:
            return Write(escrow.make_escrow(group, deal, me, own, entropy))
        case Kind.MIX:
            return Work(kind, own.part, mixing.make_mix, (group, deal, me, entropy(32)))
        case Kind.AGREEMENT if deal.all_verified(Kind.MIX):
            return Work(kind, own.part, escrow.agree_or_complain, (group, deal, me, own, entropy(32)))
        case _:
            return None


def asks(table: Table, deal: Deal, own: Own) -> tuple[tuple[int, Duty], ...]:
    """The decisions that the seats of a part owe now: which seat, and what."""
    kinds = owned(table, deal, own.part)
    asked: list[tuple[int, Duty]] = []
    if Kind.COMMIT_PASS in kinds and own.cards:
        asked += [(seat, Duty.PASS) for seat in deal.seats_of(own.part) if seat not in own.chosen]
    if Kind.PLAY in kinds and deal.hand is not None and own.cards:
        asked.append(((deal.hand.leader + len(deal.hand.table)) % deal.seats, Duty.PLAY))
    if Kind.MOON in kinds and deal.score is not None and deal.score.moon is not None:
        asked.append((deal.score.moon, Duty.MOON))
    return tuple(asked)
