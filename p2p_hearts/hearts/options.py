"""The rule options of a table: their values, the two presets, and in words what a table plays.

Law: an `Options` made by `resolve` is complete and possible for its number of seats; whatever is impossible is refused
there, before the game starts, with a sentence that names the option. Source: rules D1–D23 of `protocol/rules.md`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final, Literal

MIN_SEATS: Final = 6  # R1
MAX_SEATS: Final = 11

PRESETS: Final = ("as_written", "classic")
PASSES: Final = ("L", "R", "A", "N", "L2", "R2", "L3", "R3")  # D19
MAX_CYCLE: Final = 64  # hands; longer than any game, and a host cannot make a peer hold more

CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "cancel_rule": ("two_pairs", "no_live_led_card"),
    "cancelled_lead": ("same_leader", "next_left"),
    "last_cancelled": ("nobody", "leader"),
    "first_trick_points": (True, False),
    "hearts_must_break": (True, False),
    "queen_breaks_hearts": (True, False),
    "lead_hearts_over_queen": (False, True),
    "moon_value": (26, 52),
    "tie": ("shared", "play_on"),
    "jack_of_diamonds": (0, -10),
}
_SENTENCES: Final[Mapping[tuple[str, object], str]] = {
    ("cancel_rule", "two_pairs"): "Two pairs in a trick, or no live card of the suit led, and nobody wins it",
    ("cancel_rule", "no_live_led_card"): "Nobody wins a trick only when no live card of the suit led is left",
    ("cancelled_lead", "same_leader"): "After a cancelled trick the same player leads again",
    ("cancelled_lead", "next_left"): "After a cancelled trick the player on the leader’s left leads",
    ("last_cancelled", "nobody"): "A cancelled last trick is taken by nobody",
    ("last_cancelled", "leader"): "A cancelled last trick is taken by its leader, with all that waits",
    ("first_trick_points", True): "Hearts and Black Marias may be discarded on the first trick",
    ("first_trick_points", False): "No heart or Black Maria on the first trick while another card can be played",
    ("hearts_must_break", True): "Hearts may not be led before they are broken",
    ("hearts_must_break", False): "Hearts may be led at any time after the first lead",
    ("queen_breaks_hearts", True): "A Black Maria breaks hearts",
    ("queen_breaks_hearts", False): "A Black Maria does not break hearts",
    ("lead_hearts_over_queen", False): "With hearts and Black Marias only, unbroken, the Black Maria must be led",
    ("lead_hearts_over_queen", True): "With hearts and Black Marias only, hearts may be led unbroken",
    ("tie", "shared"): "A tie for the lowest total is a shared win",
    ("tie", "play_on"): "A tie for the lowest total is played on, hand by hand",
    ("jack_of_diamonds", 0): "The jacks of diamonds are worth nothing",
    ("jack_of_diamonds", -10): "Each jack of diamonds won takes 10 points off",
    ("pass_count", 0): "No cards are passed",
}
_STEPS: Final[Mapping[str, str]] = {
    "L": "left",
    "R": "right",
    "A": "across",
    "N": "no pass",
    "L2": "two to the left",
    "R2": "two to the right",
    "L3": "three to the left",
    "R3": "three to the right",
}
# Tricks cancelled, in percent, when everybody plays the highest card that ducks: simulation, 300 hands at each size.
# The other reading of D1 stays below 1.5 %.
_CANCELLED_SHARE: Final[Mapping[int, int]] = {6: 13, 7: 20, 8: 28, 9: 34, 10: 44, 11: 51}
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "pass_count": (0, 5),
    "limit": (1, 1000),
    "annulled_charge": (0, 52),
}


@dataclass(frozen=True, slots=True)
class Options:
    """All rule options of a table; the defaults are the rules as written."""

    cancel_rule: Literal["two_pairs", "no_live_led_card"] = "two_pairs"  # D1
    cancelled_lead: Literal["same_leader", "next_left"] = "same_leader"  # D2
    last_cancelled: Literal["nobody", "leader"] = "nobody"  # D4
    first_trick_points: bool = True  # D13
    hearts_must_break: bool = True  # D14
    queen_breaks_hearts: bool = True  # D15
    lead_hearts_over_queen: bool = False  # D12
    pass_cycle: tuple[str, ...] = ("L", "R")  # D19
    pass_count: int = 3  # D19
    moon_value: int = 26  # D16
    limit: int = 150  # D20
    tie: Literal["shared", "play_on"] = "shared"  # D21
    jack_of_diamonds: int = 0  # D22
    annulled_charge: int = 26  # D23


NAMES: Final = tuple(field.name for field in fields(Options))


class OptionError(ValueError):
    """An option that does not exist, or a value it cannot have; `field` is its name, `sentence` says why."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field, self.sentence = field, sentence


