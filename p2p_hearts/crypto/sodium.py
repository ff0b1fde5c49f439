"""libsodium as the wheel `rbcl` bundles it, called through ctypes; the only module that knows of either.

Laws: no length is left to C, which would read past the end of a short string; no return code is dropped; nothing here
holds state, so any thread may call, and ctypes lets other threads run meanwhile. rbcl's own Python wrappers are not even
imported: they answer an invalid point with 32 zero bytes, the identity (`protocol/cryptography.md`, section 2)."""
# ruff: noqa: PTH108, PTH118, PTH120, PTH123 - of what touches files the core may import `os` alone, and only here

import os
from collections.abc import Sequence
from contextlib import suppress
from ctypes import CDLL, c_char, c_ulonglong
from importlib.util import find_spec, module_from_spec, spec_from_file_location

from p2p_hearts.crypto.errors import DecodeError

POINT_BYTES = SCALAR_BYTES = SEED_BYTES = 32
HASH_BYTES = SIGNATURE_BYTES = 64
IDENTITY = bytes(POINT_BYTES)  # ristretto255 encodes its identity as zeros (RFC 9496, section 4.3.2)
_HIGHEST_BIT = 0x80  # of the last byte; no field element reaches it
_Point = c_char * POINT_BYTES
_Long = c_char * 64  # bytes: a signature, a secret key


def scalar_mult(scalar: bytes, point: bytes) -> bytes:
    """The point times the scalar (below 2²⁵⁵, little-endian); takes the same time for every scalar."""
    result = _Point()
    if _mult(result, _sized(scalar, SCALAR_BYTES), _sized(point, POINT_BYTES)):
        return _identity_unless_invalid(point)
    return result.raw


def scalar_mult_base(scalar: bytes) -> bytes:
    """The generator times the scalar, likewise."""
    result = _Point()
    # No point goes in, so an error can only mean that the identity came out.
    return IDENTITY if _base(result, _sized(scalar, SCALAR_BYTES)) else result.raw


def add(left: bytes, right: bytes) -> bytes:
    """The sum of two points."""
    result = _Point()
    if _add(result, _sized(left, POINT_BYTES), _sized(right, POINT_BYTES)):
        raise DecodeError("adding what is no point")
    return result.raw


def subtract(left: bytes, right: bytes) -> bytes:
    """The difference of two points."""
    result = _Point()
    if _sub(result, _sized(left, POINT_BYTES), _sized(right, POINT_BYTES)):
        raise DecodeError("subtracting what is no point")
    return result.raw


def sum_of_products(scalars: Sequence[bytes], points: Sequence[bytes], base_point: bytes) -> bytes:
    """Σ scalar · point in two buffers; terms with `base_point` take the faster multiplication of the generator.

    libsodium has no multi-scalar multiplication: this is one multiplication and one addition a term.
    """
    total, term, empty = _Point(), _Point(), True
    for scalar, point in zip(scalars, points, strict=True):
        if len(scalar) != SCALAR_BYTES or len(point) != POINT_BYTES:
            raise DecodeError(f"a term of {len(scalar)} and {len(point)} bytes")
        if _base(term, scalar) if point == base_point else _mult(term, scalar, point):
            _identity_unless_invalid(point)
        elif empty:
            total, term, empty = term, total, False
        elif _add(total, total, term):
            raise DecodeError("adding what is no point")
    return total.raw


def is_point(data: bytes) -> bool:
    """Whether the bytes are the canonical encoding of a ristretto255 element; the identity is one."""
    # libsodium 1.0.18 does not look at the highest bit, so that each element, the identity too, has a second encoding
    return len(data) == POINT_BYTES and data[-1] < _HIGHEST_BIT and bool(_valid(data))


def point_from_hash(data: bytes) -> bytes:
    """The element of 64 uniform bytes (RFC 9496, section 4.3.4)."""
    result = _Point()
    if _from_hash(result, _sized(data, HASH_BYTES)):
        raise DecodeError("no point comes from this hash")
    return result.raw


def sign_public(seed: bytes) -> bytes:
    """The Ed25519 public key of a seed (RFC 8032)."""
    return _sign_keypair(seed)[SEED_BYTES:]


