"""The page: every part in its place, with its style and its script inside.

The law: the page loads nothing and asks nobody. Its own policy forbids every source but the one style and the one script
whose hashes it names, so that even markup which came in by a name could neither run nor load anything.
"""

import base64
import datetime as dt
import hashlib
from importlib.resources import files

from p2p_hearts import __version__
from p2p_hearts.hearts.hand import seat_letter
from p2p_hearts.hearts.options import departures, explain
from p2p_hearts.protocol.picture import key_mark
from p2p_hearts.report.chart import chart
from p2p_hearts.report.hands import hands, wide
from p2p_hearts.report.markup import NOTHING, Markup, element, joined, listed, name, text
from p2p_hearts.report.record import Record
from p2p_hearts.report.sheet import sheet
from p2p_hearts.report.words import number, points

MADE_BY = "p2p-hearts"
"""What the page says made it, so that a later one may take its place."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def page(record: Record, written: dt.date | None) -> str:
    """The page of a game, whose file was written on that day."""
    style, script = _own("page.css"), _own("page.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    parts = [
        ("Totals over the hands", "chart", element("figure", wide("Totals over the hands, a chart", chart(record)))),
        ("Score sheet", "sheet", wide("Score sheet", sheet(record))),
        ("Who played", "players", wide("Who played", _players(record))),
        ("What was played", "rules", _rules(record)),
        ("The hands, card by card", "hands", hands(record)),
        ("What was checked", "checked", _checked(record)),
    ]
    links = [element("li", element("a", text(title), href=f"#{place}")) for title, place, _ in parts]
    body = joined(
        element("header", element("h1", name(record.game.title), text(": a game of Cancellation Hearts")), _facts(record, written)),
        element("nav", element("ul", *links), aria_label="On this page"),
        element("main", *(_section(*part) for part in parts)),
        element("script", Markup(script)),
    )  # fmt: skip
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        Markup(f'<meta name="generator" content="{MADE_BY} {__version__}">'),
        element("title", text(f"{record.game.title} – Cancellation Hearts")),
        element("style", Markup(style)),
    )
    return f"<!DOCTYPE html>\n{element('html', element('head', head), element('body', body), lang='en')}\n"


def _own(file: str) -> str:
    return files("p2p_hearts.report").joinpath(file).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _section(title: str, place: str, content: Markup) -> Markup:
    return element("section", element("h2", text(title), id=place), content)


def _facts(record: Record, written: dt.date | None) -> Markup:
    checked, seats = record.checked, record.game.seats
    winners = [name(seats[seat].name) for seat in checked.winners]
    if winners:
        total = points(checked.scores[checked.winners[0]])
        won = joined(listed(winners), text(f" won{' together' if len(winners) > 1 else ''} with {total}."))
    else:
        best = [name(seats[seat].name) for seat, total in enumerate(checked.scores) if total == min(checked.scores)]
        have = "have" if len(best) > 1 else "has"
        won = joined(text("The agreed number of hands was played. "), listed(best), text(f" {have} the lowest total."))
    count = len(checked.hands)
    day = (
        ""
        if written is None
        else f" The file of the game is of {written.day} {_MONTHS[written.month - 1]} {written.year}."
    )
    people = sum(seat.bot is None for seat in seats)
    facts = (
        f"{len(seats)} players, {people} of them people; {count} hand{'s' * (count != 1)}.{day} The three words of this "
        f"table: {' '.join(record.game.words)}."
    )
    verified = element("p", text(f"Verified: every signature, proof and score of {count} hands." if count != 1
                                 else "Verified: every signature, proof and score of the hand."), class_="verified")  # fmt: skip
    return joined(element("p", won, class_="won"), element("p", text(facts)), verified)


def _players(record: Record) -> Markup:
    game, scores = record.game, record.checked.scores
    heads = ("Seat", "Player", "Played by", "Key", "Total", "Place")
    peers = {peer.identity: peer.name for peer in game.peers}
    rows = []
    for seat, player in enumerate(game.seats):
        who = text("a person") if player.bot is None else text(f"a bot ({player.bot}), run by ")
        runner = NOTHING if player.bot is None else name(peers.get(player.operator, "somebody who has left"))
        cells = [
            element("th", name(player.name), scope="row"),
            element("td", who, runner),
            element("td", text(key_mark(player.operator))),
            element("td", text(number(scores[seat]))),
            element("td", text(1 + sum(other < scores[seat] for other in scores))),
        ]
        rows.append(element("tr", element("td", text(seat_letter(seat))), *cells))
    head = element("tr", *(element("th", text(head), scope="col") for head in heads))
    marks = "The two words of a key are its mark: whoever plays under the same key again has the same mark."
    return element(
        "table", element("caption", text(marks)), element("thead", head), element("tbody", *rows), class_="who"
    )


def _rules(record: Record) -> Markup:
    options, seats = record.checked.options, len(record.game.seats)
    others = departures(options, "as_written", seats)
    lines = [*explain(options, seats), *others]
    beginning = "The rules as written, but for what is said below." if others else "The rules as written."
    return joined(
        element("p", text(beginning)), element("ul", *(element("li", text(f"{line.rstrip('.')}.")) for line in lines))
    )


def _checked(record: Record) -> Markup:
    checked, counts = record.checked, record.checked.counts
    proofs = (
        f"{counts.entries} signed entries in unbroken chains, {counts.signatures} signatures and {counts.proofs} proofs hold, "
        f"{counts.shuffles} of them of shuffles; {counts.plays} cards were played by the rules, and the scores add up. "
        f"{checked.signed} of {checked.peers} peer{'s' * (checked.peers != 1)} signed this result."
    )
    doubt = (
        "A page can say anything, and whoever sends you one could have changed it. Ask for the file of the game and "
        "check it yourself: "
    )
    keys = [
        element(
            "li", name(peer.name), text(f" ({key_mark(peer.identity)}): "), element("code", text(peer.identity.hex()))
        )
        for peer in record.game.peers
    ]
    return joined(
        element("p", text(f"Before this page was written, the file was checked: {proofs}")),
        element("p", text(doubt), element("code", text("p2p-hearts verify FILE"))),
        element("p", text("The digest of the result: "), element("code", text(checked.result["digest"])), text(".")),
        element("p", text("Whose programs played, by their keys:")),
        element("ul", *keys),
    )
