"""Playing: a card is laid by opening one masked card of the seat's row, with a proof that it opens to just that card.
Every peer then asks the same rules engine what the play claims of the rest of the hand; what it claims for the first time
is proved (`crypto.void`), so that a revoke is impossible. Each play names the digest of all plays before it, so that nobody
can play in two positions at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2p_hearts.cards import ALL_KINDS, Card
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import card_of
from p2p_hearts.crypto.reveal import apply_shares, make_shares, open_card, verify_shares
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.void import prove_void, verify_void
from p2p_hearts.entropy import Entropy
from p2p_hearts.hearts.hand import Hand, to_play
from p2p_hearts.hearts.play import IllegalPlayError, implied_voids, legal_plays, play
from p2p_hearts.hearts.reasons import Why
from p2p_hearts.protocol.envelope import Entry, digest
from p2p_hearts.protocol.errors import Fault, RemoteProtocolError
from p2p_hearts.protocol.messages import Kind, Kitty, PlayCard
from p2p_hearts.protocol.own import Own
from p2p_hearts.protocol.stages.blame import Check, blaming
from p2p_hearts.protocol.stages.dealing import kitty_slots, points_in, split_shares
from p2p_hearts.protocol.state import Deal, context, put

DIGEST_BYTES = 16


def _where(deal: Deal, author: bytes, seat: int, place: int) -> bytes:
    return context(deal, author, "play", seat * 32 + place)


def new_claim(hand: Hand, seat: int, card: Card) -> int:
    """What playing `card` claims of the seat's hand that it has not claimed before: a mask, 0 if nothing. To be proved of
    all its hidden cards, the one played included: no card is ever among what it claims of the others."""
    claim = implied_voids(hand, card)
    last = hand.left[seat] == 1
    return 0 if last or not claim & ~hand.voids[seat] else claim


def claims_ahead(hand: Hand, seat: int, held: tuple[Card, ...]) -> tuple[int, ...]:
    """The new claims that the plays open to a seat in this trick would make; none before the suit led is known."""
    if to_play(hand) is None or (seat - hand.leader) % hand.seats < len(hand.table):
        return ()
    if not hand.table and seat != hand.leader:
        return ()
    claims = {new_claim(hand, seat, card) for card in legal_plays(hand, held)}
    return tuple(sorted(claims - {0}))


def hidden(deal: Deal, seat: int) -> tuple[int, ...]:
    """The positions of a seat's row that are not played yet."""
    return tuple(place for place in range(deal.size) if place not in deal.laid[seat])


def make_void(group: Group, deal: Deal, me: bytes, own: Own, seat: int, claim: int, seed: bytes) -> bytes:
    """The proof that a seat of ours holds nothing of `claim`; a job."""
    places = hidden(deal, seat)
    cards = [deal.rows[seat][place] for place in places]
    plain = [own.cards[seat][place] for place in places]
    return prove_void(group, _void_where(deal, me, seat), own.key, cards, plain, ALL_KINDS & ~claim, seeded(seed))


def void_checks(group: Group, deal: Deal, author: bytes, body: PlayCard) -> tuple[Check, ...]:
    """What there is to verify of a play besides its card; `deal` is the hand before it."""
    if not body.void:
        return ()
    assert deal.hand is not None
    cards = [deal.rows[body.seat][place] for place in hidden(deal, body.seat)]
    allowed = ALL_KINDS & ~implied_voids(deal.hand, body.card)
    where = _void_where(deal, author, body.seat)
    return (Check(verify_void, (group, where, deal.key(deal.operators[body.seat]), cards, allowed, body.void)),)


def _void_where(deal: Deal, author: bytes, seat: int) -> bytes:
    assert deal.hand is not None
    return context(deal, author, "void", seat * 32 + deal.hand.trick)


def make_play(group: Group, deal: Deal, me: bytes, own: Own, seat: int, card: Card, entropy: Entropy) -> PlayCard:
    """Our play of a card that the seat holds: its opening and proof, and the void proof made before, if it needs one."""
    assert deal.hand is not None
    place = next(place for place in hidden(deal, seat) if own.cards[seat][place] == card)
    (share,), proof = make_shares(group, _where(deal, me, seat, place), own.key, (deal.rows[seat][place],), entropy)
    claim = new_claim(deal.hand, seat, card)
    void = own.voids[seat, deal.hand.trick, claim] if claim else b""
    return PlayCard(deal.number, deal.attempt, deal.decision.number, seat, place, card, share, proof, deal.digest, void)


