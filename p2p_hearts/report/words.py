"""Cards, points and tricks in words, as the page writes them."""

from p2p_hearts.cards import Card, Rank, Suit, card_name, rank_of, suit_of
from p2p_hearts.hearts.hand import Hand
from p2p_hearts.hearts.passing import pass_step
from p2p_hearts.hearts.score import card_points
from p2p_hearts.report.markup import NOTHING, Markup, element, joined, listed, name, text
from p2p_hearts.report.record import Played

SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
LETTERS = {Suit.CLUBS: "c", Suit.DIAMONDS: "d", Suit.HEARTS: "h", Suit.SPADES: "s"}
DIRECTIONS = {"L": "to the left", "R": "to the right", "A": "across", "N": ""}


def symbol(card: Card) -> str:
    """A card as one writes it: `10♠`, `Q♥`."""
    rank = rank_of(card)
    return (str(int(rank)) if rank <= Rank.TEN else rank.name[0]) + SIGNS[suit_of(card)]


def shown(card: Card, *more: str) -> Markup:
    """A card to be seen, and, for whoever hears the page, its name and what else is said of it."""
    seen = element("span", text(symbol(card)), class_=f"card {LETTERS[suit_of(card)]}", aria_hidden="true")
    return joined(seen, element("span", text(", ".join((card_name(card), *more))), class_="said"))


def number(count: int) -> str:
    """A number with a minus that is one."""
    return str(count).replace("-", "−")


def points(count: int) -> str:
    """So many points."""
    return "no points" if count == 0 else f"{number(count)} point{'' if abs(count) == 1 else 's'}"


def passed(hand: Hand) -> str:
    """Where the cards went before the hand."""
    step = pass_step(hand.options, hand.number)
    if step == "N":
        return "no cards passed"
    side = DIRECTIONS.get(step) or f"{step[1:]} seats to the {'left' if step[0] == 'L' else 'right'}"
    return f"{hand.options.pass_count} card{'s' * (hand.options.pass_count != 1)} passed {side}"


def trick_words(played: Played, names: tuple[str, ...], place: int) -> Markup:
    """How a trick ended: `7♣ 7♣ cancel – Bea’s 6♣ takes it, with the 14 points set aside: 15 points`."""
    hand = played.hand
    trick = hand.tricks[place]
    pairs = [joined(shown(card), text(" "), shown(card)) for card in dict.fromkeys(trick.cancelled)]
    beginning = joined(listed(pairs), text(" cancel – ")) if pairs else NOTHING
    if trick.taker is None:
        return joined(beginning, text(_nobody(played, place)))
    taker = name(names[trick.taker])
    if trick.winner is None:  # D4
        how = joined(text("nobody wins the last trick, so "), taker, text(", who led, gets it"))
    else:
        card = trick.cards[(trick.winner - trick.leader) % hand.seats]
        how = joined(taker, text("’s "), shown(card), text(" takes it"))
    carried = [text(f"the {points(card_points(hand.options, trick.carried))} set aside")] if trick.carried else []
    kitty = [_kitty(played)] if trick.kitty else []
    extras = joined(text(", with "), listed([*carried, *kitty])) if carried or kitty else NOTHING
    return joined(beginning, how, extras, text(f": {points(trick_cost(played, place))}."))


def trick_cost(played: Played, place: int) -> int:
    """What a trick cost whoever took it: its own cards, those set aside before, and the kitty if it went with them."""
    hand, trick = played.hand, played.hand.tricks[place]
    if trick.taker is None:
        return 0
    kitty = played.kitty if trick.kitty else ()
    return card_points(hand.options, (*trick.cards, *trick.carried, *kitty))


def _kitty(played: Played) -> Markup:
    if not played.kitty:
        return text("the kitty, which nobody saw")
    return joined(text("the kitty ("), joined(*map(shown, played.kitty), by=" "), text(")"))


def _nobody(played: Played, place: int) -> str:
    hand = played.hand
    if place + 1 < hand.size:
        return "nobody takes it; it waits for the next winner."
    lost = card_points(hand.options, (*hand.pile, *(played.kitty if hand.kitty_seat is None else ())))  # D4
    return f"nobody takes it: {points(lost)} count{'s' * (lost == 1)} for nobody."
