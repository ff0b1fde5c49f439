"""The rules as `p2p-hearts rules` prints them: the text that the help screen shows, too, the deal at each number of
players, and what each option changes. Source: `protocol/rules.md`.
"""

from p2p_hearts.hearts.text import RULES_TEXT

_MORE = """
Players          6    7    8    9   10   11
cards each      17   14   13   11   10    9
kitty            2    6    0    5    4    5

OPTIONS     of a table, with --option NAME=VALUE, first the rules as written
  cancel_rule             two_pairs, or no_live_led_card (only when no card of
                          the suit led still counts)
  cancelled_lead          same_leader, or next_left
  last_cancelled          nobody, or leader (takes it and what was set aside)
  first_trick_points      true, or false (hearts and Black Marias barred there)
  hearts_must_break       true, or false
  queen_breaks_hearts     true, or false
  lead_hearts_over_queen  false, or true (with nothing else, hearts may be led)
  pass_cycle              L,R - a list of L, R, A (across), N (none),
                          L2, R2, L3, R3 (two or three seats away)
  pass_count              3 - from 0 to 5
  moon_value              26, or 52
  limit                   150 - from 1 to 1000
  tie                     shared, or play_on
  jack_of_diamonds        0, or -10 (each one won takes 10 off)
  annulled_charge         26 - from 0 to 52, for causing a hand to be dealt anew

PRESETS     as_written (all of the above), and classic: no_live_led_card, to
            100, passing left, right, across, none (left, right, none at odd
            tables)"""

RULES = RULES_TEXT + _MORE
