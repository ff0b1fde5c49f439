"""Keys: what they choose, what they send, and that none acts twice."""

from dataclasses import replace

import pytest

from p2p_hearts.bots import LEVELS
from p2p_hearts.cards import DECK, Card, Suit, suit_of
from p2p_hearts.console.ahead import can_plan, due
from p2p_hearts.console.facts import Order, may_play, my_cards
from p2p_hearts.console.fragments import text_of
from p2p_hearts.console.home import HostSettings
from p2p_hearts.console.keys import PAGES
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, press, update
from p2p_hearts.console.state import (
    JoinAddress,
    JoinRow,
    LeaveTable,
    LogLine,
    OpenTable,
    Overlay,
    Pace,
    Quit,
    Resume,
    Screen,
    WatchRow,
)
from p2p_hearts.console.words import symbol
from p2p_hearts.hearts.hand import Hand, to_play
from p2p_hearts.hearts.options import Options
from p2p_hearts.hearts.play import lay
from p2p_hearts.protocol import events, inputs
from p2p_hearts.protocol.scene import Asking
from tests.console.fake import ME, FakeTable
from tests.console.fake_home import GAMES, OPEN, PLAYING
from tests.console.stages import acted, after, dealt, every_screen, lifted, one_play, passed, typed, whole_hand


def test_a_game_is_continued_from_the_lobby() -> None:
    """c lists the games that were not played to their end; Enter goes on with the one chosen, once."""
    assert typed(home(), "c").overlay is None  # there is none
    screen = typed(replace(home(), games=GAMES), "c", "down", "down", "up", "down")
    resuming, action = acted(screen, "enter")
    assert action == Resume(GAMES[1])
    assert resuming.busy == "Going on with Solo"
    assert typed(resuming, "enter").busy == "Going on with Solo"
    assert typed(screen, "escape").overlay is None


def test_a_table_in_play_can_be_watched() -> None:
    """w looks on at a table that is being played, and does nothing on others."""
    assert typed(home(), "w").busy == ""
    watching, action = acted(typed(home(), "down"), "w")
    assert action == WatchRow(PLAYING)
    assert watching.busy == "Looking on at Kitchen table"


def test_a_game_can_be_left_for_later() -> None:
    """z closes the table without telling the others that one has left for good."""
    assert acted(typed(passed(FakeTable()), "q"), "z")[1] == LeaveTable(later=True)


def home() -> Screen:
    """The lobby with a table that can be joined and one that cannot."""
    return home_news(Screen(), (OPEN, PLAYING), ())


def test_enter_joins_the_row_chosen() -> None:
    """A row is chosen by arrow, letter or number, and joined by Enter."""
    assert acted(home(), "enter")[1] == JoinRow(OPEN)
    assert typed(home(), "2", "k", "j", "up").row == 0


def test_a_row_that_cannot_be_joined_says_why() -> None:
    """The reason is told before anything is tried."""
    screen = typed(home(), "down", "enter")
    assert screen.note == "Kitchen table cannot be joined: it is being played already."


def test_the_cursor_stays_on_its_table_when_the_list_changes() -> None:
    """A new row above the chosen one does not make Enter join another table."""
    screen = home_news(home(), (PLAYING, OPEN), ())
    assert screen.rows[screen.row] == OPEN


def test_an_address_is_typed_letter_by_letter() -> None:
    """While a line is typed, every letter is a letter, also ? and q; only Enter sends it."""
    screen = typed(home(), "a", *"q?x", "backspace", "left", "backspace", "h", "end", "1")
    assert acted(screen, "enter")[1] == JoinAddress("h?1")


def test_an_empty_line_is_forgotten() -> None:
    """Enter on an empty line does nothing, so Escape is never needed."""
    assert typed(home(), "a", "enter").typing is None


def test_a_second_enter_does_not_join_twice() -> None:
    """While a seat is being asked for, Enter asks no second time; backspace gives up waiting."""
    waiting = acted(home(), "enter")[0]
    assert typed(waiting, "enter", "enter").busy == "Asking for a seat at Friday"
    assert typed(waiting, "backspace").busy == ""


