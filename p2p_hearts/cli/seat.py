"""A table at which this program sits, as the console sees it: what happens is logged on its way to the screen, and the
result is written, and the game exported, as soon as everybody has signed it.

The law: whoever leaves a finished table first gives the others what they still need of us, for a while. No secret is logged:
logs are sent to strangers with bug reports.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2p_hearts.cli.describe import describe
from p2p_hearts.node.driver import Aside, Update, Wish
from p2p_hearts.node.node import Node
from p2p_hearts.protocol.events import JoinRefused, ResultSigned

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is wanted of a table besides playing at it."""

    result: Path | None = None  # where to write it
    export: Path | None = None
    parting: float = 0.5  # seconds for which leaving a finished table waits for the others to have all signatures


class Seat:
    """A `Driver`. It is made in the event loop in which the table lives."""

    def __init__(
        self, node: Node, leave: Callable[[], Awaitable[None]], wishes: Wishes, notices: tuple[str, ...] = ()
    ) -> None:
        self.updates: asyncio.Queue[Update] = asyncio.Queue()
        self.refused = self.signed = False
        self.unsaved: list[str] = []  # what could not be written, in sentences
        self._node, self._leave, self._wishes = node, leave, wishes
        if notices:
            self._pass_on(Update((), node.session.scene(), notices))
        self._following = asyncio.get_running_loop().create_task(self._follow())
        self._ending: asyncio.Task[None] | None = None

    def submit(self, command: Wish) -> None:
        """Hand over what the person wants."""
        self._node.submit(command)

    async def close(self) -> None:
        """Leave the table. Whoever does not want to wait any longer gives up the waiting, not the leaving."""
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        if self.signed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._node.done.wait(), self._wishes.parting)
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)
        await self._leave()

    async def _follow(self) -> None:
        while True:
            self._pass_on(await self._node.updates.get())

    def _pass_on(self, update: Update) -> None:
        names = {peer.key: peer.name for peer in update.scene.peers}
        for event in update.events:
            LOG.info(describe(event, lambda key: names.get(key, key.hex()[:8])))
        for notice in update.notices:
            LOG.info(_without_invitation(notice, update.aside))
        self.refused |= any(isinstance(event, JoinRefused) for event in update.events)
        if any(isinstance(event, ResultSigned) for event in update.events):
            self.signed = True
            self._write()  # first, since a bot leaves as soon as it hears of the signatures
        self.updates.put_nowait(update)

    def _write(self) -> None:
        result, game = self._node.session.result(), self._node.session.export()
        if self._wishes.result is not None and result is not None:
            text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
            self._save("The result", self._wishes.result, text.encode())
        if self._wishes.export is not None and game is not None:
            self._save("The game", self._wishes.export, game)

    def _save(self, what: str, path: Path, data: bytes) -> None:
        try:
            path.write_bytes(data)
        except OSError as error:
            sentence = f"{what} cannot be written to {path}: {error.strerror}."
            self.unsaved.append(sentence)
            self.updates.put_nowait(Update((), self._node.session.scene(), (sentence,)))


def _without_invitation(notice: str, aside: Aside | None) -> str:
    """The sentence without what would let a reader in."""
    shown = None if aside is None else aside.invitation
    for secret in () if shown is None else (shown.words, shown.text):
        notice = notice.replace(secret, "…") if secret else notice
    return notice
