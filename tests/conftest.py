"""Guards around every test: no network unless it is marked, nothing that outlives it, nothing of the real home touched.

The law: a test that breaks a guard fails, however green its own asserts are.
"""

import asyncio
import ipaddress
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

NETWORK_MARKS = ("network", "netns")
LOOPBACK_AND_MDNS = ("127.0.0.0/8", "::1/128", "224.0.0.251/32", "0.0.0.0/32", "::/128")
THREAD_GRACE = 2.0  # seconds; a thread that was told to end may need a moment
PATHS = ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")

_network_allowed = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--long`."""
    parser.addoption("--long", action="store_true", help="also run the tests marked long, and more examples of others")


def pytest_configure(config: pytest.Config) -> None:
    """Installs the network guard, and how many examples Hypothesis tries."""
    sys.addaudithook(_refuse_network)
    settings.register_profile("ordinary", deadline=None, derandomize=True, max_examples=50)
    settings.register_profile("long", deadline=None, max_examples=1000)
    settings.load_profile("long" if config.getoption("--long") else "ordinary")
    home = config.stash.setdefault(HOME, tempfile.TemporaryDirectory(prefix="p2p-hearts-test-"))
    os.environ.update(dict.fromkeys(PATHS, home.name))
    os.environ["LC_ALL"] = "C.UTF-8"  # tests read English, whatever their reader speaks


HOME = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the home that the tests had."""
    config.stash[HOME].cleanup()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the long tests out of an ordinary run."""
    if not config.getoption("--long"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="long; runs with --long"))


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test opens no socket, unless it is marked `network` (this machine only) or `netns`."""
    global _network_allowed  # noqa: PLW0603 - an audit hook stays for the life of the process, so it asks this
    _network_allowed = any(request.node.get_closest_marker(mark) for mark in NETWORK_MARKS)
    yield
    _network_allowed = False


@pytest.fixture(autouse=True)
def no_stray_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test whose event loop ends while tasks are still running fails, and names them."""
    cancel_rest = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]

    def complain(loop: asyncio.AbstractEventLoop) -> None:
        stray = [task for task in asyncio.all_tasks(loop) if not task.done()]
        cancel_rest(loop)
        if stray and sys.exc_info()[0] is None:
            pytest.fail(f"these tasks were still running: {', '.join(map(str, stray))}")

    monkeypatch.setattr(asyncio.runners, "_cancel_all_tasks", complain)


@pytest.fixture(autouse=True)
def no_stray_thread() -> Iterator[None]:
    """A test whose threads live on fails, and names them."""
    before = set(threading.enumerate())
    yield
    patience = time.monotonic() + THREAD_GRACE
    for thread in set(threading.enumerate()) - before:
        thread.join(max(0.0, patience - time.monotonic()))
    stray = [thread.name for thread in set(threading.enumerate()) - before if thread.is_alive()]
    if stray:
        pytest.fail(f"these threads outlived the test: {', '.join(stray)}")


@pytest.fixture(autouse=True)
def same_randomness() -> Iterator[None]:
    """Whatever draws from the common random source draws the same in every run, and disturbs no other test."""
    before = random.getstate()
    random.seed(0)
    yield
    random.setstate(before)


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: it sees every socket of Python; ZeroMQ opens its own, see `no_zeromq`."""
    if event not in {"socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg"}:
        return
    address = arguments[1]
    if not isinstance(address, tuple):  # a Unix socket, or a datagram on a connected one
        return
    if not _network_allowed:
        raise RuntimeError(f"{event} {address}: a test that opens sockets must be marked `network`")
    if not _near(str(address[0])):
        raise RuntimeError(f"{event} {address}: tests stay on this machine")


def _near(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host or "0.0.0.0")
    except ValueError:
        return host == "localhost"
    return any(address in ipaddress.ip_network(network) for network in LOOPBACK_AND_MDNS)


@pytest.fixture(autouse=True)
def no_zeromq(no_network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for ZeroMQ, whose sockets Python does not see."""
    del no_network
    zmq = sys.modules.get("zmq")
    if zmq is None or _network_allowed:
        return

    def refuse(_socket: object, address: str) -> None:
        raise RuntimeError(f"{address}: a test that opens sockets must be marked `network`")

    monkeypatch.setattr(zmq.Socket, "bind", refuse)
    monkeypatch.setattr(zmq.Socket, "connect", refuse)
