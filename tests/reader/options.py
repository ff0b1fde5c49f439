"""The rule options of `rules.md`: defaults, presets, what a table writes, and what its number of seats makes of it."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from tests.reader.refusal import RefusedError, demand

Options: TypeAlias = dict[str, Any]
DEFAULTS: Options = {
    "pass_cycle": ["L", "R"],
    "pass_count": 3,
    "lead_hearts_over_queen": False,
    "first_trick_points": True,
    "hearts_must_break": True,
    "queen_breaks_hearts": True,
    "cancel_rule": "two_pairs",
    "cancelled_lead": "same_leader",
    "last_cancelled": "nobody",
    "moon_value": 26,
    "jack_of_diamonds": 0,
    "annulled_charge": 26,
    "limit": 150,
    "tie": "shared",
}
STEPS = ("L", "R", "L2", "R2", "L3", "R3", "A", "N")
WORDS = {
    "cancel_rule": ("two_pairs", "no_live_led_card"),
    "cancelled_lead": ("same_leader", "next_left"),
    "last_cancelled": ("nobody", "leader"),
    "tie": ("shared", "play_on"),
}
NUMBERS = {
    "pass_count": range(6),
    "moon_value": (26, 52),
    "jack_of_diamonds": (0, -10),
    "annulled_charge": range(53),
    "limit": range(1, 1001),
}


def resolved(preset: str, overrides: Iterable[tuple[str, str]], seats: int) -> Options:
    """All options of a table of so many seats. Raises RefusedError."""
    demand(preset in {"as_written", "classic"}, "MALFORMED", f"preset {preset!r}")
    options = dict(DEFAULTS)
    if preset == "classic":
        cycle = ["L", "R", "A", "N"] if seats % 2 == 0 else ["L", "R", "N"]
        options |= {"cancel_rule": "no_live_led_card", "limit": 100, "pass_cycle": cycle}
    options |= {key: _value(key, text) for key, text in overrides}
    demand(seats % 2 == 0 or "A" not in options["pass_cycle"], "MALFORMED", "nobody sits across")
    return options


def _value(key: str, text: str) -> Any:
    match DEFAULTS.get(key):
        case bool() if text in {"true", "false"}:
            return text == "true"
        case int() if re.fullmatch("-?[0-9]+", text) and int(text) in NUMBERS.get(key, ()):
            return int(text)
        case str() if text in WORDS[key]:
            return text
        case list() if len(text.split(",")) <= 64 and all(step in STEPS for step in text.split(",")):
            return text.split(",")
        case _:
            raise RefusedError("MALFORMED", f"{key}={text}")
