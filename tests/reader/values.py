"""The values of `encoding.md`, P11 and P12: msgpack in its shortest form, and in no other."""

from typing import TypeAlias

from tests.reader.refusal import RefusedError, demand

Value: TypeAlias = "int | bytes | str | bool | list[Value]"
MAX_ITEMS = 1024
MAX_DEPTH = 8  # lists in lists: no message goes as deep
LENGTHS = {0xC4: 1, 0xC5: 2, 0xD9: 1, 0xDA: 2, 0xDC: 2}  # first byte: bytes of the length behind it
NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4}


def unpack(data: bytes, *, header: bool = False) -> Value:
    """The value that these bytes are the one encoding of; only in the header of a file are there other types.
    Raises RefusedError."""
    value, end = _read(data, 0, header, 0)
    demand(end == len(data), "MALFORMED", "bytes behind the value")
    demand(pack(value) == data, "MALFORMED", "not the shortest form")
    return value


def pack(value: Value) -> bytes:
    """The one encoding of a value."""
    match value:
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int() if value < 0:
            return value.to_bytes(1, "big", signed=True) if value >= -32 else _signed(value)
        case int():
            return bytes((value,)) if value < 128 else _sized(value, {0xCC: 1, 0xCD: 2, 0xCE: 4})
        case bytes():
            return _sized(len(value), {0xC4: 1, 0xC5: 2}) + value
        case str():
            text = value.encode()
            return (bytes((0xA0 + len(text),)) if len(text) < 32 else _sized(len(text), {0xD9: 1, 0xDA: 2})) + text
        case _:
            head = bytes((0x90 + len(value),)) if len(value) < 16 else _sized(len(value), {0xDC: 2})
            return head + b"".join(map(pack, value))


def _sized(number: int, forms: dict[int, int]) -> bytes:
    first, size = next((first, size) for first, size in forms.items() if number < 256**size)
    return bytes((first,)) + number.to_bytes(size, "big")


def _signed(number: int) -> bytes:
    first, size = next((0xD0 + i, 2**i) for i in range(3) if number >= -(256 ** (2**i)) // 2)
    return bytes((first,)) + number.to_bytes(size, "big", signed=True)


def _read(data: bytes, at: int, header: bool, depth: int) -> tuple[Value, int]:  # noqa: FBT001 - passed on
    first, at = _piece(data, at, 1)[0], at + 1
    if first < 0x80:
        return first, at
    if first in NUMBERS:
        return int.from_bytes(_piece(data, at, NUMBERS[first]), "big"), at + NUMBERS[first]
    if header and first in {0xC2, 0xC3}:
        return first == 0xC3, at
    if header and first >= 0xE0:
        return first - 256, at
    if header and first in {0xD0, 0xD1, 0xD2}:
        size = 2 ** (first - 0xD0)
        return int.from_bytes(_piece(data, at, size), "big", signed=True), at + size
    size, length = LENGTHS.get(first, 0), first % (32 if first >= 0xA0 else 16)
    if size:
        length, at = int.from_bytes(_piece(data, at, size), "big"), at + size
    if 0x90 <= first < 0xA0 or first == 0xDC:
        demand(length <= MAX_ITEMS and depth < MAX_DEPTH, "MALFORMED", "too many items, or too deep")
        items: list[Value] = []
        for _ in range(length):
            item, at = _read(data, at, header, depth + 1)
            items.append(item)
        return items, at
    piece = _piece(data, at, length)
    if first in {0xC4, 0xC5}:
        return piece, at + length
    if 0xA0 <= first < 0xC0 or first in {0xD9, 0xDA}:
        return _text(piece), at + length
    raise RefusedError("MALFORMED", f"no value begins with {first:02x}")


def _piece(data: bytes, at: int, size: int) -> bytes:
    demand(at + size <= len(data), "MALFORMED", "it ends too early")
    return data[at : at + size]


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RefusedError("MALFORMED", "text that is no UTF-8") from error
