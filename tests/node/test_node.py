"""The node: in which order a step is carried out, whom it lets in, and what it does when it cannot go on."""

import asyncio
import datetime as dt
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.hello import IdentityCard, answer_question
from p2p_hearts.node.history import History
from p2p_hearts.node.invitations import invite_in_words, write_invitation
from p2p_hearts.node.journal import JournalError
from p2p_hearts.node.keystore import open_home
from p2p_hearts.node.node import Node, Pilot
from p2p_hearts.node.station import Place, Station, StationError
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import make_curve_keys, run
from p2p_hearts.node.worker import Worker
from p2p_hearts.protocol.events import JoinAsked
from p2p_hearts.protocol.inputs import Admit, Job, JobDone, Leave, Linked, Received, Unlinked
from p2p_hearts.protocol.output import Identity, Record, Setup
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import host_table, join_table

HERE = "127.0.0.1"


ANN = Identity(make_signing_key(seeded(b"a" * 32)), "Ann", b"A" * 32, ("10.0.0.1",), 47104)
BEA = Identity(make_signing_key(seeded(b"b" * 32)), "Bea", b"B" * 32, ("10.0.0.2",), 47106)


@dataclass(slots=True)
class Links:
    """A transport that writes down what it is told."""

    told: list[str]
    admitted: frozenset[bytes] = frozenset()
    dialled: dict[bytes, tuple[Endpoint, ...]] = field(default_factory=dict)
    arrivals: asyncio.Queue[Received | Linked | Unlinked] = field(default_factory=asyncio.Queue)

    def dial(self, key: bytes, endpoints: Sequence[Endpoint]) -> None:
        """Note it."""
        self.dialled[key] = tuple(endpoints)

    def forget(self, key: bytes) -> None:
        """Note it."""
        del self.dialled[key]

    def admit(self, keys: Sequence[bytes]) -> None:
        """Note it."""
        self.admitted = frozenset(keys)

    def send(self, key: bytes, frame: bytes) -> bool:
        """Note it."""
        self.told.append(f"send to {key[:1].decode()}")
        return bool(frame)

    async def receive(self) -> Received | Linked | Unlinked:
        """What the test has put in."""
        return await self.arrivals.get()

    async def close(self) -> None:
        """Nothing to close."""


@dataclass(slots=True)
class Book:
    """A journal that writes down what it is told, until the disk is full."""

    told: list[str]
    full: bool = False

    def append(self, records: Sequence[Record]) -> None:
        """Note it, or refuse."""
        if self.full:
            raise JournalError("The disk is full.")
        self.told += [f"write {'own' if record.own else 'theirs'}" for record in records]

    def forget(self, hands: Sequence[int]) -> None:
        """Note it."""
        self.told.append(f"forget {hands}")

    def close(self) -> None:
        """Nothing to close."""


@asynccontextmanager
async def ann_hosts(admit: str = "open") -> AsyncIterator[tuple[Node, Links, Book]]:
    """Ann's table with a recording transport and journal, and Bea's request to join on its way."""
    told: list[str] = []
    links, book = Links(told), Book(told)
    session, output = host_table(
        Setup("Tuesday", admit=admit), ANN, seeded(b"e" * 32), asyncio.get_running_loop().time()
    )
    node = Node(session, links, book, Pilot())
    node.start(output)
    bea = join_table(session.lobby_id, ANN.link, BEA, seeded(b"f" * 32))
    knock = bea.step(Linked(ANN.link), 0.0)
    links.arrivals.put_nowait(Linked(BEA.link))
    for send in knock.frames:
        links.arrivals.put_nowait(Received(BEA.link, send.frame))
    try:
        yield node, links, book
    finally:
        await node.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait a moment for something to become true."""
    async with asyncio.timeout(3.0):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


def test_nothing_is_sent_before_it_is_written() -> None:
    """The own log is written and synced before a frame leaves: Bea's admission is in the journal, then Bea hears of it."""

    async def main() -> None:
        async with ann_hosts() as (node, links, _):
            await until(lambda: "send to B" in links.told)
            assert links.told[:3] == ["write own", "write own", "send to B"]
            assert links.dialled == {BEA.link: (Endpoint("10.0.0.2", 47106),)}
            assert links.admitted == {BEA.link}
            assert node.failure is None

    run(main())


def test_who_waits_at_the_door_is_no_stranger() -> None:
    """At a table by approval, somebody who waits for the host's word is let stay connected, and dialled once seated."""

    async def main() -> None:
        async with ann_hosts("approve") as (node, links, _):
            update = await asyncio.wait_for(node.updates.get(), 3.0)
            while JoinAsked(BEA.key.public, "Bea") not in update.events:
                update = await asyncio.wait_for(node.updates.get(), 3.0)
            assert links.admitted == {BEA.link}
            assert links.dialled == {}
            node.submit(Admit(BEA.key.public))
            await until(lambda: BEA.link in links.dialled)
            node.submit(Admit(b"?" * 32))

    run(main())


