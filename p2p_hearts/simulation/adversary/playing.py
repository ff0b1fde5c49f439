"""Cheats at the table: cards not held, suits not followed, turns not awaited, and the kitty claimed.

Each is told when the program plays an honest card; what is false is said in its place or right after it."""

from collections.abc import Iterator
from dataclasses import replace

from p2p_hearts.cards import ALL_KINDS, Card, suit_of
from p2p_hearts.crypto.masking import card_point
from p2p_hearts.crypto.reveal import make_shares
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.void import prove_void
from p2p_hearts.hearts.hand import HEARTS, Hand, begin, to_play
from p2p_hearts.hearts.play import implied_voids, lay
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Kind, Kitty, PlayCard
from p2p_hearts.protocol.stages import playing
from p2p_hearts.protocol.state import Deal, context
from p2p_hearts.simulation.adversary.cheat import LeftOut, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways, telling

SEED = bytes(32)
NO_DIGEST = b"no other cards.."


def before(deal: Deal, body: PlayCard) -> Deal:
    """The hand before the play that has just been made, which was the last."""
    assert deal.hand is not None
    cards = [card for trick in deal.hand.tricks for card in trick.cards] + [*deal.hand.table]
    hand = begin(deal.options, deal.seats, deal.dealer, deal.number)
    for card in cards[:-1]:
        hand = lay(hand, card)
    laid = (*deal.laid[: body.seat], deal.laid[body.seat] - {body.position}, *deal.laid[body.seat + 1 :])
    return replace(deal, hand=hand, laid=laid, digest=body.digest)


def _held(liar: Liar, deal: Deal, seat: int) -> Iterator[tuple[int, Card]]:
    """The cards that a seat of the cheater still holds, and where they lie."""
    for place in playing.hidden(deal, seat):
        yield place, liar.own(deal.number).cards[seat][place]


def _laid(liar: Liar, deal: Deal, seat: int, place: int, void: bytes = b"") -> PlayCard:
    """A play of the card at a place, with an honest opening, whatever the rules say to it."""
    own = liar.own(deal.number)
    where = context(deal, liar.me, "play", 32 * seat + place)
    (share,), proof = make_shares(liar.group, where, own.key, (deal.rows[seat][place],), seeded(SEED))
    card = own.cards[seat][place]
    return PlayCard(deal.number, deal.attempt, deal.decision.number, seat, place, card, share, proof, deal.digest, void)


def _now(liar: Liar, body: PlayCard) -> tuple[Deal, Hand]:
    deal = before(liar.deal(body.hand), body)
    assert deal.hand is not None
    return deal, deal.hand


def card_not_held(liar: Liar, body: PlayCard) -> Words:
    """It names another card than the one that it opens."""
    deal, _ = _now(liar, body)
    held = {card for _, card in _held(liar, deal, body.seat)}
    other = next(card for card in range(52) if card not in held and suit_of(card) == suit_of(body.card))
    return (replace(body, card=other),)


def false_opening(liar: Liar, body: PlayCard) -> Words:
    """It shifts its share so that the card opens to another."""
    other = (body.card + 1) % 52
    group = liar.group
    shift = group.sub(card_point(group, body.card), card_point(group, other))
    return (replace(body, card=other, share=group.add(body.share, shift)),)


def third_copy(liar: Liar, body: PlayCard) -> Words:
    """It plays a card of which both copies lie on the table already."""
    hand = liar.deal(body.hand).hand
    assert hand is not None
    twice = next((card for card in range(52) if hand.twice >> card & 1 and card != body.card), None)
    return (body,) if twice is None else (replace(body, card=twice),)


def card_played_before(liar: Liar, body: PlayCard) -> Words:
    """It plays a place of its row that it has played before."""
    deal, _ = _now(liar, body)
    laid = sorted(deal.laid[body.seat])
    if not laid:
        return (body,)
    return (replace(_laid(liar, deal, body.seat, laid[0]), digest=body.digest),)


def _off_suit(liar: Liar, body: PlayCard) -> tuple[Deal, int, int] | None:
    """A card that it must not play since it holds the suit led: the hand, where it lies, and what playing it claims."""
    deal, hand = _now(liar, body)
    held = dict(_held(liar, deal, body.seat))
    if not hand.table or len(held) == 1:
        return None
    for place, card in held.items():
        claim = implied_voids(hand, card)
        if any(claim >> other & 1 for other in held.values()) and not hand.twice >> card & 1:
            return deal, place, claim
    return None


def revoke(liar: Liar, body: PlayCard) -> Words:
    """It does not follow suit although it could, and proves nothing."""
    found = _off_suit(liar, body)
    return (body,) if found is None else (_laid(liar, found[0], body.seat, found[1]),)


def revoke_with_half_a_proof(liar: Liar, body: PlayCard) -> Words:
    """It does not follow suit although it could, and proves it of those cards of its hand that are of other suits."""
    found = _off_suit(liar, body)
    if found is None:
        return (body,)
    deal, place, claim = found
    others = {at: card for at, card in _held(liar, deal, body.seat) if not claim >> card & 1}
    assert deal.hand is not None
    where = context(deal, liar.me, "void", 32 * body.seat + deal.hand.trick)
    row, key = deal.rows[body.seat], liar.own(deal.number).key
    cards = [row[at] for at in others]
    void = prove_void(liar.group, where, key, cards, [*others.values()], ALL_KINDS & ~claim, seeded(SEED))
    return (_laid(liar, deal, body.seat, place, void),)


def unproved_void(_liar: Liar, body: PlayCard) -> Words:
    """It is void in the suit led and does not prove it."""
    return (replace(body, void=b""),) if body.void else (body,)


