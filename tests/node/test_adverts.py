"""TXT fields: what a host tells the network, and what is believed of it."""

from dataclasses import replace

import pytest

from p2p_hearts.node.adverts import (
    SERVICE_TYPE,
    Advert,
    AdvertError,
    decode_txt,
    encode_txt,
    fits,
    host_mark,
    table_mark,
)
from p2p_hearts.node.hello import IdentityCard

TABLE, ANN, BEA = b"t" * 32, b"a" * 32, b"b" * 32
ADVERT = Advert(
    "p2p-hearts/1", table_mark(TABLE), host_mark(TABLE, ANN), "Tuesday", "Ann", 8, 3, "lobby", "standard", "00c0ffee"
)


def wire(**changes: bytes | None) -> dict[bytes, bytes | None]:
    """The fields of `ADVERT` as they arrive, some of them changed."""
    fields: dict[bytes, bytes | None] = {key.encode(): value.encode() for key, value in encode_txt(ADVERT).items()}
    return {**fields, **{key.encode(): value for key, value in changes.items()}}


def test_fields_read_back() -> None:
    """An advert reads back as it was; unknown fields of later versions are ignored."""
    assert decode_txt(wire(later=b"x", flag=None)) == ADVERT


def test_fields_keep_to_the_rules_of_dns_sd() -> None:
    """RFC 6763: keys of at most nine letters, items of at most 255 bytes, a service name of at most 15 letters."""
    for key, value in encode_txt(replace(ADVERT, name="\U0001f0d1" * 16, host="\U0001f0d1" * 16)).items():
        assert len(key) <= 9
        assert len(f"{key}={value}".encode()) <= 255
    assert len(SERVICE_TYPE.split(".")[0]) - 1 <= 15


def test_names_are_cleaned_at_the_door() -> None:
    """Control, bidi and zero-width letters in names do not get in, and no name is long."""
    advert = decode_txt(wire(name="\u202eTues\u200bday\x1b[2J".encode(), by=("A" * 200).encode()))
    assert advert.name == "Tuesday[2J"
    assert advert.host == "A" * 16
    assert decode_txt(wire(name=b"")).name == "?"


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"id": b"00"},
        {"id": b"G" * 32},
        {"v": b""},
        {"v": b"\x1b[2J"},
        {"name": b"\xff"},
        {"seats": b"12"},
        {"seats": b"-1"},
        {"taken": b"9"},
        {"taken": "٣".encode()},
        {"state": b"gone"},
        {"preset": b"a b"},
        {"rules": b""},
    ],
)
def test_fields_out_of_bounds_are_refused(changes: dict[str, bytes | None]) -> None:
    """A missing or impossible field makes it no advert of ours."""
    with pytest.raises(AdvertError):
        decode_txt(wire(**changes))


def test_only_the_host_of_the_table_fits() -> None:
    """An advert fits the identity card of its own host at its own table, and no other."""
    assert fits(ADVERT, IdentityCard(TABLE, ANN, b"", "Ann"))
    assert not fits(ADVERT, IdentityCard(TABLE, BEA, b"", "Ann"))
    assert not fits(ADVERT, IdentityCard(b"u" * 32, ANN, b"", "Ann"))


def test_a_host_is_not_recognised_elsewhere() -> None:
    """The mark of a host differs from table to table."""
    assert host_mark(TABLE, ANN) != host_mark(b"u" * 32, ANN)
