"""What the screen and line mode say of events."""

from dataclasses import replace

from p2p_hearts.cards import Card, parse_card
from p2p_hearts.console.facts import points_so_far, trick_cards
from p2p_hearts.console.fragments import clean
from p2p_hearts.console.plain_words import told
from p2p_hearts.console.telling import sentence
from p2p_hearts.console.words import points, result, seat_name, situation, spoken, symbol
from p2p_hearts.hearts.hand import Hand, begin
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import (
    Accused,
    GameEnded,
    HandAnnulled,
    HandReopened,
    HandScored,
    PeerLost,
    Played,
    Said,
    TrickEnded,
)
from p2p_hearts.protocol.scene import Scene, Stage
from tests.console.fake import ME, FakeTable


def cards(text: str) -> tuple[Card, ...]:
    """Cards written as `7C 7C 6C`."""
    return tuple(parse_card(word) for word in text.split())


def scene_of(seats: int, hand: Hand | None = None, options: Options | None = None) -> Scene:
    """A scene in play with the names of the fake table, Bea in front of it."""
    table = FakeTable(seats=seats, bots=())
    table.stage, table.hand = Stage.PLAYING, hand or begin(options or Options(), seats, seats - 1, 1)
    table.options = options or Options()
    table.held = [()] * seats
    return table.scene()


def ended(
    text: str, winner: int | None, points: int, cancelled: str = "", *, kitty: bool = False, trick: int = 2
) -> TrickEnded:
    """A trick that Ann (seat 0) led."""
    return TrickEnded(trick, 0, cards(text), winner, cards(cancelled), points, kitty)


def after(seats: int, *tricks: str) -> Hand:
    """A hand in which the first seat leads the first trick and these cards are played."""
    hand = begin(Options(), seats, seats - 1, 1)
    for card in cards(" ".join(tricks)):
        hand = lay(hand, card)
    return hand


def test_cards_have_a_sign_for_the_eye_and_a_name_for_the_ear() -> None:
    """A ten is written 10 and not T, on the screen and aloud."""
    assert [symbol(card) for card in cards("TS QH 2C AD")] == ["10♠", "Q♥", "2♣", "A♦"]
    assert spoken(parse_card("QS")) == "queen of spades"


def test_a_pair_cancels_and_the_next_card_takes_the_pile() -> None:
    """R14, R15: one line says what cancels, whose card takes the trick, and what goes with it."""
    scene = scene_of(6)
    told_line = result(ended("6C 7C 7C 2C 3C 4C", 0, 14, "7C 7C"), scene, symbol)
    assert told_line == "7♣ 7♣ cancel – Ann's 6♣ takes it, with the 14 points set aside."


def test_points_of_the_trick_and_of_the_pile_are_added() -> None:
    """R17: what the trick itself costs is said in one total with the pile."""
    told_line = result(ended("6C 7C 7C 2C 3H 4C", 0, 15, "7C 7C"), scene_of(6), symbol)
    assert told_line == "7♣ 7♣ cancel – Ann's 6♣ takes it, with the 14 points set aside: 15 points."


def test_one_wins_oneself() -> None:
    """The person at the keyboard is called you."""
    assert result(ended("6C 9C 7C 2C 3C 4C", ME, 0), scene_of(6), symbol) == "Your 9♣ takes it: no points."


def test_two_pairs_are_taken_by_nobody() -> None:
    """R15: with two pairs in a trick nobody takes it, and the points wait."""
    told_line = result(ended("JD 6D JD 6D QS AH", None, 14, "JD 6D JD 6D"), scene_of(6), symbol)
    assert told_line == "J♦ J♦ and 6♦ 6♦ cancel – nobody takes it; 14 points wait for the next winner, the kitty too."


def test_a_cancelled_last_trick_counts_for_nobody() -> None:
    """R16, D4: after the last trick nothing waits any more."""
    hand = replace(begin(Options(), 8, 7, 1), trick=14)
    event = ended("JD 6D JD 6D QS AH 2C 3C", None, 14, "JD 6D JD 6D", trick=13)
    assert (
        result(event, scene_of(8, hand), symbol)
        == "J♦ J♦ and 6♦ 6♦ cancel – nobody takes it: 14 points count for nobody."
    )


