"""A box opens for one receiver in one context; what its receiver discloses opens that box to all, and no other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import shake_256
from typing import cast

import pytest

from p2p_hearts.crypto import box, sigma
from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal, sealed_bytes, verify_sealed
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError, SealError
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import HandKey, make_key
from p2p_hearts.entropy import Entropy
from p2p_hearts.simulation.tiny_group import TINY

Spoil = Callable[[bytes], Iterator[bytes]]
PIECE = 123_456_789


@dataclass(frozen=True, slots=True)
class Case:
    """A piece, sealed and then disclosed."""

    group: Group
    context: bytes
    key: HandKey
    sealed: bytes
    shared: bytes
    proof: bytes

    def door(self) -> None:
        """What everybody does when the box comes."""
        verify_sealed(self.group, self.context, self.key.public, self.sealed)

    def disclosed(self) -> int:
        """What everybody does when the receiver complains."""
        return open_disclosed(self.group, self.context, self.key.public, self.sealed, self.shared, self.proof)


@pytest.fixture
def case(group: Group, entropy: Entropy, context: bytes) -> Case:
    """An honest box and its disclosure."""
    key = make_key(group, entropy)
    sealed = seal(group, context, key.public, PIECE, entropy)
    return Case(group, context, key, sealed, *disclose(group, context, key, sealed, entropy))


def _flipped(data: bytes) -> Iterator[bytes]:
    """Every byte changed, in its lowest bit, its highest bit and all of them."""
    for at, byte in enumerate(data):
        for bits in (0x01, 0x80, 0xFF):
            yield data[:at] + bytes((byte ^ bits,)) + data[at + 1 :]


def _with_highest_bit(point: bytes) -> bytes:
    """What libsodium 1.0.18 reads as the same point."""
    return point[:-1] + bytes((point[-1] | 0x80,))


def test_an_honest_box(case: Case) -> None:
    """All can check a box, its receiver reads it, and all read it once it is disclosed."""
    case.door()
    assert open_sealed(case.group, case.context, case.key, case.sealed) == 123_456_789
    assert case.disclosed() == 123_456_789


def test_lengths() -> None:
    """A box is a point and three scalars, a disclosure a point and two: 128 and 96 bytes, in the tiny group 32 and 24."""
    for group, sealed_size, shown_size in ((RISTRETTO255, 128, 96), (TINY, 32, 24)):
        key = make_key(group, bytes)
        sealed = seal(group, bytes(32), key.public, 1, bytes)
        assert len(sealed) == sealed_bytes(group) == sealed_size
        assert len(b"".join(disclose(group, bytes(32), key, sealed, bytes))) == shown_size


@pytest.mark.parametrize("end", [0, 1, -1, -2])
def test_every_scalar_can_be_sealed(group: Group, entropy: Entropy, context: bytes, end: int) -> None:
    """Zero, one, order − 1 and order − 2 come back as they went in."""
    key, message = make_key(group, entropy), end % group.order
    assert open_sealed(group, context, key, seal(group, context, key.public, message, entropy)) == message


def test_the_pad_is_a_hash_of_the_shared_point() -> None:
    """What hides the scalar is SHAKE-256 of group, context, key, R and shared point, each behind its length."""
    key, context = HandKey(3, (3).to_bytes(8, "little")), bytes(32)
    sealed = seal(TINY, context, key.public, 5, bytes)
    r = int.from_bytes(sealed[:8], "little")
    shared = (3 * r % (2**61 - 1)).to_bytes(8, "little")
    said = (
        b"\0\0\0\x17p2p-hearts/1/transcript\0\0\0\6tiny61\0\0\0\3pad\0\0\0\x20" + bytes(32),
        b"\0\0\0\6public\0\0\0\x0c\0\0\0\x08" + key.public,
        b"\0\0\0\6shared\0\0\0\x18\0\0\0\x08" + sealed[:8] + b"\0\0\0\x08" + shared,
        b"\0\0\0\x09challenge\0\0\0\4\0\0\0\1\0\0\0\4\0\0\0\x40",
    )
    pad = int.from_bytes(shake_256(b"".join(said)).digest(64), "little")
    assert int.from_bytes(sealed[8:16], "little") == (5 + pad) % (2**61 - 1)


def test_every_byte_of_a_box_counts(case: Case, spoil: Spoil, second_encodings: Spoil) -> None:
    """A box changed in any byte, cut, extended or written in a second way is refused at the door, for its sender's account."""
    size = case.group.element_bytes
    again = (case.sealed[:size] + other for other in second_encodings(case.sealed[size:]))
    for sealed in (*_flipped(case.sealed), *spoil(case.sealed), *again):
        changed = replace(case, sealed=sealed)
        with pytest.raises((DecodeError, ProofError)):
            changed.door()
        with pytest.raises((DecodeError, ProofError)):
            open_sealed(case.group, case.context, case.key, sealed)
        with pytest.raises(SealError):
            changed.disclosed()


