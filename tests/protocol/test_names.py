"""Names: cleaning, refusals, and names that look alike."""

import tracemalloc
from itertools import combinations

import pytest
from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from protocol import names
from protocol.errors import Malformed
from protocol.names import MAX_WIDTH, clean_name, is_clean_name, is_reserved, look_alike
from protocol.wordlist import WORDS
from protocol.words_for_keys import words


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ana", "Ana"),
        ("  María\tJosé \r\n", "María José"),
        ("Jose\u0301", "José"),
        ("An\x1b[2Ja", "An[2Ja"),
        ("Ana\x07\x00\x9b31m", "Ana31m"),
        ("\u202eanA\u2066", "anA"),
        ("A\u200bn\u200da\ufeff", "Ana"),
        ("A\u00adn\ufe0fa", "Ana"),
        ("e\u200d\u0301va", "éva"),
        ("Ana\u2800\u3164", "Ana"),
        ("Ana\u3000Bo", "Ana Bo"),
        ("q\u0301\u0302\u0304", "q\u0301\u0302\u0304"),
        ("x" * MAX_WIDTH, "x" * MAX_WIDTH),
        ("Ana \U0001fae0", "Ana"),
        ("Ana\ue000\U000e0041", "Ana"),
        ("王小明", "王小明"),
        ("王" * (MAX_WIDTH // 2), "王" * (MAX_WIDTH // 2)),
        ("Nguyễn", "Nguyễn"),
    ],
)
def test_names_are_cleaned(typed: str, name: str) -> None:
    assert clean_name(typed) == name
    assert is_clean_name(name)
    assert is_clean_name(typed) == (typed == name)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " \t ",
        "\u202e\u200b",
        "\u3164",
        "\u0301",
        "\u0301Ana",
        "...",
        "q" + "\u0301" * 4,
        "x" * (MAX_WIDTH + 1),
        "王" * (MAX_WIDTH // 2 + 1),
    ],
)
def test_names_that_cannot_be_shown_are_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(Malformed, match=r"name.*\.$"):
        clean_name(typed)
    assert not is_clean_name(typed)


@given(st.text(st.characters(), max_size=30))
def test_a_cleaned_name_is_clean_and_printable(typed: str) -> None:
    try:
        name = clean_name(typed)
    except Malformed:
        return
    assert is_clean_name(name)
    assert name.isprintable()
    assert name == name.strip()


def test_a_long_text_is_refused_before_any_work_on_it() -> None:
    # The time to normalize accents grows with the square of their number.
    with pytest.raises(Malformed, match="too long"):
        clean_name("a" + "\u0301\u0316" * 200_000)
    assert clean_name("Ana".ljust(1024)) == "Ana"
    with pytest.raises(Malformed, match="too long"):
        clean_name("Ana".ljust(1025))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Ana"),
        ("Ana", "ANA"),
        ("Ana", "\u0410na"),  # a Cyrillic capital A
        ("Ana", "Ana."),
        ("Ana", "A na"),
        ("Ana", "An\u00e1"),
        ("Carla", "Car1a"),
        ("Carla", "CarIa"),
        ("Ilse", "llse"),
        ("ILSE", "ilse"),
        ("Host", "H0st"),
        ("Omar", "Orn\u0430r"),  # r and n for m, a Cyrillic a
        ("Bob", "\u0412ob"),  # a Cyrillic capital Ve
        ("Eva", "\uff25va"),  # fullwidth
        ("Anna", "A\u03b7\u03b7a"),  # Greek eta
        ("Anna", "A\u043f\u043fa"),  # Cyrillic pe
        ("Walter", "Vvalter"),
        ("Edipo", "Ed\u0456po"),  # a Ukrainian i
        ("Oedipa", "\u0152dipa"),  # two letters in one
        ("\u0e41\u0e14\u0e07", "\u0e40\u0e40\u0e14\u0e07"),  # Thai: two letters e look like ae
        ("+-", "+-"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Anna"),
        ("Ana", "Eva"),
        ("Ana 1", "Ana 2"),
        ("Jo", "Joe"),
        ("\u4e2d", "\u6751"),
        ("\u042e\u043b\u0438\u044f", "\u042e\u043b\u044f"),  # Yuliya, Yulya
        ("\u0418\u0432\u0430\u043d", "\u0412\u0430\u043d"),  # Ivan, Van
        ("\u04e8\u043d\u04e9\u0440", "\u041e\u043d\u043e\u0440"),  # a Mongolian o with a stroke
        ("\u01c3", "\u02bb"),  # letters that look like an exclamation mark, and like a quote
    ],
)
def test_names_that_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize(
    ("name", "reserved"),
    [
        ("You", True),
        ("YOU", True),
        ("h\u043est", True),  # a Cyrillic o
        ("\uff28ost", True),  # fullwidth
        ("Voce", True),
        ("Anfitri\u00f3n", True),
        ("Young", False),
        ("Hosti", False),
        ("Ana", False),
    ],
)
def test_words_of_the_program_are_reserved_names(name: str, reserved: bool) -> None:
    assert is_reserved(name) is reserved


def test_all_confusables_of_unicode_are_known() -> None:
    """Our look-up of confusable characters agrees with the library's data."""
    for text, others in confusables_data.items():
        assert names._confusable_with(text) == [one["c"].strip("\u200e") for one in others]


def test_the_list_of_confusables_takes_little_memory() -> None:
    """Loading takes at most 2 MB, twice the size of the file; at most 150 kB of them stay."""
    read = names._confusables.__wrapped__
    read()  # loads the modules that read the file, which are not measured
    tracemalloc.start()
    try:
        lines = read()
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (lines.count(b"\n") > 6000, kept < 150_000, most < 2_000_000) == (True, True, True)


@pytest.mark.parametrize("text", ["", "\n", "\t", "a\tb", "no such text"])
def test_characters_not_on_the_list_have_no_confusables(text: str) -> None:
    assert names._confusable_with(text) == []


# -- Words by which people compare keys and tables


def test_words_are_derived_from_the_key() -> None:
    ana, bob = bytes(32), b"\1" * 32
    assert words(ana, 8) != words(bob, 8)
    assert words(ana, 8)[:6] == words(ana)
    assert len(words(ana)) == 6
    assert set(words(ana, 32)) <= set(WORDS)


def test_words_differ_in_more_than_two_letters() -> None:
    assert len(WORDS) == len({word[:4] for word in WORDS}) == 256
    assert all(word.isascii() and word.islower() and 4 <= len(word) <= 8 for word in WORDS)
    assert not [pair for pair in combinations(WORDS, 2) if within_two_letters(*pair)]


def within_two_letters(left: str, right: str) -> bool:
    """Return True if at most two letters must be changed, added or left out (Levenshtein)."""
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        line = [row]
        for column, other in enumerate(right, 1):
            line.append(min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other)))
        above = line
    return above[-1] <= 2
