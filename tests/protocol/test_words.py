"""Words by which people compare keys and tables."""

from itertools import combinations

from protocol.wordlist import WORDS
from protocol.words import words


def test_words_stand_for_a_key() -> None:
    ana, bob = bytes(32), b"\1" * 32
    assert words(ana, 8) != words(bob, 8)
    assert words(ana, 8)[:6] == words(ana)
    assert len(words(ana)) == 6
    assert set(words(ana, 32)) <= set(WORDS)


def test_the_words_are_easily_told_apart() -> None:
    assert len(WORDS) == len({word[:4] for word in WORDS}) == 256
    assert all(word.isascii() and word.islower() and 4 <= len(word) <= 8 for word in WORDS)
    assert not [pair for pair in combinations(WORDS, 2) if within_two_letters(*pair)]


def within_two_letters(left: str, right: str) -> bool:
    """Return True if two changes, additions or omissions of letters are enough (Levenshtein)."""
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        line = [row]
        for column, other in enumerate(right, 1):
            line.append(min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other)))
        above = line
    return above[-1] <= 2
