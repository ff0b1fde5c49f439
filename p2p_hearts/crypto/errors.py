"""What can be wrong with bytes from a peer; no other error leaves this layer, whatever those bytes are."""


class CryptoError(Exception):
    """Bytes from a peer are not what they have to be."""


class DecodeError(CryptoError):
    """The bytes encode no element, scalar, key or proof."""


class ProofError(CryptoError):
    """A proof, signature or opening is well-formed and does not hold."""


class SealError(CryptoError):
    """What a receiver discloses is no box: its sender is at fault, not who discloses it."""
