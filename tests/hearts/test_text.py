"""The rules in short."""

from p2p_hearts.hearts.text import RULES_TEXT


def test_rules_fit_a_terminal() -> None:
    """The rules in short are plain ASCII, no line longer than 78 columns."""
    assert RULES_TEXT.isascii()
    assert max(map(len, RULES_TEXT.splitlines())) <= 78
