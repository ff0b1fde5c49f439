"""The `expert` level: it plays every choice to the end of the hand in many worlds, and takes the one that costs least.

How it thinks. A world is a deal of the hidden cards that agrees with everything its seat knows. In each world every card
that may be played is tried, and the rest of the hand is played by rules of thumb (`rollout.policy`); the same worlds serve
all choices, so that the luck of a deal falls on all alike. After a round, choices that are clearly worse than the best are
given up, and the next round, as long as all before it, goes to the others. Since a thousand rollouts still leave half a
point of noise, what `clever` thinks of a card counts as well. Passes are compared in the same way, among the
careful one, those that rid the hand of a suit, and those that differ from the careful one in a card.

Law: the work is cut into trials that the view, the seed and the effort determine, each with a seed of its own, and their
results are taken in order. So whoever runs them, one after another or in many processes, the decision is the same.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from p2p_hearts.bots import cautious, clever
from p2p_hearts.bots.rng import Rng
from p2p_hearts.bots.trials import Choice, Tally, Trial, add, error, excess, mean, only
from p2p_hearts.cards import Card, Suit, suit_of
from p2p_hearts.hearts.play import legal_plays
from p2p_hearts.hearts.view import View

Run: TypeAlias = Callable[[Sequence[Trial]], Sequence[Tally]]
"""Runs trials, wherever, and returns their tallies in order."""

DEFAULT_EFFORT: Final = 1_000  # rollouts, when the caller names none: about 20 ms
FIRST_ROUND: Final = 1_000  # rollouts; the next rounds are as long as all before them
LANES: Final = 2_000  # rollouts of one trial: enough to keep the arrays busy, few enough for the cache
FEWEST: Final = 2  # worlds, with which there is a spread to speak of
WORSE: Final = 2.5  # standard errors by which a choice must cost more than the best to be given up
HUNCH: Final = 0.5  # of what `clever` thinks a card costs: fitted, with the rollouts, to how 2,000 positions went on
UNUSUAL: Final = 0.5  # points by which a pass must do better than the careful one
PASS_EFFORT: Final = 4  # times that of a play
SWAPS: Final = 8  # cards that may replace one of the careful pass
SEEDS: Final = 1 << 62


def one_by_one(trials: Sequence[Trial]) -> Sequence[Tally]:
    """Runs the trials here and now."""
    # loading NumPy takes 0.1 s and 25 MiB, which nobody shall spend who only plays against other levels
    from p2p_hearts.bots.rollout.run import run_trial  # noqa: PLC0415

    return [run_trial(trial) for trial in trials]


def choose_pass(view: View, rng: Rng, effort: int, run: Run = one_by_one) -> tuple[Card, ...]:
    """The cards to pass that cost least in the worlds that were tried, once in a hand and so with more of them."""
    passes = _passes(view, rng)
    hunches = [0.0] + [UNUSUAL] * (len(passes) - 1)
    return _best(view, passes, hunches, rng, PASS_EFFORT * (effort or DEFAULT_EFFORT), run, passing=True)


def choose_play(view: View, rng: Rng, effort: int, run: Run = one_by_one) -> Card:
    """The legal card that costs least in the worlds that were tried, as far as they tell it from what `clever` thinks."""
    choices = [(card,) for card in legal_plays(view.hand, view.held)]
    costs = {forecast.card: forecast.cost for forecast in clever.forecasts(view)} if len(choices) > 1 else {}
    hunches = [HUNCH * costs.get(card, 0.0) for (card,) in choices]
    return _best(view, choices, hunches, rng, effort or DEFAULT_EFFORT, run, passing=False)[0]


def _best(
    view: View, choices: Sequence[Choice], hunches: Sequence[float], rng: Rng, effort: int, run: Run, *, passing: bool
) -> Choice:
    """The choice that costs least, with what each is thought to cost beforehand, in points; of equals the first."""
    seed = rng.choice(range(SEEDS))
    left, tally, spent = list(range(len(choices))), None, 0
    while len(left) > 1 and (tally is None or effort - spent >= FEWEST * len(left)):
        rollouts = min(spent or FIRST_ROUND, effort - spent)
        worlds = max(rollouts // len(left), FEWEST)
        tried = tuple(choices[place] for place in left)
        tallies = run(_trials(view, tried, worlds, (seed, spent), passing=passing))
        tally = add(tallies if tally is None else (tally, *tallies))
        spent += worlds * len(left)
        kept = _not_clearly_worse(tally, [hunches[place] for place in left])
        left, tally = [left[place] for place in kept], only(tally, kept)
    if tally is None:
        return choices[left[0]]
    return choices[left[_cheapest(tally, [hunches[place] for place in left])]]


def _trials(
    view: View, choices: tuple[Choice, ...], worlds: int, seeds: tuple[int, int], *, passing: bool
) -> list[Trial]:
    """So many worlds, cut into trials."""
    each = max(LANES // len(choices), 1)
    return [
        Trial(view, passing, choices, min(each, worlds - begun), (*seeds, begun)) for begun in range(0, worlds, each)
    ]


def _not_clearly_worse(tally: Tally, hunches: Sequence[float]) -> list[int]:
    """The places of the choices that may still turn out to be the best."""
    best = _cheapest(tally, hunches)
    return [
        place
        for place, hunch in enumerate(hunches)
        if excess(tally, place, best) + hunch - hunches[best] <= WORSE * error(tally, place, best)
    ]


def _cheapest(tally: Tally, hunches: Sequence[float]) -> int:
    """The place of the choice that costs least, of equals the first."""
    return min(range(len(hunches)), key=lambda place: (mean(tally, place) + hunches[place], place))


def _passes(view: View, rng: Rng) -> list[Choice]:
    """The passes to compare, each sorted; the careful one first."""
    count = view.hand.options.pass_count
    careful, heavy = clever.choose_pass(view, rng, 0), _heaviest(view, rng, min(count + SWAPS, len(view.held)))
    passes = {careful: None}
    for suit in Suit:
        cards = [card for card in view.held if suit_of(card) == suit]
        if 0 < len(cards) <= count:  # a void from the start
            others = [card for card in careful if suit_of(card) != suit]
            others += [card for card in reversed(heavy) if suit_of(card) != suit and card not in others]
            chosen = [*cards, *others[: count - len(cards)]]
            if len(chosen) == count:
                passes[tuple(sorted(chosen))] = None
    rest = Counter(heavy) - Counter(careful)
    for card in rest:
        for place in range(count):
            passes[tuple(sorted([*careful[:place], card, *careful[place + 1 :]]))] = None
    return list(passes)


def _heaviest(view: View, rng: Rng, count: int) -> Choice:
    """So many cards that one would rather be rid of."""
    options = replace(view.hand.options, pass_count=count)
    return cautious.choose_pass(replace(view, hand=replace(view.hand, options=options)), rng, 0)
