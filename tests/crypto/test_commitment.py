"""Commitments bind; joint values and permutations are nobody's choice."""

from collections import Counter
from itertools import permutations

import pytest

from p2p_hearts.crypto import commitment as module
from p2p_hearts.crypto.commitment import check, commit, joint_value, permutation
from p2p_hearts.crypto.errors import ProofError

SALT = bytes(range(32))


def test_an_opening_fits_one_commitment() -> None:
    """Label, context, value and salt are all bound, and so are the borders between them."""
    commitment = commit(b"key", b"context", b"value", SALT)
    check(b"key", b"context", b"value", SALT, commitment)
    wrong = [
        (b"cut", b"context", b"value", SALT, commitment),
        (b"key", b"another", b"value", SALT, commitment),
        (b"key", b"contextv", b"alue", SALT, commitment),
        (b"key", b"context", b"Value", SALT, commitment),
        (b"key", b"context", b"value", SALT[::-1], commitment),
        (b"key", b"context", b"value", SALT, commitment[:-1]),
        (b"key", b"context", b"value", SALT, bytes(32)),
    ]
    for arguments in wrong:
        with pytest.raises(ProofError):
            check(*arguments)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_salt_has_one_length(size: int) -> None:
    """A short salt would not hide the value, so even a fitting opening with one is refused."""
    with pytest.raises(ProofError):
        check(b"key", b"context", b"value", bytes(size), commit(b"key", b"context", b"value", bytes(size)))


def test_a_copied_commitment_is_worthless() -> None:
    """The context names the author, so the opening of a copied commitment does not fit the copier's context."""
    copied = commit(b"cut", b"author A", b"nonce", SALT)
    with pytest.raises(ProofError):
        check(b"cut", b"author B", b"nonce", SALT, copied)


def test_joint_value_depends_on_every_nonce_and_its_place() -> None:
    """Unlike a sum or XOR, the joint value changes with each nonce, with their order and with the borders between."""
    values = {
        joint_value(b"cut", b"context", nonces)
        for nonces in ([b"a", b"b"], [b"b", b"a"], [b"ab"], [b"a", b"b", b""], [b"a", b"a"], [])
    } | {joint_value(b"seats", b"context", [b"a", b"b"]), joint_value(b"cut", b"another", [b"a", b"b"])}
    assert len(values) == 8
    assert {len(value) for value in values} == {32}


def test_permutations_are_permutations() -> None:
    """Every place occurs once; the same seed gives the same, another seed another."""
    for size in (0, 1, 2, 11, 104):
        assert sorted(permutation(b"seed", size)) == list(range(size))
    assert permutation(b"seed", 104) == permutation(b"seed", 104) != permutation(b"other", 104)


def test_permutations_are_uniform() -> None:
    """Each of the 24 orders of four comes up as often as the others (χ² with 23 degrees of freedom below 49.7: 0.1 %)."""
    seen = Counter(permutation(number.to_bytes(4, "big"), 4) for number in range(4800))
    assert set(seen) == set(permutations(range(4)))
    assert sum((times - 200) ** 2 / 200 for times in seen.values()) < 49.7


def test_words_that_would_favour_a_place_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2³² words one is too many for three places: it is drawn again, not folded into the first place."""
    words = iter([b"\xff\xff\xff\xff", b"\0\0\0\1", b"\xff\xff\xff\xff"])
    monkeypatch.setattr(module, "seeded", lambda _seed: lambda _size: next(words))
    assert permutation(b"seed", 3) == (0, 2, 1)  # word 1 swaps places 2 and 1, the last word is odd and swaps 1 with 1
