"""The score sheet, and when results count as agreed."""

from typing import Any

import pytest

from p2p_hearts.cli.sheet import agreed, sheet
from p2p_hearts.crypto.signature import sign, signing_key

KEYS = tuple(signing_key(bytes([number]) * 32) for number in (1, 2, 3))
ANN, BOB, CLEO = (key.public.hex() for key in KEYS)

RESULT: dict[str, Any] = {
    "table": "00" * 32,
    "options": {"limit": 50},
    "seats": 6,
    "hands": 2,
    "names": {"A": "Ann", "B": "Bob", "C": "Cleo", "D": "bot", "E": "bot", "F": "Maximiliane"},
    "operators": {"A": ANN, "B": BOB, "C": CLEO, "D": ANN, "E": BOB, "F": CLEO},
    "annulled": [],
    "points": [
        {"A": 4, "B": 0, "C": 13, "D": 20, "E": 10, "F": 0},
        {"A": 26, "B": 26, "C": 26, "D": 26, "E": 26, "F": 0},
    ],
    "kitty": ["C", None],
    "unclaimed": [5, 0],
    "moon": [None, {"seat": "F", "choice": "add"}],
    "scores": {"A": 30, "B": 26, "C": 39, "D": 46, "E": 36, "F": 0},
    "game_over": False,
    "winners": [],
}
# sha256 of the JSON above with sorted keys and no spaces, from `jq -cS . | tr -d '\n' | sha256sum`
DIGEST = "ebf1c3a98e96f67177d537dc6df1ecd4cb14210b40a106edf282220a145b18f3"


SIGNATURES = {key.public.hex(): sign(key, b"result", bytes.fromhex(DIGEST)).hex() for key in KEYS}


def _signed(**changes: object) -> dict[str, Any]:
    return {**RESULT, "digest": DIGEST, "signatures": SIGNATURES, **changes}


def test_agreed() -> None:
    """All peers have the same result, which fits its digest and is signed by every operator."""
    assert agreed([_signed(), _signed(), _signed()])


@pytest.mark.parametrize(
    "other",
    [
        None,
        _signed(hands=3),
        _signed(digest="00" * 32),
        _signed(signatures={ANN: SIGNATURES[ANN], BOB: SIGNATURES[BOB]}),
        _signed(signatures={**SIGNATURES, CLEO: SIGNATURES[BOB]}),
        _signed(signatures={**SIGNATURES, CLEO: "no hexadecimal"}),
        _signed(signatures={**SIGNATURES, CLEO: sign(KEYS[2], b"entry", bytes.fromhex(DIGEST)).hex()}),
    ],
)
def test_not_agreed(other: dict[str, Any] | None) -> None:
    """A missing or different result, a digest that does not fit, or a signature that is missing, of somebody else, or under
    another label is no agreement."""
    assert not agreed([_signed(), other])
    assert not agreed([other, other])
    assert not agreed([])


def test_sheet() -> None:
    """One column a seat, one row a hand with what was special about it, the totals, and who has won."""
    assert sheet(RESULT) == (
        " hand  A Ann  B Bob  C Cleo  D bot  E bot  F Maximilian",
        "    1      4      0      13     20     10             0  kitty to C, 5 unclaimed",
        "    2     26     26      26     26     26             0  F shot the moon (add)",
        "-------------------------------------------------------",
        "total     30     26      39     46     36             0",
        "The limit has not been reached.",
    )
    assert sheet({**RESULT, "winners": ["A", "F"]})[-1] == "The game is won by A Ann and F Maximiliane."
