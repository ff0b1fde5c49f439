"""Every rule is cited by a test, and by the project's own page of the rules."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = TESTS.parents[1] / "protocol" / "rules.md"
NUMBERS = [f"R{number}" for number in range(1, 21)] + [f"D{number}" for number in range(1, 24)]


def cited_by_tests() -> set[str]:
    """The rules named in the docstrings of the tests."""
    docstrings = [
        ast.get_docstring(node) or ""
        for path in TESTS.parent.glob("*/test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    return set(re.findall(r"\b[RD]\d+\b", " ".join(docstrings)))


@pytest.mark.parametrize("number", NUMBERS)
def test_rule_is_cited_by_a_test(number: str) -> None:
    """Each rule is pinned by at least one test that names it in its docstring."""
    assert number in cited_by_tests()


@pytest.mark.parametrize("number", NUMBERS)
def test_rule_is_written_down(number: str) -> None:
    """Each rule has its place in the page of the rules."""
    assert re.search(rf"\b{number}\b", RULES.read_text(encoding="utf-8"))
