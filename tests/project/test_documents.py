"""The documents say what the code does: the generated ones are up to date, and no rule, fault, kind or link is left out."""

import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import documents
import pytest

from p2p_hearts.protocol.codec import MAX_FRAME, pack
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.fields import Bound, parse
from p2p_hearts.protocol.messages import BODIES, Kind

PROJECT = Path(__file__).parents[2]
PROTOCOL = PROJECT / "protocol"
PAGES = {path.name: path.read_text("utf-8") for path in sorted(PROTOCOL.glob("*.md"))}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
RULE = re.compile(r"\b([PW]\d+)\b")
DEFINITION = re.compile(r"^(?:- |.*?)\*\*([PW]\d+)\*\*", re.MULTILINE)


def written() -> list[Path]:
    """Every page of the project that is kept in it."""
    return [path for folder in (PROJECT, PROTOCOL) for path in sorted(folder.glob("*.md"))]


@pytest.mark.parametrize("name", documents.documents())
def test_generated_pages_are_fresh(name: str) -> None:
    """A page that is made from the code says what the code says (`scripts/documents.py` writes it anew)."""
    assert PAGES[name] == documents.documents()[name]


def test_every_fault_has_its_sentence() -> None:
    """`errors.md` lists every fault, in the order of the code, with the sentence that a player reads."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", PAGES["errors.md"], re.MULTILINE)
    assert rows == [(fault.name, fault.value) for fault in Fault]


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_its_section(kind: Kind) -> None:
    """Every kind of entry has one section, which says who writes it."""
    sections = PAGES["messages.md"].split(f"\n### {kind.name} ({int(kind)})\n")
    assert len(sections) == 2
    assert "Written by " in sections[1].split("\n### ")[0]


@pytest.mark.parametrize("path", written(), ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    """Every relative link of a page leads to a file, and its anchor to a heading."""
    for target in LINK.findall(path.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}, (
                target
            )


def test_rules_are_numbered_once() -> None:
    """Every numbered rule is defined on one page only, and every number that a page names is defined."""
    defined = Counter(number for text in PAGES.values() for number in DEFINITION.findall(text))
    named = {number for name, text in PAGES.items() if name != "rules.md" for number in RULE.findall(text)}
    assert [number for number, times in defined.items() if times > 1] == []
    assert named - defined.keys() == set()


def test_pages_are_in_the_reading_order() -> None:
    """The README of the protocol leads to every page."""
    assert set(PAGES) - set(LINK.findall(PAGES["README.md"])) == {"README.md"}


@pytest.mark.parametrize("kind", BODIES, ids=lambda kind: kind.name)
def test_largest_entry_is_as_large_as_written(kind: Kind) -> None:
    """The size that a section gives is that of an entry whose every field is as long as it may be."""
    largest = _largest(BODIES[kind])
    parse(BODIES[kind], largest)
    version = "p2p-hearts/1/ristretto255"
    frame = 1 + len(pack((version, bytes(32), bytes(32), bytes(8), 2**32 - 1, bytes(32), int(kind), largest))) + 64
    text = PAGES["messages.md"].split(f"\n### {kind.name} ({int(kind)})\n")[1].split("\n### ")[0]
    assert f"Largest: {min(frame, MAX_FRAME):,} bytes." in text


LIMIT = re.compile(r"^\| [^|]+ \| ([\d,]+) \| [^|]+ \| `([\w.]+)\.([A-Z_]+)` \|$", re.MULTILINE)
DOORS = ("protocol/**/*.py", "node/transport/*.py")  # where every bound has to be in the table


def test_limits_are_as_written() -> None:
    """Every limit of the page is a constant of the program with this value, and every bound of the doors is on the page."""
    written = {(module, name): int(value.replace(",", "")) for value, module, name in LIMIT.findall(PAGES["limits.md"])}
    assert {where: getattr(import_module(where[0]), where[1]) for where in written} == written
    package = PROJECT / "p2p_hearts"
    sources = [path for pattern in DOORS for path in package.glob(pattern)]
    named = re.compile(r"^(MAX_[A-Z_]+)\b.* = ", re.MULTILINE)
    for path in sources:
        module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        for name in named.findall(path.read_text("utf-8")):
            assert (module, name) in written or name in OWN_LIMITS, (module, name)


OWN_LIMITS = {
    "MAX_SEQ",  # the width of a number
    "MAX_ROSTER",  # of a file, which is no longer than what is read
}


def _largest(hint: Any) -> Any:
    if get_origin(hint) is not Annotated:
        return tuple(map(_largest, get_type_hints(hint, include_extras=True).values()))
    base, bound = get_args(hint)
    assert isinstance(bound, Bound)
    if get_origin(base) is tuple:
        return (_largest(get_args(base)[0]),) * bound.most
    return bound.most if base is int else (b"\0" if base is bytes else "😀") * bound.most


def test_pages_name_no_machine() -> None:
    """No page names a path of the machine on which it was written."""
    for name, text in PAGES.items():
        assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", text), name
