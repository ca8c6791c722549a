"""Words that the sources, the specification and the texts do not use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("client", "engine", "p2p", "protocol", "spec", "tests")
SUFFIXES = {".md", ".py", ".js", ".css", ".po"}
OTHERS = {"es", "pt", "node_modules"}
"""Folders with texts in other languages, or with the work of others."""
_PRONOUN = re.compile(
    r"(?<![a-z])(?:he|him|his|himself|she|her|hers|herself)(?![a-z])", re.IGNORECASE
)
"""Pattern of pronouns in prose and in names; an underscore also separates words."""


def pronouns(text: str) -> list[str]:
    """Return lines that call somebody he or she."""
    return [line for line in text.splitlines() if _PRONOUN.search(line)]


def test_players_are_called_they() -> None:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            foreign = OTHERS & set(path.relative_to(ROOT).parts)
            if path.suffix in SUFFIXES and not foreign and path != Path(__file__):
                assert pronouns(path.read_text(encoding="utf-8")) == [], path.relative_to(ROOT)


def test_the_check_finds_a_gendered_pronoun() -> None:
    text = "What he said.\nWhat they said.\ndef test_his_turn()\nThere is another.\nHers."
    assert pronouns(text) == ["What he said.", "def test_his_turn()", "Hers."]


_RIDDLE = re.compile(r"(?:What|Whether|Who|Whom|Whose|Likewise|Of|How|For whom|That)\b")
"""Pattern of first words with which a docstring reads like a question."""
_QUICK = re.compile(rf'"""\s*{_RIDDLE.pattern}')


def _body(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", [])
    return body if isinstance(body, list) else []  # a lambda's body is an expression


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Return the docstrings of a module and of everything in it, and the notes under fields."""
    for node in ast.walk(tree):
        for child in _body(node):
            match child:
                case ast.Expr(ast.Constant(str()) as text):
                    yield text


def riddles(source: str) -> list[str]:
    """Return the docstrings that begin like a question instead of with a verb or a noun."""
    if not _QUICK.search(source):  # parsing all sources takes a second
        return []
    texts = (str(text.value).strip() for text in docstrings(ast.parse(source)))
    return [text for text in texts if _RIDDLE.match(text)]


def test_a_docstring_begins_with_a_verb_or_a_noun() -> None:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            assert riddles(path.read_text(encoding="utf-8")) == [], path.relative_to(ROOT)


def test_the_check_finds_a_docstring_like_a_question() -> None:
    source = '"""Words."""\nX = 1\n"""What is one."""\ndef f():\n    """Whether it is."""\n'
    assert riddles(source) == ["What is one.", "Whether it is."]
