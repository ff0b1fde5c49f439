"""Every hand card by card: a table with a line for each trick and a column for each player.

The law: the table alone tells the whole hand. The script of the page only hides what has not been played yet, and reads
all it says from the table.
"""

from p2p_hearts.cards import Card, Suit, suit_of
from p2p_hearts.hearts.hand import Hand, Trick
from p2p_hearts.hearts.score import card_points
from p2p_hearts.report.markup import NOTHING, Markup, element, joined, name, text
from p2p_hearts.report.record import Played, Record, held_by
from p2p_hearts.report.words import number, passed, shown, trick_cost, trick_words

ORDER = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)  # black and red side by side


def hands(record: Record) -> Markup:
    """All of them, the first one open."""
    return joined(*(_hand(record, place) for place in range(len(record.hands))))


def _hand(record: Record, place: int) -> Markup:
    played = record.hands[place]
    hand = played.hand
    again = any(other.hand.number == hand.number for other in record.hands[place + 1 :])
    fate = ", annulled and dealt again" if again else ""
    title = f"Hand {hand.number}{fate}"
    facts = joined(text("Dealer "), name(record.game.seats[hand.dealer].name), text(f", {passed(hand)}."))
    return element(
        "div",
        element("h3", text(title)),
        element(
            "details",
            element("summary", facts),
            *(element("p", name(left), text(" was left out; a bot played on for them.")) for left in played.left),
            wide(f"{title}, trick by trick", _tricks(record, played, counts=not again)),
            wide(f"{title}, the cards", _dealt(record, played)),
            open="" if place == 0 else None,
        ),
        class_="hand",
    )


def wide(title: str, content: Markup) -> Markup:
    """What may be wider than the window: it scrolls by itself, also by keyboard."""
    return element("div", content, class_="wide", tabindex=0, role="region", aria_label=title)


def _tricks(record: Record, played: Played, *, counts: bool) -> Markup:
    hand, names = played.hand, tuple(seat.name for seat in record.game.seats)
    heads = [element("th", name(one), scope="col") for one in names]
    head = element(
        "tr", element("th", text("Trick"), scope="col"), *heads, element("th", text("What happened"), scope="col")
    )
    rows = [_row(played, names, place) for place in range(len(hand.tricks))]
    if hand.table:
        rows.append(_unfinished(hand))
    costs = [0] * hand.seats
    for place, trick in enumerate(hand.tricks):
        if trick.taker is not None:
            costs[trick.taker] += trick_cost(played, place)
    foot = element(
        "tr",
        element("th", text("Points"), scope="row"),
        *(element("td", text(number(cost)), class_="cost") for cost in costs),
        element("td", text("before any moon" if counts else "none of it counts")),
    )
    caption = "A line for each trick. ▸ leads, ◂ takes the trick; cards that cancel each other are struck through."
    return element(
        "table",
        element("caption", text(caption)),
        element("thead", head),
        element("tbody", *rows),
        element("tfoot", foot),
        class_="play",
    )


def _row(played: Played, names: tuple[str, ...], place: int) -> Markup:
    hand, trick = played.hand, played.hand.tricks[place]
    cells = [_cell(hand, trick, place, seat) for seat in range(hand.seats)]
    said = element("td", element("div", trick_words(played, names, place)), class_="end")
    taker = None if trick.taker is None else trick.taker
    heading = element("th", element("span", text(place + 1)), scope="row")
    return element("tr", heading, *cells, said, data_taker=taker, data_cost=trick_cost(played, place))


def _cell(hand: Hand, trick: Trick, place: int, seat: int) -> Markup:
    turn = (seat - trick.leader) % hand.seats
    card = trick.cards[turn]
    gone, wins = card in trick.cancelled, seat == trick.taker
    said = ("leads",) * (turn == 0) + ("cancelled",) * gone + ("takes the trick",) * wins
    return _card(hand, place, turn, card, said, "gone" if gone else "takes" if wins else None)


def _unfinished(hand: Hand) -> Markup:
    cells = []
    for seat in range(hand.seats):
        turn = (seat - hand.leader) % hand.seats
        laid = turn < len(hand.table)
        how = ("leads",) * (turn == 0)
        place = len(hand.tricks)
        cells.append(_card(hand, place, turn, hand.table[turn], how, None) if laid else element("td", NOTHING))
    heading = element("th", element("span", text(len(hand.tricks) + 1)), scope="row")
    said = element("div", text("The deal was annulled here."))
    return element("tr", heading, *cells, element("td", said, class_="end"))


def _card(hand: Hand, place: int, turn: int, card: Card, said: tuple[str, ...], state: str | None) -> Markup:
    before = element("span", text("▸"), aria_hidden="true", class_="mark") if turn == 0 else NOTHING
    after = element("span", text("◂"), aria_hidden="true", class_="mark taker") if state == "takes" else NOTHING
    return element("td", before, shown(card, *said), after, class_=state, data_n=place * hand.seats + turn)


def _dealt(record: Record, played: Played) -> Markup:
    """Who held what after the pass, as far as it was played, and the kitty."""
    hand = played.hand
    heads = element(
        "tr", *(element("th", text(head), scope="col") for head in ("Player", "Cards played", "Of them points"))
    )
    rows = []
    for seat, player in enumerate(record.game.seats):
        cards = sorted(held_by(hand, seat), key=lambda card: (ORDER.index(suit_of(card)), card))
        worth = text(number(card_points(hand.options, cards)))
        listed = element("td", joined(*map(shown, cards), by=" "))
        rows.append(element("tr", element("th", name(player.name), scope="row"), listed, element("td", worth)))
    if hand.kitty_size:
        seen = joined(*map(shown, played.kitty), by=" ") if played.kitty else text("was never seen")
        worth = text(number(card_points(hand.options, played.kitty))) if played.kitty else NOTHING
        rows.append(
            element("tr", element("th", text("The kitty"), scope="row"), element("td", seen), element("td", worth))
        )
    caption = element("caption", text("Who held what after the pass."))
    return element("table", caption, element("thead", heads), element("tbody", *rows), class_="held")
