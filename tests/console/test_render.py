"""Pictures: every screen at every size, read back through a terminal, and what must be seen on the important ones."""

import io
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples, to_formatted_text
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text

from p2p_hearts.cards import Suit, parse_card, suit_of
from p2p_hearts.console.draw_home import plain_rules
from p2p_hearts.console.draw_sheet import totals_by_hand
from p2p_hearts.console.facts import my_cards
from p2p_hearts.console.fragments import text_of, width_of
from p2p_hearts.console.glyphs import Glyphs, glyphs_for, translate
from p2p_hearts.console.parts import card_style
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news
from p2p_hearts.console.state import LogLine, Overlay, Screen
from p2p_hearts.console.style import STYLE, style_for
from p2p_hearts.console.words import symbol
from p2p_hearts.hearts.hand import to_play
from p2p_hearts.hearts.options import PRESETS, Options
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Scene, Stage
from p2p_hearts.protocol.stages.lobby import rules_hash
from p2p_hearts.protocol.state import Lobby
from tests.console.fake import NAMES, FakeTable
from tests.console.fake_home import OPEN
from tests.console.stages import after, dealt, every_screen, one_play, passed, typed

SIZES = (
    (80, 24),
    (120, 40),
    (200, 60),
    (79, 23),
    (100, 30),
    (60, 20),
    (40, 12),
    (39, 11),
    (20, 5),
    (3, 2),
    (1, 1),
    (250, 80),
)
SCREENS = every_screen()


def shown(screen: Screen, width: int, height: int) -> str:
    """The text of a picture."""
    return text_of(render(screen, width, height))


@pytest.mark.parametrize("name", SCREENS)
def test_a_picture_fills_the_window_and_no_more(name: str) -> None:
    """Whatever the size, the picture has the height of the window and no line is wider."""
    for width, height in SIZES:
        lines = render(SCREENS[name], width, height)
        assert len(lines) == height
        assert max(width_of(line) for line in lines) <= width, (name, width, height)


@pytest.mark.parametrize("seats", [6, 7, 8, 9, 10])
def test_other_numbers_of_players_fit_too(seats: int) -> None:
    """A table of six with seventeen cards each fits as well as one of eleven."""
    for name, screen in every_screen(seats).items():
        for width, height in ((80, 24), (40, 12), (120, 40)):
            assert max(width_of(line) for line in render(screen, width, height)) <= width, (name, width, height)


@pytest.mark.parametrize("name", SCREENS)
def test_a_terminal_shows_the_very_text(name: str) -> None:
    """Drawn with styles on a real terminal's output, the text stands where it was meant to."""
    assert on_terminal(SCREENS[name], 80, 24) == [line.rstrip() for line in shown(SCREENS[name], 80, 24).split("\n")]


@pytest.mark.parametrize("name", SCREENS)
def test_ascii_is_enough(name: str) -> None:
    """FF5: without Unicode the same picture stands there in ASCII, letter for letter of equal width."""
    for line in render(SCREENS[name], 80, 24):
        translated = "".join(translate(text, Glyphs.ASCII) for _, text in line)
        assert translated.isascii()
        assert len(translated) == width_of(line)


def test_the_table_of_eleven_at_80_by_24() -> None:
    """FF2: all seats, the trick, whose turn it is, the own hand and the keys are seen, however long the chat is."""
    picture = shown(passed(FakeTable()), 80, 24)
    lines = picture.split("\n")
    assert lines[0].startswith(" Friday · hand 1 of a game to 150 · trick 1 of 9 · passed left")
    assert lines[0].endswith("♥ not broken")
    assert all(name in picture for name in NAMES)
    assert " ▸  You (Bea)" in picture
    assert "  D Ilse" in picture
    assert "Kitty: 5 cards, not taken yet" in picture
    assert "Your turn. You must follow diamonds." in picture
    assert "From Ann: " in picture
    assert picture.count("◆") == 4
    assert lines[23].startswith(" ←→ choose  Enter play")


def test_the_hand_and_the_turn_survive_every_usable_size() -> None:
    """Own hand and whose turn it is come first in the order of importance."""
    screen = passed(FakeTable())
    for width in (40, 47, 60, 79, 80, 100):
        for height in (12, 14, 17, 19, 21, 23, 24, 30):
            picture = shown(screen, width, height)
            assert "Your turn. You must follow diamonds." in picture, (width, height)
            assert all(sign in picture for sign in ("Q♠", "A♥", "8♦")), (width, height)


