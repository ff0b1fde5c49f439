"""Hints: the card `clever` would play, with a reason that is true of the position."""

import random

import pytest

from p2p_hearts.bots import choose_pass, choose_play
from p2p_hearts.bots.hints import Because, Reason, hint_pass, hint_play, sentence
from p2p_hearts.cards import DECK, Suit, card_text, parse_card
from p2p_hearts.hearts.hand import begin, deal
from p2p_hearts.hearts.view import View
from tests.bots.positions import WRITTEN, cards, view_of

ALMOST_ALL = " ".join(f"{rank}H {rank}H" for rank in "AKQJT9876") + " QS QS"


@pytest.mark.parametrize(
    ("view", "card", "said"),
    [
        (
            view_of("KS 3S 4D", "5S AS QS 8S", passed="AS 2D 3D"),  # the last to play holds the other ace
            "3S",
            "The other ace of spades is still out: the king of spades may be left standing",
        ),
        (view_of("QS KS 3S", "5S AS 7S 8S 9S"), "QS", "The ace of spades is above her: be rid of the Black Maria"),
        (
            view_of("AS 5S", "4S AS QS 9S TS"),
            "AS",
            "The other ace of spades lies there: the two cancel, and neither can win",
        ),
        (
            view_of("AC 3C", "4C 4C 9C 9C QS"),
            "AC",
            "Two pairs lie there, nobody wins this trick: a good moment to be rid of the ace of clubs",
        ),
        (
            view_of("AC 3S", "4D 4D 9D 9D QS"),
            "AC",
            "Two pairs lie there, nobody wins this trick: a good moment to be rid of the ace of clubs",
        ),
        (view_of("3S AS", "4S QS 9S KS TS"), "3S", "Whoever takes this trick pays 13: stay below the king of spades"),
        (view_of("2S TS", "5S AS 7S 8S JS"), "TS", "It stays below the ace of spades"),
        (
            view_of("3C AC", "4C 6C 9C JC TC"),
            "AC",
            "Last to play, and nothing in the trick costs points: be rid of the ace of clubs",
        ),
        (view_of("KC AC", "4C 6C 9C JC QH"), "AC", "Every card you may play takes this trick: spend the highest"),
        (view_of("QS AH 2C", "9D KD 4D"), "QS", "You cannot follow: be rid of the Black Maria"),
        (
            view_of("AC 2C", "9D KD 4D"),
            "AC",
            "You cannot follow: the ace of clubs would be the most dangerous to keep",
        ),
        (view_of("AC", "9D KD 4D"), "AC", "The ace of clubs is the only card you may play"),
        (
            view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=((3, ALMOST_ALL),)),
            "AD",
            "Seat D has all the points so far: take this one yourself",
        ),
        (
            view_of("2H 3D 9D", "4C 5C KC 6C 8C", captured=((3, ALMOST_ALL),)),
            "2H",
            "Seat D has all the points so far: give this one to somebody else",
        ),
        (
            view_of("AD 3D 2C", "4D 5D 6D 3H 8D", captured=((5, ALMOST_ALL),)),
            "AD",
            "All the points so far are yours: keep taking them",
        ),
        (
            view_of("2H TD", "4C 5C KC 6C 8C", scores=(90, 80, 149, 60, 70, 50)),
            "2H",
            "This brings seat C to the limit, and the game ends while nobody is better off than you",
        ),
        (
            view_of("5D KC AC", gone=" ".join(f"{rank}C {rank}C" for rank in "23456789TJQ") + " KC AC", trick=14),
            "5D",
            "The 5 of diamonds is likely to lose: 18 higher diamonds are still out",
        ),
        (
            view_of("KH 2S AS", gone="AH"),
            "KH",
            "It is your last card of hearts: without it you may discard when they are led",
        ),
        (
            view_of("KH 2S AS"),
            "KH",
            "The king of hearts would be the most dangerous to keep, and may still lose: 2 higher hearts are out",
        ),
        (view_of("6S 2C"), "6S", "A spade below the Black Marias may bring one out, and you hold none"),
    ],
)
def test_hints(view: View, card: str, said: str) -> None:
    """Each rule of thumb says its reason where it decides, in one sentence."""
    hint = hint_play(view)
    assert card_text(hint.cards[0]) == card
    assert sentence(hint.reason) == said


@pytest.mark.parametrize(
    ("held", "chosen", "because"),
    [
        ("KC TC 3D 4D 6D 8D 2S 3S 4S 2H 3H 4H AH", "TC KC", Reason(Because.GIVE_SUIT, suit=Suit.CLUBS)),
        ("2C 3C 4C 7C 2D 3D 5D 6D 2S 3S QH KH AH", "QH KH AH", Reason(Because.GIVE_SUIT, suit=Suit.HEARTS)),
        ("2C 3C 4C 7C 2D 3D 5D 6D 2H 3H 4H QS AH", "QS", Reason(Because.GIVE_QUEEN)),
        ("2C 3C 4C 7C 2D 3D 5D 6D 2S 3H QH KH AH", "QH KH AH", Reason(Because.GIVE_HIGH)),
    ],
)
def test_hint_of_a_pass(held: str, chosen: str, because: Reason) -> None:
    """R7: which cards to pass, and what is gained."""
    hint = hint_pass(view_of(held, trick=1, seats=8))
    assert set(cards(chosen)) <= set(hint.cards)
    assert hint.reason == because


def test_a_hint_is_what_clever_does() -> None:
    """The card of a hint is the one that `clever` would play, and its sentence has no field left open."""
    rng = random.Random(1)
    for seed in range(60):
        held = deal(rng.sample(DECK, 104), 8)[0][0]
        view = View(0, begin(WRITTEN, 8, dealer=7, number=1), held, (), (), None, (0,) * 8)
        assert hint_play(view).cards == (choose_play("clever", view, random.Random(seed)),)
        assert hint_pass(view).cards == choose_pass("clever", view, random.Random(seed))
        for hint in (hint_play(view), hint_pass(view)):
            said = sentence(hint.reason)
            assert "{" not in said
            assert said[0].isupper()
            assert "None" not in said


def test_fields_of_a_reason() -> None:
    """A reason names the cards it speaks of, so that another language can be made from it."""
    hint = hint_play(view_of("KS 3S 4D", "5S AS QS 8S", passed="AS 2D 3D"))
    assert hint.reason == Reason(
        Because.LEFT_STANDING, card=parse_card("3S"), other=parse_card("AS"), rival=parse_card("KS")
    )
