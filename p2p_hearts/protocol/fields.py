"""The fields of messages: their types, the bounds of each, and the door that checks them.

A message is a frozen value; on the wire it is the msgpack array of its fields in the order written. `parse` is the door:
it checks every field against its bound, so that no other module needs to. Lengths of group elements and proofs depend on
the group and are checked by `crypto`, which knows exactly one legal length for each."""

from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from p2p_hearts.protocol.errors import MalformedError

HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Bound:
    """Limits of one field: of an int its largest value, of bytes and text their length, of a list its items."""

    most: int
    least: int = 0


U8: TypeAlias = Annotated[int, Bound(2**8 - 1)]
U16: TypeAlias = Annotated[int, Bound(2**16 - 1)]
U32: TypeAlias = Annotated[int, Bound(2**32 - 1)]
PartNumber: TypeAlias = Annotated[
    int, Bound(10)
]  # of a member in mixing order, whose part it is; the author's, or a lost one's
SeatNumber: TypeAlias = Annotated[int, Bound(10)]
CardNumber: TypeAlias = Annotated[int, Bound(51)]
Hash: TypeAlias = Annotated[bytes, Bound(HASH_BYTES, HASH_BYTES)]
Identity: TypeAlias = Annotated[bytes, Bound(32, 32)]  # Ed25519 public key
LinkKey: TypeAlias = Annotated[bytes, Bound(32, 32)]  # CURVE public key
Incarnation: TypeAlias = Annotated[bytes, Bound(8, 8)]
Nonce: TypeAlias = Annotated[bytes, Bound(32, 32)]
Mark: TypeAlias = Annotated[bytes, Bound(16, 16)]  # first half of a hash
Element: TypeAlias = Annotated[bytes, Bound(32, 8)]  # one group element; 8 bytes in the tiny group of the simulation
Proof: TypeAlias = Annotated[bytes, Bound(16_384)]
Cards: TypeAlias = Annotated[bytes, Bound(104 * 64)]  # masked cards, or shares, one after another
Signature: TypeAlias = Annotated[bytes, Bound(64, 64)]
Box: TypeAlias = Annotated[bytes, Bound(256)]  # a sealed scalar
Name: TypeAlias = Annotated[str, Bound(16, 1)]  # characters
Word: TypeAlias = Annotated[str, Bound(32, 1)]


@cache
def _shape(kind: type[Any]) -> tuple[Any, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(hints[field.name] for field in fields(kind))


def plain(body: Any) -> tuple[Any, ...]:
    """The fields of a message as nested tuples, ready for `codec.pack`."""
    return tuple(_plain(getattr(body, field.name)) for field in fields(body))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


def parse(kind: type[Any], value: Any) -> Any:
    """The message of this kind that `value` (as unpacked) stands for.

    Raises MalformedError naming the first field that is missing, of the wrong type, or out of bounds.
    """
    shape: tuple[Any, ...] = _shape(kind)  # type: ignore[arg-type]  # classes are hashable, whatever they are of
    if not isinstance(value, tuple) or len(value) != len(shape):
        raise MalformedError(f"{kind.__name__} must be a list of {len(shape)} fields")
    names = (field.name for field in fields(kind))
    return kind(
        *(_parse(hint, item, f"{kind.__name__}.{name}") for hint, item, name in zip(shape, value, names, strict=True))
    )


def _parse(hint: Any, value: Any, where: str) -> Any:
    if get_origin(hint) is not Annotated:
        return parse(hint, value)
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        if not isinstance(value, tuple) or not bound.least <= len(value) <= bound.most:
            raise MalformedError(f"{where} must be a list of {bound.least} to {bound.most}")
        return tuple(_parse(get_args(base)[0], item, where) for item in value)
    if type(value) is not base:  # type(), not isinstance: True is no number here
        raise MalformedError(f"{where} must be {base.__name__}")
    size = value if base is int else len(value)
    if not bound.least <= size <= bound.most:
        raise MalformedError(f"{where} is {size}, allowed are {bound.least} to {bound.most}")
    return value