def sign_detached(seed: bytes, message: bytes) -> bytes:
    """The Ed25519 signature of a message. The public half is made anew: signing beside a wrong one gives the seed away."""
    signature = _Long()
    _must(_sign(signature, None, message, c_ulonglong(len(message)), _sign_keypair(seed)))
    return signature.raw


def sign_verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature fits."""
    if len(public) != POINT_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    return not _verify(signature, message, c_ulonglong(len(message)), public)


def edwards_mult(scalar: bytes, point: bytes) -> bytes | None:
    """A point of edwards25519 times a scalar that is not reduced; None if the point is unfit or the result the identity."""
    result = _Point()
    failed = _edwards_mult(result, _sized(scalar, SCALAR_BYTES), _sized(point, POINT_BYTES))
    return None if failed else result.raw


def _sized(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise DecodeError(f"{len(data)} bytes where {size} belong")
    return data


def _identity_unless_invalid(point: bytes) -> bytes:
    """The identity: a multiplication of a valid point fails only when that is its result."""
    if not is_point(point):
        raise DecodeError(f"multiplying what is no point: {point.hex()}")
    return IDENTITY


def _sign_keypair(seed: bytes) -> bytes:
    public, secret = _Point(), _Long()
    _must(_keypair(public, secret, _sized(seed, SEED_BYTES)))
    return secret.raw


def _must(code: int) -> None:
    if code:
        raise OSError(f"libsodium failed with {code} where it cannot fail")


def _load() -> CDLL:
    """The library. rbcl unpacks it into a new temporary file at every import and leaves it there; we do not."""
    package = find_spec("rbcl")
    if package is None or not package.submodule_search_locations:
        raise ImportError("the package rbcl, which holds libsodium, is not installed")
    # Only this module of rbcl runs: its others cost 6 MB and half of the time it takes to start.
    found = spec_from_file_location("_rbcl_sodium", os.path.join(package.submodule_search_locations[0], "_sodium.py"))
    if found is None or found.loader is None:
        raise ImportError("this rbcl does not hold libsodium where it used to be")
    module = module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except OSError as error:
        raise ImportError(f"libsodium cannot be loaded from the temporary directory, set TMPDIR: {error}") from error
    library: CDLL = module._sodium  # noqa: SLF001 - the one name rbcl gives it
    _delete_copies(module.lib_path, module.sodium_bs)
    if library.sodium_init() < 0:
        raise ImportError("libsodium does not start on this machine")
    return library


def _delete_copies(path: str, content: bytes) -> None:
    """Deletes the unpacked file, or those that earlier programs left where a loaded file cannot be deleted (Windows)."""
    if os.name == "posix":
        os.unlink(path)
        return
    _delete_leftovers(os.path.dirname(path), content)


def _delete_leftovers(folder: str, content: bytes) -> None:
    """Deletes every copy of our library that no running program holds open."""
    for entry in os.scandir(folder):
        with suppress(OSError):  # gone meanwhile, or in use
            if entry.name.endswith(".pyd") and entry.stat().st_size == len(content) and _holds(entry.path, content):
                os.unlink(entry.path)


def _holds(path: str, content: bytes) -> bool:
    """Whether the file is our library byte for byte: nothing else in the temporary directory is ours to delete."""
    with open(path, "rb") as file:
        return file.read() == content


_LIBRARY = _load()
_mult = _LIBRARY.crypto_scalarmult_ristretto255
_base = _LIBRARY.crypto_scalarmult_ristretto255_base
_add = _LIBRARY.crypto_core_ristretto255_add
_sub = _LIBRARY.crypto_core_ristretto255_sub
_valid = _LIBRARY.crypto_core_ristretto255_is_valid_point
_from_hash = _LIBRARY.crypto_core_ristretto255_from_hash
_keypair = _LIBRARY.crypto_sign_seed_keypair
_sign = _LIBRARY.crypto_sign_detached
_verify = _LIBRARY.crypto_sign_verify_detached
_edwards_mult = _LIBRARY.crypto_scalarmult_ed25519_noclamp