def test_a_full_disk_stops_the_node_in_words() -> None:
    """When the journal cannot be written nothing more is signed or sent, and the screen gets the sentence."""

    async def main() -> None:
        async with ann_hosts("approve") as (node, links, book):
            await until(lambda: bool(links.admitted))
            book.full = True
            del links.told[:]
            node.submit(Admit(BEA.key.public))
            await asyncio.wait_for(node.done.wait(), 3.0)
            while not node.updates.empty():
                update = node.updates.get_nowait()
            assert node.failure == update.scene.problem == "The disk is full."
            assert (update.scene.stage, update.notices) == (Stage.STOPPED, ())  # said once
            await asyncio.sleep(1.2)
            assert links.told == []

    run(main())


def test_urgent_jobs_go_first() -> None:
    """Of waiting jobs the lowest urgency number is done first, of equals the oldest; none is done after closing."""

    async def main() -> None:
        done: list[JobDone] = []
        gate, begun = threading.Event(), threading.Event()

        def first() -> str:
            begun.set()
            gate.wait(3.0)
            return "first"

        worker = Worker(done.append)
        worker.hand(Job(1, 2, first, ()))
        await asyncio.to_thread(begun.wait, 3.0)
        for number, urgency in ((2, 2), (3, 1), (4, 0), (5, 1)):
            worker.hand(Job(number, urgency, str, (number,)))
        gate.set()
        await until(lambda: len(done) == 5)
        assert [job.job for job in done] == [1, 4, 3, 5, 2]
        assert done[0].result == "first"
        worker.close()
        worker.hand(Job(6, 0, str, (6,)))
        await asyncio.sleep(0.05)
        assert len(done) == 5

    run(main())


@pytest.mark.network
def test_a_hand_alone(tmp_path: Path) -> None:
    """Solo: one person's program and five bots play a hand to its signed result, with nobody else on the network."""

    async def main() -> None:
        with open_home(tmp_path, os.urandom) as home:
            station = Station(Place(home, "Ann", bind=HERE))
            node = station.solo(Setup("Alone", 6, ("uniform",) * 5, hands=1), Pilot("cautious"))
            await asyncio.wait_for(node.done.wait(), 10.0)
            result = node.session.result()
            assert result is not None
            assert result["hands"] == 1
            await station.close()

    run(main())


@pytest.mark.network
def test_three_programs_play_a_hand(tmp_path: Path) -> None:
    """Found by mDNS, by name and by address, three programs play a hand over sockets, all with one result, and stop."""

    async def main() -> None:
        with ExitStack() as stack:
            homes = [stack.enter_context(open_home(tmp_path / name, os.urandom)) for name in ("Ann", "Bea", "Cid")]
            ann, bea, cid = (Station(Place(home, "P", 48404, HERE)) for home in homes)
            setup = Setup("Tuesday", 6, ("uniform",) * 3, hands=1, admit="open")
            nodes = [await ann.host(setup, Pilot("uniform"), 6)]
            nodes.append(await bea.join("Tuesday", Pilot("uniform")))
            nodes.append(await cid.join(f"{HERE}:{ann.transport.port}", Pilot("uniform")))
            await asyncio.wait_for(asyncio.gather(*(node.done.wait() for node in nodes)), 30.0)
            results = [node.session.result() for node in nodes]
            assert results[0] is not None
            assert len(results[0]["signatures"]) == 3
            assert results[0] == results[1] == results[2]
            started = time.monotonic()
            await asyncio.gather(ann.close(), bea.close(), cid.close())
            assert time.monotonic() - started < 2.0
            assert all(len(list((tmp_path / name / "tables").iterdir())) >= 1 for name in ("Ann", "Bea", "Cid"))

    run(main())


@pytest.mark.network
def test_nobody_there_is_one_sentence(tmp_path: Path) -> None:
    """Joining where nobody listens, or a table that is not there, fails with one sentence."""

    async def main() -> None:
        with open_home(tmp_path, os.urandom) as home:
            station = Station(Place(home, "Ann", bind=HERE))
            with pytest.raises(StationError, match=r"^Nobody answers at 127\.0\.0\.1:9: the computer is there"):
                await station.join(f"{HERE}:9", Pilot())
            with pytest.raises(
                StationError, match=r"^There is no table called “Friday” on this network\. This computer "
            ):
                await station.join("Friday", Pilot(), patience=0.2)
            with pytest.raises(StationError, match=r"^There is no table called “\[2J” on this network\."):
                await station.join("\x1b[2J", Pilot(), patience=0.0)
            for wrong in ("10.0.0.1:99999", "999.0.0.1:47104", "10.0.0.300", "[::1", "1.2.3.4:"):
                with pytest.raises(
                    StationError, match=r"^The port must be a number|is no numeric address; write it like"
                ):
                    await station.join(wrong, Pilot(), patience=60.0)
            await station.close()

    run(main())


