"""Boxes and escrow of `cryptography.md`, sections 14 and 15: a box checked and opened, a piece fitted, a key rebuilt."""

from collections.abc import Mapping, Sequence

from tests.reader.curve import L, combine
from tests.reader.proofs import NO, Words, close, scalars, split
from tests.reader.refusal import demand
from tests.reader.ristretto import SIZE, G, decoded, encoded


def verify_sealed(context: bytes, public: bytes, sealed: bytes) -> tuple[bytes, int]:
    """R and the hidden scalar of a box that holds. Raises RefusedError."""
    demand(len(sealed) == 4 * SIZE, NO, f"{len(sealed)} bytes, not {4 * SIZE}")
    (point, body), proof = (sealed[:SIZE], sealed[: 2 * SIZE]), sealed[2 * SIZE :]
    (hidden,) = scalars(body[SIZE:], 1)
    said = Words("box", context)
    said.append("public", public)
    said.append("body", body)
    c, s = scalars(proof, 2)
    close(said, c, [[(s, G), (-c, decoded(point))]])
    return point, hidden


def opened(context: bytes, public: bytes, secret: int, sealed: bytes) -> int:
    """The scalar that the receiver reads. Raises RefusedError."""
    point, hidden = verify_sealed(context, public, sealed)
    return _uncovered(context, public, point, hidden, encoded(combine([(secret, decoded(point))])))


def disclosed(context: bytes, public: bytes, sealed: bytes, shared: bytes, proof: bytes) -> int:
    """The scalar that all read when the receiver shows the shared point. Raises RefusedError."""
    point, hidden = verify_sealed(context, public, sealed)
    said = Words("disclosure", context)
    said.append("public", public)
    said.append("sealed", sealed)
    said.append("shared", shared)
    c, s = scalars(proof, 2)
    close(said, c, [[(s, G), (-c, decoded(public))], [(s, decoded(point)), (-c, decoded(shared))]])
    return _uncovered(context, public, point, hidden, shared)


def commitments(public: bytes, data: bytes, threshold: int) -> list[bytes]:
    """As many commitments as the threshold, the key first. Raises RefusedError."""
    demand(len(data) == SIZE * (threshold - 1), NO, f"{len(data)} bytes for a threshold of {threshold}")
    found = [public, *split(data)]
    for commitment in found:
        decoded(commitment)
    return found


def check_piece(promised: Sequence[bytes], index: int, piece: int) -> None:
    """Piece number `index` is a value of the polynomial that was promised. Raises RefusedError."""
    demand(0 < index < L, NO, f"there is no piece {index}")
    terms = [(pow(index, power, L), decoded(commitment)) for power, commitment in enumerate(promised)]
    demand(encoded(combine([(piece, G)])) == encoded(combine(terms)), NO, f"piece {index} does not fit")


def rebuilt(promised: Sequence[bytes], pieces: Mapping[int, int]) -> int:
    """The secret that pieces give, by number. Raises RefusedError."""
    demand(len(pieces) >= len(promised), NO, f"{len(pieces)} pieces for a threshold of {len(promised)}")
    secret = 0
    for index, piece in pieces.items():
        above = below = 1
        for other in pieces:
            above, below = (above, below) if other == index else (above * other % L, below * (other - index) % L)
        secret += piece * above * pow(below, -1, L)
    demand(encoded(combine([(secret, G)])) == promised[0], NO, "they are pieces of another key")
    return secret % L


def _uncovered(context: bytes, public: bytes, point: bytes, hidden: int, shared: bytes) -> int:
    said = Words("pad", context)
    said.append("public", public)
    said.append("shared", point, shared)
    return (hidden - said.challenges(1, 64)[0]) % L
