"""The station: this program on the network. It owns the sockets, sees the tables around, and opens and joins them.

Law: it sits at one table at a time; without any network it still plays alone. Everything a person can be told about why
something did not work leaves as a `StationError` with the sentence to show."""

import asyncio
import datetime as dt
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from p2p_hearts.node.addresses import (
    DEFAULT_PORT,
    AdapterAddress,
    AddressError,
    Endpoint,
    endpoint_text,
    hosts_of_adapter,
    own_hosts,
    parse_endpoint,
    read_adapters,
)
from p2p_hearts.node.adverts import Advert, host_mark, table_mark
from p2p_hearts.node.discovery import Discovery
from p2p_hearts.node.driver import TableRow
from p2p_hearts.node.guests import Guests
from p2p_hearts.node.hello import HelloError, IdentityCard, answer_question, meet
from p2p_hearts.node.history import HistoryError
from p2p_hearts.node.invitations import Invitation, InvitationError, read_invitation
from p2p_hearts.node.invited import Guest, prove
from p2p_hearts.node.journal import Journal, JournalError
from p2p_hearts.node.keystore import Home
from p2p_hearts.node.node import Node, Pilot
from p2p_hearts.node.reach import why_silent
from p2p_hearts.node.transport.mesh import Transport
from p2p_hearts.node.transport.sockets import CurveKeys, TransportError, make_curve_keys
from p2p_hearts.node.unfinished import Unfinished, note_progress, unfinished_games
from p2p_hearts.protocol.inputs import Invited, Tick
from p2p_hearts.protocol.names import MAX_CHAT, clean
from p2p_hearts.protocol.output import Identity, Output, Setup
from p2p_hearts.protocol.picture import key_mark
from p2p_hearts.protocol.resume import ResumeError, resume_table
from p2p_hearts.protocol.session import Session, host_table, join_table
from p2p_hearts.protocol.stages.lobby import rules_hash, taken
from p2p_hearts.protocol.state import version_of

VERSION = version_of("ristretto255")
_ADDRESS = re.compile(r"\[|[\d.]+:|(\d+\.){3}\d+$")  # what is meant for an address, and is no table's name


class StationError(Exception):
    """The table cannot be opened, found or joined; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where on this computer and its networks the program lives."""

    home: Home
    name: str
    port: int = DEFAULT_PORT
    bind: str | None = None  # an adapter, by its name or one of its addresses


