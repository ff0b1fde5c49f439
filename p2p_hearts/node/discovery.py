"""Finding tables on this network, and being found: DNS-SD over multicast DNS, as in `protocol/discovery.md`.

Only hosts advertise, under a random instance name; names to show are in TXT, so no two can clash. Every row is asked
hello again and again. Where multicast gets through in one direction only, the table is found all the same: a host repeats
its announcement for those it cannot hear, and a guest asks for an answer to itself alone.

The law: whatever multicast does, the program lives: a network that refuses it is a sentence in `problem` and a new attempt
every few seconds, and closing never waits for it longer than half a second. Source: RFC 6762, sections 5.4 and 8.3.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

import zeroconf
from zeroconf import DNSOutgoing, DNSQuestion  # type: ignore[attr-defined]  # public, if not in its __all__
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_hearts.node.addresses import (
    MAX_ADDRESSES,
    AdapterAddress,
    Endpoint,
    own_hosts,
    read_adapters,
    usable_host,
)
from p2p_hearts.node.adverts import SERVICE_TYPE, Advert, AdvertError, decode_txt, encode_txt, fits
from p2p_hearts.node.driver import TableRow
from p2p_hearts.node.hello import PATIENCE_S, Ask, HelloError, meet
from p2p_hearts.node.reach import ALONE, why_empty
from p2p_hearts.node.sightings import Sighting, answered, due, endpoints_at, endpoints_of, part, sight, table_rows, tidy

ADAPTERS_S = 5.0  # between two looks at the adapters
SETTLE_S = 1.0  # a change must stand so long before we act on it: a Wi-Fi comes and goes several times when it wakes
EMPTY_S = 10.0  # of silence before we offer reasons
REPEAT_S = 5.0  # between two announcements, and between two questions; so much less than EMPTY_S that one may be lost

_TICK_S = 0.25
_RESOLVE_MS = 3000
_RESOLVES, _TASKS = 8, 200  # at once, and in all; a flood of announcements costs us no more
_GOODBYE_S = 0.5
_PTR, _IN = 12, 1  # of a DNS question
_MDNS_ERRORS = (OSError, zeroconf.Error, TimeoutError, RuntimeError)  # the last when no adapter has an address


class Discovery:
    """The tables on this network and, for a host, its own among them. Made inside the event loop it lives in."""

    def __init__(
        self,
        ask: Ask,
        protocol: str,
        hosts: Sequence[str] = (),
        moved: Callable[[tuple[AdapterAddress, ...]], Sequence[str]] | None = None,
    ) -> None:
        """`hosts`: the addresses of the only adapter to use; all adapters when empty. `moved` is told when the adapters
        have changed, and returns what `hosts` is from now on."""
        self.updates: asyncio.Queue[tuple[TableRow, ...]] = asyncio.Queue(maxsize=1)
        self.problem = ""  # why multicast does not work here, in a sentence
        self._ask = ask
        self._protocol = protocol
        self._bound = tuple(hosts)
        self._moved = moved
        self._loop = asyncio.get_running_loop()
        self._opened_at = self._loop.time()
        self._sightings: dict[str, Sighting] = {}
        self._instance = f"{secrets.token_hex(8)}.{SERVICE_TYPE}"
        self._advert: Advert | None = None
        self._port = 0
        self._published: tuple[Advert, tuple[str, ...]] | None = None
        self._registered = False  # with zeroconf, which refuses to hear of one table twice
        self._repeated_at = self._opened_at
        self._adapters: tuple[AdapterAddress, ...] = ()
        self._mdns: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._announcing: Awaitable[Any] | None = None
        self._resolving = asyncio.Semaphore(_RESOLVES)
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_rows: tuple[TableRow, ...] = ()
        self._start(self._watch())
        self._start(self._tick_forever())

    def advertise(self, advert: Advert, port: int) -> None:
        """Announce this table from now on, or its new state; it is sent within a second."""
        self._advert, self._port = advert, port

    def withdraw(self) -> None:
        """Announce nothing any more."""
        self._advert = None

    def rows(self) -> tuple[TableRow, ...]:
        """The tables as they are now, joinable ones first."""
        return table_rows(self._sightings, self._protocol, self._loop.time())

    def endpoints(self, table: str, host: str = "") -> tuple[Endpoint, ...]:
        """Where the host of a row may be reached, or whoever announces its table under another mark; the address that
        answered last first."""
        now = self._loop.time()
        return endpoints_at(self._sightings, table, host, now) if host else endpoints_of(self._sightings, table, now)

    def why_empty(self) -> tuple[str, ...]:
        """Likely reasons, in sentences, why no table is seen; empty while there are some or it is too early to say."""
        if self._sightings:
            return ()
        hosts = self._own_hosts()
        if self._adapters and all(host.startswith("127.") or host == "::1" for host in hosts):
            return (ALONE,)
        if not self.problem and self._loop.time() - self._opened_at < EMPTY_S:
            return ()
        return why_empty(hosts, self.problem)

    async def close(self) -> None:
        """Say goodbye and stop, within half a second whatever the network does."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*_MDNS_ERRORS):
            await asyncio.wait_for(self._stop(), _GOODBYE_S)

    # Multicast: opened, reopened, and fed with what is to be announced.

    async def _watch(self) -> None:
        """Follow the adapters: open when there is one, reconcile after a change that stands."""
        first = True
        while True:
            adapters = await self._loop.run_in_executor(None, read_adapters)
            if adapters != self._adapters and not first:
                await asyncio.sleep(SETTLE_S)
                if adapters == await self._loop.run_in_executor(None, read_adapters):
                    self._adapters = adapters
                    if self._moved is not None:
                        self._bound = tuple(self._moved(adapters))
                    await self._reconcile()
                continue
            self._adapters, first = adapters, False
            if self._mdns is None:
                await self._open()
            await asyncio.sleep(ADAPTERS_S)

    async def _open(self) -> None:
        interfaces, version = self._scope()
        try:
            self._mdns = AsyncZeroconf(interfaces=interfaces, ip_version=version)
            self._browser = AsyncServiceBrowser(self._mdns.zeroconf, SERVICE_TYPE, handlers=[self._on_change])
        except _MDNS_ERRORS as error:
            self.problem = f"Tables cannot be found by themselves here: multicast does not work ({error})."
            await self._stop()
        else:
            self.problem = ""

    async def _reconcile(self) -> None:
        """Use the adapters that are there now, and announce the addresses we have now."""
        self._published = None
        if self._mdns is None:
            return
        try:
            await self._mdns.async_update_interfaces(*self._scope())
        except _MDNS_ERRORS as error:
            self.problem = f"Multicast does not work after a change of the network ({error})."
            await self._stop()

    def _scope(self) -> tuple[list[str] | zeroconf.InterfaceChoice, zeroconf.IPVersion]:
        """Which adapters to use, and how: IPv4, which every mDNS speaks, unless there is only IPv6."""
        hosts = self._own_hosts()
        six = bool(hosts) and all(":" in host for host in hosts)
        bound = [host for host in self._bound if (":" in host) == six]
        return bound or zeroconf.InterfaceChoice.All, zeroconf.IPVersion.V6Only if six else zeroconf.IPVersion.V4Only

    async def _stop(self) -> None:
        mdns, browser = self._mdns, self._browser
        self._mdns = self._browser = self._published = None
        self._registered = False
        self._hush()
        if browser is not None:
            await browser.async_cancel()
        if mdns is not None:
            await mdns.async_unregister_all_services()
            await mdns.async_close()

    async def _publish(self) -> None:
        """Bring what is announced in line with what is to be announced."""
        if self._mdns is None:
            return
        wanted = None if self._advert is None else (self._advert, self._own_hosts())
        if wanted == self._published:
            return
        self._published = wanted
        self._hush()
        try:
            if wanted is None:
                self._registered = False
                await self._mdns.async_unregister_all_services()
            elif not self._registered:
                self._registered = True
                # a random name clashes with nobody, so we need not ask for 0.75 s whether it does
                info = self._info(*wanted)
                self._announcing = await self._mdns.async_register_service(info, cooperating_responders=True)
            else:
                self._announcing = await self._mdns.async_update_service(self._info(*wanted))
        except _MDNS_ERRORS as error:
            self.problem = f"This table cannot be announced: {error}."
            with contextlib.suppress(*_MDNS_ERRORS):
                await self._stop()  # `_watch` opens it anew

    def _repeat(self) -> None:
        """Announce and ask again. A table is announced to all, since some may hear and not be heard; the answer to our
        question is to come to us alone, since we may be heard and not hear what is said to all."""
        if self._mdns is None or self._loop.time() - self._repeated_at < REPEAT_S:
            return
        self._repeated_at = self._loop.time()
        question = DNSQuestion(SERVICE_TYPE, _PTR, _IN)
        question.unicast = True
        asking = DNSOutgoing(0)
        asking.add_question(question)
        self._mdns.zeroconf.async_send(asking)
        if self._published is not None:
            again = self._mdns.zeroconf.generate_service_broadcast(self._info(*self._published), None)
            self._mdns.zeroconf.async_send(again)

    def _hush(self) -> None:
        """Stop repeating the last announcement, which zeroconf does for a second."""
        if isinstance(self._announcing, asyncio.Future):
            self._announcing.cancel()
        self._announcing = None

    def _info(self, advert: Advert, hosts: Sequence[str]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE_TYPE,
            self._instance,
            port=self._port,
            properties=dict(encode_txt(advert)),
            parsed_addresses=list(hosts),
            server=self._instance,  # registering would set just this, updating fails without
        )

    def _own_hosts(self) -> tuple[str, ...]:
        return self._bound or own_hosts(self._adapters)

    # Rows: announced, resolved, asked.

    def _on_change(
        self, zeroconf: zeroconf.Zeroconf, service_type: str, name: str, state_change: zeroconf.ServiceStateChange
    ) -> None:
        """Called by zeroconf in the event loop. A restarted program may appear as updated, never as added."""
        del zeroconf, service_type
        if name == self._instance:
            return
        if state_change.name == "Removed":
            self._sightings = part(self._sightings, name)
        elif len(self._tasks) < _TASKS:
            self._start(self._resolve(name))

    async def _resolve(self, name: str) -> None:
        async with self._resolving:
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            if self._mdns is None or not await info.async_request(self._mdns.zeroconf, _RESOLVE_MS):
                return
            hosts = [host for host in info.parsed_addresses() if usable_host(host)]
            try:
                advert = decode_txt(info.properties)
            except AdvertError:
                return
            if hosts and info.port is not None and 0 < info.port < 65535:  # noqa: PLR2004 - hello is on the next one
                endpoints = tuple(Endpoint(host, info.port) for host in hosts[:MAX_ADDRESSES])
                self._sightings = sight(self._sightings, name, advert, endpoints, self._loop.time())
                self._probe_due()

    async def _tick_forever(self) -> None:
        while True:
            self._sightings = tidy(self._sightings, self._loop.time())
            self._probe_due()
            await self._publish()
            self._repeat()
            self._tell()
            await asyncio.sleep(_TICK_S)

    def _probe_due(self) -> None:
        now = self._loop.time()
        for sighting in due(self._sightings, now):
            self._sightings[sighting.instance] = replace(sighting, asked_at=now)
            self._start(self._probe(sighting))

    async def _probe(self, sighting: Sighting) -> None:
        """Ask the host hello, first where it answered last, then everywhere."""
        version = None
        first = () if sighting.answered_by is None else (sighting.answered_by,)
        where = None
        for endpoints in (first, sighting.endpoints):
            if not endpoints:
                continue
            try:
                card, where = await meet(self._ask, endpoints, self._protocol, secrets.token_bytes, PATIENCE_S)
            except HelloError as error:
                version, where = error.version, endpoints[0] if error.version else None
            else:
                if not fits(sighting.advert, card):
                    where = None
            if where is not None:
                break
        known = self._sightings.get(sighting.instance)
        if known is not None and where is not None:
            self._sightings[sighting.instance] = answered(known, where, version, self._loop.time())
            self._tell()

    def _tell(self) -> None:
        """Put the rows into `updates` if they have changed, in place of rows nobody has looked at."""
        rows = self.rows()
        if [replace(row, age_s=0.0) for row in rows] == [replace(row, age_s=0.0) for row in self._last_rows]:
            return
        self._last_rows = rows
        if self.updates.full():
            self.updates.get_nowait()
        self.updates.put_nowait(rows)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
