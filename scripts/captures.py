#!/usr/bin/env python3
"""Makes the README's pictures: every screen at 80×24 and 120×40, from one seeded game of eleven seats.

The game is played by real sessions in the simulation, on the group that keeps no secrets, since a picture shows none; the
peers are given names for the picture. `--check` changes nothing and fails when a picture would differ. `--text NAME`
prints a picture as text.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from p2p_hearts.console.draw_home import plain_rules
from p2p_hearts.console.facts import may_play, my_cards
from p2p_hearts.console.fragments import Line, columns, text_of
from p2p_hearts.console.render import render
from p2p_hearts.console.screen import home_news, press, update
from p2p_hearts.console.state import Screen
from p2p_hearts.console.style import STYLE
from p2p_hearts.node.driver import TableRow
from p2p_hearts.protocol import events
from p2p_hearts.protocol.scene import Scene, Stage
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".captures"
SIZES = ((80, 24), (120, 40))
NAMES = ("Bea", "Ann", "Cem", "Dace", "Eero", "Farah", "Hana", "Ilse")
SEED, SEATS, HANDS = 3, 11, 3
HINT_CHOICES = 2  # a hint is worth a picture when there are more cards to choose from
ROWS = (
    TableRow("aa", "Friday", "Ann", "192.168.1.20:5340", 11, 7, "lobby", "as_written", plain_rules("as_written"), "1", 0.3,
             joinable=True, reason=""),
    TableRow("bb", "Kitchen table", "Cem", "192.168.1.31:5340", 8, 8, "playing", "classic", "", "1", 2.0, joinable=False,
             reason="it is being played already"),
)  # fmt: skip
NOTE = "Others reach this program at 192.168.1.12:5340 (wlan0)."

CELL, LINE, SIZE = 8.4, 18, 14  # of a letter and a line, in SVG units
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace"
INK, PAPER = "#d8d8d8", "#1c1d21"
COLOURS = {
    "ansired": "#ff6b6b",
    "ansiblue": "#6fa8ff",
    "ansigreen": "#7fd77f",
    "ansiyellow": "#e8c868",
    "ansicyan": "#6fd0d8",
}


class Story:
    """What one of the peers sees of the game, and the screens worth a picture."""

    def __init__(self, world: World) -> None:
        self.world, self.screen = world, Screen()
        self.pictures: dict[str, Screen] = {}
        self._best = -1  # of the turns, by how much there is to be seen

    def watch(self, _now: float, peer: int, event: events.Event) -> None:
        """One event of one peer; only the first peer's are looked at."""
        if peer:
            return
        scene = named(self.world.sessions[0].scene())
        if isinstance(event, events.LobbyChanged):
            event = replace(event, text=renamed(event.text))
        self.screen = update(self.screen, (event,), scene)
        self._keep(event, scene)

    def _keep(self, event: events.Event, scene: Scene) -> None:
        match event:
            case events.LobbyChanged() if len(scene.peers) == len(NAMES):
                self.pictures["waiting"] = self.screen
            case events.DealProgressed(_, "verified") if sum(row.verified for row in scene.deal) == len(NAMES) // 2:
                self.pictures.setdefault("dealing", self.screen)
            case events.Turn(seat, events.Duty.PASS, _) if seat == scene.my_seat and scene.number == HANDS:
                self.pictures["passing"] = typed(self.screen, "2", " ", "5", " ", "7")
            case events.Turn(seat, events.Duty.PLAY, _) if seat == scene.my_seat and scene.number == HANDS:
                self._turn(scene)
            case events.TrickEnded(cancelled=cancelled, winner=winner, points=points) if scene.number == HANDS:
                if cancelled and winner is not None and points:
                    self.pictures["trick"] = self.screen
            case events.HandScored():
                self.pictures["sheet"] = self.screen
            case events.ResultSigned():
                self.pictures["over"] = self.screen

    def _turn(self, scene: Scene) -> None:
        hand = scene.hand
        if hand is None:
            return
        if "received" not in self.pictures:
            self.pictures["received"] = self.screen
            self.pictures["help"] = typed(self.screen, "?")
        legal = [place for place, card in enumerate(my_cards(scene), 1) if card in may_play(scene)]
        if len(set(legal)) > HINT_CHOICES and hand.table:
            self.pictures.setdefault("hint", typed(self.screen, "h"))
        pairs = len(hand.table) - len(set(hand.table))
        worth = (
            4 * (pairs == 1)
            + 2 * bool(hand.pile)
            + (len(legal) < len(my_cards(scene)))
            + (len(hand.table) > SEATS // 2)
        )
        if worth > self._best and len(my_cards(scene)) > SEATS // 3:
            self._best = worth
            self.pictures["table"] = typed(self.screen, *str(legal[0]))
            self.pictures["log"] = typed(self.screen, "l")
            self.pictures["trust"] = typed(self.screen, "y")
            self.pictures["passed"] = typed(self.screen, "p")


def typed(screen: Screen, *keys: str) -> Screen:
    """The screen after some keys."""
    for key in keys:
        screen, _ = press(screen, key)
    return screen


def named(scene: Scene) -> Scene:
    """The scene with names for the peers of the simulation."""
    return replace(
        scene,
        table="Friday",
        peers=tuple(replace(peer, name=renamed(peer.name)) for peer in scene.peers),
        seats=tuple(replace(seat, name=renamed(seat.name)) for seat in scene.seats),
        waiting_for=tuple(renamed(name) for name in scene.waiting_for),
    )


def renamed(text: str) -> str:
    """A text with names for the peers of the simulation."""
    for number, name in enumerate(NAMES, 1):
        text = text.replace(f"Peer {number}", name)
    return text.replace("“Simulation”", "“Friday”")


def screens() -> dict[str, Screen]:
    """Every screen worth a picture, by name, in the order of a game."""
    world = World(Plan(len(NAMES), SEATS, HANDS, SEED, TINY, level="cautious"))
    story = Story(world)
    world.watch = story.watch
    world.run()
    home = home_news(Screen(), ROWS, (NOTE,))
    seen = {"lobby": home, "host": typed(home, "h", "down", *["right"] * 5)} | story.pictures
    if "received" in seen:
        seen["moon"] = moon(seen["received"])
    order = (
        "lobby",
        "host",
        "waiting",
        "dealing",
        "passing",
        "received",
        "table",
        "trick",
        "hint",
        "log",
        "passed",
        "trust",
        "moon",
        "sheet",
        "over",
        "help",
    )
    missing = [name for name in order if name not in seen]
    if missing:
        raise SystemExit(f"seed {SEED} never shows: {', '.join(missing)}")
    return {name: seen[name] for name in order}


def moon(screen: Screen) -> Screen:
    """The rarest screen, staged: the person at this peer has won every card of the hand."""
    scene = screen.scene
    if scene is None or scene.hand is None:
        return screen
    hand = replace(scene.hand, trick=scene.hand.size + 1, table=(), tricks=(), kitty_seat=scene.my_seat)
    return typed(update(screen, (), replace(scene, stage=Stage.MOON, hand=hand)), "1")


def svg(lines: Sequence[Line], width: int, height: int) -> str:
    """A picture as SVG: every piece of text at its own column, so that no font can shift it."""
    box = f"0 0 {width * CELL + 24:g} {height * LINE + 20:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONTS}" font-size="{SIZE}">',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    for row, line in enumerate(lines):
        at = 0
        for style, text in line:
            wide = columns(text)
            parts += _piece(style, text, 12 + at * CELL, 10 + row * LINE, wide * CELL)
            at += wide
    return "\n".join([*parts, "</svg>", ""])


def _piece(style: str, text: str, x: float, y: float, wide: float) -> list[str]:
    attrs = STYLE.get_attrs_for_style_str(style)
    ink, parts = COLOURS.get(attrs.color or "", INK), []
    if attrs.reverse:
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{LINE}" fill="{ink}"/>')
        ink = PAPER
    if not text.strip():
        return parts
    shown = text.rstrip()
    lead = columns(shown) - columns(shown.lstrip())
    looks = ' font-weight="bold"' * bool(attrs.bold) + ' opacity="0.55"' * bool(attrs.dim)
    looks += ' text-decoration="line-through"' * bool(attrs.strike)
    length = (columns(shown) - lead) * CELL
    parts.append(
        f'<text x="{x + lead * CELL:g}" y="{y + SIZE:g}" fill="{ink}" textLength="{length:g}" '
        f'lengthAdjust="spacingAndGlyphs" xml:space="preserve"{looks}>{escape(shown.lstrip())}</text>'
    )
    return parts


def main() -> int:
    """Write the pictures, or say which differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a picture would differ")
    parser.add_argument("--text", metavar="NAME", help="print the pictures of one screen as text")
    arguments = parser.parse_args()
    files: dict[Path, str] = {}
    for name, screen in screens().items():
        for width, height in SIZES:
            lines = render(screen, width, height)
            if arguments.text in {name, "all"}:
                print(f"-- {name} {width}×{height}\n{text_of(lines)}")
            files[FOLDER / f"{name}-{width}x{height}.svg"] = svg(lines, width, height)
    if arguments.text:
        return 0
    differing = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    if arguments.check:
        for path in differing:
            print(f"{path.relative_to(ROOT)} is out of date: run scripts/captures.py", file=sys.stderr)
        return 1 if differing else 0
    FOLDER.mkdir(exist_ok=True)
    for path in differing:
        path.write_text(files[path], "utf-8")
    print(f"{len(files)} pictures in {FOLDER.name}, {len(differing)} of them new")
    return 0


if __name__ == "__main__":
    sys.exit(main())
