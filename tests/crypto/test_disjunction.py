"""One of several statements is proved: whoever has a witness of one can, whoever has none cannot, and which it was is not told."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

import pytest

from p2p_hearts.bench.proofs import CountingGroup
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.disjunction import Branch, Choice, Known, proof_scalars, prove_choices, verify_choices
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.sigma import Row
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

Spoil = Callable[[bytes], Iterator[bytes]]


def _branch(group: Group, *secrets: int) -> Branch:
    """Every secret times the generator is a target, and the sum of all, each times a point of its own, one more."""
    points = tuple(group.hash_to_point(b"test", bytes((index,))) for index in range(len(secrets)))
    rows = (*(Row((index,), (group.generator,)) for index in range(len(secrets))), Row((*range(len(secrets)),), points))
    return Branch(rows, (*map(group.base, secrets), group.multi(secrets, points)))


@dataclass(frozen=True, slots=True)
class Dice:
    """A transcript whose challenge is known beforehand: what a hash must never be, and what a simulator has."""

    group: Group
    answer: int

    def append(self, label: bytes, *items: bytes) -> None:
        """Hears nothing."""

    def challenge(self) -> int:
        """Always the same."""
        return self.answer

    def nonces(self, _witness: Sequence[int], _entropy: Entropy, count: int) -> list[int]:
        """Always the same, as with a prover set back to an earlier moment."""
        return list(range(1000, 1000 + count))


@pytest.fixture
def choices(group: Group) -> list[Choice]:
    """Two choices: of two branches, and of three, one of which is about two secrets."""
    return [
        [_branch(group, 11), _branch(group, 12)],
        [_branch(group, 21), _branch(group, 22, 23), _branch(group, 24)],
    ]


WITNESSES = (((11,), (12,)), ((21,), (22, 23), (24,)))
EVERY_PAIR = list(product(range(2), range(3)))  # a branch of each choice
FIELDS = 10  # c; 1 challenge and 2 answers; 2 challenges and 1 + 2 + 1 answers


def _known(first: int, second: int) -> list[Known]:
    return [Known(first, WITNESSES[0][first]), Known(second, WITNESSES[1][second])]


def _new(group: Group, context: bytes) -> Transcript:
    return Transcript(group, b"test", context)


@pytest.mark.parametrize(("first", "second"), EVERY_PAIR)
def test_any_branch_will_do(
    group: Group, entropy: Entropy, context: bytes, choices: list[Choice], first: int, second: int
) -> None:
    """A witness of any one branch of each choice proves, and the proof is as long whichever it is."""
    proof = prove_choices(_new(group, context), choices, _known(first, second), entropy)
    verify_choices(_new(group, context), choices, proof)
    assert len(proof) == FIELDS * group.scalar_bytes
    assert proof_scalars(choices) == FIELDS


@pytest.mark.parametrize(("first", "second"), EVERY_PAIR)
def test_without_a_witness(
    group: Group, entropy: Entropy, context: bytes, choices: list[Choice], first: int, second: int
) -> None:
    """Whoever has a witness of no branch of one choice proves nothing, though he has one of the other."""
    right = _known(first, second)
    for at, known in enumerate(right):
        last = (known.witness[-1] + 1) % group.order
        lie = [*right[:at], Known(known.branch, (*known.witness[:-1], last)), *right[at + 1 :]]
        proof = prove_choices(_new(group, context), choices, lie, entropy)
        with pytest.raises(ProofError):
            verify_choices(_new(group, context), choices, proof)


def test_every_row_counts(group: Group, entropy: Entropy, context: bytes, choices: list[Choice]) -> None:
    """A witness of all rows of a branch but one is none, whichever row that is."""
    known = _known(1, 1)
    for at, row in ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2)):
        real = known[at].branch
        branch = choices[at][real]
        targets = [group.add(t, group.generator) if k == row else t for k, t in enumerate(branch.targets)]
        lie = [list(choice) for choice in choices]
        lie[at][real] = Branch(branch.rows, tuple(targets))
        proof = prove_choices(_new(group, context), lie, known, entropy)
        with pytest.raises(ProofError):
            verify_choices(_new(group, context), lie, proof)


def test_one_branch_is_sigma(group: Group, stuck: Entropy, context: bytes) -> None:
    """One choice of one branch is the proof of `sigma`: either side may be the other's."""
    branch = _branch(group, 5, 6)
    proof = prove_choices(_new(group, context), [[branch]], [Known(0, (5, 6))], stuck)
    sigma.verify(_new(group, context), branch.rows, branch.targets, proof)
    proof = sigma.prove(_new(group, context), branch.rows, (5, 6), stuck)
    verify_choices(_new(group, context), [[branch]], proof)


def test_spoilt_proofs(
    group: Group, entropy: Entropy, context: bytes, choices: list[Choice], spoil: Spoil, second_encodings: Spoil
) -> None:
    """No field can be changed, left out, added or written in a second way."""
    proof = prove_choices(_new(group, context), choices, _known(0, 1), entropy)
    for spoilt in (*spoil(proof), *second_encodings(proof)):
        with pytest.raises(CryptoError):
            verify_choices(_new(group, context), choices, spoilt)


def test_only_one_length(group: Group, entropy: Entropy, context: bytes, choices: list[Choice]) -> None:
    """A scalar more or less, or one byte, is a decode error before anything is computed."""
    proof = prove_choices(_new(group, context), choices, _known(0, 1), entropy)
    for wrong in (b"", proof[:-1], proof[: -group.scalar_bytes], proof + bytes(1), proof + bytes(group.scalar_bytes)):
        with pytest.raises(DecodeError):
            verify_choices(_new(group, context), choices, wrong)