def test_two_cancelled_tricks_in_a_row_pile_up() -> None:
    """D3: what waits is the trick with all that was set aside before it, whether or not the event counts the pile."""
    hand = after(6, "JD 6D JD 6D QS AH", "9C 8C 9C 8C 2H 3H")
    event = TrickEnded(2, 0, cards("9C 8C 9C 8C 2H 3H"), None, cards("9C 8C 9C 8C"), 2, kitty=False)
    line = result(event, scene_of(6, hand), symbol)
    assert line == "9♣ 9♣ and 8♣ 8♣ cancel – nobody takes it; 16 points wait for the next winner, the kitty too."


def test_the_leader_takes_a_cancelled_last_trick_if_the_table_says_so() -> None:
    """D4 switched: the leader of a cancelled last trick collects it."""
    options = Options(last_cancelled="leader")
    hand = replace(begin(options, 8, 7, 1), trick=14)
    event = ended("JD 6D JD 6D QS AH 2C 3C", None, 14, "JD 6D JD 6D", trick=13)
    line = result(event, scene_of(8, hand, options), symbol)
    assert line == "J♦ J♦ and 6♦ 6♦ cancel – nobody takes it, so Ann, who led, gets it: 14 points."


def test_the_kitty_goes_along_and_its_worth_stays_unsaid() -> None:
    """R5, D9: everybody hears who takes the kitty, nobody what is in it."""
    assert result(ended("6C 9C 7C 2C 3H 4C", 1, 1, kitty=True), scene_of(6), symbol) == (
        "Your 9♣ takes it, with the kitty: 1 point face up."
    )


def test_line_mode_speaks_of_pairs_without_signs() -> None:
    """A screen reader hears words, no suit signs."""
    assert result(ended("6C 7C 7C 2C 3C 4C", 0, 0, "7C 7C"), scene_of(6), spoken) == (
        "The two 7s of clubs cancel – Ann's 6 of clubs takes it: no points."
    )


def test_while_a_trick_is_open_the_winning_card_is_named() -> None:
    """R11, R14: the highest live card of the suit led is winning so far."""
    scene = scene_of(6)
    table = trick_cards(scene.options, cards("9S KS 9S"), 0, 1, 6)
    assert situation(table, scene, symbol) == "9♠ 9♠ cancel. Your K♠ wins so far."


def test_when_two_pairs_lie_there_nobody_can_win() -> None:
    """R15: the second pair decides the trick before its last card."""
    scene = scene_of(6)
    table = trick_cards(scene.options, cards("9S KS 9S KS"), 0, 1, 6)
    assert situation(table, scene, symbol) == "9♠ 9♠ and K♠ K♠ cancel: nobody can win this trick any more."


def test_a_lone_pair_may_still_be_beaten() -> None:
    """R14: with no live card of the suit led, a later one can still win."""
    scene = scene_of(6)
    assert (
        situation(trick_cards(scene.options, cards("9S 9S"), 0, 1, 6), scene, symbol)
        == "9♠ 9♠ cancel: so far nobody wins."
    )


def test_line_mode_narrates_each_card() -> None:
    """Leading, taking over and cancelling are each said once, as they happen."""
    scene = scene_of(6, after(6, "9S KS 9S"))
    lines = [told(Played(seat, card, 1), scene) for seat, card in enumerate(cards("9S KS 9S"))]
    assert lines == [
        "Trick 1. Ann leads 9 of spades.",
        "You play king of spades, winning so far.",
        "Cem plays 9 of spades. The two 9s of spades cancel. Your king of spades wins so far.",
    ]


