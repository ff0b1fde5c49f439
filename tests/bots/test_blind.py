"""No level sees more than its seat: hidden cards change places and nothing that it decides does."""

import random
from dataclasses import dataclass, replace

import pytest

from p2p_hearts.bots import LEVELS, choose_pass, choose_play
from p2p_hearts.bots.checker import by_rules, check
from p2p_hearts.bots.hints import hint_pass, hint_play
from p2p_hearts.cards import DECK, Card
from p2p_hearts.hearts.hand import Hand, begin, deal, to_play
from p2p_hearts.hearts.options import resolve
from p2p_hearts.hearts.passing import exchange, pass_source
from p2p_hearts.hearts.play import play
from p2p_hearts.hearts.view import View

EFFORT = 200
TURNS = 12  # of a hand that are looked at


@dataclass(frozen=True, slots=True)
class World:
    """A hand with everything that is hidden in it."""

    hand: Hand
    held: tuple[tuple[Card, ...], ...]
    passed: tuple[tuple[Card, ...], ...]
    received: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]

    def view(self, seat: int) -> View:
        """What a seat may see of it."""
        kitty = self.kitty if self.hand.kitty_seat == seat else None
        scores = tuple(range(self.hand.seats))
        return View(seat, self.hand, self.held[seat], self.received[seat], self.passed[seat], kitty, scores)


def dealt(seats: int, preset: str, rng: random.Random) -> World:
    """A hand before the pass."""
    held, kitty = deal(rng.sample(DECK, 104), seats)
    hand = begin(resolve(preset, {}, seats), seats, dealer=rng.randrange(seats), number=1)
    return World(hand, held, ((),) * seats, ((),) * seats, kitty)


def passed_on(world: World) -> World:
    """The hand after a careful pass."""
    hand, seats = world.hand, range(world.hand.seats)
    passed = tuple(choose_pass("cautious", world.view(seat), random.Random(0)) for seat in seats)
    sources = [pass_source(hand.options, hand.seats, hand.number, seat) or 0 for seat in seats]
    held = exchange(hand.options, hand.number, world.held, passed)
    return World(hand, held, passed, tuple(passed[source] for source in sources), world.kitty)


def mixed(world: World, seat: int, rng: random.Random) -> World:
    """The same hand with the cards that are hidden from `seat` in other places, in which all claims stay true."""
    places: list[list[Card]] = [list(cards) for cards in world.held]
    if world.hand.kitty_seat != seat:
        places.append(list(world.kitty))
    voids = (*world.hand.voids, 0)
    spots = [(place, at) for place, cards in enumerate(places) if place != seat for at in range(len(cards))]
    for _ in range(10 * len(spots)):
        (one, here), (other, there) = rng.choice(spots), rng.choice(spots)
        mine, theirs = places[one][here], places[other][there]
        if not voids[one] >> theirs & 1 and not voids[other] >> mine & 1:
            places[one][here], places[other][there] = theirs, mine
    kitty = tuple(sorted(places.pop())) if world.hand.kitty_seat != seat else world.kitty
    elsewhere = [tuple(rng.sample(DECK, len(cards))) for cards in world.passed]
    return replace(
        world,
        held=tuple(tuple(sorted(cards)) for cards in places),
        kitty=kitty,
        passed=tuple(world.passed[other] if other == seat else elsewhere[other] for other in range(len(elsewhere))),
        received=tuple(world.received[other] if other == seat else () for other in range(len(elsewhere))),
    )


@pytest.mark.parametrize("preset", ["as_written", "classic"])
@pytest.mark.parametrize("seats", [6, 7, 9, 11])
@pytest.mark.parametrize("level", LEVELS)
def test_hidden_cards_do_not_matter(level: str, seats: int, preset: str) -> None:
    """FC1: the cards hidden from a seat change places, through the whole hand, and its decision does not."""
    rng = random.Random(seats)
    world = dealt(seats, preset, rng)
    for chooser in range(0, seats, 4):
        other = mixed(world, chooser, rng)
        assert other.held != world.held
        choices = [choose_pass(level, it.view(chooser), random.Random(7), EFFORT) for it in (world, other)]
        assert choices[0] == choices[1]
    world, turn = passed_on(world), 0
    every = world.hand.size * seats // TURNS
    while (seat := to_play(world.hand)) is not None:
        if turn % every == 0:
            other = mixed(world, seat, rng)
            plays = [choose_play(level, it.view(seat), random.Random(7), EFFORT) for it in (world, other)]
            assert plays[0] == plays[1]
        world, turn = laid(world, seat), turn + 1


def test_hidden_cards_change_no_hint() -> None:
    """FB9, FC1: nor do hints and what the checker says of the plays so far."""
    rng = random.Random(3)
    world = dealt(8, "as_written", rng)
    assert hint_pass(world.view(2)) == hint_pass(mixed(world, 2, rng).view(2))
    world = passed_on(world)
    while (seat := to_play(world.hand)) is not None:
        other = mixed(world, seat, rng)
        assert hint_play(world.view(seat)) == hint_play(other.view(seat))
        if world.hand.trick % 4 == 0:
            assert check(world.view(seat), by_rules) == check(other.view(seat), by_rules)
        world = laid(world, seat)


def laid(world: World, seat: int) -> World:
    """The hand after a careful card of `seat`."""
    card = choose_play("cautious", world.view(seat), random.Random(0))
    left = list(world.held[seat])
    left.remove(card)
    held = (*world.held[:seat], tuple(left), *world.held[seat + 1 :])
    return replace(world, hand=play(world.hand, seat, card), held=held)
