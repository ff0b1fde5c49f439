"""Invitations as people pass them on: a few spoken words, or a text that a QR code holds as well.

How it works. An invitation says where a table is and holds a secret that its host knows. The words are as few as the
address allows; the text has room for the host's whole key, several addresses and a long secret. Words carry some check
bits, so that most slips of the ear are found before anybody is asked. The law: what is read is an address that can be
dialled and a secret, or a sentence. Source: `protocol/invitations.md`, P150 to P155.
"""

import base64
import binascii
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p_hearts.entropy import Entropy
from p2p_hearts.node.addresses import DEFAULT_PORT, Endpoint, usable_host
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.names import MAX_NAME
from p2p_hearts.protocol.words import read_words, write_words

TEXT = 0  # the form of the text; other forms are named by the number of their words
SCHEME = "p2ph:"
TEXT_SECRET_BYTES = 16

_VERSION = 1
_IDENTITY_BYTES, _CHECK_BYTES = 32, 4
_MAX_ADDRESSES, _ADDRESS_BYTES = 4, 38  # in all; so the QR code stays small enough for a window of 24 lines
_MAX_TEXT = 400  # characters that are looked at
_MAX_PORT = 65534  # hello needs the next one
_WORD = len("bada")
_SEPARATORS = re.compile(r"[\s\-–_.,;:/]+")
_PRIVATE = tuple(
    ipaddress.IPv4Network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10")
)
_HOME = _PRIVATE[2]
_STEPS, _STEP = 16, 2  # the ports that a program tries, the usual one first


class InvitationError(ValueError):
    """What was typed is meant as an invitation and is none; the message is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where a table is, and what to prove there. `form` is the number of words, or `TEXT`; only the text names the host's
    identity."""

    form: int
    endpoints: tuple[Endpoint, ...]
    secret: bytes = field(repr=False)
    identity: bytes = b""


@dataclass(frozen=True, slots=True)
class Form:
    """How the bits of so many words are used: the place, check bits, and the secret, in this order."""

    place: int
    check: int
    secret: int


FORMS = {4: Form(16, 6, 22), 6: Form(29, 4, 33), 8: Form(48, 7, 33)}


def invite_in_words(hosts: Sequence[str], port: int, entropy: Entropy) -> Invitation | None:
    """A new invitation in as few words as the first IPv4 address allows; None when there is none."""
    host = next((host for host in hosts if ":" not in host), None)
    if host is None:
        return None
    endpoint = Endpoint(host, port)
    form = next(form for form in FORMS if _place(form, endpoint) is not None)
    bits = FORMS[form].secret
    size = (bits + 7) // 8
    secret = int.from_bytes(entropy(size), "big") >> (8 * size - bits)
    return Invitation(form, (endpoint,), secret.to_bytes(size, "big"))


def invite_in_text(identity: bytes, hosts: Sequence[str], port: int, entropy: Entropy) -> Invitation:
    """A new invitation with the whole key of its host and as many of its addresses as fit."""
    kept: list[Endpoint] = []
    room = _ADDRESS_BYTES
    for host in hosts:
        room -= 1 + len(ipaddress.ip_address(host).packed)
        if room >= 0 and len(kept) < _MAX_ADDRESSES:
            kept.append(Endpoint(host, port))
    return Invitation(TEXT, tuple(kept), entropy(TEXT_SECRET_BYTES), identity)


def write_invitation(invitation: Invitation) -> str:
    """The words, blanks between them, or the text."""
    if invitation.form == TEXT:
        return _write_text(invitation)
    form = FORMS[invitation.form]
    place, secret = _place(invitation.form, invitation.endpoints[0]), int.from_bytes(invitation.secret, "big")
    if place is None:
        raise ValueError(invitation)
    number = (place << form.check | _check(invitation.form, place, secret)) << form.secret | secret
    return " ".join(write_words(number, invitation.form))


def read_invitation(typed: str) -> Invitation | None:
    """The invitation that somebody typed, in capitals or not, with blanks, hyphens or nothing between the words; None when
    it is plainly something else.

    Raises:
        InvitationError: it is meant as an invitation and is none.
    """
    typed = typed.strip()
    if typed[: len(SCHEME)].lower() == SCHEME:
        return _read_text(typed[len(SCHEME) :])
    if len(typed) > _MAX_TEXT:
        return None
    words = [word for word in _SEPARATORS.split(typed) if word]
    if len(words) == 1 and len(typed) in {_WORD * form for form in FORMS}:
        words = [typed[at : at + _WORD] for at in range(0, len(typed), _WORD)]
        number = read_words(words)
        return None if number is None else _read_number(number, len(words))  # else it is the name of a table
    if len(words) < min(FORMS) or len(typed) <= MAX_NAME:  # a name has no more letters
        return None
    strange = [word for word in words if read_words([word]) is None]
    if len(strange) * 2 > len(words):
        return None
    if strange:
        raise InvitationError(f"“{strange[0][:MAX_NAME]}” is no word of an invitation.")
    if len(words) not in FORMS:
        raise InvitationError(f"An invitation has 4, 6 or 8 words, not {len(words)}.")
    found = _read_number(read_words(words) or 0, len(words))
    if found is None:
        raise InvitationError("These words do not belong together: one of them was misheard or mistyped.")
    return found