@dataclass(slots=True)
class Station:
    """Made in the event loop it lives in; close it at the end."""

    place: Place
    notices: list[str] = field(default_factory=list)  # sentences for the person, in the order in which they came up
    hosts: tuple[str, ...] = ()
    transport: Transport = field(init=False)
    discovery: Discovery = field(init=False)
    guests: Guests = field(init=False)
    node: Node | None = None
    today: Callable[[], dt.date] = dt.date.today
    _advert: Advert | None = None
    _noted: tuple[int, bool, bool] | None = None  # how far the journal says that the game has come

    def __post_init__(self) -> None:
        """Finds the adapters and begins to look around.

        Raises StationError when there is no such adapter as was asked for.
        """
        adapters = read_adapters()
        try:
            bound = hosts_of_adapter(adapters, self.place.bind) if self.place.bind else ()
        except AddressError as error:
            raise StationError(str(error)) from error
        self.hosts = bound or own_hosts(adapters)
        self.transport = Transport(make_curve_keys())
        self.discovery = Discovery(self._ask, VERSION, bound, self._moved)
        if self.place.home.notice:
            self.notices.append(self.place.home.notice)
        self.guests = Guests(self.place.home, VERSION, secrets.token_bytes, self.today)
        if self.guests.trouble:
            self.notices.append(self.guests.trouble)

    async def host(self, setup: Setup, pilot: Pilot, start_at: int | None) -> Node:
        """Opens a table on this network.

        Raises StationError.
        """
        me = self._open()
        session, output = host_table(setup, me, secrets.token_bytes, asyncio.get_running_loop().time())
        if setup.admit == "private":
            self.guests.invite(self.hosts, self.transport.port)
        return self._seat(session, output, pilot, start_at)

    async def join(self, where: str, pilot: Pilot, patience: float = 5.0, *, watching: bool = False) -> Node:
        """Asks for a seat by an invitation, at an `ADDRESS:PORT`, or at the table of this name or id (of all, if empty) on
        this network; or, if we are `watching`, only to look on.

        Raises StationError.
        """
        try:
            invitation = read_invitation(where)
            endpoints = await self._find(where, patience, watching) if invitation is None else invitation.endpoints
            card, answered_at = await self._meet(endpoints, patience)
        except (HelloError, InvitationError) as error:
            raise StationError(str(error)) from error
        if not card.table:
            raise StationError(f"{card.name} at {endpoint_text(answered_at)} has no table open.")
        if invitation is not None:
            await self._prove(invitation, answered_at, card)
        me = self._open()
        self.transport.dial(card.link, (answered_at, *(e for e in endpoints if e != answered_at)))
        session = join_table(card.table, card.link, me, secrets.token_bytes, watching=watching)
        node = self._seat(session, session.step(Tick(), asyncio.get_running_loop().time()), pilot, None)
        known = self.guests.know(card.identity, card.name)
        node.notice(f"The host is {card.name}, key {key_mark(card.identity)}: {known}.")
        return node

    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games of this person that were not played to their end, the latest first."""
        return unfinished_games(self.place.home.tables)

    async def resume(self, game: Unfinished, pilot: Pilot) -> Node:
        """Goes on with a game from its journal, under the key and at the port by which the others know this program.

        Raises StationError.
        """
        try:
            book = Journal(game.path)
            facts = book.facts()
            keys = CurveKeys(bytes.fromhex(facts["link"]), bytes.fromhex(facts["link_secret"]))
            wanted = int(facts["port"])
            await self.transport.close()
            self.transport = Transport(keys)
            me = self._open(wanted)
            now = asyncio.get_running_loop().time()
            session, output = resume_table(book.records(), me, secrets.token_bytes, now)
        except (JournalError, ResumeError) as error:
            raise StationError(str(error)) from error
        except (KeyError, ValueError) as error:
            raise StationError(f"The journal {game.path} does not say how this program was reached.") from error
        return self._drive(session, output, book, pilot, None)

    def solo(self, setup: Setup, pilot: Pilot) -> Node:
        """A table of one person and bots, without sockets."""
        me = Identity(self.place.home.key, self.place.name, bytes(32), boot=self.place.home.boot)
        session, output = host_table(setup, me, secrets.token_bytes, asyncio.get_running_loop().time())
        self.node = Node(session, None, None, pilot, start_at=setup.seats, changed=self._remember)
        self.node.start(output)
        return self.node

    async def leave(self) -> None:
        """Closes the table at which we sit, and gets ready for another."""
        if self.node is not None:
            self.discovery.withdraw()
            node, self.node, self._advert = self.node, None, None
            self.guests.leave()
            await node.close()
            if node.links is not None:
                self.transport = Transport(make_curve_keys())

    async def close(self) -> None:
        """Leaves the network, in well under two seconds."""
        if self.node is not None:
            await self.node.close()
        await asyncio.gather(self.discovery.close(), self.transport.close())
        self.guests.close()

    def rows(self) -> tuple[TableRow, ...]:
        """The tables on this network."""
        return self.discovery.rows()

    async def _find(self, where: str, patience: float, watching: bool) -> tuple[Endpoint, ...]:  # noqa: FBT001
        """The endpoints of what a person asked to join."""
        try:
            return (parse_endpoint(where),)
        except AddressError as error:
            if _ADDRESS.match(where.strip()):
                raise StationError(str(error)) from error
        end = asyncio.get_running_loop().time() + patience
        while True:
            rows = [row for row in self.rows() if where in ("", row.name, row.table, row.address)]
            open_rows = [row for row in rows if row.joinable or (watching and row.state in ("lobby", "playing"))]
            if open_rows:
                return self.discovery.endpoints(open_rows[0].table)
            left = end - asyncio.get_running_loop().time()
            if left <= 0:
                raise StationError(_not_found(where, rows, self.discovery.why_empty()))
            await asyncio.sleep(min(0.1, left))

    async def _meet(self, endpoints: tuple[Endpoint, ...], patience: float) -> tuple[IdentityCard, Endpoint]:
        """Says hello again until somebody answers: a host that many ask at once drops questions.

        Raises HelloError.
        """
        end = asyncio.get_running_loop().time() + patience
        while True:
            try:
                return await meet(self._ask, endpoints, VERSION, secrets.token_bytes)
            except HelloError as error:
                if error.version is not None:
                    raise
                if asyncio.get_running_loop().time() >= end:
                    if not error.silent or not endpoints:
                        raise
                    raise HelloError(await why_silent(endpoints[0], read_adapters())) from error

    def _open(self, wanted: int | None = None) -> Identity:
        """Opens the sockets, at the port that is wanted if it is free, and says who we are with them.

        Raises StationError.
        """
        home = self.place.home
        wanted = wanted or self.place.port
        try:
            bound = self.hosts if self.place.bind else ()
            port = self.transport.open(wanted, bound, self._hello)
        except TransportError as error:
            raise StationError(str(error)) from error
        if port != wanted:
            self.notices.append(f"Port {wanted} is taken, so this program listens at port {port}.")
        return Identity(home.key, self.place.name, self.transport.keys.public, self.hosts, port, home.boot)

    def _seat(self, session: Session, output: Output, pilot: Pilot, start_at: int | None) -> Node:
        keys = self.transport.keys
        try:
            book = Journal(_journal_path(self.place.home.tables, session.lobby_id))
            book.note(link=keys.public.hex(), link_secret=keys.secret.hex(), port=str(self.transport.port))
        except JournalError as error:
            raise StationError(str(error)) from error
        return self._drive(session, output, book, pilot, start_at)

    def _drive(self, session: Session, output: Output, book: Journal, pilot: Pilot, start_at: int | None) -> Node:
        self._noted = None
        self.node = Node(
            session, self.transport, book, pilot, start_at, self._announce, self._invite, self.guests.aside
        )
        self.node.start(output)
        return self.node

    def _moved(self, adapters: tuple[AdapterAddress, ...]) -> tuple[str, ...]:
        """Goes on at the addresses that there are now; returns those of the adapter that was asked for."""
        bound: tuple[str, ...] = ()
        if self.place.bind:
            with suppress(AddressError):  # it is gone; it may come back
                bound = hosts_of_adapter(adapters, self.place.bind)
            bound = bound or self.hosts
        before, self.hosts = self.hosts, bound or own_hosts(adapters)
        if self.node is not None and self.node.links is not None and _lasting(self.hosts) != _lasting(before):
            if self.place.bind:
                self.transport.listen_at(bound)
            self.transport.redial()
        return bound

    def _look_for_others(self) -> None:
        """Where others announce our table now is tried, too: all may have moved, to a new Wi-Fi or to another evening."""
        room = None if self.node is None else self.node.session.table.lobby
        if self.node is None or room is None:
            return
        for peer in self.node.session.contacts():
            if endpoints := self.discovery.endpoints(table_mark(room.table), host_mark(room.table, peer.identity)):
                self.transport.hint(peer.link, endpoints)

    async def _ask(self, endpoint: Endpoint, question: bytes, patience: float) -> bytes | None:
        return await self.transport.ask(endpoint, question, patience)

    def _hello(self, question: bytes) -> bytes | None:
        """The answer to somebody who asks who we are, or proves an invitation; only who announces a table has one to join."""
        home, node = self.place.home, self.node
        table = node.session.lobby_id if node is not None and _speaks_for_table(node.session) else b""
        card = IdentityCard(table, home.key.public, self.transport.keys.public, self.place.name)
        answer = answer_question(question, VERSION, card, home.key)
        return answer or self._receive(question, card)

    def _receive(self, question: bytes, card: IdentityCard) -> bytes | None:
        """The answer to a question about an invitation; who proves it is let in, and of who fails the host hears."""
        reply = self.guests.receive(question, card, asyncio.get_running_loop().time())
        if self.node is not None and reply.proved is not None:
            self.node.hand(Invited(reply.proved.identity))
        if self.node is not None and reply.failed is not None:
            self.node.notice(f"{reply.failed.name} tried to come in by an invitation that is not yours.")
        return reply.answer

    async def _prove(self, invitation: Invitation, endpoint: Endpoint, card: IdentityCard) -> None:
        """Proves an invitation to the host behind a card.

        Raises StationError.
        """
        key = self.place.home.key
        guest = Guest(key.public, self.transport.keys.public, self.place.name)
        try:
            await prove(self._ask, endpoint, invitation, card, key, guest, VERSION, secrets.token_bytes)
        except HelloError as error:
            raise StationError(str(error)) from error

    def _invite(self, opens: bool) -> str:  # noqa: FBT001 - a callback of the node
        """Opens a new invitation or closes it; what came of it, in a sentence."""
        if not opens:
            self.guests.uninvite()
            return "The invitation is closed: nobody can come in by it any more."
        node = self.node
        room = None if node is None else node.session.table.lobby
        if node is None or room is None or room.host != node.session.author:
            return "Only the host can invite people."
        if node.session.table.game is not None:
            return "The game has begun: nobody can come in any more."
        if not self.hosts:
            return "This computer is on no network, so nobody could come."
        renewed = self.guests.shown is not None
        shown = self.guests.invite(self.hosts, self.transport.port)
        beginning = "A new invitation; the old one is worth nothing any more" if renewed else "An invitation"
        return f"{beginning}: {shown.words or shown.text}"

    def _note(self, node: Node) -> None:
        """Notes in the journal how far the game has come, whenever it has come further."""
        table, me = node.session.table, node.session.author.identity
        left = me in table.left
        reached = (table.number, table.over, left)
        if table.game is None or reached == self._noted or not isinstance(node.book, Journal):
            return
        self._noted = reached
        try:
            note_progress(node.book, table, me, left=left, now=dt.datetime.now().astimezone())
        except JournalError as error:
            node.notice(str(error))

    def _remember(self, node: Node) -> None:
        """Writes down a game that has just ended."""
        try:
            self.guests.remember(node.session.table, node.pilot.autoplay)
        except HistoryError as error:
            node.notice(str(error))

    def _announce(self, node: Node) -> None:
        """Keeps the advert true: one program advertises a table, its host if it can."""
        session = node.session
        self._remember(node)
        self._note(node)
        room = session.table.lobby
        self.transport.strangers_welcome = not session.table.over
        self._look_for_others()
        if room is None or not _speaks_for_table(session) or session.problem is not None or not self.hosts:
            self.discovery.withdraw()
            self._advert = None
            self.guests.uninvite()
            return
        if session.table.game is not None:
            self.guests.uninvite()
        identity, game = session.author.identity, session.table.game
        advert = Advert(
            protocol=VERSION,
            table=table_mark(room.table),
            host_mark=host_mark(room.table, identity),
            name=room.title,
            host=next((peer.name for peer in room.peers if peer.identity == identity), self.place.name),
            seats=room.seats,
            taken=min(taken(room), room.seats) if game is None else sum(seat.bot is None for seat in game.seats),
            state="over" if session.table.over else "lobby" if session.table.game is None else "playing",
            preset=room.preset,
            rules_hash=rules_hash(room),
            private=session.setup is not None and session.setup.admit == "private",
        )
        if advert != self._advert:
            self._advert = advert
            self.discovery.advertise(advert, self.transport.port)


def _speaks_for_table(session: Session) -> bool:
    """Whether it is for us to say that there is this table: for its host, and in a running game also for whoever has a link to
    nobody that sat down before, so that players who have lost each other, and their host, find together again."""
    room, game = session.table.lobby, session.table.game
    if room is None or room.host == session.author:
        return room is not None
    order = [] if game is None or session.table.over else [peer.identity for peer in game.peers]
    me = session.author.identity
    if game is None or me not in order:
        return False
    return not any(peer.link in session.post.gossip.linked for peer in game.peers[: order.index(me)])


def _lasting(hosts: tuple[str, ...]) -> frozenset[str]:
    """The addresses whose change means that we are elsewhere: those of IPv6 change from hour to hour, to be private."""
    return frozenset(host for host in hosts if ":" not in host) or frozenset(hosts)


def _journal_path(tables: Path | None, table: bytes) -> Path | None:
    """One file a table and start, so that a table joined again never meets the log of an earlier incarnation."""
    return None if tables is None else tables / f"{table.hex()[:16]}-{secrets.token_hex(4)}.sqlite"


def _not_found(where: str, rows: list[TableRow], reasons: tuple[str, ...]) -> str:
    where = clean(where, MAX_CHAT)
    if rows:
        return f"The table “{rows[0].name}” cannot be joined: {rows[0].reason.rstrip('.') or 'it does not answer'}."
    what = f"no table called “{where}”" if where else "no table"
    return f"There is {what} on this network. {' '.join(reasons)}".strip()
