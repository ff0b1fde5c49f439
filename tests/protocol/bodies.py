"""Messages made from their annotations: any valid one, and every way in which a single field can be wrong."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from p2p_hearts.protocol.fields import Bound
from p2p_hearts.protocol.messages import (
    BODIES,
    Chat,
    Gap,
    Head,
    Heartbeat,
    Join,
    Override,
    Refusal,
    SeatPass,
    SeatRow,
    Want,
)

PARTS: tuple[type[Any], ...] = (Override, SeatPass, SeatRow, Head, Gap)
OUTSIDE: tuple[type[Any], ...] = (Join, Heartbeat, Chat, Refusal, Want)
ALL: tuple[type[Any], ...] = (*BODIES.values(), *OUTSIDE, *PARTS)
MANY = 3  # items of a list that are drawn; its bound is tried apart


def shape(kind: type[Any]) -> dict[str, Any]:
    """The fields of a message and their annotations, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def plain_bodies(kind: type[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Valid messages of a kind, as they come out of the codec."""
    return st.tuples(*map(_values, shape(kind).values()))


def _values(hint: Any) -> st.SearchStrategy[Any]:
    if get_origin(hint) is not Annotated:
        return plain_bodies(hint)
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        most = max(bound.least, min(bound.most, MANY))
        return st.lists(_values(get_args(base)[0]), min_size=bound.least, max_size=most).map(tuple)
    if base is int:
        return st.integers(bound.least, bound.most)
    size = {"min_size": bound.least, "max_size": min(bound.most, max(bound.least, 64))}
    return st.binary(**size) if base is bytes else st.text(st.characters(exclude_categories=["Cs"]), **size)


def smallest(hint: Any) -> Any:
    """The least valid value of a field, or of a whole message."""
    if get_origin(hint) is not Annotated:
        return tuple(map(smallest, shape(hint).values()))
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        return (smallest(get_args(base)[0]),) * bound.least
    return bound.least if base is int else "x" * bound.least if base is str else bytes(bound.least)


def largest(hint: Any) -> Any:
    """The greatest valid value of a field, or of a whole message."""
    if get_origin(hint) is not Annotated:
        return tuple(map(largest, shape(hint).values()))
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        return (largest(get_args(base)[0]),) * bound.most
    return bound.most if base is int else "x" * bound.most if base is str else bytes(bound.most)


def wrong_values(hint: Any) -> Iterator[Any]:
    """Every kind of value that a field must not have, one of each."""
    yield from (None, 0.5, {})
    if get_origin(hint) is not Annotated:
        least = smallest(hint)
        yield from (0, [*least], (*least, 0), *((least[:-1],) if least else ()))
        yield from ((*least[:place], bad, *least[place + 1 :]) for place, bad in _wrong_fields(hint))
        return
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        item = get_args(base)[0]
        yield from (0, b"", [smallest(item)], (smallest(item),) * (bound.most + 1))
        yield from [(smallest(item),) * (bound.least - 1)] if bound.least else []
        yield from ((bad,) for bad in wrong_values(item))
        return
    yield from {int: _no_number, bytes: _no_bytes, str: _no_text}[base](bound)


def _wrong_fields(kind: Any) -> Iterator[tuple[int, Any]]:
    for place, hint in enumerate(shape(kind).values()):
        for bad in wrong_values(hint):
            yield place, bad


def _no_number(bound: Bound) -> Iterator[Any]:
    yield from (True, False, str(bound.least), bytes((bound.least,)), bound.least - 1, bound.most + 1, (bound.least,))


def _no_bytes(bound: Bound) -> Iterator[Any]:
    yield from (0, True, "x" * bound.least, bytes(bound.most + 1), (0,) * bound.least)
    yield from [bytes(bound.least - 1)] if bound.least else []


def _no_text(bound: Bound) -> Iterator[Any]:
    yield from (0, True, b"x" * bound.least, "x" * (bound.most + 1), ("x",))
    yield from ["x" * (bound.least - 1)] if bound.least else []
