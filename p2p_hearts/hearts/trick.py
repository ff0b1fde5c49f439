"""Who wins a trick, and what becomes of it.

Law: cancelling is decided when the trick is complete (D7), from the cards on the table alone; a cancelled card keeps its
points and its suit and only loses the power to win (D8).
"""

from dataclasses import replace

from p2p_hearts.cards import JACK_OF_DIAMONDS, SUIT_MASKS, Card, suit_of
from p2p_hearts.hearts.hand import POINT_KINDS, Hand, Trick
from p2p_hearts.hearts.options import Options


def pairs_on(table: tuple[Card, ...]) -> int:
    """Mask of the kinds that lie on the table twice and so cancel each other (R14)."""
    once = twice = 0
    for card in table:
        bit = 1 << card
        twice |= once & bit
        once |= bit
    return twice


def winning_card(options: Options, table: tuple[Card, ...]) -> Card | None:
    """The card that wins a trick of these cards, the first of them led, or None when they cancel it."""
    pairs = pairs_on(table)
    if pairs & (pairs - 1) and options.cancel_rule == "two_pairs":  # R15, D1: more than one bit is set
        return None
    live = 0
    for card in table:
        live |= 1 << card
    live &= SUIT_MASKS[suit_of(table[0])] & ~pairs
    return live.bit_length() - 1 if live else None  # R11: the highest live card of the suit led


def end_trick(hand: Hand) -> Hand:
    """The hand after the full table has been taken by its winner, or set aside."""
    options, table, leader = hand.options, hand.table, hand.leader
    card = winning_card(options, table)
    winner = None if card is None else (leader + table.index(card)) % hand.seats
    last = hand.trick == hand.size
    taker = leader if winner is None and last and options.last_cancelled == "leader" else winner  # D4
    kitty = taker is not None and hand.kitty_seat is None and hand.kitty_size > 0  # R5, D5
    pairs = pairs_on(table)
    trick = Trick(
        leader=leader,
        cards=table,
        cancelled=tuple(card for card in table if pairs >> card & 1),
        winner=winner,
        taker=taker,
        carried=() if taker is None else hand.pile,
        kitty=kitty,
    )
    if winner is not None:
        leader = winner
    elif options.cancelled_lead == "next_left":  # D2
        leader = (leader + 1) % hand.seats
    if taker is None:  # D3; after the last trick what lies here is unclaimed (R16, D4)
        return replace(
            hand, leader=leader, trick=hand.trick + 1, table=(), tricks=(*hand.tricks, trick), pile=hand.pile + table
        )
    haul = hand.pile + table
    captured = hand.captured
    scoring = POINT_KINDS | (1 << JACK_OF_DIAMONDS if options.jack_of_diamonds else 0)
    return replace(
        hand,
        leader=leader,
        trick=hand.trick + 1,
        table=(),
        tricks=(*hand.tricks, trick),
        pile=(),
        captured=(*captured[:taker], captured[taker] + haul, *captured[taker + 1 :]),
        kitty_seat=taker if kitty else hand.kitty_seat,
        unwon=hand.unwon - sum(scoring >> card & 1 for card in haul),
    )
