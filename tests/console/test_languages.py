"""The six languages: nothing missing, nothing broken, and room for every word."""

import re
from collections.abc import Iterator
from dataclasses import replace
from string import Formatter

import languages
import pytest
import sentences
from babel.messages.catalog import Message

from p2p_hearts.cards import parse_card
from p2p_hearts.console.below import below
from p2p_hearts.console.fragments import columns, text_of
from p2p_hearts.console.language import LANGUAGES, _, choose, n_, p_, speaking
from p2p_hearts.console.plain_ask import ask
from p2p_hearts.console.plain_words import lobby_words, score_words, trick_so_far
from p2p_hearts.console.preferences import SETTINGS, Preferences, find
from p2p_hearts.console.render import render
from p2p_hearts.console.rules_text import rules_lines
from p2p_hearts.console.state import Screen
from p2p_hearts.console.telling import sentence
from p2p_hearts.console.words import listed, points, spoken, upper, why
from p2p_hearts.hearts.options import Options, explain
from p2p_hearts.hearts.reasons import Reason, Why
from p2p_hearts.hearts.reasons import sentence as english
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.events import Accused, LobbyChanged, Refused
from tests.console.stages import every_screen

TRANSLATED = languages.TRANSLATED
SCREENS = every_screen()
CUT = re.compile(r"\S*[^\s.]…")  # a word that ends in the middle; a sentence that goes on has a blank before the mark
PERCENT = re.compile(r"%(?:\(\w+\))?[srd]")


def forms(message: Message) -> tuple[str, ...]:
    """Every form of a translation."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (str(message.string),)


def fields(text: str) -> set[str]:
    """The fields of a text."""
    return {name for _literal, name, _form, _conversion in Formatter().parse(text) if name} | set(PERCENT.findall(text))


def messages(language: str) -> Iterator[Message]:
    """The sentences of a catalogue."""
    return (message for message in languages.read(language) if message.id)


def test_every_catalogue_is_current_and_whole() -> None:
    """What the source says is what each catalogue translates: nothing missing, doubtful or left over, and all of it compiled."""
    assert list(languages.faults()) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_sentence(language: str) -> None:
    """A field that is missing or invented would hide a name or stop the program."""
    wrong = []
    for message in messages(language):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        wanted = fields(str(ids[-1]))
        # a form for one thing may say the number in a word
        wrong += [form for form in forms(message) if form and not wanted - {"n"} <= fields(form) <= wanted]
    assert wrong == []


@pytest.mark.parametrize(("language", "count"), [("id", 1), ("da", 2), ("tr", 2), ("lv", 3), ("fi", 2)])
def test_a_translation_has_the_forms_of_its_language(language: str, count: int) -> None:
    """Indonesian has one form for any number, Latvian three, the others two."""
    several = [message for message in messages(language) if isinstance(message.id, tuple)]
    assert several
    assert {len(forms(message)) for message in several} == {count}


def test_numbers_decide_the_form() -> None:
    """Latvian counts 1 and 21 as one, 11 with the zeros; Turkish and Indonesian keep the word as it is."""
    with speaking("lv"):
        assert [points(count) for count in (1, 2, 11, 21)] == ["1 punkts", "2 punkti", "11 punktu", "21 punkts"]
    with speaking("fi"):
        assert [points(count) for count in (0, 1, 13)] == ["ei pisteitä", "1 piste", "13 pistettä"]
    with speaking("tr"):
        assert [points(count) for count in (1, 13, -10)] == ["1 puan", "13 puan", "−10 puan"]
    with speaking("id"):
        assert n_("{n} card", "{n} cards", 3) == "3 kartu"


@pytest.mark.parametrize(
    ("language", "queen", "ten"),
    [
        ("en", "queen of spades", "10 of hearts"),
        ("id", "ratu sekop", "10 hati"),
        ("da", "spar dame", "hjerter 10"),
        ("tr", "maça kızı", "kupa 10"),
        ("lv", "pīķa dāma", "ercena 10"),
        ("fi", "patarouva", "hertta 10"),
    ],
)
def test_cards_are_called_as_card_players_call_them(language: str, queen: str, ten: str) -> None:
    """Every language has its own words for the picture cards and its own order of suit and rank."""
    with speaking(language):
        assert spoken(parse_card("QS")) == queen
        assert spoken(parse_card("TH")) == ten


def test_the_turkish_capital_of_i_has_its_dot() -> None:
    """A Turkish sentence that begins with i begins with İ."""
    with speaking("tr"):
        assert upper("iki kart") == "İki kart"
    assert upper("in all") == "In all"


def test_one_word_of_two_meanings_is_two_words() -> None:
    """`left` is a direction, and what is left of the cards."""
    with speaking("da"):
        assert (_("left"), p_("column", "left")) == ("venstre", "rest")


def test_names_are_listed_with_the_word_for_and() -> None:
    """The last two of a list are joined by a word."""
    with speaking("lv"):
        assert listed(["Ann", "Bea", "Cem"]) == "Ann, Bea un Cem"


@pytest.mark.parametrize("reason", list(Why))
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_refusal_is_the_same_told_here_and_sent_from_below(language: str, reason: Why) -> None:
    """Why a card is refused is translated by its reason; the same sentence, sent in English by the core, reads alike."""
    refused = Reason(reason, parse_card("9S"), suit=None, count=3)
    with speaking(language):
        here, sent = why(refused), below(english(refused))
        assert sent == here
        assert here != english(refused)


def test_what_another_program_says_is_read_in_ones_own_language() -> None:
    """A host refuses in English; its guest reads it in Danish, with the host's figures, and with names untouched."""
    scene = SCREENS["waiting"].scene
    assert scene is not None
    with speaking("da"):
        refused = sentence(Refused("All 8 seats at this table are taken."), scene, spoken)
        assert refused == "Alle 8 pladser ved dette bord er taget."
        assert sentence(LobbyChanged("Hearts and Co sits down."), scene, spoken) == "Hearts and Co sætter sig."
        blamed = sentence(Accused(scene.peers[0].key, Fault.BAD_MIX, ""), scene, spoken)
        assert blamed == "Ann beviste ikke sin blanding. Bordet kan ikke gå videre med det."