def password(invitation: Invitation) -> bytes:
    """What both sides put into the key exchange."""
    return bytes((invitation.form,)) + invitation.secret


def _read_number(number: int, words: int) -> Invitation | None:
    form = FORMS[words]
    secret = number & ((1 << form.secret) - 1)
    check = number >> form.secret & ((1 << form.check) - 1)
    place = number >> (form.secret + form.check)
    endpoint = _endpoint(words, place)
    if check != _check(words, place, secret) or endpoint is None:
        return None
    return Invitation(words, (endpoint,), secret.to_bytes((form.secret + 7) // 8, "big"))


def _check(words: int, place: int, secret: int) -> int:
    value = digest("invitation words", bytes((words,)), place.to_bytes(8, "big"), secret.to_bytes(8, "big"))
    return int.from_bytes(value[:2], "big") >> (16 - FORMS[words].check)


def _place(words: int, endpoint: Endpoint) -> int | None:
    """The address and port as the number that so many words have room for, or None when they have none."""
    address = ipaddress.IPv4Address(endpoint.host)
    match words:
        case 4:
            at_home = address in _HOME and endpoint.port == DEFAULT_PORT
            return int(address) - int(_HOME.network_address) if at_home else None
        case 6:
            step, odd = divmod(endpoint.port - DEFAULT_PORT, _STEP)
            if odd or not 0 <= step < _STEPS:
                return None
            before = 0
            for network in _PRIVATE:
                if address in network:
                    return (before + int(address) - int(network.network_address)) * _STEPS + step
                before += network.num_addresses
            return None
        case _:
            return int(address) << 16 | endpoint.port


def _endpoint(words: int, place: int) -> Endpoint | None:
    """The address and port of a number, or None when it stands for none that can be dialled."""
    match words:
        case 4:
            return Endpoint(str(_HOME[place]), DEFAULT_PORT)
        case 6:
            number, step = divmod(place, _STEPS)
            for network in _PRIVATE:
                if number < network.num_addresses:
                    return Endpoint(str(network[number]), DEFAULT_PORT + _STEP * step)
                number -= network.num_addresses
            return None
        case _:
            host, port = str(ipaddress.IPv4Address(place >> 16)), place & 0xFFFF
            return Endpoint(host, port) if usable_host(host) and 0 < port <= _MAX_PORT else None


def _write_text(invitation: Invitation) -> str:
    packed = [ipaddress.ip_address(endpoint.host).packed for endpoint in invitation.endpoints]
    port = invitation.endpoints[0].port if invitation.endpoints else DEFAULT_PORT
    body = bytes((_VERSION,)) + invitation.identity + invitation.secret + port.to_bytes(2, "big")
    body += b"".join(bytes((len(address),)) + address for address in packed)
    body += digest("invitation text", body)[:_CHECK_BYTES]
    return SCHEME + base64.b32encode(body).decode("ascii").rstrip("=").lower()


def _read_text(typed: str) -> Invitation:
    letters = re.sub(r"[\s\-]", "", typed[:_MAX_TEXT]).upper()
    try:
        body = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except (binascii.Error, ValueError) as error:
        raise InvitationError("This invitation has letters that belong to none.") from error
    if body[:1] not in (b"", bytes((_VERSION,))):
        raise InvitationError("This invitation is of another version of p2p-hearts.")
    cut = len(body) - _CHECK_BYTES
    whole = cut > 0 and digest("invitation text", body[:cut])[:_CHECK_BYTES] == body[cut:]
    if not whole or base64.b32encode(body).decode("ascii").rstrip("=") != letters:
        raise InvitationError("This invitation is not whole: copy all of it, from p2ph: to its last letter.")
    identity, rest = body[1 : 1 + _IDENTITY_BYTES], body[1 + _IDENTITY_BYTES : cut]
    secret, port, rest = rest[:TEXT_SECRET_BYTES], int.from_bytes(rest[16:18], "big"), rest[18:]
    hosts: list[str] = []
    while rest and len(hosts) < _MAX_ADDRESSES:
        size, packed, rest = rest[0], rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        if size not in {4, 16} or len(packed) != size:
            break
        hosts.append(str(ipaddress.ip_address(packed)))
    if rest or not hosts or not all(map(usable_host, hosts)) or not 0 < port <= _MAX_PORT:
        raise InvitationError("This invitation names no place that can be dialled.")
    return Invitation(TEXT, tuple(Endpoint(host, port) for host in hosts), secret, identity)
