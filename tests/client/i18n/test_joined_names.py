"""Names in a sentence: commas between them, and the conjunction of the language before the last."""

import pytest

from client.i18n.language import choose_language, couple, with_and
from client.i18n.sentences import said
from protocol.errors import Refused


@pytest.mark.parametrize(
    ("language", "names", "told"),
    [
        ("en", [], ""),
        ("en", ["Ana"], "Ana"),
        ("en", ["Ana", "Bruno"], "Ana and Bruno"),
        ("en", ["Ana", "Bruno", "Inés"], "Ana, Bruno and Inés"),
        ("es", ["Ana", "Bruno", "Carla"], "Ana, Bruno y Carla"),
        ("es", ["Ana", "Bruno", "Inés"], "Ana, Bruno e Inés"),
        ("pt", ["Ana", "Inês"], "Ana e Inês"),
        ("pt", ["Ana", "Bruno", "Carla", "Dora"], "Ana, Bruno, Carla e Dora"),
    ],
)
def test_the_conjunction_stands_before_the_last_name(
    language: str, names: list[str], told: str
) -> None:
    choose_language(language)
    assert with_and(names) == told
    refused = Refused("It is heard from {names} first.", names=tuple(names))
    assert said(refused) == f"It is heard from {told} first."


@pytest.mark.parametrize(
    ("conjunction", "names"),
    [
        ("e", ["Inés", "Íñigo", "ignacio", "Hilda", "Yves", "“Iván!”"]),
        ("y", ["Yolanda", "Yara", "Ian", "Hierro", "Héctor", "Juan", "7"]),
    ],
)
def test_spanish_y_becomes_e_before_the_sound_of_an_i(conjunction: str, names: list[str]) -> None:
    choose_language("es")
    for name in names:
        assert with_and(["Ana", name]) == couple(["Ana", name]) == f"Ana {conjunction} {name}"
