"""The binding to libsodium: nothing it answers is taken for granted, nothing of it is left behind."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.errors import DecodeError

BASE = sodium.scalar_mult_base((1).to_bytes(32, "little"))
NO_POINT = bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371")  # RFC 9496, A.2
ONE, ZERO = (1).to_bytes(32, "little"), bytes(32)


def test_the_unpacked_library_does_not_stay(tmp_path: Path) -> None:
    """Importing the layer leaves no file in the temporary directory (rbcl leaves 2.8 MB at every start)."""
    code = "import sys, p2p_hearts.crypto.sodium as s; assert s.is_point(bytes(32)) and 'rbcl' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        cwd=Path(__file__).parents[2],
    )
    assert list(tmp_path.iterdir()) == []


def test_leftovers_are_deleted_only_if_they_are_ours(tmp_path: Path) -> None:
    """Where a loaded file cannot be deleted, the next start deletes copies of the library and nothing else."""
    for name, content in {"tmpa.pyd": b"library", "tmpb.pyd": b"another", "tmpc.txt": b"library"}.items():
        (tmp_path / name).write_bytes(content)
    sodium._delete_leftovers(str(tmp_path), b"library")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tmpb.pyd", "tmpc.txt"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: sodium.add(NO_POINT, BASE),
        lambda: sodium.add(BASE, NO_POINT),
        lambda: sodium.subtract(NO_POINT, BASE),
        lambda: sodium.scalar_mult(ONE, NO_POINT),
        lambda: sodium.scalar_mult(ZERO, NO_POINT),
        lambda: sodium.sum_of_products([ONE], [NO_POINT], BASE),
        lambda: sodium.sum_of_products([ONE, ONE], [BASE, NO_POINT], BASE),
    ],
)
def test_no_point_is_never_taken_for_the_identity(call: Callable[[], object]) -> None:
    """An operation on bytes that are no point raises, where rbcl's wrappers answer the identity."""
    with pytest.raises(DecodeError):
        call()


def test_what_libsodium_overlooks() -> None:
    """Bytes with the highest bit set are no point, though libsodium 1.0.18 reads them as the point without that bit."""
    for point in (BASE, sodium.IDENTITY):
        again = point[:-1] + bytes((point[-1] | 0x80,))
        assert sodium.is_point(point)
        assert not sodium.is_point(again)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_no_length_is_left_to_c(size: int) -> None:
    """Bytes of another length never reach libsodium, which would read past their end."""
    wrong = bytes(size)
    calls: list[Callable[[], object]] = [
        lambda: sodium.add(wrong, BASE),
        lambda: sodium.add(BASE, wrong),
        lambda: sodium.subtract(wrong, BASE),
        lambda: sodium.scalar_mult(wrong, BASE),
        lambda: sodium.scalar_mult(ONE, wrong),
        lambda: sodium.scalar_mult_base(wrong),
        lambda: sodium.sum_of_products([wrong], [BASE], BASE),
        lambda: sodium.sum_of_products([ONE], [wrong], BASE),
        lambda: sodium.point_from_hash(wrong[:63]),
        lambda: sodium.sign_public(wrong),
        lambda: sodium.sign_detached(wrong, b"message"),
        lambda: sodium.edwards_mult(ONE, wrong),
        lambda: sodium.edwards_mult(wrong, BASE),
    ]
    for call in calls:
        with pytest.raises(DecodeError):
            call()
    assert not sodium.is_point(wrong)
    assert not sodium.sign_verify(wrong, b"message", bytes(64))
    assert not sodium.sign_verify(BASE, b"message", bytes(63))


def test_the_identity_comes_out_where_it_is_right() -> None:
    """0·P, L·P, P − P and an empty sum are the identity, whatever code libsodium returns for it."""
    order = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    assert sodium.scalar_mult(ZERO, BASE) == sodium.scalar_mult(order, BASE) == bytes(32)
    assert sodium.scalar_mult_base(ZERO) == sodium.subtract(BASE, BASE) == bytes(32)
    assert sodium.sum_of_products([], [], BASE) == sodium.sum_of_products([ZERO], [BASE], BASE) == bytes(32)
    assert sodium.scalar_mult(ONE, bytes(32)) == bytes(32)


def test_threads_do_not_meet() -> None:
    """Many threads at once compute what one does."""
    scalars = [number.to_bytes(32, "little") for number in range(1, 200)]

    def work(_: int) -> bytes:
        return sodium.sum_of_products(scalars, [BASE] * 199, b"")

    expected = sodium.scalar_mult_base((199 * 200 // 2).to_bytes(32, "little"))
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(work, range(8))) == {expected}
