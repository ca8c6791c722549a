"""The runner of tests against mutants.

All tests run once without a mutant, to see which test reaches which mutant. Then each mutant faces
the tests that reach it, the quickest first, until a test fails.

Each mutant has its own process, forked from the process that ran the tests, so results that tests
have cached, such as whole matches, are still there. A mutant that survives faces the tests again
with empty caches.

Each test has a limit of processor time, so verdicts on a busy machine are the same as on a quiet
one.
"""

import math
import os
import random
import signal
import tempfile
import time
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import IO

import pytest
from _pytest.runner import runtestprotocol
from attrs import define, field

from tests.mutation.results import Fate, Reach, Results, Verdict
from tests.mutation.switchboard import Switchboard
from tests.mutation.switches import Mutant

try:
    import resource
except ImportError:  # Windows, which cannot fork either
    CAN_RUN = False
else:
    CAN_RUN = hasattr(os, "fork")

_CUT_SHORT = 99
"""The exit code of a mutant's process that has passed all tests that the effort allows."""

_MEMORY = 8 << 30
"""The limit of address space in bytes, against mutants that allocate memory without end."""


@define(eq=False)
class Runner:
    """A plugin of pytest that replaces the loop over the tests by a loop over the mutants."""

    board: Switchboard
    results: Results
    wanted: Sequence[Mutant]
    """The mutants to judge."""
    jobs: int
    effort: float = math.inf
    """The processor seconds of tests for one mutant; the quickest tests come first."""
    broken: list[str] = field(factory=list)
    """The tests that fail without any mutant, and so say nothing about mutants."""
    _reaches: dict[str, Reach] = field(factory=dict)
    _repeatable: set[str] = field(factory=set)
    """The tests that have killed a mutant, and have passed a second time without a mutant."""
    _running: dict[int, tuple[Mutant, IO[bytes]]] = field(factory=dict)
    """By process: its mutant, and the file with the name of the test that it runs."""
    _done: int = 0

    def first(self, mutant: Mutant) -> int:
        """Return the number of the first mutant in the mutant's file."""
        return self.board.mutants[mutant.path][0].number

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once, then the mutants."""
        at_import = set(self.board.asked)
        items = {item.nodeid: item for item in session.items}
        files = {_file(name) for name in items}
        faced = {one.number: self._faced(one, files) for one in self.wanted}
        waiting = [one for one in self.wanted if faced[one.number] is not None]
        self._watch(items, {one.number for one in waiting})
        # A file with a broken test is left out: no mutant faces all of its tests.
        whole = files - {_file(name) for name in self.broken}
        random.Random(0).shuffle(waiting)  # so that an interrupted run has tried a fair sample
        plans = []
        for mutant in waiting:
            reach = self._reaching(mutant)
            tests = [name for name in reach if _file(name) not in (faced[mutant.number] or ())]
            if tests:
                plans.append((mutant, tests, self._affordable(tests)))
                continue
            imported = not reach and mutant.number in at_import
            fate = Fate.AT_IMPORT if imported else Fate.SURVIVED
            self.results.note(mutant, self.first(mutant), Verdict(fate, tests=len(reach)), whole)
        try:
            self._run_all(plans, items, whole)
        finally:
            for pid in self._running:
                os.killpg(pid, signal.SIGKILL)
        return True

    def _faced(self, mutant: Mutant, files: set[str]) -> set[str] | None:
        """Return the test files that the mutant need not face again; None if it faces no test."""
        verdict = self.results.verdict(mutant, self.first(mutant))
        if verdict is None or verdict.fate in {Fate.HUNG, Fate.OPEN}:
            return set()
        if verdict.fate is not Fate.SURVIVED:
            return None
        faced = self.results.faced(mutant, self.first(mutant), files)
        return None if faced == files else faced

    def _watch(self, items: dict[str, pytest.Item], waiting: set[int]) -> None:
        """Run and note each test that reaches a waiting mutant, or whose reach is unknown."""
        for name, item in items.items() if waiting else ():
            known = self.results.reach(name)
            if known is not None and not known.mutants & waiting:
                self._reaches[name] = known
                continue
            self.board.begin_test()
            used = _processor_time()
            if not _passes(item):
                self.broken.append(name)
                self.results.note_broken(name)
                continue
            seconds = _processor_time() - used
            self._reaches[name] = Reach(frozenset(self.board.asked), seconds)
            self.results.note_reach(name, self._reaches[name])

    def _reaching(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach the mutant, the quickest first."""
        names = [name for name, reach in self._reaches.items() if mutant.number in reach.mutants]
        return sorted(names, key=lambda name: self._reaches[name].seconds)

    def _affordable(self, tests: Sequence[str]) -> int:
        """Return the number of these tests that the effort allows, but at least one."""
        spent = accumulate(self._reaches[name].seconds for name in tests)
        return max(1, sum(seconds <= self.effort for seconds in spent))

    def _run_all(
        self,
        plans: list[tuple[Mutant, list[str], int]],
        items: dict[str, pytest.Item],
        whole: set[str],
    ) -> None:
        """Run each plan: a mutant, its tests, and how many of these the effort allows."""
        waiting = list(reversed(plans))
        while self._running or waiting:
            while waiting and len(self._running) < self.jobs:
                self._fork(*waiting.pop(), items)
            pid, status, used = os.wait4(-1, 0)
            if pid not in self._running:
                continue  # a process that a test has left behind
            mutant, told = self._running.pop(pid)
            with suppress(ProcessLookupError):  # raised if the mutant left no processes behind
                os.killpg(pid, signal.SIGKILL)
            verdict = self.judged(mutant, status, told)
            if verdict.by is not None and not self._is_repeatable(verdict.by, items):
                tests = [name for name in self._reaching(mutant) if name != verdict.by]
                waiting += [(mutant, tests, self._affordable(tests))] if tests else []
                continue
            self.results.note(mutant, self.first(mutant), verdict, whole)
            self._done += 1
            by = f" by {verdict.by}" if verdict.by else ""
            cost = used.ru_utime + used.ru_stime
            print(
                f"{self._done}/{len(plans)} {cost:.1f} s {verdict.fate}{by}: {mutant.name}",
                flush=True,
            )

    def _fork(
        self, mutant: Mutant, tests: list[str], most: int, items: dict[str, pytest.Item]
    ) -> None:
        """Fork a process that runs at most `most` of the tests.

        The process writes the name of the running test to a file.
        """
        tests = [name for name in tests if name in self._reaches]
        told = tempfile.TemporaryFile()  # noqa: SIM115
        if pid := os.fork():
            self._running[pid] = mutant, told
            return
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            self.board.turn_on(mutant)
            # Imported here: an import at the top would load modules without their mutants.
            from tests.protocol import computed_once  # noqa: PLC0415

            computed_once.forget()
            passed = self._all_pass(tests[:most], items, told, 5)
            if passed and most < len(tests):
                os._exit(_CUT_SHORT)
            if passed and self.board.is_kept(mutant):
                # A test that computes everything itself may take a minute more.
                self.board.compute_anew()
                passed = self._all_pass(tests, items, told, 60)
            os._exit(0 if passed else 1)
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(1)

    def _is_repeatable(self, name: str | None, items: dict[str, pytest.Item]) -> bool:
        """Return True if the test passes a second time in a process without any mutant.

        A test that fails, or takes far longer, is no longer used. For example, a test that removes
        a value from its parameters has other parameters in every later run.
        """
        if name is None or name in self._repeatable:
            return True
        if not (pid := os.fork()):
            try:
                usual = self._reaches[name].seconds
                _limit(5 + 5 * usual, 20 * (5 + 10 * usual))
                os._exit(0 if _passes(items[name]) else 1)
            finally:
                os._exit(1)
        if os.waitpid(pid, 0)[1] == 0:
            self._repeatable.add(name)
            return True
        print(f"fails a second time without any mutant: {name}", flush=True)
        self.broken.append(name)
        self.results.note_broken(name)
        self._reaches.pop(name, None)
        return False

    def _all_pass(
        self, tests: Iterable[str], items: dict[str, pytest.Item], told: IO[bytes], least: int
    ) -> bool:
        """Run the tests until one fails, and return True if all pass.

        A test may take 5 times its usual time, and `least` seconds more.
        """
        for name in tests:
            os.ftruncate(told.fileno(), 0)
            os.pwrite(told.fileno(), name.encode(), 0)
            usual = self._reaches[name].seconds
            allowed = least + 5 * usual
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            _limit(allowed, 20 * (least + 10 * usual))
            if not _passes(items[name]):
                return False
            later = resource.getrusage(resource.RUSAGE_CHILDREN)
            # The limit holds for each process by itself; this is the sum of the child processes.
            if later.ru_utime - used.ru_utime > allowed:
                os.kill(os.getpid(), signal.SIGXCPU)
        return True

    def judged(self, mutant: Mutant, status: int, told: IO[bytes]) -> Verdict:
        by = os.pread(told.fileno(), 10_000, 0).decode()
        told.close()
        code = os.waitstatus_to_exitcode(status)
        fate = {
            0: Fate.SURVIVED,
            _CUT_SHORT: Fate.OPEN,
            -signal.SIGXCPU: Fate.ENDLESS,
            -signal.SIGALRM: Fate.HUNG,
        }
        found = fate.get(code, Fate.KILLED)
        return Verdict(
            found, None if found in {Fate.SURVIVED, Fate.OPEN} else by, len(self._reaching(mutant))
        )


def _file(test: str) -> str:
    return test.split("::", maxsplit=1)[0]


def _processor_time() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _limit(processor: float, clock: float) -> None:
    """End this process by SIGXCPU or SIGALRM after these seconds of processor or clock time."""
    soft = math.ceil(time.process_time() + processor) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_REAL, clock)


def _passes(item: pytest.Item) -> bool:
    """Return True if the test passes or is skipped; print nothing."""
    item.session._setupstate.teardown_exact(None)
    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)
