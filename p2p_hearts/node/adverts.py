"""What a host tells the network of its table: the TXT fields of its DNS-SD instance, read and written.

Anybody can announce anything, so an advert is a hint: names are cleaned at this door, numbers bounded, and who really
answers is found out by hello. The law: neither the identity nor the id of the table is sent, only hashes of them, and
that of the identity is mixed with the table's, so that nobody is recognised from one Wi-Fi to the next.
Source: RFC 6763 (DNS-SD) section 6: keys of at most nine letters, an item of at most 255 bytes.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from p2p_hearts.node.hello import IdentityCard
from p2p_hearts.protocol.names import clean

SERVICE_TYPE = "_p2p-hearts._tcp.local."
STATES = ("lobby", "playing", "over")
MAX_SEATS = 11

_MARK_BYTES = 16
_MARK = re.compile(r"[0-9a-f]{32}")
_RULES = re.compile(r"[0-9a-f]{8,64}")
_WORD = re.compile(r"[a-z0-9][a-z0-9._+/-]{0,31}")


class AdvertError(ValueError):
    """The TXT fields are not those of a table of ours."""


@dataclass(frozen=True, slots=True)
class Advert:
    """One table as its host announces it."""

    protocol: str
    table: str  # hex, `table_mark` of its id
    host_mark: str  # hex, `host_mark` of the identity
    name: str
    host: str
    seats: int
    taken: int
    state: str
    preset: str
    rules_hash: str
    private: bool = False  # only invited people may sit down


def table_mark(table: bytes) -> str:
    """How a table is named in public: a hash of its id, 32 hexadecimal digits."""
    return _mark(b"table", table)


def host_mark(table: bytes, identity: bytes) -> str:
    """How a host is named in public, differently at every table."""
    return _mark(b"host", table, identity)


def fits(advert: Advert, card: IdentityCard) -> bool:
    """Whether who answered hello is the host of the advertised table."""
    return advert.table == table_mark(card.table) and advert.host_mark == host_mark(card.table, card.identity)


def encode_txt(advert: Advert) -> dict[str, str]:
    """The TXT fields, about 200 bytes."""
    private = {"admit": "private"} if advert.private else {}
    return {
        "v": advert.protocol,
        "id": advert.table,
        "host": advert.host_mark,
        "name": advert.name,
        "by": advert.host,
        "seats": str(advert.seats),
        "taken": str(advert.taken),
        "state": advert.state,
        "preset": advert.preset,
        "rules": advert.rules_hash,
        **private,
    }


def decode_txt(properties: Mapping[bytes, bytes | None]) -> Advert:
    """The advert in TXT fields; unknown fields are ignored, so that later versions may add some.

    Raises:
        AdvertError: a field is missing or not what it must be.
    """
    seats = _number(properties, b"seats", MAX_SEATS)
    return Advert(
        protocol=_matching(properties, b"v", _WORD),
        table=_matching(properties, b"id", _MARK),
        host_mark=_matching(properties, b"host", _MARK),
        name=clean(_text(properties, b"name")) or "?",
        host=clean(_text(properties, b"by")) or "?",
        seats=seats,
        taken=_number(properties, b"taken", seats),
        state=_matching(properties, b"state", re.compile("|".join(STATES))),
        preset=_matching(properties, b"preset", _WORD),
        rules_hash=_matching(properties, b"rules", _RULES),
        private=properties.get(b"admit") == b"private",
    )


def _text(properties: Mapping[bytes, bytes | None], key: bytes) -> str:
    value = properties.get(key)
    if value is None:
        raise AdvertError(f"no field {key!r}")
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise AdvertError(f"field {key!r} is no UTF-8: {value!r}") from error


def _matching(properties: Mapping[bytes, bytes | None], key: bytes, pattern: re.Pattern[str]) -> str:
    text = _text(properties, key)
    if not pattern.fullmatch(text):
        raise AdvertError(f"field {key!r} may not be {text!r}")
    return text


def _number(properties: Mapping[bytes, bytes | None], key: bytes, most: int) -> int:
    text = _matching(properties, key, re.compile("[0-9]{1,2}"))
    if int(text) > most:
        raise AdvertError(f"field {key!r} is {text}, more than {most}")
    return int(text)


def _mark(kind: bytes, *parts: bytes) -> str:
    """A hash that no other kind shares; every part has a fixed length of 32 bytes."""
    return hashlib.sha256(b"p2p-hearts " + kind + b"\x00" + b"".join(parts)).digest()[:_MARK_BYTES].hex()
