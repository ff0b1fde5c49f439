"""The page in a real browser: nothing is loaded, the script steps through a hand, and all can read it, with script or without.

Chromium is looked for on the machine; where there is none, these tests say so. `.ci/run` installs one.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.report.page import page
from p2p_hearts.report.record import read_record
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.files import exported, played
from tests.report.browser import Page, browser, why_no_browser
from tests.report.test_page import NAMES, named

pytestmark = pytest.mark.skipif(why_no_browser() is not None, reason=str(why_no_browser()))

CONTRAST = """
(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
  };
  const poor = [];
  for (const one of document.querySelectorAll("body *:not(script, title, desc)")) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const style = getComputedStyle(one), svg = one.closest("svg");
    const [a, b] = [light(svg ? style.fill : style.color), light(behind(one))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(`${one.tagName} ${one.className.baseVal ?? one.className}`);
  }
  return [...new Set(poor)];
})()
"""  # WCAG 2.2, 1.4.3: the contrast of text is at least 4.5 to 1
OUTPUT = "document.querySelector('.replay output').textContent"
SEEN = "[...document.querySelectorAll('details')][0].querySelectorAll('td[data-n]:not(.later)').length"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for all of them."""
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a game of eleven over three hands."""
    place = tmp_path_factory.mktemp("page") / "game.html"
    place.write_text(page(read_record(exported(played(3, 11, hands=3)), TINY), None), encoding="utf-8")
    return place


@pytest.fixture
def opened(chromium: Page, file: Path) -> Iterator[Page]:
    """The page, opened; it has asked for nothing but itself, and complained of nothing."""
    chromium.requests.clear()
    chromium.open(file)
    yield chromium
    assert set(chromium.requests) == {file.as_uri()}
    assert not chromium.complaints


def test_it_steps_through_a_hand_by_keyboard(opened: Page) -> None:
    """From the first card on, a key shows one more, and says which; nothing tells before its time who takes a trick."""
    assert opened.run(SEEN) == 99
    opened.run("document.querySelector('.replay button').focus()")
    opened.press("Enter")
    assert opened.run(SEEN) == 0
    assert opened.run(OUTPUT) == "Nothing is played yet."
    first = opened.run("document.querySelector('td[data-n=\"0\"] .said').textContent").split(",")[0]
    leader = opened.run("document.querySelector('.play thead').rows[0].cells[document.querySelector('td[data-n=\"0\"]').cellIndex].textContent")  # fmt: skip
    opened.press("ArrowRight")
    assert opened.run(OUTPUT) == f"Trick 1. {leader}: {first}, leads."
    for _ in range(9):
        opened.press("ArrowRight")
    assert opened.run(SEEN) == 10
    assert opened.run("document.querySelector('.play .end').classList.contains('later')")
    opened.press("ArrowRight")
    end = opened.run("document.querySelector('.play .end').textContent")
    assert not opened.run("document.querySelector('.play .end').classList.contains('later')")
    assert opened.run(OUTPUT).endswith(".")
    assert ("takes it" in opened.run(OUTPUT)) == ("takes it" in end)
    opened.press("End")
    assert (opened.run(SEEN), opened.run(OUTPUT)) == (99, "All cards are shown.")


def test_the_buttons_move_by_trick(opened: Page) -> None:
    """A button moves a whole trick on, one shows all; the points grow to those of the sheet."""
    click = "[...document.querySelectorAll('.replay button')].find((b) => b.textContent === '{}').click()"
    opened.run(click.format("From the first card"))
    opened.run(click.format("Next trick"))
    assert opened.run(SEEN) == 11
    opened.run(click.format("← Card back"))
    opened.run(click.format("Next trick"))
    assert opened.run(SEEN) == 11
    costs = "[...document.querySelector('.play tfoot').querySelectorAll('.cost')].map((c) => Number(c.textContent.replace('−', '-')))"
    opened.run(click.format("From the first card"))
    assert sum(opened.run(costs)) == 0
    for _ in range(9):
        opened.run(click.format("Next trick"))
    grown = opened.run(costs)
    opened.run(click.format("Show all"))
    assert opened.run(costs) == grown


def test_without_a_script_all_is_there(chromium: Page, file: Path) -> None:
    """Where no script may run, every card is seen, no button is there, and every hand can be opened."""
    chromium.script(on=False)
    try:
        chromium.open(file)
        assert chromium.run("document.querySelectorAll('button').length") == 0
        assert chromium.run("document.querySelectorAll('td[data-n].later').length") == 0
        assert chromium.run("document.querySelectorAll('details > summary').length") == 3
    finally:
        chromium.script(on=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_the_light_and_in_the_dark(chromium: Page, file: Path, scheme: str) -> None:
    """Every text stands out from what is behind it, in both schemes, which differ; a narrow window scrolls tables alone."""
    chromium.open(file, width=360, height=800, scheme=scheme)
    chromium.run("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert chromium.run(CONTRAST) == []
    paper = chromium.run("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}[scheme]
    assert chromium.run("document.documentElement.scrollWidth") <= 360


def test_it_can_be_heard(opened: Page) -> None:
    """Somebody who hears the page hears the picture described, the cards by name, and headings to jump between."""
    spoken = opened.spoken()
    assert any(role == "image" and words == "Totals over the hands" for role, words in spoken)
    headings = [words for role, words in spoken if role == "heading"]
    assert headings[1:4] == ["Totals over the hands", "Score sheet", "Who played"]
    assert [words for words in headings if words.startswith("Hand ")] == ["Hand 1", "Hand 2", "Hand 3"]
    assert not any("♠" in words for role, words in spoken if role == "cell")
    assert any(words.endswith(" of spades, leads") or " of " in words for role, words in spoken if role == "cell")
    unnamed = [
        role
        for role, words in spoken
        if role in {"button", "link", "region", "image", "DisclosureTriangle"} and not words
    ]
    assert not unnamed


def test_keys_reach_everything(opened: Page) -> None:
    """From the top, the tab key comes to every link, every hand and every button, and what it comes to is marked."""
    reached = set()
    for _ in range(40):
        opened.press("Tab")
        reached.add(opened.run("document.activeElement.tagName"))
        if opened.run("document.activeElement !== document.body"):
            assert opened.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert {"A", "SUMMARY", "BUTTON", "DIV"} <= reached


def test_a_name_does_nothing(chromium: Page, tmp_path: Path) -> None:
    """An attack: names and a title that are markup. Nothing is loaded, nothing runs, and the names are read as they are."""
    place = tmp_path / "attack.html"
    record = named(*NAMES)
    place.write_text(page(replace(record), None), encoding="utf-8")
    chromium.requests.clear()
    chromium.open(place)
    assert set(chromium.requests) == {place.as_uri()}
    assert not chromium.complaints
    assert chromium.run("document.querySelectorAll('script').length") == 1
    assert chromium.run("document.querySelectorAll('img').length") == 0
    assert chromium.run("document.querySelector('h1 bdi').textContent") == NAMES[0]
    assert NAMES[1] in chromium.run("[...document.querySelectorAll('svg .label')].map((one) => one.textContent).join()")