def _scalars(group: Group, proof: bytes) -> list[int]:
    """0: c; 1: the first challenge of the first choice, 2, 3: its answers; 4, 5: two of the second, 6 … 9: its answers."""
    size = group.scalar_bytes
    return [int.from_bytes(proof[at : at + size], "little") for at in range(0, len(proof), size)]


def _changed(group: Group, proof: bytes, changes: dict[int, int]) -> bytes:
    return b"".join(group.encode_scalar(s + changes.get(at, 0)) for at, s in enumerate(_scalars(group, proof)))


def test_the_split_of_the_challenge(group: Group, entropy: Entropy, context: bytes, choices: list[Choice]) -> None:
    """Challenges moved from branch to branch or choice to choice, exchanged, or followed by one answer do not verify."""
    proof = prove_choices(_new(group, context), choices, _known(0, 1), entropy)
    _, _, _, _, d0, d1, *_ = _scalars(group, proof)
    for changes in (
        {4: 1, 5: -1},
        {1: 1, 4: -1},
        {4: d1 - d0, 5: d0 - d1},
        {1: 1, 2: 11},
        {0: 1, 2: 11},
        {0: 1, 3: 12},
    ):
        with pytest.raises(ProofError):
            verify_choices(_new(group, context), choices, _changed(group, proof, changes))


def test_which_witness_is_not_in_the_proof(
    group: Group, entropy: Entropy, context: bytes, choices: list[Choice]
) -> None:
    """With all witnesses a proof made from one turns into any made from another: nothing in it says from which."""
    proof = prove_choices(_new(group, context), choices, _known(0, 1), entropy)
    delta = group.random_scalar(entropy)
    for changes in ({1: delta, 2: 11 * delta, 3: -12 * delta}, {4: delta, 6: 21 * delta, 9: -24 * delta}):
        verify_choices(_new(group, context), choices, _changed(group, proof, changes))


@pytest.mark.parametrize(("first", "second"), EVERY_PAIR)
def test_the_same_work_for_every_branch(entropy: Entropy, context: bytes, first: int, second: int) -> None:
    """The operations of the prover do not depend on which branch he knows."""
    group = CountingGroup(RISTRETTO255)
    branches = [
        [_branch(RISTRETTO255, 11), _branch(RISTRETTO255, 12)],
        [_branch(RISTRETTO255, 21), _branch(RISTRETTO255, 22, 23), _branch(RISTRETTO255, 24)],
    ]
    prove_choices(_new(group, context), branches, _known(first, second), entropy)
    assert (group.counts["mult"], group.counts["base"], group.counts["add"]) == (17, 6, 12)


def test_every_part_is_drawn(group: Group, entropy: Entropy, context: bytes, choices: list[Choice]) -> None:
    """Two proofs of one statement share no scalar, and no scalar comes twice in one."""
    one, other = (
        _scalars(group, prove_choices(_new(group, context), choices, _known(0, 1), entropy)) for _ in range(2)
    )
    assert len({*one, *other}) == 2 * FIELDS


def test_a_broken_random_source(group: Group, stuck: Entropy, context: bytes, choices: list[Choice]) -> None:
    """No nonce serves two statements, two branches or two witnesses, though the random source gives the same bytes."""
    proofs = [
        prove_choices(_new(group, context), choices, _known(0, 1), stuck),
        prove_choices(_new(group, context[::-1]), choices, _known(0, 1), stuck),
        prove_choices(_new(group, context), choices, _known(1, 1), stuck),
        prove_choices(_new(group, context), choices, _known(0, 2), stuck),
    ]
    scalars = [scalar for proof in proofs for scalar in _scalars(group, proof)]
    assert len(set(scalars)) == len(scalars)


def test_a_broken_random_source_and_one_witness(group: Group, stuck: Entropy, context: bytes) -> None:
    """Nor when one witness answers either branch: what one proof shows as a drawn answer is not the other's nonce."""
    choice = [_branch(group, 5), _branch(group, 5)]
    first, second = (
        _scalars(group, prove_choices(_new(group, context), [choice], [Known(real, (5,))], stuck)) for real in range(2)
    )
    (_, _, _, drawn), (challenge, split, _, answer) = first, second
    assert (answer - drawn) % group.order != (challenge - split) * 5 % group.order


def test_two_answers_give_the_witness_away(group: Group, entropy: Entropy, choices: list[Choice]) -> None:
    """Special soundness: of two answers to one first message the known branch differs, and yields its witness."""
    first, second = (
        prove_choices(cast("Transcript", Dice(group, answer)), choices, _known(1, 0), entropy) for answer in (5, 105)
    )
    for answer, proof in ((5, first), (105, second)):
        verify_choices(cast("Transcript", Dice(group, answer)), choices, proof)
    differences = [b - a for a, b in zip(_scalars(group, first), _scalars(group, second), strict=True)]
    # the second branch of the first choice and the first of the second are known: 12 and 21
    assert [difference % group.order for difference in differences] == [100, 0, 0, 1200, 100, 0, 2100, 0, 0, 0]


def test_the_simulator(group: Group, entropy: Entropy, choices: list[Choice]) -> None:
    """Zero knowledge: who may choose the challenge first needs no witness, so a proof tells nothing but that it was not so."""
    false = [[Branch(branch.rows, (group.generator,) * len(branch.rows)) for branch in choice] for choice in choices]
    scalars = [group.random_scalar(entropy) for _ in range(FIELDS)]
    proof = b"".join(map(group.encode_scalar, scalars))
    verify_choices(cast("Transcript", Dice(group, scalars[0])), false, proof)
    with pytest.raises(ProofError):
        verify_choices(_new(group, b"in play"), false, proof)
