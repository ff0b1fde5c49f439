"""Invitations in words and as a text: what is written is read again, however people write it, and slips are found."""

import base64
import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.invitations import (
    FORMS,
    TEXT,
    Invitation,
    InvitationError,
    invite_in_text,
    invite_in_words,
    password,
    read_invitation,
    write_invitation,
)
from p2p_hearts.protocol.envelope import digest
from p2p_hearts.protocol.words import read_words, write_words

KEY = bytes(range(32))


def zeros(size: int) -> bytes:
    """A secret that shows which bits of the words are its own."""
    return bytes(size)


def words(host: str, port: int = 47104) -> str:
    """The words for an address, with a fixed secret."""
    made = invite_in_words([host], port, seeded(b"w" * 32))
    assert made is not None
    return write_invitation(made)


@pytest.mark.parametrize(
    ("host", "port", "count"),
    [
        ("192.168.1.20", 47104, 4),
        ("192.168.255.255", 47104, 4),
        ("192.168.1.20", 47106, 6),
        ("192.168.1.20", 47134, 6),
        ("10.1.2.3", 47104, 6),
        ("172.31.255.1", 47110, 6),
        ("169.254.7.7", 47104, 6),
        ("100.64.0.9", 47104, 6),
        ("192.168.1.20", 47105, 8),
        ("192.168.1.20", 47136, 8),
        ("172.32.0.1", 47104, 8),
        ("84.12.3.4", 5340, 8),
        ("127.0.0.1", 65534, 8),
    ],
)
def test_words_are_as_few_as_the_address_allows(host: str, port: int, count: int) -> None:
    """Four words for a 192.168 address on the usual port, six for any private one on a port a program tries, else eight."""
    made = invite_in_words(["2001:db8::1", host, "10.9.9.9"], port, seeded(b"w" * 32))
    assert made is not None
    text = write_invitation(made)
    assert len(text.split()) == count
    assert read_invitation(text) == made == Invitation(count, (Endpoint(host, port),), made.secret)
    assert len(made.secret) * 8 >= {4: 22, 6: 33, 8: 33}[count]


def test_bits_are_where_the_page_says() -> None:
    """P151: place, check and secret, highest bits first; 192.168.1.20 is place 276."""
    made = invite_in_words(["192.168.1.20"], 47104, zeros)
    assert made is not None
    number = read_words(write_invitation(made).split())
    assert number is not None
    check = int.from_bytes(digest("invitation words", b"\x04", (276).to_bytes(8, "big"), bytes(8))[:2], "big") >> 10
    assert number == (276 << 6 | check) << 22
    six = invite_in_words(["10.0.0.1"], 47108, zeros)
    assert six is not None
    assert (read_words(write_invitation(six).split()) or 0) >> (33 + 4) == 1 * 16 + 2


def test_only_ipv6_has_no_words() -> None:
    """IPv6 addresses travel by text and QR code only."""
    assert invite_in_words(["2001:db8::1"], 47104, seeded(b"w" * 32)) is None


@pytest.mark.parametrize("host", ["192.168.1.20", "10.1.2.3", "84.12.3.4"])
def test_words_are_read_however_they_are_written(host: str) -> None:
    """Capitals, hyphens, blanks, commas and nothing at all between the words make no difference."""
    said = words(host)
    expected = read_invitation(said)
    assert expected is not None
    for written in (said.upper(), said.replace(" ", "-"), said.replace(" ", "  \t "), said.replace(" ", ""),
                    f"  {said.title()}. ", said.replace(" ", ", "), said.replace(" ", "\n")):  # fmt: skip
        assert read_invitation(written) == expected


def test_text_holds_key_addresses_and_128_bits() -> None:
    """The text is read in any case, with line breaks where a terminal has put them, and is short enough for a small code."""
    hosts = ["192.168.1.20", "10.1.2.3", "2001:db8::5", "172.16.0.9", "10.0.0.7", "2001:db8::6"]
    made = invite_in_text(KEY, hosts, 50000, seeded(b"t" * 32))
    assert made.identity == KEY
    assert [e.host for e in made.endpoints] == ["192.168.1.20", "10.1.2.3", "2001:db8::5", "172.16.0.9"]
    assert len(made.secret) == 16
    text = write_invitation(made)
    assert text.startswith("p2ph:")
    assert len(text) <= 154  # what a QR code of version 5 holds at level L
    for written in (text, text.upper(), f" {text[:50]}\n  {text[50:]} ", f"{text[:40]}-{text[40:]}"):
        assert read_invitation(written) == made


def test_passwords_differ_by_form() -> None:
    """What is proved says by which form, so that a secret of one form is none of another."""
    four = Invitation(4, (Endpoint("192.168.1.1", 47104),), b"\x00\x00\x01")
    assert password(four) == b"\x04\x00\x00\x01"


