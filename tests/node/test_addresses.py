"""Addresses: what is offered, in which order, and what may be typed."""

import pytest

from p2p_hearts.node.addresses import (
    AdapterAddress,
    AddressError,
    Endpoint,
    endpoint_text,
    hosts_of_adapter,
    own_hosts,
    parse_endpoint,
    read_adapters,
    usable_host,
)

LAPTOP = (
    AdapterAddress("lo", "127.0.0.1", 8),
    AdapterAddress("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1", 24),
    AdapterAddress("docker0", "172.17.0.1", 16),
    AdapterAddress("tun0", "10.8.0.2", 32),
    AdapterAddress("wlan0", "fe80::1", 64),
    AdapterAddress("wlan0", "2001:db8::5", 64),
    AdapterAddress("wlan0", "192.168.1.5", 24),
    AdapterAddress("eth0", "169.254.3.4", 16),
)


def test_real_adapters_come_first() -> None:
    """FD7: every usable address is offered, virtual adapters after real ones, IPv4 before IPv6, unassigned ones last."""
    assert own_hosts(LAPTOP) == (
        "192.168.1.5", "2001:db8::5", "192.168.56.1", "172.17.0.1", "10.8.0.2", "169.254.3.4",
    )  # fmt: skip


def test_loopback_is_the_last_resort() -> None:
    """Loopback is offered exactly when there is no other address."""
    assert own_hosts(LAPTOP[:1]) == ("127.0.0.1",)
    assert own_hosts(()) == ()


def test_offers_are_few() -> None:
    """An adapter with dozens of temporary addresses does not flood the others."""
    assert len(own_hosts(AdapterAddress("eth0", f"2001:db8::{i}", 64) for i in range(1, 40))) == 8


def test_adapter_by_name_or_address() -> None:
    """FD7: `--bind` takes the adapter's name or one of its addresses, and lists what there is otherwise."""
    assert hosts_of_adapter(LAPTOP, "wlan0") == ("192.168.1.5", "2001:db8::5")
    assert hosts_of_adapter(LAPTOP, "192.168.1.5") == ("192.168.1.5", "2001:db8::5")
    with pytest.raises(AddressError, match=r"no network adapter 'wifi'.*wlan0 \(192\.168\.1\.5\)"):
        hosts_of_adapter(LAPTOP, "wifi")


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("192.168.1.5:47110", Endpoint("192.168.1.5", 47110)),
        (" 192.168.1.5 ", Endpoint("192.168.1.5", 47104)),
        ("[2001:db8::5]:47110", Endpoint("2001:db8::5", 47110)),
        ("[2001:db8::5]", Endpoint("2001:db8::5", 47104)),
        ("2001:db8::5", Endpoint("2001:db8::5", 47104)),
    ],
)
def test_typed_addresses(text: str, endpoint: Endpoint) -> None:
    """An address may be typed with or without port, IPv6 with or without brackets, and is written back readably."""
    assert parse_endpoint(text) == endpoint
    assert parse_endpoint(endpoint_text(endpoint)) == endpoint


@pytest.mark.parametrize(
    "text",
    ["", ":1", "1.2.3", "ann:47104", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65535", "1.2.3.4:x", "1.2.3.4:٣",
     "[1.2.3.4", "fe80::1", "fe80::1%eth0", "224.0.0.1:5", "0.0.0.0", "1.2.3.4:1:2"],
)  # fmt: skip
def test_bad_addresses_get_one_sentence(text: str) -> None:
    """Whatever else is typed is refused with one sentence."""
    with pytest.raises(AddressError, match=r"^[^\n]+\.$"):
        parse_endpoint(text)


def test_claims_of_peers_are_checked() -> None:
    """A peer's claim to live at a multicast, empty, scoped or link-local IPv6 address is not dialled."""
    assert [usable_host(h) for h in ("10.0.0.1", "2001:db8::1", "fe80::1", "ff02::1", "0.0.0.0", "x", "tcp://1")] == [
        True, True, False, False, False, False, False,
    ]  # fmt: skip


def test_this_machine_has_loopback() -> None:
    """The system's own list contains loopback, which every machine has."""
    assert "127.0.0.1" in {a.host for a in read_adapters()}
