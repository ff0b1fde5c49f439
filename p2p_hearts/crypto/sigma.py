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
    secrets = 1 + max(max(row.secrets) for row in rows)
    challenge, *responses = decode_scalars(group, proof, secrets + 1)
    transcript.append(
        b"sigma",
        *(
            group.multi([*(responses[secret] for secret in row.secrets), -challenge], (*row.points, target))
            for row, target in zip(rows, targets, strict=True)
        ),
    )
    if transcript.challenge() != challenge:
        raise ProofError("the challenge does not come back")


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
