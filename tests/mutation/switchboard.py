"""The import of modules with their mutants, and the mutants that a test reaches."""

import builtins
import functools
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from attrs import define, field

from tests.mutation.switches import SWITCH, Mutant, switched

ROOT = Path(__file__).parents[2]


def listed(files: Iterable[str]) -> dict[str, list[Mutant]]:
    """Return the mutants of each file, by its path in the project, numbered across all files."""
    found: dict[str, list[Mutant]] = {}
    first = 0
    for path in sorted(files):
        found[path] = switched((ROOT / path).read_text(encoding="utf-8"), path, first)[1]
        first += len(found[path])
    return found


@define
class Switchboard:
    """The switches of all mutants, which are off at the beginning.

    The switchboard is installed before any of the mutated modules is imported.
    """

    mutants: dict[str, list[Mutant]]
    asked: set[int] = field(factory=set)
    """The numbers of the mutants whose places have run since the last `begin_test`."""
    kept: list["_Kept"] = field(factory=list)
    """The functions of tests that have a cache."""

    def install(self) -> None:
        """Install the loader of mutated modules.

        Raises RuntimeError if one of these modules has already been imported, without its mutants.
        """
        files = {getattr(module, "__file__", None) for module in sys.modules.values()}
        if early := sorted(path for path in self.mutants if str(ROOT / path) in files):
            raise RuntimeError(f"imported without mutants: {', '.join(early)}")
        # The switch is a function in C, because it is called a million times.
        setattr(builtins, SWITCH, self.asked.add)  # returns None, which counts as False
        sys.meta_path.insert(0, _Finder(self.mutants))
        functools.cache = self._cache

    def begin_test(self) -> None:
        """Clear `asked`, so that it will have the mutants that the next test reaches.

        Caches of the mutated modules are emptied, so that the test computes everything itself.
        """
        self._forget()
        self.asked.clear()

    def turn_on(self, mutant: Mutant) -> None:
        """Turn a mutant on in this process, and empty the caches of the mutated modules."""
        setattr(builtins, SWITCH, mutant.number.__eq__)
        self._forget()

    def _forget(self) -> None:
        files = {str(ROOT / path) for path in self.mutants}
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) in files:
                for one in vars(module).values():
                    if hasattr(one, "cache_clear"):
                        one.cache_clear()

    def is_kept(self, mutant: Mutant) -> bool:
        """Return True if a result in a cache of the tests depends on the mutant's place."""
        return any(mutant.number in one.asked for one in self.kept)

    def compute_anew(self) -> None:
        """Empty the caches of functions in tests."""
        for one in self.kept:
            one.cache_clear()

    def _cache(self, function: Callable[..., Any]) -> Any:
        """Return the function with a cache, as `functools.cache` does.

        A test that finds a result in the cache reaches the mutants that were reached when the
        result was computed.
        """
        if not function.__module__.startswith("tests."):
            return functools.lru_cache(maxsize=None)(function)
        kept = _Kept(function, self.asked)
        self.kept.append(kept)
        return functools.wraps(function)(kept)


class _Kept:
    """A function or method of the tests, with a cache."""

    def __init__(self, function: Callable[..., Any], asked: set[int]) -> None:
        self._all = asked
        self._function = function
        self._answer = functools.lru_cache(maxsize=None)(self._computed)
        self.cache_clear = self._answer.cache_clear
        self.asked: set[int] = set()

    def __get__(self, owner: object, _of: type) -> Any:
        return functools.partial(self, owner)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        answer = self._answer(*arguments, **named)
        self._all |= self.asked
        return answer

    def _computed(self, *arguments: Any, **named: Any) -> Any:
        # `_all` is emptied, so that it gets only the mutants that this computation reaches.
        before = set(self._all)
        self._all.clear()
        try:
            return self._function(*arguments, **named)
        finally:
            self.asked |= self._all
            self._all |= before


class _Loader(SourceFileLoader):
    """A loader that compiles a module together with its mutants."""

    def __init__(self, fullname: str, path: str, first: int) -> None:
        super().__init__(fullname, path)
        self._first = first

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        source = path.read_text(encoding="utf-8")
        tree, _ = switched(source, path.relative_to(ROOT).as_posix(), self._first)
        return compile(tree, str(path), "exec", dont_inherit=True)


@define
class _Finder(importlib.abc.MetaPathFinder):
    mutants: dict[str, list[Mutant]]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not Path(spec.origin).is_relative_to(ROOT):
            return None
        mutants = self.mutants.get(Path(spec.origin).relative_to(ROOT).as_posix())
        if not mutants:
            return None
        spec.loader = _Loader(fullname, spec.origin, mutants[0].number)
        return spec
