"""Clauses that the engine cites are in the written rules, and each clause there has a test."""

import re
from pathlib import Path

import pytest

from tests.engine.clauses import CLAUSES, LETTERS, NUMBER, ROOT, RULES, WRITTEN
from tests.engine.notation.golden_answers import FILES

CITED = re.compile(rf"\b{NUMBER}\b")


def python_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


_TEST = re.compile(r"^ *(?:async )?def (\w*test\w*)\(", re.MULTILINE)
NAMES_OF_TESTS = {
    name for path in python_files("tests") for name in _TEST.findall(path.read_text("utf-8"))
}


def test_each_game_has_its_own_clause_letter() -> None:
    letters = [*LETTERS.values(), "X", "R"]  # X: the common clauses, R: those of the record
    assert len(set(letters)) == len(letters), "two games have clauses with the same letter"
    assert all(re.fullmatch("[A-Z]", letter) for letter in letters)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_each_clause_is_defined_once(path: Path) -> None:
    numbers = [clause for clause, _ in WRITTEN.findall(path.read_text("utf-8"))]
    assert numbers
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_rules_refer_to_clauses_that_exist(path: Path) -> None:
    text = re.sub(r".*\b(?:not used|free)\b.*", "", path.read_text("utf-8"))  # "B53 is not used."
    unknown = set(CITED.findall(text)) - set(CLAUSES)
    assert not unknown, f"{path.stem} refers to clauses that no rules have: {sorted(unknown)}"


def test_the_engine_cites_clauses_that_exist() -> None:
    """The test searches whole sources: refusals, score sheets, options, comments, docstrings."""
    for path in python_files("engine"):
        unknown = set(CITED.findall(path.read_text("utf-8"))) - set(CLAUSES)
        assert not unknown, (
            f"{path}: write {unknown} into client/i18n/rulebook, run tests.spec_texts"
        )


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_clause_with_a_rule_has_a_test(path: Path) -> None:
    """A name such as `test_c26_three_cards_take_one_wild`, or a case, is enough.

    A case in `spec/referee` shows a clause if its name or an expected line has it, a case in
    `notation/transcripts` if its name has it. Clauses marked *(display)* or *(no rule)* need no
    test.
    """
    tested = {
        part[0].upper() + part[1:]
        for name in NAMES_OF_TESTS
        for part in re.findall(rf"(?<=_){NUMBER}(?=_|$)", name, re.IGNORECASE)
    }
    wanted = {clause for clause, remark in WRITTEN.findall(path.read_text("utf-8")) if not remark}
    left = wanted - tested - shown_by_cases()
    assert not left, (
        f"{path.stem}: no test has {sorted(left)}. For each, put the clause into the name of a "
        "case in spec/referee or of a test (test_c26_...), or mark it *(display)* or *(no rule)*"
    )


def shown_by_cases() -> set[str]:
    """Return the clauses in the names and in the expected lines of the referee's cases."""
    found = set[str]()
    for path in (*(ROOT / "spec" / "referee").glob("*.txt"), *FILES):
        telling = "case" if path in FILES else "case|expect"
        for line in re.findall(f"^(?:{telling}) .*", path.read_text("utf-8"), re.MULTILINE):
            found |= set(CITED.findall(line))
    return found


def test_cases_name_clauses_that_exist() -> None:
    assert shown_by_cases() <= set(CLAUSES)
