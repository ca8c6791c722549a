"""The worked example of the specification: the formulas give its numbers."""

import re
from pathlib import Path

import pytest

from tests.spec.by_hand import MODULUS, ORDER, H, X, example, sides, total

TEXT = (Path(__file__).parents[2] / "spec" / "shuffle-by-hand.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^    (\S+) = ([\d, ]+)$", TEXT, re.MULTILINE))


def test_every_number_in_the_text_is_the_computed_one() -> None:
    computed = {
        name: ", ".join(map(str, value if isinstance(value, tuple) else (value,)))
        for name, value in example().items()
    }
    assert computed == SHOWN


def test_the_table_of_group_elements_is_right() -> None:
    (row,) = re.findall(r"^\| n B \|(.*)\|$", TEXT, re.MULTILINE)
    assert [int(cell) for cell in row.split("|")] == [total((n, 2)) for n in range(ORDER)]


def test_no_element_of_the_example_is_the_identity() -> None:
    elements = [*H, *X]
    for name, value in example().items():
        if name[0] in "UycdT":  # the other values are numbers
            elements += value if isinstance(value, tuple) else [value]
    assert 1 not in elements
    assert all(pow(element, ORDER, MODULUS) == 1 for element in elements)


def test_all_equations_of_the_example_hold() -> None:
    about = sides(example())
    assert list(about) == ["sum", "prod", "commit", "map", "key", "chain"]
    assert all(left == right for left, right in about.values())


@pytest.mark.parametrize(
    ("cheat", "equation", "places"),
    [(example(y=(12, 12, 16)), "map", (8, 6)), (example(lock=5), "key", (2, 3))],
    ids=["other outputs", "another lock"],
)
def test_each_cheat_fails_the_equation_named_in_the_text(
    cheat: dict[str, int | tuple[int, ...]], equation: str, places: tuple[int, int]
) -> None:
    """The sides of the failed equation are the elements n B and m B, if `places` are n and m."""
    failed = {name: both for name, both in sides(cheat).items() if both[0] != both[1]}
    assert failed == {equation: tuple(total((place, 2)) for place in places)}
