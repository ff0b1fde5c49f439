"""The whole picture: a screen and the size of the window give the lines to draw. Pulled, never pushed.

The law: every picture has exactly the height of the window and no line wider than it, whatever the size.
"""

from p2p_hearts.console.draw_deal import deal_lines
from p2p_hearts.console.draw_home import form_lines, home_lines
from p2p_hearts.console.draw_over import moon_lines, over_lines, overlay_lines
from p2p_hearts.console.draw_table import table_lines
from p2p_hearts.console.draw_waiting import waiting_lines
from p2p_hearts.console.fragments import Line, clip, wrap
from p2p_hearts.console.language import _, speaking
from p2p_hearts.console.parts import MIN_HEIGHT, MIN_WIDTH, foot
from p2p_hearts.console.settings_page import settings_lines
from p2p_hearts.console.state import Overlay, Screen, language_of
from p2p_hearts.protocol.scene import Scene, Stage


def render(screen: Screen, width: int, height: int) -> list[Line]:
    """The picture for a window of this size, in the language of its person."""
    with speaking(language_of(screen)):
        return _drawn(screen, width, height)


def page(screen: Screen, width: int, height: int) -> list[Line]:
    """All but the last lines, for a picture that has a foot of its own."""
    with speaking(language_of(screen)):
        return _page(screen, width, height)


def _drawn(screen: Screen, width: int, height: int) -> list[Line]:
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        lines: list[Line] = [[("class:note", text)] for text in wrap(_too_small(width, height), max(1, width))]
    else:
        below = foot(screen, width, height)
        lines = _page(screen, width, height - len(below))
        lines = [*lines[: height - len(below)], *([] for _ in range(height - len(below) - len(lines))), *below]
    lines = [clip(line, width) for line in lines[:height]]
    return [*lines, *([] for _ in range(height - len(lines)))]


def _page(screen: Screen, width: int, height: int) -> list[Line]:
    if screen.overlay is Overlay.SETTINGS:
        return settings_lines(screen, width, height)
    if screen.overlay is not None:
        return overlay_lines(screen, screen.overlay, width, height)
    if screen.form is not None:
        return form_lines(screen.form, width)
    if screen.scene is None:
        return home_lines(screen, width, height)
    return _scene_page(screen, screen.scene, width, height)


def _scene_page(screen: Screen, scene: Scene, width: int, height: int) -> list[Line]:
    match scene.stage:
        case Stage.JOINING | Stage.LOBBY:
            return waiting_lines(screen, scene, width, height)
        case Stage.ELECTION | Stage.DEALING:
            return deal_lines(scene, width, height)
        case Stage.MOON:
            return moon_lines(screen, scene, width, height)
        case Stage.OVER | Stage.STOPPED:
            return over_lines(screen, scene, width, height)
        case _:
            return table_lines(screen, scene, width, height)


def _too_small(width: int, height: int) -> str:
    size, least = f"{width}×{height}", f"{MIN_WIDTH}×{MIN_HEIGHT}"
    return _("{size} is too small: make the window at least {least}.", size=size, least=least)
