"""Cheats about the deck: other cards, another deck, no proof, out of turn, another cut, and shares before the time."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.crypto.masking import Masked, card_point, decode_masked, encode_masked, remask, start_deck
from p2p_hearts.crypto.shuffle import mix
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Agreement, DealShares, Heartbeat, Kind, Mix, OpenKeys
from p2p_hearts.protocol.stages import dealing, mixing
from p2p_hearts.protocol.state import DECK_SIZE, context
from p2p_hearts.simulation.adversary.cheat import LeftOut, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways, telling

SEED = bytes(32)
NO_MARK = b"no deck anywhere"


def _with_deck(liar: Liar, body: Mix, change: Callable[[tuple[Masked, ...]], tuple[Masked, ...]]) -> Words:
    """The mix with some cards changed, and the proof that was made for the honest one."""
    deck = change(decode_masked(liar.group, body.deck, DECK_SIZE))
    return (replace(body, deck=encode_masked(liar.group, deck)),)


def _mixed_from(liar: Liar, body: Mix, before: tuple[Masked, ...]) -> Words:
    """An honest mix, rightly proved, of another deck than the one before."""
    deal = liar.deal(body.hand)
    where = context(deal, liar.me, "mix", deal.members.index(liar.me))
    deck, proof = mix(liar.group, where, deal.joint, before, seeded(SEED))
    return (replace(body, deck=encode_masked(liar.group, deck), proof=proof),)


def _before(liar: Liar, body: Mix) -> tuple[Masked, ...]:
    deal = liar.deal(body.hand)
    return mixing.deck_before(liar.group, deal, deal.members.index(liar.me))


def duplicated_card(liar: Liar, body: Mix) -> Words:
    """One card of its mix takes the place of another, behind a fresh mask; the proof is that of the honest mix."""
    joint = liar.deal(body.hand).joint
    return _with_deck(liar, body, lambda deck: (remask(liar.group, joint, deck[1], 7), *deck[1:]))


def replaced_card(liar: Liar, body: Mix) -> Words:
    """It mixes, and proves it, a deck in which a card has been replaced by the queen of spades."""
    queen = Masked(
        liar.group.base(7), liar.group.add(card_point(liar.group, 49), liar.group.mult(7, _joint(liar, body)))
    )
    return _mixed_from(liar, body, (queen, *_before(liar, body)[1:]))


def _joint(liar: Liar, body: Mix) -> bytes:
    return liar.deal(body.hand).joint


def another_deck(liar: Liar, body: Mix) -> Words:
    """It mixes a deck that it has made itself instead of the one before it."""
    own = tuple(remask(liar.group, _joint(liar, body), card, 7) for card in start_deck(liar.group))
    return _mixed_from(liar, body, own)


def unproved_mix(_liar: Liar, body: Mix) -> Words:
    """It mixes without a proof."""
    return (replace(body, proof=b""),)


def marked_from_elsewhere(_liar: Liar, body: Mix) -> Words:
    """Its mix claims to go on from a deck that nobody has."""
    return (replace(body, before=NO_MARK),)


def mix_out_of_turn(liar: Liar, body: OpenKeys) -> Words:
    """It mixes before its turn, a deck that nobody has mixed before it."""
    deck = tuple(remask(liar.group, body.key, card, 7) for card in start_deck(liar.group))
    return (body, Mix(body.hand, body.attempt, NO_MARK, encode_masked(liar.group, deck), b""))


def mix_twice(liar: Liar, body: Mix) -> Words:
    """It mixes twice, so as to choose later which deck it has meant."""
    return (body, mixing.make_mix(liar.group, liar.deal(body.hand), liar.me, SEED))


def short_deck(liar: Liar, body: Mix) -> Words:
    """One card is missing in its mix."""
    return (replace(body, deck=body.deck[: -2 * liar.group.element_bytes]),)


def identity_in_the_deck(liar: Liar, body: Mix) -> Words:
    """The mask of one card is the identity: it lies open."""
    return _with_deck(liar, body, lambda deck: (Masked(liar.group.identity, deck[0].b), *deck[1:]))


def no_element_in_the_deck(liar: Liar, body: Mix) -> Words:
    """One mask in its mix is no canonical encoding of an element."""
    return _with_deck(liar, body, lambda deck: (Masked(bytes((0xFF,)) * len(deck[0].a), deck[0].b), *deck[1:]))


def mix_of_another_hand(liar: Liar, body: Mix) -> Words:
    """In the second hand it replays its deck and proof of the first."""
    old = liar.deal(1).done(Kind.MIX)[liar.me]
    assert isinstance(old, Mix)
    return (replace(body, deck=old.deck, proof=old.proof),)


def wrong_cut(liar: Liar, body: Agreement) -> Words | None:
    """The last to open its nonce for the cut opens another, to cut the deck where it likes."""
    return (replace(body, nonce=SEED),) if liar.deal(body.hand).all_in(Kind.AGREEMENT) else None


def agree_to_another_deck(_liar: Liar, body: Agreement) -> Words:
    """It agrees to a deck that the others do not have."""
    return (replace(body, heads=(NO_MARK, *body.heads[1:])),)


def agree_and_hide(liar: Liar) -> Ways:
    """It agrees to a deck that the others do not have, and never admits to hold what they hold."""

    def beat(beat: Heartbeat) -> Heartbeat:
        return replace(beat, have=beat.have[:1]) if liar.lied else beat

    return Ways(telling(liar, Kind.AGREEMENT, agree_to_another_deck), beat=beat)


def shares_of(liar: Liar, hand: int, cards: tuple[Masked, ...]) -> DealShares:
    """Shares as they would be for these cards as slots."""
    deal = replace(liar.deal(hand), slots=cards)
    return dealing.make_deal(liar.group, deal, liar.me, liar.own(hand), SEED)


def share_before_agreeing(liar: Liar, body: Agreement) -> Words:
    """It gives shares of the deck before it agrees, so that others may do so, too."""
    return (shares_of(liar, body.hand, liar.deal(body.hand).decks[-1]), body)


def share_before_the_cut(liar: Liar, body: Agreement) -> Words:
    """It gives shares of the deck as it lies before the cut."""
    return (body, shares_of(liar, body.hand, liar.deal(body.hand).decks[-1]))


CHEATS = (
    lying(duplicated_card, Kind.MIX, "P68", by(Fault.BAD_MIX)),
    lying(replaced_card, Kind.MIX, "P68", by(Fault.BAD_MIX)),
    lying(another_deck, Kind.MIX, "P68", by(Fault.BAD_MIX)),
    lying(unproved_mix, Kind.MIX, "P68", by(Fault.BAD_MIX)),
    lying(mix_of_another_hand, Kind.MIX, "P62", by(Fault.BAD_MIX), hands=2, hand=2),
    lying(marked_from_elsewhere, Kind.MIX, "P68", by(Fault.WRONG_HEADS)),
    lying(mix_out_of_turn, Kind.OPEN_KEYS, "P68", by(Fault.WRONG_HEADS)),
    lying(mix_twice, Kind.MIX, "P68", by(Fault.REPEATED)),
    lying(short_deck, Kind.MIX, "P68", by(Fault.MALFORMED)),
    lying(identity_in_the_deck, Kind.MIX, "P68", by(Fault.MALFORMED)),
    lying(no_element_in_the_deck, Kind.MIX, "P68", by(Fault.MALFORMED)),
    lying(wrong_cut, Kind.AGREEMENT, "P70", by(Fault.BAD_COMMITMENT)),
    lying(agree_to_another_deck, Kind.AGREEMENT, "P70", by(Fault.WRONG_HEADS)),
    acting(agree_and_hide, "P72", LeftOut()),
    lying(share_before_agreeing, Kind.AGREEMENT, "P72", LeftOut()),
    lying(share_before_the_cut, Kind.AGREEMENT, "P73", by(Fault.BAD_SHARE)),
)