def test_one_box_of_a_scalar_and_a_mask(case: Case, entropy: Entropy) -> None:
    """A sender who proves a box whose hidden scalar is written as s + order, or whose R has a bit too many, is refused."""
    group, context, size = case.group, case.context, case.group.element_bytes
    key, r = make_key(group, entropy), group.random_scalar(entropy)
    point = group.base(r)
    hidden = group.decode_scalar(case.sealed[size : 2 * size])
    for body in (
        point + (hidden + group.order).to_bytes(size, "little"),
        _with_highest_bit(point) + group.encode_scalar(hidden),
    ):
        sealed = body + sigma.prove(*box._box(group, context, key.public, body), (r,), entropy)
        with pytest.raises(DecodeError):
            verify_sealed(group, context, key.public, sealed)


def test_nothing_is_said_about_what_is_no_box(case: Case, entropy: Entropy) -> None:
    """The receiver's secret touches no R whose maker has not proved to know its logarithm."""
    group, size = case.group, case.group.element_bytes
    untouched = HandKey(cast("int", None), case.key.public)  # any arithmetic with it is a TypeError
    for point in (*_flipped(case.sealed[:size]), group.identity, group.generator, case.shared):
        with pytest.raises((DecodeError, ProofError)):
            disclose(group, case.context, untouched, point + case.sealed[size:], entropy)
        with pytest.raises((DecodeError, ProofError)):
            open_sealed(group, case.context, untouched, point + case.sealed[size:])


def test_a_box_has_one_length(case: Case) -> None:
    """A box cut or extended is refused, and it is said how long it is and has to be."""
    right = len(case.sealed)
    for sealed in (case.sealed[:-1], case.sealed + b"\0", b""):
        with pytest.raises(DecodeError, match=f"{len(sealed)} bytes where a box of {right} belongs"):
            replace(case, sealed=sealed).door()


def test_the_point_of_a_box_is_decoded_strictly(case: Case) -> None:
    """An R that is the identity or no point encodes nothing."""
    size = case.group.element_bytes
    for bad in (case.group.identity, b"\xff" * size, bytes(size - 1) + b"\x80"):
        with pytest.raises(DecodeError):
            replace(case, sealed=bad + case.sealed[size:]).door()


def test_a_box_belongs_to_one_context(case: Case, entropy: Entropy) -> None:
    """Sent again in another hand, or by somebody who copied it, a box is none: the context names hand and author."""
    elsewhere = replace(case, context=case.context[::-1])
    with pytest.raises(ProofError):
        elsewhere.door()
    with pytest.raises(ProofError):
        open_sealed(case.group, elsewhere.context, case.key, case.sealed)
    with pytest.raises(ProofError):
        disclose(case.group, elsewhere.context, case.key, case.sealed, entropy)
    with pytest.raises(SealError):
        elsewhere.disclosed()


def test_a_box_belongs_to_one_receiver(case: Case, entropy: Entropy) -> None:
    """Nobody else opens a box, and nobody can be handed one that was sealed for another."""
    other = make_key(case.group, entropy)
    with pytest.raises(ProofError):
        replace(case, key=other).door()
    with pytest.raises(ProofError):
        open_sealed(case.group, case.context, other, case.sealed)
    with pytest.raises(ProofError):
        disclose(case.group, case.context, other, case.sealed, entropy)


def test_another_secret_reads_another_number(case: Case, entropy: Entropy) -> None:
    """The public key of the receiver opens nothing without the secret."""
    thief = HandKey(make_key(case.group, entropy).secret, case.key.public)
    assert open_sealed(case.group, case.context, thief, case.sealed) != PIECE


def test_a_box_cannot_be_made_from_another(case: Case, entropy: Entropy) -> None:
    """R* + t·G, which would make its receiver disclose what opens R*, needs a proof of a logarithm its maker cannot give."""
    group, context, public = case.group, case.context, case.key.public
    t, size = group.random_scalar(entropy), group.element_bytes
    related = group.add(case.sealed[:size], group.base(t)) + case.sealed[size : 2 * size]
    forged = related + sigma.prove(*box._box(group, context, public, related), (t,), entropy)
    with pytest.raises(ProofError):
        replace(case, sealed=forged).door()
    with pytest.raises(ProofError):
        disclose(group, context, case.key, forged, entropy)
    answer = group.mult(case.key.secret, related[:size])  # what would be given away without the law of the module
    stolen = group.sub(answer, group.mult(t, public))
    pad = box._pad(group, context, public, case.sealed[:size], stolen)
    assert (int.from_bytes(case.sealed[size : 2 * size], "little") - pad) % group.order == PIECE


def test_every_byte_of_a_disclosure_counts(case: Case, spoil: Spoil, second_encodings: Spoil) -> None:
    """A disclosure changed in any byte, cut, extended or written in a second way is its author's fault, not the sender's."""
    changed = [replace(case, proof=proof) for proof in (*_flipped(case.proof), *spoil(case.proof))]
    changed += [replace(case, proof=proof) for proof in second_encodings(case.proof)]
    changed += [replace(case, shared=shared) for shared in (*_flipped(case.shared), *spoil(case.shared))]
    for spoilt in changed:
        with pytest.raises((DecodeError, ProofError)):
            spoilt.disclosed()


