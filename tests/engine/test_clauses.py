"""Clauses that the engine cites exist in the written rules, and each of those is tested."""

import re
from pathlib import Path

import pytest

from tests.engine.clauses import CLAUSES, ROOT, RULES, WRITTEN

CITED = re.compile(r"\b[XCKB]\d{1,3}[a-z]?\b")


def python_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


_TEST = re.compile(r"^ *(?:async )?def (\w*test\w*)\(", re.MULTILINE)
NAMES_OF_TESTS = {
    name for path in python_files("tests") for name in _TEST.findall(path.read_text("utf-8"))
}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_clause_is_written_once(path: Path) -> None:
    numbers = [clause for clause, _ in WRITTEN.findall(path.read_text("utf-8"))]
    assert numbers
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_rules_refer_to_clauses_that_exist(path: Path) -> None:
    text = re.sub(r".*\b(?:not used|free)\b.*", "", path.read_text("utf-8"))  # "B53 is not used."
    assert set(CITED.findall(text)) <= set(CLAUSES)


@pytest.mark.parametrize(
    "path", python_files("engine"), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_the_engine_cites_clauses_that_exist(path: Path) -> None:
    """In refusals, score sheets and options as well as in comments and docstrings."""
    assert set(CITED.findall(path.read_text("utf-8"))) <= set(CLAUSES)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_clause_with_a_rule_in_it_has_a_test(path: Path) -> None:
    """`test_c26_three_cards_take_one_wild` is one of C26; *(display)* and *(no rule)* have none."""
    tested = {
        part[0].upper() + part[1:]
        for name in NAMES_OF_TESTS
        for part in re.findall(r"(?<=_)[xckb]\d+[a-z]?(?=_|$)", name)
    }
    wanted = {clause for clause, remark in WRITTEN.findall(path.read_text("utf-8")) if not remark}
    assert wanted - tested == set()