def test_cancelled_and_winning_cards_are_marked_without_colour() -> None:
    """Cancelled cards carry ×, the winning one ◂, so that colour is never needed."""
    picture = shown(SCREENS["result"], 80, 24)
    ended = SCREENS["result"].ended
    assert ended is not None
    assert picture.count(" ×") == len(ended.cancelled)
    assert picture.count(" ◂") == (1 if ended.winner is not None else 0)


def test_cards_that_may_not_be_played_have_no_number() -> None:
    """An illegal card is dim and has a dot where the others have their number."""
    numbers = shown(passed(FakeTable()), 80, 24).split("\n")[21]
    assert numbers.split() == ["·", "·", "·", "·", "·", "·", "·", "·", "9"]


def test_a_lifted_card_stands_out() -> None:
    """The chosen card is drawn one line higher than its neighbours."""
    picture = shown(typed(dealt(FakeTable()), "1", " "), 80, 24).split("\n")
    assert picture[17].startswith(" ╭─────╮")
    assert picture[18].startswith(" │ 3♠  │─────╭")
    assert picture[19].startswith(" ╰─────╯ 8♠  │")


def barred_lead() -> Screen:
    """Bea leads the first trick and has lifted her highest heart, which she may not."""
    screen = after(Screen(), FakeTable(seats=6, bots=(), options=Options(pass_count=0)).next_hand())
    assert screen.scene is not None
    hearts = [place for place, one in enumerate(my_cards(screen.scene), 1) if suit_of(one) is Suit.HEARTS]
    return typed(screen, *str(hearts[-1]))


def test_a_reason_is_read_to_its_end() -> None:
    """Why a card may not be played stands there in full, as does a note, over as many lines as it needs."""
    for width, height in ((80, 24), (60, 15), (40, 24)):
        words = " ".join(shown(barred_lead(), width, height).split())
        assert "No heart or Black Maria on the first lead while you hold another card." in words, (width, height)
    long = " ".join(f"word{number}" for number in range(30))
    assert long in " ".join(shown(replace(barred_lead(), note=long), 80, 24).split())


@pytest.mark.parametrize(
    ("width", "title"),
    [
        (100, " Friday · hand 1 of a game to 150 · trick 1 of 9 · passed left"),
        (80, " Friday · hand 1 of a game to 150 · trick 1 of 9 · passed left"),
        (60, " Friday · hand 1 · trick 1 of 9 · passed left"),
        (40, " hand 1 · trick 1 of 9"),
    ],
)
def test_the_title_leaves_out_what_has_no_room(width: int, title: str) -> None:
    """A narrow title says less, and nothing by halves."""
    line = shown(passed(FakeTable()), width, 24).splitlines()[0]
    assert line.startswith(f"{title}  ")
    assert line.endswith("  ♥ not broken")


def test_the_sheet_after_a_hand_says_how_it_ended() -> None:
    """Below the score sheet stands the hand that is over, not the next one that is being shuffled."""
    screen = SCREENS["score sheet"]
    screen = replace(screen, log=(*screen.log, LogLine("Hand 2: everybody shuffles in turn.", "note")))
    assert " Hand 1 is over: " in shown(screen, 80, 24)
    assert "everybody shuffles" not in shown(screen, 80, 24)


def test_too_small_names_the_size_needed() -> None:
    """Below the smallest usable window, a message says what is needed."""
    assert shown(passed(FakeTable()), 39, 11).split("\n")[:2] == [
        "39×11 is too small: make the window at",
        "least 40×12.",
    ]


def test_the_shuffle_is_seen_as_it_happens() -> None:
    """Who gave a key, who mixed, whose proof is verified, who agreed: a column each, a line a peer."""
    table = FakeTable(seats=6, bots=())
    screens = []
    screen = Screen()
    for news in table.begin():
        screen = after(screen, (news,))
        if screen.scene is not None and screen.scene.stage is Stage.DEALING:
            screens.append(shown(screen, 80, 24))
    assert "1 of 6 keys are here." in screens[1]
    assert "The proof of Ann is verified: the same cards, in an order nobody knows. Bea\n shuffles." in screens[8]
    assert "All 6 shuffles are proved. 0 of 6 have signed that they saw the same deck." in screens[18]
    assert screens[18].count("✓") == 18