def test_the_form_opens_a_table() -> None:
    """The form's lines change by left and right; Enter opens the table like that."""
    screen = typed(home(), "h", "down", "right", "right", "down", "right", "tab", "down", "down", "right")
    wanted = HostSettings(seats=8, bots=1, overrides=(("limit", 200),))
    assert acted(screen, "enter")[1] == OpenTable("host", wanted)


def test_classic_rules_bring_their_own_limit() -> None:
    """The preset's usual limit is no departure from it."""
    screen = typed(home(), "s", "down", "down", "right")
    assert acted(screen, "enter")[1] == OpenTable("solo", HostSettings(preset="classic"))


def test_q_leaves_the_lobby_at_once() -> None:
    """Nothing is lost in the lobby, so nothing is asked."""
    assert acted(home(), "q")[1] == Quit()


def waiting_room(lobby_bots: int = 2) -> tuple[FakeTable, Screen]:
    """A host's waiting room with two people at the door."""
    table = FakeTable(lobby_bots=lobby_bots)
    table.asking = (Asking(b"x" * 32, "Nora", "otter-lamp"), Asking(b"y" * 32, "Olaf", "maple-sand"))
    return table, after(Screen(), (table.tell(),))


def test_the_host_lets_in_who_is_chosen() -> None:
    """y and Enter let in the one the cursor is on, x refuses."""
    _, screen = waiting_room()
    assert acted(screen, "y")[1] == inputs.Admit(b"x" * 32)
    assert acted(typed(screen, "down"), "enter")[1] == inputs.Admit(b"y" * 32)
    assert acted(screen, "x")[1] == inputs.Admit(b"x" * 32, yes=False)


def test_the_host_adds_bots_and_starts() -> None:
    """Plus and minus are bots as long as there is a seat, s starts, p changes the rules."""
    assert typed(waiting_room()[1], "+").note == "All 11 seats are taken."
    _, screen = waiting_room(lobby_bots=1)
    assert acted(screen, "+")[1] == inputs.AddBot("cautious")
    following = LEVELS[(LEVELS.index("cautious") + 1) % len(LEVELS)]
    assert acted(typed(screen, "b"), "+")[1] == inputs.AddBot(following)
    assert acted(screen, "-")[1] == inputs.RemoveBot()
    assert acted(screen, "p")[1] == inputs.ChangeRules("classic")
    assert acted(screen, "s")[1] == inputs.Start()


def test_a_table_that_cannot_start_says_why() -> None:
    """The problem is told in words, and nothing is sent."""
    table = FakeTable(seats=6, lobby_bots=1)
    screen = typed(after(Screen(), (table.tell(),)), "s")
    assert screen.note == "5 seats are filled; the game is for 6 to 11."


def test_another_host_ends_what_was_said_of_the_first() -> None:
    """A sentence that names the host does not outlast the host."""
    table, screen = waiting_room()
    scene = table.scene()
    screen = update(screen, (), scene, ("The host is Bea, key luju baru: new.",))
    screen = update(screen, (), scene)
    assert screen.note == "The host is Bea, key luju baru: new."
    peers = tuple(replace(peer, host=peer.name == "Ann") for peer in scene.peers)
    screen = update(screen, (events.LobbyChanged("Ann is the host now."),), replace(scene, peers=peers))
    assert screen.note == ""
    assert screen.log[-1].text == "Ann is the host now."


def test_only_the_host_decides() -> None:
    """A guest's keys of the host say that they are the host's."""
    _, screen = waiting_room()
    assert screen.scene is not None
    guests = tuple(replace(peer, host=False) for peer in screen.scene.peers)
    screen = replace(screen, scene=replace(screen.scene, peers=guests))
    assert typed(screen, "s").note == "Only the host can do that."


