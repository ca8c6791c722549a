"""Expectations of a ruling, and the message about an unmet one."""

import re

import pytest

from engine.errors import NotationError
from engine.notation.case_files import read_cases
from engine.notation.referee import report_on, reports, rulings
from engine.notation.rulings import Expectation
from tests.engine.clauses import CLAUSES

PLAYED = (
    "canasta 4\ntotals 30 20\npile 9c 4d\nhand 1 Ks 5c Kh\nmeld 1 7h 7d 2s\nmeld 2 8h 8d 8s\n"
    "try ask\n"
)
GOLDEN = "kanastic 2\nmeld 1 6g 7g Ar 9g\nmeld 1 Kg Kh Kd\nwaiting 2 1\nhand 1 4h 5h\ntry draw\n"


def expected(text: str, line: str) -> Expectation:
    *_, ruling = rulings(f"{text}expect {line}\n")
    return ruling.expectations[-1]


@pytest.mark.parametrize(
    ("text", "line", "met"),
    [
        (PLAYED, "totals 30 20", True),
        (PLAYED, "totals 20 30", False),
        (PLAYED, "pile 9c 4d", True),
        (PLAYED, "pile 4d 9c", False),
        (PLAYED, "pile none", False),
        (PLAYED, "PILE 9C:2 4d", True),  # nobody can tell twins apart
        (PLAYED, "hand 1 Kh Ks 5c", True),
        (PLAYED, "hand 1 3", True),
        (PLAYED, "hand 2 11", True),
        (PLAYED, "hand 2 none", False),
        (PLAYED, "meld 1 2s 7d 7h", True),
        (PLAYED, "meld 2 2s 7d 7h", False),
        (PLAYED, "bonus 1 none", True),
        (PLAYED, "debts none", True),
        (PLAYED, "debts 0 0 0 0", True),
        (PLAYED, "debts 0 1 0 0", False),
        (PLAYED, "asks 1 0 0 0", True),
        (PLAYED, "asks 0 0 0 0", False),
        ("canasta 4\nturn 1 draw\ntry draw\n", "pile none", True),
        ("canasta 4\nstock 0 ?\nhand 1 4c 5c\ntry discard 4c\n", "stock 0", True),
        ("canasta 4\nstock 2 ?\nhand 1 4c 5c\ntry discard 4c\n", "stock 2", True),
        (GOLDEN, "meld 1 6g 7g Ar 9g", True),
        (GOLDEN, "meld 1 7g 6g Ar 9g", False),
        (GOLDEN, "meld 1 Kd Kh Kg", True),
        (GOLDEN, "waiting 1 2", True),
        (GOLDEN, "waiting 2 1", True),
        ("canastra 2\nhand 1 3\nhand 2 Ks 4c\ncount\n", "hand 2 Ks! 4c!", True),
        ("hand_and_foot 4\nround 2\nwalking 1 3\ntry ask\n", "round 2", True),
        ("hand_and_foot 4\nround 2\nwalking 1 3\ntry ask\n", "walking 3 1", True),
    ],
)
def test_a_line_of_the_position_is_there_or_not(text: str, line: str, met: bool) -> None:
    """Compare cards in their order if they lie in one."""
    assert expected(text, line).met == met


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (PLAYED, "pile 4d", "pile 9c 4d"),
        (PLAYED, "bonus 1 3h", "none"),
        (PLAYED, "meld 1 7h 7d 7s", "meld 1 7h 7d 2s"),
        (PLAYED, "illegal C1", "legal"),
        (PLAYED, "seats 1 2 3 4", "none"),
        (PLAYED, "score 5 5", "none"),
        (PLAYED, "item 1 C76 100", "none"),
        (PLAYED, "total 5 5", "30 20"),
        (PLAYED, "winner 2", "none"),
        (PLAYED + "try discard Qs\n", "legal", "illegal X11"),
        ("canasta 2\ndrawn Ks Kd\n", "seats 2 1", "1 2"),
        ("canasta 2\nhand 1 Ks\nhand 2 Jo\ncount\n", "item 2 C92 5", "-50"),
        ("canasta 2\ntotals 6000 0\nhand 1 Ks\nhand 2 Jo\ncount\n", "winner 2", "1"),
        ("canasta 2\ntotals 0 6000\nhand 1 Ks\nhand 2 Jo\ncount\n", "winner 1", "2"),
    ],
)
def test_what_has_come_instead_is_said(text: str, line: str, found: str) -> None:
    got = expected(text, line)
    assert (got.met, got.found) == (False, found)


def test_of_many_melds_eight_are_said() -> None:
    melds = "".join(f"meld 1 {rank}s {rank}h {rank}d\n" for rank in "456789TJQ")
    found = expected(f"canasta 2\n{melds}hand 1 4c\ntry ask\n", "meld 1 Ks Kh Kd").found
    assert [each.split()[2] for each in found.split("; ")] == [f"{rank}s" for rank in "456789TJ"]


@pytest.mark.parametrize(
    "line",
    [
        "seats 1 2 3",
        "seats 1 2 3 x",
        "score 1",
        "total x y",
        "item x C76 5",
        "item 1 c 5",
        "item 1 C76 x",
    ],
)
def test_what_is_incomplete_cannot_be_expected(line: str) -> None:
    with pytest.raises(NotationError, match="One can expect: "):
        expected(PLAYED, line)


def test_who_expects_too_much_has_not_misspelt_the_word() -> None:
    with pytest.raises(NotationError) as raised:
        expected(PLAYED, "legal C26")
    assert "Did you mean" not in str(raised.value)


@pytest.mark.parametrize(("clause", "exists"), [("C26", True), ("X10", True), ("C126", False)])
def test_clauses_that_exist_nowhere_cannot_be_expected(clause: str, exists: bool) -> None:
    text = f"{PLAYED}expect illegal {clause}\n"
    (report,) = reports(text, CLAUSES)
    assert (report.problem is None) == exists
    assert exists or f"Canasta has no clause {clause}" in str(report.problem)
    (unchecked,) = reports(text)
    assert unchecked.problem is None


def test_what_is_expected_after_a_bad_line_is_not_asked() -> None:
    (case,) = read_cases(f"{PLAYED}expect legal\nfly\nexpect illegal\nflee\n")
    report = report_on(case)
    assert [each.met for each in report.rulings[0].expectations] == [True]
    assert re.match("Line 9: A line after moves", str(report.problem))
