"""The catalogs have every text, and say the same with the same things filled in.

After new texts: write their translations into
`client/i18n/locale/<language>/LC_MESSAGES/sobremesa.po`, and compile them with
`pybabel compile -d client/i18n/locale -D sobremesa`.
"""

import argparse
import ast
import gettext
import inspect
import io
import locale
import re
import string
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from client.i18n.argparse_words import ARGPARSE
from client.i18n.engine_words import ITEMS, STEPS
from client.i18n.language import DOMAIN, LANGUAGES, LOCALE_FOLDER, _, _n, choose_language, number
from engine.turn import Step

TRANSLATED = [language for language in LANGUAGES if language != "en"]
ROOT = Path(__file__).parents[3]
_PERCENT = re.compile(r"%(?:\(\w+\))?[a-z]")
KEYWORDS = {"_": None, "_n": (1, 2), "later": None}


def catalog(language: str) -> Catalog:
    path = LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


@cache
def texts() -> dict[str, tuple[str, ...]]:
    """Every text of the client by its first form, with all forms."""
    found = extract_from_dir(ROOT / "client", keywords=KEYWORDS, comment_tags=())
    forms = (text if isinstance(text, tuple) else (text,) for _f, _l, text, _c, _x in found)
    return {form[0]: tuple(form) for form in forms}


def test_no_text_is_hidden_from_the_catalogs() -> None:
    """Whoever gathers the texts for them does not look into f-strings."""
    known = texts()
    for path in (ROOT / "client").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KEYWORDS:
                text = node.args[0]
                if isinstance(text, ast.Constant):
                    assert text.value in known, f"{path}:{node.lineno}"


def fields(text: str) -> set[str]:
    """What is filled into a text, argparse's own kind of fields included."""
    braced = {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}
    return braced | set(_PERCENT.findall(text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_nothing_else(language: str) -> None:
    known = catalog(language)
    there = {message.id if isinstance(message.id, str) else message.id[0] for message in known}
    assert there - {""} == set(texts())
    for message in known:
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), message.id
        assert not message.fuzzy


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_same_things_are_filled_in(language: str) -> None:
    for message in catalog(language):
        if not message.id:
            continue
        wanted = fields(message.id if isinstance(message.id, str) else message.id[0])
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in strings:
            assert fields(str(text)) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_ends_as_its_text_does(language: str) -> None:
    for message in catalog(language):
        wanted = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text, translated in zip(map(str, wanted), map(str, strings), strict=True):
            if text.endswith((".", "?", ":", "…", " ", "\n")):
                assert translated[-1] == text[-1], text
            if language == "es" and text.endswith("?"):
                assert "¿" in translated, text


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogs_are_up_to_date(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalog(language))
    compiled.seek(0)
    path = LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with path.open("rb") as file:
        assert _all_of(gettext.GNUTranslations(file)) == _all_of(gettext.GNUTranslations(compiled))


def _all_of(translations: gettext.GNUTranslations) -> dict[str, tuple[str, ...]]:
    """Every translation of every text; the header, which has dates in it, left out."""
    return {
        form: tuple(translations.ngettext(form, forms[-1], count) for count in (1, 2))
        for form, forms in texts().items()
    }


def engine_texts(call: str, place: int) -> set[str]:
    """What the engine passes to `call` at that place, with numbers for what it fills in."""
    found = set()
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
                found.add(_template(node.args[place]))
    return found


def _template(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        values = iter(range(9))
        return "".join(_template(part) or f"{{{next(values)}}}" for part in node.values)
    text = node.value if isinstance(node, ast.Constant) else ""
    return text if isinstance(text, str) else ""


def test_every_item_of_a_sheet_is_known() -> None:
    plain = {text for text in engine_texts("Item", 0) if text and "{" not in text}
    assert plain <= set(ITEMS)


def test_every_step_is_known() -> None:
    assert {step: step.value for step in Step} == STEPS


def test_what_argparse_says_is_what_it_says_in_this_version_of_python() -> None:
    asked = {
        node.args[0].value
        for node in ast.walk(ast.parse(inspect.getsource(argparse)))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "_"
        and isinstance(node.args[0], ast.Constant)
    }
    assert set(ARGPARSE) <= asked


def test_no_help_of_a_command_goes_past_the_catalogs() -> None:
    """Literals that `--help` shows are arguments of `_`; a letter like N stands for a number."""
    for path in sorted((ROOT / "client").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.keyword(
                    arg="help" | "metavar" | "description",
                    value=(ast.Constant(value=str()) | ast.JoinedStr()) as value,
                ):
                    text = ast.unparse(value)
                    assert len(text) <= len("'A,B'"), f"{path.name}: {text}"


def test_counts_are_told_in_the_language() -> None:
    choose_language("pt")
    assert (_n("{n} card", "{n} cards", 1), _n("{n} card", "{n} cards", 2)) == (
        "1 carta",
        "2 cartas",
    )


@pytest.mark.parametrize(
    ("language", "written"), [("en", "-12,345"), ("es", "-12.345"), ("pt", "-12.345")]
)
def test_thousands_are_told_apart_as_the_language_does(language: str, written: str) -> None:
    choose_language(language)
    assert number(-12345) == written
    assert written.removeprefix("-") in _n("{n} card", "{n} cards", 12345)


@pytest.mark.parametrize(
    ("environment", "language"),
    [("es_MX.UTF-8", "es"), ("pt_BR", "pt"), ("de_DE.UTF-8", "en"), ("C", "en"), ("", "en")],
)
def test_the_language_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: str, language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, environment)
    monkeypatch.setattr(locale, "getlocale", lambda: (None, None))
    choose_language("auto")
    assert _("Settings") == {"es": "Ajustes", "pt": "Ajustes", "en": "Settings"}[language]
