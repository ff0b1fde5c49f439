"""A finished game as one file: a header, the entries in the order of acceptance, and a hash over all before.

Law: every byte of the file is under the hash, so that a truncated or changed file is always found; nothing in the header
is needed to check the game, it only says what the entries hold (`protocol/export.md`)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from p2p_hearts.hearts.options import options_dict
from p2p_hearts.protocol.codec import MAX_FRAME, pack, unpack
from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.state import Game

MAGIC = b"p2p-hearts game\n"  # so that whoever looks into the file reads what it is
FORMAT = 1
SUM_BYTES = 32  # SHA-256, which everybody has a tool for: `head -c -32 FILE | sha256sum`
MAX_ROSTER, MAX_OPTIONS = 11, 64
_FORMAT_BYTES, _LENGTH_BYTES = 2, 4


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says about itself. `roster` is in joining order; options are by name."""

    protocol: str
    roster: tuple[tuple[bytes, str], ...]  # identity and name
    options: tuple[tuple[str, object], ...]
    entries: int


@dataclass(frozen=True, slots=True)
class GameFile:
    """A file taken apart. `flaw` says what is wrong with it as a file, in a clause, or is None."""

    header: Header | None  # None when it cannot be read
    frames: tuple[bytes, ...]  # as many as are whole
    flaw: str | None


def header_of(version: str, game: Game, entries: int) -> Header:
    """The header that belongs to a game."""
    options = tuple(sorted((key, _plain(value)) for key, value in options_dict(game.options).items()))
    return Header(version, tuple((peer.identity, peer.name) for peer in game.peers), options, entries)


def encode_game(version: str, game: Game, entries: Sequence[Entry]) -> bytes:
    """The file of a game."""
    header = header_of(version, game, len(entries))
    packed = pack((header.protocol, header.roster, header.options, header.entries))
    parts = [MAGIC, FORMAT.to_bytes(_FORMAT_BYTES, "big"), _sized(packed), *(_sized(entry.frame) for entry in entries)]
    return summed(b"".join(parts))


def summed(content: bytes) -> bytes:
    """The file with this content: the hash is put behind it."""
    return content + hashlib.sha256(content).digest()


def decode_game(data: bytes) -> GameFile:
    """The parts of a file, as far as they can be read.

    Raises MalformedError when it is no exported game, or one of another format.
    """
    start = len(MAGIC) + _FORMAT_BYTES
    if not data.startswith(MAGIC) or len(data) < start:
        raise MalformedError("it is no exported game")
    number = int.from_bytes(data[len(MAGIC) : start], "big")
    if number != FORMAT:
        raise MalformedError(f"it is an exported game of format {number}, this program reads format {FORMAT}")
    content = data[:-SUM_BYTES]
    intact = len(data) >= start + SUM_BYTES and summed(content) == data
    flaw = None if intact else "it was cut off or changed: the hash at its end does not fit"
    parts, whole = _split(content[start:])
    header = None
    if parts:
        try:
            header = _header(unpack(parts[0]))
        except MalformedError as error:
            flaw = flaw or f"its header cannot be read: {error}"
    if flaw is None and not (whole and header is not None and header.entries == len(parts) - 1):
        flaw = "it does not hold as many whole entries as its header says"
    return GameFile(header, tuple(parts[1:]), flaw)


def _sized(part: bytes) -> bytes:
    return len(part).to_bytes(_LENGTH_BYTES, "big") + part


def _split(content: bytes) -> tuple[list[bytes], bool]:
    """The parts that are whole, and whether nothing else is there."""
    parts: list[bytes] = []
    at = 0
    while at < len(content):
        start = at + _LENGTH_BYTES
        size = int.from_bytes(content[at:start], "big")
        if size > MAX_FRAME or start + size > len(content):
            return parts, False
        parts.append(content[start : start + size])
        at = start + size
    return parts, True


def _header(value: object) -> Header:
    match value:
        case (str(protocol), tuple(roster), tuple(options), int(entries)):
            pass
        case _:
            raise MalformedError("it must be a list of four fields")
    if len(roster) > MAX_ROSTER or not all(_is_pair(item, bytes) and isinstance(item[1], str) for item in roster):
        raise MalformedError("its roster must be a list of identities and names")
    if len(options) > MAX_OPTIONS or not all(_is_pair(item, str) for item in options):
        raise MalformedError("its options must be a list of names and values")
    return Header(protocol, roster, options, entries)


def _is_pair(value: object, first: type) -> bool:
    return isinstance(value, tuple) and len(value) == len(("name", "value")) and isinstance(value[0], first)


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
