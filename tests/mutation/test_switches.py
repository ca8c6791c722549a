"""Mutants in the code, which change its results only when they are switched on."""

from typing import Any

import pytest

from tests.mutation.switches import SWITCH, Mutant, switched

SOURCE = '''
LIMIT = 3

def judge(a, b=0, *rest: "tuple[int, ...]"):
    """A judgement."""
    if a < b and not rest:
        raise ValueError("too low")
    match a:
        case 7:
            return sorted(rest)
    rest += (1,)
    return [*zip(rest, rest, strict=True)], LIMIT, any(rest)

class Table:
    size: int = 5

    async def grow(self):
        """Docstring."""
        self.size += 9
        await self.settle(1, 1)
        await trio.lowlevel.checkpoint()
        _log.info("grown")
        return True
'''


def run(on: int, *arguments: Any) -> Any:
    """Return the result of `judge` while mutant `on` is switched on."""
    tree, _ = switched(SOURCE, "judge.py", 100)
    names: dict[str, Any] = {SWITCH: lambda number: number == on}
    exec(compile(tree, "judge.py", "exec"), names)
    try:
        return names["judge"](*arguments)
    except ValueError as error:
        return str(error)


LISTED = switched(SOURCE, "j", 100)[1]
# In reverse, so that the first of equal mutants is kept.
MUTANTS = {f"{mutant.was} -> {mutant.becomes}": mutant for mutant in reversed(LISTED)}


@pytest.mark.parametrize(
    ("change", "arguments", "usual", "mutated"),
    [
        ("a < b -> a <= b", (2, 2), ([(1, 1)], 3, True), "too low"),
        ("a < b and (not rest) -> a < b", (1, 2, 3), ([(3, 3), (1, 1)], 3, True), "too low"),
        ("a < b and (not rest) -> not rest", (3, 2), ([(1, 1)], 3, True), "too low"),
        ("not rest -> rest", (1, 2), "too low", ([(1, 1)], 3, True)),
        ("raise ValueError('too low') -> (left out)", (1, 2), "too low", ([(1, 1)], 3, True)),
        ("sorted(rest) -> rest", (7, 2, 9, 8), [8, 9], (9, 8)),
        ("rest += (1,) -> (left out)", (3, 2), ([(1, 1)], 3, True), ([], 3, False)),
        ("1 -> 2", (3, 2), ([(1, 1)], 3, True), ([(2, 2)], 3, True)),
        (
            "any(rest) -> all(rest)",
            (3, 2, 0),
            ([(0, 0), (1, 1)], 3, True),
            ([(0, 0), (1, 1)], 3, False),
        ),
    ],
)
def test_a_mutant_changes_the_result_only_when_it_is_on(
    change: str, arguments: tuple[int, ...], usual: Any, mutated: Any
) -> None:
    assert run(-1, *arguments) == usual
    assert run(MUTANTS[change].number, *arguments) == mutated


def test_only_code_that_runs_has_mutants() -> None:
    """Docstrings, defaults, annotations, patterns, `strict` and code run at import have none."""
    numbers = [mutant.number for mutant in MUTANTS.values()]
    assert len(set(numbers)) == len(numbers)
    assert {mutant.where for mutant in MUTANTS.values()} == {"judge", "Table.grow"}
    assert not [mutant for mutant in MUTANTS.values() if mutant.was in {"0", "3", "5", "7"}]
    assert "True -> False" in MUTANTS
    assert MUTANTS["True -> False"].where == "Table.grow"


def test_awaited_calls_can_be_left_out_and_logging_calls_cannot() -> None:
    left_out = {mutant.was for mutant in MUTANTS.values() if mutant.becomes == "(left out)"}
    assert left_out == {
        "raise ValueError('too low')",
        "rest += (1,)",
        "self.size += 9",
        "await self.settle(1, 1)",
    }


def test_equal_mutants_in_one_function_are_numbered() -> None:
    twice = [mutant.name for mutant in LISTED if mutant.was == "1"]
    assert twice == ["j judge: 1 -> 2", "j Table.grow: 1 -> 2", "j Table.grow: 1 -> 2 #2"]


def test_the_name_of_a_mutant_does_not_depend_on_its_line() -> None:
    moved = switched("\n\n" + SOURCE, "j", 0)[1]
    assert [mutant.name for mutant in moved] == [mutant.name for mutant in LISTED]
    assert isinstance(moved[0], Mutant)
    assert moved[0].line == LISTED[0].line + 2
