"""Words of 11 bits, written and read."""

import pytest

from p2p_hearts.protocol.words import read_words, spoken_words, write_words


def test_every_number_has_a_word_of_its_own() -> None:
    """P57: 2,048 numbers, 2,048 words, and each is read as what was written, in capitals too."""
    words = [write_words(number, 1)[0] for number in range(2_048)]
    assert len(set(words)) == 2_048
    assert (words[0], words[1], words[32], words[2_047]) == ("babi", "babu", "bibi", "zuzu")
    for number, word in enumerate(words):
        assert read_words([word]) == read_words([word.upper()]) == number


def test_highest_bits_come_first() -> None:
    """Several words are one number, and the three words of a value are its first 33 bits."""
    assert write_words(5 << 22 | 6 << 11 | 7, 3) == (*write_words(5, 1), *write_words(6, 1), *write_words(7, 1))
    assert read_words(write_words(5 << 22 | 6 << 11 | 7, 3)) == 5 << 22 | 6 << 11 | 7
    value = bytes.fromhex("0123456789abcdef")
    assert spoken_words(value) == spoken_words(value + bytes(24)) == write_words(0x0123456789ABCDEF >> 31, 3)


@pytest.mark.parametrize("word", ["", "bab", "babib", "bebi", "cabi", "baba", "babo", "b4bi", "İabi", "ßabi"])
def test_other_words_are_none(word: str) -> None:
    """A word has four letters, its first vowel one of a i o u, its second i or u."""
    assert read_words([word]) is None