def test_cards_to_pass_are_lifted_put_back_and_sent() -> None:
    """R7: a choice can be undone until it is sent, and is sent once."""
    table = FakeTable()
    screen = dealt(table)
    assert screen.scene is not None
    hand = my_cards(screen.scene)
    screen = typed(screen, "1", " ", "2", " ", "u", "3", " ", "4", " ", "5", " ")
    assert screen.chosen == (0, 2, 3)
    assert screen.note == "3 cards are chosen already: Enter sends them, u takes the last one back."
    screen, action = acted(screen, "enter")
    assert action == inputs.Pass(ME, (hand[0], hand[2], hand[3]))
    assert typed(screen, "enter", " ", "enter").chosen == (0, 2, 3)


def test_too_few_cards_are_not_sent() -> None:
    """Enter with a card missing says how many are missing and undoes nothing."""
    screen = typed(dealt(FakeTable()), "1", " ", "enter", "enter")
    assert screen.chosen == (0,)
    assert screen.note == "Choose 2 more cards. Space or up lifts a card, Enter then passes them."


def test_received_cards_are_marked_until_seen() -> None:
    """FF13: what came by the pass is marked; space acknowledges it, so does playing."""
    table = FakeTable()
    screen = passed(table)
    assert screen.fresh == table.received
    assert len(screen.fresh) == 3
    assert screen.giver == "Ann"
    assert typed(screen, " ").fresh == ()
    assert next(one_play(screen, table)).fresh == ()


def test_enter_plays_the_card_lifted() -> None:
    """A card is lifted by a key of its own, then Enter plays it."""
    table = FakeTable()
    screen = lifted(passed(table), table)
    assert screen.scene is not None
    assert screen.cursor is not None
    card = my_cards(screen.scene)[screen.cursor]
    assert acted(screen, "enter")[1] == inputs.Play(ME, card)


def test_double_presses_are_harmless() -> None:
    """FF10: Enter twice, or held down, plays one card and leaves the next turn untouched."""
    table = FakeTable()
    screen, action = acted(lifted(passed(table), table), "enter")
    assert isinstance(action, inputs.Play)
    screen = typed(screen, "enter", "enter")
    for news in table.command(action):
        screen = typed(after(screen, (news,)), "enter")
    assert screen.scene is not None
    assert screen.scene.hand is not None
    assert len(my_cards(screen.scene)) == 8


def test_a_card_against_the_rules_is_refused_with_its_rule() -> None:
    """R10: the reason is told in words, and nothing is sent."""
    screen = passed(FakeTable())
    assert screen.scene is not None
    hand = my_cards(screen.scene)
    barred = next(place for place, card in enumerate(hand) if card not in may_play(screen.scene))
    assert typed(screen, *str(barred + 1), "enter").note == "You must follow diamonds."


def test_tab_skips_what_may_not_be_played() -> None:
    """Tab goes from one playable card to the next, and round."""
    screen = passed(FakeTable())
    assert screen.scene is not None
    legal = [place for place, card in enumerate(my_cards(screen.scene)) if card in may_play(screen.scene)]
    places = [typed(screen, *["tab"] * times).cursor for times in range(1, len(legal) + 2)]
    assert places == [*legal, legal[0]]


def test_numbers_of_two_digits() -> None:
    """With seventeen cards, 1 then 2 is card twelve, and 1, 9 is card nine."""
    table = FakeTable(seats=6, bots=())
    screen = dealt(table)
    assert typed(screen, "1", "2").cursor == 11
    assert typed(screen, "1", "9").cursor == 8
    assert typed(screen, "0").note == "Your hand has 17 cards."


def test_refused_play_can_be_tried_again() -> None:
    """When the table refuses a card, its reason is shown and another card can be played."""
    table = FakeTable()
    screen, _ = acted(lifted(passed(table), table), "enter")
    screen = after(screen, (table.tell(events.Refused("It is not your turn")),))
    assert screen.note == "It is not your turn"
    assert isinstance(acted(screen, "enter")[1], inputs.Play)


def moon_screen(scores: tuple[int, ...]) -> Screen:
    """Bea shot the moon at a table of eleven."""
    table = FakeTable(scores=scores)
    screen = passed(table)
    return after(screen, (table.shoot(ME),))


