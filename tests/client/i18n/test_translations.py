"""Catalogs, which have every text; each translation has the same fields as its text.

If there are new texts, `python -m tests.catalogs` adds them and lists what lacks a translation.
"""

import argparse
import ast
import inspect
import re
import string
from functools import cache

import pytest

from client.i18n.argparse_texts import ARGPARSE
from tests import catalogs
from tests.catalogs import PACKAGES, ROOT, TRANSLATED, Places, catalog, keywords, missing, path_of
from tests.client.i18n.rulebook_texts import translated_texts

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


def test_texts_are_found_in_all_packages() -> None:
    found = texts()
    for text in (
        "A pile with a {card} on top cannot be taken.",
        "There is no such table here, or not any more.",
        "The record ends within its charter.",
        "natural canastas",
        "meld or discard",
    ):
        assert found[text] == (text,)
    grace = "There is {n} second of grace left.", "There are {n} seconds of grace left."
    assert found[grace[0]] == grace


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
def test_a_translation_has_the_fields_and_the_last_character_of_its_text(language: str) -> None:
    for text, translated in translated_texts(language):
        assert fields(translated) == fields(text), text
        if text.endswith((".", "?", ":", "…", " ", "\n")):
            assert translated[-1] == text[-1], text
        if language == "es" and text.endswith("?"):
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
