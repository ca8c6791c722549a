"""Runs tests against mutants: first all of them once, to see which test reaches which switch, then
for each mutant those that reach it, the quickest first, until one fails.

Each mutant has a process of its own, forked from the one that has run all tests. What they had
computed for themselves, such as whole matches, is there then.
"""

import builtins
import importlib.abc
import importlib.machinery
import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, ClassVar

import pytest
from _pytest.runner import runtestprotocol
from attrs import define, field, frozen

from tests.mutation.switches import SWITCH, Mutant, switched

ROOT = Path(__file__).parents[2]


@define
class Switchboard:
    """Which mutant is on, and which switches are asked by the test that runs."""

    on: int = -1
    asked: set[int] = field(factory=set)

    def __call__(self, number: int) -> bool:
        self.asked.add(number)
        return number == self.on


class _Loader(SourceFileLoader):
    """Compiles a module with its mutants in it."""

    mutants: ClassVar[list[Mutant]] = []

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        tree, mutants = switched(source, name, len(self.mutants))
        self.mutants.extend(mutants)
        return compile(tree, str(path), "exec", dont_inherit=True)


@define
class _Finder(importlib.abc.MetaPathFinder):
    files: frozenset[str]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin in self.files:
            spec.loader = _Loader(fullname, spec.origin)
            return spec
        return None


@frozen
class Verdict:
    """What became of a mutant: the test that caught it, "time" if it ran without end, or None."""

    mutant: Mutant
    caught_by: str | None
    tests: int


@define
class Runner:
    """A pytest plugin that runs the loop of mutants in the place of the loop of tests."""

    files: frozenset[str]
    jobs: int
    minutes: float
    seconds: float
    sample: int | None
    seed: int
    forget: list[Any] = field(factory=list, init=False)
    """Functions with a cache that would hide a mutant: what they computed, it has not changed."""
    verdicts: list[Verdict] = field(factory=list)
    left: int = 0
    broken: list[str] = field(factory=list)
    _board: Switchboard = field(factory=Switchboard)
    _took: dict[str, float] = field(factory=dict)
    _reach: dict[int, list[str]] = field(factory=dict)

    def install(self) -> None:
        """Before any module of the files is imported."""
        setattr(builtins, SWITCH, self._board)
        sys.meta_path.insert(0, _Finder(self.files))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All tests once, then the mutants."""
        items = {item.nodeid: item for item in session.items}
        self.forget += self._caches()
        self._watch(items)
        deadline = time.monotonic() + 60 * self.minutes
        mutants = [mutant for mutant in _Loader.mutants if mutant.number in self._reach]
        unreached = [mutant for mutant in _Loader.mutants if mutant.number not in self._reach]
        rng = random.Random(self.seed)
        if self.sample is not None and self.sample < len(mutants):
            mutants = rng.sample(mutants, self.sample)
        else:
            rng.shuffle(mutants)  # a run that is cut short is a fair sample
            self.verdicts += [Verdict(mutant, None, 0) for mutant in unreached]
        self._run_all(mutants, items, deadline)
        return True

    def _caches(self) -> Iterator[Any]:
        """The caches of the modules with mutants, and what the second verifier has found."""
        followed = sys.modules.get("tests.spec.followed")
        if followed is not None:
            yield followed.verified
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) in self.files:
                yield from (one for one in vars(module).values() if hasattr(one, "cache_clear"))

    def _watch(self, items: dict[str, pytest.Item]) -> None:
        for name, item in items.items():
            self._board.asked = set()
            begun = time.monotonic()
            if not _passes(item):
                self.broken.append(name)
                continue
            self._took[name] = time.monotonic() - begun
            for number in self._board.asked:
                self._reach.setdefault(number, []).append(name)
        for names in self._reach.values():
            names.sort(key=self._took.__getitem__)

    def _run_all(
        self, mutants: list[Mutant], items: dict[str, pytest.Item], deadline: float
    ) -> None:
        waiting, running = list(reversed(mutants)), dict[int, tuple[Mutant, float, int]]()
        while running or (waiting and time.monotonic() < deadline):
            while waiting and len(running) < self.jobs and time.monotonic() < deadline:
                mutant = waiting.pop()
                pid, reader = self._fork(mutant, items)
                running[pid] = mutant, time.monotonic(), reader
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid in running:
                self._note(*running.pop(pid))
                continue
            for pid, (_, begun, _) in running.items():
                if time.monotonic() - begun > self.seconds:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        self.left = len(waiting)

    def _fork(self, mutant: Mutant, items: dict[str, pytest.Item]) -> tuple[int, int]:
        """A process that runs the tests that reach the mutant, and writes which one fails."""
        reader, writer = os.pipe()
        sys.stdout.flush()
        if pid := os.fork():
            os.close(writer)
            return pid, reader
        self._board.on = mutant.number
        for function in self.forget:
            function.cache_clear()
        for name in self._reach[mutant.number]:
            if not _passes(items[name]):
                os.write(writer, name.encode())
                break
        else:
            os.write(writer, b"-")
        os._exit(0)

    def _note(self, mutant: Mutant, _: float, reader: int) -> None:
        told = os.read(reader, 10_000).decode()
        os.close(reader)
        caught = None if told == "-" else told or "time"
        self.verdicts.append(Verdict(mutant, caught, len(self._reach[mutant.number])))
        mark = "survived" if caught is None else f"caught by {caught.split('::')[-1]}"
        print(f"{len(self.verdicts)} {mutant.name}: {mark}", flush=True)


def _passes(item: pytest.Item) -> bool:
    """Whether the test passes, or is skipped; nothing is printed."""
    item.session._setupstate.teardown_exact(None)
    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)
