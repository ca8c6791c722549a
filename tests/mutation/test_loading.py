"""The import of modules with their mutants, and the caches of modules and tests."""

import subprocess
import sys

import pytest

import protocol.group  # noqa: F401 - a module that is imported too early
from protocol import names
from tests.mutation.switchboard import ROOT, Switchboard, listed


def test_the_mutation_command_imports_no_mutated_package() -> None:
    program = "import sys, tests.mutation.__main__; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ended.stdout.split()}
    assert loaded.isdisjoint({"engine", "protocol", "p2p", "client"})


def test_a_module_imported_too_early_is_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"protocol/group\.py"):
        Switchboard(listed(["protocol/group.py"])).install()


def test_a_cached_method_is_called_with_its_object_and_reaches_the_same_mutants() -> None:
    board = Switchboard({})

    class Doubling:
        def of(self, number: int) -> int:
            board.asked.add(number)
            return 2 * number

        of = board._cache(of)

    kept = Doubling()
    assert kept.of(3) == 6
    board.begin_test()
    assert kept.of(3) == 6
    assert board.asked == {3}


def test_caches_are_emptied_before_each_test() -> None:
    """With full caches a test could find a result, and not reach the code that computes it."""
    board = Switchboard(listed(["protocol/names.py"]))
    names.look_alike("Omar", "Ornar")
    board.asked.add(1)
    board.begin_test()
    assert names._prototype.cache_info().currsize == 0
    assert not board.asked
