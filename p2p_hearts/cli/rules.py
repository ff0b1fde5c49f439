"""The rules as `p2p-hearts rules` prints them: R1 to R20, and what each option changes. Source: `protocol/rules.md`."""

RULES = """\
CANCELLATION HEARTS                                           6 to 11 players

The cards   Two packs shuffled together: 104 cards, every card twice, the ace
            high. Everybody gets the same number; what is left over, the kitty,
            lies face down.
               players        6    7    8    9   10   11
               cards each    17   14   13   11   10    9
               kitty          2    6    0    5    4    5

The aim     Do not win hearts (1 point each) nor queens of spades, the Black
            Marias (13 each) - or win all of them. The lowest total wins.

Passing     Look at your hand, then pass three cards face down: to the left in
            the first hand, to the right in the second, and so on. You see what
            you got when all have passed.

Play        The player on the dealer's left leads the first trick: any card but
            a heart or a Black Maria. Follow suit if you can; if not, play any
            card. The highest card of the suit led takes the trick, and its
            winner leads the next. There are no trumps.

Hearts      may not be led until a heart or a Black Maria has been played
            (broken), unless you have nothing else. A Black Maria may be led at
            any time but in the first trick.

Cancelling  Two equal cards in one trick cancel each other: neither can win it.
            Two pairs in one trick, or no card of the suit led that still
            counts: nobody wins it. It is set aside for whoever wins the next
            trick, and the same player leads again. What the last trick leaves
            nobody takes.

The kitty   goes to the winner of the first trick (the first that is won), who
            alone may look at it.

The moon    Whoever wins all 26 hearts and both Black Marias takes 26 off their
            own total, or puts 26 onto everybody else's.

The end     When a player reaches 150 after a hand. The lowest total wins;
            equal lowest totals share the win.

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
  annulled_charge         26 - from 0 to 52, for causing a hand to be dealt again

PRESETS     as_written (all of the above), and classic: no_live_led_card, to
            100, passing left, right, across, none (left, right, none at odd
            tables)"""
