"""Links between two machines whose cable, address or program fails: how soon that is noticed, and how soon all is well."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import CurveKeys, make_curve_keys, run
from p2p_hearts.protocol.inputs import Linked, Received
from tests.e2e.netns import Host, Program, network, running
from tests.e2e.players import until

if sys.platform == "win32":
    pytest.skip("no namespaces and no such signals", allow_module_level=True)

PORT = 48304
SILENCE_S = 5.0  # without an echo, after which an end gives the link up, as the protocol says
NOTICED_S = 10.0  # that, and a machine that others use, too
SOON_S = 4.0  # earlier than by giving up

pytestmark = pytest.mark.netns


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link: its machine, and the program there, which says when the link came and went."""

    machine: Host
    program: Program
    command: list[str]

    def heard(self, word: str, after: float) -> float | None:
        """When it first said this word after a moment, on the clock that both share."""
        for line in self.program.said().splitlines():
            said, _, at = line.partition(" ")
            if said == word and float(at) >= after:
                return float(at)
        return None

    def says(self, word: str, after: float, patience: float) -> bool:
        """Whether it says this word within so many seconds of that moment."""
        until(lambda: self.heard(word, after) is not None, after + patience + 1.0 - time.monotonic())
        at = self.heard(word, after)
        return at is not None and at - after <= patience


@contextmanager
def linked(tmp_path: Path, addresses: tuple[str, str] | None = None) -> Iterator[tuple[End, End]]:
    """Two ends with a link that is up. `addresses`: where each dials the other, if not where it is."""
    keys = make_curve_keys(), make_curve_keys()
    env = ["env", f"PYTHONPATH={Path(__file__).parents[2]}"]
    with network(2) as machines:
        known = addresses or (machines[1].address, machines[0].address)
        commands = [
            machine.command(
                *env, sys.executable, __file__, mine.public.hex(), mine.secret.hex(), theirs.public.hex(), to
            )
            for machine, mine, theirs, to in zip(machines, keys, reversed(keys), known, strict=True)
        ]
        began = time.monotonic()
        with running(commands, tmp_path, ["one", "other"]) as programs:
            one, other = (End(*parts) for parts in zip(machines, programs, commands, strict=True))
            assert one.says("up", began, 15.0), one.program.said()
            assert other.says("up", began, 15.0), other.program.said()
            yield one, other


@pytest.mark.parametrize(
    "seconds", [2.0, 10.0, pytest.param(20.0, marks=pytest.mark.long), pytest.param(60.0, marks=pytest.mark.long)]
)
def test_a_cable_that_is_pulled_for_a_while(seconds: float, tmp_path: Path) -> None:
    """FD18: a cut of two seconds is noticed by nobody; a longer one is, and after its end the link is up and frames arrive
    again, at both ends, by itself. Ten seconds are beyond every time-out there is."""
    with linked(tmp_path) as (one, other):
        cut = time.monotonic()
        one.machine.unplug()
        time.sleep(seconds)
        mended = time.monotonic()
        one.machine.plug()
        for end in (one, other):
            if seconds > SILENCE_S:
                assert end.says("down", cut, NOTICED_S)
                assert end.says("up", mended, NOTICED_S)
            assert end.says("frame", mended, NOTICED_S)
            assert (end.heard("down", cut) is None) == (seconds < SILENCE_S)


def test_a_program_that_is_frozen(tmp_path: Path) -> None:
    """FD23: a program that is stopped is noticed by our own pings, and one that goes on, as after sleep, is back in a moment."""
    with linked(tmp_path) as (one, other):
        frozen = time.monotonic()
        other.program.process.send_signal(signal.SIGSTOP)
        assert one.says("down", frozen, NOTICED_S)
        time.sleep(1.0)
        thawed = time.monotonic()
        other.program.process.send_signal(signal.SIGCONT)
        for end in (one, other):
            assert end.says("frame", thawed + 0.01, SOON_S)
        assert one.says("up", thawed, SOON_S)


def test_a_program_that_is_stuck(tmp_path: Path) -> None:
    """FD23: a program whose main thread loops for ever, while ZeroMQ's threads go on answering, is noticed as well."""
    with linked(tmp_path) as (one, other):
        stuck = time.monotonic()
        other.program.process.send_signal(signal.SIGUSR1)
        assert one.says("down", stuck, NOTICED_S)


def test_a_program_that_is_killed_and_started_again(tmp_path: Path) -> None:
    """FD19: a program that is killed and back in under a second, with its old key, while the other end is busy, is heard and
    answered by its new connection at once."""
    with linked(tmp_path) as (one, other):
        one.program.process.send_signal(signal.SIGSTOP)
        other.program.process.kill()
        other.program.process.wait()
        with running([other.command], tmp_path, ["again"]) as (program,):
            again = End(other.machine, program, other.command)
            assert until(lambda: "open" in program.said(), 10)
            opened = again.heard("open", 0.0) or 0.0
            one.program.process.send_signal(signal.SIGCONT)
            for word in ("up", "frame"):
                assert again.says(word, opened, SOON_S), (program.said(), one.program.said()[-300:])


def test_a_machine_that_gets_another_address(tmp_path: Path) -> None:
    """A machine that comes by another address dials from there: the link is back though nobody told the other its address."""
    with linked(tmp_path) as (one, other):
        moved = time.monotonic()
        other.machine.renumber("10.77.0.99/24")
        for end in (one, other):
            assert end.says("frame", moved + 1.0, NOTICED_S)


def test_a_machine_that_cannot_be_dialled(tmp_path: Path) -> None:
    """One-way reachability: when one end knows only an address at which nobody is, the other end's dialling is enough."""
    with linked(tmp_path, ("10.77.0.2", "10.77.0.99")) as (one, other):
        now = time.monotonic()
        assert one.says("frame", now, SOON_S)
        assert other.says("frame", now, SOON_S)


async def _main(public: str, secret: str, theirs: str, host: str) -> None:
    transport = Transport(CurveKeys(bytes.fromhex(public), bytes.fromhex(secret)))
    key = bytes.fromhex(theirs)
    transport.open(PORT, (), lambda _: None)
    print("open", time.monotonic(), flush=True)  # noqa: T201
    transport.admit([key])
    transport.dial(key, [Endpoint(host, PORT)])
    talking = asyncio.create_task(_talk(transport, key))
    while not talking.done():
        arrival = await transport.receive()
        word = "frame" if isinstance(arrival, Received) else "up" if isinstance(arrival, Linked) else "down"
        print(word, time.monotonic(), flush=True)  # noqa: T201


async def _talk(transport: Transport, key: bytes) -> None:
    while True:
        transport.send(key, b"x")
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    if os.name == "posix":
        signal.signal(signal.SIGUSR1, lambda *_: time.sleep(60))
    with suppress(KeyboardInterrupt):
        run(_main(*sys.argv[1:]))
