"""The rules in short, for the command `rules` and the help screen: the game with its defaults, at most 78 columns.

The whole of it, with every option, is `protocol/rules.md`; the letters and numbers there are left out here.
"""

from typing import Final

RULES_TEXT: Final = """\
CANCELLATION HEARTS                                            6 to 11 players

The aim       Win no hearts and no queens of spades (Black Marias) - or win
              all of them. A heart costs 1 point, a Black Maria 13. The lowest
              total wins the game, which ends when somebody reaches 150.

The deal      Two decks, 104 cards, every card twice, ace high. All get the
              same number; what is left over is the kitty, face down on the
              table. Whoever wins the first trick takes it, unseen by others.

The pass      Before play everybody passes three cards face down, in the
              first hand to the left, in the second to the right, and again.

The play      The player on the dealer's left leads, but no heart and no Black
              Maria. Follow suit if you can, else play anything. The highest
              card of the suit led wins the trick and leads next. No trumps.
              Hearts may not be led until a heart or a Black Maria has been
              played, or you hold nothing else. A Black Maria may be led at
              any later time.

Cancelling    Two equal cards in one trick cancel each other: neither can win.
              With two pairs in a trick, or no card of the suit led that
              stands alone, nobody wins it. It is set aside for the next
              player who wins a trick, and the same player leads again. If the
              last trick is cancelled, nobody takes it nor what still waits.
              Cancelled cards cost points all the same.

The moon      Who wins all 26 hearts and both Black Marias takes 26 off the
              own total or puts 26 onto everybody else's.

A table may agree on other rules; the lobby shows every departure.
"""
