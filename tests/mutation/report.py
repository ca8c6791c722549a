"""The report on mutants: a table of packages, and each survivor with its reason."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from tests.mutation.results import Fate, Verdict
from tests.mutation.switches import Mutant

REASONS = Path(__file__).with_name("reasons.txt")


@frozen
class Judged:
    """The chosen mutants of a package, with the verdicts so far."""

    package: str
    all: int
    chosen: Sequence[Mutant]
    verdicts: Mapping[Mutant, Verdict]
    broken: Sequence[str]

    @property
    def left(self) -> int:
        """Number of chosen mutants that have not been tried."""
        return len(self.chosen) - len(self.verdicts)

    def of(self, *fates: Fate) -> list[Mutant]:
        return [mutant for mutant, verdict in self.verdicts.items() if verdict.fate in fates]


def reasons(text: str) -> dict[str, str]:
    """Return the reasons why survivors may survive, by the names of the mutants."""
    found: dict[str, str] = {}
    comment: list[str] = []
    names = False  # True after a name: a comment then begins the next reason
    for line in text.splitlines():
        if line.startswith("#"):
            comment = [] if names else comment
            names = False
            comment.append(line.removeprefix("#").strip())
        elif line.strip():
            names = True
            found[line.strip()] = " ".join(comment)
        else:
            comment, names = [], False
    return found


def table(packages: Sequence[Judged], known: Mapping[str, str]) -> Iterator[str]:
    """Return the lines of the table, in Markdown."""
    yield "| package | mutants | tried | killed | endless | hung | open | survived | no reason |"
    yield "|" + " --- |" * 9
    for one in packages:
        killed, survivors = one.of(Fate.KILLED, Fate.ENDLESS), one.of(Fate.SURVIVED)
        hung, endless = len(one.of(Fate.HUNG)), len(one.of(Fate.ENDLESS))
        open_ones = len(one.of(Fate.OPEN))
        tried = len(killed) + len(survivors) + hung + open_ones
        rate = f" ({100 * len(killed) / tried:.1f} %)" if tried else ""
        bare = sum(mutant.name not in known for mutant in survivors)
        yield (
            f"| {one.package} | {one.all} | {tried} | {len(killed)}{rate} | {endless} | "
            f"{hung} | {open_ones} | {len(survivors)} | {bare} |"
        )


def is_unfinished(one: Judged, known: Mapping[str, str]) -> bool:
    """Return True if work is left, such as a survivor without a reason or an untried mutant."""
    unexplained = [mutant for mutant in one.of(Fate.SURVIVED) if mutant.name not in known]
    return bool(unexplained or one.of(Fate.HUNG, Fate.OPEN) or one.broken or one.left)


def details(one: Judged, known: Mapping[str, str]) -> Iterator[str]:
    """Return lines on the tests that killed mutants, and on the survivors."""
    if one.broken:
        yield "\nThese tests fail without any mutant, and were not used:"
        yield from (f"  {name}" for name in one.broken)
    killers = Counter(
        verdict.by.split("::")[0] for verdict in one.verdicts.values() if verdict.by is not None
    )
    yield f"\n{one.package}, killed by:"
    yield from (f"  {count:4} {name}" for name, count in killers.most_common())
    for fate in (Fate.HUNG, Fate.OPEN, Fate.SURVIVED):
        for mutant in sorted(one.of(fate), key=lambda mutant: mutant.number):
            reason = known.get(mutant.name, "NO REASON")
            tests = one.verdicts[mutant].tests
            yield f"{fate}, {tests} tests, line {mutant.line}: {mutant.name}\n    {reason}"
    imported = len(one.of(Fate.AT_IMPORT))
    yield f"{one.package}: {one.left} not tried; {imported} run only at import, and cannot be tried"
