"""Cheats of the lobby: at the door, and by the host about the roster, the rules and the start."""

from dataclasses import replace

from p2p_hearts.crypto.signature import SigningKey, make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.codec import unpack
from p2p_hearts.protocol.envelope import SIGNATURE_BYTES, Entry, Tag, open_signed, seal_signed
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.fields import parse
from p2p_hearts.protocol.messages import AdmitPeer, Agree, Bots, Choice, Dismiss, Join, Kind, Propose, Rules, Succeed
from p2p_hearts.simulation.adversary.cheat import Nothing, Outside, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways

HIDDEN_TURN = "\u202eevE"  # turns the text around that follows it on a line
PUPPET = make_signing_key(seeded(b"a key that the cheater has made for nobody"))


def _full(liar: Liar) -> bool:
    """Whether all who are to play are at the table; only then can all see what the host does."""
    return len(liar.session.table.peers) == 1 + len(liar.others)


def _after_the_last(liar: Liar, body: AdmitPeer, *more: AdmitPeer | Bots | Rules | Dismiss) -> Words:
    return (body, *more) if _full(liar) else (body,)


def _join(
    liar: Liar, *, key: SigningKey = PUPPET, name: str = "Puppet", link: bytes = bytes(32), table: bytes | None = None
) -> AdmitPeer:
    """The admission of somebody that the cheater has made up; `key` signs, the name on it is the puppet's."""
    where = liar.session.lobby_id if table is None else table
    join = Join(liar.session.version, where, PUPPET.public, bytes(8), name, link, (), 0, 0)
    return AdmitPeer(seal_signed(key, join))


def seat_twice(liar: Liar, body: AdmitPeer) -> Words:
    """The last guest is seated a second time."""
    return _after_the_last(liar, body, body)


def seat_unasked(liar: Liar, body: AdmitPeer) -> Words:
    """Somebody is seated by a request that it has not signed."""
    return _after_the_last(liar, body, _join(liar, key=liar.session.me.key))


def seat_from_elsewhere(liar: Liar, body: AdmitPeer) -> Words:
    """Somebody is seated by a request for another table."""
    return _after_the_last(liar, body, _join(liar, table=bytes(range(32))))


def seat_on_a_link(liar: Liar, body: AdmitPeer) -> Words:
    """Somebody is seated with the link key of another."""
    return _after_the_last(liar, body, _join(liar, link=liar.session.me.link))


def seat_a_bad_name(liar: Liar, body: AdmitPeer) -> Words:
    """Somebody is seated whose name turns the text around."""
    return _after_the_last(liar, body, _join(liar, name=HIDDEN_TURN))


def too_many_bots(liar: Liar, body: AdmitPeer) -> Words:
    """Ten bots sit down beside two peers or more."""
    return _after_the_last(liar, body, Bots(("uniform",) * 10))


def unknown_bot(liar: Liar, body: AdmitPeer) -> Words:
    """A bot sits down that no program knows how to play."""
    return _after_the_last(liar, body, Bots(("all-seeing",)))


def unknown_rules(liar: Liar, body: AdmitPeer) -> Words:
    """Rules that do not exist."""
    return _after_the_last(liar, body, Rules("host_wins", ()))


def dismiss_itself(liar: Liar, body: AdmitPeer) -> Words:
    """The host takes itself off the roster, and the table with it."""
    return _after_the_last(liar, body, Dismiss(liar.me))


def open_twice(liar: Liar, body: AdmitPeer) -> Words:
    """The table is opened a second time."""
    return (body, liar.entries[0].body) if _full(liar) else (body,)


def another_lobby(_liar: Liar, body: Propose) -> Words:
    """A proposal to start with a lobby that nobody sees."""
    return (replace(body, lobby=other(body.lobby)),)


def other(value: bytes) -> bytes:
    """A value that differs in one bit."""
    return bytes((value[0] ^ 1,)) + value[1:]


def another_draw(_liar: Liar, body: Choice) -> Words:
    """The host ends hand 0 with another draw than the nonces give."""
    value = replace(body.value, result=other(body.value.result))
    return (replace(body, value=value),) if body.hand == 0 else (body,)