def test_the_moon_is_chosen_before_it_is_decided() -> None:
    """R18: 1 subtracts, 2 adds; Enter alone decides nothing, and decides once."""
    screen = moon_screen((0,) * 11)
    assert typed(screen, "enter").note == "Choose first: 1 or 2."
    assert acted(typed(screen, "1"), "enter")[1] == inputs.ChooseMoon(ME, "subtract")
    screen, action = acted(typed(screen, "left", "right"), "enter")
    assert action == inputs.ChooseMoon(ME, "add")
    assert typed(screen, "enter").sent == "moon 1 0"


def test_quitting_a_game_is_asked_once() -> None:
    """During a game q asks; y leaves, any other key stays."""
    screen = typed(passed(FakeTable()), "q")
    assert screen.overlay is Overlay.QUIT
    assert typed(screen, "enter").overlay is None
    assert acted(screen, "y")[1] == LeaveTable()
    assert acted(typed(passed(FakeTable()), "c-c"), "c-c")[1] == LeaveTable()


def test_question_mark_is_a_letter_in_chat() -> None:
    """FF6: ? opens help everywhere but while typing."""
    screen = passed(FakeTable())
    assert typed(screen, "?").overlay is Overlay.HELP
    assert acted(typed(screen, "c", *"why?"), "enter")[1] == inputs.Say("why?")


@pytest.mark.parametrize(("key", "overlay"), [(key, page) for key, page in PAGES.items() if key != "?"])
def test_overlays_open_and_close(key: str, overlay: Overlay) -> None:
    """The same key, Enter or q closes what it opened."""
    screen = typed(after_a_trick(), key)
    assert screen.overlay is overlay
    assert [typed(screen, close).overlay for close in (key, "enter", "q", "escape")] == [None] * 4


def after_a_trick() -> Screen:
    """The first trick is over and the second has begun."""
    table = FakeTable()
    screen = passed(table)
    while screen.scene is None or screen.scene.hand is None or not screen.scene.hand.tricks or screen.ended is not None:
        *_, screen = one_play(screen, table)
    return screen


def test_the_sheet_shows_itself_after_a_hand() -> None:
    """A hand's end brings the score sheet; a card of the next hand takes it away."""
    table = FakeTable(seats=8, hands=2)
    screen = passed(table)
    *_, screen = whole_hand(screen, table)
    assert screen.overlay is Overlay.SHEET
    assert typed(screen, "enter").overlay is None


def test_the_speed_goes_round() -> None:
    """v switches the pace of the other seats' cards."""
    screen = passed(FakeTable())
    assert [typed(screen, *"v" * times).pace for times in (0, 1, 2, 3)] == [Pace.FAST, Pace.SLOW, Pace.NONE, Pace.FAST]


def test_no_key_raises_on_any_screen() -> None:
    """Whatever is pressed wherever, the screen stays a screen."""
    keys = [
        "up",
        "down",
        "left",
        "right",
        "enter",
        "escape",
        "backspace",
        "delete",
        "home",
        "end",
        "pageup",
        "pagedown",
    ]
    keys += ["tab", "s-tab", "c-c", *" ?abcdefghijklmnopqrstuvwxyz0123456789+-YÄ王"]
    for name, screen in every_screen().items():
        for key in keys:
            assert isinstance(press(screen, key)[0], Screen), (name, key)
            assert isinstance(press(press(screen, key)[0], "enter")[0], Screen), (name, key)
            assert len(render(press(screen, key)[0], 80, 24)) == 24, (name, key)


def test_hearts_barred_on_the_first_lead() -> None:
    """R9: leading the first trick, a heart is refused in the rule's words."""
    table = FakeTable(seats=6, bots=(), options=Options(pass_count=0))
    screen = after(Screen(), table.next_hand())  # Ann deals, Bea leads
    assert screen.scene is not None
    heart = next(place for place, card in enumerate(my_cards(screen.scene)) if suit_of(card) is Suit.HEARTS)
    screen = typed(screen, *str(heart + 1), "enter")
    assert screen.note == "No heart or Black Maria on the first lead while you hold another card."


