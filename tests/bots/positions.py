"""Positions for bots: a view written down in a few words."""

from dataclasses import replace

from p2p_hearts.cards import Card, mask_of, parse_card
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.hearts.view import View

WRITTEN = Options()


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, sorted as a hand is."""
    return tuple(sorted(map(parse_card, text.split())))


def view_of(
    held: str,
    table: str = "",
    *,
    options: Options = WRITTEN,
    trick: int = 9,
    seats: int = 6,
    gone: str = "",
    voids: tuple[tuple[int, int], ...] = (),
    passed: str = "",
    pile: str = "",
    captured: tuple[tuple[int, str], ...] = (),
    scores: tuple[int, ...] | None = None,
    kitty_seat: int | None = None,
) -> View:
    """The view of the seat in turn, in a hand without kitty in which A has led; `gone` has been played in earlier tricks.

    `voids` are pairs of a seat and a mask, `captured` of a seat and its cards. `passed` went to the left.
    """
    hand = begin(options, seats, dealer=seats - 1, number=1)
    played = cards(" ".join([gone, pile, *(haul for _, haul in captured)]))
    twice = tuple(card for card in played if played.count(card) == 2)
    claims = [0] * seats
    hauls: list[tuple[Card, ...]] = [()] * seats
    for seat, mask in voids:
        claims[seat] |= mask
    for seat, haul in captured:
        hauls[seat] = cards(haul)
    hand = replace(
        hand,
        trick=trick,
        kitty_size=0,
        broken=True,
        once=mask_of(played),
        twice=mask_of(twice),
        voids=tuple(claims),
        pile=cards(pile),
        captured=tuple(hauls),
        kitty_seat=kitty_seat,
    )
    for text in table.split():
        hand = lay(hand, parse_card(text))
    return View(len(hand.table), hand, cards(held), (), cards(passed), None, scores or (0,) * seats)