def test_the_moon_warns() -> None:
    """D17: when adding ends the game with another winner, the shooter is told before choosing."""
    table = FakeTable(scores=(0, 140, *(130,) * 9))
    screen = passed(table)
    picture = shown(after(screen, (table.shoot(1),)), 80, 24)
    assert "1  Take 26 off your own total: you go from 140 to 114" in picture
    assert "Careful: choice 2 ends the game, and somebody else would win it." in picture


@pytest.mark.parametrize(
    ("encoding", "environment", "glyphs"),
    [
        ("utf-8", {"LANG": "da_DK.UTF-8", "TERM": "xterm-256color"}, Glyphs.UNICODE),
        ("utf-8", {"TERM": "xterm"}, Glyphs.UNICODE),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "C.UTF-8", "TERM": "xterm"}, Glyphs.ASCII),  # PEP 538
        ("utf-8", {"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, Glyphs.ASCII),
        ("utf-8", {"LANG": "en_GB.UTF-8", "TERM": "linux"}, Glyphs.ASCII),
        ("iso-8859-1", {"LANG": "da_DK.ISO-8859-1"}, Glyphs.ASCII),
        (None, {}, Glyphs.ASCII),
    ],
)
def test_what_a_terminal_can_show(encoding: str | None, environment: dict[str, str], glyphs: Glyphs) -> None:
    """FF5: letters on the Linux console, in the C locale and wherever the output is not UTF-8."""
    assert glyphs_for(encoding, environment) is glyphs


def test_suits_as_letters_keep_the_lines() -> None:
    """FF4: letters for suits are a choice of their own, for terminals with wide or missing signs."""
    assert translate("│10♥│ Q♠ – 王", Glyphs.LETTERS) == "│10H│ QS – 王"
    assert translate("│10♥│ é – 王", Glyphs.ASCII) == "|10H| e - ??"


@pytest.mark.parametrize("depth", ColorDepth)
@pytest.mark.parametrize("name", ["lifted", "result", "passing", "moon", "lobby", "score sheet"])
def test_every_depth_of_colour_shows_the_same_text(name: str, depth: ColorDepth) -> None:
    """FF3: with 24 bits, 256 colours, sixteen or none the same text stands at the same place."""
    assert on_terminal(SCREENS[name], 80, 24, depth=depth) == [
        line.rstrip() for line in shown(SCREENS[name], 80, 24).split("\n")
    ]


@pytest.mark.parametrize("background", ["auto", "dark", "light"])
def test_suits_are_told_apart_by_sign_letter_and_colour(background: str) -> None:
    """FF4: four signs, four letters, four colours on any background; two colours are a choice, and signs stay."""
    signs = [symbol(parse_card(f"A{suit}")) for suit in "CDHS"]
    assert signs == ["A♣", "A♦", "A♥", "A♠"]
    assert [translate(sign, Glyphs.LETTERS) for sign in signs] == ["AC", "AD", "AH", "AS"]
    four, two = style_for("four", background), style_for("two", background)
    colours = [four.get_attrs_for_style_str(card_style(parse_card(f"A{suit}"))).color for suit in "CDHS"]
    assert len(set(colours)) == 4
    assert len({two.get_attrs_for_style_str(card_style(parse_card(f"A{suit}"))).color for suit in "CDHS"}) == 2


def on_terminal(
    screen: Screen, width: int, height: int, write: Callable[[str], None] | None = None,
    depth: ColorDepth = ColorDepth.DEPTH_4_BIT,
) -> list[str]:  # fmt: skip
    """The lines a terminal shows when the picture is printed on it, in sixteen colours if not said otherwise."""
    raw = io.StringIO()
    output = Vt100_Output(raw, lambda: Size(height, width), term="xterm")
    fragments: StyleAndTextTuples = []
    for number, line in enumerate(render(screen, width, height)):
        fragments += [("", "\r\n")] if number else []
        fragments += line
    print_formatted_text(output, to_formatted_text(fragments), STYLE, color_depth=depth)
    if write is not None:
        write(raw.getvalue())
    terminal = pyte.Screen(width, height)
    stream = pyte.Stream(terminal)
    stream.feed("\x1b[?7l" + raw.getvalue())
    return [line.rstrip() for line in terminal.display]


