"""`doctor` on the screen: one line a finding, the cure below it, the terminal judged, and the exit code."""

import json
from pathlib import Path

import pytest

from p2p_hearts.cli import doctor
from p2p_hearts.cli.commands import Doctor
from p2p_hearts.cli.doctor import lines, run_doctor
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.node.doctor.check import Check, Status

GOOD = Check("ports", Status.GOOD, "Ports 1 and 2 are free.")
BAD = Check("multicast", Status.BAD, "Nothing comes back.", "Open port 5353.")
DOUBTFUL = Check("firewall", Status.DOUBTFUL, "A firewall is on.", "Open it.")


def test_lines() -> None:
    """A finding is a line, its cure the next one, and the last line says how many things will not work."""
    assert lines([GOOD, BAD, DOUBTFUL]) == [
        "good      ports      Ports 1 and 2 are free.",
        "bad       multicast  Nothing comes back.",
        "                     → Open port 5353.",
        "doubtful  firewall   A firewall is on.",
        "                     → Open it.",
        "1 thing will not work here; the arrows say what to do.",
    ]
    assert lines([GOOD])[-1] == "Nothing is wrong."
    assert lines([DOUBTFUL])[-1].startswith("Nothing is wrong for certain")


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[Check]:
    """What the examination finds, in place of that of this machine."""
    found = [GOOD]

    async def examine(*_: object) -> tuple[Check, ...]:
        return tuple(found)

    monkeypatch.setattr(doctor, "examine", examine)
    monkeypatch.setattr(doctor, "adapters_here", tuple)
    return found


def test_exit_codes(examined: list[Check], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 when a check failed, also with --json; a doubt is no failure."""
    command = Doctor(47104, None, Path("nowhere"), None, json=True)
    examined.append(DOUBTFUL)
    assert run_doctor(command) is Exit.DONE
    examined.append(BAD)
    capsys.readouterr()
    assert run_doctor(command) is Exit.CHECK_FAILED
    told = json.loads(capsys.readouterr().out)
    assert told[:3] == [
        {"name": "ports", "status": "good", "finding": "Ports 1 and 2 are free.", "cure": ""},
        {"name": "firewall", "status": "doubtful", "finding": "A firewall is on.", "cure": "Open it."},
        {"name": "multicast", "status": "bad", "finding": "Nothing comes back.", "cure": "Open port 5353."},
    ]


def test_a_bundle_is_written(examined: list[Check], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The bundle is one JSON file, and one that cannot be written is said."""
    examined.append(BAD)
    file = tmp_path / "bundle.json"
    run_doctor(Doctor(47104, None, tmp_path, file, json=False))
    assert "Read it before you send it" in capsys.readouterr().err
    written = json.loads(file.read_text("utf-8"))
    assert (written["p2p-hearts"], written["journals"]) == (1, [])
    assert {"name": "multicast", "status": "bad", "finding": "Nothing comes back.", "cure": "Open port 5353."} in written["checks"]  # fmt: skip
    with pytest.raises(UnreadableError, match="cannot be written"):
        run_doctor(Doctor(47104, None, tmp_path, tmp_path, json=False))
