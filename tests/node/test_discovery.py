"""Discovery over real multicast DNS, on loopback and between namespaces."""

import asyncio
import secrets
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import zeroconf

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.node.adverts import Advert, host_mark, table_mark
from p2p_hearts.node.discovery import Discovery
from p2p_hearts.node.driver import TableRow
from p2p_hearts.node.hello import IdentityCard, answer_question
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import make_curve_keys, run
from tests.e2e.netns import Host, network, running, why_not

HERE = ("127.0.0.1",)
PORT = 48204


@asynccontextmanager
async def table(
    name: str, hosts: tuple[str, ...] = HERE, version: str = "1"
) -> AsyncIterator[tuple[Discovery, Advert]]:
    """A host with a table of this name, announced and answering."""
    me, keys, table_id = make_signing_key(secrets.token_bytes), make_curve_keys(), secrets.token_bytes(32)
    card = IdentityCard(table_id, me.public, keys.public, "Ann")
    transport = Transport(keys)
    transport.open(PORT, hosts, lambda question: answer_question(question, version, card, me))
    discovery = Discovery(transport.ask, version, hosts)
    advert = Advert(
        version,
        table_mark(table_id),
        host_mark(table_id, me.public),
        name,
        "Ann",
        8,
        1,
        "lobby",
        "standard",
        "c0ffee00",
    )
    discovery.advertise(advert, transport.port)
    try:
        yield discovery, advert
    finally:
        await discovery.close()
        await transport.close()


@asynccontextmanager
async def browser(hosts: tuple[str, ...] = HERE) -> AsyncIterator[Discovery]:
    """Somebody who looks for tables."""
    transport = Transport(make_curve_keys())
    discovery = Discovery(transport.ask, "1", hosts)
    try:
        yield discovery
    finally:
        await discovery.close()
        await transport.close()


async def rows_when(discovery: Discovery, count: int, patience_s: float = 5.0) -> tuple[TableRow, ...]:
    """The rows as soon as there are so many."""
    async with asyncio.timeout(patience_s):
        while len(rows := discovery.rows()) != count:
            await discovery.updates.get()
    return rows


@pytest.mark.network
def test_a_new_table_appears_changes_and_goes() -> None:
    """A table appears within 2 s of being opened, its changes follow, and its goodbye takes the row away."""

    async def main() -> None:
        async with browser() as looking:
            async with table("Tuesday") as (hosting, advert):
                started = time.monotonic()
                (row,) = await rows_when(looking, 1)
                assert time.monotonic() - started < 2.0
                assert (row.name, row.address, row.joinable) == ("Tuesday", f"127.0.0.1:{PORT}", True)
                assert [e.port for e in looking.endpoints(row.table)] == [PORT]
                hosting.advertise(replace(advert, taken=2), PORT)
                await asyncio.wait_for(looking.updates.get(), 3.0)
                assert looking.rows()[0].taken == 2
                assert hosting.rows() == ()
            assert await rows_when(looking, 0) == ()

    run(main())


@pytest.mark.network
def test_equal_names_and_other_versions_are_listed() -> None:
    """FD1, FD15: two tables of one name are two rows; one of another version shows both versions and is not joinable."""

    async def main() -> None:
        async with table("Tuesday"), table("Tuesday", version="2"), browser() as looking:
            first, second = await rows_when(looking, 2)
            assert (first.name, first.joinable) == ("Tuesday", True)
            assert (second.name, second.reason) == ("Tuesday", "It speaks protocol 2, this program 1.")
            assert first.table != second.table

    run(main())


