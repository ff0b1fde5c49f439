"""The guards of `conftest.py` hold: each is broken once, in a pytest of its own."""

import shutil
from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

PROJECT = Path(__file__).parents[2]
BREACHES = """
import asyncio, socket, threading, time, warnings
import pytest, zmq

def test_socket():
    with socket.socket() as s:
        s.connect(("127.0.0.1", 9))

@pytest.mark.network
def test_far_socket():
    with socket.socket(type=socket.SOCK_DGRAM) as s:
        s.sendto(b"", ("192.0.2.1", 9))

def test_zeromq():
    with zmq.Context() as c, c.socket(zmq.PULL) as s:
        s.bind("tcp://127.0.0.1:*")

def test_task():
    async def leave_one():
        leave_one.kept = asyncio.ensure_future(asyncio.sleep(60))
        await asyncio.sleep(0)
    asyncio.run(leave_one())

def test_thread():
    threading.Thread(target=time.sleep, args=(5,), daemon=True).start()

def test_warning():
    warnings.warn("old", DeprecationWarning, stacklevel=1)

def test_quiet():
    asyncio.run(asyncio.sleep(0))
    thread = threading.Thread(target=int)
    thread.start()
"""
REPORTS = {
    "test_socket": "*127.0.0.1*must be marked `network`*",
    "test_far_socket": "*192.0.2.1*tests stay on this machine*",
    "test_zeromq": "*tcp://127.0.0.1*must be marked `network`*",
    "test_task": "*these tasks were still running*",
    "test_thread": "*these threads outlived the test*",
    "test_warning": "*DeprecationWarning: old*",
}


@pytest.fixture
def guarded(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with this project's guards and pytest settings."""
    for name in ("tests/conftest.py", "pyproject.toml"):
        shutil.copy(PROJECT / name, pytester.path)
    return pytester


def test_every_breach_is_reported(guarded: pytest.Pytester) -> None:
    """A test that breaks a guard fails in the guard's own words; one that breaks none passes."""
    guarded.makepyfile(test_breach=BREACHES)
    result = guarded.runpytest_subprocess("test_breach.py")
    assert result.parseoutcomes().get("passed", 0) >= 1
    for name, words in REPORTS.items():
        result.stdout.fnmatch_lines_random([words, f"*{name}*"])
    assert "test_quiet" not in result.stdout.str()


def test_a_misspelt_marker_is_an_error(guarded: pytest.Pytester) -> None:
    """A marker nobody declared stops the run, so that a misspelt `network` cannot pass for one."""
    guarded.makepyfile(test_marker="import pytest\n@pytest.mark.netwrok\ndef test_it(): pass")
    result = guarded.runpytest_subprocess("test_marker.py")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*'netwrok' not found in `markers`*"])
