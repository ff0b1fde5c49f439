"""The file of a finished game, by `export.md`: taken apart, and checked from its entries alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.reader.closing import digest_of
from tests.reader.decided import void_of
from tests.reader.entries import MAX_FRAME, VERSION
from tests.reader.game import taken
from tests.reader.refusal import RefusedError, demand
from tests.reader.table import Game
from tests.reader.values import Value, unpack

MAGIC, FORMAT = b"p2p-hearts game\n", 1
SUM = 32  # bytes at the end


class BadEntryError(Exception):
    """The first entry that does not hold: its place in the file, from 0, and why."""

    def __init__(self, place: int, cause: RefusedError) -> None:
        super().__init__(f"entry {place}: {cause}")
        self.place, self.code = place, cause.code


@dataclass(frozen=True, slots=True)
class Parts:
    """A file taken apart."""

    header: Value
    frames: tuple[bytes, ...]
    whole: bool  # whether nothing else is in it, and the hash at its end fits


def parts_of(data: bytes) -> Parts:
    """The file taken apart, with as many entries as are whole (P120). Raises RefusedError."""
    at = len(MAGIC) + 2
    demand(data[:at] == MAGIC + FORMAT.to_bytes(2, "big"), "FILE", "no exported game of this format")
    pieces = list(_pieces(data[at:-SUM]))
    demand(len(pieces) > 0, "FILE", "no header")
    whole = sum(4 + len(piece) for piece in pieces) == len(data) - at - SUM
    fits = sha256(data[:-SUM]).digest() == data[-SUM:]
    return Parts(unpack(pieces[0], header=True), tuple(pieces[1:]), whole and fits)


def states(frames: tuple[bytes, ...]) -> Iterator[Game]:
    """The game after every entry (P124). Raises BadEntryError."""
    game = Game(void_of(frames))
    for place, frame in enumerate(frames):
        try:
            game = taken(game, frame)
        except RefusedError as error:
            raise BadEntryError(place, error) from error
        yield game


def checked(data: bytes) -> Game:
    """The game in a file, if it holds (P124, P125). Raises BadEntryError, RefusedError."""
    parts = parts_of(data)
    game = Game()
    for game in states(parts.frames):  # noqa: B007 - the last one is what counts
        pass
    demand(parts.whole, "FILE", "the file is damaged")
    demand(game.over, "FILE", "the game is not over")
    demand(game.confirmed == game.void, "FILE", "its votes decide something else")
    demand(parts.header == header_of(game, len(parts.frames)), "FILE", "the header says something else")
    return game


def signed_result(game: Game) -> dict[str, Any]:
    """The result of a game that is over, with its digest and the signatures of its last decision (`result.md`)."""
    assert game.hand is not None
    signatures = {who.hex(): signature.hex() for who, signature in game.hand.council.signatures.items()}
    return {**game.result, "digest": digest_of(game.result).hex(), "signatures": signatures}


def header_of(game: Game, entries: int) -> Value:
    """What the header has to say (P121)."""
    drawn = game.drawn
    assert drawn is not None
    roster: list[Value] = [[peer.identity, peer.name] for peer in drawn.peers]
    options: list[Value] = [[name, value] for name, value in sorted(drawn.options.items())]
    return [VERSION, roster, options, entries]


def _pieces(data: bytes) -> Iterator[bytes]:
    """As many pieces as are whole."""
    at = 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size > MAX_FRAME or at + 4 + size > len(data):
            return
        yield data[at + 4 : at + 4 + size]
        at += 4 + size
