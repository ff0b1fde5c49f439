"""Playing: a card is laid by opening one masked card of the seat's row, with a proof that it opens to just that card.
Every peer then asks the same rules engine whether it may be played. Each play names the digest of all plays before it,
so that nobody can play in two positions at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2p_hearts.cards import Card
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import card_of
from p2p_hearts.crypto.reveal import apply_shares, make_shares, open_card, verify_shares
from p2p_hearts.entropy import Entropy
from p2p_hearts.hearts.hand import to_play
from p2p_hearts.hearts.play import IllegalPlayError, play
from p2p_hearts.hearts.reasons import Why
from p2p_hearts.protocol.envelope import Entry, digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Kind, Kitty, PlayCard
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import blaming
from p2p_hearts.protocol.stages.dealing import kitty_slots, split_shares
from p2p_hearts.protocol.state import Deal, context, put

DIGEST_BYTES = 16


def _where(deal: Deal, author: bytes, seat: int, place: int) -> bytes:
    return context(deal, author, "play", seat * 32 + place)


def make_play(group: Group, deal: Deal, me: bytes, own: Own, seat: int, card: Card, entropy: Entropy) -> PlayCard:
    """Our play of a card that the seat holds: its opening and proof."""
    places = [place for place, held in enumerate(own.cards[seat]) if held == card and place not in deal.laid[seat]]
    place = places[0]
    where = _where(deal, me, seat, place)
    (share,), proof = make_shares(group, where, own.key, (deal.rows[seat][place],), entropy)
    return PlayCard(deal.number, deal.attempt, seat, place, card, share, proof, deal.digest, b"")


def apply_play(group: Group, deal: Deal, author: bytes, body: PlayCard) -> Deal:
    """The hand after a card was laid.

    Raises RemoteProtocolError when it was laid on other cards, is not what lay there, or the rules forbid it.
    """
    assert deal.hand is not None
    if body.seat >= deal.seats or deal.operators[body.seat] != author or to_play(deal.hand) != body.seat:
        raise RemoteProtocolError(author, Fault.ILLEGAL_PLAY, "it is another seat's turn")
    if body.digest != deal.digest:  # it answers other cards: before anything else, or the rules would blame the honest
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it saw other cards played")
    if body.position >= deal.size or body.position in deal.laid[body.seat]:
        raise RemoteProtocolError(author, Fault.BAD_REVEAL, f"no card lies at position {body.position}")
    masked = deal.rows[body.seat][body.position]
    with blaming(author, Fault.BAD_REVEAL):
        group.decode_point(body.share)
        where = _where(deal, author, body.seat, body.position)
        verify_shares(group, where, deal.key(author), (masked,), (body.share,), body.proof)
    if card_of(group, apply_shares(group, masked, (body.share,)).b) != body.card:
        raise RemoteProtocolError(author, Fault.BAD_REVEAL, "it opens to another card")
    try:
        hand = play(deal.hand, body.seat, body.card)
    except IllegalPlayError as error:
        code = Fault.REVOKE if error.reason.why is Why.REVOKE else Fault.ILLEGAL_PLAY
        raise RemoteProtocolError(author, code, str(error)) from error
    laid = (*deal.laid[: body.seat], deal.laid[body.seat] | {body.position}, *deal.laid[body.seat + 1 :])
    said = bytes((body.seat, body.position, body.card))
    deal = replace(deal, hand=hand, laid=laid, digest=digest("play", deal.digest, said)[:DIGEST_BYTES])
    if hand.kitty_seat is not None and not deal.kitty_digest:
        deal = replace(deal, kitty_digest=deal.digest)
    return deal


def kitty_plays(deal: Deal, logs: Mapping[bytes, Sequence[Entry]]) -> list[Entry]:
    """The last play of each member up to the trick that took the kitty; by its digest it names all plays before it."""
    assert deal.hand is not None
    tricks = 1 + next(place for place, trick in enumerate(deal.hand.tricks) if trick.kitty)
    found: list[Entry] = []
    for member in deal.members:
        plays = [e for e in logs[member] if isinstance(e.body, PlayCard) and e.body.hand == deal.number]
        played = len(deal.seats_of(member)) * tricks
        found += plays[played - 1 : played]
    return found


def make_kitty(group: Group, deal: Deal, me: bytes, own: Own, entropy: Entropy) -> Kitty:
    """Our shares of the kitty for the seat that won it."""
    cards = kitty_slots(deal)
    shares, proof = make_shares(group, context(deal, me, "kitty"), own.key, cards, entropy)
    return Kitty(deal.number, deal.attempt, deal.kitty_digest, b"".join(shares), proof)


def apply_kitty(group: Group, deal: Deal, author: bytes, body: Kitty) -> Deal:
    """The hand after a member sent its kitty shares.

    Raises RemoteProtocolError when they are for another trick, or do not fit the member's key.
    """
    if body.digest != deal.kitty_digest:
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it saw another trick take the kitty")
    cards = kitty_slots(deal)
    with blaming(author, Fault.BAD_SHARE):
        shares = split_shares(group, body.shares, len(cards))
        verify_shares(group, context(deal, author, "kitty"), deal.key(author), cards, shares, body.proof)
    return replace(deal, sent=put(deal.sent, Kind.KITTY, put(deal.done(Kind.KITTY), author, body)))


def read_kitty(group: Group, deal: Deal, own: Own) -> tuple[Card, ...]:
    """The kitty that a seat of ours won, sorted, once every other member's shares are in."""
    cards = kitty_slots(deal)
    for body in deal.done(Kind.KITTY).values():
        assert isinstance(body, Kitty)
        shares = split_shares(group, body.shares, len(cards))
        cards = tuple(apply_shares(group, card, (share,)) for card, share in zip(cards, shares, strict=True))
    opened = [open_card(group, own.key, card) for card in cards]
    if any(card is None for card in opened):
        raise CryptoError("the kitty does not open to cards")
    return tuple(sorted(card for card in opened if card is not None))