def waiting_for_turn() -> tuple[FakeTable, Screen]:
    """A trick is led and Bea's turn is still to come; what follows is what the table tells next."""
    table = FakeTable(seats=8)
    screen = passed(table)
    while True:
        for step in one_play(screen, table):
            screen = step
            if step.scene is not None and can_plan(step.scene):
                return table, step


def test_a_card_can_be_chosen_before_its_turn() -> None:
    """Enter ahead of one's turn sends nothing; the card is played once it is one's turn, and once only."""
    _, screen = waiting_for_turn()
    screen = typed(screen, "tab", "enter", "enter")
    assert screen.plan is not None
    assert screen.scene is not None
    assert due(screen) == (screen, None)
    hand, seat = screen.scene.hand, screen.scene.my_seat
    assert hand is not None
    assert seat is not None
    while to_play(hand) != seat:
        hand = lay(hand, other_card(hand, screen.plan.card))
    screen = update(screen, (), replace(screen.scene, hand=hand))
    assert screen.plan is not None
    played, action = due(screen)
    assert action == inputs.Play(seat, screen.plan.card)
    assert due(played) == (played, None)


def other_card(hand: Hand, card: Card) -> Card:
    """A card that anybody may have played now, of another kind than `card` and than those on the table."""
    led = suit_of(hand.table[0])
    return next(one for one in DECK if suit_of(one) is led and one != card and one not in hand.table)


def test_a_choice_ahead_is_dropped_when_its_twin_falls() -> None:
    """R14: once somebody plays the other copy, the card would cancel it; the choice is dropped with a word."""
    _, screen = waiting_for_turn()
    screen = typed(screen, "tab", "enter")
    assert screen.plan is not None
    assert screen.scene is not None
    assert screen.scene.hand is not None
    hand = screen.scene.hand
    seat = to_play(hand)
    assert seat is not None
    twin = replace(hand, table=(*hand.table, screen.plan.card))
    name = screen.scene.seats[seat].name
    dropped = update(screen, (), replace(screen.scene, hand=twin))
    assert dropped.plan is None
    assert dropped.note == (
        f"{name} has played the other {symbol(screen.plan.card)}: yours would cancel it. Choose again."
    )


def test_a_choice_ahead_is_for_one_trick() -> None:
    """The next trick finds nothing chosen, and says so."""
    _, screen = waiting_for_turn()
    screen = typed(screen, "tab", "enter")
    assert screen.plan is not None
    assert screen.scene is not None
    assert screen.scene.hand is not None
    later = replace(screen.scene.hand, trick=screen.scene.hand.trick + 1, table=())
    dropped = update(screen, (), replace(screen.scene, hand=later))
    assert dropped.plan is None
    assert dropped.note == f"{symbol(screen.plan.card)} was chosen for a trick that is over: choose again."


def test_a_choice_ahead_can_be_taken_back() -> None:
    """Escape takes the card back; nothing is due then."""
    _, screen = waiting_for_turn()
    screen = typed(screen, "tab", "enter", "escape")
    assert (screen.plan, screen.cursor) == (None, None)


def test_nothing_is_chosen_ahead_for_a_trick_that_is_not_led() -> None:
    """Without a suit led no card can be meant for the trick: Enter says so and remembers nothing."""
    _, screen = waiting_for_turn()
    assert screen.scene is not None
    assert screen.scene.hand is not None
    unled = replace(screen.scene.hand, table=())
    screen = typed(update(screen, (), replace(screen.scene, hand=unled)), "right", "enter")
    assert screen.plan is None
    assert screen.note == "It is not your turn, and the next trick is not led yet."


def test_the_only_card_is_played_by_itself_when_asked_for() -> None:
    """With the option on, a card without an alternative is played once; without it, nothing is."""
    screen = passed(FakeTable())  # Bea holds one diamond and must follow
    assert screen.scene is not None
    (only,) = may_play(screen.scene)
    assert due(screen) == (screen, None)
    played, action = due(typed(screen, "a"))
    assert action == inputs.Play(ME, only)
    assert due(played) == (played, None)


