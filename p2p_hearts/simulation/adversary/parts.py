"""Cheats about whose part in a hand is whose: others' parts, delegates that play wrongly or not at all, people urged, places
asked for and given away."""

from collections.abc import Callable
from dataclasses import replace

from p2p_hearts.crypto.masking import encode_masked
from p2p_hearts.crypto.reveal import make_shares
from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transfer import transfer
from p2p_hearts.protocol.envelope import Entry, digest, seal_signed
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import (
    Body,
    DealShares,
    Join,
    Kind,
    OpenPass,
    PlayCard,
    Remix,
    Return,
    Urge,
    WelcomePeer,
)
from p2p_hearts.protocol.phases import turn_of
from p2p_hearts.protocol.stages import passing
from p2p_hearts.protocol.state import Deal, context
from p2p_hearts.simulation.adversary.cheat import LeftOut, Nothing, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways
from p2p_hearts.simulation.adversary.playing import before

SEED = bytes(32)
HASH = bytes(range(32))
MID_HAND = 1.0  # virtual seconds; by then cards are being played
AT_THE_PASS = 0.08  # virtual seconds; by then the cards are dealt, and nothing is passed
NOBODY = 10  # no member at a table of fewer than eleven peers
MANY = 100


def _another(deal: Deal, me: bytes) -> int:
    return next(place for place, member in enumerate(deal.members) if member != me and member not in deal.delegates)


def deal_for_another(liar: Liar, body: DealShares) -> Words:
    """It gives shares as the part of another who is there."""
    return (replace(body, part=_another(liar.deal(body.hand), liar.me)),)


def deal_for_nobody(_liar: Liar, body: DealShares) -> Words:
    """It gives shares as the part of a member that the hand does not have."""
    return (replace(body, part=NOBODY),)


def pass_for_another(liar: Liar, body: OpenPass) -> Words:
    """It opens its passes as the part of another who is there."""
    return (replace(body, part=_another(liar.deal(body.hand), liar.me)),)


def remix_for_another(liar: Liar, body: Remix) -> Words:
    """It shuffles again as the part of another who is there."""
    return (replace(body, part=_another(liar.deal(body.hand), liar.me)),)


def _is_delegate(deal: Deal, liar: Liar, part: int) -> bool:
    return deal.members[part] != liar.me


def delegate_plays_another_card(liar: Liar, body: PlayCard) -> Words:
    """As delegate of a lost peer it names another card than the one that it opens."""
    if liar.deal(body.hand).operators[body.seat] == liar.me:
        return (body,)
    return (replace(body, card=(body.card + 1) % 52),)


