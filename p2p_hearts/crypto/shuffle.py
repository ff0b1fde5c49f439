"""Mixing with proof: nobody knows where a card went, everybody knows that all are still there.

Terelius and Wikström (2010) in the form of Haenni, Locher, Koenig and Dubuis (FC 2017 Workshops). With π the
permutation, r the randomness of the commitments, r′ that of the masks and u the challenges, the proof commits to

    c[πᵢ] = r[πᵢ]·G + hᵢ      (a permutation matrix, column by column)
    ĉᵢ    = r̂ᵢ·G + u′ᵢ·ĉᵢ₋₁    with u′ᵢ = u[πᵢ], ĉ₋₁ = h   (a chain that ends in Πu)

and shows, with all of r̄, r̂, r̃, r′ and u′ as the secrets of one linear map (`sigma`), that
    Σc − Σh = r̄·G      ĉₙ − Πu·h = r̂·G      Σuⱼcⱼ = r̃·G + Σu′ᵢhᵢ     (so u′ is a permutation of u)
    Σuⱼ(aⱼ, bⱼ) = Σu′ᵢ(a′ᵢ, b′ᵢ) − r′·(G, Y)                           (so the cards moved with it)

Law: the generators come from hash-to-group; whoever knew their logarithms could prove false mixes (Lewis, Pereira and
Teague 2019)."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.commitment import permutation
from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.masking import Masked, remask
from p2p_hearts.crypto.sigma import Row
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy


class Mixing(NamedTuple):
    """What a mixer must not tell: output i is input order[i], with masks[i] added to its mask."""

    order: tuple[int, ...]
    masks: tuple[int, ...]


def mix(
    group: Group, context: bytes, key: bytes, deck: Sequence[Masked], entropy: Entropy
) -> tuple[tuple[Masked, ...], bytes]:
    """The deck in another order behind other masks of the same key, and the proof; a deck of any size, also one hand."""
    mixing = draw_mixing(group, context, key, deck, entropy)
    mixed = apply_mixing(group, key, deck, mixing)
    return mixed, prove_mix(group, context, key, deck, mixed, mixing, entropy)


def draw_mixing(group: Group, context: bytes, key: bytes, deck: Sequence[Masked], entropy: Entropy) -> Mixing:
    """An order and masks never used before: two mixes with one order would reveal it."""
    transcript = Transcript(group, b"mixing", context)
    transcript.append(b"deck", key, *(point for card in deck for point in card))
    order = permutation(transcript.secret((), entropy, 32), len(deck))
    return Mixing(order, tuple(transcript.nonces(order, entropy, len(deck))))


def apply_mixing(group: Group, key: bytes, deck: Sequence[Masked], mixing: Mixing) -> tuple[Masked, ...]:
    """The mixed deck."""
    return tuple(
        remask(group, key, deck[source], mask) for source, mask in zip(mixing.order, mixing.masks, strict=True)
    )


def prove_mix(
    group: Group,
    context: bytes,
    key: bytes,
    deck: Sequence[Masked],
    mixed: Sequence[Masked],
    mixing: Mixing,
    entropy: Entropy,
) -> bytes:
    """The proof that `mixed` is the deck, mixed."""
    size, order, q = len(deck), mixing.order, group.order
    h, hs, _ = generators(group, size)
    transcript = _statement(group, context, key, deck, mixed)
    drawn = transcript.nonces((*order, *mixing.masks), entropy, 2 * size)
    r, r_hat = drawn[:size], drawn[size:]
    c = [group.identity] * size
    for source, generator in zip(order, hs, strict=True):
        c[source] = group.add(group.base(r[source]), generator)
    transcript.append(b"permutation", *c)
    u = transcript.challenges(size)
    u_prime = [u[source] for source in order]
    chain, end = [h], 0  # end: the r̂ of the whole chain
    for blinding, factor in zip(r_hat, u_prime, strict=True):
        chain.append(group.multi((blinding, factor), (group.generator, chain[-1])))
        end = (blinding + factor * end) % q
    transcript.append(b"chain", *chain[1:])
    r_bar = sum(r) % q
    r_tilde = sum(x * y for x, y in zip(r, u, strict=True)) % q
    minus_r_prime = -sum(x * y for x, y in zip(mixing.masks, u_prime, strict=True)) % q
    secrets = (r_bar, end, r_tilde, minus_r_prime, *r_hat, *u_prime)
    return b"".join((*c, *chain[1:])) + sigma.prove(
        transcript, _rows(group, key, mixed, hs, chain[:-1]), secrets, entropy
    )


def verify_mix(
    group: Group, context: bytes, key: bytes, deck: Sequence[Masked], mixed: Sequence[Masked], proof: bytes
) -> None:
    """Checks that `mixed` (from `decode_masked`) is the deck in some order behind other masks of `key`.

    Raises DecodeError, ProofError.
    """
    size = len(deck)
    if not size or len(mixed) != size or any(group.identity in card for card in mixed):
        raise ProofError(f"{len(mixed)} cards, or an identity among them, cannot be a mix of {size}")
    cut = 2 * size * group.element_bytes
    points = sigma.decode_points(group, proof[:cut], 2 * size)
    c, chain = points[:size], points[size:]
    h, hs, hs_sum = generators(group, size)
    transcript = _statement(group, context, key, deck, mixed)
    transcript.append(b"permutation", *c)
    u = transcript.challenges(size)
    transcript.append(b"chain", *chain)
    product = 1
    for factor in u:
        product = product * factor % group.order
    targets = (
        group.sub(group.sum(c), hs_sum),
        group.sub(chain[-1], group.mult(product, h)),
        group.multi(u, c),
        group.multi(u, [card.a for card in deck]),
        group.multi(u, [card.b for card in deck]),
        *chain,
    )
    sigma.verify(transcript, _rows(group, key, mixed, hs, (h, *chain[:-1])), targets, proof[cut:])


def proof_bytes(group: Group, size: int) -> int:
    """The one legal length of the proof for so many cards."""
    return 2 * size * group.element_bytes + sigma.proof_bytes(group, 2 * size + 4)


@cache
def generators(group: Group, size: int) -> tuple[bytes, tuple[bytes, ...], bytes]:
    """h, h₀ … hₙ₋₁ and their sum; nobody knows a relation between them."""
    h, *hs = (group.hash_to_point(b"shuffle", index.to_bytes(4, "big")) for index in range(size + 1))
    return h, tuple(hs), group.sum(hs)


def _statement(group: Group, context: bytes, key: bytes, deck: Sequence[Masked], mixed: Sequence[Masked]) -> Transcript:
    transcript = Transcript(group, b"shuffle", context)
    transcript.append(b"key", key)
    transcript.append(b"deck", *(point for card in deck for point in card))
    transcript.append(b"mixed", *(point for card in mixed for point in card))
    return transcript


def _rows(
    group: Group, key: bytes, mixed: Sequence[Masked], hs: Sequence[bytes], previous: Sequence[bytes]
) -> tuple[Row, ...]:
    """The linear map over the secrets r̄, r̂, r̃, −r′, r̂₁ … r̂ₙ, u′₁ … u′ₙ."""
    size, g = len(mixed), group.generator
    u_prime = range(4 + size, 4 + 2 * size)
    return (
        Row((0,), (g,)),
        Row((1,), (g,)),
        Row((2, *u_prime), (g, *hs)),
        Row((3, *u_prime), (g, *(card.a for card in mixed))),
        Row((3, *u_prime), (key, *(card.b for card in mixed))),
        *(Row((4 + i, 4 + size + i), (g, previous[i])) for i in range(size)),
    )
