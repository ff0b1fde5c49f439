"""A scalar sealed to a mail key, and what its receiver shows when it does not fit: ElGamal (1985) with a proof.

A box is R = r·G, the scalar plus a pad hashed from r·E, and a proof of knowing r about all of it (Schnorr and Jakobsson,
ASIACRYPT 2000, signed ElGamal): everybody can check a box, and one that holds opens to *some* scalar. To complain, the
receiver shows S = e·R with a proof that it is right (Chaum and Pedersen 1992); then all can open that box and no other.

Law: nobody computes e·R for an R whose maker has not proved to know r. Else a box with R* + t·G, R* from somebody
else's box, would be answered with e·R* + t·E, and its maker could open the other one (chosen ciphertexts)."""

from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.errors import CryptoError, DecodeError, SealError
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import HandKey
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.entropy import Entropy

_SECRETS = 1  # r of a box, e of a disclosure


def sealed_bytes(group: Group) -> int:
    """The one length of a box."""
    return group.element_bytes + group.scalar_bytes + sigma.proof_bytes(group, _SECRETS)


def seal(group: Group, context: bytes, public: bytes, message: int, entropy: Entropy) -> bytes:
    """The box of a scalar that only the owner of this mail key opens, in this context only."""
    transcript = Transcript(group, b"seal", context)
    transcript.append(b"public", public)
    r = group.random_scalar(lambda size: transcript.secret((message,), entropy, size))
    R = group.base(r)
    body = R + group.encode_scalar(message + _pad(group, context, public, R, group.mult(r, public)))
    return body + sigma.prove(*_box(group, context, public, body), (r,), entropy)


def verify_sealed(group: Group, context: bytes, public: bytes, sealed: bytes) -> None:
    """Checks a box for this mail key, which may be any bytes. All can, and whoever sent one that fails is at fault.

    Raises DecodeError, ProofError.
    """
    _checked(group, context, public, sealed)


def open_sealed(group: Group, context: bytes, key: HandKey, sealed: bytes) -> int:
    """The scalar in a box for this mail key; only whoever sealed it answers for what that scalar is.

    Raises DecodeError, ProofError: the box is none.
    """
    R, hidden = _checked(group, context, key.public, sealed)
    return (hidden - _pad(group, context, key.public, R, group.mult(key.secret, R))) % group.order


def disclose(group: Group, context: bytes, key: HandKey, sealed: bytes, entropy: Entropy) -> tuple[bytes, bytes]:
    """The shared point that opens this box to all, and the proof that it does.

    Raises DecodeError, ProofError: the box is none, and nothing is said about it.
    """
    R, _ = _checked(group, context, key.public, sealed)
    shared = group.mult(key.secret, R)
    transcript, rows = _disclosure(group, context, key.public, sealed, R, shared)
    return shared, sigma.prove(transcript, rows, (key.secret,), entropy)


def open_disclosed(group: Group, context: bytes, public: bytes, sealed: bytes, shared: bytes, proof: bytes) -> int:
    """The scalar in a box that its receiver discloses: what `open_sealed` gives the receiver, for all to judge.

    Raises DecodeError, ProofError: the receiver is at fault; SealError: the sender, whose box `verify_sealed` refuses.
    """
    try:
        R, hidden = _checked(group, context, public, sealed)
    except CryptoError as error:
        raise SealError(f"disclosed is what is no box: {error}") from error
    checked = group.decode_point(shared)
    transcript, rows = _disclosure(group, context, public, sealed, R, checked)
    sigma.verify(transcript, rows, (public, checked), proof)
    return (hidden - _pad(group, context, public, R, checked)) % group.order


def _checked(group: Group, context: bytes, public: bytes, sealed: bytes) -> tuple[bytes, int]:
    """R and the hidden scalar of a box that holds."""
    if len(sealed) != sealed_bytes(group):
        raise DecodeError(f"{len(sealed)} bytes where a box of {sealed_bytes(group)} belongs")
    size = group.element_bytes
    end = size + group.scalar_bytes
    R, hidden = group.decode_point(sealed[:size]), group.decode_scalar(sealed[size:end])
    sigma.verify(*_box(group, context, public, sealed[:end]), (R,), sealed[end:])
    return R, hidden


def _pad(group: Group, context: bytes, public: bytes, R: bytes, shared: bytes) -> int:
    """A uniform scalar for who knows the shared point."""
    transcript = Transcript(group, b"pad", context)
    transcript.append(b"public", public)
    transcript.append(b"shared", R, shared)
    return transcript.challenge()


def _box(group: Group, context: bytes, public: bytes, body: bytes) -> tuple[Transcript, tuple[sigma.Row, ...]]:
    transcript = Transcript(group, b"box", context)
    transcript.append(b"public", public)
    transcript.append(b"body", body)
    return transcript, (sigma.Row((0,), (group.generator,)),)


def _disclosure(
    group: Group, context: bytes, public: bytes, sealed: bytes, R: bytes, shared: bytes
) -> tuple[Transcript, tuple[sigma.Row, ...]]:
    transcript = Transcript(group, b"disclosure", context)
    transcript.append(b"public", public)
    transcript.append(b"sealed", sealed)
    transcript.append(b"shared", shared)
    return transcript, (sigma.Row((0,), (group.generator,)), sigma.Row((0,), (R,)))