@pytest.mark.parametrize("typed", ["", "Friday", "192.168.1.20:47104", "bada", "bada goku", "Kitchen table", "a b c d", "Mami Papa", "f00d" * 8, "nobodynobodynobo"])  # fmt: skip
def test_other_things_are_no_invitation(typed: str) -> None:
    """Names of tables, addresses and marks are left to others to read."""
    assert read_invitation(typed) is None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("bahi patu rumu tuni", "These words do not belong together: one of them was misheard or mistyped."),
        ("bahi patu rumu tune", "“tune” is no word of an invitation."),
        ("bahi patu rumu tunu babi", "An invitation has 4, 6 or 8 words, not 5."),
        ("p2ph:", "This invitation is not whole: copy all of it, from p2ph: to its last letter."),
        ("p2ph:ae", "This invitation is not whole: copy all of it, from p2ph: to its last letter."),
        ("P2PH:81", "This invitation has letters that belong to none."),
        ("p2ph:AIAAAAAA", "This invitation is of another version of p2p-hearts."),
    ],
)
def test_slips_are_said_in_one_sentence(typed: str, sentence: str) -> None:
    """Whoever mistypes an invitation is told what is wrong before anybody is asked."""
    with pytest.raises(InvitationError, match=f"^{sentence}$"):
        read_invitation(typed)


@pytest.mark.parametrize("host", ["192.168.1.20", "10.1.2.3", "84.12.3.4"])
def test_a_misheard_word_is_found(host: str) -> None:
    """One wrong word is found by the check bits, but for about one in 64, 16 or 128, before an attempt is spent."""
    said = words(host).split()
    good = read_invitation(" ".join(said))
    missed = 0
    for place in range(len(said)):
        for number in range(0, 2048, 16):
            other = [*said[:place], *write_words(number, 1), *said[place + 1 :]]
            if other == said:
                continue
            try:
                missed += read_invitation(" ".join(other)) != good
            except InvitationError:
                continue
    assert missed < 3 * len(said) * 128 / 2 ** FORMS[len(said)].check


def test_a_damaged_text_is_found() -> None:
    """Any one letter that is changed or missing is found."""
    text = write_invitation(invite_in_text(KEY, ["192.168.1.20"], 47104, seeded(b"t" * 32)))
    for at in range(len("p2ph:"), len(text)):
        for spoilt in (text[:at] + ("b" if text[at] == "a" else "a") + text[at + 1 :], text[:at] + text[at + 1 :]):
            with pytest.raises(InvitationError):
                read_invitation(spoilt)


@pytest.mark.parametrize(
    ("port", "hosts"),
    [
        (0, [b"\x04\x0a\x00\x00\x01"]),
        (65535, [b"\x04\x0a\x00\x00\x01"]),
        (5340, []),
        (5340, [b"\x04\xe0\x00\x00\x01"]),  # multicast
        (5340, [b"\x04\x00\x00\x00\x00"]),
        (5340, [b"\x10\xfe\x80" + bytes(13) + b"\x01"]),  # link-local
        (5340, [b"\x05\x0a\x00\x00\x01\x02"]),
        (5340, [b"\x04\x0a\x00\x00"]),
        (5340, [b"\x04\x0a\x00\x00\x01"] * 5),
    ],
)
def test_places_that_cannot_be_dialled_are_refused(port: int, hosts: list[bytes]) -> None:
    """A text is as hostile as anything from the network: an address that is none, or too many, is refused in words."""
    body = b"\x01" + KEY + bytes(16) + port.to_bytes(2, "big") + b"".join(hosts)
    body += digest("invitation text", body)[:4]
    with pytest.raises(InvitationError, match="no place that can be dialled"):
        read_invitation("p2ph:" + base64.b32encode(body).decode().rstrip("="))


@given(st.one_of(st.text(max_size=200), st.text(alphabet="badgokutimu -,8pP2h:", max_size=120),
                 st.binary(max_size=120).map(lambda data: "p2ph:" + base64.b32encode(data).decode()),
                 st.lists(st.integers(0, 2047), min_size=1, max_size=9).map(lambda n: " ".join(w for x in n for w in write_words(x, 1)))))  # fmt: skip
def test_whatever_is_typed_is_an_invitation_a_sentence_or_neither(typed: str) -> None:
    """No text raises anything but InvitationError, and what is read can be written and read again."""
    try:
        found = read_invitation(typed)
    except InvitationError:
        return
    if found is not None:
        assert found.form == TEXT or found.form in FORMS
        assert read_invitation(write_invitation(found)) == found


@given(st.integers(0, 2**32 - 1), st.integers(1, 65534), st.binary(min_size=5, max_size=5))
def test_every_ipv4_address_and_port_has_words(number: int, port: int, secret: bytes) -> None:
    """Words give back the address and the port, whatever they are, as long as they can be dialled."""
    host = str(ipaddress.IPv4Address(number))
    made = invite_in_words([host], port, lambda size: secret[:size])
    assert made is not None
    try:
        assert read_invitation(write_invitation(made)) == made
    except InvitationError:
        address = ipaddress.IPv4Address(number)
        assert address.is_multicast or address.is_unspecified
