"""The language of the program: which one it is, and how it writes numbers and letters."""

import gettext
import os
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
        (("C", "C", "C"), None, "en"),
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
    ("chosen", "thousands", "tenths", "one", "many"),
    [
        ("en", "1,234,567", "1,234.5", "1 match", "1,500 matches"),
        ("es", "1.234.567", "1.234,5", "1 partida", "1.500 partidas"),
        ("pt", "1.234.567", "1.234,5", "1 partida", "1.500 partidas"),
    ],
)
def test_numbers_and_counted_texts_are_written_as_the_language_does(
    chosen: str, thousands: str, tenths: str, one: str, many: str
) -> None:
    choose_language(chosen)
    assert [number(1234567), number(-999), number(0)] == [thousands, "-999", "0"]
    assert decimal(1234.5) == tenths
    assert [_n("{n} match", "{n} matches", n) for n in (1, 1500)] == [one, many]


def test_a_counted_text_has_further_fields() -> None:
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
    choose_language("es")
    letters = {one: own_letter(one, N_("shdcg")) for one in ("s", "c", "x", "sh", "")}
    assert letters == {"s": "p", "c": "t", "x": "x", "sh": "sh", "": ""}


def test_bare_texts_are_compared_without_accents_and_capitals() -> None:
    assert bare("ÁRBOL ñandú Straße") == "arbol nandu strasse"
    assert [capital("ana draws"), capital(""), capital("É")] == ["Ana draws", "", "É"]