def test_no_other_point_can_be_disclosed(case: Case, entropy: Entropy) -> None:
    """Who shows a wrong shared point, to make an honest sender look bad, cannot prove it with any secret."""
    group, key, point = case.group, case.key, case.sealed[: case.group.element_bytes]
    other = group.random_scalar(entropy)
    for shared, secret in (
        (group.add(case.shared, group.generator), key.secret),
        (group.mult(other, point), key.secret),
        (group.mult(other, point), other),
    ):
        transcript, rows = box._disclosure(group, case.context, key.public, case.sealed, point, shared)
        lie = replace(case, shared=shared, proof=sigma.prove(transcript, rows, (secret,), entropy))
        with pytest.raises(ProofError):
            lie.disclosed()


def test_one_way_to_write_a_disclosure(case: Case, entropy: Entropy) -> None:
    """A receiver who proves the right point written in a second way, whose pad is another, does not convict the sender."""
    group, shared = case.group, _with_highest_bit(case.shared)
    point = case.sealed[: group.element_bytes]
    transcript, rows = box._disclosure(group, case.context, case.key.public, case.sealed, point, shared)
    with pytest.raises(DecodeError):
        replace(case, shared=shared, proof=sigma.prove(transcript, rows, (case.key.secret,), entropy)).disclosed()


def test_a_disclosure_belongs_to_one_box(case: Case, entropy: Entropy) -> None:
    """What opens one box opens no other, of the same sender, to the same receiver, with the same content."""
    sealed = seal(case.group, case.context, case.key.public, PIECE, entropy)
    with pytest.raises(ProofError):
        replace(case, sealed=sealed).disclosed()


def test_a_disclosure_belongs_to_one_context_and_key(case: Case, entropy: Entropy) -> None:
    """Neither the receiver of another box nor the same receiver elsewhere has disclosed this."""
    group, other = case.group, make_key(case.group, entropy)
    elsewhere = seal(group, case.context[::-1], case.key.public, PIECE, entropy)
    with pytest.raises(ProofError):
        replace(case, context=case.context[::-1], sealed=elsewhere).disclosed()
    with pytest.raises(ProofError):
        replace(case, key=other, sealed=seal(group, case.context, other.public, PIECE, entropy)).disclosed()


def test_the_whole_statement_is_hashed(case: Case) -> None:
    """Pad, proof and disclosure depend on context, key, R, hidden scalar, box and shared point, each on those it is about."""
    group, context, public, g = case.group, case.context, case.key.public, case.group.generator
    size, sealed, shared = group.element_bytes, case.sealed, case.shared
    point, body = sealed[:size], sealed[: 2 * size]
    pads = [(context, public, point, shared), (context[::-1], public, point, shared), (context, g, point, shared)]
    pads += [(context, public, g, shared), (context, public, point, g)]
    boxes = [(context, public, body), (context[::-1], public, body), (context, g, body), (context, public, body[::-1])]
    shown = [(context, public, sealed, point, shared), (context[::-1], public, sealed, point, shared)]
    shown += [
        (context, g, sealed, point, shared),
        (context, public, sealed[::-1], point, shared),
        (context, public, sealed, point, g),
    ]
    challenges = [box._pad(group, *arguments) for arguments in pads]
    challenges += [box._box(group, *arguments)[0].challenge() for arguments in boxes]
    challenges += [box._disclosure(group, *arguments)[0].challenge() for arguments in shown]
    assert len(set(challenges)) == 5 + 4 + 5


def test_boxes_are_fresh(case: Case, entropy: Entropy) -> None:
    """The same scalar sealed twice shares nothing with itself."""
    again, size = seal(case.group, case.context, case.key.public, PIECE, entropy), case.group.element_bytes
    fields = [{data[at : at + size] for at in range(0, len(data), size)} for data in (case.sealed, again)]
    assert not fields[0] & fields[1]


def test_a_broken_random_source_repeats_no_mask(group: Group, context: bytes, entropy: Entropy, stuck: Entropy) -> None:
    """With the same outside randomness, other scalars, receivers and contexts still come in boxes of another R."""
    first, second = (make_key(group, entropy).public for _ in range(2))
    boxes = (
        seal(group, context, first, 1, stuck),
        seal(group, context, first, 2, stuck),
        seal(group, context, second, 1, stuck),
        seal(group, context[::-1], first, 1, stuck),
    )
    assert len({sealed[: group.element_bytes] for sealed in boxes}) == 4


def test_errors_of_a_box_are_of_this_layer() -> None:
    """The verdict on a sender is an error of this layer, and neither of the two that blame who shows something."""
    assert issubclass(SealError, CryptoError)
    assert not issubclass(SealError, (DecodeError, ProofError))