def test_the_hand_is_sorted_by_suit_or_by_rank() -> None:
    """o sorts the hand anew; the cards chosen to pass stay chosen."""
    screen = dealt(FakeTable())
    assert screen.scene is not None
    by_suit = my_cards(screen.scene)
    assert [symbol(card) for card in by_suit] == ["3♠", "8♠", "10♥", "K♥", "A♥", "5♣", "6♣", "9♣", "Q♦"]
    by_rank = my_cards(screen.scene, Order.RANK)
    screen = typed(screen, "1", " ", "5", " ", "o")
    assert [symbol(card) for card in by_rank] == ["3♠", "5♣", "6♣", "8♠", "9♣", "10♥", "Q♦", "K♥", "A♥"]
    assert screen.chosen == (0, 8)
    assert screen.cursor == 8
    assert typed(screen, "o").chosen == (0, 4)


def test_somebody_can_be_muted() -> None:
    """What a muted person says is not shown, and is shown again afterwards."""
    table = FakeTable()
    screen = typed(passed(table), "w", "m")
    assert screen.muted == {table.key(0)}
    said = table.tell(events.Said(table.key(0), "hello"))
    assert after(screen, (said,)).log == screen.log
    assert after(typed(screen, "m"), (said,)).log[-1].text == "Ann: hello"


def test_the_log_scrolls_as_far_as_it_goes() -> None:
    """The log begins at its end; up goes back as far as there are lines, and the first key down moves at once."""
    screen = replace(passed(FakeTable()), log=tuple(LogLine(f"line {number}", "note") for number in range(50)))
    bottom = typed(screen, "l")
    top = typed(bottom, "home")
    assert "line 49" in text_of(render(bottom, 80, 24))
    assert "line 0" in text_of(render(top, 80, 24))
    assert typed(top, "up").scroll == top.scroll
    assert typed(top, "down").scroll == top.scroll - 1


def test_ready_phrases_are_said_by_arrow_and_enter() -> None:
    """Down goes through the ready phrases, up goes back; letters can follow, and Enter says it."""
    screen = typed(passed(FakeTable()), "c", "down")
    assert acted(screen, "enter")[1] == inputs.Say("Well played!")
    assert acted(typed(screen, "down", "down"), "enter")[1] == inputs.Say("Sorry!")
    assert acted(typed(screen, *" Bea"), "enter")[1] == inputs.Say("Well played! Bea")
    assert typed(screen, "up", "enter").typing is None


def test_the_bell_is_off_until_it_is_wanted() -> None:
    """b switches the bell on and off; it is off at first, as it is annoying in one room."""
    screen = passed(FakeTable())
    assert [typed(screen, *"b" * times).bell for times in (0, 1, 2)] == [False, True, False]


def test_a_click_lifts_a_card_and_a_second_one_plays_it() -> None:
    """FF7, FF10: what a click does, keys do as well; a click and Enter together play one card."""
    screen = passed(FakeTable())
    lifted_by_click = typed(screen, "card:9")
    assert lifted_by_click.cursor == 8
    after_click, action = acted(lifted_by_click, "card:9")
    assert isinstance(action, inputs.Play)
    assert typed(after_click, "enter", "card:9").sent == after_click.sent
    assert typed(screen, "card:99") == screen


def test_a_click_chooses_cards_to_pass() -> None:
    """FF13: a click lifts a card to be passed and puts it back."""
    screen = typed(dealt(FakeTable()), "card:2", "card:4", "card:2", "card:7")
    assert screen.chosen == (3, 6)


def test_a_click_on_the_row_chosen_joins_it() -> None:
    """A click chooses a table, a second one asks for a seat there."""
    screen = typed(home(), "row:2")
    assert screen.row == 1
    assert acted(typed(screen, "row:1"), "row:1")[1] == JoinRow(OPEN)


def test_the_mouse_can_be_switched_while_playing() -> None:
    """FF7: m gives the mouse back to the terminal, so that text can be selected, and takes it again."""
    screen = typed(passed(FakeTable()), "m")
    assert screen.preferences.mouse
    assert "Shift" in screen.note
    assert not typed(screen, "m").preferences.mouse


