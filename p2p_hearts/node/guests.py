"""Whom this program lets in and whom it knows: the invitation to the own table, and the people met before.

The law: an invitation is for one table of one run of the program; closed, it is worth nothing. What is said of a person
does not change while we sit with them, the end of the game included.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from p2p_hearts.entropy import Entropy
from p2p_hearts.node.driver import Aside, Shown
from p2p_hearts.node.hello import IdentityCard
from p2p_hearts.node.history import History, HistoryError, met_words
from p2p_hearts.node.invitations import invite_in_text, invite_in_words, write_invitation
from p2p_hearts.node.keystore import Home
from p2p_hearts.node.reception import Desk, Reply, receive, renew
from p2p_hearts.node.results import result_for
from p2p_hearts.protocol.scene import Scene
from p2p_hearts.protocol.state import Table


@dataclass(slots=True)
class Guests:
    """Made with the station; closed with it."""

    home: Home
    version: str
    entropy: Entropy
    today: Callable[[], dt.date]
    shown: Shown | None = None  # the open invitation
    trouble: str = ""  # why nobody is recognised, in a sentence
    _desk: Desk = field(default_factory=Desk)
    _history: History = field(init=False)
    _met: dict[bytes, str] = field(default_factory=dict)
    _remembered: bytes = b""  # the id of the game that was written down last

    def __post_init__(self) -> None:
        """Opens the history; without it, nobody is known."""
        try:
            self._history = History(self.home.history)
        except HistoryError as error:
            self.trouble = str(error)
            self._history = History(None)

    def receive(self, question: bytes, card: IdentityCard, now: float) -> Reply:
        """What comes of a question about the invitation, as the host with this card."""
        reply = receive(self._desk, question, self.version, card, now, self.entropy)
        self._desk = reply.desk
        return reply

    def invite(self, hosts: Sequence[str], port: int) -> Shown:
        """Opens a new invitation in place of any before."""
        text = invite_in_text(self.home.key.public, hosts, port, self.entropy)
        words = invite_in_words(hosts, port, self.entropy)
        self._desk = renew(self._desk, (text,) if words is None else (words, text))
        self.shown = Shown("" if words is None else write_invitation(words), write_invitation(text))
        return self.shown

    def uninvite(self) -> None:
        """Closes the invitation."""
        if self.shown is not None:
            self._desk, self.shown = renew(self._desk, ()), None

    def leave(self) -> None:
        """Forgets what belonged to one table."""
        self.uninvite()
        self._met.clear()

    def aside(self, scene: Scene) -> Aside:
        """What we know beside a scene."""
        people = {peer.key: peer.name for peer in scene.peers}
        people |= {} if scene.lobby is None else {asking.key: asking.name for asking in scene.lobby.asking}
        people.pop(self.home.key.public, None)
        return Aside(self.shown, {key: self.know(key, name) for key, name in people.items()})

    def know(self, identity: bytes, name: str) -> str:
        """Whether somebody was met before, in words."""
        if identity not in self._met:
            known = self._history.met(identity)
            namesake = None if known is not None else self._history.namesake(identity, name)
            self._met[identity] = met_words(known, namesake, self.today())
        return self._met[identity]

    def remember(self, table: Table, bot: str | None) -> None:
        """Writes down a game that has just ended: with whom it was played, and its result; `bot` played in our place.

        Raises HistoryError: once a game.
        """
        game = table.game
        if game is None or not table.over or game.table == self._remembered:
            return
        self._remembered = game.table
        me = self.home.key.public
        others = {peer.identity: peer.name for peer in game.peers if peer.identity != me}
        self._history.record(game.table, others, self.today(), result_for(table, me, bot or ""))

    def close(self) -> None:
        """Closes the history."""
        self._history.close()
