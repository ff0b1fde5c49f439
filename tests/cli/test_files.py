"""`adjudicate` and `rules`: commands that read a file or only print."""

import json
from pathlib import Path

import pytest

from p2p_hearts.cli.main import main
from p2p_hearts.console.rules_text import rules_lines
from p2p_hearts.hearts.options import NAMES, PRESETS

CASES = Path(__file__).parents[2] / "protocol" / "vectors" / "rule_cases.json"


def test_adjudicate(capsys: pytest.CaptureFixture[str]) -> None:
    """All written-down cases come back with their ids and the results they expect."""
    assert main(["adjudicate", str(CASES)]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    expected = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    assert [item["id"] for item in results] == [case["id"] for case in expected]
    for item, case in zip(results, expected, strict=True):
        assert case["expect"].items() <= item["result"].items(), case["id"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read"),
        (b"[", "is no JSON file"),
        (b"\xff", "is no JSON file"),
        (b"[" * 99_999, "is no JSON file"),
    ],
)
def test_unreadable(content: bytes | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, or is no JSON, is exit code 2 and one sentence."""
    file = tmp_path / "cases.json"
    if content is not None:
        file.write_bytes(content)
    assert main(["adjudicate", str(file)]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not said.out


def test_rules_name_every_option() -> None:
    """The printed rules know every option and preset, and fit a terminal of 80 columns."""
    lines = rules_lines(78)
    assert all(name in "\n".join(lines) for name in (*NAMES, *PRESETS))
    assert max(map(len, lines)) <= 78
