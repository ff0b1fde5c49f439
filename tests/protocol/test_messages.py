"""Every message through its door: what is within its bounds comes back as it was, whatever is not is refused."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.protocol.codec import MAX_FRAME, pack, unpack
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.fields import parse, plain
from p2p_hearts.protocol.messages import BODIES, KINDS, Kind, Mix, Value
from tests.protocol.bodies import ALL, largest, plain_bodies, shape, smallest, wrong_values

FEW = settings(max_examples=max(5, settings().max_examples // 8))  # of each message
EACH = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)


@EACH
@FEW
@given(data=st.data())
def test_round_trip(kind: type[Any], data: st.DataObject) -> None:
    """A message goes through the codec and comes back equal."""
    value = data.draw(plain_bodies(kind))
    message = parse(kind, unpack(pack(value)))
    assert isinstance(message, kind)
    assert plain(message) == value


@EACH
def test_bounds_may_be_reached(kind: type[Any]) -> None:
    """The least and the greatest value of every field are allowed."""
    for value in (smallest(kind), largest(kind)):
        assert plain(parse(kind, value)) == value


@EACH
def test_every_wrong_field(kind: type[Any]) -> None:
    """A field that is out of bounds, of another type (a switch for a number too) or missing makes the message malformed,
    and the error names message and field."""
    value: Any
    for value in (None, 0, "", [], (*smallest(kind), 0)):
        with pytest.raises(MalformedError, match=kind.__name__):
            parse(kind, value)
    for place, (name, hint) in enumerate(shape(kind).items()):
        good = smallest(kind)
        with pytest.raises(MalformedError, match=kind.__name__):
            parse(kind, good[:place])
        for bad in wrong_values(hint):
            with pytest.raises(MalformedError) as error:
                parse(kind, (*good[:place], bad, *good[place + 1 :]))
            inner = [part.__name__ for part in (*ALL, Value) if part is not kind]
            assert f"{kind.__name__}.{name}" in str(error.value) or any(part in str(error.value) for part in inner)


@EACH
@FEW
@given(data=st.data())
def test_anything(kind: type[Any], data: st.DataObject) -> None:
    """Whatever stands where a message should is a message or malformed."""
    leaves = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=70) | st.text(max_size=5)
    value = data.draw(st.recursive(leaves, lambda inner: st.lists(inner, max_size=9).map(tuple), max_leaves=9))
    try:
        assert plain(parse(kind, value)) == value
    except MalformedError:
        return


def test_kinds() -> None:
    """Every kind has a body of its own; the numbers are those of the document."""
    assert {body: kind for kind, body in BODIES.items()} == KINDS
    assert BODIES.keys() == set(Kind)
    assert (Kind.OPEN, Kind.COMMIT_KEYS, Kind.PLAY, Kind.PIECE, Kind.WELCOME) == (0, 16, 26, 29, 31)
    assert (Kind.PROPOSAL, Kind.STATEMENT, Kind.CHOICE, Kind.ACCEPT, Kind.RETURN) == (32, 33, 34, 35, 36)


def test_the_longest_entry_fits() -> None:
    """The greatest message of the deal is still a frame."""
    assert len(pack(plain(parse(Mix, largest(Mix))))) + 1_000 < MAX_FRAME
