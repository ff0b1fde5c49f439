"""A seat at a table: what it writes, what it logs, and how it is left."""

import asyncio
import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.cli.seat import Seat, Wishes
from p2p_hearts.node.driver import Aside, Shown, Update
from p2p_hearts.protocol.events import Event, JoinRefused, LobbyChanged, ResultSigned
from tests.console.fake import FakeTable

RESULT = {"digest": "ab", "names": {"A": "Zoë"}}


class Game:
    """As much of a session as a seat asks for."""

    def scene(self) -> Any:
        """A table in its waiting room."""
        return FakeTable().scene()

    def result(self) -> dict[str, Any]:
        """What everybody has signed."""
        return RESULT

    def export(self) -> bytes:
        """The finished game."""
        return b"p2ph"


@dataclass
class Table:
    """As much of a node as a seat asks for."""

    session: Game = field(default_factory=Game)
    updates: asyncio.Queue[Update] = field(default_factory=asyncio.Queue)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    left: int = 0

    def tell(self, *events: Event) -> None:
        """Something happens."""
        self.updates.put_nowait(Update(events, self.session.scene()))

    async def leave(self) -> None:
        """Takes a moment."""
        await asyncio.sleep(0.05)
        self.left += 1


def seat(table: Table, wishes: Wishes = Wishes(), *notices: str) -> Seat:  # noqa: B008 - frozen
    """A seat at it."""
    return Seat(table, table.leave, wishes, notices)  # type: ignore[arg-type]


def test_result_and_game_are_written_when_all_have_signed(tmp_path: Path) -> None:
    """Both files are there as soon as everybody has signed, not only when the table is left."""
    wishes = Wishes(tmp_path / "r.json", tmp_path / "g.p2ph", parting=0.0)

    async def main() -> None:
        table = Table()
        ours = seat(table, wishes)
        table.tell(LobbyChanged("Ann sits down."))
        await ours.updates.get()
        assert not (tmp_path / "r.json").exists()
        table.tell(ResultSigned())
        await ours.updates.get()
        assert ours.signed
        await ours.close()

    asyncio.run(main())
    assert json.loads((tmp_path / "r.json").read_text("utf-8")) == RESULT
    assert "Zoë" in (tmp_path / "r.json").read_text("utf-8")
    assert (tmp_path / "g.p2ph").read_bytes() == b"p2ph"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A full or missing folder is a sentence on the screen, which a bot hears before it leaves, not the end of the program."""

    async def main() -> tuple[str, ...]:
        table = Table()
        ours = seat(table, Wishes(tmp_path / "gone" / "r.json", parting=0.0))
        table.tell(ResultSigned())
        said = (await ours.updates.get()).notices
        assert (await ours.updates.get()).events == (ResultSigned(),)
        assert tuple(ours.unsaved) == said
        await ours.close()
        return said

    (sentence,) = asyncio.run(main())
    assert sentence == f"The result cannot be written to {tmp_path / 'gone' / 'r.json'}: No such file or directory."


def test_notices_come_first_and_all_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """What was to be said before the table was open is said first; the log has it, and every event."""
    caplog.set_level(logging.INFO)

    async def main() -> Update:
        table = Table()
        table.tell(JoinRefused("It is full."))
        ours = seat(table, Wishes(), "Port 47104 is taken, so this program listens at port 47106.")
        first = await ours.updates.get()
        await ours.updates.get()
        assert ours.refused
        await ours.close()
        return first

    assert asyncio.run(main()).notices == ("Port 47104 is taken, so this program listens at port 47106.",)
    assert caplog.messages == [
        "Port 47104 is taken, so this program listens at port 47106.",
        "JoinRefused reason=It is full.",
    ]


def test_a_finished_table_is_left_when_nobody_needs_us() -> None:
    """Leaving waits until all others have all signatures, but not longer than was wished."""

    async def seconds(patience: float, done_after: float | None) -> float:
        table, loop = Table(), asyncio.get_running_loop()
        ours = seat(table, Wishes(parting=patience))
        table.tell(ResultSigned())
        await ours.updates.get()
        if done_after is not None:
            loop.call_later(done_after, table.done.set)
        began = loop.time()
        await ours.close()
        return loop.time() - began

    assert 0.1 <= asyncio.run(seconds(5.0, 0.1)) < 2.0
    assert 0.3 <= asyncio.run(seconds(0.3, None)) < 2.0


def test_impatience_does_not_stop_the_leaving() -> None:
    """Whoever gives up waiting for the end leaves it under way; it happens once, however often it is asked for."""

    async def main() -> Table:
        table = Table()
        ours = seat(table)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await ours.close()
        assert table.left == 0
        await asyncio.gather(ours.close(), ours.close())
        return table

    assert asyncio.run(main()).left == 1


def test_no_invitation_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever reads a log cannot come in by what was open when it was written: words and text are left out."""

    async def main() -> None:
        table = Table()
        here = seat(table)
        shown = Shown("bada bedi bodu", "p2ph:ABCD")
        for sentence in ("An invitation: bada bedi bodu", "An invitation: p2ph:ABCD"):
            table.updates.put_nowait(Update((), table.session.scene(), (sentence,), Aside(shown)))
        for _ in range(2):
            update = await asyncio.wait_for(here.updates.get(), 1.0)
            assert update.notices[0].startswith("An invitation: ")
        assert "bada" not in repr(shown) + repr(update)
        await here.close()

    with caplog.at_level(logging.INFO):
        asyncio.run(main())
    assert caplog.messages == ["An invitation: …"] * 2
