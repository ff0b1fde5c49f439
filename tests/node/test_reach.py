"""Why nobody is seen or reached: each cause in its own words, and always a way on."""

import socket
from collections.abc import Awaitable
from typing import NoReturn

import pytest

from p2p_hearts.node.addresses import AdapterAddress, Endpoint
from p2p_hearts.node.reach import why_empty, why_silent
from p2p_hearts.node.transport.sockets import run

HERE = (
    AdapterAddress("lo", "127.0.0.1", 8),
    AdapterAddress("wlan0", "192.168.1.5", 24),
    AdapterAddress("wlan0", "fe80::5%3", 64),
)


def test_an_empty_lobby() -> None:
    """FD12: after the likely reason come the network's part in it, the own addresses, and how to join without being shown."""
    first, network, own, how = why_empty(("192.168.1.5", "10.0.0.5"), "")
    assert first == "Nobody on this network has a table open, as far as can be seen."
    assert "keep computers apart" in network
    assert "192.168.1.5 or 10.0.0.5" in own
    assert "its address or an invitation" in how
    assert why_empty(("192.168.1.5",), "Multicast does not work.")[0] == "Multicast does not work."


@pytest.mark.network
def test_a_computer_that_answers() -> None:
    """A refused connection and a foreign program are told apart: the computer is there, and what is asked is the port."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert "something is there, but no table" in run(_said(Endpoint("127.0.0.1", port - 1)))
    assert run(_said(Endpoint("127.0.0.1", port - 1))) == (
        f"Nobody answers at 127.0.0.1:{port - 1}: the computer is there, but no table at that port. "
        "Is it the one on the host’s screen?"
    )


@pytest.mark.parametrize("error", [TimeoutError(), OSError(113, "No route to host")])
def test_a_computer_that_is_silent(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """FD12: silence from the own network says that the network may block it, and from another one that it is another."""

    def refuse(*_: object) -> Awaitable[NoReturn]:
        raise error

    monkeypatch.setattr("asyncio.open_connection", refuse)
    near, far, six = (run(_said(Endpoint(host, 47104))) for host in ("192.168.1.9", "192.168.2.9", "2001:db8::9"))
    assert "off or elsewhere, or this network blocks it" in near
    assert "which is on another network than this computer: join the same one" in far
    assert "another network" in six
    for said in (near, far, six):
        assert "hotspot" in said


async def _said(endpoint: Endpoint) -> str:
    return await why_silent(endpoint, HERE)