def needless_proof(_liar: Liar, body: PlayCard) -> Words:
    """It follows suit and adds bytes where no proof belongs."""
    return (body,) if body.void else (replace(body, void=bytes(8)),)


def unbroken_hearts(liar: Liar, body: PlayCard) -> Words:
    """It leads a heart before hearts are broken, although it holds other cards."""
    deal, hand = _now(liar, body)
    held = dict(_held(liar, deal, body.seat))
    hearts = [place for place, card in held.items() if HEARTS >> card & 1]
    if hand.table or hand.broken or not hearts or len(hearts) == len(held):
        return (body,)
    return (_laid(liar, deal, body.seat, hearts[0]),)


def out_of_turn(liar: Liar, body: PlayCard) -> Words:
    """It plays twice in a row."""
    deal = liar.deal(body.hand)
    assert deal.hand is not None
    turn = to_play(deal.hand)
    held = [place for place, _ in _held(liar, deal, body.seat)]
    if turn is None or deal.operators[turn] == liar.me or not held:
        return (body,)
    return (body, _laid(liar, deal, body.seat, held[0]))


def play_for_another(liar: Liar, body: PlayCard) -> Words:
    """It plays for the seat after it, which another operates."""
    deal = liar.deal(body.hand)
    assert deal.hand is not None
    turn = to_play(deal.hand)
    held = [place for place, _ in _held(liar, deal, body.seat)]
    if turn is None or deal.operators[turn] == liar.me or not held:
        return (body,)
    return (body, replace(_laid(liar, deal, body.seat, held[0]), seat=turn))


def no_such_seat(_liar: Liar, body: PlayCard) -> Words:
    """It plays for a seat that the table does not have."""
    return (replace(body, seat=10),)


def no_such_place(_liar: Liar, body: PlayCard) -> Words:
    """It plays a card from beyond the end of its row."""
    return (replace(body, position=16),)


def on_other_cards(_liar: Liar, body: PlayCard) -> Words:
    """It plays on other cards than those that lie on the table."""
    return (replace(body, digest=NO_DIGEST),)


def identity_opening(liar: Liar, body: PlayCard) -> Words:
    """The share of its card is the identity."""
    return (replace(body, share=liar.group.identity),)


def no_element_opening(_liar: Liar, body: PlayCard) -> Words:
    """The share of its card is no canonical encoding of an element."""
    return (replace(body, share=bytes((0xFF,)) * len(body.share)),)


def _kitty(liar: Liar, body: PlayCard) -> Kitty:
    made = playing.make_kitty(liar.group, liar.deal(body.hand), liar.me, liar.own(body.hand), seeded(SEED))
    return replace(made, digest=body.digest)


def kitty_of_another_trick(liar: Liar) -> Ways:
    """It gives its shares of the kitty for another trick than the one that took it, or although it has won it itself."""

    def lie(liar: Liar, body: Kitty | PlayCard) -> Words:
        if isinstance(body, Kitty):
            return (replace(body, digest=NO_DIGEST),)
        deal = liar.deal(body.hand)
        winner = None if deal.hand is None or not deal.hand.kitty_size else deal.hand.kitty_seat
        return (body,) if winner is None or deal.operators[winner] != liar.me else (body, _kitty(liar, body))

    gives, plays = telling(liar, Kind.KITTY, lie, last=True), telling(liar, Kind.PLAY, lie, last=True)
    return Ways(lambda entry: gives(entry) if entry.kind is Kind.KITTY else plays(entry))


def kitty_too_early(liar: Liar, body: PlayCard) -> Words:
    """It gives its shares of the kitty before the trick that takes it is complete."""
    deal = liar.deal(body.hand)
    assert deal.hand is not None
    early = deal.hand.kitty_size > 0 and deal.hand.trick == 1
    return (_kitty(liar, body), body) if early else (body,)


def false_kitty_share(liar: Liar, body: Kitty) -> Words:
    """Its share of a kitty card is false, so that the winner reads another card."""
    size, group = liar.group.element_bytes, liar.group
    return (replace(body, shares=group.add(body.shares[:size], group.generator) + body.shares[size:]),)


def kitty_twice(_liar: Liar, body: Kitty) -> Words:
    """It gives its shares of the kitty twice."""
    return (body, body)


CHEATS = (
    lying(card_not_held, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(false_opening, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(third_copy, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(card_played_before, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(no_such_place, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(identity_opening, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(no_element_opening, Kind.PLAY, "P77", by(Fault.BAD_REVEAL)),
    lying(revoke, Kind.PLAY, "P77", by(Fault.BAD_VOID)),
    lying(revoke_with_half_a_proof, Kind.PLAY, "P77", by(Fault.BAD_VOID)),
    lying(unproved_void, Kind.PLAY, "P77", by(Fault.BAD_VOID)),
    lying(needless_proof, Kind.PLAY, "P77", by(Fault.BAD_VOID)),
    lying(unbroken_hearts, Kind.PLAY, "P77", by(Fault.BAD_VOID)),
    lying(out_of_turn, Kind.PLAY, "P77", by(Fault.ILLEGAL_PLAY)),
    lying(play_for_another, Kind.PLAY, "P77", by(Fault.ILLEGAL_PLAY)),
    lying(no_such_seat, Kind.PLAY, "P77", by(Fault.MALFORMED)),
    lying(on_other_cards, Kind.PLAY, "P77", by(Fault.WRONG_HEADS)),
    acting(kitty_of_another_trick, "P78", by(Fault.WRONG_HEADS, Fault.OUT_OF_PHASE)),
    lying(kitty_too_early, Kind.PLAY, "P78", LeftOut()),
    lying(false_kitty_share, Kind.KITTY, "P78", by(Fault.BAD_SHARE)),
    lying(kitty_twice, Kind.KITTY, "P78", by(Fault.REPEATED)),
)
