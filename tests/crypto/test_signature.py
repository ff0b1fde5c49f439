"""Ed25519: RFC 8032, the labels, and the keys that libsodium alone would take."""

import pytest

from p2p_hearts.crypto import sodium
from p2p_hearts.crypto.errors import DecodeError, ProofError
from p2p_hearts.crypto.signature import check_public, make_signing_key, sign, signing_key, verify
from p2p_hearts.entropy import Entropy

FIELD = 2**255 - 19
RFC_8032 = [  # section 7.1, tests 1 to 3: seed, public key, message, signature
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
SMALL_ORDER = [  # the eight points of order 1, 2, 4 and 8, and other spellings of them
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    """The binding makes and accepts the signatures of RFC 8032, section 7.1."""
    assert sodium.sign_public(bytes.fromhex(seed)).hex() == public
    assert sodium.sign_detached(bytes.fromhex(seed), bytes.fromhex(message)).hex() == signature
    assert sodium.sign_verify(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))
    assert check_public(bytes.fromhex(public)).hex() == public


def test_what_is_signed() -> None:
    """The signed bytes are label and data, each behind its length in four bytes."""
    seed = bytes.fromhex(RFC_8032[0][0])
    signed = b"\x00\x00\x00\x12p2p-hearts/1/entry\x00\x00\x00\x04data"
    assert sign(signing_key(seed), b"entry", b"data") == sodium.sign_detached(seed, signed)


def test_a_signature_fits_one_key_label_and_text(entropy: Entropy) -> None:
    """Another key, another label, other data, another border between them or a changed signature is refused."""
    key, other = make_signing_key(entropy), make_signing_key(entropy)
    signature = sign(key, b"entry", b"data")
    verify(key.public, b"entry", b"data", signature)
    wrong = [
        (other.public, b"entry", b"data", signature),
        (key.public, b"chat", b"data", signature),
        (key.public, b"entry", b"Data", signature),
        (key.public, b"entryd", b"ata", signature),
        (key.public, b"entry", b"data", signature[:-1]),
        (key.public, b"entry", b"data", signature + b"\0"),
        (key.public[:-1], b"entry", b"data", signature),
    ]
    spoilt = (signature[:at] + bytes((signature[at] ^ 1,)) + signature[at + 1 :] for at in (0, 31, 32, 63))
    wrong += [(key.public, b"entry", b"data", other_signature) for other_signature in spoilt]
    for arguments in wrong:
        with pytest.raises(ProofError):
            verify(*arguments)


def test_no_second_encoding_of_a_signature(entropy: Entropy) -> None:
    """The scalar s + L in the place of s is refused."""
    key = make_signing_key(entropy)
    signature = sign(key, b"entry", b"data")
    s = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    with pytest.raises(ProofError):
        verify(key.public, b"entry", b"data", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("encoding", SMALL_ORDER)
def test_no_identity_of_small_order(encoding: str) -> None:
    """A key of small order, for which one signature fits many messages, is no identity."""
    with pytest.raises(DecodeError):
        check_public(bytes.fromhex(encoding))


def test_no_identity_of_mixed_order(entropy: Entropy) -> None:
    """P + (0, −1) is no identity, though libsodium 1.0.18 takes it for a point of prime order (CVE-2025-69277)."""
    public = make_signing_key(entropy).public
    y, sign_of_x = int.from_bytes(public, "little") % 2**255, public[31] >> 7
    twisted = (FIELD - y + ((1 - sign_of_x) << 255)).to_bytes(32, "little")  # (−x, −y)
    assert sodium._LIBRARY.crypto_core_ed25519_is_valid_point(twisted) == 1
    with pytest.raises(DecodeError):
        check_public(twisted)


def test_other_bytes_are_no_identity(entropy: Entropy) -> None:
    """An identity has 32 bytes that encode a point; a point of order 8L is none."""
    public = make_signing_key(entropy).public
    order_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    twisted = sodium._Point()
    assert sodium._LIBRARY.crypto_core_ed25519_add(twisted, public, order_8) == 0
    for wrong in (b"", public[:-1], public + b"\0", (2).to_bytes(32, "little"), b"\xff" * 32, twisted.raw):
        with pytest.raises(DecodeError):
            check_public(wrong)


def test_secrets_are_not_printed(entropy: Entropy) -> None:
    """What shows a key shows its public half."""
    key = make_signing_key(entropy)
    assert "seed" not in repr(key)
    assert repr(key.public) in repr(key)
