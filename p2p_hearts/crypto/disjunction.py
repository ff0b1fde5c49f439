"""Either, or: one of several statements holds, and nobody learns which (Cramer, Damgård and Schoenmakers, CRYPTO 1994).

A *branch* is a statement of `sigma`, a *choice* a list of branches. The prover knows a witness w of one branch of every
choice. For each other branch he draws challenge and responses first and computes what he would have had to send before;
that looks the same. The challenges of a choice must add up to c, so he is free in all but one of them.

    prover: Tₖ = rowₖ(s) − d·targetₖ for every branch, with s and d drawn, d = 0 where he knows w;  c = H(transcript, T)
            there, and only there, now d = c − Σ other d and s ← s + d·w
    proof: c; then for each choice all d but the last, and the s of each branch
    verifier: Tₖ likewise;  c = H(transcript, T)?

Law: that of `sigma`, of which this is the general case: one choice of one branch is that very proof. The prover does the
same work whichever branch he knows."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.sigma import Row, decode_scalars, image, secrets_of
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy


class Branch(NamedTuple):
    """Rows, and the target of each."""

    rows: tuple[Row, ...]
    targets: tuple[bytes, ...]


class Known(NamedTuple):
    """Which branch of a choice the prover can answer, and his witness of it."""

    branch: int
    witness: tuple[int, ...]


Choice: TypeAlias = Sequence[Branch]


def prove_choices(transcript: Transcript, choices: Sequence[Choice], known: Sequence[Known], entropy: Entropy) -> bytes:
    """A proof of knowing a witness of one branch of every choice."""
    group = transcript.group
    size = sum(len(choice) + _secrets(choice) for choice in choices)
    drawn = iter(transcript.nonces([scalar for real, witness in known for scalar in (real, *witness)], entropy, size))
    splits = [list(islice(drawn, len(choice))) for choice in choices]
    answers = [[list(islice(drawn, secrets_of(branch.rows))) for branch in choice] for choice in choices]
    for split, (real, _) in zip(splits, known, strict=True):
        split[real] = 0
    _append(transcript, choices, splits, answers)
    challenge = transcript.challenge()
    fields = [challenge]
    for split, responses, (real, witness) in zip(splits, answers, known, strict=True):
        split[real] = (challenge - sum(split)) % group.order
        responses[real] = [s + split[real] * w for s, w in zip(responses[real], witness, strict=True)]
        fields += (*split[:-1], *(s for response in responses for s in response))
    return b"".join(map(group.encode_scalar, fields))


def verify_choices(transcript: Transcript, choices: Sequence[Choice], proof: bytes) -> None:
    """Checks that whoever made the proof knows a witness of one branch of every choice.

    Raises DecodeError, ProofError.
    """
    group = transcript.group
    challenge, *scalars = decode_scalars(group, proof, proof_scalars(choices))
    fields = iter(scalars)
    splits, answers = [], []
    for choice in choices:
        chosen = list(islice(fields, len(choice) - 1))
        splits.append([*chosen, (challenge - sum(chosen)) % group.order])
        answers.append([list(islice(fields, secrets_of(branch.rows))) for branch in choice])
    _append(transcript, choices, splits, answers)
    if transcript.challenge() != challenge:
        raise ProofError("the challenge does not come back")


def proof_scalars(choices: Sequence[Choice]) -> int:
    """How many scalars such a proof is."""
    return 1 + sum(len(choice) - 1 + _secrets(choice) for choice in choices)


def _secrets(choice: Choice) -> int:
    return sum(secrets_of(branch.rows) for branch in choice)


def _append(
    transcript: Transcript,
    choices: Sequence[Choice],
    splits: Sequence[Sequence[int]],
    answers: Sequence[Sequence[Sequence[int]]],
) -> None:
    """Both sides have now seen every T, in the order of choices, branches and rows."""
    transcript.append(b"sigma", *_first_messages(transcript.group, choices, splits, answers))


def _first_messages(
    group: Group,
    choices: Sequence[Choice],
    splits: Sequence[Sequence[int]],
    answers: Sequence[Sequence[Sequence[int]]],
) -> Iterator[bytes]:
    for choice, split, responses in zip(choices, splits, answers, strict=True):
        for branch, challenge, response in zip(choice, split, responses, strict=True):
            for row, target in zip(branch.rows, branch.targets, strict=True):
                yield image(group, row, response, target, challenge)
