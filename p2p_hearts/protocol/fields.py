"""The fields of messages: their types, the bounds of each, and the door that checks them.

A message is a frozen value; on the wire it is the msgpack array of its fields in the order written. `parse` is the door:
it checks every field against its bound, so that no other module needs to. Lengths of group elements and proofs depend on
the group and are checked by `crypto`, which knows exactly one legal length for each."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, partial
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


Reader: TypeAlias = Callable[[Any], Any]


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _readers(kind: type[Any]) -> tuple[Reader, ...]:
    """What reads each field of a message, made once: every entry of a game comes through here."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_reader(hints[name], f"{kind.__name__}.{name}") for name in _names(kind))  # type: ignore[arg-type]


def plain(body: Any) -> tuple[Any, ...]:
    """The fields of a message as nested tuples, ready for `codec.pack`."""
    return tuple([_plain(getattr(body, name)) for name in _names(type(body))])  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_plain(item) for item in value])
    return plain(value) if hasattr(value, "__dataclass_fields__") else value


def parse(kind: type[Any], value: Any) -> Any:
    """The message of this kind that `value` (as unpacked) stands for.

    Raises MalformedError naming the first field that is missing, of the wrong type, or out of bounds.
    """
    readers = _readers(kind)  # type: ignore[arg-type]  # classes are hashable, whatever they are of
    if not isinstance(value, tuple) or len(value) != len(readers):
        raise MalformedError(f"{kind.__name__} must be a list of {len(readers)} fields")
    return kind(*[read(item) for read, item in zip(readers, value, strict=True)])


def _reader(hint: Any, where: str) -> Reader:
    """What checks a value against a type and its bound.

    What it makes raises MalformedError.
    """
    if get_origin(hint) is not Annotated:
        return partial(parse, hint)
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        return partial(_read_list, _reader(get_args(base)[0], where), bound, where)
    return partial(_read_value, base, bound, where)


def _read_list(item: Reader, bound: Bound, where: str, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple) or not bound.least <= len(value) <= bound.most:
        raise MalformedError(f"{where} must be a list of {bound.least} to {bound.most}")
    return tuple([item(each) for each in value])


def _read_value(base: Any, bound: Bound, where: str, value: Any) -> Any:
    if type(value) is not base:  # type(), not isinstance: True is no number here
        raise MalformedError(f"{where} must be {base.__name__}")
    size: int = value if base is int else len(value)
    if not bound.least <= size <= bound.most:
        raise MalformedError(f"{where} is {size}, allowed are {bound.least} to {bound.most}")
    return value