def test_a_table_that_says_no_shows_no_sheet() -> None:
    """Whoever is refused at the door reads why, and no score sheet of a game that was not."""
    waiting = SCREENS["waiting"].scene
    assert waiting is not None
    refused = replace(waiting, stage=Stage.STOPPED, table="", seats=(), problem="The game at this table has begun.")
    lines = [line.rstrip() for line in shown(Screen(scene=refused), 80, 24).split("\n")]
    assert lines[:3] == [" A table · stopped", "", " The game at this table has begun."]
    assert not any(lines[3:22])


def test_nobody_thinks_who_cannot_be_heard() -> None:
    """Who should act and is away holds the game up, which is said in place of whose turn it is; if all others are away, it
    is asked whether it is not this computer."""
    table = FakeTable(seats=6, bots=())
    thinking = next(s for s in one_play(passed(table), table) if "is thinking …" in shown(s, 80, 24))
    scene = thinking.scene
    assert scene is not None
    assert scene.hand is not None
    late = scene.seats[to_play(scene.hand) or 0]
    one = replace(
        scene, waiting_for=(late.name,), peers=tuple(replace(p, away=p.name == late.name) for p in scene.peers)
    )
    picture = shown(replace(thinking, scene=one), 80, 24)
    assert "is thinking" not in picture
    assert f" {late.name} cannot be heard. The hand waits; if most of you are here, it goes on" in picture
    deciding = shown(replace(thinking, scene=replace(one, deciding=(late.name,))), 80, 24)
    assert f" Those who are here decide to go on without {late.name}." in deciding
    all_away = replace(scene, peers=tuple(replace(p, away=not p.me) for p in scene.peers))
    alone = " Nobody else can be heard: is this computer still on the network?"
    assert alone in shown(replace(thinking, scene=all_away), 80, 24)
    dealing = replace(one, stage=Stage.DEALING)
    assert f" {late.name} cannot be heard. The hand" in shown(replace(thinking, scene=dealing), 80, 24)
    waiting = SCREENS["waiting"]
    assert waiting.scene is not None
    lonely = replace(waiting.scene, peers=tuple(replace(p, away=not p.me) for p in waiting.scene.peers))
    assert alone in shown(replace(waiting, scene=lonely), 80, 24)


def test_the_lobby_says_what_the_rules_of_a_table_mean() -> None:
    """Below the list stands what the chosen table's rules mean for its number of players, or that they were changed."""
    picture = shown(home_news(Screen(), (OPEN,), ()), 80, 24)
    assert "▸ 1 Friday           Ann        4/8   as written 192.168.1.20:5340     now" in picture
    assert "· 8 players get 13 cards each; no kitty" in picture
    assert "28 % of all tricks are cancelled" in picture
    changed = shown(home_news(Screen(), (replace(OPEN, rules_hash="00000000"),), ()), 80, 24)
    assert "The host has changed some of these rules: you see which before you play." in changed
    old = shown(home_news(Screen(), (replace(OPEN, age_s=12.4),), ()), 80, 24)
    assert "12 s ago" in old


def test_the_plain_rules_are_those_a_table_without_changes_tells() -> None:
    """The hash the lobby compares with is the one that such a table advertises."""
    for preset in PRESETS:
        room = cast("Lobby", SimpleNamespace(preset=preset, overrides=()))
        assert plain_rules(preset) == rules_hash(room)


def test_chat_behind_a_page_is_announced() -> None:
    """FF2: what is said while a page lies over the table is not missed, and is forgotten once the page is gone."""
    table = FakeTable()
    page = typed(passed(table), "s")
    said = table.tell(events.Said(table.key(0), "hello"))
    assert "in the chat" not in shown(page, 80, 24)
    page = after(page, (said, said))
    assert " 2 new lines in the chat: l shows them." in shown(page, 80, 24)
    assert "in the chat" not in shown(typed(typed(page, "s"), "s"), 80, 24)


def test_the_words_of_the_table_stay_until_the_first_trick_is_over() -> None:
    """At a small table the deal is over in a moment; the three words can still be compared then."""
    assert "The words of this table:" in shown(dealt(FakeTable(seats=6, bots=())), 80, 24)
    assert "The words of this table: amber" in shown(passed(FakeTable()), 80, 24)
    assert "The words of this table:" not in shown(SCREENS["lifted"], 80, 24)


