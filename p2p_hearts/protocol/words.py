"""Words that can be said in any of our languages: 11 bits each, two syllables of a consonant and a vowel.

The law: a word stands for one number from 0 to 2,047 and a number for one word, however it is written: capitals, hyphens
and blanks make no difference. Source: `protocol/lobby.md`, P57."""

from collections.abc import Sequence

WORD_BITS = 11

_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aiou"
_VALUE_BITS = 64  # of a value are looked at


def spoken_words(value: bytes, count: int = 3) -> tuple[str, ...]:
    """Words for the first bits of a value."""
    bits = int.from_bytes(value[: _VALUE_BITS // 8], "big")
    return write_words(bits >> (_VALUE_BITS - WORD_BITS * count), count)


def write_words(number: int, count: int) -> tuple[str, ...]:
    """So many words for a number, its highest bits first; bits beyond the words are left out."""
    return tuple(_word(number >> WORD_BITS * place & 0x7FF) for place in reversed(range(count)))


def read_words(words: Sequence[str]) -> int | None:
    """The number that `write_words` has written, or None when one of them is no such word."""
    number = 0
    for word in words:
        one = _number(word)
        if one is None:
            return None
        number = number << WORD_BITS | one
    return number


def _word(number: int) -> str:
    first, second = divmod(number, 32)
    letters = (_CONSONANTS[first // 4], _VOWELS[first % 4], _CONSONANTS[second // 2], _VOWELS[(second % 2) * 2 + 1])
    return "".join(letters)


def _number(word: str) -> int | None:
    word = word.lower()
    places = [letters.find(letter) for letters, letter in zip((_CONSONANTS, _VOWELS) * 2, word, strict=False)]
    if len(word) != len("bada") or -1 in places or places[3] % 2 == 0:
        return None
    return (places[0] * 4 + places[1]) * 32 + places[2] * 2 + places[3] // 2
