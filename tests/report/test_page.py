"""The page as a document: what it tells, that it is whole, and that nothing in it can be made to do what it should not."""

import datetime as dt
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from p2p_hearts.protocol.output import Setup
from p2p_hearts.protocol.state import Seat
from p2p_hearts.report.markup import element, listed, name, text
from p2p_hearts.report.page import page
from p2p_hearts.report.record import Line, Record, read_record
from p2p_hearts.simulation import world
from p2p_hearts.simulation.faults import Incident, Trouble
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World
from tests.protocol.files import exported, played

DAY = dt.date(2026, 11, 30)
VOID = {"meta"}
EVIL = "<script>alert(1)</script>"
NAMES = (EVIL, '"><img src=x onerror=alert(1)>', "'-->]]>", "</title></style>", "&lt;b&gt;", "Ünal")


class Document(HTMLParser):
    """The page as a parser sees it: every element with its attributes, and the text of the cells."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[tuple[str, str]] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """It ends, and it must be the one that was opened last."""
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One without content."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Text, with the element it stands in."""
        if self.open and data.strip():
            self.words.append((self.open[-1], data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a kind."""
        return [attributes for one, attributes in self.elements if one == tag]


@cache
def record() -> Record:
    """A game of three people and eight bots over three hands."""
    return read_record(exported(played(3, 11, hands=3)), TINY)


def named(*names: str) -> Record:
    """The same game of people with these names; the first one's is that of the table, too."""
    game = record().game
    calls = [(names * len(game.seats))[seat] for seat in range(len(game.seats))]
    seats = tuple(replace(seat, name=call) for seat, call in zip(game.seats, calls, strict=True))
    peers = tuple(replace(peer, name=call) for peer, call in zip(game.peers, calls, strict=False))
    return replace(record(), game=replace(game, title=names[0], seats=seats, peers=peers))


def test_every_card_is_told() -> None:
    """Each hand has a table of its 99 cards, each in its column, nine tricks with how they ended, and the totals."""
    document = Document(page(record(), DAY))
    assert not document.open
    places = [int(cell["data-n"] or 0) for cell in document.all("td") if "data-n" in cell]
    assert sorted(places) == sorted([*range(99)] * 3)
    assert sum("data-cost" in row for row in document.all("tr")) == 27
    said = [data for tag, data in document.words if tag == "h3"]
    assert said == ["Hand 1", "Hand 2", "Hand 3"]


def test_the_sheet_adds_up() -> None:
    """The last total of every column is the score of the result, and each line adds its points to the one before."""
    lines = record().lines
    assert lines[-1].totals == record().checked.scores
    for before, after in pairwise(lines):
        assert after.totals == tuple(a + b for a, b in zip(before.totals, after.points, strict=True))


def test_an_annulled_deal_has_its_line() -> None:
    """D23: a deal that was annulled stands on the sheet before the hand as it counted, with what it cost whom."""
    checked = record().checked
    annulled = {"hand": 2, "attempt": 1, "charged": ["C"]}
    scores = tuple(total + 26 * (seat == 2) for seat, total in enumerate(checked.scores))
    result = {**checked.result, "annulled": [annulled]}
    from p2p_hearts.report.record import _lines  # noqa: PLC0415 - the law of one line

    lines = _lines(replace(checked, result=result, scores=scores))
    assert [(line.number, line.charged) for line in lines] == [(1, ()), (2, (2,)), (2, ()), (3, ())]
    assert lines[1].points == (0, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0)
    assert lines[-1].totals == scores
    told = page(replace(record(), lines=lines), DAY)
    assert re.search(r"annulled and dealt again, charged to <bdi>[^<]+</bdi>", told)


def test_a_hand_that_was_annulled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which a program ended for good, at a table without escrow: the deal that could not go on is told as far as it
    came, does not count, and is charged; the page adds up to what the peers have signed."""
    monkeypatch.setattr(world, "Setup", lambda *given, **named: replace(Setup(*given, **named), escrow=False))
    crash = Incident(2.0, 3600.0, Trouble.CRASH, frozenset({1}))
    table = World(Plan(peers=4, seats=6, hands=2, seed=0, group=TINY, think=0.05, incidents=(crash,)))
    table.run()
    told = read_record(exported(table), TINY)
    (annulled,) = told.checked.result["annulled"]
    seat = "ABCDEF".index(annulled["charged"][0])
    assert [(played.hand.number, len(played.hand.tricks) < 17) for played in told.hands] == [
        (1, True),
        (1, False),
        (2, False),
    ]
    assert all(not played.left for played in told.hands)
    assert (told.lines[0].number, told.lines[0].scored, told.lines[0].charged) == (1, None, (seat,))
    assert told.lines[0].points == tuple(26 * (at == seat) for at in range(6))
    assert told.lines[-1].totals == told.checked.scores
    written = page(told, DAY)
    assert "<h3>Hand 1, annulled and dealt again</h3>" in written
    assert "The deal was annulled here." in written
    assert written.count("none of it counts") == 1


def test_somebody_who_was_left_out() -> None:
    """A program that ended for good at a table with escrow is named in the hand that a bot played on for it."""
    crash = Incident(2.0, 3600.0, Trouble.CRASH, frozenset({1}))
    table = World(Plan(peers=4, seats=6, hands=2, seed=0, group=TINY, think=0.05, incidents=(crash,)))
    table.run()
    told = read_record(exported(table), TINY)
    assert [played.left for played in told.hands] == [("Peer 2",), ()]
    assert "<bdi>Peer 2</bdi> was left out; a bot played on for them." in page(told, DAY)


def test_marks_of_the_sheet() -> None:
    """Moon, kitty and unclaimed points are marked, for the eye and for the ear."""
    scored = replace(record().checked.hands[0], moon=0, choice="add", kitty=1, unclaimed=0)
    other = replace(record().checked.hands[1], moon=None, choice=None, kitty=None, unclaimed=28)
    lines = tuple(Line(one.number, one.points, one.points, one) for one in (scored, other))
    told = page(replace(named("Ann"), lines=lines), DAY)
    assert re.search(r'☾</span><span class="said">shot the moon, </span>', told)
    assert re.search(r'°</span><span class="said">, with the kitty</span>', told)
    assert "<bdi>Ann</bdi> shot the moon and puts them on everybody else. " in told
    assert "28 points unclaimed" in told


def test_what_is_at_the_head() -> None:
    """Who, when, under which words, that it was checked, and who has won or has the lowest total."""
    told = page(named("Ann", "Bea"), DAY)
    assert "The file of the game is of 30 November 2026." in told
    assert f"The three words of this table: {' '.join(record().game.words)}." in told
    assert "Verified: every signature, proof and score of 3 hands." in told
    assert "The agreed number of hands was played." in told
    won = replace(record(), checked=replace(record().checked, winners=(0, 1)))
    names = [seat.name for seat in record().game.seats[:2]]
    assert f"<bdi>{names[0]}</bdi> and <bdi>{names[1]}</bdi> won together with " in page(won, None)


@pytest.mark.parametrize("names", [(evil,) for evil in NAMES] + [NAMES])
def test_a_name_is_only_text(names: tuple[str, ...]) -> None:
    """Whatever somebody is called, the page has the same elements, and reads the name as it was written."""
    plain, attacked = Document(page(named("Ann"), DAY)), Document(page(named(*names), DAY))
    kinds = [[tag for tag, _ in document.elements] for document in (plain, attacked)]
    assert kinds[0] == kinds[1]
    attributes = {key for _, found in attacked.elements for key in found}
    assert not {key for key in attributes if key.startswith("on")}
    assert any(data == names[0] for tag, data in attacked.words if tag == "bdi")


def test_the_page_needs_nothing_else() -> None:
    """No element of the page loads or links to anything outside it, and its policy allows no source but its own two."""
    document = Document(page(record(), DAY))
    loading = {"src", "srcset", "data", "action", "style", "xlink:href"}
    assert not [(tag, found) for tag, found in document.elements if loading & found.keys()]
    assert {tag for tag, _ in document.elements}.isdisjoint(
        {"link", "iframe", "object", "embed", "img", "form", "base"}
    )
    targets = {str(found["href"]) for found in document.all("a")}
    ids = {f"#{found['id']}" for _, found in document.elements if "id" in found}
    assert targets <= ids
    policy = next(str(meta["content"]) for meta in document.all("meta") if "http-equiv" in meta)
    assert policy.startswith("default-src 'none'; ")
    assert re.fullmatch(r"style-src 'sha256-[^']+'; script-src 'sha256-[^']+'", "; ".join(policy.split("; ")[1:3]))


def test_tables_have_headings() -> None:
    """Every table has a caption and headings of columns and rows; headings of the page go down one step at a time."""
    document = Document(page(record(), DAY))
    assert len(document.all("table")) == len(document.all("caption")) == 2 + 2 * 3
    assert {found.get("scope") for found in document.all("th")} == {"col", "row"}
    steps = [int(tag[1]) for tag, _ in document.elements if re.fullmatch("h[1-6]", tag)]
    assert steps[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(steps))


def test_markup() -> None:
    """Text and attributes are escaped; names keep their own direction; lists read as one says them."""
    assert text('<a "b">') == "&lt;a &quot;b&quot;&gt;"
    assert element("p", text("x"), class_='"><b>') == '<p class="&quot;&gt;&lt;b&gt;">x</p>'
    assert name("Ann & Bea") == "<bdi>Ann &amp; Bea</bdi>"
    assert listed([text("a"), text("b"), text("c")]) == "a, b and c"


def test_a_game_of_bots_alone_and_one_person() -> None:
    """A table of one person is told like any other."""
    told = page(read_record(exported(played(1, 6)), TINY), None)
    assert "6 players, 1 of them people; 1 hand." in told
    assert "The file of the game is of" not in told
    assert isinstance(record().game.seats[0], Seat)