def resolve(preset: str, overrides: Mapping[str, object], seats: int) -> Options:
    """The options of a preset at a table of `seats`, with these values put in the place of its own.

    Raises OptionError for an unknown preset or option, or a value that is impossible at this table.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:  # R1
        raise OptionError("seats", f"{seats} players: the game is for {MIN_SEATS} to {MAX_SEATS}")
    if preset not in PRESETS:
        raise OptionError("preset", f"{preset!r} is unknown: choose {_listed(PRESETS)}")
    values = {} if preset == "as_written" else _classic(seats)
    for name, value in overrides.items():
        values[name] = _checked(name, value, seats)
    return Options(**values)  # type: ignore[arg-type]  # each value has been checked above


def parse_override(text: str) -> tuple[str, object]:
    """The option and plain value written as `limit=100` or `pass_cycle=L,R,A,N`.

    Raises OptionError when there is no such option, or the value is not of its type.
    """
    name, _, written = (part.strip() for part in text.partition("="))
    if name not in NAMES:
        raise OptionError(name, f"no such rule option: choose {_listed(NAMES)}")
    if not written:  # nor is there anything without the sign
        raise OptionError(name, f"write {name}=VALUE")
    if name == "pass_cycle":
        return name, [step.strip() for step in written.upper().split(",")]
    if written.lower() in {"true", "false"}:
        return name, written.lower() == "true"
    try:
        return name, int(written.replace("−", "-"))  # also the typographic minus of the written rules
    except ValueError:
        return name, written


def options_dict(options: Options) -> dict[str, str | int | bool | list[str]]:
    """The options as plain values, in the order of the rules: what is signed, stored and shown."""
    return {**asdict(options), "pass_cycle": list(options.pass_cycle)}


def departures(options: Options, preset: str, seats: int) -> tuple[str, ...]:
    """A sentence for every option in which the table departs from its preset."""
    usual = resolve(preset, {}, seats)
    return tuple(
        _sentence(name, getattr(options, name)) for name in NAMES if getattr(options, name) != getattr(usual, name)
    )


def explain(options: Options, seats: int) -> tuple[str, ...]:
    """What the options mean for this number of players."""
    each, kitty = divmod(104, seats)  # R4
    left_over = (
        f"{kitty} are left over, the kitty, and go to the first player who wins a trick" if kitty else "no kitty"
    )
    share = f"about {_CANCELLED_SHARE[seats]} %" if options.cancel_rule == "two_pairs" else "1 % or less"
    passing = ("pass_cycle", options.pass_cycle) if options.pass_count else ("pass_count", 0)
    return (
        f"{seats} players get {each} cards each; {left_over}",
        f"With careful play {share} of all tricks are cancelled: nobody wins them, and their cards wait for the next winner",
        _sentence(*passing),
        _sentence("limit", options.limit),
    )


def _sentence(name: str, value: object) -> str:
    """What an option says with this value."""
    match name, value:
        case "pass_cycle", (*steps,):
            return f"Passing: {', '.join(_STEPS[str(step)] for step in steps)}, and again"
        case "pass_count", int(count) if count:
            return f"Cards to pass: {count}"
        case "moon_value", _:
            return f"The moon is worth {value}"
        case "limit", _:
            return f"The game ends when a total reaches {value}"
        case "annulled_charge", _:
            return f"Spoiling a hand costs {value} points"
    return _SENTENCES[name, value]


def _classic(seats: int) -> dict[str, object]:
    """What the `classic` preset sets; nobody sits across at an odd table."""
    cycle = ("L", "R", "N") if seats % 2 else ("L", "R", "A", "N")
    return {"cancel_rule": "no_live_led_card", "limit": 100, "pass_cycle": cycle}


def _checked(name: str, value: object, seats: int) -> object:
    """The value, if the option `name` can have it at a table of `seats`."""
    if name in CHOICES:
        choices = CHOICES[name]
        # `True == 1` in Python: the type is part of the value
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise OptionError(name, f"{_written(value)} is not possible: choose {_listed(map(_written, choices))}")
        return value
    if name in RANGES:
        low, high = RANGES[name]
        if type(value) is not int or not low <= value <= high:
            raise OptionError(name, f"{_written(value)} is not possible: choose a number from {low} to {high}")
        return value
    if name == "pass_cycle":
        return _checked_cycle(value, seats)
    raise OptionError(name, f"no such rule option: choose {_listed(NAMES)}")


def _checked_cycle(value: object, seats: int) -> tuple[str, ...]:
    """The passing cycle, if everybody at a table of `seats` can pass so."""
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_CYCLE:
        raise OptionError("pass_cycle", f"must be a list of 1 to {MAX_CYCLE} of {_listed(PASSES)}")
    for step in value:
        if step not in PASSES:
            raise OptionError("pass_cycle", f"{_written(step)} is not possible: choose from {_listed(PASSES)}")
        if step == "A" and seats % 2:
            raise OptionError("pass_cycle", f"nobody sits across at a table of {seats}: A needs an even number")
    return tuple(value)


def _written(value: object) -> str:
    """A value as one writes it on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)[:40]


def _listed(words: "Mapping[str, object] | tuple[str, ...] | map[str]") -> str:
    """`a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}"