@pytest.mark.network
@pytest.mark.parametrize("error", [OSError(19, "No such device"), RuntimeError("No interfaces to listen on")])
def test_discovery_lives_without_multicast(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """FD10: when multicast cannot be used at all the program goes on, says why no table is seen, and closes at once."""

    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr("p2p_hearts.node.discovery.AsyncZeroconf", refuse)

    async def main() -> None:
        async with table("Tuesday"), browser(("192.0.2.7",)) as looking:
            await asyncio.sleep(0.3)
            problem, guest, address, how = looking.why_empty()
            assert problem == f"Tables cannot be found by themselves here: multicast does not work ({error})."
            assert "Guest networks" in guest
            assert "192.0.2.7" in address
            assert "its address or an invitation" in how
            started = time.monotonic()
        assert time.monotonic() - started < 1.0

    run(main())


@pytest.mark.network
def test_no_network_is_said_plainly() -> None:
    """With loopback alone, the empty lobby says that this computer is on no network, as soon as it has looked."""

    async def main() -> None:
        async with browser() as looking:
            assert looking.why_empty() == ()
            await asyncio.sleep(0.3)
            assert looking.why_empty() == ("This computer is on no network; you can still play against bots.",)

    run(main())


@pytest.mark.network
def test_foreign_and_broken_adverts_are_ignored() -> None:
    """Whatever else is announced under our service type breaks nothing and is not shown."""

    async def main() -> None:
        other = zeroconf.asyncio.AsyncZeroconf(interfaces=list(HERE), ip_version=zeroconf.IPVersion.V4Only)
        kind = "_p2p-hearts._tcp.local."
        broken: tuple[dict[str, str | bytes], ...] = ({}, {"v": "1", "id": b"\xff"}, {"v": "1", "name": "\x1b[2J"})
        for number, properties in enumerate(broken):
            name = f"broken{number}.{kind}"
            info = zeroconf.ServiceInfo(
                kind, name, port=1, properties=properties, parsed_addresses=["127.0.0.1"], server=name
            )
            await other.async_register_service(info, cooperating_responders=True)
        try:
            async with browser() as looking, table("Tuesday"):
                (row,) = await rows_when(looking, 1)
                await asyncio.sleep(0.5)
                assert [r.name for r in looking.rows()] == [row.name] == ["Tuesday"]
        finally:
            await other.async_close()

    run(main())


@pytest.fixture
def own_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Host, ...]]:
    """Two machines on one bridge."""
    if reason := why_not():
        pytest.skip(reason)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    with network(2) as hosts:
        yield hosts


@pytest.mark.netns
def test_a_killed_host_goes_and_comes_back(own_network: tuple[Host, ...], tmp_path: Path) -> None:
    """FD4, FD5: a killed host is marked and then gone, and one that was restarted is there anew."""
    host, guest = own_network
    offer = host.command(sys.executable, __file__, "host")
    with running([guest.command(sys.executable, __file__, "browse")], tmp_path, ["guest"]) as (looking,):
        with running([offer], tmp_path, ["host"]):
            assert _wait_for(looking.output, "1 lobby True")
        assert _wait_for(looking.output, "1 silent False")
        assert _wait_for(looking.output, "0\n")
        looking.output.write_text("")
        with running([offer], tmp_path, ["again"]):
            assert _wait_for(looking.output, "1 lobby True")


@pytest.mark.netns
def test_a_table_is_back_after_a_cut(own_network: tuple[Host, ...], tmp_path: Path) -> None:
    """FD18: after seconds without network the table is marked, and joinable again as soon as the network is back."""
    host, guest = own_network
    commands = [guest.command(sys.executable, __file__, "browse"), host.command(sys.executable, __file__, "host")]
    with running(commands, tmp_path, ["guest", "host"]) as (looking, _):
        assert _wait_for(looking.output, "1 lobby True")
        host.unplug()
        assert _wait_for(looking.output, "1 silent False")
        looking.output.write_text("")
        host.plug()
        assert _wait_for(looking.output, "1 lobby True")


def _wait_for(output: Path, text: str, patience_s: float = 7.0) -> bool:
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if text in output.read_text():
            return True
        time.sleep(0.05)
    return False


async def _host() -> None:
    async with table("Tuesday", ()):
        await asyncio.sleep(60)


async def _browse() -> None:
    async with browser(()) as looking:
        while True:
            rows = await looking.updates.get()
            print(len(rows), *(f"{row.state} {row.joinable}" for row in rows), flush=True)  # noqa: T201


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        run(_host() if sys.argv[1] == "host" else _browse())
