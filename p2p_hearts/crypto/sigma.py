"""The one proof all others are made of: knowledge of a preimage of a linear map (Maurer, AFRICACRYPT 2009).

A *row* says how one point is made of secret scalars: Σ wᵢ·Pᵢ. The prover knows w₁ … wₘ such that every row gives its
*target*. Schnorr (1991) is one row, Chaum and Pedersen's equality (1992) two, a passed card three, a shuffle N + 5.

    prover: Tₖ = rowₖ(nonces);  c = H(transcript, T);  sᵢ = nonceᵢ + c·wᵢ     proof: c, s₁ … sₘ
    verifier: Tₖ = rowₖ(s) − c·targetₖ;  c = H(transcript, T)?

Law: whatever rows and targets are computed from is in the transcript before; a proof has one legal length."""

from collections.abc import Sequence
from typing import NamedTuple

from p2p_hearts.crypto.errors import DecodeError, ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

WEIGHT_BYTES = 16  # a false statement among many passes with probability 2⁻¹²⁸


class Row(NamedTuple):
    """Σ w[secrets[i]] · points[i]."""

    secrets: tuple[int, ...]
    points: tuple[bytes, ...]


def prove(transcript: Transcript, rows: Sequence[Row], witness: Sequence[int], entropy: Entropy) -> bytes:
    """A proof of knowing the witness of all rows at once."""
    group = transcript.group
    nonces = transcript.nonces(witness, entropy, len(witness))
    transcript.append(b"sigma", *(group.multi([nonces[secret] for secret in row.secrets], row.points) for row in rows))
    challenge = transcript.challenge()
    responses = (nonce + challenge * secret for nonce, secret in zip(nonces, witness, strict=True))
    return b"".join(map(group.encode_scalar, (challenge, *responses)))


def verify(transcript: Transcript, rows: Sequence[Row], targets: Sequence[bytes], proof: bytes) -> None:
    """Checks that whoever made the proof knows a witness of all rows.

    Raises DecodeError, ProofError.
    """
    group = transcript.group
    challenge, *responses = decode_scalars(group, proof, 1 + secrets_of(rows))
    images = [image(group, row, responses, target, challenge) for row, target in zip(rows, targets, strict=True)]
    transcript.append(b"sigma", *images)
    if transcript.challenge() != challenge:
        raise ProofError("the challenge does not come back")


def image(group: Group, row: Row, responses: Sequence[int], target: bytes, challenge: int) -> bytes:
    """T = row(s) − c·target: what was sent before, if these are the responses to this challenge."""
    scalars = [responses[secret] for secret in row.secrets]
    return group.multi([*scalars, -challenge], (*row.points, target))


def secrets_of(rows: Sequence[Row]) -> int:
    """The number of secret scalars that these rows are about."""
    return 1 + max(max(row.secrets) for row in rows)


def weighted(group: Group, weights: Sequence[int], points: Sequence[bytes]) -> bytes:
    """The first point plus the others, each times its weight (Bellare, Garay and Rabin 1998, small exponents)."""
    first, *others = points
    return group.add(first, group.multi(weights, others)) if others else first


def proof_bytes(group: Group, secrets: int) -> int:
    """The length of a proof about so many secret scalars."""
    return (secrets + 1) * group.scalar_bytes


def decode_scalars(group: Group, data: bytes, count: int) -> list[int]:
    """So many scalars and nothing more.

    Raises DecodeError.
    """
    size = group.scalar_bytes
    if len(data) != count * size:
        raise DecodeError(f"{len(data)} bytes where {count} scalars belong")
    return [group.decode_scalar(data[at : at + size]) for at in range(0, len(data), size)]


def decode_points(group: Group, data: bytes, count: int) -> list[bytes]:
    """So many points and nothing more.

    Raises DecodeError.
    """
    size = group.element_bytes
    if len(data) != count * size:
        raise DecodeError(f"{len(data)} bytes where {count} points belong")
    return [group.decode_point(data[at : at + size]) for at in range(0, len(data), size)]
