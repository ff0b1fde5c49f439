"""What the shuffle costs: so many group operations, and little else."""

from collections import Counter
from secrets import token_bytes

import pytest

from p2p_hearts.bench.proofs import (
    CountingGroup,
    measure,
    mix_case,
    mix_counts,
    small_proofs_ms,
    void_case,
    void_counts,
)
from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal, verify_sealed
from p2p_hearts.crypto.escrow import decode_commitments, encode_commitments, piece_fits, rebuild, split
from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.keys import make_key


@pytest.mark.parametrize("size", [3, 9])
def test_operations_of_the_shuffle(size: int) -> None:
    """To prove: 5N + 1 mult, 3N + 4 base, 6N add. To verify: 8N + 7 mult, N + 4 base, 9N + 3 add, 2N checks."""
    proving, verifying = mix_counts(mix_case(size, token_bytes))
    assert proving == Counter(mult=5 * size + 1, base=3 * size + 4, add=6 * size)
    assert verifying == Counter(mult=8 * size + 7, base=size + 4, add=9 * size + 3, check=2 * size)


@pytest.mark.parametrize("size", [1, 9])
def test_operations_of_a_void_proof(size: int) -> None:
    """Three suits: 2N + 10 mult, 1 base, 2N + 9 add, to prove as to verify. Hearts and the queen: 14 mult, 2 base, 12 add a
    card."""
    for counts in void_counts(void_case(size, (1 << 39) - 1)):
        assert counts == Counter(mult=2 * size + 10, base=1, add=2 * size + 9)
    for counts in void_counts(void_case(size, 0x1FFF << 26 | 1 << 49)):
        assert counts == Counter(mult=14 * size, base=2 * size, add=12 * size)


@pytest.mark.parametrize(("q", "n"), [(4, 6), (6, 11)])
def test_operations_of_escrow(q: int, n: int) -> None:
    """To split: q − 1 base. To read commitments: q − 1 checks. A piece: q − 1 mult, q − 1 add, 1 base. To rebuild: 1 base."""
    group, key = CountingGroup(RISTRETTO255), make_key(RISTRETTO255, token_bytes)
    commitments, pieces = split(group, key, q, n, token_bytes)
    assert group.counts == Counter(base=q - 1)
    group.counts.clear()
    decode_commitments(group, key.public, encode_commitments(commitments), q)
    assert group.counts == Counter(check=q - 1)
    group.counts.clear()
    assert piece_fits(group, commitments, n, pieces[-1])
    assert group.counts == Counter(mult=q - 1, add=q - 1, base=1)
    group.counts.clear()
    assert rebuild(group, commitments, dict(enumerate(pieces, 1))) == key
    assert group.counts == Counter(base=1)


def test_operations_of_boxes() -> None:
    """Sealing and checking a box, opening it, disclosing it, opening it for all."""
    group, key, context = CountingGroup(RISTRETTO255), make_key(RISTRETTO255, token_bytes), bytes(32)
    sealed = seal(group, context, key.public, 1, token_bytes)
    sealing = group.counts.copy()
    group.counts.clear()
    verify_sealed(group, context, key.public, sealed)
    door = group.counts.copy()
    group.counts.clear()
    open_sealed(group, context, key, sealed)
    opening = group.counts.copy()
    group.counts.clear()
    shown = disclose(group, context, key, sealed, token_bytes)
    disclosing = group.counts.copy()
    group.counts.clear()
    open_disclosed(group, context, key.public, sealed, *shown)
    assert sealing == Counter(base=2, mult=1)
    assert door == Counter(base=1, mult=1, add=1, check=1)
    assert opening == door + Counter(mult=1)
    assert disclosing == door + Counter(mult=2, base=1)
    assert group.counts == door + Counter(mult=3, base=1, add=2, check=1)


def test_counting_changes_nothing() -> None:
    """The counting group computes what the group does, and counts every kind once."""
    group, point = CountingGroup(RISTRETTO255), RISTRETTO255.base(7)
    assert group.multi((2, 3), (point, group.generator)) == RISTRETTO255.base(17)
    assert group.counts == Counter(mult=1, base=1, add=1)
    assert group.sum((point, point, point)) == group.mult(3, point) == group.base(21)
    assert group.sub(group.add(point, point), group.decode_point(point)) == point
    assert group.counts == Counter(mult=2, base=2, add=5, check=1)


def test_the_shuffle_costs_its_operations() -> None:
    """Proving and verifying take at most 1.15 times the bare cost of their group operations."""
    ratios = []
    for _ in range(4):  # a busy machine disturbs one measurement, hardly four
        row = measure(rounds=2)
        ratios.append((row["shuffle_prove_ms"] + row["shuffle_verify_ms"]) / row["shuffle_bound_ms"])
        if ratios[-1] <= 1.15:
            return
    pytest.fail(f"{ratios}")


@pytest.mark.long
def test_small_proofs_are_measured() -> None:
    """Every proof but the shuffle has a time to make and a time to check."""
    for make_ms, check_ms in small_proofs_ms().values():
        assert 0 < make_ms < 1000
        assert 0 < check_ms < 1000
