"""What a file of vectors is made of: tests to be accepted, and for each the ways to spoil one of its fields.

Each test has a `comment`, `flags` that say what it is about, the `result` a right implementation comes to, and fields,
whose bytes are written in hex."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from p2p_hearts.crypto.group import RISTRETTO255 as GROUP

CONTEXT = bytes(range(32))
Test: TypeAlias = dict[str, Any]
Field: TypeAlias = tuple[str, bytes, str]  # which field to replace, by what, and the comment


def valid(comment: str, flag: str, **fields: Any) -> Test:
    """A test to be accepted."""
    return _test("valid", comment, flag, fields)


def invalid(comment: str, flag: str, **fields: Any) -> Test:
    """A test to be refused."""
    return _test("invalid", comment, flag, fields)


def _test(result: str, comment: str, flag: str, fields: Test) -> Test:
    return {"comment": comment, "flags": [flag], "result": result} | {
        name: _plain(field) for name, field in fields.items()
    }


def spoilt(flag: str, fields: Test, *spoils: Field) -> Iterator[Test]:
    """One invalid test for each field spoilt."""
    for name, value, comment in spoils:
        yield invalid(comment, flag, **(fields | {name: value}))


def any_proof(fields: Test) -> tuple[Field, ...]:
    """What spoils every proof of scalars at its end."""
    proof: bytes = fields["proof"]
    return (
        ("context", CONTEXT[::-1], "in another context"),
        ("proof", flip(proof), "a flipped bit at its head"),
        ("proof", flip(proof[::-1])[::-1], "a flipped bit at its end"),
        ("proof", add_order(proof), "s + L in the place of the last scalar"),
        ("proof", proof[:-32], "a scalar missing"),
        ("proof", proof + bytes(32), "a scalar too many"),
    )


def flip(data: bytes) -> bytes:
    """The bytes with their first bit flipped."""
    return bytes((data[0] ^ 1,)) + data[1:]


def moved(proof: bytes) -> bytes:
    """In a void proof about two cards over several spans: taken from a challenge of one and given to that of the other."""
    scalars = [int.from_bytes(proof[at : at + 32], "little") for at in range(0, len(proof), 32)]
    scalars[1] -= 1
    scalars[1 + len(scalars) // 2] += 1
    return b"".join(map(GROUP.encode_scalar, scalars))


def add_order(data: bytes) -> bytes:
    """The second way to write the scalar at the end."""
    last = int.from_bytes(data[-32:], "little") + GROUP.order
    return data[:-32] + last.to_bytes(32, "little")


def _plain(field: Any) -> Any:
    if isinstance(field, bytes):
        return field.hex()
    return [_plain(each) for each in field] if isinstance(field, list) else field
