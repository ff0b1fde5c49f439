"""Another game with the same people: the host opens the table once more, everybody else takes a seat when it is there.

The law: only who asked for it is taken along. The host lets in by itself only those whose keys sat at the last table; a
guest asks for a seat only at a table of the same name by the same host, which has to prove its key as always.
"""

from dataclasses import fields, replace
from typing import Any

from p2p_hearts.console.language import _
from p2p_hearts.console.state import Action, Again, JoinRow, OpenTable, Screen
from p2p_hearts.hearts.options import OptionError, Options, resolve
from p2p_hearts.protocol.inputs import Admit
from p2p_hearts.protocol.scene import Scene, Stage


def wanted_again(screen: Screen, scene: Scene) -> Again | None:
    """What to do for another game of those who have just played; None when it cannot be told."""
    host, lobby = next((peer for peer in scene.peers if peer.host), None), scene.lobby
    if host is None or lobby is None:
        return None
    others = frozenset(peer.key for peer in scene.peers if not peer.me)
    opening = None
    if host.me:
        level = lobby.bots[0] if lobby.bots else screen.settings.level
        settings = replace(  # the rest is as this person opened it
            screen.settings, name=scene.table, seats=lobby.seats, bots=len(lobby.bots), level=level, preset=lobby.preset,
            overrides=changes(lobby.preset, scene.options, lobby.seats), hands=lobby.hands, clock=scene.clock,
        )  # fmt: skip
        opening = OpenTable("host" if others else "solo", settings)
    return Again(scene.table, host.name, others, opening, guest=not host.me)


def to_come(again: Again) -> bool:
    """Whether the table is still to be opened, or to be seen."""
    return again.guest or again.opening is not None


def changes(preset: str, options: Options, seats: int) -> tuple[tuple[str, object], ...]:
    """The options that depart from those of the preset, as a table is opened with them."""
    try:
        usual = resolve(preset, {}, seats)
    except OptionError:
        return ()
    pairs: list[tuple[str, Any]] = [(field.name, getattr(options, field.name)) for field in fields(options)]
    return tuple((name, value) for name, value in pairs if value != getattr(usual, name))


def next_step(screen: Screen) -> tuple[Screen, Action | None]:
    """What another game asks for now without a key: opening the table, a seat at it, letting somebody in."""
    again, scene = screen.again, screen.scene
    if again is None:
        return screen, None
    if scene is not None:
        return (screen, None) if again.guest or scene.stage is not Stage.LOBBY else _let_in(screen, scene, again)
    if screen.busy or screen.form is not None:
        return screen, None
    if again.opening is not None:
        opened = replace(again, opening=None)
        return replace(
            screen, again=opened, busy=_("Opening the table"), settings=again.opening.settings
        ), again.opening
    row = next((row for row in screen.rows if (row.name, row.host) == (again.table, again.host) and row.joinable), None)
    if row is None or not again.guest:
        return screen, None
    return replace(screen, again=None, busy=_("Asking for a seat at {table}", table=row.name)), JoinRow(row)


def _let_in(screen: Screen, scene: Scene, again: Again) -> tuple[Screen, Action | None]:
    asking = scene.lobby.asking if scene.lobby is not None else ()
    expected = next((line.key for line in asking if line.key in again.people), None)
    if expected is None:
        return screen, None
    return replace(screen, again=replace(again, people=again.people - {expected})), Admit(expected)
