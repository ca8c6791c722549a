"""The language of the program: which one it is, and how it writes numbers and letters."""

import gettext
import os
from collections.abc import Iterator
from typing import Any

import pytest

from client.i18n import language
from client.i18n.language import (
    _n,
    bare,
    capital,
    choose_language,
    choose_script,
    decimal,
    has_symbols,
    number,
    own_letter,
    plural,
    qualified,
    spoken,
    written,
)
from engine.marked_texts import N_

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture
def english() -> Iterator[None]:
    """Restore English with all letters after the test."""
    yield
    choose_language("en")
    choose_script(str)


pytestmark = pytest.mark.usefixtures("english")


def test_argparse_speaks_the_chosen_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gettext, "_current_domain", "messages")
    monkeypatch.setattr(gettext, "_localedirs", {})
    for chosen, usage in (("es", "uso: "), ("pt", "uso: "), ("en", "usage: ")):
        choose_language(chosen)
        assert gettext.gettext("usage: ") == usage
        assert (spoken(), os.environ["LANGUAGE"]) == (chosen, chosen)


@pytest.mark.parametrize(
    ("values", "system", "chosen"),
    [
        (("es_AR.UTF-8", "pt_BR", "en_GB"), None, "es"),
        (("", "pt_BR", "es"), None, "pt"),
        (("", "", "ES"), None, "es"),
        (("de_DE", "es", "es"), None, "en"),
        (("", "", ""), "pt_PT", "pt"),
        (("", "", ""), "fr_FR", "en"),
        (("", "", ""), None, "en"),
    ],
)
def test_the_language_of_the_system_is_the_first_that_it_names(
    values: tuple[str, ...], system: str | None, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in zip(VARIABLES, values, strict=True):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("locale.getlocale", lambda: (system, None))
    choose_language("auto")
    assert spoken() == chosen


def test_only_letters_outside_ascii_pass_through_the_script() -> None:
    passed: list[str] = []

    def script(text: str) -> str:
        passed.append(text)
        return text.upper()

    choose_script(script)
    assert [written("plain"), written("é")] == ["plain", "É"]
    assert passed == ["é"]


@pytest.mark.parametrize(
    ("encoding", "yes"),
    [("utf-8", True), ("ascii", False), (None, False), ("latin-1", False), ("no such", False)],
)
def test_symbols_need_an_encoding_that_has_them(encoding: str | None, yes: bool) -> None:
    assert has_symbols(encoding) is yes


@pytest.mark.parametrize(
    ("chosen", "thousands", "tenths"),
    [("en", "1,234,567", "1,234.5"), ("es", "1.234.567", "1.234,5")],
)
def test_numbers_are_written_as_the_language_does(chosen: str, thousands: str, tenths: str) -> None:
    choose_language(chosen)
    assert [number(1234567), number(-999), number(0)] == [thousands, "-999", "0"]
    assert decimal(1234.5) == tenths


def test_texts_depend_on_the_count() -> None:
    for chosen, one, many in (
        ("en", "1 match", "1,500 matches"),
        ("es", "1 partida", "1.500 partidas"),
    ):
        choose_language(chosen)
        assert _n("{n} match", "{n} matches", 1) == one
        assert _n("{n} match", "{n} matches", 1500) == many
    choose_language("en")
    assert plural("one", "more", 1) == "one"
    assert _n("{n} of {all}", "{n} of {all}", 2, all="many") == "2 of many"


def test_a_qualified_text_shows_its_last_part_in_english() -> None:
    assert qualified("book|clean") == "clean"
    assert qualified("a|b|c") == "c"
    catalog: Any = type("Catalog", (), {"gettext": lambda _self, text: f"<{text}>"})()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "_current", catalog)
        assert qualified("book|clean") == "<book|clean>"


def test_a_suit_has_its_own_letter_in_each_language() -> None:
    suits = N_("shdcg")
    choose_language("es")
    assert [own_letter(one, suits) for one in ("s", "c", "x", "sh", "")] == [
        "p",
        "t",
        "x",
        "sh",
        "",
    ]


def test_bare_texts_are_compared_without_accents_and_capitals() -> None:
    assert bare("ÁRBOL ñandú Straße") == "arbol nandu strasse"
    assert [capital("ana draws"), capital(""), capital("É")] == ["Ana draws", "", "É"]
