"""Whatever bytes a peer sends, the answer is a value or a `CryptoError`, never another error."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal, verify_sealed
from p2p_hearts.crypto.errors import CryptoError
from p2p_hearts.crypto.escrow import decode_commitments
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import MAIL, joint_key, make_key, verify_key
from p2p_hearts.crypto.masking import Masked, decode_masked, remask, start_deck
from p2p_hearts.crypto.reveal import apply_shares, make_shares, open_card, verify_shares
from p2p_hearts.crypto.shuffle import proof_bytes, verify_mix
from p2p_hearts.crypto.signature import check_public, verify
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transfer import verify_transfer
from p2p_hearts.crypto.void import proof_bytes as void_bytes
from p2p_hearts.crypto.void import verify_void
from p2p_hearts.simulation.tiny_group import TINY

CONTEXT = bytes(32)
Door = Callable[[bytes, bytes, bytes], object]
CLAIMS = (1 << 49, 2**13 - 1, 2**13 - 1 | 1 << 49)  # one span of a kind or of a suit, and both


def _lengths(group: Group) -> tuple[int, ...]:
    size = group.element_bytes
    return (
        0,
        1,
        size - 1,
        size,
        size + 1,
        2 * size,
        3 * size,
        4 * size,
        64,
        proof_bytes(group, 2),
        *(void_bytes(group, 2, mask) for mask in CLAIMS),
    )


def _data(group: Group) -> st.SearchStrategy[bytes]:
    """Random bytes and points, of every length that is legal somewhere."""
    size = group.element_bytes
    real = st.lists(st.sampled_from([group.generator, group.identity, bytes(size - 1) + b"\x80", group.base(7)]))
    random = st.sampled_from(_lengths(group)).flatmap(lambda length: st.binary(min_size=length, max_size=length))
    return random | real.map(b"".join)


def _void_door(group: Group, public: bytes, card: Masked, mask: int) -> Door:
    return lambda x, y, z: verify_void(group, CONTEXT, public, (Masked(x, y), card), mask, z)


def _doors(group: Group) -> dict[str, Door]:
    """Everything that is handed bytes of a peer; three of them each."""
    key = make_key(group, seeded(b"key"))
    deck = tuple(remask(group, key.public, card, 3) for card in start_deck(group)[:2])
    sealed = seal(group, CONTEXT, key.public, 7, seeded(b"box"))
    return {
        "point": lambda x, _y, _z: group.decode_point(x),
        "scalar": lambda x, _y, _z: group.decode_scalar(x),
        "cards": lambda x, _y, _z: decode_masked(group, x, 2),
        "key": lambda x, y, _z: verify_key(group, CONTEXT, x, y),
        "joint key": lambda x, y, z: joint_key(group, (x, y, z)),
        "shares": lambda x, y, z: verify_shares(group, CONTEXT, key.public, deck, (x, y), z),
        "mix": lambda x, y, z: verify_mix(group, CONTEXT, key.public, deck, (Masked(x, y), deck[0]), z),
        "transfer": lambda x, y, z: verify_transfer(group, CONTEXT, key.public, key.public, deck[0], Masked(x, y), z),
        **{f"void {mask:x}": _void_door(group, key.public, deck[0], mask) for mask in CLAIMS},
        "mail key": lambda x, y, _z: verify_key(group, CONTEXT, x, y, MAIL),
        "sealed": lambda x, _y, _z: verify_sealed(group, CONTEXT, key.public, x),
        "opened": lambda x, _y, _z: open_sealed(group, CONTEXT, key, x),
        "to disclose": lambda x, _y, _z: disclose(group, CONTEXT, key, x, seeded(b"")),
        "disclosed": lambda x, y, z: open_disclosed(group, CONTEXT, key.public, x, y, z),
        "disclosed of a box": lambda x, y, _z: open_disclosed(group, CONTEXT, key.public, sealed, x, y),
        "sealed to": lambda x, _y, _z: seal(group, CONTEXT, x, 7, seeded(b"")),
        "commitments": lambda x, y, _z: decode_commitments(group, x, y, 4),
        "apply": lambda x, y, z: apply_shares(group, Masked(x, y), (z,)),
        "open": lambda x, y, _z: open_card(group, key, Masked(x, y)),
        "share": lambda x, y, _z: make_shares(group, CONTEXT, key, (Masked(x, y),), seeded(b"")),
        "signature": lambda x, y, z: verify(x, b"label", y, z),
        "identity": lambda x, _y, _z: check_public(x),
    }


@pytest.mark.parametrize("door", _doors(TINY))
@pytest.mark.parametrize("group", [RISTRETTO255, TINY], ids=lambda group: str(group.name))
def test_only_errors_of_this_layer(group: Group, door: str) -> None:
    """No bytes make a door raise anything but a CryptoError."""
    call = _doors(group)[door]

    @given(_data(group), _data(group), _data(group))
    def knock(x: bytes, y: bytes, z: bytes) -> None:
        with suppress(CryptoError):
            call(x, y, z)

    knock()