@pytest.mark.network
def test_another_version_is_told_at_once(tmp_path: Path) -> None:
    """FD15: who asks for a seat at a table of another version reads both versions, at once and without a socket left open."""

    async def main() -> None:
        key = make_signing_key(os.urandom)
        card = IdentityCard(b"t" * 32, key.public, b"l" * 32, "Ann")
        other = Transport(make_curve_keys())
        port = other.open(48704, (HERE,), lambda asked: answer_question(asked, "p2p-hearts/9/ristretto255", card, key))
        with open_home(tmp_path, os.urandom) as home:
            station = Station(Place(home, "Bea", bind=HERE))
            began = time.monotonic()
            both = r"^That table speaks protocol p2p-hearts/9/ristretto255, this program p2p-hearts/1/ristretto255\.$"
            with pytest.raises(StationError, match=both):
                await station.join(f"{HERE}:{port}", Pilot(), patience=60.0)
            assert time.monotonic() - began < 3.0
            assert station.transport.port == 0
            await asyncio.gather(station.close(), other.close())

    run(main())


@pytest.mark.network
def test_joining_leaving_and_hosting_again(tmp_path: Path) -> None:
    """FD16: who joins, leaves, hosts and is joined, and all of it once more, finds a clean lobby every time."""

    async def main() -> None:
        with ExitStack() as stack:
            homes = [stack.enter_context(open_home(tmp_path / name, os.urandom)) for name in ("Ann", "Bea")]
            ann, bea = (
                Station(Place(home, name, 48804, HERE)) for home, name in zip(homes, ("Ann", "Bea"), strict=True)
            )
            for host, guest in ((ann, bea), (bea, ann)) * 2:
                theirs = await host.host(Setup("Attic", 6, admit="open"), Pilot(), None)
                ours = await guest.join(f"{HERE}:{host.transport.port}", Pilot())
                await seated(theirs, 2)
                await seated(ours, 2)
                assert (theirs.session.problem, ours.session.problem) == (None, None)
                ours.submit(Leave())
                await guest.leave()
                await seated(theirs, 1)
                await host.leave()
            await asyncio.gather(ann.close(), bea.close())

    run(main())


@pytest.mark.network
def test_by_invitation_only(tmp_path: Path) -> None:
    """A private table is joined by its words or its text, and by nothing else; after the game all know each other."""

    async def main() -> None:
        with ExitStack() as stack:
            homes = [stack.enter_context(open_home(tmp_path / name, os.urandom)) for name in ("Ann", "Bea", "Cid")]
            ann, bea, cid = (
                Station(Place(home, name, 48504, HERE), today=lambda: dt.date(2026, 5, 3))
                for home, name in zip(homes, ("Ann", "Bea", "Cid"), strict=True)
            )
            setup = Setup("Tuesday", 6, ("uniform",) * 3, hands=1, admit="private")
            nodes = [await ann.host(setup, Pilot("uniform"), 6)]
            shown = ann.guests.shown
            assert shown is not None
            with pytest.raises(
                StationError, match=r"^The table “Tuesday” cannot be joined: It is private: ask its host"
            ):
                await bea.join("Tuesday", Pilot("uniform"), patience=2.5)
            row = next(row for row in bea.rows() if row.name == "Tuesday")
            assert (row.state, row.address, row.joinable) == ("private", "", False)
            other = invite_in_words([HERE], ann.transport.port, os.urandom)
            assert other is not None
            with pytest.raises(StationError, match=r"^That is not the invitation that is open there"):
                await bea.join(write_invitation(other), Pilot("uniform"))
            with pytest.raises(StationError, match=r"^These words do not belong together"):
                await bea.join(" ".join(reversed(shown.words.split())), Pilot("uniform"))
            nodes.append(await bea.join(shown.words.upper().replace(" ", "-"), Pilot("uniform")))
            nodes.append(await cid.join(shown.text, Pilot("uniform")))
            await asyncio.wait_for(asyncio.gather(*(node.done.wait() for node in nodes)), 30.0)
            assert nodes[0].session.result() is not None
            assert nodes[0].session.result() == nodes[1].session.result() == nodes[2].session.result()
            told = [note for note in _all_of(nodes[0]) if "tried to come in" in note]
            assert told == ["Bea tried to come in by an invitation that is not yours."]
            assert any(
                note.startswith("The host is Ann, key ") and note.endswith(": you have never played together.")
                for note in _all_of(nodes[1])
            )
            assert ann.guests.shown is None  # nobody can come in any more
            late = Station(Place(homes[1], "Bea", 48504, HERE))
            with pytest.raises(StationError, match=r"^No invitation is open there any more"):
                await late.join(shown.words, Pilot("uniform"))
            await late.close()
            await asyncio.gather(ann.close(), bea.close(), cid.close())
            for home, others in ((homes[0], (homes[1], homes[2])), (homes[1], (homes[0], homes[2]))):
                history = History(home.history)
                known = [history.met(other.key.public) for other in others]
                assert [one.last for one in known if one is not None] == [dt.date(2026, 5, 3)] * 2
                history.close()

    run(main())


async def seated(node: Node, count: int) -> None:
    """Wait until so many peers sit at a node's table."""
    await until(lambda: len(node.session.scene().peers) == count)


def _all_of(node: Node) -> list[str]:
    """Every notice that the screen of a node was to show; they are put back for whoever asks next."""
    updates = []
    while not node.updates.empty():
        updates.append(node.updates.get_nowait())
    for update in updates:
        node.updates.put_nowait(update)
    return [notice for update in updates for notice in update.notices]