def playing(table: FakeTable) -> Scene:
    """The scene once the first trick has begun."""
    scene = passed(table).scene
    assert scene is not None
    return scene


def test_a_seat_says_why_its_person_may_not_answer() -> None:
    """Away without a sign of life or by one's own word, asking to wait, or lost so that a bot plays: beside the name."""
    scene = playing(FakeTable())
    changes = {"Ann": {"away": True}, "Cem": {"said": "wait"}, "Dace": {"said": "away"}, "Eero": {"lost": True}}
    peers = tuple(replace(peer, **changes.get(peer.name, {})) for peer in scene.peers)  # type: ignore[arg-type]
    picture = shown(Screen(scene=replace(scene, peers=peers), mark="away"), 80, 24)
    for seat in ("Ann away", "Cem wait!", "Dace away", "Eero →bot", "Gus away"):
        assert f" {seat} " in picture, seat
    assert any(line.startswith(" ▸  You") and " away " in line for line in picture.split("\n"))
    people = shown(Screen(scene=replace(scene, peers=peers), overlay=Overlay.PEOPLE), 80, 24)
    assert "asks you to wait" in people
    assert "a bot plays until they are back" in people


def test_the_clock_of_the_table_is_seen() -> None:
    """Where the table has a clock, what it leaves stands at the top; where it has none, nothing does."""
    screen = passed(FakeTable())
    assert "s left" not in shown(screen, 80, 24)
    assert "  17 s left · ♥ not broken" in shown(replace(screen, left=17), 80, 24).split("\n")[0]


def test_hands_that_counted_for_nothing_are_on_the_sheet() -> None:
    """D23: what an annulled hand cost stands in a line of its own, so that the column adds up."""
    screen = SCREENS["score sheet"]
    assert screen.scene is not None
    paid = replace(screen.scene, annulled=((1, (1,)),), scores=(0, 57, *screen.scene.scores[2:]))
    lines = shown(replace(screen, scene=paid), 80, 24).split("\n")
    assert lines[3].split() == ["×", "·", "26", *["·"] * 9]
    assert lines[4].split()[:3] == ["1", "0", "31"]
    assert totals_by_hand(paid, 1) == (57,)


def test_who_looks_on_sees_public_cards_only() -> None:
    """Without a seat there is no hand, no turn of one's own, and every screen still fills the window."""
    for name, screen in SCREENS.items():
        if screen.scene is None or not screen.scene.seats:
            continue
        peers = tuple(replace(peer, me=False, host=False) for peer in screen.scene.peers)
        seen = replace(screen.scene, my_seat=None, view=None, received=(), peers=peers)
        watched = replace(screen, scene=seen, cursor=None, chosen=(), plan=None, fresh=(), pick=None)
        for width, height in ((80, 24), (40, 12), (120, 40)):
            assert len(render(watched, width, height)) == height, name
    ended = SCREENS["result"].scene
    assert ended is not None
    picture = shown(replace(SCREENS["result"], scene=replace(ended, my_seat=None, view=None)), 80, 24)
    assert "Your turn" not in picture
    assert "You (" not in picture


def test_a_table_in_play_says_what_can_be_done_there() -> None:
    """A row in play says so; with a bot's seat to be had it can be joined or watched, else only watched."""
    late = shown(SCREENS["late row"], 80, 24)
    assert "▸ 1 Kitchen table    Cem        9/11  classic    192.168.1.31:5340     playing" in late
    assert "It is being played: Enter asks for the seat of a bot from the next hand" in late
    assert " Enter join  w watch " in late
    full = shown(SCREENS["playing row"], 80, 24)
    assert "Not to be joined: it is being played already" in full
    assert " w watch " in full
    assert "Enter join" not in full


def test_a_page_does_not_hide_that_it_is_ones_turn() -> None:
    """FF2: whose turn it is stays visible, also below the log, the proofs or the people."""
    screen = passed(FakeTable())
    for key in "lywp?":
        assert " It is your turn." in shown(typed(screen, key), 80, 24), key
    assert "It is your turn." not in shown(typed(SCREENS["ahead"], "l"), 80, 24)