def test_the_others_can_be_asked_to_wait() -> None:
    """x tells the others that one is away for a moment, then asks them to wait, then says that one is back."""
    screen = passed(FakeTable())
    said = []
    for _ in range(3):
        screen, action = acted(screen, "x")
        said.append((action, screen.note))
    assert said == [
        (inputs.Mark("away"), "The others are told that you are away for a moment."),
        (inputs.Mark("wait"), "The others are asked to wait for you."),
        (inputs.Mark("here"), "The others are told that you are here."),
    ]


def test_one_need_not_wait_for_ever() -> None:
    """When somebody takes long one can say, once, that one will wait no longer; a card ends the matter."""
    table = FakeTable()
    screen = passed(table)
    assert typed(screen, "n").note == ""
    slow = after(screen, (table.tell(events.Slow(table.key(2))),))
    assert slow.log[-1].text == "Cem takes long: n goes on without, once most of you want it."
    waiting, action = acted(slow, "n")
    assert action == inputs.GoOn()
    assert typed(waiting, "n").note == ""
    assert not after(slow, (table.tell(events.Played(2, 0, 1)),)).slow


def test_a_hint_lifts_the_card_and_says_why() -> None:
    """h lifts the card a good bot would play and tells the reason; it plays nothing, and Enter does."""
    screen = typed(passed(FakeTable()), "h")  # Bea holds one diamond and must follow
    assert screen.scene is not None
    assert symbol(my_cards(screen.scene)[screen.cursor or 0]) == "Q♦"
    assert screen.note == "Q♦: the Q♦ is the only card you may play."
    assert isinstance(acted(screen, "enter")[1], inputs.Play)


def test_a_hint_chooses_the_cards_to_pass() -> None:
    """Three cards are chosen; they can be put back, and Enter passes them."""
    screen = typed(dealt(FakeTable()), "o", "h")
    assert len(screen.chosen) == 3
    assert screen.note
    assert len(typed(screen, "u").chosen) == 2
    assert isinstance(acted(screen, "enter")[1], inputs.Pass)


def test_no_hint_without_a_choice() -> None:
    """While others decide, h does nothing."""
    _, screen = waiting_for_turn()
    assert typed(screen, "h").note == ""


def test_bots_that_sit_down_in_a_row_are_one_line_of_the_log() -> None:
    """The log says how many bots there are now, not each of them; somebody else in between begins anew."""
    table, screen = waiting_room()
    for text in (
        "1 seat is given to bots.",
        "2 seats are given to bots.",
        "Ann sits down.",
        "3 seats are given to bots.",
    ):
        screen = after(screen, (table.tell(events.LobbyChanged(text)),))
    assert [line.text for line in screen.log] == [
        "2 seats are given to bots.",
        "Ann sits down.",
        "3 seats are given to bots.",
    ]
    assert "3 seats are given to bots." in text_of(render(screen, 120, 40))


def test_a_refused_card_is_not_played_again_by_itself() -> None:
    """What the table refuses is for the person to decide, or a program would try for ever."""
    table = FakeTable()
    played, action = due(typed(passed(table), "a"))
    assert action is not None
    refused = after(played, (table.tell(events.Refused("The table is closing")),))
    assert due(refused) == (refused, None)
    assert isinstance(acted(typed(refused, "tab"), "enter")[1], inputs.Play)


def test_nobody_at_the_door() -> None:
    """Enter with nobody at the door says that s starts the game, or why the game cannot start yet."""
    assert (
        typed(after(Screen(), (FakeTable().tell(),)), "enter").note
        == "Nobody is asking to sit down. s starts the game."
    )
    few = after(Screen(), (FakeTable(seats=6, lobby_bots=1).tell(),))
    assert typed(few, "enter").note == "5 seats are filled; the game is for 6 to 11."


def test_a_table_can_be_opened_to_lookers_on() -> None:
    """The last line of the form says whether others may look on; at first they may not."""
    screen = typed(home(), "h", *["down"] * 8)
    assert "May be watched    ◂ no ▸" in text_of(render(screen, 80, 24))
    assert acted(typed(screen, "right"), "enter")[1] == OpenTable("host", HostSettings(watch=True))