def test_what_nobody_of_us_wrote_is_shown_as_it_came() -> None:
    """A text that is none of our sentences is not guessed at."""
    with speaking("fi"):
        assert below("All your cards are belong to us.") == "All your cards are belong to us."


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_from_below_is_found_again(language: str) -> None:
    """With its fields filled, each sentence of the layers below is recognised and loses none of them."""
    lost = []
    with speaking(language):
        for one in sentences.sentences_below():
            filled = one.text.format(**{name: f"W{at}" for at, name in enumerate(sorted(fields(one.text)))})
            wanted = _(one.text, **{name: f"W{at}" for at, name in enumerate(sorted(fields(one.text)))})
            if below(filled).rstrip(".") != wanted.rstrip("."):
                lost.append((one.text, below(filled)))
    assert lost == []


def test_no_sentence_of_the_console_bypasses_the_catalogues() -> None:
    """What is written in the console is marked, so that everybody reads it in their own language."""
    assert sentences.unmarked() == ()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("da", "du spillede med Ann den 3. maj"),
        ("lv", "tu spēlēji ar Ann 3. maijā"),
        ("fi", "pelasit pelaajan Ann kanssa 3. toukokuuta 2025"),
    ],
)
def test_a_day_is_said_as_one_says_it(language: str, told: str) -> None:
    """The day on which people met comes in English from below, and is read with the month's own name."""
    with speaking(language):
        assert below(f"you played with Ann on 3 May{' 2025' if language == 'fi' else ''}") == told


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_the_rules_mean_is_told_whole(language: str) -> None:
    """No English word is left in what a number of players and a set of rules mean."""
    with speaking(language):
        told = " ".join(below(text) for seats in (6, 8, 11) for text in explain(Options(), seats))
    assert not re.search(r"\b(the|of|cards?|players?|left|right|about|nobody)\b", told)


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_fits(language: str, name: str) -> None:
    """At 80×24 no line is too long in any language, and no word is cut that English has room for."""
    screen = replace(SCREENS[name], preferences=Preferences(language=language))
    picture = render(screen, 80, 24)
    assert len(picture) == 24
    assert all(columns(text_of([line])) <= 80 for line in picture)
    plain = text_of(render(replace(screen, preferences=Preferences(language="en")), 80, 24))
    assert len(CUT.findall(text_of(picture))) <= len(CUT.findall(plain))


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_screen_is_drawn_in_the_language_of_its_person(language: str) -> None:
    """The language is the screen's: whatever else the program speaks, each screen is drawn in its own."""
    screen = Screen(preferences=Preferences(language=language))
    with speaking("en"):
        drawn = text_of(render(screen, 80, 24))
    with speaking(language):
        assert _("open a table for your friends") in drawn
    assert "open a table for your friends" not in drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_line_mode_speaks_the_language(language: str) -> None:
    """Questions, the trick, the scores and the lobby are whole sentences without a field left open."""
    with speaking(language):
        for screen in SCREENS.values():
            scene = screen.scene
            said = [ask(replace(screen, preferences=Preferences(language=language)))]
            said += [trick_so_far(scene), score_words(scene)] if scene is not None else []
            said += [lobby_words(scene, scene.lobby)] if scene is not None and scene.lobby is not None else []
            assert not re.search(r"[{}]", " ".join(said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_fit_a_terminal(language: str) -> None:
    """The rules are at most 78 columns wide and name every option."""
    with speaking(language):
        lines = rules_lines(78)
    assert max(map(columns, lines)) <= 78
    assert "annulled_charge" in "\n".join(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_have_room_in_their_columns(language: str) -> None:
    """The labels of the settings and of a new table are not cut."""
    with speaking(language):
        assert [setting.name for setting in SETTINGS if columns(_(setting.label)) > 19] == []
        assert columns(_(find("think").label)) > 0


@pytest.mark.parametrize(
    ("wanted", "setting", "environment", "language"),
    [
        ("lv", "fi", {"LANG": "da_DK.UTF-8"}, "lv"),
        (None, "fi", {"LANG": "da_DK.UTF-8"}, "fi"),
        (None, "", {"LANG": "da_DK.UTF-8"}, "da"),
        (None, "", {"LANG": "da_DK.UTF-8", "LC_MESSAGES": "tr_TR"}, "tr"),
        (None, "", {"LANG": "da_DK.UTF-8", "LC_MESSAGES": "tr_TR", "LC_ALL": "id_ID.UTF-8"}, "id"),
        (None, "", {"LANG": "sv_SE.UTF-8"}, "en"),
        (None, "", {"LANG": "C"}, "en"),
        (None, "", {"LC_ALL": "", "LANG": "fi"}, "fi"),
        ("xx", "", {}, "en"),
    ],
)
def test_who_decides_the_language(wanted: str | None, setting: str, environment: dict[str, str], language: str) -> None:
    """The command line, then the settings, then LC_ALL, LC_MESSAGES and LANG; what we do not speak is English."""
    assert choose(wanted, setting, environment) == language
