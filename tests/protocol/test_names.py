"""Names and talk of other people, made fit to be shown (`gossip.md`, P37): by ranges of our own, alike on every Python."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.protocol.names import MAX_CHAT, MAX_NAME, beginning, cells, clean, fit, told_apart


def test_wide_characters_count_two() -> None:
    """Every character that Unicode calls wide or full-width takes two cells here, unless it is hidden; letters take one."""
    known = (char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) != "Cn")
    wide = [char for char in known if unicodedata.east_asian_width(char) in "WF" and not unicodedata.combining(char)]
    narrow = [hex(ord(char)) for char in wide if cells(char) < 2 and clean(f"a{char}b") == f"a{char}b"]
    assert narrow == []
    assert [cells(text) for text in ("Ann", "Жук", "שלום", "ö\u0308", "王小明", "😀", "ﬁ")] == [3, 3, 4, 1, 6, 2, 1]


def test_a_name_is_as_wide_as_its_place() -> None:
    """Sixteen cells fit, whatever they are filled with; a seventeenth does not."""
    assert MAX_NAME == 16
    assert fit("a" * 16)
    assert not fit("a" * 17)
    assert fit("王" * 8)
    assert not fit("王" * 8 + "a")
    assert not fit("😀" * 9)
    assert clean("王" * 16) == "王" * 8
    assert clean("a" + "王" * 16) == "a" + "王" * 7
    assert clean("x" * 300, MAX_CHAT) == "x" * 200
    assert clean("王" * 300, MAX_CHAT) == "王" * 100


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Ann \t  Lee\r\n", "Ann Lee"),
        ("Ann\tLee", "Ann Lee"),
        ("A\u00a0\u3000n", "A n"),
        ("A\u202enn\u200b", "Ann"),  # turned around, zero width
        ("A\x1b[2Jnn", "A[2Jnn"),
        ("e\u0301", "é"),
        ("n" + "\u0338" * 5, "n" + "\u0338" * 2),
        ("\u0338\u0338a\u0338", "\u0338\u0338a\u0338"),
        ("\u202e \u200b", ""),
    ],
)
def test_cleaning(text: str, cleaned: str) -> None:
    """Every run of blanks is one space, and none is left at the ends; what is hidden goes, and so does a third mark in a row."""
    assert clean(text) == cleaned
    assert fit(cleaned) == bool(cleaned)


@pytest.mark.parametrize(
    "name",
    ["", " ", " Ann", "Ann ", "A  n", "A\tn", "A\u00a0n", "A\u202en", "A\x1bn", "n\u0338\u0338\u0338a", "n\u0338" * 9],
)
def test_names_that_are_not_fit(name: str) -> None:
    """A name is refused when it is empty, has a blank too many or of another kind, a hidden character, three marks in a row,
    or more than 16 characters, however few cells they take."""
    assert not fit(name)


def test_beginnings() -> None:
    """A text is cut where it has as many characters as it may, or more cells, whichever comes first."""
    assert beginning("n\u0338" * 9, 4) == "n\u0338" * 2
    assert beginning("王王", 3) == "王"


@given(st.text(), st.integers(0, 40))
def test_whatever_is_cleaned_fits(text: str, most: int) -> None:
    """What is left of any text has no more characters and cells than it may have; a name that is not empty is fit."""
    cleaned = clean(text, most)
    assert len(cleaned) <= most
    assert cells(cleaned) <= most
    name = clean(text)
    assert not name or fit(name)


@given(st.text(max_size=16).map(clean).filter(bool), st.integers(1, 12))
def test_numbered_names_fit(name: str, alike: int) -> None:
    """However many have one name, each gets another one that is fit itself."""
    names: list[str] = []
    for _ in range(alike):
        names.append(told_apart(name, names))
    assert len(set(names)) == alike
    assert all(map(fit, names))


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("Ann", "Ann 2"),
        ("Bartholomew the Great"[:16], "Bartholomew t 2"),
        ("Bartholomew B Gr", "Bartholomew B 2"),
        ("twelve words of", "twelve words 2"),
        ("王王王王王王王王", "王王王王王王 2"),
    ],
)
def test_the_second_of_a_name(name: str, second: str) -> None:
    """A long name gives way to its number, by characters and by cells."""
    assert told_apart(name, [name]) == second
    assert beginning(name, 13).startswith(second[:-2])