def test_running_points_leave_out_a_kitty_one_has_not_won() -> None:
    """D9: points shown to anybody but the kitty's winner leave the kitty out."""
    hand = after(6, "2C 3C 4C 5C 6C 7C")
    scene = scene_of(6, hand)
    assert hand.kitty_seat == 5
    assert points_so_far(scene) == (0, 0, 0, 0, 0, 0)


def test_the_winner_of_the_kitty_counts_it() -> None:
    """D9: its winner knows the kitty and sees its own points with it."""
    scene = scene_of(6, after(6, "2C 7C 4C 5C 6C 3C"))
    assert scene.view is not None
    mine = replace(scene, view=replace(scene.view, kitty=cards("QS 2H")))
    assert points_so_far(mine) == (0, 14, 0, 0, 0, 0)


def test_a_hand_in_words_names_the_moon_and_what_nobody_got() -> None:
    """R18, D4: the shooter, the choice, and unclaimed points are told."""
    scene = scene_of(6)
    plain = HandScored(1, (4, 0, 20, 0, 0, 0), (4, 0, 20, 0, 0, 0), 28, None, None)
    assert sentence(plain, scene, symbol) == "Hand 1 is over: Ann 4 and Cem 20. 28 points count for nobody."
    moon = HandScored(2, (-26, 0, 0, 0, 0, 0), (-22, 0, 20, 0, 0, 0), 0, 0, "subtract")
    assert sentence(moon, scene, symbol) == "Ann shot the moon and takes the points off. Hand 2 is over: Ann −26."


def test_a_shared_victory() -> None:
    """D21: everybody with the lowest total wins."""
    scene = replace(scene_of(6), scores=(7, 7, 150, 20, 30, 40))
    assert sentence(GameEnded((0, 1)), scene, symbol) == "Ann and you win the game with 7 points."


def test_fault_is_told_in_one_sentence() -> None:
    """Whatever is wrong is somebody's fault, and the screen says whose and what."""
    line = sentence(Accused(bytes([3]) * 32, Fault.REVOKE, ""), scene_of(6), symbol)
    assert line == "Dace played a card it had claimed not to hold. The table cannot go on with it."


def test_two_people_of_one_name_are_told_apart() -> None:
    """Names are for show: equal ones get their seat letter."""
    scene = scene_of(6)
    twins = replace(scene, seats=(replace(scene.seats[0], name="Bea"), *scene.seats[1:]))
    assert [seat_name(twins, seat) for seat in range(3)] == ["Bea A", "Bea B", "Cem"]


def test_chat_cannot_move_the_cursor_or_turn_the_line() -> None:
    """Control, direction and invisible letters of a peer stay outside, and combining marks do not pile up."""
    assert clean("a\x1b[2Jb\u202ec\u200bd\ufe0f\ne") == "a[2Jbcd e"
    assert clean("o" + "\u0308" * 9) == "ö\u0308\u0308"
    scene = scene_of(6)
    assert sentence(Said(bytes([0]) * 32, "hi\x07 there"), scene, symbol) == "Ann: hi there"


def test_points_in_words() -> None:
    """One point, several points, none, and the jacks of D22 that take some off."""
    assert [points(count) for count in (0, 1, 13, -10)] == ["no points", "1 point", "13 points", "−10 points"]


def test_who_is_lost_and_what_an_annulled_hand_costs() -> None:
    """D23: who goes on without whom, a deck made anew, and whom an annulled hand is charged to."""
    scene = scene_of(6)
    lost = sentence(PeerLost(bytes([3]) * 32), scene, symbol)
    assert lost == "The hand goes on without Dace: a bot plays until they are back."
    again = sentence(HandReopened(2), scene, symbol)
    assert again == "The deck of hand 2 is made anew, since somebody is gone; no card had been dealt."
    free = sentence(HandAnnulled(2, (), (0,) * 6), scene, symbol)
    assert free == "Hand 2 counts for nothing and is dealt again."
    charged = sentence(HandAnnulled(2, (1, 3), (0, 26, 0, 26, 0, 0)), scene, symbol)
    assert charged == f"{free} Charged with 26 points each, since it was spoilt on their side: you and Dace."
