"""Keys in the waiting room: the host admits, adds bots, changes the rules and starts; everybody may talk."""

from dataclasses import replace

from p2p_hearts.bots import LEVELS
from p2p_hearts.console.language import _
from p2p_hearts.console.state import Action, Overlay, Screen, Typing, noted
from p2p_hearts.console.words import level_name
from p2p_hearts.hearts.options import PRESETS
from p2p_hearts.node.driver import Invite
from p2p_hearts.protocol.inputs import AddBot, Admit, ChangeRules, RemoveBot, Start
from p2p_hearts.protocol.scene import Lobby, Scene

HOST_KEYS = {"+", "=", "-", "p", "b", "s", "x", "y", "i", "enter"}


def press_waiting(screen: Screen, scene: Scene, key: str) -> tuple[Screen, Action | None]:
    """The waiting room after a key."""
    lobby = scene.lobby
    if lobby is None:
        return screen, None
    if key == "c":
        return replace(screen, typing=Typing("chat")), None
    if key in HOST_KEYS and not is_host(scene):
        return noted(screen, _("Only the host can do that.")), None
    if len(lobby.asking) > 1 and key in {"up", "k", "down", "j"}:
        step = -1 if key in {"up", "k"} else 1
        return replace(screen, row=(screen.row + step) % len(lobby.asking)), None
    if key in {"+", "="} and len(scene.peers) + len(lobby.bots) >= lobby.seats:
        return noted(screen, _("All {seats} seats are taken.", seats=lobby.seats)), None
    return _hosted(screen, lobby, key)


def is_host(scene: Scene) -> bool:
    """Whether the person at this peer hosts the table."""
    return any(peer.me and peer.host for peer in scene.peers)


def _hosted(screen: Screen, lobby: Lobby, key: str) -> tuple[Screen, Action | None]:
    match key:
        case "y" | "enter" | "x":
            if not lobby.asking:
                return noted(screen, lobby.problem or _("Nobody is asking to sit down. s starts the game.")), None
            asking = lobby.asking[min(screen.row, len(lobby.asking) - 1)]
            return replace(screen, row=0), Admit(asking.key, yes=key != "x")
        case "+" | "=":
            return screen, AddBot(screen.settings.level)
        case "-":
            return (screen, RemoveBot()) if lobby.bots else (noted(screen, _("There is no bot to take away.")), None)
        case "b":
            level = LEVELS[(LEVELS.index(screen.settings.level) + 1) % len(LEVELS)]
            settings = replace(screen.settings, level=level)
            return noted(
                replace(screen, settings=settings), _("The next bot will be {level}.", level=level_name(level))
            ), None
        case "p":
            after = PRESETS[(PRESETS.index(lobby.preset) + 1) % len(PRESETS)] if lobby.preset in PRESETS else PRESETS[0]
            return screen, ChangeRules(after)
        case "i":
            return replace(screen, overlay=Overlay.INVITATION), None if screen.aside.invitation else Invite()
        case "s":
            return (noted(screen, lobby.problem), None) if lobby.problem else (screen, Start())
        case _:
            return screen, None
