"""The rules as a person reads them: the game in short, the deal at each number of players, and what each option changes.

The same text is what `p2p-hearts rules` prints and what the page of the rules shows. The whole of it, with every corner, is
`protocol/rules.md`; the letters and numbers there are left out here. Source: R1 to R20, D1 to D23.
"""

from p2p_hearts.console.fragments import columns, fit, right, wrap
from p2p_hearts.console.language import N_, _
from p2p_hearts.console.words import upper
from p2p_hearts.hearts.options import MAX_SEATS, MIN_SEATS

LABEL_COLUMNS = 14
NAME_COLUMNS = 24  # of an option
GAME = (
    (
        N_("The aim"),
        N_("Win no hearts and no queens of spades (Black Marias) – or win all of them. A heart costs 1 point, a Black Maria "
           "13. The lowest total wins the game, which ends when somebody reaches 150."),
    ),
    (
        N_("The deal"),
        N_("Two decks, 104 cards, every card twice, ace high. All get the same number; what is left over is the kitty, face "
           "down on the table. Whoever wins the first trick takes it, unseen by others."),
    ),
    (
        N_("The pass"),
        N_("Before play everybody passes three cards face down, in the first hand to the left, in the second to the right, "
           "and again."),
    ),
    (
        N_("The play"),
        N_("The player on the dealer's left leads, but no heart and no Black Maria. Follow suit if you can, else play "
           "anything. The highest card of the suit led wins the trick and leads next. No trumps. Hearts may not be led until "
           "a heart or a Black Maria has been played, or you hold nothing else. A Black Maria may be led at any later time."),
    ),
    (
        N_("Cancelling"),
        N_("Two equal cards in one trick cancel each other: neither can win. With two pairs in a trick, or no card of the suit "
           "led that stands alone, nobody wins it. It is set aside for the next player who wins a trick, and the same player "
           "leads again. If the last trick is cancelled, nobody takes it nor what still waits. Cancelled cards cost points "
           "all the same."),
    ),
    (
        N_("The moon"),
        N_("Who wins all 26 hearts and both Black Marias takes 26 off the own total or puts 26 onto everybody else's."),
    ),
)  # fmt: skip
OPTIONS = (
    ("cancel_rule", N_("two_pairs, or no_live_led_card (only when no card of the suit led still counts)")),
    ("cancelled_lead", N_("same_leader, or next_left")),
    ("last_cancelled", N_("nobody, or leader (takes it and what was set aside)")),
    ("first_trick_points", N_("true, or false (hearts and Black Marias barred there)")),
    ("hearts_must_break", N_("true, or false")),
    ("queen_breaks_hearts", N_("true, or false")),
    ("lead_hearts_over_queen", N_("false, or true (with nothing else, hearts may be led)")),
    (
        "pass_cycle",
        N_("L,R – a list of L (left), R (right), A (across), N (none), L2, R2, L3, R3 (two or three seats away)"),
    ),
    ("pass_count", N_("3 – from 0 to 5")),
    ("moon_value", N_("26, or 52")),
    ("limit", N_("150 – from 1 to 1000")),
    ("tie", N_("shared, or play_on")),
    ("jack_of_diamonds", N_("0, or -10 (each one won takes 10 off)")),
    ("annulled_charge", N_("26 – from 0 to 52, for causing a hand to be dealt anew")),
)


def game_lines(width: int) -> list[str]:
    """The game in short, no line wider than `width` columns."""
    count = _("{low} to {high} players", low=MIN_SEATS, high=MAX_SEATS)
    name = upper(_("Cancellation Hearts"))
    lines = [name + right(count, max(columns(count) + 2, width - columns(name))), ""]
    for label, text in GAME:
        lines += [*_labelled(_(label), _(text), LABEL_COLUMNS, width), ""]
    return [*lines, *wrap(_("A table may agree on other rules; the lobby shows every departure."), width)]


def rules_aloud() -> str:
    """The game in short for a screen reader: a line each for the aim, the deal and what follows."""
    return "\n".join(f"{_(label)}. {_(text)}" for label, text in GAME)


def rules_lines(width: int) -> list[str]:
    """The whole text, no line wider than `width` columns."""
    presets = _(
        "as_written (all of the above), and classic: no_live_led_card, to 100, passing left, right, across, none (left, right, "
        "none at odd tables)"
    )
    lines = [*game_lines(width), "", *_deal_table(), ""]
    lines += [*wrap(_("OPTIONS of a table, with --option NAME=VALUE, first the rules as written"), width)]
    for name, text in OPTIONS:
        lines += _labelled(f"  {name}", _(text), NAME_COLUMNS + 2, width)
    return [*lines, "", *_labelled(_("PRESETS"), presets, LABEL_COLUMNS, width)]


def _deal_table() -> list[str]:
    """How many cards each player gets, and how many are left over (R4, R5)."""
    seats = range(MIN_SEATS, MAX_SEATS + 1)
    rows = (
        (_("Players"), seats),
        (_("cards each"), [104 // count for count in seats]),
        (_("kitty"), [104 % count for count in seats]),
    )
    return [fit(label, 16) + "".join(f"{number:5}" for number in numbers) for label, numbers in rows]


def _labelled(label: str, text: str, indent: int, width: int) -> list[str]:
    """A paragraph that hangs beside its label."""
    lines = wrap(text, width - indent)
    return [fit(label, indent) + lines[0], *(" " * indent + line for line in lines[1:])]