def start_without_one(_liar: Liar, body: Choice) -> Words:
    """The host ends hand 0 with a peer left out."""
    value = replace(body.value, members=body.value.members[:-1])
    return (replace(body, value=value),) if body.hand == 0 else (body,)


def start_taken_back(_liar: Liar, body: Choice) -> Words:
    """Having ended hand 0, the host changes the lobby, so that the start is void for whoever hears of it in time."""
    return (body, Bots(())) if body.hand == 0 else (body,)


def bad_name(liar: Liar) -> Ways:
    """A request to join under a name that turns the text around."""

    def outside(frame: bytes) -> bytes:
        if frame[0] != Tag.JOIN:
            return frame
        liar.lied = True
        join = parse(Join, unpack(frame[1:-SIGNATURE_BYTES]))
        return seal_signed(liar.session.me.key, replace(join, name=HIDDEN_TURN))

    return Ways(outside=outside)


def borrowed_link(liar: Liar) -> Ways:
    """A request to join with the link key of somebody else, whose frames would then be taken for the cheater's."""

    def outside(frame: bytes) -> bytes:
        if frame[0] != Tag.JOIN:
            return frame
        liar.lied = True
        join = open_signed(frame)
        assert isinstance(join, Join)
        return seal_signed(liar.session.me.key, replace(join, link=next(iter(liar.others.values())).me.link))

    return Ways(outside=outside)


def host_entries(liar: Liar) -> Ways:
    """A guest writes what only the host may: it sends the host away and fills the table with bots."""

    def change(entry: Entry) -> Words:
        room = liar.session.table.lobby
        if not liar.lied and room is not None:
            liar.lied = True
            for body in (Dismiss(room.host.identity), Bots(("uniform",) * 4)):
                liar.session._write(body)  # noqa: SLF001 - so that the program goes on from there
        return (entry.body,)

    return Ways(change)


def usurp(liar: Liar, body: Agree) -> Words:
    """A guest makes itself host although the host is there."""
    room = liar.session.table.lobby
    assert room is not None
    return (Succeed(room.number + 1, room.host.identity, room.seq, room.head), body)


CHEATS = (
    acting(bad_name, "P42", Outside()),
    acting(borrowed_link, "P41", Outside()),
    acting(host_entries, "P46", Nothing()),
    lying(usurp, Kind.AGREE, "P48", Outside()),
    lying(seat_twice, Kind.ADMIT, "P43", by(Fault.MALFORMED), hosts=True),
    lying(seat_unasked, Kind.ADMIT, "P43", by(Fault.MALFORMED), hosts=True),
    lying(seat_from_elsewhere, Kind.ADMIT, "P43", by(Fault.MALFORMED), hosts=True),
    lying(seat_on_a_link, Kind.ADMIT, "P43", by(Fault.MALFORMED), hosts=True),
    lying(seat_a_bad_name, Kind.ADMIT, "P37", by(Fault.MALFORMED), hosts=True),
    lying(too_many_bots, Kind.ADMIT, "P43", by(Fault.MALFORMED), hosts=True),
    lying(unknown_bot, Kind.ADMIT, "P46", by(Fault.MALFORMED), hosts=True),
    lying(unknown_rules, Kind.ADMIT, "P46", by(Fault.MALFORMED), hosts=True),
    lying(dismiss_itself, Kind.ADMIT, "P47", by(Fault.OUT_OF_PHASE), hosts=True),
    lying(open_twice, Kind.ADMIT, "P40", by(Fault.OUT_OF_PHASE), hosts=True),
    lying(another_lobby, Kind.PROPOSE, "P50", by(Fault.WRONG_HEADS), hosts=True),
    lying(another_draw, Kind.CHOICE, "P56", by(Fault.WRONG_RESULT), hosts=True),
    lying(start_without_one, Kind.CHOICE, "P56", by(Fault.WRONG_RESULT), hosts=True),
    lying(start_taken_back, Kind.CHOICE, "P46", by(Fault.OUT_OF_PHASE), hosts=True),
)
