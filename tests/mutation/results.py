"""The results of mutants, kept in a file between runs.

A mutant is identified by its number within its file and a digest of that file. A killed mutant
stays killed until its file, or the file of the test that killed it, changes. A survivor must face
only tests in files that are new or have changed since. Changes of other files, such as helpers of
tests or code that the mutant's file calls, are not noticed: `--afresh` forgets all results.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from attrs import asdict, define, field, frozen

from tests.mutation.switchboard import ROOT
from tests.mutation.switches import Mutant


class Fate(StrEnum):
    """The fate of a mutant."""

    KILLED = "killed"
    """A test has failed, or the process has ended."""

    ENDLESS = "endless"
    """A test took many times its usual processor time, so it would never end."""

    HUNG = "hung"
    """A test took too long by the clock. This kills no mutant: a slow machine can be the cause."""

    SURVIVED = "survived"
    OPEN = "open"
    """The quickest tests have not noticed it; the others were not tried (`--effort`)."""

    AT_IMPORT = "at import"
    """The place runs only while modules are imported, when no mutant can be on yet."""


@frozen
class Verdict:
    """A verdict on a mutant."""

    fate: Fate
    by: str | None = None
    """The test that killed or stopped the mutant."""
    tests: int = 0
    """The number of tests that reach the mutant."""


@frozen
class Reach:
    """The mutants whose places a test runs while no mutant is on."""

    mutants: frozenset[int]
    seconds: float
    """The processor seconds of the test and of its child processes."""


def digest(path: Path) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@define
class Results:
    """The file of results of a package."""

    path: Path
    _sources: dict[str, str]
    _verdicts: dict[tuple[str, int], dict[str, Any]] = field(factory=dict)
    _reaches: dict[str, dict[str, Any]] = field(factory=dict)
    _digests: dict[str, str] = field(factory=dict)

    @classmethod
    def open(cls, path: Path, sources: Iterable[str]) -> Self:
        """Read the results; `sources` are the files with mutants."""
        own = digest(Path(__file__).with_name("switches.py"))
        digests = {source: digest(ROOT / source) + own for source in sources}
        results = cls(path, digests)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for line in text.splitlines():
            results._take(line)
        if text and not text.endswith("\n"):
            results._append("")  # end the last line of an interrupted run
        return results

    def _take(self, line: str) -> None:
        try:
            one = json.loads(line)
        except json.JSONDecodeError:
            return
        if "test" in one:
            self._reaches[one["test"]] = one
        elif self._sources.get(one["file"]) == one["digest"]:
            self._verdicts[one["file"], one["number"]] = one

    def _digest(self, test: str) -> str:
        """Return the digest of the file with the test."""
        name = test.split("::", maxsplit=1)[0]
        if name not in self._digests:
            path = ROOT / name
            self._digests[name] = digest(path) if path.exists() else "none"
        return self._digests[name]

    def reach(self, test: str) -> Reach | None:
        """Return the mutants that the test reaches, unless one of the files has changed since."""
        one = self._reaches.get(test)
        if one is None or one["of"] != self._of(test) or "broken" in one:
            return None
        return Reach(frozenset(one["mutants"]), one["seconds"])

    def note_reach(self, test: str, reach: Reach) -> None:
        mutants = sorted(reach.mutants)
        line = {**asdict(reach), "mutants": mutants, "test": test, "of": self._of(test)}
        self._append(json.dumps(line))
        self._reaches[test] = line

    def note_broken(self, test: str) -> None:
        """Note that the test fails without any mutant."""
        line = {"test": test, "of": self._of(test), "broken": True}
        self._append(json.dumps(line))
        self._reaches[test] = line

    @property
    def broken(self) -> list[str]:
        """Return the tests that fail without any mutant."""
        lines = self._reaches.values()
        return [
            one["test"] for one in lines if "broken" in one and one["of"] == self._of(one["test"])
        ]

    def _of(self, test: str) -> str:
        """Return a digest of all sources and of the file with the test."""
        all_sources = "".join(f"{name}{self._sources[name]}" for name in sorted(self._sources))
        return hashlib.sha256((all_sources + self._digest(test)).encode()).hexdigest()[:16]

    def verdict(self, mutant: Mutant, first: int) -> Verdict | None:
        """Return the verdict on the mutant, if it still holds.

        `first` is the number of the first mutant of its file.
        """
        one = self._verdicts.get((mutant.path, mutant.number - first))
        if one is None or (one["by"] and one["by_digest"] != self._digest(one["by"])):
            return None
        return Verdict(Fate(one["fate"]), one["by"], one["tests"])

    def faced(self, mutant: Mutant, first: int, tests: Iterable[str]) -> set[str]:
        """Return the test files that a survivor has survived and that have not changed since."""
        one = self._verdicts.get((mutant.path, mutant.number - first), {})
        survived: Mapping[str, str] = one.get("survived", {})
        return {name for name in tests if survived.get(name) == self._digest(name)}

    def note(self, mutant: Mutant, first: int, verdict: Verdict, tests: Iterable[str]) -> None:
        """Note a verdict; `tests` are the test files that a survivor has survived."""
        key = mutant.path, mutant.number - first
        line = {"file": key[0], "number": key[1], "digest": self._sources[key[0]]}
        line |= {**asdict(verdict), "name": mutant.name}
        if verdict.by is not None:
            line["by_digest"] = self._digest(verdict.by)
        if verdict.fate is Fate.SURVIVED:
            line["survived"] = {name: self._digest(name) for name in sorted(tests)}
        self._append(json.dumps(line))
        self._verdicts[key] = line

    def _append(self, line: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
