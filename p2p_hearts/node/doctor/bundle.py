"""The bundle for a bug report: what the doctor found, without a word that says who or where somebody is.

The law: no key, no name, no secret, no address. What is known to be private (adapters, networks, folders, the person's and
the computer's name) is replaced by what kind of thing it is, and after that everything that looks like an address or a
key, known or not. Nothing of a table is in it, not even its log: those hold names."""

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from p2p_hearts.node.addresses import AdapterAddress, is_virtual
from p2p_hearts.node.doctor.check import Check

FORMAT = 1

_ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)|(?<![\w:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?"
)
_KEY = re.compile(r"[0-9A-Fa-f]{12,}")
_QUOTED = re.compile(r"“[^”]*”")  # names are quoted like this in all sentences of ours


def make_bundle(checks: Sequence[Check], private: Mapping[str, str], facts: Mapping[str, Any]) -> dict[str, Any]:
    """What to write as JSON. `private`: each text that must not leave, and what to say in its place; `facts`: what is
    known to be harmless."""
    return {
        "p2p-hearts": FORMAT,
        **facts,
        "checks": [
            {
                key: redact(value, private) if key in ("finding", "cure") else value
                for key, value in as_fields(check).items()
            }
            for check in checks
        ],
    }


def as_fields(check: Check) -> dict[str, str]:
    """A check for JSON."""
    return {**asdict(check), "status": check.status.value}


def redact(text: str, private: Mapping[str, str]) -> str:
    """The text without what is private."""
    for known in sorted(filter(None, private), key=len, reverse=True):  # a folder before the name that is part of it
        text = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", private[known], text)
    return _KEY.sub("(key)", _ADDRESS.sub(_kind_of, _QUOTED.sub("“…”", text)))


def adapters_as_kinds(adapters: Iterable[AdapterAddress]) -> dict[str, str]:
    """What to say in place of the name of each adapter."""
    kinds: dict[str, str] = {}
    for address in adapters:
        kind = "virtual adapter" if is_virtual(address) else "adapter"
        kinds.setdefault(address.adapter, f"{kind} {len(kinds) + 1}")
    return kinds


def _kind_of(found: "re.Match[str]") -> str:
    """What sort of address it is, which is what matters for a fault."""
    try:
        address = ipaddress.ip_address(found[0].partition("%")[0])
    except ValueError:
        return "(address)"
    sorts = (address.is_loopback, "loopback"), (address.is_link_local, "link-local"), (address.is_private, "private")
    return f"({next((sort for holds, sort in sorts if holds), 'public')} IPv{address.version} address)"