def delegate_revokes(liar: Liar, body: PlayCard) -> Words:
    """As delegate of a lost peer it does not follow suit although the seat could, to give its own seats the trick."""
    deal = before(liar.deal(body.hand), body)
    lost, hand = deal.operators[body.seat], deal.hand
    own = liar.session.hands.own.get((deal.number, lost))
    if lost == liar.me or own is None or hand is None or not hand.table:
        return (body,)
    led = hand.table[0] // 13
    held = {at: card for at, card in enumerate(own.cards[body.seat]) if at not in deal.laid[body.seat]}
    other = next((at for at, card in held.items() if card // 13 != led and not hand.twice >> card & 1), None)
    if other is None or all(card // 13 != led for card in held.values()):
        return (body,)
    where = context(deal, liar.me, "play", 32 * body.seat + other)
    (share,), proof = make_shares(liar.group, where, own.key, (deal.rows[body.seat][other],), seeded(SEED))
    return (replace(body, position=other, card=held[other], share=share, proof=proof, void=b""),)


def delegate_chooses_the_pass(liar: Liar, body: OpenPass) -> Words:
    """As delegate of a lost peer it passes cards of its choice instead of those drawn: good ones, to its own seat."""
    deal = liar.deal(body.hand)
    if not _is_delegate(deal, liar, body.part):
        return (body,)
    item = body.passes[0]
    key = liar.session.hands.own[deal.number, deal.members[body.part]].key
    free = [place for place in range(deal.size) if place not in item.positions][: len(item.positions)]
    receiver = deal.key(deal.operators[passing.target(deal, item.seat)])
    made = [
        transfer(
            liar.group,
            context(deal, liar.me, "pass", 32 * item.seat + place),
            key,
            receiver,
            deal.rows[item.seat][place],
            seeded(SEED),
        )
        for place in free
    ]
    cards = encode_masked(liar.group, [masked for masked, _ in made])
    chosen = replace(item, positions=tuple(free), cards=cards, proofs=tuple(proof for _, proof in made))
    return (replace(body, passes=(chosen, *body.passes[1:])),)


def delegate_that_withholds(liar: Liar) -> Ways:
    """As delegate of a lost peer it does not play for it, and nothing more for itself either."""

    def change(entry: Entry) -> Words | None:
        body = entry.body
        if not isinstance(body, PlayCard) or liar.deal(body.hand).operators[body.seat] == liar.me:
            return (body,)
        liar.lied = True
        return None

    return Ways(change)


def no_delegate(liar: Liar, body: PlayCard) -> Words:
    """It plays for the seat of a lost peer although another is the delegate."""
    deal = liar.deal(body.hand)
    lost = next((part for part, delegate in deal.delegates.items() if delegate != liar.me), None)
    if lost is None or not deal.seats_of(lost):
        return (body,)
    return (body, replace(body, seat=deal.seats_of(lost)[0], digest=deal.digest))


def urge_twice(liar: Liar, body: PlayCard) -> Words:
    """It says twice that it waits no longer for one and the same."""
    urge = _urge(liar, body, 0)
    return (urge, urge, body)


def urge_for_later(liar: Liar, body: PlayCard) -> Words:
    """It says that it waits no longer for a turn that is far away, and all it says later has to wait for that."""
    return (_urge(liar, body, 99), body)


def urge_nobody(liar: Liar, body: PlayCard) -> Words:
    """It says that it waits no longer for a member that the hand does not have."""
    return (replace(_urge(liar, body, 0), part=NOBODY), body)


def _urge(liar: Liar, body: PlayCard, later: int) -> Urge:
    deal = before(liar.deal(body.hand), body)
    part = _another(deal, liar.me)
    return Urge(deal.number, deal.attempt, deal.decision.number, part, turn_of(deal) - 1 + later)


def _writing(liar: Liar, made: Callable[[PlayCard], tuple[Body, ...]]) -> Ways:
    """Entries in the middle of a hand that its program writes itself, so that it goes on from there."""

    def change(entry: Entry) -> Words:
        if not liar.lied and isinstance(entry.body, PlayCard):
            liar.lied = True
            for body in made(entry.body):
                liar.session._write(body)  # noqa: SLF001
        return (entry.body,)

    return Ways(change)


def urge_at_once(liar: Liar) -> Ways:
    """It says before anybody has had time to think that it waits no longer: alone it is no majority."""
    return _writing(liar, lambda play: (_urge(liar, play, 0),))


def return_of_a_member(liar: Liar) -> Ways:
    """It asks for a place in the next hand although it has its place in this one."""
    return _writing(liar, lambda play: (Return(play.hand),))


def welcome_flood(liar: Liar) -> Ways:
    """It welcomes a hundred peers that do not exist."""
    return _writing(liar, lambda _: tuple(WelcomePeer(digest("nobody", bytes((place,)))) for place in range(MANY)))


def return_to_the_future(_liar: Liar, body: PlayCard) -> Words:
    """It asks for a place after a hand that is far away, and all it says later has to wait for that."""
    return (Return(body.hand + 9), body)


def crowd_at_the_door(liar: Liar) -> Ways:
    """While the game runs it asks for a place in the name of ever more keys that it has made up."""
    made = [0]

    def more(to: int) -> tuple[bytes, ...]:
        mine = liar.session
        if mine.table.game is None:
            return ()
        liar.lied = True
        return tuple(_stranger(liar, to, made) for _ in range(MANY // 4))

    return Ways(more=more)


def _stranger(liar: Liar, to: int, made: list[int]) -> bytes:
    made[0] += 1
    key = make_signing_key(seeded(digest("stranger", bytes((to,)), made[0].to_bytes(4, "big"))))
    mine = liar.session
    who = (key.public, bytes(8), f"Guest {made[0] % 999}", mine.me.link)
    return seal_signed(key, Join(mine.version, mine.lobby_id, *who, (), 0, made[0] % 2))


CHEATS = (
    lying(deal_for_another, Kind.DEAL, "P73", by(Fault.OUT_OF_PHASE)),
    lying(deal_for_nobody, Kind.DEAL, "P73", by(Fault.MALFORMED)),
    lying(pass_for_another, Kind.OPEN_PASS, "P75", by(Fault.OUT_OF_PHASE)),
    lying(remix_for_another, Kind.REMIX, "P76", by(Fault.OUT_OF_PHASE)),
    lying(delegate_plays_another_card, Kind.PLAY, "P77", by(Fault.BAD_REVEAL), lost=MID_HAND),
    lying(delegate_revokes, Kind.PLAY, "P77", by(Fault.BAD_VOID), lost=MID_HAND),
    lying(delegate_chooses_the_pass, Kind.OPEN_PASS, "P75", by(Fault.BAD_PASS), lost=AT_THE_PASS),
    acting(delegate_that_withholds, "P111", LeftOut(), lost=MID_HAND),
    lying(no_delegate, Kind.PLAY, "P115", by(Fault.ILLEGAL_PLAY), lost=MID_HAND),
    lying(urge_twice, Kind.PLAY, "P111", by(Fault.REPEATED)),
    lying(urge_for_later, Kind.PLAY, "P111", LeftOut()),
    lying(urge_nobody, Kind.PLAY, "P111", by(Fault.OUT_OF_PHASE)),
    acting(urge_at_once, "P111", Nothing()),
    acting(return_of_a_member, "P132", Nothing()),
    lying(return_to_the_future, Kind.PLAY, "P132", LeftOut()),
    acting(welcome_flood, "P132", Nothing()),
    acting(crowd_at_the_door, "P132", Nothing()),
)