def apply_play(group: Group, deal: Deal, author: bytes, body: PlayCard, mark: bytes) -> Deal:
    """The hand after a card was laid; its void proof, if any, is still to be verified. `mark` names the entry.

    Raises RemoteProtocolError when it was laid on other cards, is not what lay there, or the rules forbid it.
    """
    assert deal.hand is not None
    if to_play(deal.hand) != body.seat or body.digest in deal.digests:  # on the cards that it names another has played
        raise RemoteProtocolError(author, Fault.ILLEGAL_PLAY, "it is another seat's turn")
    if body.digest != deal.digest:  # it answers other cards: before anything else, or the rules would blame the honest
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it saw other cards played")
    if body.position >= deal.size or body.position in deal.laid[body.seat]:
        raise RemoteProtocolError(author, Fault.BAD_REVEAL, f"no card lies at position {body.position}")
    masked = deal.rows[body.seat][body.position]
    with blaming(author, Fault.BAD_REVEAL):
        group.decode_point(body.share)
        where = _where(deal, author, body.seat, body.position)
        verify_shares(group, where, deal.key(deal.operators[body.seat]), (masked,), (body.share,), body.proof)
    if card_of(group, apply_shares(group, masked, (body.share,)).b) != body.card:
        raise RemoteProtocolError(author, Fault.BAD_REVEAL, "it opens to another card")
    try:
        hand = play(deal.hand, body.seat, body.card)
    except IllegalPlayError as error:
        code = Fault.REVOKE if error.reason.why is Why.REVOKE else Fault.ILLEGAL_PLAY
        raise RemoteProtocolError(author, code, str(error)) from error
    if bool(body.void) != bool(new_claim(deal.hand, body.seat, body.card)):
        raise RemoteProtocolError(author, Fault.BAD_VOID, "a proof is missing" if not body.void else "nothing to prove")
    laid = (*deal.laid[: body.seat], deal.laid[body.seat] | {body.position}, *deal.laid[body.seat + 1 :])
    said = bytes((body.seat, body.position, body.card))
    unproved = deal.unproved | {mark} if body.void else deal.unproved
    said_digest = digest("play", deal.digest, said)[:DIGEST_BYTES]
    digests = (*deal.digests, deal.digest)
    deal = replace(deal, hand=hand, laid=laid, unproved=unproved, digest=said_digest, digests=digests)
    if hand.kitty_seat is not None and not deal.kitty_digest:
        deal = replace(deal, kitty_digest=deal.digest)
    return deal


def kitty_plays(deal: Deal, logs: Mapping[bytes, Sequence[Entry]]) -> list[Entry]:
    """The last play of each peer up to the trick that took the kitty; by its digest it names all plays before it."""
    assert deal.hand is not None
    tricks = 1 + next(place for place, trick in enumerate(deal.hand.tricks) if trick.kitty)
    until = {*deal.digests, deal.digest} - set(deal.digests[tricks * deal.seats :])
    found: list[Entry] = []
    for log in logs.values():
        plays = [
            e for e in log if isinstance(e.body, PlayCard) and e.body.hand == deal.number and e.body.digest in until
        ]
        found += plays[-1:]
    return found


def played_on(deal: Deal) -> bool:
    """Whether a whole trick has been played since the one that took the kitty: then every member has said in its own log, by
    the digest of its play, that it holds that trick, whatever its heartbeats say."""
    if deal.hand is None or not deal.kitty_digest:
        return False
    taken = (*deal.digests, deal.digest).index(deal.kitty_digest)  # cards played by then
    return len(deal.digests) >= taken + deal.seats


def make_kitty(group: Group, deal: Deal, me: bytes, own: Own, entropy: Entropy) -> Kitty:
    """Our shares of the kitty for the seat that won it."""
    cards = kitty_slots(deal)
    shares, proof = make_shares(group, context(deal, me, "kitty"), own.key, cards, entropy)
    head = (deal.number, deal.attempt, deal.decision.number, deal.members.index(own.part))
    return Kitty(*head, deal.kitty_digest, b"".join(shares), proof)


def apply_kitty(group: Group, deal: Deal, author: bytes, part: bytes, body: Kitty) -> Deal:
    """The hand after a member sent its kitty shares.

    Raises RemoteProtocolError when they are for another trick, or do not fit the member's key.
    """
    if body.digest != deal.kitty_digest:
        raise RemoteProtocolError(author, Fault.WRONG_HEADS, "it saw another trick take the kitty")
    cards = kitty_slots(deal)
    with blaming(author, Fault.BAD_SHARE):
        shares = split_shares(group, body.shares, len(cards))
        verify_shares(group, context(deal, author, "kitty"), deal.key(part), cards, shares, body.proof)
    return replace(deal, sent=put(deal.sent, Kind.KITTY, put(deal.done(Kind.KITTY), part, body)))


def read_kitty(group: Group, deal: Deal, own: Own) -> tuple[Card, ...]:
    """The kitty that a seat of ours won, sorted, once every other member's shares are in."""
    cards = kitty_slots(deal)
    for body in deal.done(Kind.KITTY).values():
        assert isinstance(body, Kitty)
        shares = points_in(group, body.shares)
        cards = tuple(apply_shares(group, card, (share,)) for card, share in zip(cards, shares, strict=True))
    opened = [open_card(group, own.key, card) for card in cards]
    if any(card is None for card in opened):
        raise CryptoError("the kitty does not open to cards")
    return tuple(sorted(card for card in opened if card is not None))
