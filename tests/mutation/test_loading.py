"""Mutants in modules that are imported; a module that was imported before has none."""

import subprocess
import sys

import pytest

import protocol.group  # noqa: F401 - it is there
from protocol import names
from tests.mutation.loading import ROOT, Switchboard, listed


def test_mutation_command_imports_no_mutated_package() -> None:
    program = "import sys, tests.mutation.__main__; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ended.stdout.split()}
    assert loaded.isdisjoint({"engine", "protocol", "p2p", "client"})


def test_a_module_imported_too_early_is_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"protocol/group\.py"):
        Switchboard(listed(["protocol/group.py"])).install()


def test_a_cached_method_of_a_test_is_called_with_its_object() -> None:
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
    """Otherwise a test would find results in a cache, and not reach the code that computes them."""
    board = Switchboard(listed(["protocol/names.py"]))
    names.look_alike("Omar", "Ornar")
    board.asked.add(1)
    board.begin_test()
    assert names._prototype.cache_info().currsize == 0
    assert not board.asked
