"""Catalogs, which have every text; each translation has the same fields as its text.

If there are new texts, `python -m tests.catalogs` adds them and lists what lacks a translation.
"""

import argparse
import ast
import inspect
import locale
import re
import string
from functools import cache

import pytest

from client.i18n.argparse_texts import ARGPARSE
from client.i18n.language import _, _n, choose_language, number
from tests import catalogs
from tests.catalogs import PACKAGES, ROOT, TRANSLATED, Places, catalog, keywords, missing, path_of

_PERCENT = re.compile(r"%(?:\(\w+\))?[a-z]")
MARKS = {"_", "_n", "N_"}
"""Functions whose argument may also be a call; the text is then marked in the called function."""
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def texts() -> dict[str, tuple[str, ...]]:
    return catalogs.texts()


@cache
def calls() -> dict[str, Places]:
    return dict(keywords())


def hidden(source: str) -> set[str]:
    """Return the calls in a source whose texts `tests.catalogs` cannot find, such as f-strings."""
    forms = {form for all_forms in texts().values() for form in all_forms}
    found = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func)
        for place in calls().get(name, ()) or (1,):
            match node.args[place - 1 : place] if name in calls() else []:
                case [ast.Constant(value=str(text))] if text in forms:
                    continue
                case [ast.Constant() | ast.JoinedStr() | ast.BinOp()]:
                    found.add(ast.unparse(node))
                case [ast.Call(func=function)] if _name(function) in ("Sentence", "counted"):
                    continue
                case [ast.Call() | ast.IfExp()] if name not in MARKS:
                    found.add(ast.unparse(node))
    return found


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) if name != "counted":
            return name
        case ast.Attribute(value=ast.Name(id="Sentence"), attr="counted"):
            return "counted"
    return ""


def test_the_catalogs_find_every_text_of_the_sources() -> None:
    for path in SOURCES:
        assert hidden(path.read_text(encoding="utf-8")) == set(), path


@pytest.mark.parametrize(
    "source",
    [
        'raise IllegalMove("C50", f"The {card} is here.")',
        'raise Malformed("There is " + what)',
        'raise Malformed("Nobody has ever said this.")',
        'raise Refused(_("There is no charter."))',
        'Sentence.counted("{n} thing that nobody counts", "{n} things that nobody counts", 2)',
        'raise Refused("One." if alone else "Many.")',
    ],
)
def test_the_check_finds_a_hidden_text(source: str) -> None:
    assert hidden(source)


def fields(text: str) -> set[str]:
    """Return the fields of a text: those like {name}, and argparse's own like %(prog)s."""
    braced = {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}
    return braced | set(_PERCENT.findall(text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogs_translate_every_text_and_nothing_else(language: str) -> None:
    known = catalog(language)
    lacking = missing(known)
    assert not lacking, f"translate in {path_of(language)}: {lacking}"
    there = {message.id if isinstance(message.id, str) else message.id[0] for message in known}
    assert there - {""} == set(texts()), "run python -m tests.catalogs"
    assert not any(message.fuzzy for message in known if message.id)


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_same_fields_as_their_texts(language: str) -> None:
    for message in catalog(language):
        if not message.id:
            continue
        wanted = fields(message.id if isinstance(message.id, str) else message.id[0])
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in filter(None, strings):  # another test finds gaps
            assert fields(str(text)) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_ends_with_the_same_character_as_its_text(language: str) -> None:
    for message in catalog(language):
        wanted = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text, translated in zip(map(str, wanted), map(str, strings), strict=True):
            if translated and text.endswith((".", "?", ":", "…", " ", "\n")):
                assert translated[-1] == text[-1], text
            if translated and language == "es" and text.endswith("?"):
                assert "¿" in translated, text


def test_translated_argparse_texts_exist_in_this_python() -> None:
    asked = {
        node.args[0].value
        for node in ast.walk(ast.parse(inspect.getsource(argparse)))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "_"
        and isinstance(node.args[0], ast.Constant)
    }
    assert set(ARGPARSE) <= asked


def test_all_help_texts_of_commands_are_in_the_catalogs() -> None:
    """The only texts without `_` are placeholders of few letters, such as N for a number."""
    for path in sorted((ROOT / "client").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.keyword(
                    arg="help" | "metavar" | "description",
                    value=(ast.Constant(value=str()) | ast.JoinedStr()) as value,
                ):
                    text = ast.unparse(value)
                    assert len(text) <= len("'A,B'"), f"{path.name}: {text}"


def finished_texts(source: str) -> list[str]:
    """Return the calls in a source that translate a text within a `raise` statement."""
    return [
        ast.unparse(call)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        if "ArgumentTypeError" not in ast.unparse(node.exc.func)  # argparse shows its text as it is
        for call in ast.walk(node.exc)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"_", "_n", "said"}
    ]


def test_errors_carry_templates_and_not_translated_texts() -> None:
    assert finished_texts("raise BadRequest(_('Gone: {a}').format(a=1))") == ["_('Gone: {a}')"]
    for path in sorted((ROOT / "client").rglob("*.py")):
        assert finished_texts(path.read_text(encoding="utf-8")) == [], path


def test_counts_use_the_plural_forms_of_the_language() -> None:
    choose_language("pt")
    assert (_n("{n} card", "{n} cards", 1), _n("{n} card", "{n} cards", 2)) == (
        "1 carta",
        "2 cartas",
    )


@pytest.mark.parametrize(
    ("language", "written"), [("en", "-12,345"), ("es", "-12.345"), ("pt", "-12.345")]
)
def test_thousands_have_the_separator_of_the_language(language: str, written: str) -> None:
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
    assert _("Settings") == {"es": "Ajustes", "pt": "Configurações", "en": "Settings"}[language]
