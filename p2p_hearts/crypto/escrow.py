"""A hand key in pieces, so that a threshold of members rebuilds it when its owner is lost: Feldman (FOCS 1987).

The secret is f(0) of a random polynomial f of degree q − 1, piece i is f(i), and the commitments Cₖ = aₖ·G to its
coefficients let each receiver check its piece alone: f(i)·G = Σ iᵏ·Cₖ. Any q pieces give f (Shamir 1979), fewer say
nothing that X = C₀ does not.

Laws: there are exactly q commitments, of which the first is the key; none is the identity (honest coefficients are never
0); what is rebuilt is the secret of that key or nothing."""

from collections.abc import Mapping, Sequence

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.entropy import Entropy


def split(
    group: Group, key: HandKey, threshold: int, count: int, entropy: Entropy
) -> tuple[tuple[bytes, ...], tuple[int, ...]]:
    """The commitments C₀ … C_q₋₁, C₀ the key itself, and the pieces f(1) … f(count), of which any `threshold` rebuild it.

    Raises ValueError unless 1 < threshold ≤ count.
    """
    if not 1 < threshold <= count:  # one piece alone would be the key
        raise ValueError(f"{threshold} of {count} pieces")
    coefficients = [group.random_scalar(entropy) for _ in range(threshold - 1)]
    commitments = (key.public, *map(group.base, coefficients))
    return commitments, tuple(_value(group, (key.secret, *coefficients), index) for index in range(1, count + 1))


def encode_commitments(commitments: Sequence[bytes]) -> bytes:
    """The commitments as they travel: all but the first, which is the key and said elsewhere."""
    return b"".join(commitments[1:])


def decode_commitments(group: Group, public: bytes, data: bytes, threshold: int) -> tuple[bytes, ...]:
    """The commitments of a peer to this key of its, exactly as many as the threshold.

    Raises DecodeError.
    """
    return (public, *sigma.decode_points(group, data, threshold - 1))


def piece_fits(group: Group, commitments: Sequence[bytes], index: int, piece: int) -> bool:
    """Whether this is piece number `index` (from 1) of the key that the commitments begin with."""
    if not 0 < index < group.order:  # f(0) is the secret itself, and so is f(order)
        return False
    image = commitments[-1]
    for commitment in reversed(commitments[:-1]):
        image = group.add(group.mult(index, image), commitment)
    return group.base(piece) == image


def rebuild(group: Group, commitments: Sequence[bytes], pieces: Mapping[int, int]) -> HandKey:
    """The key of which these are pieces, by number, each known to fit; those beyond the threshold are not looked at.

    Raises ProofError when they are too few or give another key.
    """
    chosen = sorted(pieces)[: len(commitments)]
    if len(chosen) < len(commitments):
        raise ProofError(f"{len(chosen)} pieces where {len(commitments)} are needed")
    secret = sum(pieces[index] * _weight(group, index, chosen) for index in chosen) % group.order
    if group.base(secret) != commitments[0]:
        raise ProofError(f"the pieces {chosen} are not of this key")
    return HandKey(secret, commitments[0])


def _value(group: Group, coefficients: Sequence[int], index: int) -> int:
    """f(index)."""
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * index + coefficient) % group.order
    return value


def _weight(group: Group, index: int, chosen: Sequence[int]) -> int:
    """What piece `index` counts for at 0 (Lagrange): Π j ÷ (j − index) over all other j."""
    numerator = denominator = 1
    for other in chosen:
        if other != index:
            numerator = numerator * other % group.order
            denominator = denominator * (other - index) % group.order
    return numerator * pow(denominator, -1, group.order)
